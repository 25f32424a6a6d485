use super::{Judgement, PageRow, Severity, Subject};
use crate::check::finding::Claim;

/// The product's version, against the page's folder and title.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Judgement {
    let claim = Claim::of_row(row, "version", "version under test");
    let Some(folder) = subject.version.as_deref() else {
        return claim
            .unverifiable("a folder named after the version", "neither data nor the page's folder names the version");
    };
    let stated = row.text.trim();
    if bare(stated) == bare(folder) {
        return claim.holds(folder, "the page's folder", "as the folder is called");
    }
    let more_exact = bare(stated).strip_prefix(bare(folder)).is_some_and(|rest| rest.starts_with(['.', '-', '+']));
    if more_exact {
        let how = "the row is more exact than the folder; readers see two versions";
        return claim.contradicted(Severity::Note, folder, "the page's folder", how);
    }
    // folder and title together outweigh the row; a folder alone may be what is wrong
    let in_title =
        subject.page.front_matter.get("title").is_some_and(|(title, _)| title.split_whitespace().any(|w| w == folder));
    match in_title {
        true => claim.contradicted(
            Severity::Error,
            folder,
            "the page's folder and title",
            "folder and title name another version",
        ),
        false => claim.contradicted(Severity::Warning, folder, "the page's folder", "the folder names another version"),
    }
}

fn bare(version: &str) -> &str {
    version.trim_start_matches(['v', 'V'])
}
