//! What keeps a page from being built, or builds it into something else than it says.

mod bounds;
pub(super) mod components;

use markdown::mdast::Node;
use markdown::message::{Message, Place as MdxPlace};
use markdown::{Constructs, MdxSignal as Signal, ParseOptions, to_mdast};

use crate::model::{Fault, Place, Result};
use crate::notation::place::position;

/// Something wrong with a page as a site would build it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, counted from 1.
    pub line: u64,
    /// Column in characters, counted from 1.
    pub column: u64,
    /// What kind of problem.
    pub kind: ProblemKind,
    /// What is wrong and what was expected.
    pub message: String,
}

/// Kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The page does not compile as MDX.
    Syntax,
    /// The page compiles, and its text is evaluated as a program.
    Expression,
    /// A table that readers would not see, or not whole.
    Table,
}

/// Options every MDX parse shares: MDX, GitHub's tables, strikethrough and autolinks, front matter.
fn options() -> ParseOptions {
    let constructs = Constructs {
        frontmatter: true,
        gfm_autolink_literal: true,
        gfm_strikethrough: true,
        gfm_table: true,
        ..Constructs::mdx()
    };
    // without a function for it the parser takes `import` for text
    ParseOptions { constructs, mdx_esm_parse: Some(Box::new(esm)), ..ParseOptions::mdx() }
}

/// Tells program text from a paragraph that happens to begin with `import` or `export`.
///
/// Looks at imports only, each of which ends with the quoted name of a module; a full parser of the language would be out
/// of proportion, and the site's own build has one.
fn esm(block: &str) -> Signal {
    let ends_with_module = |line: &str| line.trim_end().trim_end_matches(';').ends_with(['"', '\'']);
    match block.lines().find(|line| line.starts_with("import ") && !line.contains('{') && !ends_with_module(line)) {
        None => Signal::Ok,
        Some(line) => {
            let reason = format!("expected a module's name in quotes at the end of `{line}`");
            Signal::Error(reason, 0, Box::new("sweepdoc".into()), Box::new("esm".into()))
        }
    }
}

/// Parses a page as MDX into its tree.
///
/// # Errors
///
/// Returns what the compiler would refuse, with its position, and what is beyond [`bounds`].
pub(super) fn parse(page: &str) -> std::result::Result<Node, Problem> {
    match bounds::exceeded(page) {
        Some(problem) => Err(problem),
        None => to_mdast(page, &options()).map_err(|message| syntax_problem(&message)),
    }
}

fn syntax_problem(message: &Message) -> Problem {
    let (line, column) = match message.place.as_deref() {
        Some(MdxPlace::Point(point)) => (point.line, point.column),
        Some(MdxPlace::Position(position)) => (position.start.line, position.start.column),
        None => (1, 1),
    };
    let reason = message.reason.replace('\n', " ");
    let mut chars = reason.chars();
    let lower = chars.next().map(|c| c.to_lowercase().to_string() + chars.as_str()).unwrap_or_default();
    Problem {
        line: line as u64,
        column: column as u64,
        kind: ProblemKind::Syntax,
        message: format!("does not compile as MDX: {}", lower.trim_end_matches('.')),
    }
}

/// Everything wrong with an MDX page, in the order of its lines; empty for a sound one.
///
/// A page that does not compile has that one problem besides those of its tables.
pub fn problems(page: &str) -> Vec<Problem> {
    let mut problems = table_problems(page);
    match parse(page) {
        Ok(tree) => expressions(&tree, &mut problems),
        Err(problem) => problems.push(problem),
    }
    problems.sort_by_key(|p| (p.line, p.column));
    problems
}

/// Accepts an MDX page, or refuses it with its first problem.
///
/// `template` is the page's template: an expression that stands there too was put there by its author.
///
/// # Errors
///
/// Fails with line, what is wrong and the line's text.
pub fn verify(place: &Place, page: &str, template: &str) -> Result<()> {
    let authored =
        |problem: &Problem| problem.kind == ProblemKind::Expression && template.contains(excerpt(page, problem.line));
    match problems(page).into_iter().find(|problem| !authored(problem)) {
        Some(problem) => Err(fault(place, page, &problem)),
        None => Ok(()),
    }
}

/// Refuses a plain Markdown page with a broken table.
///
/// # Errors
///
/// As [`verify`].
pub fn verify_markdown(place: &Place, page: &str) -> Result<()> {
    table_problems(page).first().map_or(Ok(()), |problem| Err(fault(place, page, problem)))
}

