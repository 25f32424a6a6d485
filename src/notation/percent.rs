//! Shares as percentages, truncated as k6 prints them, and always computed from both counts.

use super::number::{to_fixed, truncate};
use crate::model::Printed;

/// Writes a share as k6 does: `trunc(rate * 100 * 100) / 100` in doubles with two decimals, so 29 of 100 is `28.99%`.
///
/// A share of nothing is `0.00%`, as k6 prints it.
pub fn write(part: u64, total: u64) -> String {
    let rate = if total == 0 { 0.0 } else { part as f64 / total as f64 };
    to_fixed(truncate(rate * 100.0, 2), 2) + "%"
}

/// Writes a share for prose: as [`write()`], but a count that is not zero is never `0.00%`: it is `<0.01%`.
pub fn prose(part: u64, total: u64) -> String {
    let text = write(part, total);
    if part > 0 && text == "0.00%" { "<0.01%".to_owned() } else { text }
}

/// Whole percent of a check's `↳` line: the floor. `None` without any sample.
pub fn whole(passes: u64, fails: u64) -> Option<u64> {
    let total = passes.checked_add(fails).filter(|n| *n > 0)?;
    // in doubles, as k6: exact for counts below 2^46
    Some((100.0 * passes as f64 / total as f64).floor() as u64)
}

/// Reads a percentage as a fraction: `3.47%` is 0.0347 with a step of 0.0001. `<0.01%` reads as 0 with the step it names.
///
/// `None` when the text is no percentage.
pub fn read(text: &str) -> Option<Printed> {
    let text = text.trim();
    let number = text.strip_suffix('%')?.trim_end();
    let below = number.strip_prefix('<').map(str::trim_start);
    let printed = super::number::read(below.unwrap_or(number))?;
    let percent = printed.value?;
    let (value, step) = match below {
        Some(_) => (0.0, percent / 100.0),
        None => (percent / 100.0, printed.step / 100.0),
    };
    Some(Printed { text: text.to_owned(), value: Some(value), step })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::admits;

    #[test]
    fn percentages_are_truncated_in_doubles() {
        for (part, total, text) in [
            (338_058, 338_059, "99.99%"),
            (1, 338_059, "0.00%"),
            (29, 100, "28.99%"),
            (403, 711, "56.68%"),
            (182, 466_756, "0.03%"),
            (1789, 3_073_497, "0.05%"),
            (367, 367, "100.00%"),
            (0, 0, "0.00%"),
        ] {
            assert_eq!(write(part, total), text, "{part} of {total}");
        }
    }

    #[test]
    fn some_is_never_printed_as_none() {
        assert_eq!(prose(29, 6_335_633), "<0.01%");
        assert_eq!(prose(0, 6_335_633), "0.00%");
        assert_eq!(prose(225, 171_987), "0.13%");
    }

    #[test]
    fn the_whole_percent_of_a_check_is_its_floor() {
        assert_eq!(whole(34_370, 29), Some(99));
        assert_eq!(whole(3383, 48), Some(98));
        assert_eq!(whole(5, 0), Some(100));
        assert_eq!(whole(0, 0), None);
    }

    #[test]
    fn what_is_no_percentage_reads_as_nothing() {
        for text in ["", "%", "3", "a%", "3,5%", "<%"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_share_reads_back_to_within_its_last_digit(total in 1u64..10_000_000, part_of in 0.0..=1.0f64) {
            let part = (total as f64 * part_of) as u64;
            let share = part as f64 / total as f64;
            // a truncation edge in doubles may cost one more hundredth
            let edge = 1e-9;
            let k6 = read(&write(part, total)).unwrap();
            prop_assert!(admits(&k6, share) || admits(&k6, share - edge));
            prop_assert!(admits(&read(&prose(part, total)).unwrap(), share - edge));
        }
    }
}
