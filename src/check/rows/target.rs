use super::{Judgement, PageRow, Severity, Subject};
use crate::check::finding::Claim;

/// The target: the one the evidence names, else the one the page's folder stands for.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Judgement {
    let claim = Claim::of_row(row, "target", "what the run tested");
    let same = |name: &str| plain(name) == plain(&row.text);
    let recorded = subject.truth.recorded.as_deref().map(|source| (subject.truth.evidence.target.as_str(), source));
    match (recorded, subject.target.as_deref()) {
        (Some((target, source)), _) if same(target) => claim.holds(target, source, "as recorded"),
        (Some((target, source)), _) => claim.wrong(target, source, "the target recorded with the run"),
        (None, Some(folder)) if same(folder) => claim.holds(folder, "the page's folder", "as the folder is called"),
        (None, Some(folder)) => claim.contradicted(
            Severity::Error,
            folder,
            "the page's folder",
            "the page stands in another target's folder",
        ),
        (None, None) => claim.unverifiable("evidence.json", "neither data nor the page's folder names the target"),
    }
}

fn plain(name: &str) -> String {
    name.trim().replace(['-', ' '], "_").to_lowercase()
}
