//! Answers of Cloud Monitoring's query language (`timeSeries:query`), which older scripts still ask.

use serde_json::Value;

use super::json::{field, list, text};
use super::series::{Draft, Reading, admit};
use super::time_series_list::{kind, point};
use crate::model::Export;

/// True for an answer of the query language.
pub(super) fn is_answer(value: &Value) -> bool {
    field(value, "timeSeriesDescriptor").is_some_and(Value::is_object)
}

/// Reads series whose labels and values stand in the order of their descriptors. No metric is named: a value is known by the
/// name of the file, and where there are several by their own, without `value.`.
pub(super) fn read(answer: &Value, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    if list(answer, "partialErrors").next().is_some() {
        export.partial = true;
        export.problems.push(reading.problem("cloud-incomplete", "the answer says that data may be missing"));
    }
    export.continued = text(answer, "nextPageToken").is_some_and(|token| !token.is_empty());
    let Some(descriptor) = field(answer, "timeSeriesDescriptor") else { return export };
    let keys: Vec<&str> = list(descriptor, "labelDescriptors").map(|label| text(label, "key").unwrap_or("")).collect();
    let values: Vec<&Value> = list(descriptor, "pointDescriptors").collect();
    if list(answer, "timeSeriesData").next().is_none() {
        export.problems.push(reading.problem("cloud-no-series", "the answer has no series: nothing was measured"));
    }
    for data in list(answer, "timeSeriesData") {
        for (index, value) in values.iter().enumerate() {
            let name = text(value, "key").map(|key| key.strip_prefix("value.").unwrap_or(key).to_owned());
            let mut draft = Draft {
                metric: name.filter(|_| values.len() > 1),
                kind: text(value, "metricKind").and_then(kind),
                whole: text(value, "valueType") == Some("INT64"),
                unit: text(value, "unit").map(str::to_owned),
                ..Draft::default()
            };
            label(&mut draft, &keys, data);
            let unreadable = points(&mut draft, index, data, &mut export);
            match admit(draft, reading) {
                Ok(series) => {
                    if unreadable > 0 {
                        let message = format!("{unreadable} values cannot be read: left out");
                        export.problems.push(reading.problem("cloud-unreadable", message));
                    }
                    export.series.extend(series);
                }
                Err(problem) => export.problems.push(problem),
            }
        }
    }
    export.problems.dedup();
    export
}

/// Labels by the keys of their descriptors: `resource.database_id` says whose the series is.
fn label(draft: &mut Draft, keys: &[&str], data: &Value) {
    for (key, value) in keys.iter().zip(list(data, "labelValues")) {
        let shown = ["stringValue", "int64Value", "boolValue"].iter().find_map(|kind| field(value, kind));
        let Some(shown) = shown.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)) else {
            continue;
        };
        match key.split_once('.') {
            Some(("resource", name)) => draft.resource.insert(name.to_owned(), shown),
            Some((_, name)) => draft.labels.insert(name.to_owned(), shown),
            None => draft.labels.insert((*key).to_owned(), shown),
        };
    }
}

/// Adds the points of one value; returns how many cannot be read.
fn points(draft: &mut Draft, index: usize, data: &Value, export: &mut Export) -> u64 {
    let mut unreadable = 0;
    for raw in list(data, "pointData") {
        let value = field(raw, "timeInterval").zip(list(raw, "values").nth(index)).zip(draft.kind);
        match value.and_then(|((interval, value), kind)| point(interval, value, kind)) {
            Some(point) => {
                export.count(point.end);
                draft.points.push(point);
            }
            None => unreadable += 1,
        }
    }
    unreadable
}
