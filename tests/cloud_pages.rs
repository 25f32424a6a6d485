//! Pages with all four rows about machines: published from exports, proved by `check`, and no changed figure is missed.

#![allow(clippy::print_stdout)] // how much is found is told to whoever runs the tests

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{run, run_ok, shared};
use tempfile::TempDir;

const ROWS: [&str; 4] = [
    "Shop metrics during test",
    "Top 3 most expensive database queries",
    "Database metrics during test",
    "flowchart outcome",
];

/// A k6 CSV with a request and an iteration a second over the window of the exports.
fn k6_csv(first: i64, last: i64) -> String {
    let mut csv = "metric_name,timestamp,metric_value,expected_response,group,method,name,scenario,status\n".to_owned();
    for second in first..=last {
        csv += &format!("http_reqs,{second},1,true,,GET,list,default,200\n");
        csv += &format!("http_req_failed,{second},0,true,,GET,list,default,200\n");
        csv += &format!("http_req_duration,{second},{},true,,GET,list,default,200\n", 400 + second % 7);
        csv += &format!("iterations,{second},1,,,,,default,\n");
        csv += &format!("iteration_duration,{second},{},,,,,default,\n", 500 + second % 7);
        csv += &format!("vus,{second},5,,,,,,\n");
    }
    csv
}

fn sweep(target: &str, window: (i64, i64)) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let sweep = folder.path().join("sweep");
    fs::create_dir_all(sweep.join(target).join("gcp")).unwrap();
    fs::write(sweep.join("sweepdoc.toml"), "product = \"Shop\"\nversion = \"v1\"\n").unwrap();
    fs::write(sweep.join(target).join("k6.csv"), k6_csv(window.0, window.1)).unwrap();
    (folder, sweep)
}

