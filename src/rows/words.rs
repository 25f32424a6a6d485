//! Quantities as a page writes them.

use crate::model::Time;

/// A count with thousands separators, `171,987`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A share in percent as k6 prints it, truncated to two decimals; `<0.01%` for a part that is not zero but smaller.
///
/// `0.00%` for no part, also of nothing.
pub(crate) fn percent_of(part: u64, whole: u64) -> String {
    let hundredths = u128::from(part) * 10_000 / u128::from(whole.max(1));
    if part > 0 && hundredths == 0 {
        return "<0.01%".to_owned();
    }
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// A moment, `2026-08-27 13:41:19 UTC`, its fraction of a second cut off.
pub(crate) fn utc(time: Time) -> String {
    time.to_utc().format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// The time of day of a moment in UTC, `13:41:19`.
pub(crate) fn clock(time: Time) -> String {
    time.to_utc().format("%H:%M:%S").to_string()
}

/// A rate: nearest integer from 10 up, one decimal under 10, two significant digits under 1.
pub(crate) fn iterations_per_second(rate: f64) -> String {
    if rate >= 9.95 {
        format!("{rate:.0}")
    } else if rate >= 0.995 {
        format!("{rate:.1}")
    } else if rate > 0.0 {
        // two significant digits: as many decimals as the leading zeros ask for
        let decimals = (1.0 - rate.log10().floor()).clamp(2.0, 12.0) as usize;
        format!("{rate:.decimals$}")
    } else {
        "0".to_owned()
    }
}

/// A length of time in whole seconds, `30min`, `42min 7s`, `1h 30min`, `55s`.
pub(crate) fn minutes(seconds: u64) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let shown: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n}{unit}")).collect();
    if shown.is_empty() { "0s".to_owned() } else { shown.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_thousands_separators() {
        for (n, text) in [(0, "0"), (225, "225"), (1_000, "1,000"), (171_987, "171,987"), (14_959_608, "14,959,608")] {
            assert_eq!(count(n), text);
        }
    }

    #[test]
    fn shares_are_truncated_and_never_nothing_for_something() {
        // as k6 printed them on published pages
        for (part, whole, text) in [
            (225, 171_987, "0.13%"),
            (127, 137_522, "0.09%"),
            (182, 466_756, "0.03%"),
            (1_789, 3_073_497, "0.05%"),
            (5, 1_435_330, "<0.01%"),
            (0, 10, "0.00%"),
            (0, 0, "0.00%"),
            (7, 7, "100.00%"),
        ] {
            assert_eq!(percent_of(part, whole), text);
        }
    }

    #[test]
    fn rates_are_rounded_by_their_size() {
        for (rate, text) in [
            (18.873602, "19"),
            (152.03, "152"),
            (9.96, "10"),
            (9.94, "9.9"),
            (1.04, "1.0"),
            (0.996, "1.0"),
            (0.5123, "0.51"),
            (0.0512, "0.051"),
            (0.0, "0"),
        ] {
            assert_eq!(iterations_per_second(rate), text);
        }
    }

    #[test]
    fn lengths_of_time_leave_out_what_is_zero() {
        for (seconds, text) in [
            (0, "0s"),
            (55, "55s"),
            (1800, "30min"),
            (2527, "42min 7s"),
            (5400, "1h 30min"),
            (3600, "1h"),
            (3605, "1h 5s"),
        ] {
            assert_eq!(minutes(seconds), text);
        }
    }

    #[test]
    fn moments_are_in_utc() {
        let time = Time::parse_rfc3339("2026-11-30T10:10:07.9-05:00").unwrap();
        assert_eq!((utc(time).as_str(), clock(time).as_str()), ("2026-11-30 15:10:07 UTC", "15:10:07"));
    }
}
