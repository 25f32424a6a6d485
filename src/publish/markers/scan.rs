//! Finds the markers of a text and pairs them up.

use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, Tag};
use regex::Regex;

use super::Comments;
use crate::model::{Fault, Place, Result};
use crate::notation::table::{parser, position};

/// What the markers hold.
pub(super) const WORD: &str = "sweepdoc:summary";

/// Byte order mark: no part of the first line.
pub(super) const BOM: char = '\u{feff}';

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker<'t> {
    /// The comment itself.
    text: &'t str,
    /// Name of its block.
    pub name: Option<&'t str>,
    closes: bool,
    /// Its whole line, line end included.
    pub line: Range<usize>,
    /// Space before it.
    pub indent: &'t str,
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
pub(super) struct Block<'t> {
    pub opening: Marker<'t>,
    pub closing: Marker<'t>,
}

/// The blocks of a text in their order.
///
/// # Errors
///
/// Fails on markers that do not pair up, on two blocks of one name and on a marker that shares its line.
pub(super) fn blocks<'t>(text: &'t str, file: &Path, comments: Comments) -> Result<Vec<Block<'t>>> {
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
pub(super) fn code(text: &str, comments: Comments) -> Vec<Range<usize>> {
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
