use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::model::{Contains, Kind, Percentile, Stat};

fn read_ok(value: &Value) -> EndSummary {
    read(value, Path::new("s.json")).unwrap()
}

fn trend_value(summary: &EndSummary, name: &str, stat: Stat) -> Option<f64> {
    match summary.metrics.get(name) {
        Some(Figures::Trend(line)) => line.get(&stat)?.value,
        _ => None,
    }
}

fn export() -> Value {
    json!({
        "metrics": {
            "http_req_failed": {"passes": 403, "fails": 308, "value": 0.566},
            "http_reqs": {"count": 711, "rate": 7.11, "thresholds": {"count>1": false, "rate>99": true}},
            "vus": {"value": 4, "min": 1, "max": 4},
            "http_req_duration": {"avg": 1.5, "p(99)": 2.25, "count": 711},
        },
        "root_group": {
            "name": "", "checks": {"top": {"name": "top", "passes": 3, "fails": 0}},
            "groups": {"users": {"name": "users", "checks": {}, "groups": {
                "create": {"name": "create", "groups": {}, "checks": {"ok": {"name": "ok", "passes": 1, "fails": 2}}},
            }}},
        },
    })
}

fn handle_summary() -> Value {
    json!({
        "metrics": {
            "http_req_failed": {"type": "rate", "contains": "default", "values": {"passes": 403, "fails": 308, "rate": 0.566}},
            "http_reqs": {"type": "counter", "contains": "default", "values": {"count": 711, "rate": 7.11}, "thresholds": {"count>1": {"ok": true}}},
            "x": {"type": "trend", "contains": "time", "values": {"med": 1.5, "max": null}},
        },
        "state": {"testRunDurationMs": 14866.425745},
        "setup_data": {"token": "eyJhbGciOiJub25lIn0.e30."},
        "root_group": {"name": "", "checks": [], "groups": [{"name": "a", "groups": [], "checks": [{"name": "ok", "passes": 1, "fails": 2}]}]},
    })
}

fn machine_readable() -> Value {
    json!({
        "version": "1.0.0",
        "metadata": {"k6Version": "2.1.0"},
        "config": {"duration": 8.424915591, "script": "export default () => {}"},
        "results": {
            "metrics": [
                {"name": "x", "type": "trend", "contains": "time", "values": {"p(95)": 3.5, "p90": 3}},
                {"name": "http_req_failed", "type": "rate", "contains": "default", "values": {"matches": 403, "total": 711, "rate": 0.566}},
                {"name": "http_reqs", "type": "counter", "contains": "default", "values": {"count": 711}},
            ],
            "checks": {"metrics": [], "results": [{"name": "ok", "passes": 1, "fails": 2}]},
        },
    })
}

#[test]
fn failed_requests_are_the_same_number_in_every_shape() {
    for value in [export(), handle_summary(), machine_readable()] {
        let summary = read_ok(&value);
        let Some(Figures::Rate { nonzero, total, .. }) = summary.metrics.get("http_req_failed") else { panic!() };
        assert_eq!((*nonzero, *total), (403, 711), "{:?}", summary.origin);
    }
}

#[test]
fn an_export_tells_kinds_by_their_keys() {
    let summary = read_ok(&export());
    assert_eq!(summary.origin, SummaryOrigin::Export);
    assert_eq!(trend_value(&summary, "http_req_duration", Stat::Count), Some(711.0));
    assert!(matches!(summary.metrics.get("vus"), Some(Figures::Gauge { .. })));
    assert_eq!(summary.run_seconds, Some(711.0 / 7.11));
    let checks: Vec<_> = summary.checks.iter().map(|c| (c.group.as_deref(), c.name.as_str(), c.fails)).collect();
    assert_eq!(checks, [(Some(""), "top", Some(0)), (Some("users::create"), "ok", Some(2))]);
}

#[test]
fn a_threshold_means_the_opposite_in_the_two_shapes() {
    let held = |value: &Value| thresholds(value).into_iter().map(|t| (t.source, t.held)).collect::<Vec<_>>();
    assert_eq!(held(&export()), [("count>1".to_owned(), true), ("rate>99".to_owned(), false)]);
    assert_eq!(held(&handle_summary()), [("count>1".to_owned(), true)]);
    assert!(held(&machine_readable()).is_empty());
}

#[test]
fn a_figure_that_is_not_finite_is_absent() {
    let summary = read_ok(&handle_summary());
    assert_eq!(trend_value(&summary, "x", Stat::Max), None);
    assert_eq!(trend_value(&summary, "x", Stat::Med), Some(1.5));
    assert_eq!(summary.run_seconds, Some(14.866425745));
}

#[test]
fn the_new_shape_states_version_and_duration() {
    let summary = read_ok(&machine_readable());
    assert_eq!(summary.k6_version.as_deref(), Some("v2.1.0"));
    assert_eq!(summary.run_seconds, Some(8.424915591));
    assert_eq!(trend_value(&summary, "x", Stat::P(Percentile::P95)), Some(3.5));
    let declared = declarations(&machine_readable());
    assert!(declared.contains(&Declaration { name: "x".to_owned(), kind: Kind::Trend, contains: Contains::Time }));
    assert!(declarations(&export()).is_empty());
}

#[test]
fn what_setup_returned_is_named_and_never_kept() {
    let summary = read_ok(&handle_summary());
    assert_eq!(summary.secrets, ["setup_data", "setup_data.token"]);
    assert!(!format!("{summary:?}").contains("eyJ"));
}

