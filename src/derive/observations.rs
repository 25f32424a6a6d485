//! The sink of the raw-file readers: everything a run's evidence needs, in memory that does not grow with the file
//! beyond the kept trend values.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use indexmap::IndexMap;

use super::builtin::{always_kept, builtin};
use super::cause::Cause;
use super::normalise::Normaliser;
use super::phase::{Class, Phases};
use super::redact::Redactor;
use super::seconds::{Seconds, Values};
use crate::model::{Contains, Declaration, Kind, Place, Sample, Sink, Submetric, Tags, Time};

/// Longest span of one run; a row further away is a broken clock or another run.
const LONGEST_RUN_SECONDS: i64 = 7 * 24 * 3600;

/// Distinct metrics, check names and causes kept apart. k6 itself registers them; only a broken or hostile file has more.
const MOST_NAMES: usize = 20_000;
const MOST_CAUSES: usize = 500;
const MOST_REQUEST_NAMES: usize = 1_000;

/// What to keep of a raw file, known before it is read.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Keep every built-in trend.
    pub all_trends: bool,
    /// Built-in trends a log or summary of the run printed.
    pub printed_trends: BTreeSet<String>,
    /// Submetrics a log or summary of the run printed.
    pub submetrics: Vec<Submetric>,
    /// Keeps secrets and identity out of error texts and request names before they are grouped.
    pub redactor: Redactor,
}

/// What was seen in the raw files of one run.
#[derive(Debug)]
pub struct Observations {
    plan: Plan,
    names: HashMap<String, usize>,
    last_metric: usize,
    pub(super) metrics: Vec<Metric>,
    pub(super) phases: Phases,
    /// First and last moment of any metric but `vus` and `vus_max`, by class.
    pub(super) spans: BTreeMap<Class, (Time, Time)>,
    /// First and last moment of any sample.
    pub(super) whole: Option<(Time, Time)>,
    /// A row too far from the first one to be of the same run.
    pub(super) stray: Option<Time>,
    pub(super) failures: IndexMap<(Class, Cause), Failures>,
    pub(super) checks: IndexMap<String, CheckSeen>,
    pub(super) iterations: BTreeMap<Class, Seconds<u64>>,
    pub(super) requests: BTreeMap<Class, Seconds<u64>>,
    pub(super) vus: Seconds<Option<f64>>,
    vus_max: Seconds<Option<f64>>,
    generators: usize,
    pub(super) scenarios: BTreeSet<String>,
    pub(super) url_cardinality: Cardinality,
    pub(super) skipped: BTreeMap<&'static str, (u64, Place)>,
    pub(super) truncated: BTreeSet<&'static str>,
    pub(super) names_overflowed: bool,
    normaliser: Normaliser,
}

/// One metric.
#[derive(Debug)]
pub(super) struct Metric {
    pub name: String,
    pub declared: Option<(Kind, Contains)>,
    pub n: u64,
    /// Running sum in order of arrival, as k6 computes its means.
    pub sum: f64,
    pub min: f64,
    pub max: f64,
    pub last: (Time, f64),
    pub nonzero: u64,
    pub fractional: bool,
    /// Count and sum by class.
    pub by_class: BTreeMap<Class, (u64, f64)>,
    kept: bool,
    submetrics: Vec<Submetric>,
    /// Kept values by class and by which submetrics they match (a bit each): every value is stored once.
    pub cells: Vec<((Class, u64), Values)>,
}

