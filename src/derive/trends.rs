//! Trends, counters, rates and gauges from observations.

use std::collections::{BTreeMap, BTreeSet};

use super::drift::drift;
use super::figures::{Group, statistics};
use super::kinds::{MetricKind, StatedKinds};
use super::observations::{Metric, Observations};
use crate::model::{Counter, Drift, FigureSource, Gauge, Kind, Percentile, Phase, Rate, Trend, Window};

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
                let gauge = metric.as_gauge().map(|(last, min, max)| Gauge { last, min, max, inferred });
                all.gauges.extend(gauge.map(|gauge| (name(), gauge)));
            }
            Kind::Trend => {
                let trend = Trend { time, inferred, from: FigureSource::Raw, ..Trend::default() };
                // before the groups are made: both take as much memory as the values they look at
                let drift = window.and_then(|window| drift_in_test(metric, seen, window));
                let mut groups = groups(metric, seen);
                let mut statistics = |pick: &dyn Fn(bool, u64) -> bool| {
                    let picked = groups.iter_mut().filter(|((in_test, mask), _)| pick(*in_test, *mask));
                    statistics(picked.map(|(_, group)| group).collect(), wanted)
                };
                if let Some(run) = statistics(&|_, _| true) {
                    let test = statistics(&|in_test, _| in_test);
                    all.trends.insert(name(), Trend { run, test, drift, ..trend.clone() });
                }
                for (bit, submetric) in metric.submetrics() {
                    if let Some(run) = statistics(&|_, mask| mask & bit != 0) {
                        let test = statistics(&|in_test, mask| in_test && mask & bit != 0);
                        let part = Trend { run, test, ..trend.clone() };
                        all.submetrics.insert(submetric.to_string(), part);
                    }
                }
            }
        }
    }
    all
}

/// A metric's values by whether they are of the test phase, and by the submetrics they belong to (a bit each).
fn groups(metric: &Metric, seen: &Observations) -> Vec<((bool, u64), Group)> {
    let mut seconds: BTreeMap<(bool, u64), Vec<&[f64]>> = BTreeMap::new();
    for ((class, mask), values) in &metric.cells {
        let in_test = seen.phases.resolve(*class) == Phase::Test;
        seconds.entry((in_test, *mask)).or_default().extend(values.iter().map(|(_, values)| values.as_slice()));
    }
    seconds.into_iter().map(|(key, seconds)| (key, Group::of(seconds.iter().copied()))).collect()
}

fn drift_in_test(metric: &Metric, seen: &Observations, window: Window) -> Option<Drift> {
    let cells = metric.cells.iter().filter(|((class, _), _)| seen.phases.resolve(*class) == Phase::Test);
    drift(cells.flat_map(|(_, values)| values.iter().map(|(second, values)| (second, values.as_slice()))), window)
}
