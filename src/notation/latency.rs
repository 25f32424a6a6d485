//! Latencies as a monitoring system knows them: three digits at most, since they are interpolated within buckets.

use super::duration;
use super::number::to_fixed;
use crate::model::Printed;

/// Writes milliseconds, rounded: `4.2ms` under ten, whole ones (`305ms`) under a second, then tenths of seconds (`12.9s`).
pub fn write(ms: f64) -> String {
    let whole = to_fixed(ms, 0);
    let tenths = to_fixed(ms, 1);
    // the form is that of the rounded number: 999.6 is a second
    if whole.parse().is_ok_and(|rounded: f64| rounded >= 1000.0) {
        to_fixed(ms / 1000.0, 1) + "s"
    } else if tenths.parse().is_ok_and(|rounded: f64| rounded >= 10.0) {
        whole + "ms"
    } else {
        tenths + "ms"
    }
}

/// Reads a latency in any form of a duration; its step is that of the last digit written.
pub fn read(text: &str) -> Option<Printed> {
    duration::read(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::admits;

    #[test]
    fn latencies_keep_at_most_three_digits_under_a_hundred_seconds() {
        for (ms, text) in
            [(4.24, "4.2ms"), (9.96, "10ms"), (304.55, "305ms"), (999.6, "1.0s"), (12_942.785, "12.9s"), (0.0, "0.0ms")]
        {
            assert_eq!(write(ms), text, "{ms}");
        }
    }

    proptest! {
        #[test]
        fn a_written_latency_reads_back(ms in 0.0..600_000.0f64) {
            prop_assert!(admits(&read(&write(ms)).unwrap(), ms));
        }
    }
}
