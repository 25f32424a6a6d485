//! What is kept of one metric.

use super::Plan;
use crate::derive::builtin::{always_kept, builtin};
use crate::derive::by_class::ByClass;
use crate::derive::phase::Class;
use crate::derive::seconds::Values;
use crate::derive::sum::ExactSum;
use crate::model::{Contains, Kind, Sample, Submetric, Time};

/// A metric to which more than its own figures hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Requests,
    Failed,
    Checks,
    Iterations,
    DroppedIterations,
    Vus,
    VusMax,
    Plain,
}

impl Role {
    /// Gauges of VUs belong to no phase, dropped iterations to one that their tags do not tell.
    pub fn decides_its_own_phase(self) -> bool {
        matches!(self, Role::Vus | Role::VusMax | Role::DroppedIterations)
    }

    fn of(name: &str) -> Self {
        match name {
            "http_reqs" => Role::Requests,
            "http_req_failed" => Role::Failed,
            "checks" => Role::Checks,
            "iterations" => Role::Iterations,
            "dropped_iterations" => Role::DroppedIterations,
            "vus" => Role::Vus,
            "vus_max" => Role::VusMax,
            _ => Role::Plain,
        }
    }
}

/// How much of a metric will be needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// Every value.
    Values,
    /// Their sum and extremes.
    Totals,
    /// How many there are: a built-in trend that nothing printed.
    Count,
}

impl Keep {
    fn of(name: &str, plan: &Plan) -> Self {
        match builtin(name) {
            Some((Kind::Trend, _)) => {
                match plan.all_trends || always_kept(name) || plan.printed_trends.contains(name) {
                    true => Keep::Values,
                    false => Keep::Count,
                }
            }
            Some(_) => Keep::Totals,
            None => Keep::Values,
        }
    }
}

/// One metric.
#[derive(Debug)]
pub(in crate::derive) struct Metric {
    pub name: String,
    pub declared: Option<(Kind, Contains)>,
    pub n: u64,
    pub min: f64,
    pub max: f64,
    /// The latest sample: its time, its place in the file, its value.
    pub last: (Time, u64, f64),
    pub nonzero: u64,
    pub fractional: bool,
    /// Count and sum by class, of metrics whose values are not kept but needed.
    totals: ByClass<(u64, ExactSum)>,
    pub(super) role: Role,
    keep: Keep,
    /// Whether extremes and the last value are kept: of a gauge, and of a metric whose kind may have to be guessed.
    has_extremes: bool,
    submetrics: Vec<Submetric>,
    /// Kept values by class and by which submetrics they match (a bit each): every value is stored once.
    pub cells: Vec<((Class, u64), Values)>,
}

impl Metric {
    pub(super) fn new(name: &str, plan: &Plan) -> Self {
        let mut submetrics: Vec<Submetric> = plan.submetrics.iter().filter(|s| s.metric == name).cloned().collect();
        // k6 defines this one without being asked
        if name == "http_req_duration" {
            submetrics.extend(Submetric::parse("http_req_duration{expected_response:true}"));
        }
        submetrics.sort();
        submetrics.dedup();
        submetrics.truncate(64);
        Metric {
            name: name.to_owned(),
            declared: builtin(name),
            n: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            last: (Time::from_unix_nanos(i64::MIN), 0, 0.0),
            nonzero: 0,
            fractional: false,
            totals: ByClass::default(),
            role: Role::of(name),
            keep: Keep::of(name, plan),
            has_extremes: builtin(name).is_none_or(|(kind, _)| kind == Kind::Gauge),
            submetrics,
            cells: Vec::new(),
        }
    }

    /// True when k6 stated two types for the metric: then it counts which came last.
    pub(super) fn is_declared_otherwise(&self, other: &Metric) -> bool {
        self.declared.zip(other.declared).is_some_and(|(mine, theirs)| mine != theirs)
    }

    pub(super) fn reads_values(&self) -> bool {
        self.keep != Keep::Count
    }

