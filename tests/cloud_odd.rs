//! Odd exports through the program: each has a warning that names the file and the series, and a row is empty rather than wrong.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::k6::Csv;
use support::{run_ok, shared};
use sweepdoc::model::Time;

/// 2026-03-10 09:02:20, where the window of the samples begins.
const START: i64 = 1_773_133_340;
const SECONDS: i64 = 1802;

/// Code of a warning, and how its message begins behind the file's name.
type Warnings<'a> = &'a [(&'a str, &'a str)];

/// What is expected of one export: its warnings, code and beginning of the message, and what its rows say.
struct Case<'a> {
    file: &'a str,
    bytes: Vec<u8>,
    warnings: Warnings<'a>,
    row: Option<&'a str>,
}

/// Publishes a run with one export, and holds evidence, warnings and page against what is expected.
fn judge(sweep: &Path, case: &Case<'_>) {
    let Case { file, bytes, warnings, row } = case;
    let gcp = sweep.join("login/gcp");
    fs::remove_dir_all(&gcp).ok();
    fs::create_dir_all(&gcp).unwrap();
    fs::write(gcp.join(file), bytes).unwrap();
    let out = sweep.join("docs");
    fs::remove_dir_all(&out).ok();
    run_ok(&["--quiet", "publish", sweep.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let page = fs::read_to_string(out.join("v1/login/index.mdx")).unwrap();
    let evidence: Value = support::json(&out.join("v1/login/evidence.json"));
    let found = evidence["warnings"].as_array().into_iter().flatten();
    let found: Vec<(&str, &str)> = found
        .map(|warning| (warning["code"].as_str().unwrap(), warning["message"].as_str().unwrap()))
        .filter(|(code, _)| code.starts_with("cloud-"))
        .collect();
    assert_eq!(found.len(), warnings.len(), "{file}: {found:#?}");
    for ((code, message), (wanted, begins)) in found.iter().zip(*warnings) {
        let begins = format!("gcp/{file}: {begins}");
        assert!(
            code == wanted && message.starts_with(&begins),
            "{file}: {code}: {message}, expected {wanted}: {begins}"
        );
    }
    let rows = ["metrics during test", "most expensive database queries"];
    let said: Vec<&str> = page.lines().filter(|line| rows.iter().any(|label| line.contains(label))).collect();
    match row {
        None => assert!(said.is_empty(), "{file}: {said:#?}"),
        Some(words) => assert!(said.len() == 1 && said[0].contains(words), "{file}: {said:#?}"),
    }
    assert!(!page.contains("example-bench"), "{file}: a project is published");
}

fn sweep() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("login")).unwrap();
    fs::write(folder.path().join("sweepdoc.toml"), "product = \"Shop\"\nversion = \"v1\"\n").unwrap();
    fs::write(folder.path().join("login/k6.csv"), Csv::healthy(START, SECONDS).0).unwrap();
    folder
}

