//! One case for each pitfall of monitoring exports, with small inputs of our own.

use serde_json::{Value, json};
use sweepdoc::derive::{FoundExport, is_advisory_wait, observability, rank};
use sweepdoc::ingest::monitoring::{self, ExportKind, MetricNames, Reading};
use sweepdoc::model::{EvidenceWindow, Observability, Time, Warning, WindowBasis};

const CPU: &str = "cloudsql.googleapis.com/database/cpu/utilization";
const REQUESTS: &str = "run.googleapis.com/request_count";
const LATENCY: &str = "run.googleapis.com/request_latencies";
const QUERY: &str = "cloudsql.googleapis.com/database/postgresql/insights/perquery/execution_time";

fn at(text: &str) -> Time {
    Time::parse_rfc3339(&format!("2026-03-10T{text}Z")).unwrap()
}

/// Ten minutes and a second, as a test that was started by hand.
fn window() -> EvidenceWindow {
    EvidenceWindow { start: at("09:00:20"), end: at("09:10:21"), basis: WindowBasis::Test }
}

fn export(file: &str, document: &str) -> FoundExport {
    let kind = match serde_json::from_str::<Value>(document) {
        Ok(value) => monitoring::recognise_json(&value),
        Err(_) => monitoring::recognise_text(document),
    };
    let kind: ExportKind = kind.unwrap_or_else(|| panic!("{file} is no export"));
    let reading = Reading { file, names: &MetricNames::default() };
    FoundExport { file: file.to_owned(), shared: false, export: monitoring::read(kind, document, &reading) }
}

fn observed(exports: &[FoundExport]) -> (Observability, Vec<Warning>) {
    let (observability, warnings) = observability(exports, "sign_in", window(), &[]);
    (observability.unwrap_or_default(), warnings)
}

/// A point that ends in the minute and second given, over the minute before.
fn point(end: &str, value: Value) -> Value {
    let end = at(end);
    let start = Time::from_unix_seconds(end.unix_seconds() - 60).unwrap();
    json!({"interval": {"startTime": start.to_string(), "endTime": end.to_string()}, "value": value})
}

fn series(metric: &str, kind: &str, value_type: &str, labels: Value, points: Vec<Value>) -> Value {
    json!({"metric": {"type": metric, "labels": labels}, "metricKind": kind, "valueType": value_type, "points": points,
           "resource": {"type": "x", "labels": {"project_id": "p"}}})
}

fn answer(series: Vec<Value>) -> String {
    json!({"timeSeries": series}).to_string()
}

/// Ten whole minutes within the window and the one before, newest first, as the system sends them.
fn minutes(value: impl Fn(i64) -> Value) -> Vec<Value> {
    (0..=10).rev().map(|minute| point(&format!("09:{minute:02}:21"), value(minute))).collect()
}

fn gauge(metric: &str, value: impl Fn(i64) -> f64) -> Value {
    series(metric, "GAUGE", "DOUBLE", json!({}), minutes(|minute| json!({"doubleValue": value(minute)})))
}

