use std::collections::BTreeMap;

use super::quoted::quoted;
use super::shown::Shown;
use super::{escaped_percent, words};
use crate::model::{CheckByName, Checks, Evidence};

/// Most checks named; more are counted.
const NAMED_CHECKS: usize = 12;

/// Failed checks by name and where they fell; empty when none failed or nothing is known of checks.
pub(super) fn clauses(evidence: &Evidence) -> Vec<String> {
    let Some(checks) = evidence.checks.as_ref().filter(|checks| checks.failed > 0) else { return Vec::new() };
    let head = format!(
        "{} of {} checks failed ({})",
        words::count(checks.failed),
        words::count(checks.total),
        escaped_percent(checks.failed, checks.total)
    );
    let mut failed: Vec<&CheckByName> = checks.by_name.iter().filter(|check| check.fails > 0).collect();
    failed.sort_by_key(|check| std::cmp::Reverse(check.fails)); // stable: equal counts keep the order of first use
    let populations = evidence.populations.as_deref().unwrap_or_default();
    let shown = Shown::of(populations);
    let common = if populations.is_empty() { None } else { common_place(&failed, &shown) };
    let placed = !populations.is_empty() && common.is_none();
    let named: Vec<(&CheckByName, Option<String>)> = failed
        .iter()
        .take(NAMED_CHECKS)
        .map(|check| (*check, if placed { place(check, &shown) } else { None }))
        .collect();
    let by =
        if named.iter().any(|(_, place)| place.is_some()) { ", by name and the window they fell into" } else { "" };
    let mut parts: Vec<String> = named.iter().map(|(check, place)| one(check, place.as_deref())).collect();
    parts.extend(unnamed(checks, &failed));
    let names = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    let place = common.map(|place| format!("; {place}")).unwrap_or_default();
    vec![format!("{head}{by}{names}{place}.")]
}

fn one(check: &CheckByName, place: Option<&str>) -> String {
    let name = check.name.as_deref().map_or_else(|| "checks without a name".to_owned(), quoted);
    match place {
        Some(place) => format!("{name} ({}{place})", words::count(check.fails)),
        None => format!("{name} ({})", words::count(check.fails)),
    }
}

/// Where the failures of one check fell, `: 20 in (1), 9 in (2)` or `, all in (1)`; `None` when not known.
fn place(check: &CheckByName, shown: &Shown<'_>) -> Option<String> {
    let elsewhere = check.fails_elsewhere?;
    let within: Vec<(&u32, &u64)> = check.fails_within.iter().filter(|(_, n)| **n > 0).collect();
    if let ([(id, n)], 0) = (within.as_slice(), elsewhere)
        && **n == check.fails
    {
        return Some(format!(", all in {}", shown.reference(**id)));
    }
    let mut parts: Vec<String> =
        within.iter().map(|(id, n)| format!("{} in {}", words::count(**n), shown.reference(**id))).collect();
    if elsewhere > 0 {
        parts.push(format!("{} at other times", words::count(elsewhere)));
    }
    (!parts.is_empty()).then(|| format!(": {}", parts.join(", ")))
}

/// The place all failed checks share, said once instead of for each.
fn common_place(failed: &[&CheckByName], shown: &Shown<'_>) -> Option<String> {
    let mut sums: BTreeMap<u32, u64> = BTreeMap::new();
    let mut total = 0_u64;
    let mut elsewhere = 0_u64;
    for check in failed {
        elsewhere = elsewhere.saturating_add(check.fails_elsewhere?);
        total = total.saturating_add(check.fails);
        for (id, n) in check.fails_within.iter().filter(|(_, n)| **n > 0) {
            let sum = sums.entry(*id).or_default();
            *sum = sum.saturating_add(*n);
        }
    }
    match sums.iter().next() {
        None if total == elsewhere => Some("all of them outside the times above".to_owned()),
        Some((id, sum)) if *sum == total && sums.len() == 1 && elsewhere == 0 => {
            Some(format!("all of them in the window of {}", shown.reference(*id)))
        }
        _ => None,
    }
}

/// What the list leaves out: checks beyond the limit, and failures no name accounts for.
fn unnamed(checks: &Checks, failed: &[&CheckByName]) -> Vec<String> {
    let sum = |list: &[&CheckByName]| list.iter().map(|check| check.fails).fold(0, u64::saturating_add);
    let beyond = failed.get(NAMED_CHECKS..).unwrap_or_default();
    let mut parts = Vec::new();
    if !beyond.is_empty() {
        parts.push(format!("{} further checks ({})", beyond.len(), words::count(sum(beyond))));
    }
    let rest = checks.failed.saturating_sub(sum(failed));
    if rest > 0 {
        parts.push(format!("checks not named in the data ({})", words::count(rest)));
    }
    parts
}
