//! One case for each pitfall of monitoring exports that people met in public, and for those of the formats, with small inputs
//! of our own. The former are numbered.

mod answers;
mod distributions;
mod logs;
mod queries;
mod series;
mod table;

use serde_json::{Value, json};
use sweepdoc::derive::{FoundExport, observability};
use sweepdoc::ingest::monitoring::{self, ExportKind, MetricNames, Reading};
use sweepdoc::model::{EvidenceWindow, Observability, Time, Warning, WindowBasis};
use table::{PITFALLS, Pitfall};

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

/// Beside its line in the table each has a test that looks at it closely, known by its first line.
#[test]
fn every_pitfall_has_a_test_of_its_own() {
    let files = ["answers", "distributions", "logs", "queries", "series"].map(source);
    let lines: Vec<&str> =
        files.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("/// Pitfall ")).collect();
    for Pitfall { number, name, .. } in &PITFALLS {
        let line = format!("/// Pitfall {number}: {name}.");
        assert_eq!(lines.iter().filter(|found| **found == line).count(), 1, "{line}");
    }
    assert_eq!(lines.len(), PITFALLS.len());
}

fn source(name: &str) -> String {
    let path = format!("{}/tests/cloud_pitfalls/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}
