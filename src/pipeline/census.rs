//! A sink that only counts, for `inspect` and for comparing two formats of one run.

use std::collections::BTreeMap;

use crate::model::{Declaration, Place, Sample, Sink, Time};

/// Samples by metric, their span, and what was left out.
#[derive(Debug, Clone, Default)]
pub struct Census {
    /// Samples by metric name.
    pub counts: BTreeMap<String, u64>,
    /// First and last moment of any sample.
    pub span: Option<(Time, Time)>,
    /// Rows left out, by reason, with the first place of each.
    pub skipped: BTreeMap<&'static str, (u64, Place)>,
    /// What was cut off.
    pub truncated: Vec<&'static str>,
}

impl Sink for Census {
    fn sample(&mut self, sample: &Sample<'_>) {
        match self.counts.get_mut(sample.metric) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(sample.metric.to_owned(), 1);
            }
        }
        let (first, last) = self.span.get_or_insert((sample.time, sample.time));
        *first = (*first).min(sample.time);
        *last = (*last).max(sample.time);
    }

    fn declare(&mut self, _declaration: Declaration) {}

    fn skipped(&mut self, reason: &'static str, place: Place) {
        self.skipped.entry(reason).or_insert((0, place)).0 += 1;
    }

    fn truncated(&mut self, what: &'static str) {
        self.truncated.push(what);
    }
}
