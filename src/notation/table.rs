//! Markdown tables: where the cells of a page stand, and what they show.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::flow::Flow;
pub use super::place::position;

/// A table of a page; ranges are bytes of the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The whole table.
    pub range: Range<usize>,
    /// Heading and body rows in order; each cell's raw Markdown without surrounding space.
    pub rows: Vec<Vec<Range<usize>>>,
}

/// A parser with the options every reader of pages shares, so that they cannot differ.
pub fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Finds the tables of a page in Markdown or MDX.
pub fn tables(page: &str) -> Vec<Table> {
    let flow = Flow::of(page);
    let mut tables = Vec::new();
    let mut table = Table::default();
    for (event, range) in flow.events() {
        match event {
            Event::Start(Tag::Table(_)) => table = Table { range, rows: Vec::new() },
            Event::Start(Tag::TableHead | Tag::TableRow) => table.rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                let cell = trimmed(page, range);
                table.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            Event::End(TagEnd::Table) => tables.push(std::mem::take(&mut table)),
            _ => {}
        }
    }
    tables
}

fn trimmed(page: &str, range: Range<usize>) -> Range<usize> {
    let text = page.get(range.clone()).unwrap_or_default();
    let text = text.strip_suffix('|').unwrap_or(text);
    let start = range.start + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

/// What a cell or a line of Markdown shows: escapes, links, bold and code resolved, `<br/>` a line end.
pub fn shown(markdown: &str) -> String {
    // a heading would be read as one: the text of a cell is inline only, so it is read within a table
    let page = format!("| |\n|-|\n| {} |\n", markdown.replace('\n', " "));
    let mut out = String::new();
    for event in parser(&page) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::InlineHtml(tag) | Event::Html(tag) if is_line_break(&tag) => out.push('\n'),
            Event::InlineHtml(tag) | Event::Html(tag) if tag.starts_with("<wbr") => {}
            Event::InlineHtml(tag) | Event::Html(tag) => out.push_str(&tag),
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            _ => {}
        }
    }
    out.trim().to_owned()
}

/// `<br>`, `<br/>`, `<br />`.
fn is_line_break(tag: &str) -> bool {
    let name = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim();
    name.eq_ignore_ascii_case("br")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(page: &str) -> Vec<Vec<&str>> {
        let rows = tables(page).into_iter().flat_map(|t| t.rows);
        rows.map(|row| row.into_iter().map(|cell| &page[cell]).collect()).collect()
    }

    #[test]
    fn cells_are_found_raw_with_any_padding() {
        let page =
            "x\n\n|Metric|   Value   |\n|:--|:-:|\n| a\\_b | [x](y) **z**  |\n|  c|`d\\|e`<br/>f|\n| g | |\n\ny\n";
        assert_eq!(
            cells(page),
            [vec!["Metric", "Value"], vec!["a\\_b", "[x](y) **z**"], vec!["c", "`d\\|e`<br/>f"], vec!["g", ""]]
        );
    }

    #[test]
    fn an_empty_cell_still_stands_somewhere_in_its_line() {
        let page = "| a | b |\n|---|---|\n| g |   |\n";
        let cell = tables(page)[0].rows[1][1].clone();
        assert_eq!(&page[..cell.start].matches('\n').count(), &2);
    }

    #[test]
    fn several_tables_and_pages_without_any_are_read() {
        assert_eq!(tables("| a |\n|---|\n\ntext\n\n| b |\n|---|\n| c |\n").len(), 2);
        assert!(tables("no table\n| a |\n| b |\n").is_empty());
        assert!(tables("```\n| a |\n|---|\n```\n").is_empty());
    }

    #[test]
    fn shown_text_is_what_a_reader_sees() {
        for (markdown, text) in [
            ("manipulate\\_user", "manipulate_user"),
            ("manipulate_user", "manipulate_user"),
            ("[output](#k6-output)", "output"),
            ("**Scale.** `x` _y_", "Scale. x y"),
            ("a<br/>b<br />c<br>d", "a\nb\nc\nd"),
            ("\\<0.01% a\\|b", "<0.01% a|b"),
            ("http:<wbr/>//x", "http://x"),
            ("# 1. - x", "# 1. - x"),
            ("", ""),
        ] {
            assert_eq!(shown(markdown), text, "{markdown}");
        }
    }
}
