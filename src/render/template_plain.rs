//! A site's own template, used as it is: filled by row label.
//!
//! The value column is not padded: one long cell would pad every line, and with it rewrite every line of the page whenever
//! that cell changes. Labels keep the padding the template gives them, so that columns line up where it costs nothing.

use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::input::{Filled, PageInput, k6_summary, sound_template};
use super::template_jinja::{Cell, cell};
use crate::model::{Fault, Place, Result};
use crate::notation::escape;
use crate::notation::place::position;
use crate::notation::table::{Table, parser, shown};
use crate::rows::{RowRules, find, metric_table};

/// One replacement in the template.
type Edit = (Range<usize>, String);

/// Fills a template without any syntax of its own.
///
/// Values go to the rows of its metric table, k6's summary to the code block that says `TODO`, the intro to the paragraph
/// that begins with it. Rows nobody can fill are emptied and listed; none is added.
///
/// # Errors
///
/// Fails on a template that would not compile or show its table, and on one without a table of known rows.
pub(super) fn fill(input: &PageInput<'_>, path: &Path, source: &str) -> Result<Filled> {
    sound_template(path, source)?;
    let mut unfilled = Vec::new();
    let mut edits = table_edits(input, path, source, &mut unfilled)?;
    edits.extend(todo_edits(input, source, &mut unfilled));
    edits.sort_by_key(|(range, _)| range.start);
    let mut text = source.to_owned();
    for (range, replacement) in edits.into_iter().rev() {
        text.replace_range(range, &replacement);
    }
    Ok(Filled { text, unfilled })
}

/// Tells whether a plain template can be filled.
///
/// # Errors
///
/// As [`fill`].
pub(super) fn check(path: &Path, source: &str, product: &str) -> Result<()> {
    sound_template(path, source)?;
    table_of(path, source, product).map(|_| ())
}

fn table_of(path: &Path, source: &str, product: &str) -> Result<Table> {
    metric_table(source, Some(product)).ok_or_else(|| {
        Fault::at(Place::file(path), "no table has a known row, expected one with rows such as `Test start`")
            .hint("add the table, or write `{{ row(\"Test start\") }}` where a value belongs")
    })
}

fn table_edits(input: &PageInput<'_>, path: &Path, source: &str, unfilled: &mut Vec<String>) -> Result<Vec<Edit>> {
    let table = table_of(path, source, input.product)?;
    let mut edits = Vec::new();
    for label_cell in table.rows.iter().skip(1).filter_map(|row| row.first()) {
        let label = shown(source.get(label_cell.clone()).unwrap_or_default());
        let line = line_of(source, label_cell.start);
        if label.is_empty() {
            continue;
        }
        if input.rules.hide.iter().any(|hidden| same_row(hidden, &label, input.product)) {
            edits.push((line, String::new()));
            continue;
        }
        let value = match cell(input.rows, &label, input.product) {
            Cell::Filled(value) => value,
            Cell::Empty | Cell::NoRow => {
                unfilled.push(label.clone());
                ""
            }
        };
        edits.extend(value_edit(source, label_cell, &line, value));
        edits.extend(rename_edit(input.rules, &label, label_cell, input.product));
    }
    Ok(edits)
}

/// The line that holds a byte, its line end included.
fn line_of(source: &str, at: usize) -> Range<usize> {
    let start = source.get(..at).and_then(|s| s.rfind('\n')).map_or(0, |newline| newline + 1);
    let end = source.get(at..).and_then(|s| s.find('\n')).map_or(source.len(), |newline| at + newline + 1);
    start..end
}

/// Replaces everything behind the `|` after the label.
fn value_edit(source: &str, label: &Range<usize>, line: &Range<usize>, value: &str) -> Option<Edit> {
    let border = label.end + source.get(label.end..line.end)?.find('|')? + 1;
    let end = border + source.get(border..line.end)?.trim_end_matches('\n').len();
    let text = if value.is_empty() { " |".to_owned() } else { format!(" {value} |") };
    Some((border..end, text))
}

fn rename_edit(rules: &RowRules, label: &str, cell: &Range<usize>, product: &str) -> Option<Edit> {
    let (_, new) = rules.rename.iter().find(|(old, _)| same_row(old, label, product))?;
    Some((cell.clone(), escape::cell(new)))
}

fn same_row(a: &str, b: &str, product: &str) -> bool {
    match (find(a, Some(product)), find(b, Some(product))) {
        (Some(a), Some(b)) => a.id == b.id,
        (None, None) => a.trim().eq_ignore_ascii_case(b.trim()),
        _ => false,
    }
}

/// Replaces the code block and the paragraph that say `TODO`; further ones are listed, for only a person can write them.
fn todo_edits(input: &PageInput<'_>, source: &str, unfilled: &mut Vec<String>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut block, mut intro) = (false, false);
    for todo in todos(source) {
        match todo.language {
            Some(language) if !block => {
                block = true;
                let summary = k6_summary(input.evidence);
                if summary.is_none() {
                    unfilled.push("k6 output".to_owned());
                }
                edits.push((todo.range, escape::fenced(&summary.unwrap_or_default(), &language)));
            }
            None if !intro => {
                intro = true;
                edits.push((todo.range, input.intro.to_owned()));
            }
            _ => unfilled.push(format!("TODO on line {} of the template", position(source, todo.range.start).0)),
        }
    }
    edits
}

/// A place that says `TODO`.
struct Todo {
    /// The whole code block or paragraph, without the line end after it.
    range: Range<usize>,
    /// The block's language; `None` for a paragraph.
    language: Option<String>,
}

fn todos(source: &str) -> Vec<Todo> {
    let mut todos = Vec::new();
    let mut open: Option<Todo> = None;
    for (event, range) in parser(source).into_offset_iter() {
        match event {
            Event::Start(Tag::Paragraph) => open = Some(Todo { range, language: None }),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                open = Some(Todo { range, language: Some(language.to_string()) });
            }
            Event::End(TagEnd::Paragraph | TagEnd::CodeBlock) => {
                todos.extend(open.take().filter(|todo| says_todo(source, todo)));
            }
            _ => {}
        }
    }
    todos.into_iter().map(|todo| without_line_end(source, todo)).collect()
}

fn says_todo(source: &str, todo: &Todo) -> bool {
    let text = source.get(todo.range.clone()).unwrap_or_default();
    match todo.language {
        Some(_) => text.contains("TODO"),
        None => text.trim_start().starts_with("TODO"),
    }
}

fn without_line_end(source: &str, todo: Todo) -> Todo {
    let length = source.get(todo.range.clone()).map_or(0, |text| text.trim_end().len());
    Todo { range: todo.range.start..todo.range.start + length, ..todo }
}
