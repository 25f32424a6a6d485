//! Claims of single rows of the metric table.

mod baseline;
mod block_link;
mod duration;
mod errors;
pub(super) mod generated;
mod k6_version;
mod monitoring;
mod outcome;
mod prose;
pub(super) mod rate;
mod server_latency;
mod span;
mod target;
mod version;
mod vus;
mod window;

use super::finding::{Judgement, Severity, Verdict};
use super::page::PageRow;
use super::subject::{Subject, Truth};
use crate::rows::RowId;

pub(super) use vus::stated as stated_vus;
pub(super) use window::{EARLY_SECONDS, LATE_SECONDS, Stated, read as read_moment};

/// Judges every row of the page's metric table.
pub(super) fn judge(subject: &Subject) -> Vec<Judgement> {
    let generated = generated::rows(&subject.truth.evidence);
    let mut judgements = Vec::new();
    for row in subject.page.rows.iter().filter(|row| !row.text.is_empty()) {
        match generated::unchanged(row, &generated, subject) {
            Some(judgement) => judgements.push(judgement),
            None => judgements.extend(judge_row(subject, row)),
        }
    }
    judgements.extend(errors::unreported(subject));
    judgements.extend(span::judge(subject));
    judgements.extend(outcome::judge(subject));
    judgements.extend(server_latency::judge(subject));
    judgements
}

/// Judges one row; what is wrong now but right by the older data is stale.
fn judge_row(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let mut judgements = claims(subject, row);
    if let Some(older) = &subject.older
        && judgements.iter().any(|j| j.verdict == Verdict::Wrong)
    {
        let truth = Truth { evidence: older.evidence.clone(), recorded: Some(older.file.clone()) };
        let then = claims(&Subject { truth, block: None, older: None, ..subject.clone() }, row);
        for now in judgements.iter_mut().filter(|now| now.verdict == Verdict::Wrong) {
            // the older run may lack what a claim is about: its judgements need not be the same in number
            let same = |then: &&Judgement| then.column == now.column && then.claim == now.claim;
            if then.iter().find(same).is_some_and(|then| then.verdict == Verdict::Ok) {
                now.verdict = Verdict::Stale;
                now.severity = Some(Severity::Warning);
                now.explanation = format!("{}; it was right for {}", now.explanation, older.file);
            }
        }
    }
    judgements
}

fn claims(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    match row.id {
        Some(RowId::Baseline) => baseline::judge(subject, row),
        Some(RowId::TestStart) => vec![window::judge(subject, row, window::Edge::Start)],
        Some(RowId::TestEnd) => vec![window::judge(subject, row, window::Edge::End)],
        Some(RowId::TestDuration) => duration::judge(subject, row),
        Some(RowId::ExecutedTest) => vec![target::judge(subject, row)],
        Some(RowId::K6Version) => vec![k6_version::judge(subject, row)],
        Some(RowId::Vus) => vec![vus::judge(subject, row)],
        Some(RowId::ProductVersion) => vec![version::judge(subject, row)],
        Some(RowId::IterationsPerSecond) => vec![rate::judge(subject, row)],
        Some(RowId::K6Output) => vec![block_link::judge(subject, row)],
        // facts are a person's own word; these are sentences about the run
        Some(RowId::ProductMetrics | RowId::TopQueries | RowId::DatabaseMetrics | RowId::Outcome) => {
            let mut judgements = monitoring::judge(subject, row);
            judgements.extend(prose::judge(subject, row));
            judgements
        }
        Some(RowId::ObservedErrors) | None => prose::judge(subject, row),
        _ => Vec::new(),
    }
}
