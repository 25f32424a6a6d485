//! A page as a Markdown parser may read it: without what only MDX knows, and with the way back to the page's bytes.
//!
//! MDX takes the text between two tags of a component for Markdown, with or without blank lines, however far it is indented. A
//! Markdown parser takes all of it for HTML or code, an import for a paragraph, a comment for text, front matter for a heading.

use std::ops::Range;

use pulldown_cmark::Event;

use super::front_matter;
use super::table::parser;

/// The Markdown of a page.
#[derive(Debug, Clone)]
pub struct Flow {
    text: String,
    /// Where bytes were left out: from here on the text's bytes are the page's at the second number.
    moved: Vec<(usize, usize)>,
}

/// HTML elements whose content is no Markdown anywhere.
const LITERAL: [&str; 4] = ["pre", "script", "style", "textarea"];
/// HTML elements that are never closed.
const VOID: [&str; 5] = ["br", "hr", "img", "input", "wbr"];

impl Flow {
    /// Reads a page; never fails. What is left out of it is replaced by spaces, or taken off the beginning of a line.
    pub fn of(page: &str) -> Self {
        let mut flow = Builder::default();
        let front = front_matter::read(page).length;
        let mut at = 0;
        for line in page.split_inclusive('\n') {
            if at < front || line.starts_with('\u{feff}') && at == 0 {
                let marks = if at < front { line } else { "\u{feff}" };
                flow.blank(marks, at);
                flow.line(line.get(marks.len()..).unwrap_or_default(), at + marks.len());
            } else {
                flow.line(line, at);
            }
            at += line.len();
        }
        Flow { text: flow.text, moved: flow.moved }
    }

    /// What a parser makes of it, with ranges of bytes of the page.
    pub fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        parser(&self.text).into_offset_iter().map(|(event, range)| (event, self.on_page(range)))
    }

    fn on_page(&self, range: Range<usize>) -> Range<usize> {
        let start = self.byte(range.start);
        // the end may be a line's beginning that was moved: the byte before it is what belongs to the range
        let end = if range.is_empty() { start } else { self.byte(range.end - 1) + 1 };
        start..end
    }

    fn byte(&self, at: usize) -> usize {
        let before = self.moved.partition_point(|(from, _)| *from <= at);
        self.moved.get(before.wrapping_sub(1)).map_or(at, |(from, page)| page + (at - from))
    }
}

/// Where a line of the page stands.
#[derive(Debug, Default)]
struct Builder {
    text: String,
    moved: Vec<(usize, usize)>,
    /// The marks that opened a code block, until they close it.
    fence: Option<String>,
    /// Indentation of what stands between tags, for each open tag; `None` until its first line.
    wrappers: Vec<Option<usize>>,
    /// A comment, tag or export that goes on.
    open: Option<Open>,
    /// True when the line before was none of a paragraph.
    fresh: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Comment,
    Tag,
    Export,
}

impl Builder {
    fn line(&mut self, line: &str, at: usize) {
        let indent = self.indentation(line);
        if indent > 0 {
            self.moved.push((self.text.len(), at + indent));
        }
        let line = line.get(indent..).unwrap_or_default();
        let text = line.trim();
        if self.fence.is_some() || self.open.is_none() && opening(text).is_some() {
            self.code(line, text);
            return;
        }
        let program = match self.open {
            Some(Open::Comment) | None => self.program(text),
            Some(_) => true,
        };
        match program {
            true => self.blanked(line),
            false => self.prose(line),
        }
        self.fresh = text.is_empty() || program;
    }

    /// How much of a line's beginning is the indentation of the tag it stands in.
    fn indentation(&mut self, line: &str) -> usize {
        let own = line.len() - line.trim_start_matches([' ', '\t']).len();
        let Some(wrapper) = self.wrappers.last_mut() else { return 0 };
        if line.trim().is_empty() {
            return 0;
        }
        own.min(*wrapper.get_or_insert(own))
    }

    fn code(&mut self, line: &str, text: &str) {
        self.fence = match self.fence.take() {
            None => opening(text).map(str::to_owned),
            Some(open) => {
                let closes = text.starts_with(&open) && text.trim_matches(['`', '~']).is_empty();
                (!closes).then_some(open)
            }
        };
        self.text.push_str(line);
        self.fresh = true;
    }

    /// True for a line that is an import, an export or nothing but tags.
    fn program(&mut self, text: &str) -> bool {
        if self.open.is_some() {
            return false;
        }
        if self.fresh || self.text.is_empty() {
            let import = text.starts_with("import ") && (text.contains(" from ") || text.contains(['"', '\'']));
            let exported = text.strip_prefix("export ").is_some_and(|what| {
                ["const ", "let ", "function ", "default ", "{", "*"].iter().any(|word| what.starts_with(word))
            });
            if import || exported {
                self.open = unbalanced(text).then_some(Open::Export);
                return true;
            }
        }
        self.tags(text)
    }

