//! Observations of several readers as one: of several load generators, or of the parts of one file.

use std::collections::BTreeMap;

use super::metric::Role;
use super::{
    CheckSeen, Failures, LONGEST_RUN_SECONDS, MOST_CAUSES, MOST_NAMES, MOST_REQUEST_NAMES, Observations, Tick, widen,
};
use crate::derive::by_class::ByClass;
use crate::derive::seconds::Seconds;

/// How two observations lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Two load generators of one run: their VUs add up.
    Generators,
    /// Two shares of one file's rows, in any order.
    Shares,
}

impl Observations {
    /// What several readers saw of one file, each a share of its rows: the same as if one had read them all, in order.
    ///
    /// `None` when a limit was reached at which it counts who came first (hundreds of causes, a row of another week): then the
    /// file has to be read in order. Also `None` without any share.
    pub fn joined(shares: Vec<Observations>) -> Option<Self> {
        let several = shares.len() > 1;
        let mut shares = shares.into_iter();
        let mut all = shares.next()?;
        shares.for_each(|share| all.join(share, Relation::Shares));
        if several && (all.first_come || all.names_overflowed || all.stray.is_some() || all.exceeds_a_limit()) {
            return None;
        }
        all.checks.sort_by(|_, a, _, b| a.first.cmp(&b.first));
        Some(all)
    }

    fn exceeds_a_limit(&self) -> bool {
        let (first, last) = self.whole.unzip();
        let seconds = last.zip(first).map_or(0, |(last, first)| last.unix_seconds() - first.unix_seconds());
        seconds > LONGEST_RUN_SECONDS
            || self.failures.len() > MOST_CAUSES
            || self.failures.values().any(|failures| failures.requests.len() > MOST_REQUEST_NAMES)
            || [self.metrics.len(), self.checks.len(), self.scenarios.len()].into_iter().any(|names| names > MOST_NAMES)
    }

    /// Adds what another load generator of the same run saw. VUs are summed per second.
    pub fn merge(&mut self, other: Observations) {
        self.join(other, Relation::Generators);
        self.regauge(Role::Vus);
        self.regauge(Role::VusMax);
    }

    fn join(&mut self, other: Observations, relation: Relation) {
        for metric in other.metrics {
            if let Some(mine) = self.metric_index(&metric.name).and_then(|index| self.metrics.get_mut(index)) {
                let other_is_later = relation == Relation::Generators || metric.last.1 > mine.last.1;
                self.first_come |= mine.is_declared_otherwise(&metric);
                mine.merge(metric, other_is_later);
            }
        }
        self.phases.merge(other.phases);
        for (class, (first, last)) in other.spans.into_iter() {
            widen(self.spans.or_insert_with(class, || (first, last)), first, last);
        }
        if let Some((first, last)) = other.whole {
            widen(self.whole.get_or_insert((first, last)), first, last);
        }
        self.stray = self.stray.or(other.stray);
        for (key, failures) in other.failures {
            self.failures.entry(key).or_default().merge(failures);
        }
        for (name, check) in other.checks {
            match self.checks.get_mut(&name) {
                Some(mine) => mine.merge(check),
                None => {
                    self.checks.insert(name, check);
                }
            }
        }
        add_seconds(&mut self.iterations, other.iterations);
        add_seconds(&mut self.requests, other.requests);
        let add_gauge = match relation {
            Relation::Generators => sum_gauges,
            Relation::Shares => latest_of_gauges,
        };
        add_gauge(&mut self.vus, other.vus);
        add_gauge(&mut self.vus_max, other.vus_max);
        self.generators += if relation == Relation::Generators { other.generators } else { 0 };
        self.scenarios.extend(other.scenarios);
        self.url_cardinality.seen.extend(other.url_cardinality.seen);
        for (reason, (count, place)) in other.skipped {
            self.skipped.entry(reason).or_insert((0, place)).0 += count;
        }
        self.truncated.extend(other.truncated);
        self.names_overflowed |= other.names_overflowed;
        self.first_come |= other.first_come;
    }

    /// Sets a gauge of VUs to what all load generators had together in the same second.
    fn regauge(&mut self, role: Role) {
        let seconds = if role == Role::Vus { &self.vus } else { &self.vus_max };
        let sums: Vec<f64> = seconds.iter().filter_map(|(_, tick)| tick.map(|tick| tick.value)).collect();
        let Some(metric) = self.metrics.iter_mut().find(|metric| metric.role == role) else { return };
        if let Some(last) = sums.last() {
            metric.last.2 = *last;
            metric.min = sums.iter().copied().fold(f64::INFINITY, f64::min);
            metric.max = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
    }
}

impl Failures {
    fn merge(&mut self, other: Failures) {
        self.count += other.count;
        add_all(&mut self.by_second, other.by_second);
        other.requests.into_iter().for_each(|(name, n)| *self.requests.entry(name).or_default() += n);
    }
}

impl CheckSeen {
    fn merge(&mut self, other: CheckSeen) {
        self.first = self.first.min(other.first);
        self.passes += other.passes;
        self.fails += other.fails;
        add_all(&mut self.failed_by_second, other.failed_by_second);
        other.request_names.into_iter().for_each(|name| self.see_request(name));
        self.failed_with_good_status += other.failed_with_good_status;
    }
}

fn add_all(to: &mut BTreeMap<i64, u64>, from: BTreeMap<i64, u64>) {
    from.into_iter().for_each(|(second, n)| *to.entry(second).or_default() += n);
}

fn add_seconds(to: &mut ByClass<Seconds<u64>>, from: ByClass<Seconds<u64>>) {
    for (class, seconds) in from.into_iter() {
        let to = to.of(class);
        seconds.into_iter().for_each(|(second, n)| *to.at(second) += n);
    }
}

/// Adds two gauges second by second. Each keeps its value until its next tick, which may skip a second.
fn sum_gauges(mine: &mut Seconds<Option<Tick>>, mut theirs: Seconds<Option<Tick>>) {
    for gauge in [&mut *mine, &mut theirs] {
        let mut held = None;
        gauge.cells_mut().for_each(|cell| {
            *cell = cell.or(held);
            held = *cell;
        });
    }
    for (second, tick) in theirs.into_iter() {
        if let Some(tick) = tick {
            let mine = mine.at(second);
            let value = mine.map_or(0.0, |mine| mine.value) + tick.value;
            *mine = Some(Tick { value, ..tick });
        }
    }
}

/// Of two ticks in one second the later one of the file counts.
fn latest_of_gauges(mine: &mut Seconds<Option<Tick>>, theirs: Seconds<Option<Tick>>) {
    for (second, tick) in theirs.into_iter().filter_map(|(second, tick)| Some((second, tick?))) {
        let mine = mine.at(second);
        if mine.is_none_or(|mine| tick.at > mine.at) {
            *mine = Some(tick);
        }
    }
}
