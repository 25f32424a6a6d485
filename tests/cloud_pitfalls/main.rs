//! One case for each pitfall of monitoring exports that people met in public, and for those of the formats, with small inputs
//! of our own. The former are numbered.

mod answers;
mod distributions;
mod logs;
mod queries;
mod series;

use serde_json::{Value, json};
use sweepdoc::derive::{FoundExport, observability};
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

/// The pitfalls people met in public, in the order they were collected.
const PITFALLS: [&str; 20] = [
    "a period that begins before the asked start",
    "zeros that are not written",
    "distributions by period taken for growing ones",
    "accumulated totals taken for increases",
    "query texts that are cut",
    "data that arrives late",
    "an answer with nothing but a unit",
    "no series taken for zero or for an error",
    "an aligner that does not fit the metric",
    "a distribution's count taken for its value",
    "periods that are not what their name says",
    "another answer to the same question",
    "an end cut to the minute",
    "a query without a range: next to no data",
    "a metric that has no data for PostgreSQL",
    "one message of a log in several entries",
    "a log at its limit, or filtered to nothing",
    "text that is not UTF-8",
    "text that is cut a second time",
    "more buckets than the options allow",
];

#[test]
fn every_pitfall_has_one_test() {
    let files = ["answers", "distributions", "logs", "queries", "series"].map(source);
    let lines: Vec<&str> =
        files.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("/// Pitfall ")).collect();
    for (number, pitfall) in (1..).zip(PITFALLS) {
        let line = format!("/// Pitfall {number}: {pitfall}.");
        assert_eq!(lines.iter().filter(|found| **found == line).count(), 1, "{line}");
    }
    assert_eq!(lines.len(), PITFALLS.len());
}

fn source(name: &str) -> String {
    let path = format!("{}/tests/cloud_pitfalls/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}
