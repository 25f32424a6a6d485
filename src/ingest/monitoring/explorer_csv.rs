//! Metrics Explorer and dashboard charts, downloaded as CSV.

use std::collections::BTreeMap;

use super::json::number_text;
use super::series::{Draft, Reading, admit};
use crate::model::{Export, Point, PointValue, Time};
use chrono::DateTime;

/// Reads one column a series, header lines until the first cell is a time: their number varies.
pub(super) fn read(text: &str, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    let table = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut columns: Vec<Draft> = Vec::new();
    let mut unreadable = 0;
    for record in table.into_records() {
        let Ok(record) = record else {
            unreadable += 1;
            continue;
        };
        let first = record.get(0).unwrap_or_default();
        let Some(end) = moment(first) else {
            // a header line after the first time would be a damaged row
            if export.rows > 0 {
                unreadable += 1;
            } else {
                headers(&record, first, &mut columns);
            }
            continue;
        };
        export.count(end);
        for (at, cell) in record.iter().enumerate().skip(1) {
            if matches!(cell.trim(), "" | "undefined") {
                continue;
            }
            match (number_text(cell), column(&mut columns, at)) {
                (Some(value), Some(draft)) => {
                    let value = if value.is_finite() { PointValue::Number(value) } else { PointValue::NotFinite };
                    draft.points.push(Point { start: None, end, value });
                }
                _ => unreadable += 1,
            }
        }
    }
    if unreadable > 0 {
        let message = format!("{unreadable} cells or rows cannot be read: left out");
        export.problems.push(reading.problem("cloud-unreadable", message));
    }
    for draft in columns {
        match admit(draft, reading) {
            Ok(series) => export.series.extend(series),
            Err(problem) => export.problems.push(problem),
        }
    }
    export.problems.dedup();
    export
}

/// Most columns that are looked at.
const MOST_COLUMNS: usize = 1000;

fn column(columns: &mut Vec<Draft>, at: usize) -> Option<&mut Draft> {
    let index = at.checked_sub(1).filter(|index| *index < MOST_COLUMNS)?;
    if columns.len() <= index {
        columns.resize_with(index + 1, Draft::default);
    }
    columns.get_mut(index)
}

/// Keeps the labels of a header line; those that say whose series it is go to the resource.
fn headers(record: &csv::StringRecord, label: &str, columns: &mut Vec<Draft>) {
    for (at, cell) in record.iter().enumerate().skip(1) {
        let Some(draft) = column(columns, at) else { continue };
        let of_resource = matches!(label, "project_id" | "service_name" | "database_id" | "resource_id" | "location");
        let kept: Option<&mut BTreeMap<_, _>> = match label {
            // a name made up of the labels below it
            "TimeSeries ID" | "" => None,
            _ if of_resource => Some(&mut draft.resource),
            _ => Some(&mut draft.labels),
        };
        if let Some(kept) = kept {
            kept.insert(label.to_owned(), cell.to_owned());
        }
    }
}

/// Reads `Tue Mar 10 2026 10:03:00 GMT+0100 (Central European Standard Time)` or RFC 3339: the browser's local time, with
/// its offset.
pub(super) fn moment(text: &str) -> Option<Time> {
    let bare = text.split('(').next().unwrap_or(text).trim();
    if let Some(time) = Time::parse_rfc3339(bare) {
        return Some(time);
    }
    let moment = DateTime::parse_from_str(bare, "%a %b %d %Y %H:%M:%S GMT%z").ok()?;
    moment.timestamp_nanos_opt().map(Time::from_unix_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browsers_local_time_becomes_utc() {
        let utc = |text: &str| moment(text).map(|time| time.to_string());
        assert_eq!(
            utc("Tue Mar 10 2026 10:03:00 GMT+0100 (Central European Standard Time)").as_deref(),
            Some("2026-03-10T09:03:00Z")
        );
        assert_eq!(utc("2026-03-10T09:03:00Z").as_deref(), Some("2026-03-10T09:03:00Z"));
        for header in ["TimeSeries ID", "project_id", "state", "undefined", ""] {
            assert_eq!(utc(header), None, "{header}");
        }
    }
}
