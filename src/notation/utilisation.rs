//! Shares of a resource in use, as rows about machines write them: whole percent, rounded.

use super::number::to_fixed;
use super::percent;
use crate::model::Printed;

/// Writes a fraction as whole percent: `17%`; what is in use but would be written `0%` is `<1%`.
///
/// Unlike shares of counts ([`percent`]) it is rounded: a level is known to a few percent at best.
pub fn write(fraction: f64) -> String {
    match to_fixed(fraction * 100.0, 0) {
        zero if zero == "0" && fraction > 0.0 => "<1%".to_owned(),
        percent => percent + "%",
    }
}

/// Reads a percentage as a fraction; its step is that of the last digit written.
pub fn read(text: &str) -> Option<Printed> {
    percent::read(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::admits;

    #[test]
    fn levels_are_whole_percent() {
        for (fraction, text) in
            [(0.1652, "17%"), (0.9326, "93%"), (1.0032, "100%"), (0.0, "0%"), (0.004, "<1%"), (0.125, "13%")]
        {
            assert_eq!(write(fraction), text, "{fraction}");
        }
    }

    proptest! {
        #[test]
        fn a_written_level_reads_back(fraction in 0.0..1.5f64) {
            prop_assert!(admits(&read(&write(fraction)).unwrap(), fraction));
        }
    }
}
