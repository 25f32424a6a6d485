//! The table in Markdown, with goals, monitoring and remarks below it.

use super::words;
use crate::config::PageKind;
use crate::model::{Scope, SweepColumn, SweepLine, SweepTable};
use crate::notation::{column, count, duration, escape, failed, per_second};
use crate::rows::digest_lines;

/// What a cell says whose value is not known: an empty one reads like a mistake, a zero like a figure.
pub const NOT_KNOWN: &str = "not known";

/// How the Markdown is written.
#[derive(Debug, Clone, Copy)]
pub struct Markdown<'a> {
    /// What it will stand in: MDX takes `<0.01%` for the beginning of an element.
    pub kind: PageKind,
    /// The columns, in order.
    pub columns: &'a [SweepColumn],
    /// Where a picture of all runs is, with `{version}` for the table's; `None` shows none.
    pub picture: Option<&'a str>,
}

/// Writes the table, the picture, the goals and the remarks, each part only when there is something in it. Ends with a line end.
pub fn summary_markdown(table: &SweepTable, markdown: Markdown<'_>) -> String {
    let mut parts = vec![rows(table, table.lines.len(), markdown)];
    parts.extend(words::picture(table.version.as_deref(), markdown.picture));
    parts.extend(notes(table));
    parts.join("\n")
}

/// The table with its first lines only.
pub(super) fn rows(table: &SweepTable, shown: usize, markdown: Markdown<'_>) -> String {
    let columns = markdown.columns;
    let headings = columns.iter().map(|column| column::heading(*column, table.scope));
    let mut text = row(headings);
    text.push_str(&format!("|{}|\n", columns.iter().map(|column| alignment(*column)).collect::<Vec<_>>().join("|")));
    for line in table.lines.iter().take(shown) {
        let cell = |column: &SweepColumn| cell(line, *column, table.usual_vus, markdown.kind);
        text.push_str(&row(columns.iter().map(cell).map(|cell| cell.unwrap_or_else(|| NOT_KNOWN.to_owned()))));
    }
    text
}

/// What stands below the table: goals, what monitoring says, and remarks; empty when there is nothing to say.
pub fn summary_notes(table: &SweepTable) -> String {
    notes(table).join("\n")
}

/// Goals, what monitoring says, and remarks, each with a heading; a table of the test phase says what that is.
pub(super) fn notes(table: &SweepTable) -> Vec<String> {
    let list = |lines: Vec<String>| lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
    let mut parts = Vec::new();
    if table.scope == Scope::Test {
        parts.push("Test phase: what the scenarios ran, without `setup()` and `teardown()`.\n".to_owned());
    }
    if !table.goals.is_empty() {
        let goals = table.goals.iter().map(|goal| words::goal(goal, table.scope)).collect();
        parts.push(format!("**Goals**\n\n{}", list(goals)));
    }
    let monitoring = digest_lines(&table.monitoring);
    if !monitoring.is_empty() {
        parts.push(format!("**Monitoring**\n\n{}", list(monitoring)));
    }
    if !table.remarks.is_empty() {
        let remarks = table.remarks.iter().flat_map(|remark| words::remark(remark, table.lines.len())).collect();
        parts.push(format!("**Before you compare**\n\n{}", list(remarks)));
    }
    parts
}

fn row(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Texts stand left, numbers right.
fn alignment(column: SweepColumn) -> &'static str {
    match column {
        SweepColumn::Target | SweepColumn::FailedRequests | SweepColumn::FailedChecks => ":---",
        _ => "---:",
    }
}

/// `None` when the value is not known.
fn cell(line: &SweepLine, column: SweepColumn, usual_vus: Option<u64>, kind: PageKind) -> Option<String> {
    let text = figure(line, column)?;
    Some(match column {
        SweepColumn::Target => escape::cell(&text),
        SweepColumn::Vus if line.vus != usual_vus => format!("**{text}**"),
        // Markdown shows `<0.01%` as it is, MDX takes it for an element
        SweepColumn::FailedRequests | SweepColumn::FailedChecks if kind == PageKind::Mdx => text.replace('<', "\\<"),
        _ => text,
    })
}

/// A figure in words, plain text; `None` when it is not known.
pub(in crate::render) fn figure(line: &SweepLine, column: SweepColumn) -> Option<String> {
    match column {
        SweepColumn::Target => Some(line.target.clone()),
        SweepColumn::Vus => line.vus.map(|vus| vus.to_string()),
        SweepColumn::Iterations => line.iterations.map(count::write),
        SweepColumn::IterationsPerSecond => line.iterations_per_second.map(per_second::throughput),
        SweepColumn::Latency(stat) => {
            line.latency(stat).map(|latency| latency.printed.clone().unwrap_or_else(|| duration::write(latency.ms)))
        }
        SweepColumn::Requests => line.requests.map(|requests| count::write(requests.total)),
        SweepColumn::FailedRequests => line.requests.map(|requests| match requests.failed {
            Some(failed) => failed::write(failed, requests.total),
            None => format!("{NOT_KNOWN} / {}", count::write(requests.total)),
        }),
        SweepColumn::FailedChecks => line.checks.map(|(failed, total)| failed::write(failed, total)),
    }
}
