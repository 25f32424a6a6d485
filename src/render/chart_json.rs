//! `output.json`: the rows a site's chart component imports.

use std::fmt::Write;

use serde_json::Value;

use crate::model::{ChartRow, Time};

/// How a timestamp is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Timestamp {
    /// `2026-08-27 13:41:19+00`, as DuckDB and the published pages have it.
    #[default]
    Space,
    /// `2026-08-27T13:41:19Z`.
    Rfc3339,
}

/// Writes chart rows as a JSON array, one object a line, in the order given. No rows give an empty array.
pub fn chart_json(rows: &[ChartRow], timestamp: Timestamp) -> String {
    let mut text = String::from("[");
    // the trends of a second stand one after the other
    let (mut second, mut stamp) = (None, String::new());
    let mut separator = "\n";
    for ChartRow { metric, time, p50, p95, p99 } in rows {
        let its_second = Some(time.floor_to_second());
        if its_second != second {
            (second, stamp) = (its_second, written(*time, timestamp));
        }
        let (metric, [p50, p95, p99]) =
            (Value::from(metric.as_str()), [p50, p95, p99].map(|value| Value::from(*value)));
        let _ = write!(
            text,
            "{separator}\t{{\"metric_name\":{metric},\"timestamp\":\"{stamp}\",\"p50\":{p50},\"p95\":{p95},\"p99\":{p99}}}"
        );
        separator = ",\n";
    }
    text.push_str("\n]\n");
    // those of a whole sweep are held until it is published
    text.shrink_to_fit();
    text
}

fn written(time: Time, timestamp: Timestamp) -> String {
    let second = time.floor_to_second().to_utc();
    match timestamp {
        Timestamp::Space => second.format("%Y-%m-%d %H:%M:%S+00").to_string(),
        Timestamp::Rfc3339 => second.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_one_a_line_in_the_published_form() {
        let time = Time::parse_rfc3339("2026-08-27T13:41:19Z").unwrap();
        let row = ChartRow { metric: "a_duration".to_owned(), time, p50: 1.0, p95: 2.25, p99: 3.5 };
        assert_eq!(
            chart_json(&[row.clone(), row], Timestamp::Space),
            "[\n\t{\"metric_name\":\"a_duration\",\"timestamp\":\"2026-08-27 13:41:19+00\",\"p50\":1.0,\"p95\":2.25,\"p99\":3.5},\n\
             \t{\"metric_name\":\"a_duration\",\"timestamp\":\"2026-08-27 13:41:19+00\",\"p50\":1.0,\"p95\":2.25,\"p99\":3.5}\n]\n"
        );
        assert_eq!(chart_json(&[], Timestamp::Space), "[\n]\n");
    }
}
