use markdown::mdast::Node;
use markdown::{Constructs, MdxSignal, ParseOptions, to_mdast};
use pulldown_cmark::{Event, Options, Parser};

use super::*;

fn mdx() -> ParseOptions {
    let constructs =
        Constructs { gfm_table: true, gfm_strikethrough: true, gfm_autolink_literal: true, ..Constructs::mdx() };
    // with a function for it the parser takes a leading `import` for program text, as compilers do
    ParseOptions { constructs, mdx_esm_parse: Some(Box::new(|_| MdxSignal::Ok)), ..ParseOptions::mdx() }
}

/// The text a node shows; anything but text, code and our own break stands out by its name.
fn shown(node: &Node, out: &mut String) {
    match node {
        Node::Text(text) => out.push_str(&text.value),
        Node::InlineCode(code) => out.push_str(&format!("[code {}]", code.value)),
        Node::MdxJsxTextElement(e) if e.name.as_deref() == Some("wbr") => {}
        Node::Root(_) | Node::Table(_) | Node::TableRow(_) | Node::Paragraph(_) => {
            node.children().into_iter().flatten().for_each(|child| shown(child, out));
        }
        Node::TableCell(_) => {
            node.children().into_iter().flatten().for_each(|child| shown(child, out));
            out.push('\t');
        }
        other => out.push_str(&format!("[{other:?}]")),
    }
}

fn shown_in_mdx_cell(cell: &str) -> String {
    let page = format!("| a | b |\n| :-- | :-- |\n| x | {cell} |\n");
    let tree = to_mdast(&page, &mdx()).unwrap_or_else(|e| panic!("{cell:?} does not compile: {e}"));
    let mut out = String::new();
    shown(&tree, &mut out);
    out.strip_prefix("a\tb\tx\t").and_then(|s| s.strip_suffix('\t')).unwrap_or_else(|| panic!("{out}")).to_owned()
}

fn shown_in_mdx_paragraph(text: &str) -> String {
    let tree = to_mdast(text, &mdx()).unwrap_or_else(|e| panic!("{text:?} does not compile: {e}"));
    let mut out = String::new();
    shown(&tree, &mut out);
    out
}

fn shown_in_markdown_cell(cell: &str) -> String {
    let page = format!("| a | b |\n| :-- | :-- |\n| x | {cell} |\n");
    let mut out = String::new();
    for event in Parser::new_ext(&page, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(text) => out.push_str(&text),
            Event::End(pulldown_cmark::TagEnd::TableCell) => out.push('\t'),
            Event::InlineHtml(html) if &*html == "<wbr/>" => {}
            Event::Start(pulldown_cmark::Tag::Table(_) | pulldown_cmark::Tag::TableHead)
            | Event::Start(pulldown_cmark::Tag::TableRow | pulldown_cmark::Tag::TableCell)
            | Event::End(_) => {}
            other => out.push_str(&format!("[{other:?}]")),
        }
    }
    out.strip_prefix("a\tb\tx\t").and_then(|s| s.strip_suffix('\t')).unwrap_or_else(|| panic!("{out}")).to_owned()
}

/// Every reader shows exactly the text.
fn stays_literal(text: &str) {
    let escaped = cell(text);
    assert_eq!(shown_in_mdx_cell(&escaped), text, "MDX cell, written {escaped}");
    assert_eq!(shown_in_markdown_cell(&escaped), text, "Markdown cell, written {escaped}");
    let escaped = prose(text);
    assert_eq!(shown_in_mdx_paragraph(&escaped), text, "MDX prose, written {escaped}");
}

macro_rules! literal {
    ($($name:ident: $($text:expr),+;)+) => { $(
        #[test]
        fn $name() {
            $(stays_literal($text);)+
        }
    )+ };
}

literal! {
    braces_are_no_expression: "ok {status}", "{1+1}", "}", "{", "{/* x */}", "a{b}c", "{{ x }}", "{% x %}";
    less_than_is_no_element: "<200ms", "p95 <5s", "<br>", "<script>alert(1)</script>", "a<b", "</div>", "<!-- x -->", "<>";
    greater_than_is_no_quote: "> x", "a > b", "-->";
    pipe_does_not_end_the_cell: "a|b", "|", "||", "a | b", "\\|", "a\\|b", "\\\\|";
    backtick_is_no_code: "`x`", "```", "a`b", "``", "`|`";
    tilde_is_no_strike: "~x~", "~~x~~", "~~~", "~28min";
    star_is_no_emphasis: "*x*", "**x**", "* x", "a*b*c", "***";
    underscore_is_no_emphasis: "_x_", "__x__", "a_b_c", "_", "a _b_ c", "manipulate_user", "a_", "___";
    bracket_is_no_link: "[x](y)", "![x](y)", "[x]: y", "[ ] x", "[^1]", "[x]";
    backslash_is_itself: "\\", "a\\", "\\n", "\\\\", "\\*", "C:\\temp", "\\<";
    ampersand_is_no_reference: "&amp;", "&#123;", "&lt;", "R&D", "&", "a & b", "&copy;";
    dollar_is_no_formula: "$x$", "$";
    hash_is_no_heading: "# x", "## x", "#", "#1", "a # b";
    dash_is_no_list: "- x", "-", "---", "-x", "--- | ---", ":-- | :--";
    plus_and_equals_begin_nothing: "+ x", "===", "=", "+";
    number_is_no_list: "1. x", "1) x", "12. x", "2026. x", "1.5s";
    colon_begins_no_directive: ":::note", "::x", ":smile:", "a:b:c", "13:43:19", ":100:", "x :+1: y";
    import_is_no_program: "import x from 'y'", "export default 1", "export const a = 1", "important", "import", "export";
    url_is_no_link: "https://example.org/a_b?c=1&d=2", "http://x", "see HTTPS://EXAMPLE.ORG", "ftp://x.y", "www.example.org", "WWW.Example.org", "x www.";
    address_is_no_link: "me@example.org", "mailto:me@example.org", "@someone", "a@b", "<me@example.org>";
    quotes_and_other_marks_stay: "\"quoted\"", "it's", "50%", "a, b; c", "(x)", "ünïcödé 漢字 🎉", "a/b", "?!";
    everything_at_once: "ok {status} <200> a|b", "![x](javascript:alert(1)) `{y}` | ~z~ <!-- & --> \\";
}

