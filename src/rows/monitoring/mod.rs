//! Rows about machines and the database, and the outcome: written and read back by the same figures.

mod containers;
mod database;
mod digest;
mod figure;
mod on_page;
mod outcome;
mod queries;
#[cfg(test)]
mod tests;

use super::{RowId, RowInput};
use crate::model::{Evidence, Result};
use crate::notation::escape;

pub use digest::digest_lines;
pub(crate) use figure::{Agreement, StatedFigure};
pub(crate) use on_page::outcome_figures;
pub(crate) use outcome::{read_verdict, verdict_words};

/// `{product} metrics during test`.
pub(super) fn container_metrics(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.evidence.observability.as_ref().and_then(|data| plain(containers::lines(data))))
}

/// `Database metrics during test`.
pub(super) fn database_metrics(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.evidence.observability.as_ref().and_then(|data| plain(database::lines(data))))
}

/// `Top 3 most expensive database queries`.
pub(super) fn top_queries(input: &RowInput<'_>) -> Result<Option<String>> {
    let queries = input.evidence.observability.as_ref().and_then(|data| data.queries.as_ref());
    Ok(queries.and_then(|queries| joined(queries::lines(queries))))
}

/// `flowchart outcome`.
pub(super) fn flowchart_outcome(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.evidence.outcome.as_ref().map(outcome::cell))
}

/// Lines of plain text as a cell: `<1%` would open a tag.
fn plain(lines: Vec<String>) -> Option<String> {
    joined(lines.iter().map(|line| escape::cell(line)).collect())
}

fn joined(lines: Vec<String>) -> Option<String> {
    (!lines.is_empty()).then(|| lines.join("<br/>"))
}

/// The figures a row about machines states, held against the evidence; none for other rows and without data.
///
/// `text` is the cell as a reader sees it, `<br/>` as a line end. Figures of a person's own words are not among them.
pub(crate) fn stated_figures(id: RowId, text: &str, evidence: &Evidence) -> Vec<StatedFigure> {
    if id == RowId::Outcome {
        return evidence.outcome.as_ref().map(|outcome| outcome::stated(text, outcome)).unwrap_or_default();
    }
    let Some(data) = &evidence.observability else { return Vec::new() };
    let figures = match id {
        RowId::ProductMetrics => containers::FIGURES,
        RowId::DatabaseMetrics => database::FIGURES,
        RowId::TopQueries => {
            return data.queries.as_ref().map(|queries| queries::stated(text, queries)).unwrap_or_default();
        }
        _ => return Vec::new(),
    };
    let mut stated: Vec<StatedFigure> = figures.iter().filter_map(|figure| figure.stated(text, data)).collect();
    if id == RowId::ProductMetrics {
        stated.extend(containers::stated_words(text, data));
    }
    stated
}
