//! Answers of Cloud Monitoring's `projects.timeSeries.list`, one or a list of them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::distribution;
use super::json::{field, list, number, text, time};
use super::series::{Draft, Reading, admit, times};
use crate::model::{Export, Point, PointValue, SeriesKind, Warning};

/// True for an answer of this kind: with series, without any, or an error.
pub(super) fn is_answer(value: &Value) -> bool {
    let Value::Object(fields) = value else { return false };
    let known = |name: &String| {
        matches!(name.as_str(), "timeSeries" | "time_series" | "unit" | "executionErrors" | "nextPageToken" | "error")
    };
    let error = |error: &Value| error.get("code").is_some() || error.get("errors").is_some();
    field(value, "timeSeries").is_some()
        || fields.contains_key("executionErrors")
        || fields.keys().all(known) && fields.get("error").is_none_or(error)
}

/// Reads one answer, or a list of answers.
pub(super) fn read(value: &Value, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    match value {
        Value::Array(answers) => answers.iter().for_each(|answer| read_one(answer, reading, &mut export)),
        answer => read_one(answer, reading, &mut export),
    }
    export
}

fn read_one(answer: &Value, reading: &Reading<'_>, export: &mut Export) {
    if let Some(error) = field(answer, "error") {
        export.problems.push(failed(error, reading));
        return;
    }
    if list(answer, "executionErrors").next().is_some() {
        export.partial = true;
        export.problems.push(reading.problem("cloud-incomplete", "the answer says that data may be missing"));
    }
    export.continued |= text(answer, "nextPageToken").is_some_and(|token| !token.is_empty());
    let series: Vec<&Value> = list(answer, "timeSeries").collect();
    if series.is_empty() {
        // neither zero nor an error
        export.problems.push(reading.problem("cloud-no-series", "the answer has no series: nothing was measured"));
    }
    let percent_components = components_in_percent(&series);
    for one in series {
        let mut unreadable = 0;
        let Some(mut draft) = draft(one, text(answer, "unit"), &mut unreadable, export) else {
            export.problems.push(reading.problem("cloud-unreadable", "a series without metric or kind: left out"));
            continue;
        };
        let metric = draft.metric.clone().unwrap_or_default();
        if percent_components && draft.metric.as_deref() == Some(COMPONENTS) {
            draft.points.iter_mut().for_each(|point| {
                if let PointValue::Number(value) = &mut point.value {
                    *value = times(*value, 0.01);
                }
            });
        }
        match admit(draft, reading) {
            Ok(series) => {
                // of a metric nobody knows it does not matter
                if unreadable > 0 {
                    let message = format!("{unreadable} points of `{metric}` cannot be read: left out");
                    export.problems.push(reading.problem("cloud-unreadable", message));
                }
                export.series.extend(series);
            }
            Err(problem) => export.problems.push(problem),
        }
    }
}

/// The metric whose unit does not tell fractions from percentages.
const COMPONENTS: &str = "cloudsql.googleapis.com/database/memory/components";

/// True when the components of memory sum up to 100 rather than to 1.
fn components_in_percent(series: &[&Value]) -> bool {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let components = series.iter().filter(|one| field(one, "metric").and_then(|m| text(m, "type")) == Some(COMPONENTS));
    for point in components.flat_map(|one| list(one, "points")) {
        let end = field(point, "interval").and_then(|interval| field(interval, "endTime")).map(Value::to_string);
        let value = field(point, "value").and_then(|value| field(value, "doubleValue")).and_then(number);
        if let (Some(end), Some(value)) = (end, value) {
            *sums.entry(end).or_default() += value;
        }
    }
    sums.values().any(|sum| *sum > 2.0)
}

/// The warning for an answer that is an error. Its message may name projects: code and status say enough.
fn failed(error: &Value, reading: &Reading<'_>) -> Warning {
    let code = field(error, "code").map(|code| format!(" {code}")).unwrap_or_default();
    let status = text(error, "status").map(|status| format!(" {status}")).unwrap_or_default();
    reading.problem("cloud-query-failed", format!("the query failed:{code}{status}"))
}

fn draft(series: &Value, unit: Option<&str>, unreadable: &mut u64, export: &mut Export) -> Option<Draft> {
    let metric = field(series, "metric")?;
    let kind = match field(series, "metricKind") {
        Some(Value::String(name)) => kind(name),
        Some(Value::Number(number)) => {
            ["GAUGE", "DELTA", "CUMULATIVE"].get(number.as_u64()?.checked_sub(1)? as usize).and_then(|name| kind(name))
        }
        _ => None,
    }?;
    let mut points = Vec::new();
    for raw in list(series, "points") {
        let read = field(raw, "interval").zip(field(raw, "value")).and_then(|(i, value)| point(i, value, kind));
        match read {
            Some(point) => {
                export.count(point.end);
                points.push(point);
            }
            None => *unreadable += 1,
        }
    }
    let value_type = field(series, "valueType");
    let whole = value_type.is_some_and(|t| t.as_str() == Some("INT64") || t.as_u64() == Some(2));
    Some(Draft {
        metric: Some(text(metric, "type")?.to_owned()),
        labels: labels(metric),
        resource: field(series, "resource").map(labels).unwrap_or_default(),
        kind: Some(kind),
        whole,
        unit: text(series, "unit").or(unit).map(str::to_owned),
        points,
        target: None,
    })
}

pub(super) fn kind(name: &str) -> Option<SeriesKind> {
    match name {
        "GAUGE" => Some(SeriesKind::Level),
        "DELTA" => Some(SeriesKind::Increase),
        "CUMULATIVE" => Some(SeriesKind::RunningTotal),
        _ => None,
    }
}

fn labels(of: &Value) -> BTreeMap<String, String> {
    let labels = field(of, "labels").and_then(Value::as_object).into_iter().flatten();
    labels.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// One point; `None` for values that are no numbers (Booleans, text) and for what is damaged.
pub(super) fn point(interval: &Value, value: &Value, kind: SeriesKind) -> Option<Point> {
    let end = time(field(interval, "endTime")?)?;
    let start = match field(interval, "startTime") {
        Some(start) => Some(time(start)?),
        None => None,
    };
    let start = match kind {
        SeriesKind::Level => None,
        _ => Some(start?).filter(|start| *start <= end),
    };
    let value = if let Some(distribution) = field(value, "distributionValue") {
        PointValue::Distribution(distribution::read(distribution)?)
    } else {
        let number = number(field(value, "int64Value").or_else(|| field(value, "doubleValue"))?)?;
        if number.is_finite() { PointValue::Number(number) } else { PointValue::NotFinite }
    };
    Some(Point { start, end, value })
}
