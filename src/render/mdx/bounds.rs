//! What the MDX parser is not asked to read: it overflows the stack on deep nesting, which no caller could catch, and takes
//! time by the square of a page's marks.

use super::{Problem, ProblemKind, opening_fence};

/// Quotations and lists within each other; two columns of indentation count as one.
const DEEPEST_BLOCK: usize = 100;
/// Tags of a page but for `<br/>` and its like: all may be nested, and which are is only known to who parses them.
const MOST_TAGS: usize = 1_000;
/// `|` of a page: a table of a run has some hundred.
const MOST_PIPES: usize = 20_000;
/// Marks of emphasis and links between two empty lines, which may all be nested.
const MOST_MARKS: usize = 5_000;

/// The first line where a page is beyond what is parsed, and by what.
pub(super) fn exceeded(page: &str) -> Option<Problem> {
    let (mut tags, mut pipes, mut marks) = (0, 0, 0);
    let mut fence: Option<&str> = None;
    for (line, number) in page.lines().zip(1..) {
        if let Some(open) = fence {
            // k6's output may hold any number of marks, and none of them is nested
            let closes = line.trim().starts_with(open) && line.trim().trim_matches(['`', '~']).is_empty();
            fence = fence.filter(|_| !closes);
            continue;
        }
        // with a backtick behind its marks it is code within a line
        fence = opening_fence(line.trim()).filter(|marks| !line.trim().trim_start_matches(marks).contains('`'));
        tags += opened(line);
        pipes += line.matches('|').count();
        marks = if line.trim().is_empty() { 0 } else { marks + line.matches(['*', '_', '[', '~']).count() };
        let limits = [
            (depth(line), DEEPEST_BLOCK, "lists and quotations within each other"),
            (tags, MOST_TAGS, "tags on a page"),
            (pipes, MOST_PIPES, "`|` on a page"),
            (marks, MOST_MARKS, "marks of emphasis and links in a paragraph"),
        ];
        if let Some((_, limit, what)) = limits.into_iter().find(|(found, limit, _)| found > limit) {
            let message =
                format!("cannot tell whether it compiles as MDX: expected at most {limit} {what}, found more");
            return Some(Problem { line: number, column: 1, kind: ProblemKind::Syntax, message });
        }
    }
    None
}

/// How deep in blocks a line may stand.
fn depth(line: &str) -> usize {
    let (mut depth, mut columns) = (0, 0);
    let mut rest = line;
    loop {
        let text = rest.trim_start_matches([' ', '\t']);
        columns += rest.len() - text.len();
        let marker = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = marker.strip_prefix(['-', '*', '+', '.', ')']).filter(|after| after.starts_with([' ', '\t']));
        match text.strip_prefix('>').or(item) {
            Some(after) => (depth, rest) = (depth + 1, after),
            None => return depth + columns / 2,
        }
    }
}

/// Tags a line opens and does not close at once.
fn opened(line: &str) -> usize {
    let opens = |rest: &&str| {
        let tag = rest.split('>').next().unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '>') && !tag.ends_with('/')
    };
    line.split('<').skip(1).filter(opens).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_overflow_the_stack_or_take_minutes_is_said_with_its_line() {
        for (page, line, what) in [
            (format!("a\n\n{} b\n", ">".repeat(200_000)), 3, "quotations"),
            ((0..2_000).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect(), 101, "lists"),
            ("- ".repeat(5_000), 1, "lists"),
            ("<div>\n".repeat(20_000), 1_001, "tags"),
            ("<>".repeat(20_000), 1, "tags"),
            ("| a | b |\n|---|---|\n\n".repeat(10_000), 10_000, "`|`"),
            ("*_".repeat(20_000), 1, "emphasis"),
            ("![".repeat(20_000), 1, "emphasis"),
        ] {
            let problem = exceeded(&page).unwrap();
            assert!(problem.message.contains(what), "{problem:?}");
            assert_eq!((problem.line, problem.kind), (line, ProblemKind::Syntax), "{what}");
        }
    }

    #[test]
    fn long_pages_of_usual_depth_are_parsed() {
        for page in [
            String::new(),
            "<br/>".repeat(20_000),
            "<b>x</b>\n".repeat(1_000),
            "  - a *b* <Tag x={1} />c\n\n".repeat(5_000),
            "----------\n".repeat(5_000),
            format!("{}\n", "-".repeat(5_000)),
            format!("```\n{}```\n", "http_req_failed{a:[b]} <x | y\n".repeat(20_000)),
        ] {
            assert_eq!(exceeded(&page), None);
        }
    }
}