    /// Reads a line of nothing but tags; false, and nothing changed, when there is something else.
    fn tags(&mut self, text: &str) -> bool {
        let mut rest = text;
        let mut wrappers = self.wrappers.clone();
        let mut found = false;
        while let Some(tag) = Tag::read(rest) {
            if LITERAL.contains(&tag.name) {
                return false;
            }
            match tag.kind {
                TagKind::Opening if VOID.contains(&tag.name) => {}
                TagKind::Opening => wrappers.push(None),
                TagKind::Closing => drop(wrappers.pop()),
                TagKind::SelfClosing => {}
                TagKind::Unfinished => {
                    // what it opens is known at its end
                    self.wrappers = wrappers;
                    self.open = Some(Open::Tag);
                    return true;
                }
            }
            found = true;
            rest = tag.rest.trim_start();
        }
        if found && rest.is_empty() {
            self.wrappers = wrappers;
        }
        found && rest.is_empty()
    }

    /// A line of program text: spaces, and whether it goes on.
    fn blanked(&mut self, line: &str) {
        let text = line.trim();
        match self.open {
            Some(Open::Tag) if text.ends_with("/>") => self.open = None,
            Some(Open::Tag) if text.ends_with('>') && !text.ends_with("=>") => {
                self.open = None;
                self.wrappers.push(None);
            }
            // a tag or export that is never closed ends with its paragraph, as text does
            Some(Open::Tag | Open::Export) if text.is_empty() => self.open = None,
            Some(Open::Export) if line.starts_with(['}', ']']) => self.open = None,
            _ => {}
        }
        self.spaces(line);
    }

    /// A line of Markdown, its comments replaced by spaces.
    fn prose(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            if self.open == Some(Open::Comment) {
                let end = rest.find("*/}").map_or(rest.len(), |end| end + "*/}".len());
                let (comment, after) = rest.split_at(end);
                if comment.ends_with("*/}") {
                    self.open = None;
                }
                self.spaces(comment);
                rest = after;
            } else {
                let end = comment(rest).unwrap_or(rest.len());
                let (markdown, after) = rest.split_at(end);
                self.text.push_str(markdown);
                if !after.is_empty() {
                    self.open = Some(Open::Comment);
                }
                rest = after;
            }
        }
    }

    /// Leaves out what stands at the beginning of a page, lines kept.
    fn blank(&mut self, text: &str, at: usize) {
        debug_assert_eq!(at, self.text.len(), "nothing was left out before");
        self.spaces(text);
        self.fresh = true;
    }

    fn spaces(&mut self, text: &str) {
        let space = |byte: u8| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
        self.text.extend(text.bytes().map(space));
    }
}

/// The marks that open a code block.
fn opening(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.len() - text.trim_start_matches(mark).len();
    let info = text.get(length..)?;
    (length >= 3 && !(mark == '`' && info.contains('`'))).then(|| text.get(..length)).flatten()
}

fn unbalanced(text: &str) -> bool {
    let count = |marks: [char; 2]| text.matches(marks).count();
    count(['{', '[']) > count(['}', ']'])
}

/// Where a comment begins that is not within code.
fn comment(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find(['`', '{']) {
        at += found;
        let rest = text.get(at..)?;
        if rest.starts_with("{/*") {
            return Some(at);
        }
        let marks = rest.len() - rest.trim_start_matches('`').len();
        let code = rest.get(marks..)?.find(rest.get(..marks)?).filter(|_| marks > 0);
        at += code.map_or(marks.max(1), |code| marks + code + marks);
    }
    None
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Opening,
    Closing,
    SelfClosing,
    Unfinished,
}

/// A tag of JSX or HTML at the beginning of a text.
struct Tag<'t> {
    name: &'t str,
    kind: TagKind,
    rest: &'t str,
}

impl<'t> Tag<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let inside = text.strip_prefix('<')?;
        let closing = inside.strip_prefix('/');
        let inside = closing.unwrap_or(inside);
        let length =
            inside.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))).unwrap_or(inside.len());
        let (name, attributes) = inside.split_at(length);
        // `<>` is a fragment; `<https://…>` and `<5` are none
        let is_name =
            name.is_empty() && attributes.starts_with('>') || name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_name || !attributes.is_empty() && !attributes.starts_with([' ', '\t', '/', '>']) {
            return None;
        }
        let Some(end) = tag_end(attributes) else {
            return Some(Tag { name, kind: TagKind::Unfinished, rest: "" });
        };
        let kind = match (closing, attributes.get(..end)?.ends_with('/')) {
            (Some(_), _) => TagKind::Closing,
            (None, true) => TagKind::SelfClosing,
            (None, false) => TagKind::Opening,
        };
        Some(Tag { name, kind, rest: attributes.get(end + 1..)? })
    }
}

/// The `>` that ends a tag: none within quotes or braces.
fn tag_end(attributes: &str) -> Option<usize> {
    let (mut quote, mut braces) = (None, 0_u32);
    for (at, c) in attributes.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, '>') if braces == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
