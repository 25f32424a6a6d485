use super::{Judgement, Severity, Subject};
use crate::check::finding::{CHART_DATA, Claim};

/// Further copies of the chart data have to be the same file.
pub(super) fn judge(subject: &Subject) -> Vec<Judgement> {
    let judge = |copy: &crate::check::subject::Copy| {
        let claim =
            Claim::at(subject.chart_place(), CHART_DATA, "copies", "the same in every copy", copy.path.as_str());
        match copy.same {
            Some(true) => claim.holds("the same bytes", &copy.path, "byte for byte"),
            Some(false) => {
                let how = "the two copies of the chart data differ: readers see one, programs the other";
                claim.contradicted(Severity::Error, "other bytes", &copy.path, how)
            }
            None => claim.unverifiable(&copy.path, "there is no such copy to compare"),
        }
    };
    subject.copies.iter().map(judge).collect()
}
