//! Generated sections: the intro, k6's output, the import of the chart data.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::text::{line_end, line_of};
use super::{Fate, PieceKind, Same, Sides, State, Texts, Work, decide, same};
use crate::notation::table::parser;
use crate::notation::{escape, front_matter};
use crate::render::is_chart_import;

/// How the sections are found on a page and compared.
const SECTIONS: [(&str, Find, Same); 3] =
    [("intro", intro, same::prose), ("k6 output", k6_output, same::code), ("chart import", chart_import, same::line)];

/// Finds a section on a page, given what was generated for it before.
type Find = for<'a> fn(&'a str, Option<&str>) -> Option<Found>;

/// A section as it stands on a page.
struct Found {
    text: String,
    /// What is replaced.
    range: Range<usize>,
    /// What an intro, a block or an import is written as.
    form: Form,
}

enum Form {
    Line,
    /// The inside of a code block with this fence.
    Code {
        fence: String,
        block: Range<usize>,
        info: String,
    },
    /// A block in a list or a quotation, or one that is never closed: it cannot be written to.
    Fixed,
}

pub(super) fn merge(sides: &Sides<'_>, work: &mut Work) {
    for (name, find, same) in SECTIONS {
        let base = sides.base.and_then(|base| base.sections.get(name)).map(String::as_str);
        let new = sides.new.sections.get(name).map(String::as_str);
        if base.is_none() && new.is_none() {
            continue;
        }
        let found = find(sides.page, base.or(new));
        let texts = Texts { ours: found.as_ref().map(|found| found.text.as_str()), base, new };
        let forced = sides.forced.piece(name);
        match (&found, new) {
            (Some(found), Some(new)) => present(sides, (name, same, forced), found, texts, new, work),
            // what was generated stands there and is out of date; the text around it is the template's
            (Some(found), None) => {
                work.note(PieceKind::Section, name, State::Conflict, Some(found.range.start), texts);
            }
            (None, Some(_)) => {
                let state = if base.is_some() || sides.base.is_none() { State::Removed } else { State::Conflict };
                work.note(PieceKind::Section, name, state, None, texts);
            }
            (None, None) => {}
        }
    }
}

fn present(
    sides: &Sides<'_>,
    (name, same, forced): (&str, Same, bool),
    found: &Found,
    texts: Texts<'_>,
    new: &str,
    work: &mut Work,
) {
    let at = Some(found.range.start);
    match decide(texts.base, &found.text, new, same, forced) {
        Fate::Same => {}
        Fate::Keep(state) => work.note(PieceKind::Section, name, state, at, texts),
        Fate::Replace(state) => match written(sides.page, found, new) {
            Some((range, text)) => {
                work.edits.replace(range, text);
                work.note(PieceKind::Section, name, state, at, texts);
            }
            None => work.note(PieceKind::Section, name, State::Conflict, at, texts),
        },
    }
}

fn written(page: &str, found: &Found, new: &str) -> Option<(Range<usize>, String)> {
    let line_end = line_end(page);
    let text = new.replace('\n', line_end);
    match &found.form {
        Form::Fixed => None,
        Form::Line => Some((found.range.clone(), text)),
        Form::Code { fence, block, info } => {
            let needed = escape::fence(new);
            if fence.starts_with('~') && !new.contains("~~~") || fence.starts_with('`') && needed.len() <= fence.len() {
                return Some((found.range.clone(), format!("{text}{line_end}")));
            }
            Some((block.clone(), format!("{needed}{info}{line_end}{text}{line_end}{needed}")))
        }
    }
}

/// The paragraph that says what was generated, wherever it stands; else the first one before any heading.
fn intro(page: &str, base: Option<&str>) -> Option<Found> {
    let mut found: Vec<(Range<usize>, bool)> = Vec::new();
    let (mut seen_heading, mut depth) = (false, 0_usize);
    for (event, range) in body(page) {
        match event {
            Event::Start(Tag::Paragraph) if depth == 0 => {
                found.extend(without_program(page, range).map(|range| (range, seen_heading)));
            }
            Event::Start(Tag::Heading { .. }) => seen_heading = true,
            Event::Start(Tag::List(_) | Tag::BlockQuote(_) | Tag::Table(_)) => depth += 1,
            Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_) | TagEnd::Table) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let text = |range: &Range<usize>| page.get(range.clone()).unwrap_or_default();
    let says_it = |(range, _): &&(Range<usize>, bool)| base.is_some_and(|base| same::prose(text(range), base));
    let first = || found.iter().find(|(_, behind_heading)| !behind_heading);
    let (range, _) = found.iter().find(says_it).or_else(first)?;
    Some(Found { text: text(range).to_owned(), range: range.clone(), form: Form::Line })
}