#[test]
fn links_are_not_recognised_even_after_escapes_are_resolved() {
    // sites search the text once more when backslashes are gone: no single text node may hold a whole link
    for text in ["https://example.org", "www.example.org", "me@example.org", ":smile:"] {
        let escaped = cell(text);
        let parts: Vec<&str> = escaped.split("<wbr/>").collect();
        assert_eq!(parts.len(), 2, "{escaped}");
        assert!(parts.iter().all(|part| !part.contains("://") && !part.contains("www.") && !part.contains("@e")));
    }
}

#[test]
fn terminal_colours_and_control_characters_are_gone() {
    assert_eq!(cell("\u{1b}[31mred\u{1b}[0m \u{1b}[1;32mgreen\u{1b}[m"), "red green");
    assert_eq!(cell("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}"), "link");
    assert_eq!(cell("\u{1b}]0;title\u{1b}\\text\u{1b}(B"), "text");
    assert_eq!(cell("a\u{0}b\u{8}c\u{7f}d\u{9b}e"), "abcde");
    assert_eq!(cell("\u{1b}"), "");
    assert_eq!(cell("\u{1b}[31"), "");
    assert_eq!(cell("\u{1b}]never ended"), "");
}

#[test]
fn line_ends_and_tabs_become_one_space() {
    assert_eq!(cell("a\nb\r\nc\rd\t e\u{2028}f"), "a b c d e f");
    assert_eq!(cell("\n a \n"), "a");
}

#[test]
fn direction_marks_cannot_make_a_text_read_as_another() {
    assert_eq!(cell("a\u{202e}cba\u{202c}\u{2066}x\u{2069}\u{200b}\u{feff}"), "acbax");
}

#[test]
fn nothing_to_see_is_an_empty_text() {
    assert_eq!(cell(""), "");
    assert_eq!(prose(" \u{200b}\n"), "");
}

#[test]
fn fence_is_longer_than_any_run_in_the_text() {
    assert_eq!(fenced("a", "bash"), "```bash\na\n```");
    assert_eq!(fenced("```\nx\n````\n", "bash"), "`````bash\n```\nx\n````\n`````");
    let tree = to_mdast(&fenced("```\n{x} <y\n\u{1b}[1m````", "bash"), &mdx()).unwrap();
    let Some([Node::Code(code)]) = tree.children().map(Vec::as_slice) else { panic!("{tree:?}") };
    assert_eq!(code.value, "```\n{x} <y\n````");
}

#[test]
fn code_keeps_its_lines_and_tabs() {
    assert_eq!(code("a\r\n\tb\rc\u{0}\u{202e}\n\n"), "a\n\tb\nc");
}

#[test]
fn facts_keep_their_markdown() {
    for same in ["**bold** [link](https://x) `code`", "a<br/>b", "a<br />b", "\\[x\\]", "a \\| b", "a\\\\"] {
        assert_eq!(fact(same), same);
    }
    assert_eq!(fact("vCPU: 6\nMemory: 6 Gi\r\n"), "vCPU: 6<br/>Memory: 6 Gi");
    assert_eq!(fact("a<br>b"), "a<br/>b");
    assert_eq!(fact("a | b"), "a \\| b");
    assert_eq!(fact("`a|b`"), "`a\\|b`");
    assert_eq!(fact("a\\\\| b"), "a\\\\\\| b");
    assert_eq!(fact("a\\"), "a\\\\");
}

mod property {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_shown_as_it_is(text in "[ -~\u{e9}\u{4e2d}\n\t]{0,40}") {
            stays_literal(&visible(&text));
        }

        #[test]
        fn hostile_marks_are_shown_as_they_are(text in "[{}<>|`~*_\\[\\]\\\\!#\\-+=:&$@/w.1a ]{0,24}") {
            stays_literal(&visible(&text));
        }

        #[test]
        fn any_text_fits_a_code_block(text in "[`~ax\n{<]{0,40}") {
            let tree = to_mdast(&fenced(&text, "bash"), &mdx()).unwrap();
            let Some([Node::Code(block)]) = tree.children().map(Vec::as_slice) else { panic!("{tree:?}") };
            prop_assert_eq!(&block.value, &code(&text));
        }
    }
}
