//! The generated block within a text that people write: found by its markers, replaced or appended, every other byte kept.
//!
//! A marker is a comment on a line of its own: `<!-- sweepdoc:summary -->` or, as MDX wants it, `{/* sweepdoc:summary */}`; the
//! block ends with the same comment and a slash before its word. A name behind the word tells several blocks apart. What
//! stands in code is no marker.

use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, Tag};
use regex::Regex;

use crate::model::{Fault, Place, Result};
use crate::notation::table::{parser, position};

/// How comments are written where the block goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comments {
    /// `<!-- … -->`: Markdown, and the texts of pull requests.
    Html,
    /// `{/* … */}`: MDX, which refuses the other form and knows no indented code.
    Mdx,
}

/// Which block of a text is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// That of a version: the one that bears its name, else the one without a name, else a new one, which bears the version's
    /// name where the text has other blocks.
    OfVersion(Option<&'a str>),
    /// The one of this name, else a new one of this name.
    Named(&'a str),
}

impl<'a> Wanted<'a> {
    /// The names to look for, the first that is there decides.
    fn names(self) -> Vec<Option<&'a str>> {
        match self {
            Wanted::OfVersion(Some(version)) => vec![Some(version), None],
            Wanted::OfVersion(None) => vec![None],
            Wanted::Named(name) => vec![Some(name)],
        }
    }

    /// The name of a new block in a text that has others or none.
    fn new_name(self, has_others: bool) -> Option<&'a str> {
        match self {
            Wanted::OfVersion(version) => version.filter(|_| has_others),
            Wanted::Named(name) => Some(name),
        }
    }
}

/// The place of the block within a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot<'t> {
    /// Everything up to the block's content, an existing opening marker included.
    before: &'t str,
    /// Everything from the closing marker on.
    after: &'t str,
    /// Line end of the block.
    newline: &'static str,
    /// What every line of the block begins with, as its marker does.
    indent: &'t str,
    /// Opening and closing marker to be added; `None` where they are there.
    added: Option<(String, String)>,
}

impl Slot<'_> {
    /// The text with this content as the block's, lines ending as the text's do. What stood in the block is gone, and nothing
    /// else has changed.
    pub fn with(&self, content: &str) -> String {
        let newline = self.newline;
        let mut text = self.before.to_owned();
        if let Some((opening, _)) = &self.added {
            text.push_str(gap(self.before, newline));
            text.push_str(opening);
            text.push_str(newline);
        }
        text.push_str(newline);
        for line in content.lines() {
            text.push_str(if line.is_empty() { "" } else { self.indent });
            text.push_str(line);
            text.push_str(newline);
        }
        text.push_str(newline);
        if let Some((_, closing)) = &self.added {
            text.push_str(closing);
            // a text that did not end with a line end still does not
            text.push_str(if self.before.is_empty() || self.before.ends_with('\n') { newline } else { "" });
        }
        text.push_str(self.after);
        text
    }

    /// True when the text had no block yet.
    pub fn is_new(&self) -> bool {
        self.added.is_some()
    }
}

/// What has to come between a text and a block behind it, so that an empty line parts them.
fn gap(before: &str, newline: &'static str) -> &'static str {
    let before = before.trim_start_matches(BOM);
    match (before.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest)), newline) {
        (_, _) if before.is_empty() => "",
        (Some(rest), _) if rest.is_empty() || rest.ends_with('\n') => "",
        (Some(_), newline) => newline,
        (None, "\r\n") => "\r\n\r\n",
        (None, _) => "\n\n",
    }
}

/// Finds the block that is meant, or the place for a new one at the text's end. `file` is for messages.
///
/// # Errors
///
/// Fails, naming the line, on markers that do not pair up, on one block within another, on two blocks of one name and on a
/// marker that shares its line; on a text that ends within code, where a new block would be code too; and on a name that
/// cannot stand in a comment.
pub fn slot<'t>(text: &'t str, file: &Path, comments: Comments, wanted: Wanted<'_>) -> Result<Slot<'t>> {
    let blocks = blocks(text, file, comments)?;
    let named = |name: Option<&str>| blocks.iter().find(|block| block.opening.name == name);
    if let Some(block) = wanted.names().into_iter().find_map(named) {
        let line = &block.opening.line;
        return Ok(Slot {
            before: text.get(..line.end).unwrap_or_default(),
            after: text.get(block.closing.line.start..).unwrap_or_default(),
            newline: line_end(text.get(line.clone()).unwrap_or_default()),
            indent: block.opening.indent,
            added: None,
        });
    }
    let name = wanted.new_name(!blocks.is_empty());
    let slot = Slot {
        before: text,
        after: "",
        newline: line_end(text.split_inclusive('\n').next().unwrap_or_default()),
        indent: "",
        added: Some(new_markers(comments, name, file)?),
    };
    refuse_hidden(&slot, file, comments, blocks.len())?;
    Ok(slot)
}

fn line_end(line: &str) -> &'static str {
    if line.ends_with("\r\n") { "\r\n" } else { "\n" }
}

fn new_markers(comments: Comments, name: Option<&str>, file: &Path) -> Result<(String, String)> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
    if let Some(name) = name.filter(|name| name.contains("--") || !name.chars().all(plain)) {
        let message = format!("`{}` cannot be the name of a block in a comment", name.escape_debug());
        return Err(Fault::at(Place::file(file), message)
            .hint("write the two markers into the text yourself, without a name or with another one"));
    }
    let word = name.map_or_else(|| WORD.to_owned(), |name| format!("{WORD} {name}"));
    Ok(match comments {
        Comments::Html => (format!("<!-- {word} -->"), format!("<!-- /{WORD} -->")),
        Comments::Mdx => (format!("{{/* {word} */}}"), format!("{{/* /{WORD} */}}")),
    })
}

