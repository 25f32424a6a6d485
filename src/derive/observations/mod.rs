//! The sink of the raw-file readers: everything a run's evidence needs, in memory that does not grow with the file
//! beyond the kept trend values.

mod join;
mod metric;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

pub(super) use metric::Metric;
use metric::Role;

use super::by_class::ByClass;
use super::cause::Cause;
use super::normalise::Normaliser;
use super::phase::{Class, Phases};
use super::redact::Redactor;
use super::seconds::Seconds;
use crate::model::{Declaration, MetricId, Place, Sample, Sink, Submetric, Tags, Time};

/// Longest span of one run; a row further away is a broken clock or another run.
const LONGEST_RUN_SECONDS: i64 = 7 * 24 * 3600;

/// Distinct metrics, check names and causes kept apart. k6 itself registers them; only a broken or hostile file has more.
const MOST_NAMES: usize = 20_000;
const MOST_CAUSES: usize = 100;
const MOST_REQUEST_NAMES: usize = 1_000;
const MOST_CHECK_REQUESTS: usize = 10;

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
    pub(super) metrics: Vec<Metric>,
    pub(super) phases: Phases,
    /// First and last moment of any metric but `vus` and `vus_max`, by class.
    pub(super) spans: ByClass<(Time, Time)>,
    /// First and last moment of any sample.
    pub(super) whole: Option<(Time, Time)>,
    /// A row too far from the first one to be of the same run.
    pub(super) stray: Option<Time>,
    pub(super) failures: IndexMap<(Class, Cause), Failures, RandomState>,
    pub(super) checks: IndexMap<String, CheckSeen, RandomState>,
    pub(super) iterations: ByClass<Seconds<u64>>,
    pub(super) requests: ByClass<Seconds<u64>>,
    pub(super) vus: Seconds<Option<Tick>>,
    vus_max: Seconds<Option<Tick>>,
    generators: usize,
    pub(super) scenarios: BTreeSet<String>,
    last_scenario: String,
    pub(super) url_cardinality: Cardinality,
    pub(super) skipped: BTreeMap<&'static str, (u64, Place)>,
    pub(super) truncated: BTreeSet<&'static str>,
    pub(super) names_overflowed: bool,
    /// A limit was reached at which it counts who came first.
    first_come: bool,
    normaliser: Normaliser,
    /// The time of the last sample and its second.
    clock: (Time, i64),
    /// The class of the last sample, when another one with its time and tags widens nothing.
    repeatable: Option<Class>,
}

/// A gauge's value in one second: the last one of the file, and its place there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tick {
    at: u64,
    pub value: f64,
}

/// Failed requests of one cause in one class.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub count: u64,
    pub by_second: BTreeMap<i64, u64>,
    pub requests: HashMap<String, u64, RandomState>,
}

/// One check's samples.
#[derive(Debug, Default)]
pub(super) struct CheckSeen {
    /// Where its first sample stands in the file.
    first: u64,
    pub passes: u64,
    pub fails: u64,
    pub failed_by_second: BTreeMap<i64, u64>,
    /// Request names its samples carried (a script may tag them), the first few in order of name.
    pub request_names: BTreeSet<String>,
    /// Failures tagged with a status below 400.
    pub failed_with_good_status: u64,
}

/// Counts distinct texts up to a limit, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Cardinality {
    seen: std::collections::HashSet<u64>,
}

impl CheckSeen {
    /// Which names are kept does not depend on which came first.
    fn see_request(&mut self, name: String) {
        self.request_names.insert(name);
        if self.request_names.len() > MOST_CHECK_REQUESTS {
            self.request_names.pop_last();
        }
    }
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
            clock: (Time::from_unix_nanos(0), 0),
            repeatable: None,
            plan,
            names: HashMap::new(),
            metrics: Vec::new(),
            phases: Phases::default(),
            spans: ByClass::default(),
            whole: None,
            stray: None,
            failures: IndexMap::default(),
            checks: IndexMap::default(),
            iterations: ByClass::default(),
            requests: ByClass::default(),
            vus: Seconds::default(),
            vus_max: Seconds::default(),
            generators: 1,
            scenarios: BTreeSet::new(),
            last_scenario: String::new(),
            url_cardinality: Cardinality::default(),
            skipped: BTreeMap::new(),
            truncated: BTreeSet::new(),
            names_overflowed: false,
            first_come: false,
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

