//! CloudWatch's `GetMetricData`. Its labels are a person's own: the project file says what they measure.

use serde_json::Value;

use super::json::{list, number, text, time};
use super::series::{Draft, Reading, admit};
use crate::model::{Export, Point, PointValue, Time, Unit};

/// True for the answer of `GetMetricData`.
pub(super) fn is_answer(value: &Value) -> bool {
    value.get("MetricDataResults").is_some_and(Value::is_array)
}

/// Reads parallel lists of times and values. A time is where its period begins, a CPU is 0 to 100.
pub(super) fn read(answer: &Value, reading: &Reading<'_>) -> Export {
    let continued = text(answer, "NextToken").is_some_and(|token| !token.is_empty());
    let mut export = Export { continued, ..Export::default() };
    for result in list(answer, "MetricDataResults") {
        let label = text(result, "Label").or_else(|| text(result, "Id")).unwrap_or_default().to_owned();
        let complete = text(result, "StatusCode") == Some("Complete");
        if !complete {
            export.partial = true;
            export.problems.push(reading.problem("cloud-incomplete", format!("`{label}`: the answer is not complete")));
        }
        let (times, values) = (list(result, "Timestamps"), list(result, "Values"));
        let all = times.clone().count().max(values.clone().count());
        let mut points: Vec<(Time, f64)> =
            times.zip(values).filter_map(|(stamp, value)| Some((moment(stamp)?, number(value)?))).collect();
        if points.len() < all {
            let message = format!("{} values of `{label}` cannot be read: left out", all - points.len());
            export.problems.push(reading.problem("cloud-unreadable", message));
        }
        points.sort_by_key(|(start, _)| *start);
        let gaps = points.windows(2).filter_map(|pair| match pair {
            [(a, _), (b, _)] => Some(b.unix_nanos().saturating_sub(a.unix_nanos())).filter(|gap| *gap > 0),
            _ => None,
        });
        let Some(period) = gaps.min() else {
            if complete {
                export.problems.push(reading.problem("cloud-no-series", format!("`{label}` has no two points")));
            }
            continue;
        };
        let at_end = |(start, value): &(Time, f64)| {
            let end = Time::from_unix_nanos(start.unix_nanos().checked_add(period)?);
            Some(Point { start: None, end, value: PointValue::Number(*value) })
        };
        let points: Vec<Point> = points.iter().filter_map(at_end).collect();
        export.rows += points.len() as u64;
        let unit = unit(&label);
        let measured = reading.names.label(&label).map(|measure| measure.quantity.unit());
        if unit.is_none() && measured == Some(Unit::Fraction) {
            let why = format!(
                "`{label}`: expected a label that says `Utilization`, `percent` or `fraction`, for 1.5 could be 1.5 % or 150 %: left out"
            );
            export.problems.push(reading.problem("cloud-ambiguous", why));
            continue;
        }
        let unit = unit.map(str::to_owned);
        match admit(Draft { metric: Some(label), unit, points, ..Draft::default() }, reading) {
            Ok(series) => export.series.extend(series),
            Err(problem) => export.problems.push(problem),
        }
    }
    let ends = || export.series.iter().flat_map(|series| &series.points).map(|point| point.end);
    export.span = ends().min().zip(ends().max());
    export
}

/// A time in RFC 3339, as its command line writes it, or in seconds since the epoch, as its servers do.
fn moment(stamp: &Value) -> Option<Time> {
    match stamp {
        Value::Number(seconds) => Time::from_unix_seconds(seconds.as_f64().map(|seconds| seconds.round() as i64)?),
        other => time(other),
    }
}

/// The unit a label tells, which an answer states nowhere. Every utilisation of CloudWatch's own is 0 to 100; 1.5 of a label that
/// says nothing could be 1.5 % or half again as much as there is.
fn unit(label: &str) -> Option<&'static str> {
    let label = label.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| label.contains(word));
    if says(&["fraction"]) {
        Some("fraction")
    } else if says(&["utilization", "utilisation", "percent", "%"]) {
        Some("percent")
    } else {
        None
    }
}
