//! Claims that blocks, chart data and pages make about each other.

mod block;
mod blocks;
mod chart;
mod copies;
mod overlap;
mod passages;
mod recorded;
mod title;
mod trends;

use std::collections::BTreeSet;

use super::finding::{Judgement, Severity};
use super::subject::{Block, Chart, Subject};

pub(super) use chart::bulk_start;

/// Judges block, chart data and page of one run.
pub(super) fn judge_page(subject: &Subject) -> Vec<Judgement> {
    let mut judgements = chart::judge(subject);
    judgements.extend(copies::judge(subject));
    judgements.extend(passages::judge(subject));
    if let Some(block) = &subject.block {
        judgements.extend(block::judge(subject, block));
        judgements.extend(recorded::judge(subject, block));
    }
    judgements
}

/// Judges the pages against each other; a judgement's index is that of its page.
pub(super) fn judge_together(subjects: &[Subject]) -> Vec<(usize, Judgement)> {
    let mut judgements = blocks::judge(subjects);
    let foreign: BTreeSet<usize> = judgements.iter().map(|(page, _)| *page).collect();
    for (page, subject) in subjects.iter().enumerate().filter(|(page, _)| !foreign.contains(page)) {
        // what follows from a block of another run is one fault, not many
        judgements.extend(trends::judge(subject).into_iter().map(|judgement| (page, judgement)));
    }
    judgements.extend(overlap::judge(subjects));
    judgements.extend(title::judge(subjects));
    judgements
}

/// Names of the custom trends a block prints.
fn custom_trends(block: &Block) -> BTreeSet<&str> {
    const BUILT_IN: [&str; 5] = ["http_req_", "iteration_duration", "group_duration", "grpc_", "ws_"];
    let Some(summary) = &block.log.summary else { return BTreeSet::new() };
    let trends = summary.metrics.iter().filter(|(_, figures)| matches!(figures, crate::model::Figures::Trend(_)));
    let names = trends.map(|(name, _)| name.as_str()).filter(|name| !name.contains('{'));
    names.filter(|name| !BUILT_IN.iter().any(|prefix| name.starts_with(prefix))).collect()
}

/// The trend named after a target, if a run has one: `login` or `login_duration`.
fn named_after<'a>(trends: &BTreeSet<&'a str>, target: &str) -> Option<&'a str> {
    trends.iter().find(|trend| **trend == target || trend.strip_suffix("_duration") == Some(target)).copied()
}
