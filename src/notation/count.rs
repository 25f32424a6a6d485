//! Counts: thousands separators in prose, none in k6's output.

/// Writes a count for prose, with thousands separators: `171,987`.
pub fn write(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a count with the things counted, whose plural ends in `s`: `1 page`, `0 pages`, `1,204 pages`.
pub fn of(count: usize, thing: &str) -> String {
    format!("{} {thing}{}", write(count as u64), if count == 1 { "" } else { "s" })
}

/// Reads a count with or without thousands separators: `171,987`, `171987`, `171 987` (no-break or thin spaces).
///
/// `None` when the text is not that, in particular when separators do not cut off groups of three.
pub fn read(text: &str) -> Option<u64> {
    let is_separator = |c: char| matches!(c, ',' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let text = text.trim_matches(' ');
    let groups: Vec<&str> = text.split(is_separator).collect();
    let digits = |s: &&str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (first, rest) = groups.split_first()?;
    let grouped = rest.is_empty() || first.len() <= 3 && rest.iter().all(|g| g.len() == 3);
    (grouped && groups.iter().all(digits)).then(|| groups.concat().parse().ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 2, 1204].map(|n| of(n, "page")), ["0 pages", "1 page", "2 pages", "1,204 pages"]);
    }

    #[test]
    fn thousands_are_separated() {
        let written: Vec<String> = [0, 999, 1000, 171_987, 6_335_633].into_iter().map(write).collect();
        assert_eq!(written, ["0", "999", "1,000", "171,987", "6,335,633"]);
    }

    #[test]
    fn odd_grouping_is_no_count() {
        for text in ["", "17,19", "1,2345", ",123", "1,", "1234,567", "12a", "-3", "1.5", "99999999999999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("171\u{202f}987"), Some(171_987));
    }

    proptest! {
        #[test]
        fn a_written_count_reads_back(count: u64) {
            prop_assert_eq!(read(&write(count)), Some(count));
            prop_assert_eq!(read(&count.to_string()), Some(count));
        }
    }
}
