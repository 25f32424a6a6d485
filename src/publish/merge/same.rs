//! Whether two pieces of Markdown say the same: escapes, padding, `<br>` in any spelling and line breaks within a paragraph
//! are a formatter's business, not an edit.

use pulldown_cmark::{Event, Tag};

use crate::notation::table::parser;

/// For cells of a table.
pub(super) fn cell(a: &str, b: &str) -> bool {
    let table = |cell: &str| format!("| |\n|-|\n| {cell} |\n");
    a == b || said(&table(a)) == said(&table(b))
}

/// For paragraphs.
pub(super) fn prose(a: &str, b: &str) -> bool {
    a == b || said(a) == said(b)
}

/// For the inside of code blocks: line ends and blanks at the end of a line do not count.
pub(super) fn code(a: &str, b: &str) -> bool {
    let lines = |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    a == b || lines(a) == lines(b)
}

/// For short texts of one line.
pub(super) fn line(a: &str, b: &str) -> bool {
    a.trim() == b.trim()
}

/// What a parser makes of a text: neighbouring texts joined, runs of white space one blank.
fn said(markdown: &str) -> Vec<String> {
    let mut said = Vec::new();
    let mut text = String::new();
    for event in parser(markdown) {
        let mark = match event {
            Event::Text(part) => {
                text.push_str(&part);
                continue;
            }
            Event::SoftBreak => {
                text.push(' ');
                continue;
            }
            Event::HardBreak => "break".to_owned(),
            Event::InlineHtml(tag) | Event::Html(tag) => html(&tag),
            Event::Code(code) => format!("code {code}"),
            Event::Start(Tag::Link { dest_url, title, .. }) => format!("link {dest_url} {title}"),
            Event::Start(Tag::Image { dest_url, title, .. }) => format!("image {dest_url} {title}"),
            Event::Start(tag) => format!("start {:?}", tag.to_end()),
            other => format!("{other:?}"),
        };
        flush(&mut text, &mut said);
        said.push(mark);
    }
    flush(&mut text, &mut said);
    without_blanks_at_breaks(said)
}

/// Begins a text, as opposed to a mark.
const TEXT: &str = "text ";

fn flush(text: &mut String, said: &mut Vec<String>) {
    if text.is_empty() {
        return;
    }
    let mut single = String::from(TEXT);
    for c in text.drain(..) {
        match c.is_whitespace() {
            true if single.ends_with(' ') && single.len() > TEXT.len() => {}
            true => single.push(' '),
            false => single.push(c),
        }
    }
    said.push(single);
}

/// A tag in one spelling.
fn html(tag: &str) -> String {
    let inner = tag.trim().trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim();
    if inner.eq_ignore_ascii_case("br") { "break".to_owned() } else { format!("<{inner}>") }
}

/// Blanks around a line break, and at either end of the whole, show nothing.
fn without_blanks_at_breaks(mut said: Vec<String>) -> Vec<String> {
    let edge = |mark: Option<&String>| {
        mark.is_none_or(|mark| mark == "break" || mark.contains("Cell") || mark.contains("Paragraph"))
    };
    for at in 0..said.len() {
        let (before, after) = (at.checked_sub(1).and_then(|i| said.get(i)), said.get(at + 1));
        let (trim_start, trim_end) = (edge(before), edge(after));
        let Some(text) = said.get_mut(at).filter(|text| text.starts_with(TEXT)) else { continue };
        let inner = text.get(TEXT.len()..).unwrap_or_default();
        let inner = if trim_start { inner.trim_start() } else { inner };
        let inner = if trim_end { inner.trim_end() } else { inner };
        *text = format!("{TEXT}{inner}");
    }
    said.retain(|text| text != TEXT);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_formatter_does_to_a_cell_is_no_edit() {
        for (a, b) in [
            ("manipulate_user", "manipulate\\_user"),
            ("a<br/>b", "a <br /> b"),
            ("*x* **y**", "_x_ __y__"),
            ("\\<0.01% a\\|b", "<0.01% a\\|b"),
            ("\\[x]", "\\[x\\]"),
            ("a  b", "a b"),
            ("[o](#k6-output)", "[o](<#k6-output>)"),
            ("http:<wbr/>//x", "http:<wbr />//x"),
            ("", "  "),
        ] {
            assert!(cell(a, b), "{a} {b}");
        }
    }

    #[test]
    fn every_other_difference_is_one() {
        for (a, b) in [
            ("200", "201"),
            ("a b", "ab"),
            ("a **b**", "a**b**"),
            ("**x**", "x"),
            ("`x`", "x"),
            ("`a  b`", "`a b`"),
            ("[o](#a)", "[o](#b)"),
            ("a<br/>b", "a b"),
            ("none", ""),
            ("x", "X"),
            ("text a", "break"),
        ] {
            assert!(!cell(a, b), "{a} {b}");
        }
    }

    #[test]
    fn a_paragraph_may_be_wrapped_and_code_may_lose_blanks_at_line_ends() {
        assert!(prose("a b\nc", "a\nb c\n"));
        assert!(!prose("a b", "a b.") && !prose("a  \nb", "a b"));
        assert!(code("a  \r\nb\n", "a\nb"));
        assert!(!code("  a\nb", "a\nb"));
        assert!(line("./a ", "./a") && !line("a", "b"));
    }
}