#[test]
fn a_fault_names_file_field_and_what_was_found() {
    let fault = |value: Value| read(&value, Path::new("runs/s.json")).unwrap_err().to_string();
    let mut wrong = export();
    wrong["metrics"]["http_reqs"]["count"] = json!("many");
    assert_eq!(fault(wrong), "runs/s.json: field `metrics.http_reqs.count`: expected a number, found `many`");
    let mut wrong = handle_summary();
    wrong["metrics"]["x"]["type"] = json!("histogram");
    assert_eq!(
        fault(wrong),
        "runs/s.json: field `metrics.x.type`: expected `counter`, `gauge`, `rate` or `trend`, found `histogram`"
    );
    let mut wrong = machine_readable();
    wrong["results"]["checks"]["results"][0]["passes"] = json!(-1);
    assert_eq!(fault(wrong), "runs/s.json: field `results.checks.results[0].passes`: expected a count, found `-1`");
    let mut wrong = export();
    wrong["metrics"]["http_req_duration"]["p(x)"] = json!(1);
    assert_eq!(
        fault(wrong),
        "runs/s.json: field `metrics.http_req_duration.p(x)`: expected a statistic such as `avg` or `p(95)`, found `1`"
    );
    assert_eq!(
        fault(json!([1])),
        "runs/s.json: expected a k6 summary (an object with `metrics` or `results.metrics`), found other JSON"
    );
}

#[test]
fn other_json_is_no_summary() {
    for value in [
        json!({}),
        json!([]),
        json!({"timeSeries": []}),
        json!({"metrics": {"a": {"b": "c"}}}),
        json!({"schema": "sweepdoc/evidence/1"}),
    ] {
        assert_eq!(recognise(&value), None, "{value}");
    }
}

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    path.exists().then_some(path)
}

fn json_at(path: &Path) -> Option<Value> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

/// Every real summary with the `truth.json` computed from the same run's CSV.
fn real_summaries() -> Vec<(PathBuf, Value, Value)> {
    let Some(folder) = shared("real-runs") else { return Vec::new() };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        for file in ["summary_export.json", "handle_summary.json", "machine_readable.json"] {
            let path = entry.path().join(file);
            if let (Some(value), Some(truth)) = (json_at(&path), json_at(&entry.path().join("truth.json"))) {
                found.push((path, value, truth));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn real_summaries_say_what_the_raw_output_says() {
    let mut compared = 0;
    for (path, value, truth) in real_summaries() {
        let summary = read(&value, &path).unwrap();
        for (name, figures) in &summary.metrics {
            match figures {
                Figures::Trend(line) => {
                    let Some(expected) = truth["trends_whole_run"].get(name) else { continue };
                    for (stat, printed) in line {
                        let key = match stat {
                            Stat::Med => "p50".to_owned(),
                            Stat::P(percentile) => percentile.to_string(),
                            other => crate::notation::stat::write(*other),
                        };
                        let expected = expected[&key].as_f64().unwrap();
                        assert!(crate::notation::admits(printed, expected), "{} {name} {key}", path.display());
                        compared += 1;
                    }
                }
                Figures::Rate { nonzero, total, .. } if name == "http_req_failed" => {
                    assert_eq!(Some(*nonzero), truth["http"]["failed_whole_run"].as_u64());
                    assert_eq!(Some(*total), truth["http"]["requests_whole_run"].as_u64());
                }
                Figures::Counter { count, .. } if name == "iterations" => {
                    assert_eq!(count.value, truth["iterations"]["complete"].as_f64(), "{}", path.display());
                }
                _ => {}
            }
        }
        // the same name in two groups is one check in truth.json
        let by_name =
            |name: &str| summary.checks.iter().filter(|c| c.name == name).filter_map(|c| c.passes).sum::<u64>();
        for check in truth["checks"]["by_name"].as_array().into_iter().flatten() {
            assert_eq!(Some(by_name(check["name"].as_str().unwrap())), check["passes"].as_u64(), "{}", path.display());
        }
        if let Some(seconds) = truth["terminal"]["run_seconds_from_printed_rate"].as_f64() {
            let stated = summary.run_seconds.unwrap();
            // an aborted run's clock is read once more for the file: 0.06 ms in run S
            assert!((stated - seconds).abs() < 2e-4, "{}: {stated} {seconds}", path.display());
        }
    }
    assert!(compared == 0 || compared > 600, "{compared}");
}

#[test]
fn real_thresholds_held_where_the_terminal_says_so() {
    for (path, value, truth) in real_summaries() {
        let expected = truth["terminal"]["thresholds"].as_array().cloned().unwrap_or_default();
        for threshold in thresholds(&value) {
            let source = format!("'{}'", threshold.source);
            let mark =
                expected.iter().find(|t| t["text"].as_str().unwrap().starts_with(&source)).map(|t| t["mark"] == "✓");
            assert!(mark.is_none_or(|held| held == threshold.held), "{} {source}", path.display());
        }
    }
}

#[test]
fn the_awkward_real_export_is_read_whole() {
    let Some(path) = shared("k6-files/multi-scenario-k6-1.1.0.summary-export.json") else { return };
    let value = json_at(&path).unwrap();
    let summary = read(&value, &path).unwrap();
    assert_eq!(recognise(&value), Some(SummaryOrigin::Export));
    assert_eq!(trend_value(&summary, "http_req_duration", Stat::P(Percentile::P95)), Some(39.847077));
    assert!(summary.checks.iter().any(|c| c.name == "create user, ok" && c.passes == Some(510) && c.fails == Some(26)));
}