    #[inline]
    pub(super) fn take(&mut self, sample: &Sample<'_>, class: Class, second: i64) {
        self.n += 1;
        if self.keep == Keep::Count {
            return;
        }
        let value = sample.value + 0.0; // k6 writes a tiny negative value as `-0.000000`
        self.nonzero += u64::from(value != 0.0);
        if self.has_extremes {
            self.widen(sample, value);
        }
        if self.keep == Keep::Totals {
            let (n, sum) = self.totals.of(class);
            *n += 1;
            sum.add(value);
            return;
        }
        let matching = self.submetrics.iter().map(|submetric| submetric.matches(sample.tags));
        let mask = matching.zip(0..).fold(0, |mask, (matches, bit)| mask | (u64::from(matches) << bit));
        self.cell((class, mask)).push(second, value);
    }

    #[inline]
    fn widen(&mut self, sample: &Sample<'_>, value: f64) {
        self.fractional = self.fractional || is_fractional(value);
        if value < self.min {
            self.min = value;
        }
        if value > self.max {
            self.max = value;
        }
        if sample.time > self.last.0 || sample.time == self.last.0 && sample.at >= self.last.1 {
            self.last = (sample.time, sample.at, value);
        }
    }

    /// The last value and the extremes; `None` of a metric of another kind that k6 defines.
    pub fn as_gauge(&self) -> Option<(f64, f64, f64)> {
        self.has_extremes.then_some((self.last.2, self.min, self.max))
    }

    #[inline]
    fn cell(&mut self, key: (Class, u64)) -> &mut Values {
        let index = self.cells.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
            self.cells.push((key, Values::default()));
            self.cells.len() - 1
        });
        &mut self.cells[index].1
    }

    /// The submetrics with the bit that marks their values in [`Metric::cells`].
    pub fn submetrics(&self) -> impl Iterator<Item = (u64, &Submetric)> {
        self.submetrics.iter().enumerate().map(|(bit, submetric)| (1 << bit, submetric))
    }

    /// How many samples there are of some classes; 0 for a metric of which only the number is kept.
    pub fn count(&self, pick: impl Fn(Class) -> bool) -> u64 {
        let kept = self.cells.iter().filter(|((class, _), _)| pick(*class)).flat_map(|(_, seconds)| seconds.iter());
        let kept: usize = kept.map(|(_, values)| values.len()).sum();
        self.totals.iter().filter(|(class, _)| pick(*class)).map(|(_, (n, _))| n).sum::<u64>() + kept as u64
    }

    /// The sum of all values, the same however the file was read; 0 for a metric of which only the number is kept.
    pub fn sum(&self) -> f64 {
        self.sum_of(|_| true)
    }

    /// The sum of the values of some classes.
    pub fn sum_of(&self, pick: impl Fn(Class) -> bool) -> f64 {
        let mut all = ExactSum::default();
        self.totals.iter().filter(|(class, _)| pick(*class)).for_each(|(_, (_, sum))| all.merge(sum));
        for (_, values) in self.cells.iter().filter(|((class, _), _)| pick(*class)) {
            values.iter().flat_map(|(_, values)| values).for_each(|value| {
                all.add(*value);
            });
        }
        all.value()
    }

    /// Adds what another reader saw. Its last value counts when it is later, or when both are of the same moment and
    /// `other_is_later`.
    pub(super) fn merge(&mut self, other: Metric, other_is_later: bool) {
        self.declared = self.declared.or(other.declared);
        self.n += other.n;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        let (mine, theirs) = (&self.last, &other.last);
        if theirs.0 > mine.0 || (theirs.0 == mine.0 && other_is_later) {
            self.last = other.last;
        }
        self.nonzero += other.nonzero;
        self.fractional |= other.fractional;
        for (class, (n, sum)) in other.totals.into_iter() {
            let mine = self.totals.of(class);
            mine.0 += n;
            mine.1.merge(&sum);
        }
        for (key, values) in other.cells {
            let mine = self.cell(key);
            values.into_iter().for_each(|(second, values)| match mine.at(second) {
                empty if empty.is_empty() => *empty = values,
                mine => mine.extend(values),
            });
        }
    }
}

fn is_fractional(value: f64) -> bool {
    value.abs() < 1e15 && (value as i64) as f64 != value
}
