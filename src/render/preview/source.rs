//! A page's Markdown without what only a site's build understands, every byte where it was.

use markdown::mdast::Node;

use crate::render::mdx;

/// A page as plain Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// The text; front matter, imports, comments and components are blank, so that places stay as they were.
    pub text: String,
    /// Byte of the first component: where a page has its chart.
    pub chart: Option<usize>,
}

/// Blanks what is no Markdown. A page that does not compile as MDX is taken as the Markdown it is.
pub(super) fn plain(page: &str) -> Source {
    let mut source = Source { text: page.to_owned(), chart: None };
    let Ok(tree) = mdx::parse(page) else {
        blank(&mut source.text, 0..front_matter_end(page));
        return source;
    };
    for node in tree.children().into_iter().flatten() {
        let is_component = matches!(node, Node::MdxJsxFlowElement(_));
        let is_code = matches!(node, Node::MdxjsEsm(_) | Node::MdxFlowExpression(_) | Node::Yaml(_));
        let Some(position) = node.position().filter(|_| is_component || is_code) else { continue };
        if is_component && source.chart.is_none() {
            source.chart = Some(position.start.offset);
        }
        blank(&mut source.text, position.start.offset..position.end.offset);
    }
    source
}

/// Writes spaces over a range, line ends kept.
fn blank(text: &mut String, range: std::ops::Range<usize>) {
    let Some(old) = text.get(range.clone()) else { return };
    let spaces: String =
        old.bytes().map(|byte| if byte == b'\n' || byte == b'\r' { byte as char } else { ' ' }).collect();
    text.replace_range(range, &spaces);
}

/// Where the text after the front matter begins.
fn front_matter_end(page: &str) -> usize {
    let Some(rest) = page.strip_prefix("---\n") else { return 0 };
    rest.find("\n---\n").map_or(0, |end| "---\n".len() + end + "\n---\n".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_on_its_line_and_the_chart_is_found() {
        let page =
            "---\ntitle: x\n---\n\nimport A from \"./a.json\";\n\nText\n\n{/* no */}\n\n<Chart data={A} />\n\nEnd\n";
        let source = plain(page);
        assert_eq!(source.text.len(), page.len());
        let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
        assert_eq!(lines, ["", "", "", "", "", "", "Text", "", "", "", "", "", "End"]);
        assert_eq!(source.chart, page.find("<Chart"));
    }

    #[test]
    fn a_page_that_does_not_compile_is_shown_as_markdown() {
        let page = "---\ntitle: x\n---\n\nat <200ms {broken\n";
        let source = plain(page);
        assert_eq!(source.text.trim(), "at <200ms {broken");
        assert_eq!(source.chart, None);
    }
}
