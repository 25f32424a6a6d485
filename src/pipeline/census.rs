//! A sink that only counts, for `inspect` and for comparing two formats of one run.

use std::collections::{BTreeMap, HashMap};

use crate::model::{Declaration, MetricId, Place, Sample, Sink, Time};

/// Samples by metric, their span, and what was left out.
#[derive(Debug, Clone, Default)]
pub struct Census {
    names: HashMap<String, usize>,
    counts: Vec<u64>,
    /// First and last moment of any sample.
    pub span: Option<(Time, Time)>,
    /// Rows left out, by reason, with the first place of each.
    pub skipped: BTreeMap<&'static str, (u64, Place)>,
    /// What was cut off.
    pub truncated: Vec<&'static str>,
}

impl Census {
    /// Samples by metric name.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let of = |(name, index): (&String, &usize)| Some((name.clone(), *self.counts.get(*index)?));
        self.names.iter().filter_map(of).filter(|(_, n)| *n > 0).collect()
    }

    /// What several readers saw of one file, each a share of its rows.
    pub fn joined(shares: Vec<Census>) -> Census {
        let mut all = Census::default();
        for share in shares {
            for (name, n) in share.counts() {
                let MetricId(index) = all.metric(&name);
                all.counts.get_mut(index).into_iter().for_each(|count| *count += n);
            }
            for time in share.span.into_iter().flat_map(|(first, last)| [first, last]) {
                all.widen(time);
            }
            for (reason, (count, place)) in share.skipped {
                all.skipped.entry(reason).or_insert((0, place)).0 += count;
            }
            all.truncated.extend(share.truncated);
        }
        all
    }

    fn widen(&mut self, time: Time) {
        let (first, last) = self.span.get_or_insert((time, time));
        *first = (*first).min(time);
        *last = (*last).max(time);
    }
}

impl Sink for Census {
    fn metric(&mut self, name: &str) -> MetricId {
        if let Some(index) = self.names.get(name) {
            return MetricId(*index);
        }
        self.counts.push(0);
        self.names.insert(name.to_owned(), self.counts.len() - 1);
        MetricId(self.counts.len() - 1)
    }

    fn reads_other_tags(&self) -> bool {
        false
    }

    fn reads_values(&self, _metric: MetricId) -> bool {
        false
    }

    fn sample(&mut self, sample: &Sample<'_>) {
        if let Some(count) = self.counts.get_mut(sample.metric.0) {
            *count += 1;
        }
        self.widen(sample.time);
    }

    fn declare(&mut self, _declaration: Declaration) {}

    fn skipped(&mut self, reason: &'static str, place: Place) {
        self.skipped.entry(reason).or_insert((0, place)).0 += 1;
    }

    fn truncated(&mut self, what: &'static str) {
        self.truncated.push(what);
    }
}