fn fault(place: &Place, page: &str, problem: &Problem) -> Fault {
    let line: String = excerpt(page, problem.line).chars().take(120).collect();
    let message = format!("column {}: {} in `{}`", problem.column, problem.message, line.trim());
    Fault::at(place.clone().line(problem.line), message)
}

fn excerpt(page: &str, line: u64) -> &str {
    page.lines().nth(usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1)).unwrap_or_default()
}

/// `{name}` in running text: it compiles, then prints something else or throws when the page is opened.
fn expressions(node: &Node, problems: &mut Vec<Problem>) {
    let expression = match node {
        Node::MdxTextExpression(e) => Some((&e.value, &e.position)),
        Node::MdxFlowExpression(e) => Some((&e.value, &e.position)),
        _ => None,
    };
    if let Some((value, place)) = expression.filter(|(value, _)| !is_comment(value)) {
        let start = place.as_ref().map(|p| (p.start.line as u64, p.start.column as u64));
        let (line, column) = start.unwrap_or((1, 1));
        let message = format!("`{{{}}}` would be evaluated, not shown", value.replace('\n', " "));
        problems.push(Problem { line, column, kind: ProblemKind::Expression, message });
    }
    node.children().into_iter().flatten().for_each(|child| expressions(child, problems));
}

fn is_comment(value: &str) -> bool {
    let value = value.trim();
    value.is_empty() || (value.starts_with("/*") && value.ends_with("*/") && value.matches("*/").count() == 1)
}

/// Tables whose second line does not make them one, and rows with more cells than their table has columns.
///
/// Parsers are silent about both: the first shows as running text, of the second the rest is dropped.
fn table_problems(page: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut fence: Option<&str> = None;
    let mut columns: Option<usize> = None;
    let mut before = "";
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        let text = line.trim();
        match fence {
            Some(open) => {
                if text.starts_with(open) && text.trim_start_matches(['`', '~']).is_empty() {
                    fence = None;
                }
            }
            None => {
                fence = opening_fence(text);
                let start = at + (line.len() - line.trim_start().len());
                match columns {
                    Some(columns) if text.starts_with('|') => problems.extend(too_many(page, start, text, columns)),
                    Some(_) => columns = None,
                    None if before.starts_with('|') && is_meant_as_delimiter(text) => {
                        let header = cells(before).len();
                        match delimiter_fault(text, header) {
                            Some(message) => problems.push(table_problem(page, start, message)),
                            None => columns = Some(header),
                        }
                    }
                    None => {}
                }
            }
        }
        before = if fence.is_none() { text } else { "" };
        at += line.len();
    }
    problems
}

fn opening_fence(line: &str) -> Option<&str> {
    let run = |mark: char| line.len() - line.trim_start_matches(mark).len();
    let length = run('`').max(run('~'));
    if length >= 3 { line.get(..length) } else { None }
}

