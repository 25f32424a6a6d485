use std::collections::BTreeMap;

use super::{Judgement, Severity, Subject};
use crate::check::finding::{Claim, PAGE};

/// Titles against the pattern most pages follow: a matter of form.
pub(super) fn judge(subjects: &[Subject]) -> Vec<(usize, Judgement)> {
    let patterns: Vec<Option<String>> = subjects.iter().map(pattern).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for pattern in patterns.iter().flatten() {
        *counts.entry(pattern).or_default() += 1;
    }
    let known: usize = counts.values().sum();
    let Some((usual, _)) = counts.iter().max_by_key(|(_, n)| **n).filter(|(_, n)| **n * 2 > known && **n > 1) else {
        return Vec::new();
    };
    let mut judgements = Vec::new();
    for (page, (subject, own)) in subjects.iter().zip(&patterns).enumerate() {
        let (Some(own), Some((title, line))) = (own, subject.page.front_matter.get("title")) else { continue };
        let claim = Claim::at((*line, 1), PAGE, "title", "title in the sweep's form", title.as_str());
        let expected = usual
            .replace("{words}", &words(subject))
            .replace("{version}", subject.version.as_deref().unwrap_or_default());
        judgements.push(match own == usual {
            true => (page, claim.holds(expected, "the form of the other titles", "the form of most titles")),
            false => {
                let how = "most titles of these pages have another form";
                (page, claim.contradicted(Severity::Note, expected, "the form of the other titles", how))
            }
        });
    }
    judgements
}

fn words(subject: &Subject) -> String {
    subject.named().unwrap_or_default().replace('_', " ")
}

/// The title with target and version as names of themselves; `None` without a title or a target.
fn pattern(subject: &Subject) -> Option<String> {
    let (title, _) = subject.page.front_matter.get("title")?;
    let version = subject.version.as_deref()?;
    subject.named()?;
    Some(title.replace(&words(subject), "{words}").replace(version, "{version}"))
}
