//! Trends, counters, rates and gauges from observations.

use std::collections::{BTreeMap, BTreeSet};

use super::drift::drift;
use super::figures::statistics;
use super::kinds::{MetricKind, StatedKinds};
use super::observations::{Metric, Observations};
use super::sorted::{Pool, Sorted};
use crate::model::{Counter, Drift, FigureSource, Gauge, Kind, Percentile, Phase, Rate, Trend, TrendStats, Window};

/// Figures of every metric of a run, by kind.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Trends with kept values.
    pub trends: BTreeMap<String, Trend>,
    /// Submetrics with kept values.
    pub submetrics: BTreeMap<String, Trend>,
    /// Counters.
    pub counters: BTreeMap<String, Counter>,
    /// Rates; not `checks`, which have counts by name.
    pub rates: BTreeMap<String, Rate>,
    /// Gauges.
    pub gauges: BTreeMap<String, Gauge>,
}

/// Computes the figures of every metric that was seen.
pub fn metrics(
    seen: &Observations,
    kinds: &StatedKinds,
    window: Option<Window>,
    wanted: &BTreeSet<Percentile>,
) -> Metrics {
    let mut all = Metrics::default();
    for metric in seen.metrics.iter().filter(|m| m.n > 0 && m.name != "checks") {
        let MetricKind { kind, time, inferred } = kinds.of(metric);
        let name = || metric.name.clone();
        match kind {
            Kind::Counter => {
                all.counters.insert(name(), Counter { sum: metric.sum(), inferred });
            }
            Kind::Rate => {
                all.rates.insert(name(), Rate { nonzero: metric.nonzero, total: metric.n, inferred });
            }
            Kind::Gauge => {
                let gauge = Gauge { last: metric.last.2, min: metric.min, max: metric.max, inferred };
                all.gauges.insert(name(), gauge);
            }
            Kind::Trend => {
                let trend = Trend { time, inferred, from: FigureSource::Raw, ..Trend::default() };
                let groups = Groups::of(metric, seen);
                if let Some(run) = groups.statistics(|_| true, wanted) {
                    let test = groups.statistics(|group| group.in_test, wanted);
                    let drift = window.and_then(|window| drift_in_test(metric, seen, window));
                    all.trends.insert(name(), Trend { run, test, drift, ..trend.clone() });
                }
                for (bit, submetric) in metric.submetrics() {
                    let matches = |group: &Group| group.mask & bit != 0;
                    if let Some(run) = groups.statistics(matches, wanted) {
                        let test = groups.statistics(|group| group.in_test && matches(group), wanted);
                        let part = Trend { run, test, ..trend.clone() };
                        all.submetrics.insert(submetric.to_string(), part);
                    }
                }
            }
        }
    }
    all
}

/// The values of one metric: those that always count together are sorted together, once.
struct Groups(Vec<Group>);

struct Group {
    in_test: bool,
    /// The submetrics they belong to, a bit each.
    mask: u64,
    values: Sorted,
}

impl Groups {
    fn of(metric: &Metric, seen: &Observations) -> Self {
        let mut values: BTreeMap<(bool, u64), Vec<f64>> = BTreeMap::new();
        for ((class, mask), cells) in &metric.cells {
            let group = values.entry((seen.phases.resolve(*class) == Phase::Test, *mask)).or_default();
            group.reserve_exact(cells.iter().map(|(_, values)| values.len()).sum());
            cells.iter().for_each(|(_, values)| group.extend_from_slice(values));
        }
        let sorted = |((in_test, mask), values)| Group { in_test, mask, values: Sorted::new(values) };
        Groups(values.into_iter().map(sorted).collect())
    }

    fn statistics(&self, pick: impl Fn(&Group) -> bool, wanted: &BTreeSet<Percentile>) -> Option<TrendStats> {
        statistics(&Pool::new(self.0.iter().filter(|group| pick(group)).map(|group| &group.values)), wanted)
    }
}

fn drift_in_test(metric: &Metric, seen: &Observations, window: Window) -> Option<Drift> {
    let cells = metric.cells.iter().filter(|((class, _), _)| seen.phases.resolve(*class) == Phase::Test);
    drift(cells.flat_map(|(_, values)| values.iter().map(|(second, values)| (second, values.as_slice()))), window)
}
