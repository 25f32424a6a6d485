use super::{Judgement, PageRow, Severity, Subject};
use crate::check::finding::Claim;

/// The row that points to the k6 output: there has to be one.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Judgement {
    let claim = Claim::of_row(row, "k6-output", "the page has the run's k6 output");
    match &subject.block {
        Some(block) => claim.holds("k6 output", &format!("line {}", block.line), "the block is there"),
        None => claim.contradicted(
            Severity::Warning,
            "none",
            "the page",
            "no code block on the page reads like k6's output",
        ),
    }
}
