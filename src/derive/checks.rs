//! Checks by name, and in which populations' windows their failures fell.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::observations::{CheckSeen, Observations};
use super::populations::Located;
use super::redact::Redactor;
use crate::model::{CheckByName, CheckCount, Checks, EndSummary, Figures};

/// Checks of the whole run; `None` when the run has none.
pub fn checks(seen: &Observations, populations: &[Located], redactor: &Redactor) -> Option<Checks> {
    let by_name = merged(seen.checks.iter().map(|(name, check)| by_name(name, check, populations, redactor)));
    let failed = by_name.iter().map(|check| check.fails).sum();
    let total = failed + by_name.iter().filter_map(|check| check.passes).sum::<u64>();
    (total > 0).then_some(Checks { total, failed, by_name })
}

fn by_name(name: &str, check: &CheckSeen, populations: &[Located], redactor: &Redactor) -> CheckByName {
    let mut fails_within: BTreeMap<u32, u64> = BTreeMap::new();
    let mut elsewhere = 0;
    for (second, count) in &check.failed_by_second {
        match place_of(populations, *second) {
            Some(id) => *fails_within.entry(id).or_default() += count,
            None => elsewhere += count,
        }
    }
    CheckByName {
        name: (!name.is_empty()).then(|| redactor.text(name)),
        passes: Some(check.passes),
        fails: check.fails,
        fails_within,
        fails_elsewhere: Some(elsewhere),
    }
}

/// Names that are equal without ids, hosts and secrets are one check, in order of first use.
fn merged(checks: impl Iterator<Item = CheckByName>) -> Vec<CheckByName> {
    let mut by_name: IndexMap<Option<String>, CheckByName> = IndexMap::new();
    for check in checks {
        let Some(known) = by_name.get_mut(&check.name) else {
            by_name.insert(check.name.clone(), check);
            continue;
        };
        known.passes = known.passes.zip(check.passes).map(|(a, b)| a + b);
        known.fails += check.fails;
        check.fails_within.iter().for_each(|(id, n)| *known.fails_within.entry(*id).or_default() += n);
        known.fails_elsewhere = known.fails_elsewhere.zip(check.fails_elsewhere).map(|(a, b)| a + b);
    }
    by_name.into_values().collect()
}

/// The population in whose window a second falls: one with a failed request at that moment before one without, then the
/// one with the shortest window.
///
/// Each failure counts once, so that the numbers of one check sum up. A check is stamped when it is called, after its
/// request has ended: up to a second later.
fn place_of(populations: &[Located], second: i64) -> Option<u32> {
    let covers = |(start, end): &(i64, i64)| (*start..=*end + 1).contains(&second);
    let distance = |p: &Located| (0..=1).find(|back| p.by_second.contains_key(&(second - back))).unwrap_or(2);
    let rank = |p: &Located| {
        let shortest = p.windows().filter(covers).map(|(start, end)| end - start).min()?;
        Some((distance(p), shortest, p.population.id))
    };
    populations.iter().filter_map(rank).min().map(|(_, _, id)| id)
}

/// Checks as a log or summary states them; names of different groups are added together.
pub fn stated(summary: &EndSummary, redactor: &Redactor) -> Option<Checks> {
    let by_name = merged(summary.checks.iter().map(|CheckCount { name, passes, fails, .. }| CheckByName {
        name: Some(redactor.text(name)),
        passes: *passes,
        fails: fails.unwrap_or(0),
        fails_within: BTreeMap::new(),
        fails_elsewhere: None,
    }));
    let (failed, total) = match (summary.metrics.get("checks_failed"), summary.metrics.get("checks")) {
        (Some(Figures::Rate { nonzero, total, .. }), _) => (*nonzero, *total),
        (_, Some(Figures::Rate { nonzero, total, .. })) => (total.saturating_sub(*nonzero), *total),
        _ => {
            let failed = by_name.iter().map(|check| check.fails).sum();
            let passed: Option<u64> = by_name.iter().map(|check| check.passes).sum();
            (failed, failed + passed?)
        }
    };
    (total > 0).then_some(Checks { total, failed, by_name })
}
