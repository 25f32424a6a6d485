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

use std::borrow::Cow;

use super::{Row, RowId, RowInput};
use crate::model::{Evidence, Observability, Outcome, OutcomeFigures, OutcomeVerdict, Result};
use crate::notation::escape;
use crate::notation::table::shown;

pub use digest::digest_lines;
pub(crate) use figure::{Agreement, StatedFigure};
pub(crate) use on_page::{outcome_figures, possible_figures};
pub(crate) use outcome::{read_verdict, stated_outcome, verdict_words};

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
    let queries = input.evidence.observability.as_ref().and_then(Observability::whole_queries);
    Ok(queries.and_then(|queries| joined(queries::lines(queries))))
}

/// `flowchart outcome`. Where nothing was decided it says so: that is an outcome too.
pub(super) fn flowchart_outcome(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(Some(outcome::cell(&outcome_of(input.evidence))))
}

/// The outcome; that of a run nobody looked at the machines of is that there is not enough evidence.
fn outcome_of(evidence: &Evidence) -> Cow<'_, Outcome> {
    match &evidence.outcome {
        Some(outcome) => Cow::Borrowed(outcome),
        None => Cow::Owned(OutcomeFigures::of_run(evidence).undecided()),
    }
}

/// True for a row that stands only where a template asks for it by its label: an outcome of a run without any monitoring.
/// Most pages are of people who do not follow the flowchart, and their tables need no row about it.
pub fn only_where_asked(row: &Row, evidence: &Evidence) -> bool {
    let is_generated = || row.cell == outcome::cell(&outcome_of(evidence));
    row.id == Some(RowId::Outcome) && evidence.outcome.is_none() && is_generated()
}

/// True for an outcome that says only that there is not enough evidence for one: it contradicts no verdict.
pub fn says_nothing_was_decided(cell: &str) -> bool {
    read_verdict(&shown(cell)).is_some_and(|(verdict, _)| verdict == OutcomeVerdict::NotEnoughEvidence)
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
        // without an outcome the words are a person's, unless they say just that
        let is_ours = evidence.outcome.is_some() || says_nothing_was_decided(text);
        return if is_ours { outcome::stated(text, &outcome_of(evidence)) } else { Vec::new() };
    }
    let Some(data) = &evidence.observability else { return Vec::new() };
    let figures = match id {
        RowId::ProductMetrics => containers::FIGURES.as_slice(),
        RowId::DatabaseMetrics => database::FIGURES.as_slice(),
        RowId::TopQueries => {
            return data.whole_queries().map(|queries| queries::stated(text, queries)).unwrap_or_default();
        }
        _ => return Vec::new(),
    };
    let mut stated: Vec<StatedFigure> = figures.iter().filter_map(|figure| figure.stated(text, data)).collect();
    if id == RowId::ProductMetrics {
        stated.extend(containers::stated_words(text, data));
    }
    stated
}
