//! Moments in UTC, to the second.

use chrono::NaiveDateTime;

use crate::model::Time;

/// Writes a moment for a page, `2026-08-27 13:41:19 UTC`; the fraction of a second is cut.
pub fn write(time: Time) -> String {
    time.to_utc().format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// Writes the time of day of a moment in UTC, `13:41:19`.
pub fn clock(time: Time) -> String {
    time.to_utc().format("%H:%M:%S").to_string()
}

/// Reads RFC 3339 with any offset, or `2026-08-27 13:41:19` followed by ` UTC`, `Z`, `+00` or another offset.
///
/// `None` when the text is not that; a time without an offset is never taken for UTC.
pub fn read(text: &str) -> Option<Time> {
    let text = text.trim();
    let utc = text.strip_suffix("UTC").or_else(|| text.strip_suffix("GMT"));
    if let Some(naive) = utc {
        return from_naive(naive.trim_end());
    }
    Time::parse_rfc3339(text).or_else(|| with_short_offset(text))
}

/// `2026-08-27 13:41:19+00`: an offset of hours only, as databases write it, or `Z` after a space-separated time.
fn with_short_offset(text: &str) -> Option<Time> {
    let (naive, offset) = text.split_at_checked(text.rfind(['+', '-', 'Z'])?)?;
    let hours = match offset {
        "Z" => 0,
        _ if offset.len() == 3 => offset.parse::<i64>().ok()?,
        _ => return None,
    };
    let local = from_naive(naive.trim_end())?;
    local.unix_nanos().checked_sub(hours.checked_mul(3_600_000_000_000)?).map(Time::from_unix_nanos)
}

fn from_naive(text: &str) -> Option<Time> {
    let naive = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f"]
        .iter()
        .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())?;
    naive.and_utc().timestamp_nanos_opt().map(Time::from_unix_nanos)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_spelling_of_a_moment_is_the_same_moment() {
        for text in [
            "2026-11-30 15:16:41 UTC",
            "2026-11-30T15:16:41Z",
            "2026-11-30T16:16:41+01:00",
            "2026-11-30 15:16:41+00",
            "2026-11-30 17:16:41+02",
            "2026-11-30 15:16:41Z",
            "2026-11-30T15:16:41 UTC",
        ] {
            assert_eq!(read(text).map(Time::unix_seconds), Some(1_796_051_801), "{text}");
        }
    }

    #[test]
    fn a_time_without_offset_is_not_taken_for_utc() {
        for text in ["2026-11-30 15:16:41", "2026-11-30", "15:16 UTC", "2026-02-30 15:16:41 UTC", "", "é+00", "UTC"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_moment_reads_back_to_the_second(seconds in 0i64..9_000_000_000) {
            let time = Time::from_unix_seconds(seconds).unwrap();
            prop_assert_eq!(read(&write(time)), Some(time));
            prop_assert_eq!(read(&time.to_string()), Some(time));
        }
    }
}
