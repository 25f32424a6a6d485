//! Trends, counters, rates and gauges from observations.

use std::collections::{BTreeMap, BTreeSet};

use super::drift::drift;
use super::figures::statistics;
use super::kinds::{MetricKind, StatedKinds};
use super::observations::{Metric, Observations};
use super::phase::Class;
use crate::model::{Counter, FigureSource, Gauge, Kind, Percentile, Phase, Rate, Trend, Window};

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
                all.counters.insert(name(), Counter { sum: metric.sum, inferred });
            }
            Kind::Rate => {
                all.rates.insert(name(), Rate { nonzero: metric.nonzero, total: metric.n, inferred });
            }
            Kind::Gauge => {
                let gauge = Gauge { last: metric.last.1, min: metric.min, max: metric.max, inferred };
                all.gauges.insert(name(), gauge);
            }
            Kind::Trend => {
                let trend = Trend { time, inferred, from: FigureSource::Raw, ..Trend::default() };
                if let Some(whole) = whole(seen, metric, trend.clone(), window, wanted) {
                    all.trends.insert(name(), whole);
                }
                for (bit, submetric) in metric.submetrics() {
                    if let Some(part) = narrowed(seen, metric, bit, trend.clone(), wanted) {
                        all.submetrics.insert(submetric.to_string(), part);
                    }
                }
            }
        }
    }
    all
}

fn whole(
    seen: &Observations,
    metric: &Metric,
    trend: Trend,
    window: Option<Window>,
    wanted: &BTreeSet<Percentile>,
) -> Option<Trend> {
    let in_test = |class: Class| seen.phases.resolve(class) == Phase::Test;
    let test_sum = metric.by_class.iter().filter(|(class, _)| in_test(**class)).map(|(_, (_, sum))| sum).sum();
    let drift = window.and_then(|window| {
        let cells = metric.cells.iter().filter(|((class, _), _)| in_test(*class));
        drift(cells.flat_map(|(_, values)| values.iter().map(|(s, v)| (s, v.as_slice()))), window)
    });
    Some(Trend {
        run: statistics(gather(metric, |_, _| true), metric.sum, wanted)?,
        test: statistics(gather(metric, |class, _| in_test(class)), test_sum, wanted),
        drift,
        ..trend
    })
}

fn narrowed(
    seen: &Observations,
    metric: &Metric,
    bit: u64,
    trend: Trend,
    wanted: &BTreeSet<Percentile>,
) -> Option<Trend> {
    let part = |only_test: bool| {
        let values =
            gather(metric, |class, mask| mask & bit != 0 && (!only_test || seen.phases.resolve(class) == Phase::Test));
        let sum = values.iter().sum();
        statistics(values, sum, wanted)
    };
    Some(Trend { run: part(false)?, test: part(true), ..trend })
}

fn gather(metric: &Metric, pick: impl Fn(Class, u64) -> bool) -> Vec<f64> {
    let cells = metric.cells.iter().filter(|((class, mask), _)| pick(*class, *mask));
    cells.flat_map(|(_, values)| values.iter()).flat_map(|(_, values)| values).copied().collect()
}
