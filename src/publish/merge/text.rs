//! Replacements in a text, and its lines.

use std::ops::Range;

/// Replacements of ranges of one text, none of which overlap.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a range. Insertions at one place keep the order they came in.
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    fn sorted(&self) -> Vec<&(Range<usize>, String)> {
        let mut edits: Vec<_> = self.0.iter().collect();
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        edits
    }

    /// The text with every replacement made.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in self.sorted() {
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(new);
            at = at.max(range.end);
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    /// Where a byte of the old text is in the new one; `None` when that part is gone.
    pub(super) fn moved(&self, at: usize) -> Option<usize> {
        let mut moved = at;
        for (range, new) in self.sorted() {
            if range.end <= at && range.start < at {
                moved = (moved + new.len()).checked_sub(range.len())?;
            } else if range.start < at || range.contains(&at) && new.is_empty() {
                return None;
            }
        }
        Some(moved)
    }
}

/// The line that holds a byte, its line end included.
pub(super) fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let end = text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |newline| at + newline + 1);
    start..end
}

/// The number, from 1, of the line that follows this text's last line end.
pub(super) fn line_number(before: &str) -> u64 {
    before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1
}

/// The line end a text is written with: that of its first line.
pub(super) fn line_end(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    if first.ends_with("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_keep_everything_else_and_tell_where_it_went() {
        let mut edits = Edits::default();
        edits.replace(6..9, "");
        edits.replace(2..2, "xx");
        edits.replace(2..4, "C");
        assert_eq!(edits.apply("ab cd ef gh"), "abxxCd gh");
        assert_eq!(edits.moved(0), Some(0));
        assert_eq!(edits.moved(4), Some(5));
        assert_eq!(edits.moved(7), None);
        assert_eq!(edits.moved(9), Some(7));
    }

    #[test]
    fn a_line_holds_its_line_end() {
        let text = "a\r\nbc\nd";
        assert_eq!(&text[line_of(text, 1)], "a\r\n");
        assert_eq!(&text[line_of(text, 4)], "bc\n");
        assert_eq!(&text[line_of(text, 6)], "d");
        assert_eq!((line_end(text), line_end("x\ny"), line_number("a\nb\n")), ("\r\n", "\n", 3));
    }
}
