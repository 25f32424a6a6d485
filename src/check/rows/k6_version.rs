use super::{Judgement, PageRow, Subject};
use crate::check::finding::Claim;

/// The version of k6, with or without its `v`.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Judgement {
    let claim = Claim::of_row(row, "k6-version", "version of k6");
    let source = subject.figures_from();
    match &subject.truth.evidence.k6.version {
        None => {
            claim.unverifiable("a log with k6's version, or evidence.json", "no data there states the version of k6")
        }
        Some(version) if bare(version) == bare(&row.text) => claim.holds(version, &source, "as recorded"),
        Some(version) => claim.wrong(version, &source, "the version recorded with the run"),
    }
}

fn bare(version: &str) -> &str {
    version.trim().trim_start_matches("k6 ").trim_start_matches('v')
}
