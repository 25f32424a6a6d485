//! Answers of a PromQL API: `query_range` and `query`.

use serde_json::Value;

use super::json::{field, list, number_text, text};
use super::quantities::{self, Nature};
use super::series::{Draft, Reading, admit};
use crate::model::{Export, Point, PointValue, SeriesKind, Time};

/// The answer a text holds that another API wraps it in.
pub(super) fn unwrapped(value: &Value) -> Option<Value> {
    serde_json::from_str(value.get("promqlResult")?.as_str()?).ok().filter(is_answer)
}

/// True for the envelope of the API, success or error.
pub(super) fn is_answer(value: &Value) -> bool {
    match value.get("status").and_then(Value::as_str) {
        Some("success") => value.get("data").is_some_and(|data| data.get("resultType").is_some()),
        Some("error") => value.get("errorType").is_some(),
        _ => false,
    }
}

/// Labels that say whose series it is.
const RESOURCE: [&str; 8] = [
    "project_id",
    "database_id",
    "resource_id",
    "region",
    "location",
    "service_name",
    "revision_name",
    "configuration_name",
];

/// Reads the series of a matrix or vector. Values are levels at the moments they were evaluated for, but those of a counter
/// that was asked for by its name alone: it has grown ever since it was started. What `rate` gives has no name.
pub(super) fn read(answer: &Value, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    if text(answer, "error").is_some() {
        // its message may hold the query, and that names of projects
        let message = format!("the query failed: {}", text(answer, "errorType").unwrap_or("error"));
        export.problems.push(reading.problem("cloud-query-failed", message));
        return export;
    }
    if list(answer, "warnings").next().is_some() {
        export.problems.push(reading.problem("cloud-incomplete", "the answer carries warnings"));
    }
    let Some(data) = field(answer, "data") else { return export };
    if let Some(kind @ ("scalar" | "string")) = text(data, "resultType") {
        let why = format!("the answer is a {kind} of one moment, expected a matrix (`query_range`): left out");
        export.problems.push(reading.problem("cloud-ambiguous", why));
        return export;
    }
    if list(data, "result").next().is_none() {
        export.problems.push(reading.problem("cloud-no-series", "the answer has no series: nothing was measured"));
    }
    for series in list(data, "result").filter(|series| series.is_object()) {
        let mut draft = Draft::default();
        for (name, value) in field(series, "metric").and_then(Value::as_object).into_iter().flatten() {
            let Some(value) = value.as_str().map(str::to_owned) else { continue };
            match name.as_str() {
                "__name__" => draft.metric = Some(value),
                "monitored_resource" => {}
                name if RESOURCE.contains(&name) => {
                    draft.resource.insert(name.to_owned(), value);
                }
                name => {
                    draft.labels.insert(name.to_owned(), value);
                }
            }
        }
        let is_counter = |name: &String| quantities::known(name).is_some_and(|(_, m)| m.nature == Nature::Counter);
        draft.kind = draft.metric.as_ref().filter(|name| is_counter(name)).map(|_| SeriesKind::RunningTotal);
        let mut unreadable = 0;
        for pair in list(series, "values").chain(field(series, "value")) {
            match point(pair) {
                Some(point) => {
                    export.count(point.end);
                    draft.points.push(point);
                }
                None => unreadable += 1,
            }
        }
        if unreadable > 0 {
            export.problems.push(reading.problem("cloud-unreadable", format!("{unreadable} values cannot be read")));
        }
        match admit(draft, reading) {
            Ok(series) => export.series.extend(series),
            Err(problem) => export.problems.push(problem),
        }
    }
    export
}

fn point(pair: &Value) -> Option<Point> {
    let seconds = pair.get(0)?.as_f64().filter(|s| s.is_finite() && (0.0..9e9).contains(s))?;
    let value = number_text(pair.get(1)?.as_str()?)?;
    // in milliseconds: a double holds them exactly for centuries
    let end = Time::from_unix_nanos((seconds * 1000.0).round() as i64 * 1_000_000);
    let value = if value.is_finite() { PointValue::Number(value) } else { PointValue::NotFinite };
    Some(Point { start: None, end, value })
}
