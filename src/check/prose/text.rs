//! The text of a cell as a reader sees it, with the way back to its Markdown, cut into sentences and clauses.

use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Tag, TagEnd};
use regex::Regex;

use crate::notation::table::parser;

/// A cell's text, twice: as shown, and as [`Text::plain`] for reading claims from. Both have the same bytes but for masked ones.
pub(super) struct Text {
    /// What a reader sees; `<br/>` is a line end.
    pub(super) shown: String,
    /// ASCII lower case; what is no claim (code, links, file names, versions) is masked byte for byte.
    pub(super) plain: String,
    columns: Vec<u64>,
    sentences: Vec<Range<usize>>,
}

/// Stands for every byte of what is hidden: no letter, so that words beside it end, and no mark that anything is cut at.
const HIDDEN: &str = "\u{7f}";

/// A table with one cell, so that the cell is read as on its page.
const BEFORE: &str = "| |\n|-|\n| ";

impl Text {
    /// Reads a cell that begins at `column` of its line.
    pub(super) fn read(markdown: &str, column: u64) -> Self {
        let page = format!("{BEFORE}{} |\n", markdown.replace('\n', " "));
        let mut builder =
            Builder { page: &page, column, shown: String::new(), columns: Vec::new(), opaque: Vec::new() };
        let mut link = 0_u32;
        for (event, range) in parser(&page).into_offset_iter() {
            match event {
                Event::Start(Tag::Link { .. } | Tag::Image { .. }) => link += 1,
                Event::End(TagEnd::Link | TagEnd::Image) => link = link.saturating_sub(1),
                Event::Text(text) => builder.push(&text, range, link > 0),
                Event::Code(text) => builder.push(&text, range, true),
                Event::InlineHtml(tag) if tag.starts_with("<br") => builder.push("\n", range, false),
                Event::InlineHtml(tag) if tag.starts_with("<wbr") => {}
                Event::InlineHtml(tag) => builder.push(&tag, range, true),
                Event::SoftBreak | Event::HardBreak => builder.push(" ", range, false),
                _ => {}
            }
        }
        builder.finish()
    }

    /// The text of another row as a reader sees it: with sentences, without places.
    pub(super) fn of_shown(shown: &str) -> Self {
        let mut plain = shown.to_owned();
        plain.make_ascii_lowercase();
        let sentences = sentences(shown, &plain);
        Text { shown: shown.to_owned(), plain, columns: Vec::new(), sentences }
    }

    /// Column on the page of a byte of the text.
    pub(super) fn column(&self, at: usize) -> u64 {
        self.columns.get(at).or(self.columns.last()).copied().unwrap_or(1)
    }

    /// Hides a part from every reader of claims.
    pub(super) fn mask(&mut self, range: Range<usize>) {
        if let Some(part) = self.plain.get(range.clone()) {
            let hidden = HIDDEN.repeat(part.len());
            self.plain.replace_range(range, &hidden);
        }
    }

    /// The sentences in order.
    pub(super) fn sentences(&self) -> &[Range<usize>] {
        &self.sentences
    }

    /// The sentence a byte stands in.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        self.sentences.iter().find(|s| s.contains(&at)).cloned().unwrap_or(0..self.shown.len())
    }

    /// The part of the sentence around a byte that has none of `marks` in it.
    pub(super) fn part(&self, at: usize, marks: &[&str]) -> Range<usize> {
        let sentence = self.sentence(at);
        let before = self.plain.get(sentence.start..at).unwrap_or_default();
        let after = self.plain.get(at..sentence.end).unwrap_or_default();
        let start = marks.iter().filter_map(|m| before.rfind(m).map(|i| i + m.len())).max().unwrap_or(0);
        let end = marks.iter().filter_map(|m| after.find(m)).min().unwrap_or(after.len());
        sentence.start + start..at + end
    }

    /// The clause around a byte: between semicolons, dashes and line ends.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        self.part(at, &["; ", " — ", " – "])
    }

    /// Plain text of a range; empty outside.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.plain.get(range).unwrap_or_default()
    }
}

/// Collects shown text with a column for each byte.
struct Builder<'a> {
    page: &'a str,
    column: u64,
    shown: String,
    columns: Vec<u64>,
    opaque: Vec<bool>,
}