    /// True when the raw output ends before the run did: a cut last line or a compressed stream without its trailer.
    pub fn is_cut(&self) -> bool {
        !self.truncated.is_empty() || self.skipped.contains_key("cut last line")
    }

    /// Rows left out, by reason, with the first place of each.
    pub fn skipped(&self) -> impl Iterator<Item = (&'static str, u64, &Place)> {
        self.skipped.iter().map(|(reason, (count, place))| (*reason, *count, place))
    }

    /// Samples by metric name, in order of name.
    pub fn counts(&self) -> BTreeMap<&str, u64> {
        self.metrics.iter().filter(|m| m.n > 0).map(|m| (m.name.as_str(), m.n)).collect()
    }

    /// How many files were pooled, each of one load generator.
    pub fn generators(&self) -> usize {
        self.generators
    }

    pub(super) fn metric(&self, name: &str) -> Option<&Metric> {
        self.names.get(name).and_then(|index| self.metrics.get(*index)).filter(|metric| metric.n > 0)
    }

    fn metric_index(&mut self, name: &str) -> Option<usize> {
        if let Some(index) = self.names.get(name) {
            return Some(*index);
        }
        if self.metrics.len() >= MOST_NAMES {
            self.names_overflowed = true;
            return None;
        }
        self.metrics.push(Metric::new(name, &self.plan));
        self.names.insert(name.to_owned(), self.metrics.len() - 1);
        Some(self.metrics.len() - 1)
    }

    /// Widens the span of all samples, unless the moment is too far from it.
    #[inline]
    fn in_one_run(&mut self, time: Time) -> bool {
        let Some((first, last)) = self.whole else {
            self.whole = Some((time, time));
            return true;
        };
        if first <= time && time <= last {
            return true;
        }
        let span = (first.min(time), last.max(time));
        let fits = span.1.unix_seconds() - span.0.unix_seconds() <= LONGEST_RUN_SECONDS;
        match fits {
            true => self.whole = Some(span),
            false => self.stray = self.stray.or(Some(time)),
        }
        fits
    }

    /// Widens the span of the sample's phase and remembers its scenario.
    #[inline]
    fn in_phase(&mut self, sample: &Sample<'_>, class: Class) {
        self.phases.see(class);
        widen(self.spans.or_insert_with(class, || (sample.time, sample.time)), sample.time, sample.time);
        let Some(scenario) = sample.tags.scenario.filter(|s| !s.is_empty() && *s != self.last_scenario) else { return };
        self.last_scenario.clear();
        self.last_scenario.push_str(scenario);
        if self.scenarios.len() >= MOST_NAMES {
            self.first_come = true;
        } else if !self.scenarios.contains(scenario) {
            self.scenarios.insert(scenario.to_owned());
        }
    }

    fn failed_request(&mut self, sample: &Sample<'_>, class: Class, second: i64) {
        let mut key = (class, Cause::of(sample.tags, &mut self.normaliser));
        if self.failures.len() >= MOST_CAUSES && !self.failures.contains_key(&key) {
            self.first_come = true;
            key.1 = Cause::other();
        }
        let failures = self.failures.entry(key).or_default();
        failures.count += 1;
        *failures.by_second.entry(second).or_default() += 1;
        let Some(name) = request_of(sample.tags, &mut self.normaliser) else { return };
        if let Some(count) = failures.requests.get_mut(name) {
            *count += 1;
        } else if failures.requests.len() < MOST_REQUEST_NAMES {
            failures.requests.insert(name.to_owned(), 1);
        } else {
            self.first_come = true;
        }
    }

    fn check(&mut self, sample: &Sample<'_>, second: i64) {
        let name = sample.tags.check.unwrap_or_default();
        if self.checks.len() >= MOST_NAMES && !self.checks.contains_key(name) {
            self.names_overflowed = true;
            return;
        }
        let check = match self.checks.get_mut(name) {
            Some(check) => check,
            None => {
                self.checks.entry(name.to_owned()).or_insert(CheckSeen { first: sample.at, ..CheckSeen::default() })
            }
        };
        if let Some(request) = request_of(sample.tags, &mut self.normaliser)
            && !check.request_names.contains(request)
        {
            check.see_request(request.to_owned());
        }
        if sample.value != 0.0 {
            check.passes += 1;
            return;
        }
        check.fails += 1;
        *check.failed_by_second.entry(second).or_default() += 1;
        let status: Option<u16> = sample.tags.status.and_then(|s| s.parse().ok());
        check.failed_with_good_status += u64::from(status.is_some_and(|s| (1..400).contains(&s)));
    }