fn published(sweep: &Path, target: &str) -> (PathBuf, String) {
    let out = sweep.parent().unwrap().join("docs");
    run_ok(&["--quiet", "publish", sweep.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let page = out.join("v1").join(target).join("index.mdx");
    let text = fs::read_to_string(&page).unwrap();
    (page, text)
}

fn findings(page: &Path) -> Vec<Value> {
    let output = run(&["check", page.to_str().unwrap(), "--format", "json"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["findings"].as_array().unwrap().clone()
}

fn row<'t>(page: &'t str, label: &str) -> &'t str {
    page.lines().find(|line| line.contains(label)).unwrap_or_else(|| panic!("no row `{label}`"))
}

/// Each digit of a cell's figures raised by one, one at a time. Ranks and the names of percentiles are no figures.
fn sabotaged(line: &str) -> Vec<String> {
    let cell = line.find(" | ").unwrap();
    let figure = |at: &usize| {
        if *at <= cell || !line.as_bytes()[*at].is_ascii_digit() {
            return false;
        }
        let (before, after) = (&line[..*at], &line[*at + 1..]);
        let name = before.ends_with('p') || before.ends_with("p5") || before.ends_with("p9") || after.starts_with(": ");
        !name
    };
    let digits: Vec<usize> = (0..line.len()).filter(figure).collect();
    let raised = |at: &usize| {
        let digit = (line.as_bytes()[*at] - b'0' + 1) % 10;
        format!("{}{digit}{}", &line[..*at], &line[*at + 1..])
    };
    digits.iter().map(raised).collect()
}

fn proves_and_finds(page: &Path, text: &str) {
    assert_eq!(findings(page), Vec::<Value>::new(), "a page as published has no findings");
    let (mut all, mut missed) = (0, Vec::new());
    for label in ROWS {
        let line = row(text, label);
        for changed in sabotaged(line) {
            all += 1;
            fs::write(page, text.replace(line, &changed)).unwrap();
            if !findings(page).iter().any(|finding| finding["row"] == label) {
                missed.push(changed);
            }
        }
    }
    fs::write(page, text).unwrap();
    println!("{} of {all} changed figures found", all - missed.len());
    assert!(all > 25 && missed.len() * 50 <= all, "{} of {all} missed: {missed:#?}", missed.len());
}

#[test]
fn a_page_from_the_sample_exports_is_proved_and_no_changed_figure_is_missed() {
    let Some(samples) = shared("samples/gcp") else { return };
    // 2026-03-10 09:02:20 to 09:32:21
    let (_folder, sweep) = sweep("session_create", (1_773_133_340, 1_773_135_141));
    let gcp = sweep.join("session_create/gcp");
    for file in fs::read_dir(samples.join("session_create")).unwrap().map(|entry| entry.unwrap().path()) {
        fs::copy(&file, gcp.join(file.file_name().unwrap())).unwrap();
    }
    for file in ["qi_session_create.json", "lock_time_session_create.json"] {
        fs::copy(samples.join("query-insights").join(file), gcp.join(file)).unwrap();
    }
    // the same for the whole sweep, with another target's rows in it
    fs::create_dir_all(sweep.join("gcp")).unwrap();
    fs::copy(samples.join("bench-metrics-raw.csv"), sweep.join("gcp/bench-metrics-raw.csv")).unwrap();
    let (page, text) = published(&sweep, "session_create");
    assert!(row(&text, ROWS[0]).contains("CPU: p50 17%, p99 23% (peak 25%)<br/>Memory: p50 7%, peak 12%"), "{text}");
    assert!(row(&text, ROWS[0]).contains("Instances: 7 (constant), no container startups recorded<br/>"));
    assert!(row(&text, ROWS[0]).contains("89 req/s, latency p50 305ms / p95 12.9s / p99 36.9s"));
    assert!(
        row(&text, ROWS[1]).contains("1: Advisory lock (`pg_advisory_xact_lock`) — **lock wait** (7,250 s)<br/>2: ")
    );
    assert!(row(&text, ROWS[1]).contains("60% of the execution time of all statements"));
    assert!(row(&text, ROWS[2]).contains("CPU: 93% median, 100% peak<br/>Memory: 40%<br/>Connections: 46<br/>"));
    assert!(row(&text, ROWS[3]).contains("**Log potential issue and scale.**"));
    let evidence = fs::read_to_string(page.with_file_name("evidence.json")).unwrap();
    for identity in ["example-bench", "bench-pg17", "idp-bench", "us-central1", "app_rw"] {
        assert!(!text.contains(identity) && !evidence.contains(identity), "`{identity}` is published");
    }
    proves_and_finds(&page, &text);
}

/// The same with a table of our own: nothing but what a team on another cloud writes.
#[test]
fn a_page_from_a_neutral_table_is_proved_and_no_changed_figure_is_missed() {
    let first = 1_773_133_340;
    let (_folder, sweep) = sweep("sign_in", (first, first + 601));
    let mut table = "time,quantity,value,unit\n".to_owned();
    for minute in 1..=10i64 {
        let time = sweepdoc::model::Time::from_unix_seconds(first + 60 * minute).unwrap();
        for (quantity, value, unit) in [
            ("container_cpu_p50", 31.4 + minute as f64 * 0.1, "percent"),
            ("container_cpu_p99", 44.7, "percent"),
            ("container_memory_p50", 0.21, "fraction"),
            ("container_instances", 3.0 + (minute % 2) as f64, "count"),
            ("server_requests", 118.2, "1/s"),
            ("server_latency_p50", 213.0, "ms"),
            ("server_latency_p99", 2.4, "s"),
            ("database_cpu", 88.8, "percent"),
            ("database_connections", 24.0, ""),
            ("database_write_operations", 217.4, "1/s"),
        ] {
            table += &format!("{time},{quantity},{value},{unit}\n");
        }
    }
    fs::write(sweep.join("sign_in/gcp/metrics.csv"), table).unwrap();
    let (page, text) = published(&sweep, "sign_in");
    assert!(
        row(&text, ROWS[0])
            .contains("CPU: p50 32%, p99 45% (peak 45%)<br/>Memory: p50 21%<br/>Instances: 3.5 median (3–4)"),
        "{text}"
    );
    assert!(
        row(&text, ROWS[2]).contains("CPU: 89% median, 89% peak<br/>Connections: 24<br/>IOPS: write 217"),
        "{text}"
    );
    assert!(
        row(&text, ROWS[3]).contains("**Scale (database).** The database is saturated from a median CPU of 85% on.")
    );
    assert!(!text.contains(ROWS[1]), "no statements were exported");
    assert_eq!(findings(&page), Vec::<Value>::new());
    for (label, from, to) in [
        (ROWS[3], "Scale (database)", "Terminate"),
        (ROWS[3], "89% median", "79% median"),
        ("Test duration", "10min 2s from", "11min 2s from"),
    ] {
        fs::write(&page, text.replace(row(&text, label), &row(&text, label).replacen(from, to, 1))).unwrap();
        assert!(findings(&page).iter().any(|finding| finding["row"] == label), "{from} -> {to}");
    }
}

/// The same where the exports have gaps, and the platform's own statements took time.
#[test]
fn a_page_from_exports_with_gaps_is_proved_and_no_changed_figure_is_missed() {
    let first = 1_773_133_340;
    let (_folder, sweep) = sweep("sign_in", (first, first + 601));
    let time = |minute: i64| sweepdoc::model::Time::from_unix_seconds(first + 60 * minute).unwrap().to_string();
    let point = |minute: i64, value: Value| json!({"interval": {"startTime": time(minute - 1), "endTime": time(minute)}, "value": value});
    // the fourth minute is missing everywhere
    let minutes = || (1..=10i64).rev().filter(|minute| *minute != 4);
    let series = |metric: &str, labels: Value, kind: &str, value: &dyn Fn(i64) -> Value| {
        json!({"metric": {"type": metric, "labels": labels}, "metricKind": kind, "resource": {"type": "x"},
               "valueType": if kind == "GAUGE" { "DOUBLE" } else { "INT64" },
               "points": minutes().map(|minute| point(minute, value(minute))).collect::<Vec<_>>()})
    };
    let gauge = |metric: &str, value: f64| series(metric, json!({}), "GAUGE", &|_| json!({"doubleValue": value}));
    let query = |hash: &str, user: &str, text: &str, seconds: i64| {
        let metric = "cloudsql.googleapis.com/database/postgresql/insights/perquery/execution_time";
        let labels = json!({"query_hash": hash, "user": user, "querystring": text});
        series(metric, labels, "DELTA", &|_| json!({"int64Value": (seconds * 1_000_000).to_string()}))
    };
    let starts = |minute: i64| match minute {
        7 => json!({"distributionValue": {"count": "13", "mean": 900}}),
        _ => json!({"distributionValue": {}}),
    };
    let (run, database) = ("run.googleapis.com/", "cloudsql.googleapis.com/database/");
    let files = [
        ("instances.json", vec![gauge(&format!("{run}container/instance_count"), 7.0)]),
        ("startups.json", vec![series(&format!("{run}container/startup_latencies"), json!({}), "DELTA", &starts)]),
        ("cpu.json", vec![gauge(&format!("{database}cpu/utilization"), 0.934)]),
        (
            "queries.json",
            vec![
                query("1", "a", "SELECT pg_advisory_xact_lock ( $1 )", 41),
                query("2", "a", "WITH x AS ( SELECT a FROM t ) INSERT INTO e ( a ) SELECT a FROM x", 163),
                query("3", "cloudsqladmin", "SELECT 1", 57),
            ],
        ),
    ];
    for (file, series) in files {
        fs::write(sweep.join("sign_in/gcp").join(file), json!({"timeSeries": series}).to_string()).unwrap();
    }
    let (page, text) = published(&sweep, "sign_in");
    let said = "Instances: 7 median (at least 7), at least 13 container startups";
    assert!(row(&text, ROWS[0]).contains(said), "{text}");
    // nine minutes of each
    assert!(row(&text, ROWS[1]).contains("1: Insert into `e` (1,467 s)<br/>2: Advisory lock"), "{text}");
    assert!(row(&text, ROWS[1]).contains("(369 s)<br/>Advisory-lock statements: 20% of"), "{text}");
    assert!(row(&text, ROWS[1]).contains("Without 513 s of the platform's own statements."), "{text}");
    proves_and_finds(&page, &text);
    for (from, to) in [("7 median (at least 7)", "7 (constant)"), ("at least 13 container", "13 container")] {
        fs::write(&page, text.replace(from, to)).unwrap();
        let output = run_ok(&["check", page.to_str().unwrap(), "--format", "json", "--all"]);
        let report: Value = serde_json::from_str(&output).unwrap();
        let is_doubted = |claim: &Value| claim["row"] == ROWS[0] && claim["verdict"] == "unverifiable";
        assert!(report["findings"].as_array().unwrap().iter().any(is_doubted), "{to}");
    }
}

/// What the three corrected pages conclude, from their own rows alone; that two of them call a saturated database no
/// limit is found besides (see `known_faults`).
#[test]
fn the_rule_gives_the_verdicts_of_the_corrected_pages() {
    let Some(pages) = shared("real-pages") else { return };
    for page in ["v4.17.1/manipulate_user", "v4.17.1/human_password_login", "v4.19.2/oidc_session"] {
        let page = pages.join(page).join("index.mdx");
        let output = run(&["check", page.to_str().unwrap(), "--format", "json", "--all"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let verdict = report["findings"].as_array().unwrap().iter().find(|f| f["claim"] == "outcome of the flowchart");
        let verdict = verdict.unwrap_or_else(|| panic!("no verdict on {}", page.display()));
        assert_eq!(verdict["verdict"], "ok", "{verdict}");
        assert_eq!(verdict["data"], "Log potential issue and scale");
    }
}