impl Metric {
    fn new(name: &str, plan: &Plan) -> Self {
        let known = builtin(name);
        let kept = match known {
            Some((Kind::Trend, _)) => plan.all_trends || always_kept(name) || plan.printed_trends.contains(name),
            Some(_) => false,
            None => true,
        };
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
            declared: known,
            n: 0,
            sum: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            last: (Time::from_unix_nanos(i64::MIN), 0.0),
            nonzero: 0,
            fractional: false,
            by_class: BTreeMap::new(),
            kept,
            submetrics,
            cells: Vec::new(),
        }
    }

    fn take(&mut self, sample: &Sample<'_>, class: Class) {
        let value = sample.value;
        self.n += 1;
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        if sample.time >= self.last.0 {
            self.last = (sample.time, value);
        }
        self.nonzero += u64::from(value != 0.0);
        self.fractional |= value.fract() != 0.0;
        let (n, sum) = self.by_class.entry(class).or_default();
        *n += 1;
        *sum += value;
        if self.kept {
            let mask = self
                .submetrics
                .iter()
                .enumerate()
                .fold(0, |mask, (bit, submetric)| mask | (u64::from(submetric.matches(&sample.tags)) << bit));
            self.cell((class, mask)).at(sample.time.unix_seconds()).push(value);
        }
    }

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

    fn merge(&mut self, other: Metric) {
        self.declared = self.declared.or(other.declared);
        self.n += other.n;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        if other.last.0 >= self.last.0 {
            self.last = other.last;
        }
        self.nonzero += other.nonzero;
        self.fractional |= other.fractional;
        for (class, (n, sum)) in other.by_class {
            let mine = self.by_class.entry(class).or_default();
            mine.0 += n;
            mine.1 += sum;
        }
        for (key, values) in other.cells {
            let mine = self.cell(key);
            values.into_iter().for_each(|(second, values)| mine.at(second).extend(values));
        }
    }
}

/// Failed requests of one cause in one class.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub count: u64,
    pub by_second: BTreeMap<i64, u64>,
    pub requests: HashMap<String, u64>,
}

/// One check's samples.
#[derive(Debug, Default)]
pub(super) struct CheckSeen {
    pub passes: u64,
    pub fails: u64,
    pub failed_by_second: BTreeMap<i64, u64>,
    /// Request names its samples carried (a script may tag them), at most a few.
    pub request_names: BTreeSet<String>,
    /// Failures tagged with a status below 400.
    pub failed_with_good_status: u64,
}

/// Counts distinct texts up to a limit, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Cardinality {
    seen: std::collections::HashSet<u64>,
}

impl Cardinality {
    /// k6 warns from 100,000 time series on; names beyond a thousand are useless as a key long before.
    pub const LIMIT: usize = 1_000;

    fn see(&mut self, text: &str) {
        if self.seen.len() < Self::LIMIT {
            self.seen.insert(xxhash_rust::xxh3::xxh3_64(text.as_bytes()));
        }
    }

    /// True when the limit was reached.
    pub fn is_high(&self) -> bool {
        self.seen.len() >= Self::LIMIT
    }
}

impl Observations {
    /// Nothing seen yet.
    pub fn new(plan: Plan) -> Self {
        Observations {
            normaliser: Normaliser::new(plan.redactor.clone()),
            plan,
            names: HashMap::new(),
            last_metric: 0,
            metrics: Vec::new(),
            phases: Phases::default(),
            spans: BTreeMap::new(),
            whole: None,
            stray: None,
            failures: IndexMap::new(),
            checks: IndexMap::new(),
            iterations: BTreeMap::new(),
            requests: BTreeMap::new(),
            vus: Seconds::default(),
            vus_max: Seconds::default(),
            generators: 1,
            scenarios: BTreeSet::new(),
            url_cardinality: Cardinality::default(),
            skipped: BTreeMap::new(),
            truncated: BTreeSet::new(),
            names_overflowed: false,
        }
    }

    /// First and last moment of any sample; `None` before the first.
    pub fn span(&self) -> Option<(Time, Time)> {
        self.whole
    }

    /// A row more than a week away from the first one.
    pub fn stray(&self) -> Option<Time> {
        self.stray
    }

    /// Rows left out, by reason, with the first place of each.
    pub fn skipped(&self) -> impl Iterator<Item = (&'static str, u64, &Place)> {
        self.skipped.iter().map(|(reason, (count, place))| (*reason, *count, place))
    }

    /// Samples by metric name, in order of name.
    pub fn counts(&self) -> BTreeMap<&str, u64> {
        self.metrics.iter().filter(|m| m.n > 0).map(|m| (m.name.as_str(), m.n)).collect()
    }

