//! Running text of a page: what is said outside the metric table and the code.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::notation::flow::Flow;
use crate::notation::place::Lines;

/// A heading, a paragraph or an item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its Markdown on one line, each character in place of one of the page: line ends, marks of quotations and what MDX
    /// would evaluate are spaces, and `|`, which would end a cell, is `/`.
    pub markdown: String,
    /// Line of its first character, counted from 1.
    pub line: u64,
    /// Column of its first character, counted from 1.
    pub column: u64,
    /// Bytes of the page it takes.
    pub range: Range<usize>,
    /// For each further line the character of [`Passage::markdown`] it begins with.
    line_starts: Vec<u64>,
}

impl Passage {
    /// Line and column on the page of a character of [`Passage::markdown`], counted from 1.
    pub fn place(&self, character: u64) -> (u64, u64) {
        let at = character.saturating_sub(1);
        let further = self.line_starts.partition_point(|start| *start <= at);
        match self.line_starts.get(further.wrapping_sub(1)) {
            Some(start) => (self.line + further as u64, at - start + 1),
            None => (self.line, self.column + at),
        }
    }
}

/// The passages of a page in order.
pub(super) fn passages(page: &str, flow: &Flow, lines: &Lines<'_>) -> Vec<Passage> {
    let mut reader = Reader::default();
    for (event, range) in flow.events() {
        reader.read(&event, range);
    }
    reader.end();
    reader.found.iter().filter_map(|found| found.passage(page, lines)).collect()
}

/// The parts of one passage: what stands between two of them on different lines is no text.
#[derive(Debug, Default)]
struct Found {
    range: Option<Range<usize>>,
    /// From the end of a line to the first word of the next.
    gaps: Vec<Range<usize>>,
    code: Vec<Range<usize>>,
}

#[derive(Default)]
struct Reader {
    found: Vec<Found>,
    current: Found,
    /// How many tables and code blocks are open: what they hold is no running text.
    held: u32,
    line_end: Option<usize>,
}

impl Reader {
    fn read(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_) | Tag::HtmlBlock) => {
                self.end();
                self.held += 1;
            }
            Event::End(TagEnd::Table | TagEnd::CodeBlock | TagEnd::HtmlBlock) => {
                self.held = self.held.saturating_sub(1)
            }
            _ if self.held > 0 => {}
            Event::SoftBreak | Event::HardBreak => self.line_end = Some(range.start),
            Event::Code(_) => {
                self.current.code.push(range.clone());
                self.part(range);
            }
            Event::Text(_) | Event::InlineHtml(_) => self.part(range),
            Event::Start(tag) if is_inline(tag) => self.part(range),
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) => {}
            // every other tag is of a block
            Event::Start(_) | Event::End(_) | Event::Rule => self.end(),
            _ => {}
        }
    }

    fn part(&mut self, part: Range<usize>) {
        if let Some(end) = self.line_end.take().filter(|end| *end < part.start) {
            self.current.gaps.push(end..part.start);
        }
        let whole = self.current.range.get_or_insert_with(|| part.clone());
        whole.end = whole.end.max(part.end);
    }

    fn end(&mut self) {
        self.line_end = None;
        let found = std::mem::take(&mut self.current);
        self.found.extend(found.range.is_some().then_some(found));
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. })
}

impl Found {
    fn passage(&self, page: &str, lines: &Lines<'_>) -> Option<Passage> {
        let range = self.range.clone()?;
        let source = page.get(range.clone())?;
        let mut markdown = String::with_capacity(source.len());
        let mut line_starts = Vec::new();
        let mut evaluated = false;
        let (mut gaps, mut code) = (Inside::of(&self.gaps), Inside::of(&self.code));
        for (count, (at, c)) in source.char_indices().enumerate() {
            let (in_gap, in_code) = (gaps.holds(range.start + at), code.holds(range.start + at));
            let escaped = markdown.ends_with('\\');
            evaluated |= c == '{' && !escaped && !in_code;
            markdown.push(match c {
                _ if evaluated || in_gap || c.is_control() => ' ',
                '|' => '/',
                _ => c,
            });
            evaluated &= c != '}';
            if c == '\n' {
                line_starts.push(count as u64 + 1);
            }
        }
        let (line, column) = lines.position(range.start);
        Some(Passage { markdown, line, column, range, line_starts })
    }
}

/// Whether bytes asked for in order lie within ordered ranges.
struct Inside<'r>(&'r [Range<usize>]);

impl<'r> Inside<'r> {
    fn of(ranges: &'r [Range<usize>]) -> Self {
        Inside(ranges)
    }

    fn holds(&mut self, at: usize) -> bool {
        while let [first, rest @ ..] = self.0
            && first.end <= at
        {
            self.0 = rest;
        }
        self.0.first().is_some_and(|range| range.contains(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: &str) -> Vec<Passage> {
        passages(page, &Flow::of(page), &Lines::of(page))
    }

    /// Every passage's text, each of its words checked to stand where it is said to.
    fn texts(page: &str) -> Vec<String> {
        let read = read(page);
        for passage in &read {
            for (at, word) in passage.markdown.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
                let character = passage.markdown.get(..at).unwrap().chars().count() as u64 + 1;
                let (line, column) = passage.place(character);
                let line = page.trim_start_matches('\u{feff}').lines().nth(line as usize - 1).unwrap();
                assert_eq!(line.chars().nth(column as usize - 1), Some(word), "{passage:?}");
            }
        }
        read.iter().map(|p| p.markdown.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn headings_paragraphs_and_items_are_read_with_their_places() {
        let page = "# One *two*\n\nthree **four**\nfive é `six`\n\n- seven\n- eight\n  nine\n  - ten\n\n1. eleven\n\n   twelve\n";
        let expected = ["One *two*", "three **four** five é `six`", "seven", "eight nine", "ten", "eleven", "twelve"];
        assert_eq!(texts(page), expected);
        assert_eq!(texts(&page.replace('\n', "\r\n")), expected);
        assert_eq!(texts(&format!("\u{feff}{page}")), expected);
    }

    #[test]
    fn marks_of_quotations_and_indentation_are_no_text() {
        assert_eq!(texts("> one\n> **two**\nthree\n"), ["one **two** three"]);
        assert_eq!(texts("<Note>\n    one\n    two\n</Note>\n"), ["one two"]);
    }

    #[test]
    fn tables_code_comments_and_expressions_are_no_running_text() {
        assert_eq!(texts("| a |\n|---|\n| b |\n\n```\nc\n```\n\n{/* d */}\n\ne {f} g\n"), ["e g"]);
        assert_eq!(texts("shown \\{a\\} and `{b}` | c\n"), ["shown \\{a\\} and `{b}` / c"]);
        assert!(texts("<!-- 5 requests failed -->\n\n<Chart a={5} />\n").is_empty());
    }

    #[test]
    fn hostile_pages_do_no_harm() {
        for page in ["", "{", "}", "\\", "> ", "- ", "#", "**", "a\n\n\n{", "|", "[a](", "<b>\n>"] {
            read(page);
        }
    }
}