/// A block appended to a text that ends within code would be code itself, and would be appended again the next time.
fn refuse_hidden(slot: &Slot<'_>, file: &Path, comments: Comments, known: usize) -> Result<()> {
    let text = slot.with("");
    if blocks(&text, file, comments)?.len() == known + 1 {
        return Ok(());
    }
    let open = code(&text, comments).into_iter().rfind(|range| range.end + 1 >= text.len());
    let line = open.map_or(1, |range| position(&text, range.start).0);
    Err(Fault::at(Place::file(file).line(line), "expected the code that begins here to end, found the end of the text")
        .hint("close the code block; a table behind it would be part of it"))
}

/// What the markers hold.
const WORD: &str = "sweepdoc:summary";

const BOM: char = '\u{feff}';

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Marker<'t> {
    /// The comment itself.
    text: &'t str,
    name: Option<&'t str>,
    closes: bool,
    /// Its whole line, line end included.
    line: Range<usize>,
    /// Space before it.
    indent: &'t str,
}

impl Marker<'_> {
    fn is_mdx(&self) -> bool {
        self.text.starts_with('{')
    }

    fn place(&self, text: &str, file: &Path) -> Place {
        Place::file(file).line(position(text, self.line.start).0)
    }
}

/// Two markers that belong together.
struct Block<'t> {
    opening: Marker<'t>,
    closing: Marker<'t>,
}

fn blocks<'t>(text: &'t str, file: &Path, comments: Comments) -> Result<Vec<Block<'t>>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    let mut open: Option<Marker<'t>> = None;
    for marker in markers(text, file, comments)? {
        let fault = |message: String| Err(Fault::at(marker.place(text, file), message));
        match (open.take(), marker.closes) {
            (None, false) => {
                let twin = blocks.iter().find(|block| block.opening.name == marker.name);
                if let Some(first) = twin.map(|block| position(text, block.opening.line.start).0) {
                    return fault(format!("expected one block `{}`, found another on line {first}", marker.text));
                }
                open = Some(marker);
            }
            (Some(opening), true) if belong_together(&opening, &marker) => {
                blocks.push(Block { opening, closing: marker });
            }
            (Some(opening), _) => {
                let line = position(text, opening.line.start).0;
                let expected = format!("expected the end of the block `{}` of line {line}", opening.text);
                return fault(format!("{expected}, found `{}`", marker.text));
            }
            (None, true) => return fault(format!("found `{}` without a block it ends", marker.text)),
        }
    }
    match open {
        None => Ok(blocks),
        Some(opening) => {
            let message = format!("expected the block `{}` to end, found the end of the text", opening.text);
            Err(Fault::at(opening.place(text, file), message).hint("a marker within a code block is none"))
        }
    }
}

/// The closing marker is of the same form, and either bears the name of the opening one or none.
fn belong_together(opening: &Marker<'_>, closing: &Marker<'_>) -> bool {
    opening.is_mdx() == closing.is_mdx() && (closing.name.is_none() || closing.name == opening.name)
}

fn markers<'t>(text: &'t str, file: &Path, comments: Comments) -> Result<Vec<Marker<'t>>> {
    static MARKER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let inner = r"[ \t]*(/?)sweepdoc:summary(?:[ \t]+([^\s>}][^\r\n>}]*?))?[ \t]*";
        Regex::new(&format!(r"<!--{inner}-->|\{{/\*{inner}\*/\}}")).ok()
    });
    let Some(pattern) = MARKER.as_ref() else { return Ok(Vec::new()) };
    let code = code(text, comments);
    let mut markers = Vec::new();
    for found in pattern.captures_iter(text) {
        let Some(comment) = found.get(0) else { continue };
        if code.iter().any(|range| range.contains(&comment.start())) {
            continue;
        }
        let group = |html, mdx| found.get(html).or_else(|| found.get(mdx)).map(|group| group.as_str());
        let line = line_of(text, comment.range());
        let before = text.get(line.start..comment.start()).unwrap_or_default().trim_start_matches(BOM);
        let after = text.get(comment.end()..line.end).unwrap_or_default();
        let marker = Marker {
            text: comment.as_str(),
            name: group(2, 4),
            closes: group(1, 3) == Some("/"),
            line,
            indent: before,
        };
        if !before.trim().is_empty() || !after.trim().is_empty() {
            let message = format!("expected `{}` on a line of its own, found other text beside it", marker.text);
            return Err(Fault::at(marker.place(text, file), message)
                .hint("a marker that is only spoken of belongs in backticks"));
        }
        markers.push(marker);
    }
    Ok(markers)
}

fn line_of(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end = text.get(range.end..).and_then(|after| after.find('\n')).map_or(text.len(), |at| range.end + at + 1);
    start..end
}

/// Where code stands: blocks and spans.
fn code(text: &str, comments: Comments) -> Vec<Range<usize>> {
    let content = text.trim_start_matches(BOM);
    let skipped = text.len() - content.len();
    let is_code = |event: &Event<'_>| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => comments == Comments::Html,
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) | Event::Code(_) => true,
        _ => false,
    };
    let ranges = parser(content).into_offset_iter().filter(|(event, _)| is_code(event));
    ranges.map(|(_, range)| range.start + skipped..range.end + skipped).collect()
}

#[cfg(test)]
#[path = "markers_tests.rs"]
mod tests;
