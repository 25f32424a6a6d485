//! Whether a rule can fit a text at all, told without a regular expression.

use std::ops::RangeInclusive;

/// A text on its way through the rules, with what they are screened by.
pub(super) struct Screened {
    text: String,
    lower: String,
}

impl Screened {
    /// A text that no rule was applied to yet.
    pub fn new(text: String) -> Self {
        Screened { lower: text.to_ascii_lowercase(), text }
    }

    /// False for a text with one of the two characters that are no ASCII and yet equal an ASCII letter when case does not
    /// count: what is looked for in [`Screened::lower`] would be missed.
    pub fn is_screened(&self) -> bool {
        !self.text.contains(['\u{17f}', '\u{212a}'])
    }

    /// The text with ASCII letters in lower case.
    pub fn lower(&self) -> &str {
        &self.lower
    }

    /// The text as it is now.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Puts another text in its place.
    pub fn set(&mut self, text: String) {
        *self = Screened::new(text);
    }

    /// The text after the last rule.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// True when so many characters of a kind stand next to each other.
pub(in crate::derive) fn has_run(text: &str, least: usize, is_of_kind: impl Fn(char) -> bool) -> bool {
    let mut run = 0;
    text.chars().any(|c| {
        run = if is_of_kind(c) { run + 1 } else { 0 };
        run >= least
    })
}

/// True when between two marks there is nothing but so many characters of a kind, as in `.12.`.
pub(in crate::derive) fn is_enclosed(
    text: &str,
    mark: char,
    length: RangeInclusive<usize>,
    is_of_kind: impl Fn(char) -> bool,
) -> bool {
    let mut parts = text.split(mark).skip(1).peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_some() && part.chars().all(&is_of_kind) && length.contains(&part.chars().count()) {
            return true;
        }
    }
    false
}
