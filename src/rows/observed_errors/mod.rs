//! The row `Observed errors`: populations, not a number.

mod causes;
mod checks;
mod iterations;
mod populations;
mod quoted;
mod shown;
mod timeline;

use super::words;
use crate::model::{Evidence, Population, RequestCount};
use shown::Shown;
use timeline::Timeline;

pub use causes::in_words as cause_in_words;

/// States what failed in a run: Markdown for one table cell, from evidence alone.
///
/// Total and share; each population with count, cause, time, length, place in the run and neighbours; failed checks by name
/// and the populations they fell into; iterations that threw, were cut off or never started; and how many failures remain
/// unexplained. Counts of populations and the unexplained rest always sum to the total. `none` only when the data says
/// so; what is not known is said to be not known.
pub fn observed_errors(evidence: &Evidence) -> String {
    if nothing_known(evidence) {
        return "not known: neither raw k6 output nor an end-of-test summary says what failed".to_owned();
    }
    let mut clauses = [requests(evidence), checks::clauses(evidence), iterations::clauses(evidence)].concat();
    if clauses.is_empty() {
        return no_failures(evidence);
    }
    clauses.extend(not_known(evidence));
    clauses.join("<br/>")
}

/// True when the evidence says nothing at all about failures.
pub(super) fn nothing_known(evidence: &Evidence) -> bool {
    let populations = evidence.populations.as_ref().is_some_and(|p| !p.is_empty());
    failed_requests(evidence).is_none()
        && evidence.checks.is_none()
        && !populations
        && iterations::clauses(evidence).is_empty()
}

/// All and failed requests, when both are known.
fn failed_requests(evidence: &Evidence) -> Option<(RequestCount, u64)> {
    let run = evidence.requests.as_ref()?.run;
    Some((run, run.failed?))
}

/// The row of a run in which nothing failed, as far as that is known.
fn no_failures(evidence: &Evidence) -> String {
    let unknown = unknown(evidence);
    if unknown.is_empty() {
        return "none".to_owned();
    }
    let mut known = Vec::new();
    if let Some((run, _)) = failed_requests(evidence) {
        known.push(format!("none of {} requests failed", words::count(run.total)));
    }
    if let Some(checks) = &evidence.checks {
        known.push(format!("none of {} checks failed", words::count(checks.total)));
    }
    known.push(format!("not known: {}", unknown.join(", ")));
    known.join("; ")
}

/// What nobody recorded of what can fail, in words.
fn unknown(evidence: &Evidence) -> Vec<&'static str> {
    let requests = failed_requests(evidence).is_none().then_some("how many requests failed");
    requests.into_iter().chain(iterations::unknown(evidence)).collect()
}

/// What was not recorded beside the failures that were, as the last clause.
fn not_known(evidence: &Evidence) -> Option<String> {
    let unknown = unknown(evidence);
    (!unknown.is_empty()).then(|| format!("Not known: {}.", unknown.join(", ")))
}

/// The head, one clause for each population, and what remains; empty when no request failed.
fn requests(evidence: &Evidence) -> Vec<String> {
    let populations: &[Population] = evidence.populations.as_deref().unwrap_or_default();
    let total = failed_requests(evidence);
    let named: u64 = populations.iter().map(|p| p.count).fold(0, u64::saturating_add);
    let head = match total {
        Some((_, 0)) if named == 0 => return Vec::new(),
        Some((run, failed)) => format!(
            "{} of {} requests failed ({})",
            words::count(failed),
            words::count(run.total),
            escaped_percent(failed, run.total)
        ),
        None if populations.is_empty() => return Vec::new(),
        None => "how many requests failed is not known".to_owned(),
    };
    let shown = Shown::of(populations);
    let failed = total.map(|(_, failed)| failed);
    let timeline = Timeline::of(evidence, &shown, failed == Some(named));
    let mut clauses = vec![if populations.is_empty() { format!("{head}.") } else { format!("{head}:") }];
    clauses.extend(shown.written().iter().map(|p| populations::clause(p, failed, &timeline)));
    clauses.extend(shown.rest());
    clauses.extend(failed.map(|failed| rest(evidence, failed, named)));
    clauses.extend(populations::phase_remark(populations));
    clauses
}

/// What no population accounts for, always as a number.
fn rest(evidence: &Evidence, failed: u64, named: u64) -> String {
    if let Some(more) = named.checked_sub(failed).filter(|more| *more > 0) {
        return format!("Unexplained: 0; the log names {} more than failed.", words::count(more));
    }
    let why = match (&evidence.populations, failed - named) {
        (_, 0) => "",
        (None, _) => "; without raw k6 output neither causes nor times are known",
        (Some(_), _) => "; neither the raw output nor the log has their causes",
    };
    format!("Unexplained: {}{why}.", words::count(failed - named))
}

/// A share ready for a cell: its `<` would begin an element in MDX.
fn escaped_percent(part: u64, whole: u64) -> String {
    words::percent_of(part, whole).replace('<', "\\<")
}

#[cfg(test)]
mod tests;
