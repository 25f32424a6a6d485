//! What k6 printed, written anew from figures computed independently of this crate (`truth.json` of each real run).

use std::fs;
use std::path::Path;

use serde_json::Value;
use sweepdoc::ingest::terminal;
use sweepdoc::model::{
    CheckByName, Checks, Counter, EndSummary, Evidence, Figures, Gauge, Percentile, RequestCount, Requests, Stat,
    Trend, TrendStats,
};
use sweepdoc::notation::stat::{self, TrendNotation};
use sweepdoc::render::k6_block;

fn check(truth: &Value) -> CheckByName {
    CheckByName {
        name: truth["name"].as_str().map(str::to_owned),
        passes: truth["passes"].as_u64(),
        fails: truth["fails"].as_u64().unwrap(),
        fails_within: Default::default(),
        fails_elsewhere: None,
    }
}

/// Evidence as far as `truth.json` has it, for the trends the log prints.
fn evidence_from_truth(truth: &Value, printed: &EndSummary) -> Evidence {
    let mut evidence = Evidence::default();
    for (name, values) in truth["trends_whole_run"].as_object().unwrap() {
        let number = |key: &str| values[key].as_f64();
        let ranks = ["p50", "p90", "p95", "p99", "p99.9"];
        let percentile = |key: &str| Some((Percentile::parse(key.strip_prefix('p')?)?, number(key)?));
        let run = TrendStats {
            n: values["count"].as_u64(),
            min: number("min"),
            avg: number("avg"),
            max: number("max"),
            percentiles: ranks.iter().filter_map(|key| percentile(key)).collect(),
        };
        let time = Some(true);
        if printed.metrics.contains_key(name) {
            let kept = if name.contains('{') { &mut evidence.submetrics } else { &mut evidence.trends };
            kept.insert(name.clone(), Trend { time, run, ..Trend::default() });
        }
    }
    let count = |value: &Value| value.as_u64().unwrap();
    let total = count(&truth["http"]["requests_whole_run"]);
    let failed = truth["http"]["failed_whole_run"].as_u64();
    evidence.requests = Some(Requests { run: RequestCount { total, failed }, test: None });
    evidence.iterations.complete = truth["iterations"]["complete"].as_u64().filter(|n| *n > 0);
    let data = [("data_sent", "sent_bytes"), ("data_received", "received_bytes")];
    for (name, key) in data {
        let sum = truth["data"][key].as_f64().unwrap();
        evidence.counters.insert(name.to_owned(), Counter { sum, inferred: false });
    }
    for (name, figures) in &printed.metrics {
        // `vus_max` is not in truth.json: a gauge's figures are plain numbers, printed in full
        if let Figures::Gauge { value, min: Some(min), max: Some(max) } = figures {
            let [last, min, max] = [value, min, max].map(|figure| figure.value.unwrap());
            evidence.gauges.insert(name.clone(), Gauge { last, min, max, inferred: false });
        }
    }
    if let Some(passes) = truth["checks"]["passes"].as_u64().filter(|_| !printed.checks.is_empty()) {
        let total = count(&truth["checks"]["total"]);
        let by_name = truth["checks"]["by_name"].as_array().unwrap().iter();
        let by_name = by_name.map(check);
        evidence.checks = Some(Checks { total, failed: total - passes, by_name: by_name.collect() });
    }
    evidence.k6.run_seconds = truth["terminal"]["run_seconds_from_printed_rate"].as_f64();
    evidence
}

#[test]
fn real_runs_are_written_as_k6_printed_them() {
    // compact runs of k6 v2.1.0 whose metrics are all in truth.json
    for run in [
        "D_v2_csv",
        "E_v2_restricted_tags",
        "H_v2_sigint",
        "P_v2_nano",
        "Q_v2_200vus",
        "R_v2_setup_fails",
        "S_v2_test_abort",
    ] {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/real-runs")).join(run);
        let Ok(log) = fs::read_to_string(folder.join("terminal.log")) else { continue };
        let truth: Value = serde_json::from_str(&fs::read_to_string(folder.join("truth.json")).unwrap()).unwrap();
        let log = terminal::read(&log);
        let evidence = evidence_from_truth(&truth, log.summary.as_ref().unwrap());
        let text = log.summary_text.unwrap();
        let printed: Vec<&str> =
            text.lines().take_while(|line| !line.starts_with("running") && !line.starts_with("Run ")).collect();
        assert_eq!(k6_block::compact(&evidence, &k6_block::COLUMNS), printed.join("\n").trim_end(), "{run}");

        let block = k6_block::recomputed(&evidence).unwrap();
        assert_eq!(terminal::read(&block).summary, log.summary, "{run}");
    }
}

#[test]
fn every_trend_line_of_a_real_log_is_written_from_raw_figures() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/real-runs"));
    let mut values = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(truth) = fs::read_to_string(entry.path().join("truth.json")) else { continue };
        let truth: Value = serde_json::from_str(&truth).unwrap();
        let log = fs::read(entry.path().join("terminal.log")).unwrap();
        let Some(summary) = terminal::read(&String::from_utf8_lossy(&log)).summary else { continue };
        let evidence = evidence_from_truth(&truth, &summary);
        let fixed = stat::fixed_time_unit(&summary);
        for (name, figures) in &summary.metrics {
            let Figures::Trend(line) = figures else { continue };
            let trend = evidence.trends.get(name).or_else(|| evidence.submetrics.get(name));
            let Some(trend) = trend else { continue };
            let columns: Vec<Stat> = line.keys().copied().collect();
            let written = k6_block::trend_line_values(&trend.run, &columns, TrendNotation::of_line(line, fixed));
            let expected: Vec<_> = line.values().map(|printed| Some(printed.text.clone())).collect();
            assert_eq!(written, expected, "{} {name}", entry.path().display());
            values += expected.len();
        }
    }
    assert!(values == 0 || values > 1000, "{values}");
}