fn is_meant_as_delimiter(line: &str) -> bool {
    line.starts_with('|') && line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

fn delimiter_fault(line: &str, header: usize) -> Option<String> {
    let cells = cells(line);
    if let Some(bad) = cells.iter().find(|cell| !is_delimiter(cell)) {
        let bad: String = bad.chars().take(20).collect();
        return Some(format!(
            "no table is shown: `{bad}` in its second line is no column, expected dashes with an optional `:` at either end"
        ));
    }
    (cells.len() != header)
        .then(|| format!("no table is shown: its first line has {header} cells, its second has {}", cells.len()))
}

fn is_delimiter(cell: &str) -> bool {
    let dashes = cell.strip_prefix(':').unwrap_or(cell);
    let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
    !dashes.is_empty() && dashes.chars().all(|c| c == '-')
}

fn too_many(page: &str, start: usize, line: &str, columns: usize) -> Option<Problem> {
    let found = cells(line).len();
    (found > columns).then(|| {
        let message =
            format!("the row has {found} cells, its table {columns}: what follows an unescaped `|` is not shown");
        table_problem(page, start, message)
    })
}

fn table_problem(page: &str, at: usize, message: String) -> Problem {
    let (line, column) = position(page, at);
    Problem { line, column, kind: ProblemKind::Table, message }
}

/// The cells of a table's line, split at each `|` no backslash precedes.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.strip_prefix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, c) in inner.char_indices() {
        if c == '|' && !escaped {
            cells.push(inner.get(start..at).unwrap_or_default().trim());
            start = at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    let last = inner.get(start..).unwrap_or_default().trim();
    if !last.is_empty() {
        cells.push(last);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(page: &str) -> Vec<(u64, u64, ProblemKind)> {
        problems(page).into_iter().map(|p| (p.line, p.column, p.kind)).collect()
    }

    #[test]
    fn a_sound_page_has_no_problems() {
        let page = "---\ntitle: x\n---\n\nimport X from \"./x.json\";\n\n{/* sweepdoc:summary */}\n\n| a | b |\n| :-- | --: |\n| `{x}` | \\{y\\} <br/> |\n\n<Chart data={X} />\n\n```bash\n{ <x\n| a |\n|-:-|\n```\n";
        assert_eq!(of(page), []);
    }

    #[test]
    fn what_fails_the_build_is_reported_where_it_stands() {
        // each was compiled with the reference compiler and refused
        for (page, line) in [
            ("a\n\np95 <5s\n", 3),
            ("a <200ms\n", 1),
            ("| a |\n|---|\n| x <br> y |\n", 3),
            ("a\n\n<!-- marker -->\n", 3),
            ("a\n\nopen {brace\n", 3),
            ("import the results from last week\n", 1),
        ] {
            let problems = problems(page);
            assert_eq!(problems.len(), 1, "{page}: {problems:?}");
            assert_eq!((problems[0].kind, problems[0].line), (ProblemKind::Syntax, line), "{problems:?}");
            assert!(problems[0].message.starts_with("does not compile as MDX: "));
        }
    }

    #[test]
    fn expressions_compile_and_are_reported_all_the_same() {
        assert_eq!(of("a\n\nok {status} x\n"), [(3, 4, ProblemKind::Expression)]);
        assert_eq!(of("| a |\n|---|\n| {1+1} |\n"), [(3, 3, ProblemKind::Expression)]);
        assert_eq!(of("{x}\n"), [(1, 1, ProblemKind::Expression)]);
        assert_eq!(of("{/* a */ b /* c */}\n"), [(1, 1, ProblemKind::Expression)]);
    }

    #[test]
    fn an_invalid_delimiter_row_is_reported() {
        let page = "| Metric | Value |\n|-:------|-:-----|\n| a | b |\n";
        let problem = &problems(page)[0];
        assert_eq!((problem.line, problem.kind), (2, ProblemKind::Table));
        assert_eq!(
            problem.message,
            "no table is shown: `-:------` in its second line is no column, expected dashes with an optional `:` at either end"
        );
        let short = problems("| a | b |\n|---|\n");
        assert!(short[0].message.ends_with("its first line has 2 cells, its second has 1"), "{short:?}");
    }

    #[test]
    fn a_bare_pipe_that_drops_text_is_reported() {
        assert_eq!(of("| a | b |\n|---|---|\n| x | y | z |\n"), [(3, 1, ProblemKind::Table)]);
        assert_eq!(of("| a | b |\n|---|---|\n| x | y \\| z |\n"), []);
    }

    #[test]
    fn a_page_is_refused_with_place_excerpt_and_reason() {
        let fault = verify(&Place::file("p/index.mdx"), "a\n\nok {status} x\n", "").unwrap_err();
        assert_eq!(
            fault.to_string(),
            "p/index.mdx:3: column 4: `{status}` would be evaluated, not shown in `ok {status} x`"
        );
        assert!(verify(&Place::file("p"), "a {b}\n", "x\na {b}\n").is_ok(), "the template's author wrote it");
        assert!(verify_markdown(&Place::file("p"), "a {b} <5\n").is_ok());
    }

    #[test]
    fn the_broken_template_of_the_real_pages_is_reported_and_the_good_one_is_not() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/real-pages/");
        let Ok(broken) = std::fs::read_to_string(format!("{dir}_template-before-4.17.mdx")) else { return };
        let problems_found = problems(&broken);
        assert_eq!(problems_found.len(), 1, "{problems_found:?}");
        assert_eq!((problems_found[0].line, problems_found[0].kind), (9, ProblemKind::Table));
        let Ok(good) = std::fs::read_to_string(format!("{dir}_template.mdx")) else { return };
        assert_eq!(problems(&good), []);
    }
}
