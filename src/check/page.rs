//! A published page read back: front matter, metric table, k6 block, intro, chart data.

use std::ops::Range;

use indexmap::IndexMap;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::passage::{Passage, passages};
use crate::notation::escape;
use crate::notation::flow::Flow;
use crate::notation::front_matter;
use crate::notation::place::Lines;
use crate::notation::table::{parser, shown};
use crate::rows::{Origin, RowId, find, metric_tables};

/// What a page says, each part with its place. Every part may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Front matter fields: the value and its line.
    pub front_matter: IndexMap<String, (String, u64)>,
    /// Rows of the metric table in order; empty when the page has no such table.
    pub rows: Vec<PageRow>,
    /// Lines of further tables with rows of that kind, which are not read.
    pub more_tables: Vec<u64>,
    /// Running text: headings, paragraphs and items of lists, in order.
    pub passages: Vec<Passage>,
    /// The block of k6's output.
    pub k6_block: Option<Part>,
    /// The first paragraph of running text, before any heading.
    pub intro: Option<Part>,
    /// Path of the chart data the page imports, relative to the page.
    pub chart_import: Option<Part>,
}

/// One row of the metric table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRow {
    /// Which known row it is; `None` for a label of the author's own.
    pub id: Option<RowId>,
    /// Its label as a reader sees it.
    pub label: String,
    /// Its value as it stands there: Markdown, without surrounding space.
    pub raw: String,
    /// Its value as a reader sees it, `<br/>` as a line end.
    pub text: String,
    /// Line, counted from 1.
    pub line: u64,
    /// Column of the value in characters, counted from 1.
    pub column: u64,
    /// Bytes of the page its value takes.
    pub range: Range<usize>,
}

impl PageRow {
    /// Column of some words of the value: those at or behind byte `at` of [`PageRow::text`]; the value's when they stand there
    /// in another spelling.
    pub(super) fn column_of(&self, words: &str, at: usize) -> u64 {
        let words = words.lines().next().unwrap_or_default();
        if words.is_empty() {
            return self.column;
        }
        let earlier = self.text.get(..at).map_or(0, |before| before.matches(words).count());
        let before = self.raw.match_indices(words).nth(earlier).and_then(|(at, _)| self.raw.get(..at));
        self.column + before.map_or(0, |before| before.chars().count() as u64)
    }
}

/// A piece of a page with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its text; of a code block what stands between the fences, of a paragraph its Markdown.
    pub text: String,
    /// Line of its first character, counted from 1.
    pub line: u64,
    /// Column of its first character, counted from 1.
    pub column: u64,
    /// Bytes of the page it takes.
    pub range: Range<usize>,
}

impl Page {
    /// Reads a page in Markdown or MDX. Reading never fails: what a page does not have is absent.
    ///
    /// `product` tells rows such as `ZITADEL location` from others of that form; without it any words stand for it.
    pub fn read(page: &str, product: Option<&str>) -> Self {
        let front = front_matter::read(page);
        let (flow, lines) = (Flow::of(page), Lines::of(page));
        let blocks = Blocks::of(page, &flow);
        let mut tables = metric_tables(page, product).into_iter();
        Page {
            rows: tables.next().map(|table| rows(page, &lines, &table.rows, product)).unwrap_or_default(),
            more_tables: tables.map(|table| lines.position(table.range.start).0).collect(),
            passages: passages(page, &flow, &lines),
            k6_block: blocks.k6_block(page).map(|range| part(page, &lines, range)),
            intro: blocks.intro.clone().map(|range| part(page, &lines, range)),
            chart_import: chart_import(page).map(|range| part(page, &lines, range)),
            front_matter: front.fields,
        }
    }

    /// The row of a known kind; the first one, should there be two.
    pub fn row(&self, id: RowId) -> Option<&PageRow> {
        self.rows.iter().find(|row| row.id == Some(id))
    }
}

/// The rows only people know, by label, as a project file would state them: for taking over published pages.
///
/// Rows that data knows and judgements are left out, and so are empty ones. Values stay Markdown; needless escapes are dropped
/// where the value shows the same without them.
pub fn facts_of(page: &Page) -> IndexMap<String, String> {
    let known_by_people = |row: &&PageRow| {
        let origin = crate::rows::KNOWN.iter().find(|known| Some(known.id) == row.id).map(|known| known.origin);
        !row.text.is_empty() && origin.is_none_or(|origin| origin == Origin::Fact)
    };
    page.rows.iter().filter(known_by_people).map(|row| (row.label.clone(), as_fact(&row.raw))).collect()
}

