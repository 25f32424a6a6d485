//! Plain numbers as k6's JavaScript writes them: gauges, counters, custom trends that are not times.

use crate::model::Printed;

/// Decimals k6 keeps of a plain number before it cuts trailing zeros.
const PLAIN_DECIMALS: usize = 6;

/// Writes a plain number as k6 does: rounded to six decimals, trailing zeros cut (`319.37931`, `138`).
pub fn write(value: f64) -> String {
    shortest(value, PLAIN_DECIMALS)
}

/// Reads a plain number such as `39.04`, `-3.5` or `1e+21`; its step is that of the last digit written.
///
/// `Infinity` and `NaN`, which k6 prints for custom metrics, are figures without a value. `None` when the text is no number.
pub fn read(text: &str) -> Option<Printed> {
    let text = text.trim();
    if matches!(text, "NaN" | "Infinity" | "-Infinity" | "undefined" | "null") {
        return Some(Printed { text: text.to_owned(), value: None, step: 0.0 });
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let digits = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let decimals = decimals_of(digits)?;
    let exponent: i32 = exponent.parse().ok()?;
    let value: f64 = text.parse().ok().filter(|v: &f64| v.is_finite())?;
    Some(Printed { text: text.to_owned(), value: Some(value), step: 10f64.powi(exponent.saturating_sub(decimals)) })
}

/// Reads a number that k6 printed: as [`read()`], but known to the sixth decimal, because k6 cuts trailing zeros.
pub fn read_k6(text: &str) -> Option<Printed> {
    let printed = read(text)?;
    Some(match printed.value {
        Some(_) => Printed { step: 1e-6, ..printed },
        None => printed,
    })
}

/// Writes a value with exactly `decimals` decimals, rounded as JavaScript's `toFixed`: a value half way goes away from zero.
///
/// Rust's own formatting takes such a value to the even digit.
pub fn to_fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e21 {
        return js_text(value);
    }
    let magnitude = value.abs();
    // half way between two n-digit decimals means: an odd multiple of 2^-(n+1)
    let halves = magnitude * 2f64.powi(decimals as i32 + 1);
    let half_way = halves.fract() == 0.0 && halves % 2.0 == 1.0;
    let text = format!("{:.decimals$}", if half_way { magnitude.next_up() } else { magnitude });
    if value < 0.0 && text.bytes().any(|b| matches!(b, b'1'..=b'9')) { format!("-{text}") } else { text }
}

/// Rounds to at most `decimals` decimals and cuts trailing zeros (k6's `toFixedNoTrailingZeros`).
pub fn shortest(value: f64, decimals: usize) -> String {
    to_fixed(value, decimals).parse().map_or_else(|_| js_text(value), js_text)
}

/// Cuts to `decimals` decimals in doubles, as k6 does: one ulp can cost a whole step, 1.15 gives 1.14.
pub fn truncate(value: f64, decimals: u32) -> f64 {
    let scale = f64::from(10u32.pow(decimals));
    (scale * value).trunc() / scale
}

/// Number of decimals of an unsigned decimal such as `1.50`; `None` when it is not one.
pub(super) fn decimals_of(digits: &str) -> Option<i32> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let complete = !whole.is_empty() && !digits.ends_with('.');
    (complete && all_digits(whole) && all_digits(fraction)).then_some(fraction.len() as i32)
}

/// A double as JavaScript turns it into text.
fn js_text(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else if value == 0.0 {
        "0".to_owned()
    } else if value.abs() >= 1e21 {
        format!("{value:e}").replace('e', "e+")
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::admits;

    #[test]
    fn fixed_rounds_a_half_away_from_zero_as_javascript_does() {
        // node: (0.5).toFixed(0) … (-1.5).toFixed(0); 1.005 is below the half in binary, 1.45 too
        for (value, decimals, text) in [
            (0.5, 0, "1"),
            (2.5, 0, "3"),
            (-1.5, 0, "-2"),
            (0.125, 2, "0.13"),
            (1.005, 2, "1.00"),
            (1.45, 1, "1.4"),
            (36.5, 0, "37"),
            (-0.001, 2, "0.00"),
        ] {
            assert_eq!(to_fixed(value, decimals), text, "{value}");
        }
    }

    #[test]
    fn plain_numbers_keep_six_decimals_without_trailing_zeros() {
        assert_eq!(write(319.379310344), "319.37931");
        assert_eq!(write(138.0), "138");
        assert_eq!(write(20.0000004), "20");
        assert_eq!(write(-3.5), "-3.5");
        assert_eq!(write(f64::INFINITY), "Infinity");
        assert_eq!(write(-0.0), "0");
    }

    #[test]
    fn truncation_happens_in_doubles() {
        assert_eq!(truncate(1.15, 2), 1.14);
        assert_eq!(truncate(497.609, 2), 497.6);
    }

    #[test]
    fn what_is_no_number_reads_as_nothing() {
        for text in ["", "1m0s", "1.", ".5", "1,000", "--1", "0x10", "1e400"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("undefined").and_then(|p| p.value), None);
    }

    #[test]
    fn the_step_is_the_last_digit_written() {
        assert_eq!(read("39.04").map(|p| (p.value, p.step)), Some((Some(39.04), 0.01)));
        assert_eq!(read("39").map(|p| p.step), Some(1.0));
        assert_eq!(read_k6("39").map(|p| p.step), Some(1e-6));
    }

    proptest! {
        #[test]
        fn a_written_number_reads_back_to_within_its_last_digit(value in -1e9..1e9f64) {
            let printed = read_k6(&write(value)).unwrap();
            prop_assert!(admits(&printed, value));
            prop_assert!(admits(&read(&to_fixed(value, 2)).unwrap(), value));
        }
    }
}
