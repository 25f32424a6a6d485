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
        let within: Vec<u32> = populations.iter().filter(|p| covers(p, *second)).map(|p| p.population.id).collect();
        within.iter().for_each(|id| *fails_within.entry(*id).or_default() += count);
        elsewhere += if within.is_empty() { *count } else { 0 };
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

/// A check is stamped when it is called, after its request has ended: up to a second later.
fn covers(population: &Located, second: i64) -> bool {
    match population.clusters.is_empty() {
        true => [second, second - 1].iter().any(|s| population.by_second.contains_key(s)),
        false => population.clusters.iter().any(|(start, end)| (*start..=*end + 1).contains(&second)),
    }
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