/// Drops the escapes a fact does not need: all of them, if the cell then still shows the same.
fn as_fact(raw: &str) -> String {
    let mut plain = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let escape = c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
        if !escape {
            plain.push(c);
        } else if let Some(escaped) = chars.next() {
            plain.push(escaped);
        }
    }
    // what a parser makes of it decides, `[x](y)` must not become a link
    if events(&escape::fact(&plain)) == events(&escape::fact(raw)) { plain } else { without_pipe_escapes(raw) }
}

/// A fact's bare `|` is escaped when it is written.
fn without_pipe_escapes(raw: &str) -> String {
    if raw.contains("\\\\") { raw.to_owned() } else { raw.replace("\\|", "|") }
}

/// What a parser makes of a cell, neighbouring texts joined.
fn events(cell: &str) -> Vec<String> {
    let mut events: Vec<String> = Vec::new();
    let mut text = String::new();
    for event in parser(&format!("| |\n|-|\n| {cell} |\n")) {
        match event {
            Event::Text(part) => text.push_str(&part),
            other => {
                if !text.is_empty() {
                    events.push(std::mem::take(&mut text));
                }
                events.push(format!("{other:?}"));
            }
        }
    }
    events
}

fn rows(page: &str, lines: &Lines<'_>, table: &[Vec<Range<usize>>], product: Option<&str>) -> Vec<PageRow> {
    let row = |cells: &Vec<Range<usize>>| {
        let label = shown(page.get(cells.first()?.clone())?);
        let range = cells.get(1)?.clone();
        let raw = page.get(range.clone())?.to_owned();
        let (line, column) = lines.position(range.start);
        Some(PageRow {
            id: find(&label, product).map(|row| row.id),
            text: shown(&raw),
            label,
            raw,
            line,
            column,
            range,
        })
    };
    table.iter().skip(1).filter_map(row).collect()
}

fn part(page: &str, lines: &Lines<'_>, range: Range<usize>) -> Part {
    let (line, column) = lines.position(range.start);
    let text = page.get(range.clone()).unwrap_or_default().trim_end().to_owned();
    Part { line, column, range: range.start..range.start + text.len(), text }
}

/// The blocks of a page that matter here.
#[derive(Default)]
struct Blocks {
    intro: Option<Range<usize>>,
    /// Content of each code block and whether the heading above it speaks of k6.
    code: Vec<(Range<usize>, bool)>,
}

impl Blocks {
    fn of(page: &str, flow: &Flow) -> Self {
        let mut blocks = Blocks::default();
        let mut seen_heading = false;
        let mut under_k6 = false;
        let mut heading: Option<Range<usize>> = None;
        let mut code: Option<Range<usize>> = None;
        for (event, range) in flow.events() {
            match event {
                Event::Start(Tag::Heading {
                    level: HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3, ..
                }) => {
                    (seen_heading, heading) = (true, Some(range));
                }
                Event::End(TagEnd::Heading(_)) => {
                    let title = heading.take().and_then(|range| page.get(range)).unwrap_or_default();
                    under_k6 = title.to_lowercase().contains("k6");
                }
                Event::Start(Tag::Paragraph) if !seen_heading && blocks.intro.is_none() => {
                    blocks.intro = Some(range);
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => code = Some(range.end..range.end),
                Event::Text(_) => {
                    if let Some(open) = &mut code {
                        *open = open.start.min(range.start)..range.end;
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.code.extend(code.take().map(|range| (range, under_k6))),
                _ => {}
            }
        }
        blocks
    }

    /// The block that reads like k6's output, else the first under a heading that speaks of k6.
    fn k6_block(&self, page: &str) -> Option<Range<usize>> {
        const MARKS: [&str; 3] = ["http_req_duration", "iterations..", "TOTAL RESULTS"];
        let reads_like_k6 = |range: &Range<usize>| {
            page.get(range.clone()).is_some_and(|text| MARKS.iter().any(|mark| text.contains(mark)))
        };
        let like = self.code.iter().find(|(range, _)| reads_like_k6(range));
        let under = || self.code.iter().find(|(_, under_k6)| *under_k6);
        like.or_else(under).map(|(range, _)| range.clone())
    }
}

/// The first import of a JSON file.
fn chart_import(page: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        if line.starts_with("import ")
            && let Some(path) = quoted(line)
            && path.ends_with(".json")
            && let Some(column) = line.find(path)
        {
            return Some(at + column..at + column + path.len());
        }
        at += line.len();
    }
    None
}

/// What stands in quotes at the end of a line.
fn quoted(line: &str) -> Option<&str> {
    let line = line.trim_end().trim_end_matches(';');
    let mark = line.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    line.strip_suffix(mark)?.rsplit_once(mark).map(|(_, path)| path)
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
