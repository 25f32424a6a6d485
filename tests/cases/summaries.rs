//! Machine-readable summaries.

use serde_json::{Value, json};

use crate::support::sweep::{Sweep, reduced, warnings};
use sweepdoc::model::Percentile;

fn summary(n: u64, avg: f64, p95: f64, max: f64) -> Value {
    json!({
        "options": {"summaryTrendStats": ["avg", "min", "med", "max", "p(95)", "count"]},
        "state": {"testRunDurationMs": 60_000.0},
        "root_group": {"name": "", "path": "", "groups": [], "checks": [{"name": "ok", "path": "::ok", "passes": n - 2, "fails": 2}]},
        "metrics": {
            "http_reqs": {"type": "counter", "contains": "default", "values": {"count": n, "rate": n as f64 / 60.0}},
            "http_req_failed": {"type": "rate", "contains": "default", "values": {"rate": 0.1, "passes": 3, "fails": n - 3}},
            "http_req_duration": {"type": "trend", "contains": "time",
                "values": {"avg": avg, "min": 1.5, "med": avg, "max": max, "p(95)": p95, "count": n}},
        },
    })
}

/// B07 in the JSON shapes. Source: `grafana/k6` issue 2306.
#[test]
fn passes_of_a_failure_rate_are_failures() {
    let export = json!({"metrics": {
        "http_req_failed": {"value": 0.5668, "passes": 403, "fails": 308},
        "http_reqs": {"count": 711, "rate": 30.5},
    }, "root_group": {"name": "", "groups": {}, "checks": {}}});
    let requests = reduced(&[("summary.json", &export.to_string())]).evidence.requests.unwrap();
    assert_eq!((requests.run.failed, requests.run.total), (Some(403), 711));
}

/// B23. Source: a public repository's committed summary.
#[test]
fn what_setup_returned_is_never_copied_and_its_place_is_named() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLW9mLWFubg";
    let mut with_secrets = summary(100, 5.0, 9.0, 12.0);
    with_secrets["setup_data"] = json!({"token": token, "user": "ann"});
    let url = format!("http_reqs{{url:https://h.example/?Authorization={token}}}");
    with_secrets["metrics"][&url] =
        json!({"type": "counter", "contains": "default", "values": {"count": 1, "rate": 0.1}});
    let sweep = Sweep::of_run([("summary.json", with_secrets.to_string().as_str())]);
    let ran = sweep.publish(&[]).done();
    for (path, bytes) in sweep.published() {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("eyJ") && !text.contains("c2lnbmF0dXJl"), "{}: {text}", path.display());
    }
    assert!(!ran.stderr.contains("eyJ") && !ran.stdout.contains("eyJ"), "{ran:?}");
    let evidence = sweep.evidence("pat_login");
    let paths = warnings(&evidence, "secret-in-summary");
    assert!(paths.iter().any(|message| message.starts_with("`setup_data`")), "{paths:?}");
    assert!(paths.iter().any(|message| message.starts_with("`setup_data.token`")), "{paths:?}");
    assert!(ran.stderr.contains("`setup_data.token`"), "{}", ran.stderr);
}

/// B30. Source: `grafana/k6-operator` issues 812, 413; `scylladb/scylla-monitoring` issue 1886.
#[test]
fn summaries_of_several_runners_add_up_but_their_percentiles_do_not() {
    let (big, small) = (summary(1000, 8.0, 10.0, 40.0), summary(10, 900.0, 2000.0, 2500.0));
    let evidence = reduced(&[("a.json", &big.to_string()), ("b.json", &small.to_string())]).evidence;
    let trend = &evidence.trends["http_req_duration"].run;
    assert_eq!((trend.n, trend.min, trend.max), (Some(1010), Some(1.5), Some(2500.0)));
    let avg = (1000.0 * 8.0 + 10.0 * 900.0) / 1010.0;
    assert!((trend.avg.unwrap() - avg).abs() < 1e-9, "{:?}", trend.avg);
    assert_eq!(trend.percentiles.get(&Percentile::P95), None);
    assert_eq!(trend.percentiles.get(&Percentile::P50), None);
    let requests = evidence.requests.as_ref().unwrap();
    assert_eq!((requests.run.total, requests.run.failed), (1010, Some(6)));
    let checks = evidence.checks.as_ref().unwrap();
    assert_eq!((checks.total, checks.failed), (1010, 4));
    assert_eq!(warnings(&evidence, "percentiles-not-pooled").len(), 1);
}
