//! Raw output of every shared real run against its independently computed `truth.json`.

#![allow(clippy::print_stdout)] // what was compared is part of the result

mod support;

use std::path::Path;

use serde_json::Value;
use support::{close, json, real_runs};
use sweepdoc::derive::{Inputs, Observations, Plan, Redactor, Thresholds, evidence};
use sweepdoc::ingest::source::{Meter, Source};
use sweepdoc::ingest::{k6_csv, k6_json};
use sweepdoc::model::{Evidence, Phase, Submetric, TrendStats};

fn observe(path: &Path, plan: Plan) -> Observations {
    let mut seen = Observations::new(plan);
    let content = Source::new(path).unwrap().open(&Meter::default()).unwrap();
    let json = path.to_string_lossy().contains(".json");
    let read = if json { k6_json::read(content, &mut seen) } else { k6_csv::read(content, &mut seen) };
    read.unwrap_or_else(|fault| panic!("{fault}"));
    seen
}

fn derive(seen: &Observations) -> Evidence {
    evidence(&Inputs { seen: Some(seen), ..Inputs::of("x", &Thresholds::default(), &Redactor::default()) })
}

fn everything() -> Plan {
    let submetrics = [
        "http_req_duration{scenario:default}",
        "http_req_duration{scenario:climb}",
        "http_req_duration{scenario:steady_rate}",
    ];
    Plan {
        all_trends: true,
        submetrics: submetrics.iter().filter_map(|s| Submetric::parse(s)).collect(),
        ..Plan::default()
    }
}

fn raw_of(run: &Path) -> std::path::PathBuf {
    let candidates = ["run.csv", "run.csv.gz"].map(|name| run.join(name));
    candidates.into_iter().find(|path| path.exists()).unwrap_or_else(|| panic!("{}: no CSV", run.display()))
}

fn same_trend(place: &str, ours: &TrendStats, truth: &Value, compared: &mut usize) {
    let number = |key: &str| truth[key].as_f64().unwrap_or_else(|| panic!("{place}: no {key}"));
    assert_eq!(ours.n.map(|n| n as f64), Some(number("count")), "{place} count");
    let percentiles = ours.percentiles.iter().map(|(p, v)| (p.to_string(), *v));
    let mut figures = vec![
        ("min".to_owned(), ours.min.unwrap()),
        ("avg".to_owned(), ours.avg.unwrap()),
        ("max".to_owned(), ours.max.unwrap()),
    ];
    figures.extend(percentiles);
    for (key, value) in figures {
        assert!(close(value, number(&key), 1e-9), "{place} {key}: ours {value}, truth {}", number(&key));
        *compared += 1;
    }
}

#[test]
fn evidence_of_every_real_run_equals_its_truth() {
    let (mut compared, mut runs) = (0, 0);
    for run in real_runs() {
        let name = run.file_name().unwrap().to_string_lossy().into_owned();
        let truth = json(&run.join("truth.json"));
        let evidence = derive(&observe(&raw_of(&run), everything()));
        runs += 1;

        for (key, whole) in truth["trends_whole_run"].as_object().unwrap() {
            if whole.is_null() {
                continue;
            }
            let trend = evidence.trends.get(key).or_else(|| evidence.submetrics.get(key));
            let trend = trend.unwrap_or_else(|| panic!("{name}: `{key}` is missing"));
            same_trend(&format!("{name} {key} run"), &trend.run, whole, &mut compared);
            let test = &truth["trends_test_phase"][key];
            match &trend.test {
                Some(ours) if !key.contains('{') => {
                    same_trend(&format!("{name} {key} test"), ours, test, &mut compared)
                }
                None => assert!(test.is_null(), "{name}: `{key}` has test-phase samples"),
                _ => {}
            }
        }

        if let Some(window) = truth["time"]["test_phase_all_rows"].as_object() {
            let ours = evidence.window.unwrap().window();
            assert_eq!(
                (Some(ours.start), Some(ours.end)),
                (window["first"].as_i64(), window["last"].as_i64()),
                "{name} window"
            );
            compared += 2;
        }

        let http = &truth["http"];
        let requests = evidence.requests.as_ref().unwrap();
        assert_eq!(Some(requests.run.total), http["requests_whole_run"].as_u64(), "{name}");
        assert_eq!(requests.run.failed, http["failed_whole_run"].as_u64(), "{name}");
        if let Some(test) = requests.test {
            assert_eq!(Some(test.total), http["requests_test_phase"].as_u64(), "{name}");
            assert_eq!(test.failed, http["failed_test_phase"].as_u64(), "{name}");
        } else {
            assert_eq!(http["requests_test_phase"], 0, "{name}");
        }
        compared += 4;
        compared += same_populations(&name, &evidence, http["populations_test_phase"].as_array().unwrap());

        assert_eq!(evidence.iterations.complete, truth["iterations"]["complete"].as_u64(), "{name}");
        assert_eq!(evidence.iterations.dropped, truth["iterations"]["dropped"].as_u64(), "{name}");
        for (counter, key) in [("data_sent", "sent_bytes"), ("data_received", "received_bytes")] {
            assert_eq!(Some(evidence.counters[counter].sum), truth["data"][key].as_f64(), "{name} {counter}");
        }
        if let Some(vus) = truth["vus"].as_object() {
            let ours = evidence.gauges["vus"];
            assert_eq!(
                (Some(ours.last), Some(ours.min), Some(ours.max)),
                (vus["last"].as_f64(), vus["min"].as_f64(), vus["max"].as_f64()),
                "{name}"
            );
        }
        compared += 7;
        compared += same_checks(&name, &evidence, &truth["checks"]);
    }
    println!("{runs} runs, {compared} values compared");
}

