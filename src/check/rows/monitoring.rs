//! Rows about containers, database and statements, and the figures of the outcome: each figure against the data.

use super::{Judgement, PageRow, Subject, Verdict};
use crate::check::finding::Claim;
use crate::rows::{Agreement, stated_figures};

/// Judges every figure of the row that reads in the notation such rows are written in.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let Some(id) = row.id else { return Vec::new() };
    let source = subject.figures_from();
    let judged = stated_figures(id, &row.text, &subject.truth.evidence).into_iter().map(|stated| {
        let claim = Claim::of_words(row, "monitoring", stated.claim, stated.at, &stated.words);
        match (stated.agreement, stated.data) {
            (Agreement::Same, Some(data)) => claim.holds(data, &source, "as measured over the window"),
            (Agreement::Rounded, Some(data)) => {
                claim.inexact(Verdict::Rounded, data, &source, "right, in other digits than such a row has")
            }
            (Agreement::Truncated, Some(data)) => {
                claim.inexact(Verdict::Truncated, data, &source, "cut off instead of rounded")
            }
            (Agreement::Differs, Some(data)) => claim.wrong(data, &source, "measured over the window"),
            _ => claim.unverifiable("an export of this metric for the run's window", "no export there tells"),
        }
    });
    judged.collect()
}
