//! Statistics of values, and of the figures a summary or log states.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::sorted::Pool;
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

/// Statistics over values; `None` without values.
pub fn statistics(pool: &Pool<'_>, wanted: &BTreeSet<Percentile>) -> Option<TrendStats> {
    Some(TrendStats {
        n: Some(pool.len() as u64),
        min: Some(pool.min()?),
        avg: pool.mean(),
        percentiles: wanted.iter().filter_map(|p| Some((*p, pool.quantile(p.fraction())?))).collect(),
        max: pool.max(),
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
