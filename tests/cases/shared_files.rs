//! Real k6 output with figures computed independently.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::sweep::reduce_paths;
use crate::support::{close, json, shared};
use sweepdoc::derive::{Observations, Plan};
use sweepdoc::ingest::source::{Meter, Source};
use sweepdoc::ingest::{k6_csv, k6_json};
use sweepdoc::model::{Evidence, Percentile, Phase, Time, TrendStats, WindowBasis};
use sweepdoc::pipeline::{RunFiles, Settings, TargetFrom, reduce};

fn observe(path: &Path) -> Observations {
    let mut seen = Observations::new(Plan::default());
    let content = Source::new(path).unwrap().open(&Meter::default()).unwrap();
    let json = path.to_string_lossy().contains("json");
    let read = if json { k6_json::read(content, &mut seen) } else { k6_csv::read(content, &mut seen) };
    read.unwrap_or_else(|fault| panic!("{fault}"));
    seen
}

fn time(value: &Value) -> Option<Time> {
    value.as_str().map(|text| Time::parse_rfc3339(text).unwrap())
}

/// The figures are written in milliseconds.
fn same_moment(ours: Time, theirs: Time) -> bool {
    ours.unix_nanos() / 1_000_000 == theirs.unix_nanos() / 1_000_000
}

fn same_trend(name: &str, ours: Option<&TrendStats>, theirs: &Value) {
    let Some(theirs) = theirs.as_object() else { return assert!(ours.is_none(), "{name}") };
    let ours = ours.unwrap_or_else(|| panic!("{name}: no trend"));
    assert_eq!(ours.n, theirs["n"].as_u64(), "{name}");
    for (key, rank) in [("p50", Percentile::P50), ("p95", Percentile::P95), ("p99", Percentile::P99)] {
        // the file has six decimals
        assert!((ours.percentiles[&rank] - theirs[key].as_f64().unwrap()).abs() <= 5.1e-7, "{name} {key}");
    }
}

fn failures(evidence: &Evidence) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for population in evidence.populations.iter().flatten() {
        let phase = match population.phase {
            Phase::Test => "test",
            Phase::Unknown => "unknown",
            other => panic!("{other:?}"),
        };
        let (status, code) = (population.status.unwrap_or(0), population.error_code.unwrap_or(0));
        *counts.entry(format!("{status}|{code}|{phase}")).or_default() += population.count;
    }
    counts
}

fn checks(evidence: &Evidence) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for check in evidence.checks.iter().flat_map(|checks| &checks.by_name) {
        let name = check.name.as_deref().unwrap_or("?");
        counts.insert(format!("{name}|pass"), check.passes.unwrap());
        counts.insert(format!("{name}|fail"), check.fails);
    }
    counts
}

fn numbers(value: &Value) -> BTreeMap<String, u64> {
    value.as_object().unwrap().iter().map(|(key, n)| (key.clone(), n.as_u64().unwrap())).collect()
}

#[test]
fn raw_files_of_k6_1_1_agree_with_their_independent_figures() {
    let Some(files) = shared("k6-files") else { return };
    let expected = json(&files.join("expected.json"));
    for (name, truth) in expected.as_object().unwrap() {
        let path = files.join(name);
        let seen = observe(&path);
        let counts: BTreeMap<String, u64> = seen.counts().into_iter().map(|(k, n)| (k.to_owned(), n)).collect();
        assert_eq!(counts, numbers(&truth["points_by_metric"]), "{name}");
        let (first, last) = seen.span().unwrap();
        assert!(same_moment(first, time(&truth["first"]).unwrap()), "{name}: first {first}");
        assert!(same_moment(last, time(&truth["last"]).unwrap()), "{name}: last {last}");

        let evidence = reduce_paths(std::slice::from_ref(&path)).unwrap().evidence;
        let window = evidence.window.unwrap();
        match (time(&truth["first_test_phase"]), time(&truth["last_test_phase"])) {
            (Some(first), Some(last)) => {
                assert_eq!(window.basis, WindowBasis::Test, "{name}");
                assert_eq!((window.start, window.end), (first.floor_to_second(), last.floor_to_second()), "{name}");
            }
            _ => assert_eq!(window.basis, WindowBasis::Run, "{name}"),
        }
        assert_eq!(evidence.iterations.complete, truth["iterations"].as_u64(), "{name}");
        let trend = &evidence.trends["http_req_duration"];
        same_trend(name, Some(&trend.run), &truth["http_req_duration_all"]);
        same_trend(name, trend.test.as_ref(), &truth["http_req_duration_test_phase"]);
        assert_eq!(failures(&evidence), numbers(&truth["failed_requests_by_status_errorcode_phase"]), "{name}");
        assert_eq!(checks(&evidence), numbers(&truth["checks"]), "{name}");
    }
    assert_eq!(expected.as_object().unwrap().len(), 4);
}

