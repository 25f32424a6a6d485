//! Sizes in bytes, base 1000.

use super::number::{to_fixed, write as plain};
use crate::model::Printed;

const UNITS: [&str; 9] = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

/// Writes bytes as k6 does (`4.3 kB`, `98 MB`): one decimal below 10 units, else none; below 10 bytes the number as it is.
///
/// Rounded twice, first to one decimal and then half up, so 36,466 is `37 kB` (`humanizeBytes` in k6's `summary.js`).
pub fn write(bytes: f64) -> String {
    // the comparison is false for what is not a number
    if !(bytes >= 10.0 && bytes.is_finite()) {
        return format!("{} B", plain(bytes));
    }
    let power = (bytes.ln() / 1000f64.ln()).floor().clamp(0.0, (UNITS.len() - 1) as f64) as usize;
    let value = (bytes / 1000f64.powi(power as i32) * 10.0 + 0.5).floor() / 10.0;
    format!("{} {}", to_fixed(value, usize::from(value < 10.0)), UNITS.get(power).unwrap_or(&"B"))
}

/// Reads a size such as `4.3 kB` as bytes; its step is that of the last digit written. `None` for anything else.
pub fn read(text: &str) -> Option<Printed> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(split);
    let power = UNITS.iter().position(|u| *u == unit)?;
    let scale = 1000f64.powi(power as i32);
    let printed = super::number::read(number.trim_end())?;
    Some(Printed { text: text.to_owned(), value: printed.value.map(|v| v * scale), step: printed.step * scale })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::admits;

    #[test]
    fn sizes_are_rounded_twice() {
        for (bytes, text) in [
            (0.0, "0 B"),
            (3.25, "3.25 B"),
            (342.0, "342 B"),
            (4300.0, "4.3 kB"),
            (19_940.0, "20 kB"),
            (36_466.0, "37 kB"),
            (9_960.0, "10 kB"),
            (98_000_000.0, "98 MB"),
            (2_500_000_000.0, "2.5 GB"),
        ] {
            assert_eq!(write(bytes), text, "{bytes}");
        }
    }

    #[test]
    fn what_is_no_size_reads_as_nothing() {
        for text in ["", "B", "4.3", "4.3 kb", "4.3 kB/s", "x kB"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_size_reads_back_to_within_its_last_digit(bytes in prop_oneof![10.0..1e4, 1e4..1e7, 1e7..1e12f64]) {
            prop_assert!(admits(&read(&write(bytes)).unwrap(), bytes));
        }
    }
}
