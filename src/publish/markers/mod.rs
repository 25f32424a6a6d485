//! The generated block within a text that people write: found by its markers, replaced or appended, every other byte kept.
//!
//! A marker is a comment on a line of its own: `<!-- sweepdoc:summary -->` or, as MDX wants it, `{/* sweepdoc:summary */}`; the
//! block ends with the same comment and a slash before its word. A name behind the word tells several blocks apart. What
//! stands in code is no marker.

mod scan;

use std::path::Path;

use crate::model::{Fault, Place, Result};
use crate::notation::table::position;
use scan::{BOM, WORD, blocks, code};

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
            text.push_str(&gap(self.before, newline));
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
fn gap(before: &str, newline: &str) -> String {
    let text = before.trim_start_matches(BOM);
    let before_last_end = text.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest));
    let missing = match before_last_end {
        _ if text.is_empty() => 0,
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => 0,
        Some(_) => 1,
        None => 2,
    };
    newline.repeat(missing)
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

#[cfg(test)]
mod tests;