/// Populations of the test phase by status, code and error text, with first and last second.
fn same_populations(name: &str, evidence: &Evidence, truth: &[Value]) -> usize {
    let failed = |p: &&Value| !matches!(p["status"].as_str(), Some(s) if s.starts_with('2') || s.starts_with('3'));
    let mut theirs: Vec<(u64, String, String, String)> = truth
        .iter()
        .filter(failed)
        .map(|p| {
            let status = p["status"].as_str().filter(|s| *s != "0").unwrap_or_default();
            let text = |key: &str| p[key].as_str().unwrap_or_default().to_owned();
            let second = |key: &str| seconds(&text(key));
            let span = format!("{} {}", second("first"), second("last"));
            (p["count"].as_u64().unwrap(), status.to_owned(), format!("{} {}", text("error_code"), text("error")), span)
        })
        .collect();
    let ours = evidence.populations.as_ref().unwrap().iter().filter(|p| p.phase == Phase::Test);
    let mut ours: Vec<(u64, String, String, String)> = ours
        .map(|p| {
            let text = |n: Option<u16>| n.map(|n| n.to_string()).unwrap_or_default();
            let span = format!("{} {}", p.first.unwrap().unix_seconds(), p.last.unwrap().unix_seconds());
            (p.count, text(p.status), format!("{} {}", text(p.error_code), p.error), span)
        })
        .collect();
    theirs.sort();
    ours.sort();
    assert_eq!(ours, theirs, "{name} populations");
    ours.len() * 5
}

fn seconds(text: &str) -> i64 {
    text.parse().unwrap_or_else(|_| sweepdoc::model::Time::parse_rfc3339(text).unwrap().unix_seconds())
}

fn same_checks(name: &str, evidence: &Evidence, truth: &Value) -> usize {
    let Some(theirs) = truth["by_name"].as_array() else { return 0 };
    let ours = evidence.checks.as_ref();
    let count = |c: &sweepdoc::model::CheckByName| (c.name.clone().unwrap_or_default(), c.passes.unwrap(), c.fails);
    let ours: Vec<_> = ours.map(|c| c.by_name.iter().map(count).collect()).unwrap_or_default();
    let theirs: Vec<_> = theirs
        .iter()
        .map(|c| {
            (
                c["name"].as_str().unwrap_or_default().to_owned(),
                c["passes"].as_u64().unwrap(),
                c["fails"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(ours, theirs, "{name} checks, in order of first use");
    ours.len() * 2
}

/// What the server of each run did wrong by its own log, against what the client's samples are told apart into.
#[test]
fn injected_faults_are_told_apart_with_the_server_s_own_counts() {
    // these runs were cut while requests were in flight: the client lost the server's last ones (manifest of the runs)
    let cut = [("F_v2_sigkill", "hang", 9), ("F2_v1_sigkill_gz", "hang", 10), ("H_v2_sigint", "409", 1)];
    let mut compared = 0;
    for run in real_runs() {
        let name = run.file_name().unwrap().to_string_lossy().into_owned();
        let truth = json(&run.join("truth.json"));
        let Some(faults) = truth["injected_faults_by_server_log"].as_object().filter(|faults| !faults.is_empty())
        else {
            continue;
        };
        let evidence = derive(&observe(&raw_of(&run), everything()));
        for (kind, fault) in faults {
            let is_kind = |p: &&sweepdoc::model::Population| match kind.as_str() {
                "reset" => p.error_code == Some(1220),
                "hang" => p.error_code == Some(1050),
                status => p.status == status.parse().ok(),
            };
            let ours: u64 = evidence.populations.iter().flatten().filter(is_kind).map(|p| p.count).sum();
            let lost = cut.iter().find(|(r, k, _)| *r == name && k == kind).map_or(0, |(_, _, lost)| *lost);
            assert_eq!(ours + lost, fault["count"].as_u64().unwrap(), "{name}: {kind}");
            compared += 1;
        }
    }
    assert!(real_runs().is_empty() || compared > 40, "{compared} kinds of faults compared");
}
