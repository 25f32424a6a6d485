use std::collections::BTreeMap;

use super::{Judgement, Severity, Subject, custom_trends, named_after};
use crate::check::finding::{Claim, K6_OUTPUT};
use crate::check::subject::Block;

/// Blocks that stand on the page of another run: the same one on two pages, or another target's trends.
pub(super) fn judge(subjects: &[Subject]) -> Vec<(usize, Judgement)> {
    let identical = identical(subjects);
    let pages: Vec<usize> = identical.iter().map(|(page, _)| *page).collect();
    let others = (0..subjects.len()).filter(|page| !pages.contains(page));
    let foreign: Vec<(usize, Judgement)> = others.filter_map(|page| Some((page, foreign(subjects, page)?))).collect();
    identical.into_iter().chain(foreign).collect()
}

fn claim(subject: &Subject, block: &Block) -> Claim {
    let words = block.text_of("running").or(block.text.lines().map(str::trim).find(|line| !line.is_empty()));
    let target = subject.named().unwrap_or("the page's target");
    let what = format!("k6 output of {target}");
    Claim::at((block.line, 1), K6_OUTPUT, "block-identity", &what, words.unwrap_or_default())
}

/// The block belongs to the page whose target its trends name; the others have a copy. Without such a page nobody knows
/// whose it is, and it is wrong on each.
fn identical(subjects: &[Subject]) -> Vec<(usize, Judgement)> {
    let mut by_text: BTreeMap<String, Vec<(usize, &Block)>> = BTreeMap::new();
    for (page, subject) in subjects.iter().enumerate() {
        if let Some(block) = subject.block.as_ref().filter(|block| block.log.summary.is_some()) {
            let text = block.text.split_whitespace().collect::<Vec<_>>().join(" ");
            by_text.entry(text).or_default().push((page, block));
        }
    }
    let mut judgements = Vec::new();
    for pages in by_text.values().filter(|pages| pages.len() > 1) {
        let owns = |page: usize, block: &Block| {
            subjects.get(page).and_then(Subject::named).is_some_and(|t| named_after(&custom_trends(block), t).is_some())
        };
        let owners: Vec<usize> =
            pages.iter().filter(|(page, block)| owns(*page, block)).map(|(page, _)| *page).collect();
        for (page, block) in pages.iter().filter(|(page, _)| owners.len() != 1 || !owners.contains(page)) {
            let Some(subject) = subjects.get(*page) else { continue };
            let other = owners.first().filter(|other| *other != page);
            let other = other.copied().or(pages.iter().map(|(other, _)| *other).find(|other| other != page));
            let Some(other) = other.and_then(|other| subjects.get(other)) else { continue };
            judgements.push((*page, copy(subject, block, other)));
        }
    }
    judgements.sort_by_key(|(page, _)| *page);
    judgements
}

fn copy(subject: &Subject, block: &Block, other: &Subject) -> Judgement {
    let trends = custom_trends(block);
    let trend = other.named().and_then(|target| named_after(&trends, target));
    let data = match trend {
        Some(trend) => format!("the same figures, with `{trend}`"),
        None => "the same figures".to_owned(),
    };
    let how = "two runs never print the same figures: one page has the other's block";
    claim(subject, block).contradicted(Severity::Error, data, &other.file, how)
}

/// A block with a trend named after another page's target, none named after its own, and chart data that has no such trend.
fn foreign(subjects: &[Subject], page: usize) -> Option<Judgement> {
    let subject = subjects.get(page)?;
    let block = subject.block.as_ref()?;
    let own = subject.named()?;
    let trends = custom_trends(block);
    if named_after(&trends, own).is_some() {
        return None;
    }
    let others = subjects.iter().filter_map(Subject::named).filter(|other| *other != own);
    let (target, trend) = others.filter_map(|other| Some((other, named_after(&trends, other)?))).next()?;
    let rows = subject.chart_rows();
    if rows.is_empty() || rows.iter().any(|row| row.metric == trend) {
        return None;
    }
    let how =
        format!("`{trend}` is named after `{target}`, nothing is after `{own}`, and the chart data has no such trend");
    Some(claim(subject, block).contradicted(Severity::Error, format!("`{trend}`"), "output.json", how))
}