fn codes(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[test]
fn the_bucket_that_begins_before_the_test_is_left_out() {
    let (observed, warnings) = observed(&[export("cpu.json", &answer(vec![gauge(CPU, |minute| 0.1 * minute as f64)]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.n, cpu.left_out, cpu.min), (10, 1, Some(0.1)));
    assert!((cpu.median.unwrap() - 0.55).abs() < 1e-12, "the mean of the two middle values");
    assert_eq!(cpu.last, Some(1.0), "the newest comes first in the file");
    assert_eq!(warnings, []);
}

#[test]
fn whole_numbers_are_text_and_nanoseconds_are_read() {
    let point = json!({"interval": {"endTime": "2026-03-10T10:05:00.123456789+01:00"}, "value": {"int64Value": "46"}});
    let connections = series(
        "cloudsql.googleapis.com/database/postgresql/num_backends",
        "GAUGE",
        "INT64",
        json!({"database": "a"}),
        vec![point],
    );
    let (observed, _) = observed(&[export("connections.json", &answer(vec![connections]))]);
    assert_eq!(observed.quantities["database_connections"].median, Some(46.0));
}

#[test]
fn parts_of_a_whole_are_summed_before_anything_is_looked_at() {
    let part = |state: &str, value: fn(i64) -> i64| {
        let points = minutes(|minute| json!({"int64Value": value(minute).to_string()}));
        series("run.googleapis.com/container/instance_count", "GAUGE", "INT64", json!({"state": state}), points)
    };
    let answer = answer(vec![part("active", |minute| 5 + minute % 3), part("idle", |minute| 2 - minute % 3)]);
    let (observed, _) = observed(&[export("instances.json", &answer)]);
    let instances = &observed.quantities["container_instances"];
    assert_eq!((instances.min, instances.max), (Some(7.0), Some(7.0)), "constant, though neither part is");
}

#[test]
fn increases_are_divided_by_their_seconds_and_summed_by_class() {
    let part = |class: &str, value: i64| {
        let points = minutes(|_| json!({"int64Value": value.to_string()}));
        series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": class}), points)
    };
    let (observed, _) = observed(&[export("requests.json", &answer(vec![part("2xx", 600), part("5xx", 60)]))]);
    assert_eq!(observed.quantities["server_requests"].median, Some(11.0));
    assert_eq!(observed.requests_by_class["2xx"], 6000);
    assert_eq!(observed.requests_by_class["5xx"], 600);
}

#[test]
fn percentiles_are_interpolated_over_the_whole_window_and_never_averaged() {
    let options = json!({"explicitBuckets": {"bounds": [0, 100, 1000, 10000]}});
    // nine minutes of quick requests, one of slow ones: the mean of the minutes' medians would be far too high
    let points = minutes(|minute| {
        let counts = if minute == 10 { json!(["0", "0", "0", "10"]) } else { json!(["0", "30"]) };
        let count = if minute == 10 { "10" } else { "30" };
        json!({"distributionValue": {"count": count, "mean": 50, "bucketOptions": options, "bucketCounts": counts}})
    });
    let latency = series(LATENCY, "DELTA", "DISTRIBUTION", json!({}), points);
    let (observed, _) = observed(&[export("latency.json", &answer(vec![latency]))]);
    let p50 = &observed.quantities["server_latency_p50"];
    // 280 samples: rank 140 of 270 between 0 and 100
    assert!((p50.overall.unwrap().value - 100.0 * 140.0 / 270.0).abs() < 1e-9);
    assert_eq!(p50.total, Some(280.0));
    let p99 = observed.quantities["server_latency_p99"].overall.unwrap().value;
    assert!((p99 - (1000.0 + 9000.0 * (0.99 * 280.0 - 270.0) / 10.0)).abs() < 1e-6);
}

#[test]
fn an_aligned_percentile_is_known_by_the_name_of_its_file_alone() {
    let latency = || answer(vec![gauge(LATENCY, |_| 300.0)]);
    let (named, _) = observed(&[export("gcp/latency_p95.json", &latency())]);
    assert_eq!(named.quantities["server_latency_p95"].median, Some(300.0));
    let (unnamed, warnings) = observed(&[export("gcp/latency.json", &latency())]);
    assert!(unnamed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
    let crossed = [
        export("latency_p50.json", &answer(vec![gauge(LATENCY, |_| 900.0)])),
        export("latency_p99.json", &answer(vec![gauge(LATENCY, |_| 300.0)])),
    ];
    let (crossed, warnings) = observed(&crossed);
    assert!(crossed.quantities.is_empty(), "files that were exchanged");
    assert_eq!(codes(&warnings), ["cloud-contradiction"]);
}

#[test]
fn counted_points_are_no_container_starts() {
    let metric = "run.googleapis.com/container/startup_latencies";
    let counted = series(metric, "GAUGE", "INT64", json!({}), vec![point("09:05:21", json!({"int64Value": "1"}))]);
    let (observed, warnings) = self::observed(&[export("startups.json", &answer(vec![counted]))]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
    let starts = minutes(|minute| match minute {
        5 => json!({"distributionValue": {"count": "2", "mean": 900}}),
        _ => json!({"distributionValue": {}}),
    });
    let starts = series(metric, "DELTA", "DISTRIBUTION", json!({}), starts);
    let (observed, _) = self::observed(&[export("startups.json", &answer(vec![starts]))]);
    assert_eq!(observed.quantities["container_startups"].total, Some(2.0));
}

#[test]
fn zero_no_data_and_a_failed_query_are_three_things() {
    let (zero, warnings) = observed(&[export("reads.json", &answer(vec![gauge(CPU, |_| 0.0)]))]);
    assert_eq!((zero.quantities["database_cpu"].median, codes(&warnings).len()), (Some(0.0), 0));
    for empty in ["{}", r#"{"unit": "1"}"#, r#"{"timeSeries": []}"#] {
        let (nothing, warnings) = observed(&[export("x.json", empty)]);
        assert_eq!(nothing, Observability::default(), "{empty}");
        assert_eq!(codes(&warnings), ["cloud-no-series"], "{empty}");
    }
    let failed =
        r#"{"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "denied on project secret-project"}}"#;
    let (_, warnings) = observed(&[export("x.json", failed)]);
    assert_eq!(warnings.first().map(|w| w.message.as_str()), Some("x.json: the query failed: 403 PERMISSION_DENIED"));
}

#[test]
fn values_that_are_not_finite_and_periods_that_are_missing_are_counted() {
    let points: Vec<Value> = minutes(|minute| match minute {
        3 => json!({"doubleValue": "NaN"}),
        4 => json!({"doubleValue": "Infinity"}),
        minute => json!({"doubleValue": 0.1 * minute as f64}),
    });
    let points = points.into_iter().enumerate().filter(|(index, _)| *index != 2).map(|(_, point)| point).collect();
    let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), points);
    let (observed, _) = observed(&[export("cpu.json", &answer(vec![cpu]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.n, cpu.non_finite, cpu.missing, cpu.max), (7, 2, 1, Some(1.0)));
}

#[test]
fn an_export_that_ends_early_says_so_and_concludes_nothing() {
    let early: Vec<Value> = minutes(|_| json!({"distributionValue": {}})).split_off(4);
    let metric = "run.googleapis.com/container/startup_latencies";
    let starts = series(metric, "DELTA", "DISTRIBUTION", json!({}), early);
    let (observed, warnings) = observed(&[export("startups.json", &answer(vec![starts]))]);
    assert!(observed.quantities["container_startups"].incomplete);
    assert_eq!(codes(&warnings), ["cloud-incomplete"]);
}

#[test]
fn units_and_values_that_cannot_be_are_left_out() {
    let percent = export("cpu.json", &answer(vec![gauge(CPU, |_| 97.0)]));
    let (observed, warnings) = self::observed(&[percent]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-implausible"]);
    let mut wrong_unit: Value = serde_json::from_str(&answer(vec![gauge(CPU, |_| 0.97)])).unwrap();
    wrong_unit["unit"] = json!("By");
    let (observed, warnings) = self::observed(&[export("cpu.json", &wrong_unit.to_string())]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-unit"]);
}

#[test]
fn series_of_another_system_and_of_another_day_are_left_out() {
    let mut other = gauge(CPU, |_| 0.2);
    other["resource"]["labels"]["project_id"] = json!("another-one");
    let (mixed, warnings) = observed(&[export("cpu.json", &answer(vec![gauge(CPU, |_| 0.9), other]))]);
    assert!(mixed.quantities.is_empty(), "which of the two is meant nobody knows");
    assert_eq!(codes(&warnings), ["cloud-other-system"]);
    assert!(warnings.iter().all(|warning| !warning.message.contains("another-one")), "{warnings:?}");
    let yesterday = answer(vec![gauge(CPU, |_| 0.9)]).replace("2026-03-10", "2026-03-09");
    let (observed, warnings) = observed(&[export("cpu.json", &yesterday)]);
    assert_eq!(observed, Observability::default());
    assert_eq!(codes(&warnings), ["cloud-other-time"]);
    let shared = FoundExport { shared: true, ..export("../gcp/cpu.json", &yesterday) };
    assert_eq!(self::observed(&[shared]).1, [], "most of a sweep's exports are of other runs");
}

#[test]
fn metrics_nobody_knows_are_listed() {
    let (observed, warnings) = observed(&[export("x.json", &answer(vec![gauge("custom.googleapis.com/x", |_| 1.0)]))]);
    assert_eq!(observed, Observability::default());
    assert_eq!(codes(&warnings), ["cloud-unknown-metric"]);
}

fn query(hash: &str, user: &str, text: &str, points: Vec<Value>) -> Value {
    series(QUERY, "DELTA", "INT64", json!({"query_hash": hash, "user": user, "querystring": text}), points)
}

fn span(start: &str, end: &str, us: i64) -> Value {
    json!({"interval": {"startTime": at(start).to_string(), "endTime": at(end).to_string()},
           "value": {"int64Value": us.to_string()}})
}

#[test]
fn statements_are_ranked_by_number_in_seconds_of_the_test_alone() {
    let two = |of_test: i64, before: i64| {
        vec![span("09:00:21", "09:10:21", of_test * 1_000_000), span("08:50:21", "09:00:21", before * 1_000_000)]
    };
    let queries = answer(vec![
        query("1", "a", "SELECT pg_advisory_lock ( $1 )", two(3000, 0)),
        query("1", "b", "SELECT pg_advisory_lock ( $1 )", two(2500, 0)),
        query("2", "a", "SELECT x FROM t WHERE y = $1", two(4000, 9000)),
        query("3", "a", "SELECT pg_try_advisory_lock ( $1 )", two(500, 0)),
        query("9", "cloudsqladmin", "SELECT 1", two(9999, 0)),
    ]);
    let ranking = rank(&[export("queries.json", &queries)], "sign_in", window()).unwrap();
    let found: Vec<(&str, f64)> = ranking.queries.iter().map(|q| (q.hash.as_str(), q.seconds)).collect();
    assert_eq!(found, [("1", 5500.0), ("2", 4000.0), ("3", 500.0)]);
    let (observed, _) = observed(&[export("queries.json", &queries)]);
    let queries = observed.queries.unwrap();
    assert_eq!(queries.advisory_share(), Some(0.55));
    assert_eq!(queries.advisory_seconds, 5500.0, "a try never waits");
    assert!((queries.average_active_sessions - 10_000.0 / 600.0).abs() < 1e-9);
}

#[test]
fn a_running_total_is_differences_across_its_resets() {
    let total = |start: &str, end: &str, us: i64| span(start, end, us);
    let mut points: Vec<Value> = (0..=5)
        .map(|minute| total("07:00:00", &format!("09:{minute:02}:21"), 900_000_000 + minute * 1_000_000))
        .collect();
    // it began anew at 09:05:51
    points.extend((6..=10).map(|minute| total("09:05:51", &format!("09:{minute:02}:21"), (minute - 5) * 2_000_000)));
    points.reverse();
    let labels = json!({"query_hash": "1", "querystring": "SELECT 1"});
    let counter = series(QUERY, "CUMULATIVE", "INT64", labels, points);
    let ranking = rank(&[export("total.json", &answer(vec![counter]))], "sign_in", window()).unwrap();
    assert_eq!(ranking.total_seconds, 5.0 + 10.0, "last less first would be negative");
}

#[test]
fn vacuum_lines_are_found_in_every_form_and_lost_durations_are_not_zero() {
    let line = |time: &str, text: &str| json!({"timestamp": at(time).to_string(), "logName": "l", "textPayload": text});
    let log = json!([
        line(
            "09:03:00",
            "LOG:  automatic aggressive vacuum to prevent wraparound of table \"d.s.t\": index scans: 1\n\tsystem usage: CPU: user: 1 s, elapsed: 12.50 s"
        ),
        line(
            "09:04:00",
            "LOG:  automatic analyze of table \"d.s.t\" system usage: CPU 0.11s/0.42u sec elapsed 9.66 sec"
        ),
        line("09:05:00", "LOG:  checkpoint complete: elapsed: 5 s"),
    ]);
    let (observed, _) = self::observed(&[export("log.json", &log.to_string())]);
    let vacuum = observed.autovacuum.unwrap();
    assert_eq!((vacuum.vacuum.runs, vacuum.vacuum.total_seconds), (1, Some(12.5)));
    assert_eq!((vacuum.analyze.runs, vacuum.analyze.total_seconds), (1, Some(9.66)));
    let table = "target,timestamp,kind,elapsed_s\nsign_in,2026-03-10T09:03:00Z,vacuum,\n";
    let (observed, _) = self::observed(&[export("vacuum.csv", table)]);
    let vacuum = observed.autovacuum.unwrap().vacuum;
    assert_eq!((vacuum.runs, vacuum.timed, vacuum.total_seconds), (1, 0, None));
}

#[test]
fn a_log_cut_at_a_limit_is_no_proof_of_absence() {
    let entry = |second: usize| {
        let time = at(&format!("09:05:{:02}", second % 60)).to_string();
        json!({"timestamp": time, "logName": "l", "insertId": second.to_string(), "httpRequest": {"status": 200}})
    };
    let log = |entries: usize| Value::Array((0..entries).map(entry).collect()).to_string();
    let (cut, warnings) = observed(&[export("log.json", &log(100))]);
    assert!(cut.log.unwrap().cut);
    assert_eq!(codes(&warnings), ["cloud-incomplete"]);
    let (whole, _) = observed(&[export("log.json", &log(99))]);
    assert!(!whole.log.unwrap().cut);
}

#[test]
fn a_neutral_table_does_for_every_other_system() {
    let mut table = "time,quantity,value,unit\n".to_owned();
    for minute in 0..=10 {
        table += &format!("2026-03-10T09:{minute:02}:21Z,database_cpu,95,percent\n");
        table += &format!("2026-03-10T09:{minute:02}:21Z,server_latency_p99,1.5,s\n");
        table += &format!("2026-03-10T09:{minute:02}:21Z,my_own,1,\n");
    }
    let (observed, warnings) = observed(&[export("metrics.csv", &table)]);
    assert_eq!(observed.quantities["database_cpu"].median, Some(0.95));
    assert_eq!(observed.quantities["server_latency_p99"].median, Some(1500.0));
    assert_eq!(codes(&warnings), ["cloud-unknown-metric"]);
}

#[test]
fn an_export_without_a_whole_period_in_the_window_is_told() {
    let lone = "TimeSeries ID,a b\nproject_id,p\nTue Mar 10 2026 09:00:21 GMT+0000 (Coordinated Universal Time),0.93\n";
    let (observed, warnings) = observed(&[export("db_cpu.csv", lone)]);
    assert!(observed.quantities.is_empty(), "{:?}", observed.quantities);
    assert_eq!(codes(&warnings), ["cloud-incomplete"], "{warnings:?}");
}

#[test]
fn a_runs_own_export_of_another_target_is_told() {
    let table = |target: &str| {
        let row = |minute| format!("{target},db_cpu,2026-03-10T09:{minute:02}:21Z,0.93\n");
        format!("target,metric,timestamp,value\n{}", (0..=10).map(row).collect::<String>())
    };
    let (own, warnings) = observed(&[export("raw.csv", &table("sign_in"))]);
    assert_eq!((own.quantities["database_cpu"].median, codes(&warnings).len()), (Some(0.93), 0), "{warnings:?}");
    let (other, warnings) = observed(&[export("raw.csv", &table("search"))]);
    assert!(other.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-other-system"]);
}

#[test]
fn two_exports_of_one_metric_that_contradict_each_other_are_left_out() {
    let two = |other: f64| {
        [export("a.json", &answer(vec![gauge(CPU, |_| 0.9)])), export("b.json", &answer(vec![gauge(CPU, |_| other)]))]
    };
    assert_eq!(observed(&two(0.905)).0.quantities["database_cpu"].median, Some(0.9));
    let (observed, warnings) = observed(&two(0.5));
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-contradiction"]);
}

/// Answers of clients and of other systems: names in snake case, numbers as numbers, oldest first.
#[test]
fn other_spellings_of_an_answer_are_read() {
    let snake = json!({"time_series": [{"metric": {"type": CPU}, "metric_kind": "GAUGE", "value_type": "DOUBLE",
        "points": [{"interval": {"end_time": "2026-03-10T09:05:21Z"}, "value": {"double_value": 0.5}}]}]});
    let prom = json!({"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"__name__": "cloudsql_googleapis_com:database_cpu_utilization"},
         "values": [[at("09:05:21").unix_seconds(), "0.5"], [at("09:06:21").unix_seconds(), "NaN"]]}]}});
    let console = "TimeSeries ID,a b\nstate,x\nproject_id,p\n\
        Tue Mar 10 2026 10:05:21 GMT+0100 (Central European Standard Time),0.5\n\
        Tue Mar 10 2026 10:06:21 GMT+0100 (Central European Standard Time),\n";
    for (file, text) in
        [("a.json", snake.to_string()), ("b.json", prom.to_string()), ("db_cpu.csv", console.to_owned())]
    {
        let (observed, warnings) = observed(&[export(file, &text)]);
        let cpu = observed.quantities.get("database_cpu").unwrap_or_else(|| panic!("{file}: {warnings:?}"));
        assert_eq!((cpu.n, cpu.median), (1, Some(0.5)), "{file}");
    }
    let failed = r#"{"status": "error", "errorType": "bad_data", "error": "in project p"}"#;
    assert_eq!(codes(&observed(&[export("c.json", failed)]).1), ["cloud-query-failed"]);
}

#[test]
fn a_period_is_told_by_the_points_and_a_millisecond_is_no_gap() {
    let points: Vec<Value> = (0..=5)
        .rev()
        .map(|n| {
            json!({
        "interval": {"endTime": at(&format!("09:{:02}:21", 2 * n)).to_string()}, "value": {"doubleValue": 0.5}})
        })
        .collect();
    let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), points);
    let (observed, _) = self::observed(&[export("cpu.json", &answer(vec![cpu]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.period_seconds, cpu.n, cpu.left_out, cpu.missing), (120.0, 5, 1, 0));
    let points: Vec<Value> = (1..=10)
        .rev()
        .map(|minute| {
            json!({
        "interval": {"startTime": format!("2026-03-10T09:{:02}:21.001Z", minute - 1),
                     "endTime": format!("2026-03-10T09:{minute:02}:21Z")}, "value": {"int64Value": "60"}})
        })
        .collect();
    let requests = series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points);
    let (observed, _) = self::observed(&[export("requests.json", &answer(vec![requests]))]);
    let requests = &observed.quantities["server_requests"];
    assert_eq!((requests.n, requests.missing), (10, 0));
    assert_eq!(observed.requests_by_class["2xx"], 600);
}

#[test]
fn counts_that_do_not_fit_their_buckets_give_no_percentile() {
    let bounds = json!({"explicitBuckets": {"bounds": [0, 100]}});
    for (what, distribution) in [
        ("no histogram", json!({"count": "30", "mean": 50})),
        (
            "a sum that differs",
            json!({"count": "30", "mean": 50, "bucketOptions": bounds, "bucketCounts": ["0", "20"]}),
        ),
        (
            "too many buckets",
            json!({"count": "30", "mean": 50, "bucketOptions": bounds, "bucketCounts": ["0", "10", "10", "10"]}),
        ),
    ] {
        let points = minutes(|_| json!({"distributionValue": distribution}));
        let latency = series(LATENCY, "DELTA", "DISTRIBUTION", json!({}), points);
        let (observed, _) = observed(&[export("latency.json", &answer(vec![latency]))]);
        let p50 = observed.quantities.get("server_latency_p50").and_then(|figures| figures.overall.map(|o| o.value));
        assert_eq!(p50, None, "{what}");
    }
}

#[test]
fn points_that_come_twice_count_once() {
    let points = minutes(|_| json!({"int64Value": "600"}));
    let part =
        |points: &[Value]| series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points.to_vec());
    let (observed, _) = observed(&[export("requests.json", &answer(vec![part(&points[..7]), part(&points[5..])]))]);
    assert_eq!(observed.requests_by_class["2xx"], 6000);
    assert_eq!(observed.quantities["server_requests"].n, 10);
}

#[test]
fn only_calls_that_wait_for_a_lock_are_lock_waits() {
    for (text, waits) in [
        ("SELECT pg_advisory_lock ( $1 )", true),
        ("select PG_ADVISORY_XACT_LOCK($1)", true),
        ("SELECT pg_catalog . pg_advisory_lock_shared ( $1 , $2 )", true),
        ("SELECT pg_advisory_xact_lock_shared ( $1 )", true),
        ("SELECT pg_try_advisory_lock ( $1 )", false),
        ("SELECT pg_try_advisory_xact_lock_shared ( $1 )", false),
        ("SELECT pg_advisory_unlock ( $1 )", false),
        ("SELECT pg_advisory_unlock_all ( )", false),
        ("SELECT $1 /* pg_advisory_lock ( 1 ) */", false),
        ("SELECT 'pg_advisory_lock(1)'", false),
        ("SELECT pg_advisory_lock FROM t", false),
        ("SELECT app . push ( $1 )", false),
    ] {
        assert_eq!(is_advisory_wait(text), waits, "{text}");
    }
}

#[test]
fn one_statement_under_two_texts_or_two_names_of_its_metric_is_one() {
    let whole = || vec![span("09:00:21", "09:10:21", 4_000_000)];
    let long = format!("SELECT {} FROM t", "x , ".repeat(300));
    let cut: String = long.chars().take(1024).collect();
    let texts =
        answer(vec![query("1", "a", &cut, whole()), query("1", "b", "", whole()), query("1", "c", &long, whole())]);
    let ranking = rank(&[export("queries.json", &texts)], "sign_in", window()).unwrap();
    let found: Vec<_> = ranking.queries.iter().map(|query| (query.seconds, query.cut)).collect();
    assert_eq!(found, [(12.0, false)], "the longest text is the whole one");
    let cut = answer(vec![query("1", "a", &cut, whole())]);
    assert!(rank(&[export("queries.json", &cut)], "sign_in", window()).unwrap().queries[0].cut);
    let enhanced = cut.replace("cloudsql.googleapis.com/database/postgresql/insights", "dbinsights.googleapis.com");
    let both = [export("a.json", &cut), export("b.json", &enhanced)];
    assert_eq!(rank(&both, "sign_in", window()).unwrap().total_seconds, 4.0, "never added");
}

#[test]
fn entries_of_a_log_count_once_and_a_wait_when_it_ends() {
    let entry = |id: &str, text: &str| {
        json!({"timestamp": at("09:05:00").to_string(), "logName": "l", "insertId": id, "severity": "INFO",
               "textPayload": text})
    };
    let waiting = "process 7 still waiting for ExclusiveLock on advisory lock [1,2,3,4] after 1000.1 ms";
    let acquired = "process 7 acquired ExclusiveLock on advisory lock [1,2,3,4] after 2000.1 ms";
    let log = json!([entry("a", waiting), entry("b", acquired), entry("b", acquired)]).to_string();
    let log = observed(&[export("log.json", &log)]).0.log.unwrap();
    assert_eq!((log.entries, log.errors, log.advisory_locks_acquired), (2, 0, 1));
}

#[test]
fn a_vacuum_whose_lines_are_entries_of_their_own_has_its_duration() {
    let entry = |second: &str, text: &str| {
        json!({"timestamp": format!("2026-03-10T09:05:00.{second}Z"), "logName": "l", "insertId": second,
               "textPayload": text})
    };
    let log = json!([
        entry("001", "LOG:  automatic vacuum of table \"d.s.t\": index scans: 1"),
        entry("002", "\tpages: 0 removed, 4 remain"),
        entry("003", "\tsystem usage: CPU: user: 0.42 s, system: 0.11 s, elapsed: 9.66 s"),
    ]);
    let vacuum = observed(&[export("log.json", &log.to_string())]).0.autovacuum.unwrap().vacuum;
    assert_eq!((vacuum.runs, vacuum.total_seconds), (1, Some(9.66)));
}
