//! Failed of all, with their share: `225 / 171,987 (0.13%)`.

use super::{count, percent};

/// What a summary's cell says of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed {
    /// How many failed.
    pub failed: u64,
    /// Of how many.
    pub total: u64,
}

/// Writes both counts with the share, truncated as k6 prints it; a count that is not zero is never `0.00%`.
pub fn write(failed: u64, total: u64) -> String {
    format!("{} / {} ({})", count::write(failed), count::write(total), percent::prose(failed, total))
}

/// Reads the counts of a cell back; the share in brackets may be missing or say something else, which is for others to judge.
///
/// `None` for anything that is not two counts with a slash between them.
pub fn read(text: &str) -> Option<Failed> {
    let counts = match text.trim().split_once('(') {
        Some((counts, share)) => {
            percent::read(share.trim_end().strip_suffix(')')?)?;
            counts
        }
        None => text,
    };
    let (failed, total) = counts.split_once('/')?;
    Some(Failed { failed: count::read(failed.trim())?, total: count::read(total.trim())? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_stand_with_their_truncated_share() {
        assert_eq!(write(29, 6_335_633), "29 / 6,335,633 (<0.01%)");
        assert_eq!(write(225, 171_987), "225 / 171,987 (0.13%)");
        assert_eq!(write(0, 1_565_523), "0 / 1,565,523 (0.00%)");
    }

    #[test]
    fn what_is_no_pair_of_counts_reads_as_nothing() {
        for text in ["", "225", "a / b", "225 of 171,987", "225 / 171,987 (many)", "1 / 2 / 3", "not known"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("225/171987"), Some(Failed { failed: 225, total: 171_987 }));
        assert_eq!(read(" 225 / 171,987 (9.99%) "), Some(Failed { failed: 225, total: 171_987 }));
    }

    proptest! {
        #[test]
        fn a_written_cell_reads_back(failed: u64, total: u64) {
            prop_assert_eq!(read(&write(failed, total)), Some(Failed { failed, total }));
        }
    }
}
