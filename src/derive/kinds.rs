//! What each metric is: stated by k6 somewhere, or inferred from its values and said so.

use std::collections::HashMap;

use super::observations::Metric;
use crate::model::{Contains, Declaration, EndSummary, Figures, Kind};

/// What a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricKind {
    /// Its kind.
    pub kind: Kind,
    /// True when its values are milliseconds; `None` when nothing says so either way.
    pub time: Option<bool>,
    /// True when only the values say it.
    pub inferred: bool,
}

/// The kinds stated by the logs and summaries of a run.
#[derive(Debug, Default)]
pub struct StatedKinds(HashMap<String, (Kind, Option<bool>)>);

impl StatedKinds {
    /// Collects from declarations, then from summaries, the earlier ones first.
    pub fn new<'a>(declarations: &[Declaration], summaries: impl IntoIterator<Item = &'a EndSummary>) -> Self {
        let declared = |d: &Declaration| (d.name.clone(), (d.kind, Some(d.contains == Contains::Time)));
        let mut stated: HashMap<String, (Kind, Option<bool>)> = declarations.iter().map(declared).collect();
        for summary in summaries {
            for (name, figures) in &summary.metrics {
                let (kind, time) = stated_by(figures);
                let entry = stated.entry(name.clone()).or_insert((kind, time));
                entry.1 = entry.1.or(time);
            }
        }
        StatedKinds(stated)
    }

    /// True when the metric's values are stated to be milliseconds; `None` when nothing states it.
    pub fn is_time(&self, name: &str) -> Option<bool> {
        self.0.get(name).and_then(|(_, time)| *time)
    }

    /// The kind of an observed metric.
    pub fn of(&self, metric: &Metric) -> MetricKind {
        let stated = self.0.get(&metric.name);
        let declared = metric.declared.map(|(kind, contains)| (kind, Some(contains == Contains::Time)));
        match declared.or(stated.copied()) {
            Some((kind, time)) => {
                let time = time.or_else(|| (kind == Kind::Trend).then(|| infer(metric).time).flatten());
                MetricKind { kind, time, inferred: false }
            }
            None => infer(metric),
        }
    }
}

/// The kind shows in the form of the figures; a trend's unit does not.
fn stated_by(figures: &Figures) -> (Kind, Option<bool>) {
    match figures {
        Figures::Counter { .. } => (Kind::Counter, Some(false)),
        Figures::Gauge { .. } => (Kind::Gauge, Some(false)),
        Figures::Rate { .. } => (Kind::Rate, Some(false)),
        Figures::Trend(_) => (Kind::Trend, None),
    }
}

/// k6's CSV carries no types. Values tell a counter or a rate at best: a queue's depth looks like a latency, so that only
/// a name makes a trend one of times.
fn infer(metric: &Metric) -> MetricKind {
    let all_zero_or_one = metric.min >= 0.0 && metric.max <= 1.0 && !metric.fractional;
    let (kind, time) = if names_a_duration(&metric.name) && metric.min >= 0.0 {
        (Kind::Trend, Some(true))
    } else if metric.n > 1 && all_zero_or_one {
        (if metric.nonzero == metric.n { Kind::Counter } else { Kind::Rate }, Some(false))
    } else {
        (Kind::Trend, None)
    };
    MetricKind { kind, time, inferred: true }
}

fn names_a_duration(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["duration", "latency", "_time", "_ms", "elapsed", "_ttfb", "_rtt"].iter().any(|word| name.ends_with(word))
}
