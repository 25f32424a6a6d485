use super::{Judgement, PageRow, Subject};
use crate::check::finding::Claim;
use crate::notation::count;

/// The number the row states; `None` for other words.
pub(in crate::check) fn stated(row: &PageRow) -> Option<u64> {
    count::read(row.text.strip_suffix("VUs").unwrap_or(&row.text).trim())
}

/// The number of VUs: the most that were initialised.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Judgement {
    let claim = Claim::of_row(row, "vus", "VUs of the run");
    let needed = "k6 output or evidence.json";
    match (stated(row), subject.truth.evidence.k6.vus_max) {
        (None, _) => claim.unverifiable(needed, "the value does not read as one number"),
        (_, None) => claim.unverifiable(needed, "no data there states the VUs"),
        (Some(stated), Some(vus)) if stated == vus => {
            claim.holds(vus.to_string(), &subject.figure_from("vus_max"), "the most VUs initialised")
        }
        (Some(_), Some(vus)) => {
            claim.wrong(vus.to_string(), &subject.figure_from("vus_max"), "the most VUs initialised (`vus_max`)")
        }
    }
}