    /// Adds what another load generator of the same run saw. VUs are summed per second.
    pub fn merge(&mut self, other: Observations) {
        for metric in other.metrics {
            if let Some(index) = self.metric_index(&metric.name) {
                self.metrics[index].merge(metric);
            }
        }
        self.phases.merge(other.phases);
        for (class, (first, last)) in other.spans {
            widen(self.spans.entry(class).or_insert((first, last)), first, last);
        }
        if let Some((first, last)) = other.whole {
            widen(self.whole.get_or_insert((first, last)), first, last);
        }
        self.stray = self.stray.or(other.stray);
        for (key, failures) in other.failures {
            let mine = self.failures.entry(key).or_default();
            mine.count += failures.count;
            add_all(&mut mine.by_second, failures.by_second);
            failures.requests.into_iter().for_each(|(name, n)| *mine.requests.entry(name).or_default() += n);
        }
        for (name, check) in other.checks {
            let mine = self.checks.entry(name).or_default();
            mine.passes += check.passes;
            mine.fails += check.fails;
            add_all(&mut mine.failed_by_second, check.failed_by_second);
            mine.request_names.extend(check.request_names);
            mine.failed_with_good_status += check.failed_with_good_status;
        }
        for (mine, theirs) in [(&mut self.iterations, other.iterations), (&mut self.requests, other.requests)] {
            for (class, seconds) in theirs {
                let mine = mine.entry(class).or_default();
                seconds.into_iter().for_each(|(second, n)| *mine.at(second) += n);
            }
        }
        add_gauge(&mut self.vus, other.vus);
        add_gauge(&mut self.vus_max, other.vus_max);
        for name in ["vus", "vus_max"] {
            self.regauge(name);
        }
        self.generators += other.generators;
        self.scenarios.extend(other.scenarios);
        self.url_cardinality.seen.extend(other.url_cardinality.seen);
        for (reason, (count, place)) in other.skipped {
            self.skipped.entry(reason).or_insert((0, place)).0 += count;
        }
        self.truncated.extend(other.truncated);
        self.names_overflowed |= other.names_overflowed;
    }

    /// How many files were pooled, each of one load generator.
    pub fn generators(&self) -> usize {
        self.generators
    }

    /// Sets a gauge of VUs to what all load generators had together in the same second.
    fn regauge(&mut self, name: &str) {
        let seconds = if name == "vus" { &self.vus } else { &self.vus_max };
        let sums: Vec<f64> = seconds.iter().filter_map(|(_, vus)| *vus).collect();
        let Some(metric) = self.names.get(name).and_then(|index| self.metrics.get_mut(*index)) else { return };
        if let Some(last) = sums.last() {
            metric.last.1 = *last;
            metric.min = sums.iter().copied().fold(f64::INFINITY, f64::min);
            metric.max = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
    }

    pub(super) fn metric(&self, name: &str) -> Option<&Metric> {
        self.names.get(name).and_then(|index| self.metrics.get(*index)).filter(|metric| metric.n > 0)
    }

    fn metric_index(&mut self, name: &str) -> Option<usize> {
        if self.metrics.get(self.last_metric).is_some_and(|m| m.name == name) {
            return Some(self.last_metric);
        }
        let index = match self.names.get(name) {
            Some(index) => *index,
            None if self.metrics.len() >= MOST_NAMES => {
                self.names_overflowed = true;
                return None;
            }
            None => {
                self.metrics.push(Metric::new(name, &self.plan));
                self.names.insert(name.to_owned(), self.metrics.len() - 1);
                self.metrics.len() - 1
            }
        };
        self.last_metric = index;
        Some(index)
    }

    fn in_one_run(&mut self, time: Time) -> bool {
        let Some((first, last)) = self.whole else { return true };
        let second = time.unix_seconds();
        let fits =
            second - first.unix_seconds() <= LONGEST_RUN_SECONDS && last.unix_seconds() - second <= LONGEST_RUN_SECONDS;
        if !fits {
            self.stray.get_or_insert(time);
        }
        fits
    }

    fn failed_request(&mut self, sample: &Sample<'_>, class: Class) {
        let mut cause = Cause::of(&sample.tags, &mut self.normaliser);
        if self.failures.len() >= MOST_CAUSES && !self.failures.contains_key(&(class, cause.clone())) {
            cause = Cause::other();
        }
        let failures = self.failures.entry((class, cause)).or_default();
        failures.count += 1;
        *failures.by_second.entry(sample.time.unix_seconds()).or_default() += 1;
        if let Some(name) = request_of(&sample.tags, &mut self.normaliser)
            && (failures.requests.len() < MOST_REQUEST_NAMES || failures.requests.contains_key(&name))
        {
            *failures.requests.entry(name).or_default() += 1;
        }
    }

    fn check(&mut self, sample: &Sample<'_>) {
        let name = sample.tags.get("check").unwrap_or_default();
        if self.checks.len() >= MOST_NAMES && !self.checks.contains_key(name) {
            self.names_overflowed = true;
            return;
        }
        let check = match self.checks.get_mut(name) {
            Some(check) => check,
            None => self.checks.entry(name.to_owned()).or_default(),
        };
        if check.request_names.len() < 10
            && let Some(request) = request_of(&sample.tags, &mut self.normaliser)
        {
            check.request_names.insert(request);
        }
        if sample.value != 0.0 {
            check.passes += 1;
            return;
        }
        check.fails += 1;
        *check.failed_by_second.entry(sample.time.unix_seconds()).or_default() += 1;
        let status: Option<u16> = sample.tags.status.and_then(|s| s.parse().ok());
        check.failed_with_good_status += u64::from(status.is_some_and(|s| (1..400).contains(&s)));
    }
}

impl Sink for Observations {
    fn sample(&mut self, sample: &Sample<'_>) {
        if !self.in_one_run(sample.time) {
            return;
        }
        widen(self.whole.get_or_insert((sample.time, sample.time)), sample.time, sample.time);
        let second = sample.time.unix_seconds();
        match sample.metric {
            "vus" => *self.vus.at(second) = Some(sample.value),
            "vus_max" => *self.vus_max.at(second) = Some(sample.value),
            _ => {}
        }
        let mut class = Class::of(&sample.tags);
        if !matches!(sample.metric, "vus" | "vus_max") {
            // k6 writes no group on these, in JSON not even an empty one; only the test phase drops iterations
            if sample.metric == "dropped_iterations" && class == Class::Bare && self.phases.groups_recorded {
                class = Class::Root;
            }
            self.phases.see(class);
            widen(self.spans.entry(class).or_insert((sample.time, sample.time)), sample.time, sample.time);
            if let Some(scenario) = sample.tags.scenario.filter(|s| !s.is_empty() && self.scenarios.len() < MOST_NAMES)
                && !self.scenarios.contains(scenario)
            {
                self.scenarios.insert(scenario.to_owned());
            }
        }
        let Some(index) = self.metric_index(sample.metric) else { return };
        self.metrics[index].take(sample, class);
        match sample.metric {
            "http_reqs" => {
                *self.requests.entry(class).or_default().at(second) += sample.value.max(0.0) as u64;
                sample.tags.url.or(sample.tags.name).into_iter().for_each(|url| self.url_cardinality.see(url));
            }
            "http_req_failed" if sample.value != 0.0 => self.failed_request(sample, class),
            "checks" => self.check(sample),
            "iterations" => *self.iterations.entry(class).or_default().at(second) += sample.value.max(0.0) as u64,
            _ => {}
        }
    }