/// The events of a page behind its front matter, with their places on the page.
fn body(page: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let from = front_matter::read(page).length;
    let moved = move |range: Range<usize>| range.start + from..range.end + from;
    parser(page.get(from..).unwrap_or_default()).into_offset_iter().map(move |(event, range)| (event, moved(range)))
}

/// A paragraph without the import and export lines a Markdown parser takes for its beginning, and without its line end.
fn without_program(page: &str, range: Range<usize>) -> Option<Range<usize>> {
    let text = page.get(range.clone())?;
    let is_program = |line: &&str| line.starts_with("import ") || line.starts_with("export ");
    let skipped: usize = text.split_inclusive('\n').take_while(is_program).map(str::len).sum();
    let end = range.start + text.trim_end().len();
    (range.start + skipped < end).then_some(range.start + skipped..end)
}

/// The code block that says what was generated, wherever it stands; else one that reads like k6's output, else the first
/// under a heading that speaks of k6.
fn k6_output(page: &str, base: Option<&str>) -> Option<Found> {
    const MARKS: [&str; 3] = ["http_req_duration", "iterations..", "TOTAL RESULTS"];
    let mut blocks = code_blocks(page);
    let says_it = |(found, _): &(Found, bool)| base.is_some_and(|base| same::code(&found.text, base));
    let reads_like_k6 = |(found, _): &(Found, bool)| MARKS.iter().any(|mark| found.text.contains(mark));
    let at = blocks.iter().position(says_it).or_else(|| blocks.iter().position(reads_like_k6));
    let at = at.or_else(|| blocks.iter().position(|(_, under_k6)| *under_k6))?;
    Some(blocks.swap_remove(at).0)
}

/// The fenced blocks of a page, each with whether the heading above it speaks of k6.
fn code_blocks(page: &str) -> Vec<(Found, bool)> {
    let mut blocks = Vec::new();
    let mut under_k6 = false;
    let mut open: Option<(Range<usize>, String)> = None;
    for (event, range) in body(page) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3, .. }) => {
                under_k6 = page.get(range).is_some_and(|title| title.to_lowercase().contains("k6"));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => open = Some((range, String::new())),
            Event::Text(text) => {
                if let Some((_, content)) = &mut open {
                    content.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((block, content)) = open.take() {
                    blocks.push((block_at(page, block, content), under_k6));
                }
            }
            _ => {}
        }
    }
    blocks
}

fn block_at(page: &str, block: Range<usize>, content: String) -> Found {
    let text = content.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
    let whole = page.get(block.clone()).unwrap_or_default();
    let block = block.start..block.start + whole.trim_end().len();
    let whole = page.get(block.clone()).unwrap_or_default();
    let opening = line_of(page, block.start);
    let closing = line_of(page, block.end.saturating_sub(1));
    let line = |range: &Range<usize>| page.get(range.clone()).unwrap_or_default();
    let mark = whole.chars().next().unwrap_or('`');
    let fence: String = whole.chars().take_while(|c| *c == mark).collect();
    let info = line(&opening).trim().trim_start_matches(mark).to_owned();
    let is_closed = opening.end <= closing.start && line(&closing).trim_end().trim_matches(mark).is_empty();
    let inside = opening.end..closing.start;
    match is_closed && opening.start == block.start && line(&closing).starts_with(fence.as_str()) {
        true => Found { text, range: inside, form: Form::Code { fence, block, info } },
        false => Found { text, range: block, form: Form::Fixed },
    }
}

/// The line that imports the chart data.
fn chart_import(page: &str, _: Option<&str>) -> Option<Found> {
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        if is_chart_import(line) {
            let text = line.trim_end().to_owned();
            return Some(Found { range: at..at + text.len(), text, form: Form::Line });
        }
        at += line.len();
    }
    None
}
