use std::sync::LazyLock;

use regex::Regex;

use super::{Judgement, PageRow, Subject};
use crate::check::finding::Claim;
use crate::notation::{number, per_second};

static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\bv?\d+(?:\.\d+)+(?:-[\w.]+)?\b|\bv\d+\b").expect("a constant"));
static RATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?P<rate>\d+(?:\.\d+)?) ?(?:iter(?:ation)?s?)?(?:/s| per second)").expect("a constant")
});

/// The page a run is compared with, against the older pages that were given: they have to be of that version, and its rate
/// has to be theirs. A person says what a run is compared with; without older pages nothing is said of it.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let Some(older) = &subject.older else { return Vec::new() };
    let (Some(named), Some(version)) = (VERSION.find(&row.text), older.version.as_deref()) else { return Vec::new() };
    let claim = Claim::of_words(row, "baseline", "version it is compared with", named.start(), named.as_str());
    if bare(named.as_str()) != bare(version) {
        let needed = format!("the pages of {}", named.as_str());
        return vec![claim.unverifiable(&needed, format!("the older pages given are of {version}"))];
    }
    let mut judgements = vec![claim.holds(version, &older.file, "the version of the older pages")];
    let rate = older.evidence.k6.iterations.and_then(|iterations| iterations.per_second);
    if let (Some(stated), Some(rate)) = (RATE.captures(&row.text).and_then(|found| found.name("rate")), rate) {
        let words = stated.as_str();
        let claim = Claim::of_words(row, "baseline", "iterations per second of the baseline", stated.start(), words);
        let decimals = words.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let same = words == per_second::throughput(rate) || words == number::to_fixed(rate, decimals);
        judgements.push(match same {
            true => claim.holds(per_second::throughput(rate), &older.file, "k6's rate of the older run"),
            false => claim.wrong(per_second::throughput(rate), &older.file, "k6's rate of the older run"),
        });
    }
    judgements
}

fn bare(version: &str) -> &str {
    version.trim_start_matches('v')
}
