//! Per-second counts that let later claims be proved.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::by_class::ByClass;
use super::observations::Observations;
use super::phase::Class;
use super::populations::Located;
use super::redact::Redactor;
use super::seconds::Seconds;
use crate::model::{PerMinuteSeries, Phase, Series, Time, Window};

/// Most sparse points of one evidence; past it the longest entries go to one point a minute.
const MOST_POINTS: usize = 5_000;

/// The series over a window. Requests and iterations are those of the test phase, or all when phases cannot be told.
pub fn series(seen: &Observations, window: Window, populations: &[Located], redactor: &Redactor) -> Series {
    let counted = |class: Class| matches!(seen.phases.resolve(class), Phase::Test | Phase::Unknown);
    let dense = |by_class: &ByClass<Seconds<u64>>| -> Vec<u64> {
        let parts: Vec<&Seconds<u64>> = by_class.iter().filter(|(c, _)| counted(*c)).map(|(_, s)| s).collect();
        (window.start..=window.end).map(|second| parts.iter().filter_map(|seconds| seconds.get(second)).sum()).collect()
    };
    let vus = |second: i64| seen.vus.get(second).copied().flatten().map(|tick| tick.value.max(0.0) as u64);
    let offsets = |by_second: &BTreeMap<i64, u64>| -> Vec<(i64, u64)> {
        by_second.iter().map(|(second, n)| (second - window.start, *n)).collect()
    };
    let mut checks_failed: IndexMap<String, Vec<(i64, u64)>> = IndexMap::new();
    for (name, check) in seen.checks.iter().filter(|(_, check)| check.fails > 0) {
        checks_failed.entry(redactor.text(name)).or_default().extend(offsets(&check.failed_by_second));
    }
    let mut series = Series {
        start: Time::from_unix_seconds(window.start),
        step_seconds: 1,
        iterations: dense(&seen.iterations),
        requests: dense(&seen.requests),
        vus: (window.start..=window.end).map(vus).collect(),
        failed: populations.iter().map(|p| (p.population.id, offsets(&p.by_second))).collect(),
        checks_failed,
        per_minute: PerMinuteSeries::default(),
    };
    thin(&mut series);
    series
}

/// Moves the longest entries to one point a minute until the rest fits.
fn thin(series: &mut Series) {
    loop {
        let failed = series.failed.iter().map(|(id, points)| (points.len(), Some(*id), None));
        let checks = series.checks_failed.iter().map(|(name, points)| (points.len(), None, Some(name.clone())));
        let entries: Vec<(usize, Option<u32>, Option<String>)> = failed.chain(checks).collect();
        let total: usize = entries.iter().map(|(points, ..)| points).sum();
        if total <= MOST_POINTS {
            return;
        }
        match entries.into_iter().max_by_key(|(points, ..)| *points) {
            Some((_, Some(id), _)) => {
                let points = series.failed.remove(&id).unwrap_or_default();
                series.per_minute.failed.insert(id, by_minute(&points));
            }
            Some((_, _, Some(name))) => {
                let points = series.checks_failed.shift_remove(&name).unwrap_or_default();
                series.per_minute.checks_failed.insert(name, by_minute(&points));
            }
            _ => return,
        }
    }
}

fn by_minute(points: &[(i64, u64)]) -> Vec<(i64, u64)> {
    let mut minutes: BTreeMap<i64, u64> = BTreeMap::new();
    points.iter().for_each(|(offset, n)| *minutes.entry(offset.div_euclid(60) * 60).or_default() += n);
    minutes.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_entries_go_to_minutes_and_keep_their_sums() {
        let long: Vec<(i64, u64)> = (-60..5_000).map(|second| (second, 2)).collect();
        let short = vec![(7, 1)];
        let mut series = Series { failed: [(1, long), (2, short.clone())].into(), ..Series::default() };
        thin(&mut series);
        assert_eq!(series.failed, [(2, short)].into());
        let minutes = &series.per_minute.failed[&1];
        assert_eq!(minutes.first(), Some(&(-60, 120)));
        assert_eq!(minutes.iter().map(|(_, n)| n).sum::<u64>(), 2 * 5_060);
    }
}
