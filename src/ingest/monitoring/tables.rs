//! Tables of metrics: what collection scripts write, and a neutral one for teams on other clouds.

use std::collections::BTreeMap;

use super::json::number_text;
use super::series::{Draft, Reading, admit};
use crate::model::{Export, Point, PointValue, Quantity, SeriesKind, Time};

/// Columns of the script's table.
pub(super) const RAW_COLUMNS: [&str; 4] = ["target", "metric", "timestamp", "value"];
/// Columns of the neutral table; `unit` may follow.
pub(super) const NEUTRAL_COLUMNS: [&str; 3] = ["time", "quantity", "value"];

/// One row of either table.
struct Row {
    target: Option<String>,
    name: String,
    time: Time,
    value: f64,
    unit: Option<String>,
}

/// Reads `target,metric,timestamp,value` or `time,quantity,value[,unit]`; columns are found by name.
pub(super) fn read(text: &str, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    let mut table = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let headers = table.headers().cloned().unwrap_or_default();
    let column = |names: &[&str]| headers.iter().position(|header| names.contains(&header));
    let (name, time) = (column(&["metric", "quantity"]), column(&["timestamp", "time"]));
    let (value, unit, target) = (column(&["value"]), column(&["unit"]), column(&["target"]));
    let mut drafts: BTreeMap<(Option<String>, String, Option<String>), Vec<Point>> = BTreeMap::new();
    let mut unreadable = Vec::new();
    for record in table.records() {
        let line = record.as_ref().ok().and_then(|r| r.position().map(csv::Position::line)).unwrap_or_default();
        let row = record.ok().and_then(|record| {
            let cell = |at: Option<usize>| record.get(at?).map(str::to_owned);
            Some(Row {
                target: cell(target),
                name: cell(name)?,
                time: Time::parse_rfc3339(&cell(time)?)?,
                value: number_text(&cell(value)?)?,
                unit: cell(unit),
            })
        });
        let Some(row) = row else {
            unreadable.push(line);
            continue;
        };
        export.count(row.time);
        let value = if row.value.is_finite() { PointValue::Number(row.value) } else { PointValue::NotFinite };
        let point = Point { start: None, end: row.time, value };
        drafts.entry((row.target, row.name, row.unit)).or_default().push(point);
    }
    if let Some(first) = unreadable.first() {
        let message = format!("{} rows cannot be read, the first on line {first}: left out", unreadable.len());
        export.problems.push(reading.problem("cloud-unreadable", message));
    }
    for ((target, metric, unit), mut points) in drafts {
        let of_starts = reading.names.label(&metric).is_some_and(|m| m.quantity == Quantity::ContainerStartups);
        let kind = if of_starts { counted(&mut points) } else { None };
        match admit(Draft { metric: Some(metric), kind, unit, points, target, ..Draft::default() }, reading) {
            Ok(series) => export.series.extend(series),
            Err(problem) => export.problems.push(problem),
        }
    }
    export.problems.dedup();
    export
}

/// Makes numbers of events increases over the period before their times, whose length the gaps between them tell. `None` where
/// they do not, and for numbers that are not whole: a rate.
fn counted(points: &mut [Point]) -> Option<SeriesKind> {
    points.sort_by_key(|point| point.end);
    let gaps = points.windows(2).filter_map(|pair| match pair {
        [a, b] => Some(b.end.unix_nanos().saturating_sub(a.end.unix_nanos())).filter(|gap| *gap > 0),
        _ => None,
    });
    let period = gaps.min()?;
    let part = |point: &Point| matches!(point.value, PointValue::Number(value) if value.fract() != 0.0);
    if points.iter().any(part) {
        return None;
    }
    for point in points {
        point.start = Some(Time::from_unix_nanos(point.end.unix_nanos().saturating_sub(period)));
    }
    Some(SeriesKind::Increase)
}
