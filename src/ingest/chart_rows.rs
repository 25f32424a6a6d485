//! Chart data of a page (`output.json`): per-second quantiles, one object a row.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::model::{ChartRow, Fault, Place, Result, Time};

/// Reads a JSON array of `{"metric_name", "timestamp", "p50", "p95", "p99"}`, in the order of the file.
///
/// Timestamps are `2026-08-27 13:41:19+00` (any offset in hours, or hours and minutes) or RFC 3339; they become UTC. An
/// empty array gives no rows.
///
/// # Errors
///
/// Fails on anything else, naming the line and the field; a timestamp without an offset is refused, because local time
/// labelled UTC is the commonest fault of published pages.
pub fn read(text: &str, path: &Path) -> Result<Vec<ChartRow>> {
    let rows: Vec<Row> = serde_json::from_str(text).map_err(|e| {
        let message = e.to_string();
        let reason = message.split(" at line ").next().unwrap_or_default();
        let fault = Fault::at(Place::file(path).line(e.line() as u64), reason);
        match reason.contains("has no UTC offset") {
            true => fault.hint("write `2025-07-30 08:35:09+00`"),
            false => fault,
        }
    })?;
    Ok(rows
        .into_iter()
        .map(|Row { metric_name, timestamp, p50, p95, p99 }| ChartRow {
            metric: metric_name,
            time: timestamp.0,
            p50,
            p95,
            p99,
        })
        .collect())
}

#[derive(serde::Deserialize)]
struct Row {
    metric_name: String,
    timestamp: Stamp,
    p50: f64,
    p95: f64,
    p99: f64,
}

struct Stamp(Time);

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct StampVisitor;
        impl Visitor<'_> for StampVisitor {
            type Value = Stamp;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a timestamp such as `2026-08-27 13:41:19+00`")
            }

            fn visit_str<E: Error>(self, text: &str) -> std::result::Result<Stamp, E> {
                parse(text).map(Stamp).map_err(|message| E::custom(format!("field `timestamp`: {message}")))
            }
        }
        deserializer.deserialize_str(StampVisitor)
    }
}

fn parse(text: &str) -> std::result::Result<Time, String> {
    let bad = || format!("expected a time such as `2026-08-27 13:41:19+00`, found `{text}`");
    let (date, rest) = text.split_at_checked(10).ok_or_else(bad)?;
    let rest = rest.strip_prefix([' ', 'T']).ok_or_else(bad)?;
    let clock_end = rest.find(|c: char| !c.is_ascii_digit() && c != ':' && c != '.').unwrap_or(rest.len());
    let (clock, offset) = rest.split_at(clock_end);
    let offset = match offset.trim_start() {
        "" => return Err(format!("`{text}` has no UTC offset")),
        "Z" | "z" | "UTC" => "Z".to_owned(),
        hours if hours.len() == 3 => format!("{hours}:00"),
        full => full.to_owned(),
    };
    Time::parse_rfc3339(&format!("{date}T{clock}{offset}")).ok_or_else(bad)
}
