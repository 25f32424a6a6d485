//! Rates per second: k6's `/s` figures and the throughput of a page's row.

use super::number::{shortest, to_fixed};
use crate::model::Printed;

/// Writes a rate as k6 does: up to six decimals, rounded, trailing zeros cut (`18.873602/s`, `20/s`).
pub fn write(per_second: f64) -> String {
    shortest(per_second, 6) + "/s"
}

/// Writes a throughput for a row: the nearest integer from 10 up, one decimal under 10, two significant digits under 1.
///
/// Never with thousands separators (`3452`, `9.6`, `0.83`, `0.012`).
pub fn throughput(per_second: f64) -> String {
    if per_second <= 0.0 || !per_second.is_finite() {
        return shortest(per_second, 0);
    }
    // the form is that of the rounded number: 9.96 is 10, not 10.0
    let tenths = to_fixed(per_second, 1);
    if tenths.parse().is_ok_and(|rounded: f64| rounded >= 10.0) {
        to_fixed(per_second, 0)
    } else if per_second >= 1.0 {
        tenths
    } else {
        two_significant_digits(per_second)
    }
}

/// Two significant digits without an exponent: 0.0123 is `0.012`, 0.0999 is `0.10`.
fn two_significant_digits(value: f64) -> String {
    let scientific = format!("{value:.1e}");
    let exponent = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0i32);
    to_fixed(value, usize::try_from(1 - exponent).unwrap_or(0))
}

/// Reads a rate such as `18.873602/s`, `1906` or `1906 /s`; its step is that of the last digit written.
pub fn read(text: &str) -> Option<Printed> {
    let text = text.trim();
    let number = text.strip_suffix("/s").map_or(text, str::trim_end);
    super::number::read(number).map(|p| Printed { text: text.to_owned(), ..p })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::admits;

    #[test]
    fn rates_have_six_decimals_without_trailing_zeros() {
        assert_eq!(write(12.018310), "12.01831/s");
        assert_eq!(write(4.64772), "4.64772/s");
        assert_eq!(write(20.0), "20/s");
        assert_eq!(write(34_399.0 / 1822.6), "18.873587/s");
    }

    #[test]
    fn throughput_has_the_digits_that_matter() {
        for (per_second, text) in [
            (3451.6, "3452"),
            (18.87, "19"),
            (10.4, "10"),
            (9.96, "10"),
            (9.6, "9.6"),
            (1.0, "1.0"),
            (0.996, "1.0"),
            (0.833, "0.83"),
            (0.1, "0.10"),
            (0.0123, "0.012"),
            (0.0999, "0.10"),
            (0.0, "0"),
        ] {
            assert_eq!(throughput(per_second), text, "{per_second}");
        }
    }

    proptest! {
        #[test]
        fn a_written_rate_reads_back_to_within_its_last_digit(per_second in prop_oneof![1e-4..1.0, 1.0..10.0, 10.0..1e6f64]) {
            prop_assert!(admits(&read(&throughput(per_second)).unwrap(), per_second));
            let k6 = read(&write(per_second)).unwrap();
            let to_the_sixth = Printed { step: 1e-6, ..k6 };
            prop_assert!(admits(&to_the_sixth, per_second));
        }
    }
}