/// Source: a public study's raw output and `handleSummary` of one run; the percentile is interpolated, not the nearest rank.
#[test]
fn a_public_run_agrees_with_its_own_summary_in_every_statistic() {
    let Some(folder) = shared("replicates") else { return };
    let file = |name: &str| folder.join(format!("miguelf-create-user-1vu-1000iter.{name}"));
    let summary = json(&file("summary.json"));
    let files = RunFiles::collect(&[file("csv.gz"), file("summary.json")]).unwrap();
    let settings = Settings { all_trends: true, ..Settings::default() };
    let evidence =
        reduce(&files, &TargetFrom::Given("create_user".to_owned()), &settings, &Meter::default()).unwrap().evidence;
    let mut compared = 0;
    for (name, metric) in summary["metrics"].as_object().unwrap() {
        for (stat, value) in metric["values"].as_object().unwrap() {
            let trend = || evidence.trends.get(name).or_else(|| evidence.submetrics.get(name)).map(|trend| &trend.run);
            let gauge = || evidence.gauges.get(name);
            let rate = || evidence.rates.get(name);
            let ours = match (metric["type"].as_str().unwrap(), stat.as_str()) {
                ("trend", "count") => trend().unwrap().n.map(|n| n as f64),
                ("trend", "avg") => trend().unwrap().avg,
                ("trend", "min") => trend().unwrap().min,
                ("trend", "max") => trend().unwrap().max,
                ("trend", "med") => trend().unwrap().percentiles.get(&Percentile::P50).copied(),
                ("trend", p) => {
                    let rank = p.trim_start_matches("p(").trim_end_matches(')');
                    trend().unwrap().percentiles.get(&Percentile::parse(rank).unwrap()).copied()
                }
                ("counter", "count") => Some(evidence.counters[name].sum),
                ("counter", "rate") => Some(evidence.counters[name].sum / evidence.k6.run_seconds.unwrap()),
                ("gauge", "value") => Some(gauge().unwrap().last),
                ("gauge", "min") => Some(gauge().unwrap().min),
                ("gauge", "max") => Some(gauge().unwrap().max),
                ("rate", _) if name == "checks" => continue,
                ("rate", "passes") => Some(rate().unwrap().nonzero as f64),
                ("rate", "fails") => Some((rate().unwrap().total - rate().unwrap().nonzero) as f64),
                ("rate", "rate") => Some(rate().unwrap().nonzero as f64 / rate().unwrap().total as f64),
                other => panic!("{other:?}"),
            };
            let theirs = value.as_f64().unwrap();
            assert!(close(ours.unwrap(), theirs, 1e-9), "{name} {stat}: ours {ours:?}, theirs {theirs}");
            compared += 1;
        }
    }
    assert!(compared > 90, "{compared}");
    let rank = Percentile::parse("99.99").unwrap();
    let p = evidence.trends["http_req_duration"].run.percentiles[&rank];
    assert!((p - 194.343412).abs() < 5e-7, "{p}");
    assert_eq!(evidence.k6.run_seconds, summary["state"]["testRunDurationMs"].as_f64().map(|ms| ms / 1000.0));
    assert_eq!(evidence.k6.iterations.unwrap().per_second, Some(11.512141452549933));
    let checks = evidence.checks.as_ref().unwrap();
    assert_eq!((checks.total, checks.failed, checks.by_name[0].name.as_deref()), (1000, 0, Some("status is 200")));
    assert!(evidence.warnings.iter().all(|w| w.code != "figures-differ"), "{:?}", evidence.warnings);
}