    fn declare(&mut self, declaration: Declaration) {
        if let Some(index) = self.metric_index(&declaration.name) {
            self.metrics[index].declared = Some((declaration.kind, declaration.contains));
        }
    }

    fn skipped(&mut self, reason: &'static str, place: Place) {
        self.skipped.entry(reason).or_insert((0, place)).0 += 1;
    }

    fn truncated(&mut self, what: &'static str) {
        self.truncated.insert(what);
    }
}

/// The request a sample belongs to, without host and ids: `POST /v2/users/human`.
fn request_of(tags: &Tags<'_>, normaliser: &mut Normaliser) -> Option<String> {
    let name = tags.get("name").or(tags.get("url")).filter(|name| !name.is_empty())?;
    Some(normaliser.request(tags.get("method").unwrap_or_default(), name))
}

fn widen(span: &mut (Time, Time), first: Time, last: Time) {
    span.0 = span.0.min(first);
    span.1 = span.1.max(last);
}

/// Adds two gauges second by second. Each keeps its value until its next tick, which may skip a second.
fn add_gauge(mine: &mut Seconds<Option<f64>>, mut theirs: Seconds<Option<f64>>) {
    for gauge in [&mut *mine, &mut theirs] {
        let mut held = None;
        gauge.cells_mut().for_each(|cell| {
            *cell = cell.or(held);
            held = *cell;
        });
    }
    for (second, value) in theirs.into_iter() {
        if let Some(value) = value {
            let sum = mine.at(second);
            *sum = Some(sum.unwrap_or(0.0) + value);
        }
    }
}

fn add_all(to: &mut BTreeMap<i64, u64>, from: BTreeMap<i64, u64>) {
    from.into_iter().for_each(|(second, n)| *to.entry(second).or_default() += n);
}