impl Builder<'_> {
    fn push(&mut self, text: &str, range: Range<usize>, opaque: bool) {
        // a resolved reference (`&#123;`) is shorter than its source: all of it stands at its beginning
        let source = self.page.get(range.clone()).unwrap_or_default();
        let at = source.find(text).map_or(range.start, |within| range.start + within);
        let literal = source.contains(text);
        let before = self.page.get(BEFORE.len()..at).unwrap_or_default().chars().count() as u64;
        for (index, c) in text.chars().enumerate() {
            let column = self.column + before + if literal { index as u64 } else { 0 };
            self.columns.extend(std::iter::repeat_n(column, c.len_utf8()));
            self.opaque.extend(std::iter::repeat_n(opaque, c.len_utf8()));
            self.shown.push(c);
        }
    }

    fn finish(self) -> Text {
        let mut bytes = String::with_capacity(self.shown.len());
        for (at, c) in self.shown.char_indices() {
            let hidden =
                self.opaque.get(at).copied().unwrap_or(false) && (c.is_ascii_digit() || c.is_ascii_punctuation());
            bytes.push(if hidden { '_' } else { c.to_ascii_lowercase() });
        }
        let sentences = sentences(&self.shown, &bytes);
        let mut text = Text { shown: self.shown, plain: bytes, columns: self.columns, sentences };
        let names: Vec<Range<usize>> = NO_CLAIM.find_iter(&text.plain).map(|m| m.range()).collect();
        names.into_iter().for_each(|range| text.mask(range));
        text
    }
}

/// File names, paths, addresses, versions, commit ids, issue numbers, percentile names.
static NO_CLAIM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x) https?://\S+ | [\w./-]*\w\.(?:mdx?|json|csv|log|toml|svg|go|js|ts|sql|sh)\b | \b[a-z_][\w.-]*/[\w./-]+
        | \bv\d+(?:\.\d+)*[\w.-]*\b | \b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{3,}\b | \#\d+ | \bp(?:50|75|90|95|99|99\.9)\b | \b\d+(?:\.\d+){2,}\b",
    )
    .expect("a fixed pattern")
});

/// Words with a full stop that end no sentence.
const ABBREVIATIONS: [&str; 6] = ["e.g", "i.e", "approx", "ca", "vs", "resp"];

fn sentences(shown: &str, plain: &str) -> Vec<Range<usize>> {
    let mut cuts = vec![0];
    for (at, c) in plain.char_indices() {
        let rest = shown.get(at + c.len_utf8()..).unwrap_or_default();
        let before = plain.get(..at).unwrap_or_default();
        let stop = matches!(c, '.' | '!' | '?') && rest.starts_with(' ');
        let abbreviation = ABBREVIATIONS.iter().any(|a| before.ends_with(a));
        let next = rest.trim_start().chars().next();
        let item = LIST_ITEM.is_match(plain.get(at..).unwrap_or_default()) && c == '(' && starts_item(before);
        if c == '\n' || stop && !abbreviation && next.is_some_and(|n| !n.is_lowercase()) {
            cuts.push(at + c.len_utf8());
        } else if item && cuts.last().is_some_and(|cut| !plain.get(*cut..at).unwrap_or_default().trim().is_empty()) {
            cuts.push(at);
        }
    }
    cuts.push(shown.len());
    cuts.dedup();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// `(1) ` at the head of a list's item.
static LIST_ITEM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\(\d\) ").expect("a fixed pattern"));

/// True when what stands before lets a list's item begin: the end of a sentence or clause.
fn starts_item(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(['.', ':', ';', ',', '\n']) || before.ends_with(" and")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_bytes_know_their_column_in_the_markdown() {
        let text = Text::read("**150** a\\_b `x 5`<br/>é \\<0.01% [7](y)", 11);
        assert_eq!(text.shown, "150 a_b x 5\né <0.01% 7");
        let column = |part: &str| text.column(text.shown.find(part).unwrap());
        assert_eq!(column("150"), 13);
        assert_eq!(column("b x"), 11 + 11);
        assert_eq!(column("0.01"), 11 + "**150** a\\_b `x 5`<br/>é \\<".chars().count() as u64);
        assert_eq!(text.plain.len(), text.shown.len());
        assert!(!text.plain.contains('5') || !text.plain.contains("x 5"), "code is no claim: {}", text.plain);
    }

    #[test]
    fn names_with_digits_are_masked() {
        let text = Text::read("see v4.17.1, 2026-08-27-503-burst.md, cdde3ab3e and #123, p95: 12 of 3,000", 1);
        let digits: String = text.plain.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, "123000", "{}", text.plain);
    }

    #[test]
    fn sentences_end_at_full_stops_line_ends_and_list_items() {
        let text = Text::read("A 0.5 b. They are two, e.g. c. (1) one; x (2) no item: (3) three<br/>Last", 1);
        let parts: Vec<&str> = text.sentences().iter().map(|s| text.shown[s.clone()].trim()).collect();
        assert_eq!(parts, ["A 0.5 b.", "They are two, e.g. c.", "(1) one; x (2) no item:", "(3) three", "Last"]);
    }

    #[test]
    fn hostile_cells_do_no_harm() {
        for cell in ["", "|", "\\", "`", "[", "<br", "(1) (2)", "é—–", "**", "<x>\u{0}"] {
            let text = Text::read(cell, 1);
            assert_eq!(text.plain.len(), text.shown.len(), "{cell}");
        }
    }
}
