//! Statistics of values, and of the figures a summary or log states.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::quantile::{Selection, keys_in_order};
use super::sum::ExactSum;
use crate::model::{EndSummary, Figures, Percentile, Printed, Stat, Threshold, TrendStats};

/// The percentiles every trend has.
const USUAL: [Percentile; 5] = [Percentile::P50, Percentile::P90, Percentile::P95, Percentile::P99, Percentile::P99_9];

/// The usual percentiles, those the given summaries state and those thresholds were set on, ascending.
///
/// k6 prints `undefined` for a threshold on a percentile that is not among the summary's statistics.
pub fn percentiles_wanted<'a>(
    summaries: impl IntoIterator<Item = &'a EndSummary>,
    limits: &[Threshold],
) -> BTreeSet<Percentile> {
    let stated = summaries.into_iter().flat_map(|s| s.metrics.values()).flat_map(|figures| match figures {
        Figures::Trend(stats) => stats.keys().copied().collect::<Vec<_>>(),
        _ => Vec::new(),
    });
    let stated = stated.filter_map(|stat| match stat {
        Stat::P(percentile) => Some(percentile),
        _ => None,
    });
    let limited = limits.iter().filter_map(|limit| {
        let (percent, _) = limit.source.trim_start().strip_prefix("p(")?.split_once(')')?;
        Percentile::parse(percent.trim())
    });
    USUAL.into_iter().chain(stated).chain(limited).collect()
}

/// Values that count together wherever they count.
#[derive(Debug)]
pub struct Group {
    n: usize,
    min: f64,
    max: f64,
    sum: ExactSum,
    values: Selection,
}

impl Group {
    /// Of the values of some seconds.
    pub fn of<'v>(seconds: impl Iterator<Item = &'v [f64]> + Clone) -> Self {
        let n = seconds.clone().map(<[f64]>::len).sum();
        let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, ExactSum::default());
        let values = seconds.flatten().copied().inspect(|value| {
            min = min.min(*value);
            max = max.max(*value);
            sum.add(*value);
        });
        let values = Selection::of(n, values);
        Group { n, min, max, sum, values }
    }
}

/// Statistics over the values of several groups together; `None` without values.
///
/// One group has nearly all values as a rule: those of others are merged into it, so that it is gone through once, however
/// many statistics it is part of.
pub fn statistics(mut groups: Vec<&mut Group>, wanted: &BTreeSet<Percentile>) -> Option<TrendStats> {
    let n: usize = groups.iter().map(|group| group.n).sum();
    let mut sum = ExactSum::default();
    groups.iter().for_each(|group| sum.merge(&group.sum));
    let min = groups.iter().fold(f64::INFINITY, |min, group| min.min(group.min));
    let max = groups.iter().fold(f64::NEG_INFINITY, |max, group| max.max(group.max));
    groups.sort_by_key(|group| group.n);
    let (largest, others) = groups.split_last_mut()?;
    let more = keys_in_order(others.iter().map(|group| &group.values));
    (n > 0).then(|| TrendStats {
        n: Some(n as u64),
        min: Some(min),
        avg: Some(sum.value() / n as f64),
        percentiles: wanted
            .iter()
            .filter_map(|p| Some((*p, largest.values.quantile_with(&more, p.fraction())?)))
            .collect(),
        max: Some(max),
    })
}

/// The statistics a summary states for one trend; what it does not state stays absent.
pub fn stated_statistics(stats: &IndexMap<Stat, Printed>) -> TrendStats {
    let value = |stat: Stat| stats.get(&stat).and_then(|printed| printed.value);
    let mut percentiles: BTreeMap<Percentile, f64> = stats
        .iter()
        .filter_map(|(stat, printed)| match stat {
            Stat::P(percentile) => Some((*percentile, printed.value?)),
            _ => None,
        })
        .collect();
    if let Some(median) = value(Stat::Med) {
        percentiles.entry(Percentile::P50).or_insert(median);
    }
    TrendStats {
        n: value(Stat::Count).map(|n| n as u64),
        min: value(Stat::Min),
        avg: value(Stat::Avg),
        percentiles,
        max: value(Stat::Max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_statistics_of_their_values_together() {
        let groups = [vec![5.0, -1.5, 3.25], vec![], vec![60_000.0, 0.0, 5.0, 5.0], vec![-0.25]];
        let mut groups = groups.each_ref().map(|values| Group::of([values.as_slice()].into_iter()));
        let stats = statistics(groups.iter_mut().collect(), &percentiles_wanted([], &[])).unwrap();
        // sorted: -1.5, -0.25, 0, 3.25, 5, 5, 5, 60000
        assert_eq!(
            (stats.n, stats.min, stats.max, stats.avg),
            (Some(8), Some(-1.5), Some(60_000.0), Some(60_016.5 / 8.0))
        );
        assert_eq!(stats.percentiles.get(&Percentile::P50), Some(&4.125));
        assert_eq!(stats.percentiles.get(&Percentile::P90), Some(&(5.0 + 59_995.0 * (0.9 * 7.0 - 6.0))));
    }

    #[test]
    fn nothing_has_no_statistics() {
        assert_eq!(statistics(vec![], &percentiles_wanted([], &[])), None);
        assert_eq!(statistics(vec![&mut Group::of([&[][..]].into_iter())], &percentiles_wanted([], &[])), None);
    }
}