    /// Takes a sample of the run into account, of the second the clock stands at.
    #[inline]
    fn take(&mut self, sample: &Sample<'_>, class: Class) {
        let second = self.clock.1;
        let Some(metric) = self.metrics.get_mut(sample.metric.0) else { return };
        metric.take(sample, class, second);
        let tick = || Some(Tick { at: sample.at, value: sample.value });
        match metric.role {
            Role::Plain | Role::DroppedIterations => {}
            Role::Requests => {
                *self.requests.of(class).at(second) += sample.value.max(0.0) as u64;
                sample.tags.url.or(sample.tags.name).into_iter().for_each(|url| self.url_cardinality.see(url));
            }
            Role::Failed if sample.value == 0.0 => {}
            Role::Failed => self.failed_request(sample, class, second),
            Role::Checks => self.check(sample, second),
            Role::Iterations => *self.iterations.of(class).at(second) += sample.value.max(0.0) as u64,
            Role::Vus => *self.vus.at(second) = tick(),
            Role::VusMax => *self.vus_max.at(second) = tick(),
        }
    }
}

impl Sink for Observations {
    fn metric(&mut self, name: &str) -> MetricId {
        MetricId(self.metric_index(name).unwrap_or(usize::MAX))
    }

    fn reads_other_tags(&self) -> bool {
        !self.plan.submetrics.is_empty()
    }

    fn reads_values(&self, metric: MetricId) -> bool {
        self.metrics.get(metric.0).is_some_and(Metric::reads_values)
    }

    #[inline]
    fn sample(&mut self, sample: &Sample<'_>) {
        self.repeatable = None;
        if !self.in_one_run(sample.time) {
            return;
        }
        if sample.time != self.clock.0 {
            self.clock = (sample.time, sample.time.unix_seconds());
        }
        let mut class = Class::of(sample.tags);
        let role = self.metrics.get(sample.metric.0).map_or(Role::Plain, |metric| metric.role);
        // k6 writes no group on these, in JSON not even an empty one; only the test phase drops iterations
        if role == Role::DroppedIterations && class == Class::Bare {
            class = Class::BareTest;
        }
        if !matches!(role, Role::Vus | Role::VusMax) {
            self.in_phase(sample, class);
            self.repeatable = Some(class).filter(|_| role != Role::DroppedIterations);
        }
        self.take(sample, class);
    }

    #[inline]
    fn repeated(&mut self, before: &Sample<'_>, metric: MetricId, value: f64, at: u64) {
        let known = self.metrics.get_mut(metric.0);
        let role = match (self.repeatable, known) {
            (Some(_), Some(known)) if !known.reads_values() => {
                known.n += 1;
                return;
            }
            (_, known) => known.map_or(Role::Plain, |known| known.role),
        };
        let sample = Sample { metric, value, at, ..*before };
        match self.repeatable {
            Some(class) if !role.decides_its_own_phase() => self.take(&sample, class),
            _ => self.sample(&sample),
        }
    }

    fn declare(&mut self, declaration: Declaration) {
        let Some(metric) = self.metric_index(&declaration.name).and_then(|index| self.metrics.get_mut(index)) else {
            return;
        };
        let declared = Some((declaration.kind, declaration.contains));
        self.first_come |= metric.declared.is_some() && metric.declared != declared;
        metric.declared = declared;
    }

    fn skipped(&mut self, reason: &'static str, place: Place) {
        self.skipped.entry(reason).or_insert((0, place)).0 += 1;
    }

    fn truncated(&mut self, what: &'static str) {
        self.truncated.insert(what);
    }
}

/// The request a sample belongs to, without host and ids: `POST /v2/users/human`.
fn request_of<'n>(tags: &Tags<'_>, normaliser: &'n mut Normaliser) -> Option<&'n str> {
    let name = tags.name.or_else(|| tags.get("name").or(tags.get("url"))).filter(|name| !name.is_empty())?;
    Some(normaliser.request(tags.get("method").unwrap_or_default(), name))
}

fn widen(span: &mut (Time, Time), first: Time, last: Time) {
    span.0 = span.0.min(first);
    span.1 = span.1.max(last);
}