#[test]
fn every_odd_sample_has_its_warning() {
    let Some(odd) = shared("samples/gcp/odd") else { return };
    const CPU: &str = "`cloudsql.googleapis.com/database/cpu/utilization` covers";
    let no_series: Warnings<'_> = &[("cloud-no-series", "the answer has no series: nothing was measured")];
    let cases: [(&str, Warnings<'_>, Option<&str>); 10] = [
        ("empty.json", no_series, None),
        ("empty_unit_only.json", no_series, None),
        ("error_bad_aligner.json", &[("cloud-query-failed", "the query failed: 400 INVALID_ARGUMENT")], None),
        ("error_permission.json", &[("cloud-query-failed", "the query failed: 403 PERMISSION_DENIED")], None),
        ("error_quota.json", &[("cloud-query-failed", "the query failed: 429 RESOURCE_EXHAUSTED")], None),
        ("non_finite.json", &[("cloud-incomplete", CPU)], None),
        (
            "paginated_page1.json",
            &[
                ("cloud-incomplete", "`run.googleapis.com/request_count` covers 67%"),
                ("cloud-incomplete", "the answer goes on in another file, which is not there"),
            ],
            None,
        ),
        ("paginated_page2.json", &[("cloud-incomplete", "`run.googleapis.com/request_count` covers 47%")], None),
        (
            "partial_execution_errors.json",
            &[("cloud-incomplete", CPU), ("cloud-incomplete", "the answer says that data may be missing")],
            None,
        ),
        (
            "value_kinds.json",
            &[
                ("cloud-unknown-metric", "`cloudsql.googleapis.com/database/instance_state` is not known"),
                ("cloud-unknown-metric", "`custom.googleapis.com/bench/phase` is not known"),
            ],
            None,
        ),
    ];
    let sweep = sweep();
    for (file, warnings, row) in cases {
        judge(sweep.path(), &Case { file, bytes: fs::read(odd.join(file)).unwrap(), warnings, row });
    }
    assert_eq!(fs::read_dir(odd).unwrap().count(), cases.len(), "every file there is a case");
}

/// A level every minute of the window, in one project.
fn level(metric: &str, project: &str, value: f64) -> Value {
    let point = |minute: i64| {
        let end = Time::from_unix_seconds(START + 1 + 60 * minute).unwrap().to_string();
        json!({"interval": {"endTime": end}, "value": {"doubleValue": value}})
    };
    json!({"metric": {"type": metric}, "metricKind": "GAUGE", "valueType": "DOUBLE",
           "resource": {"type": "cloudsql_database", "labels": {"project_id": project}},
           "points": (1..=30).rev().map(point).collect::<Vec<_>>()})
}

#[test]
fn every_bad_input_has_its_warning() {
    const CPU: &str = "cloudsql.googleapis.com/database/cpu/utilization";
    let own = || level(CPU, "a", 0.93);
    let answer = |series: &[Value]| json!({"timeSeries": series}).to_string();
    let sound = answer(&[own()]);
    let other_day = sound.replace("2026-03-10", "2026-03-09");
    let with_unit = json!({"unit": "By", "timeSeries": [own()]}).to_string();
    let unknown = answer(&[level("custom.googleapis.com/bench/x", "a", 1.0), own()]);
    let cases: [(&str, String, Warnings<'_>, Option<&str>); 10] = [
        ("sound.json", sound.clone(), &[], Some("CPU: 93% median, 93% peak")),
        (
            "unknown.json",
            unknown,
            &[("cloud-unknown-metric", "`custom.googleapis.com/bench/x` is not known: left out")],
            Some("CPU: 93% median"),
        ),
        (
            "unit.json",
            with_unit,
            &[("cloud-unit", "`cloudsql.googleapis.com/database/cpu/utilization` in `By`, expected `10^2.%` or `1`")],
            None,
        ),
        (
            "mixed.json",
            answer(&[own(), level(CPU, "example-bench", 0.2)]),
            &[("cloud-other-system", "`cloudsql.googleapis.com/database/cpu/utilization` is of another project")],
            None,
        ),
        (
            "yesterday.json",
            other_day,
            &[("cloud-other-time", "no point lies within the run's window, the first is of 2026-03-09T09:03:21Z")],
            None,
        ),
        (
            "percent.json",
            answer(&[level(CPU, "a", 97.0)]),
            &[("cloud-implausible", "`cloudsql.googleapis.com/database/cpu/utilization`: expected a fraction")],
            None,
        ),
        ("proxy.json", "<html><body>502 Bad Gateway</body></html>".to_owned(), &[("cloud-unreadable", "")], None),
        ("two.json", format!("{sound}\n{sound}"), &[("cloud-unreadable", "JSON that does not parse")], None),
        ("half.json", sound[..sound.len() / 2].to_owned(), &[("cloud-unreadable", "JSON that does not parse")], None),
        (
            "series.csv",
            "time,quantity,value,unit\nyesterday,database_cpu,0.9,fraction\n2026-03-10T09:03:21Z,database_cpu,much,\n"
                .to_owned(),
            &[("cloud-unreadable", "2 rows cannot be read, the first on line 2")],
            None,
        ),
    ];
    let sweep = sweep();
    for (file, text, warnings, row) in cases {
        judge(sweep.path(), &Case { file, bytes: text.into_bytes(), warnings, row });
    }
}
