//! What monitoring says of a run: the part `observability` of the evidence.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Time, Unit};

/// What the monitoring exports of a run say of its window. What was not exported is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observability {
    /// Figures by quantity, `database_cpu`, `server_latency_p95`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub quantities: BTreeMap<String, QuantityFigures>,
    /// Requests the containers answered, by class of their status (`2xx`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requests_by_class: BTreeMap<String, u64>,
    /// True when parts of the window are missing from them: they are at least so many.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub requests_by_class_incomplete: bool,
    /// The statements that took the database's time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<Queries>,
    /// Autovacuum runs logged within the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autovacuum: Option<Autovacuum>,
    /// Entries of exported logs within the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogFigures>,
}

impl Observability {
    /// A quantity by its name; none whose figures are of too small a part of the window.
    pub fn quantity(&self, name: &str) -> Option<&QuantityFigures> {
        self.quantities.get(name).filter(|figures| figures.speaks_for_the_window())
    }

    /// The figure a row states for a quantity and an outcome is decided by: the percentile over all samples where it is known,
    /// else the median of the periods' values.
    pub fn central(&self, name: &str) -> Option<f64> {
        let figures = self.quantity(name)?;
        figures.overall.map(|overall| overall.value).or(figures.median)
    }

    /// The statements, where enough of the window was measured.
    pub fn whole_queries(&self) -> Option<&Queries> {
        self.queries.as_ref().filter(|queries| queries.speak_for_the_window())
    }
}

/// Figures of one quantity over the window: of those of its periods that lie wholly inside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuantityFigures {
    /// Unit of the figures.
    pub unit: Unit,
    /// Periods with a value.
    pub n: u64,
    /// Middle value; the mean of the two middle ones when `n` is even.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<f64>,
    /// Sum of what was counted in the periods inside the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// The same with the periods across the window's edges, each by the share of it that lies inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_with_edges: Option<f64>,
    /// The percentile over all samples of the window together; absent when only percentiles by period are known, which
    /// cannot be averaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overall: Option<Interpolated>,
    /// Length of a period in seconds.
    pub period_seconds: f64,
    /// True when nothing tells that length and a minute was assumed: a lone level speaks for nobody knows how long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub period_assumed: bool,
    /// Share of the window the periods with a value cover.
    pub coverage: f64,
    /// Periods that overlap the window without lying in it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// Values that are no finite number.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub non_finite: u64,
    /// Periods between the first and the last without a value.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missing: u64,
    /// True when data may be missing at the end, or was said to be missing: then nothing may be concluded from absence.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// How a period's value came about.
    pub alignment: Alignment,
    /// The values over time, of quantities that a picture draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<QuantitySeries>,
    /// The file, relative to the run's folder.
    pub source: String,
}

impl QuantityFigures {
    /// Share of the window that figures with gaps have to cover to speak for the whole of it.
    pub const LEAST_COVERAGE: f64 = 0.8;

    /// True when nothing of the window is missing but what no whole period fits into: only then may be concluded from absence.
    pub fn is_whole(&self) -> bool {
        self.speaks_for_the_window() && !self.incomplete && self.missing == 0 && self.non_finite == 0
    }

    /// True when the figures may stand for the whole window: little of it is missing.
    pub fn speaks_for_the_window(&self) -> bool {
        !self.period_assumed && self.coverage >= Self::LEAST_COVERAGE
    }
}

/// The values of a quantity over time: of the periods its figures are of, in steps of equal length.
///
/// A step is a period as long as there are no more than [`QuantitySeries::KEPT`] of them, else the shortest whole number of
/// periods that makes them fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuantitySeries {
    /// Begin of the first step.
    pub start: Time,
    /// Length of a step in seconds.
    pub step_seconds: f64,
    /// The highest value of each step; `None` for one without any.
    pub highest: Vec<Option<f64>>,
    /// The lowest value of each step; empty when steps are periods, which have one value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lowest: Vec<Option<f64>>,
}

impl QuantitySeries {
    /// Steps that are kept at most: three hours of minutes.
    pub const KEPT: usize = 180;
}

/// How the value of a period came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alignment {
    /// A level, sampled or aligned by the monitoring system.
    Level,
    /// An increase over the period, divided by its seconds where the unit is a rate.
    Increase,
    /// Differences of a running total, resets accounted for.
    RunningTotal,
    /// Percentiles interpolated within the buckets of a distribution.
    Distribution,
}

/// A percentile interpolated within a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpolated {
    /// The value, or the one finite edge of an open bucket.
    pub value: f64,
    /// On which side of `value` the percentile lies when it fell into an open bucket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The smallest or largest sample, where it was exported: then the percentile lies between it and `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

/// The open side of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Below the first bound.
    Below,
    /// At the last bound or above.
    Above,
}

/// Execution time of statements over the window, summed over all sessions: it can exceed the window's length.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queries {
    /// Execution time of every statement but the platform's own, seconds.
    pub total_seconds: f64,
    /// The same with the periods across the window's edges, each by the share of it that lies inside. Absent in evidence of
    /// older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_seconds_with_edges: Option<f64>,
    /// Execution time of the platform's own statements, seconds: those of its users, and those in its databases. They are in no
    /// other figure.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub platform_seconds: f64,
    /// `total_seconds` over the seconds they were measured in: sessions busy at once, on average.
    pub average_active_sessions: f64,
    /// Share of the window the figures cover.
    pub coverage: f64,
    /// True when whole periods of the window are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Statements by execution time, longest first, at most [`Queries::KEPT`].
    pub ranking: Vec<Query>,
    /// Number of statements.
    pub statements: u64,
    /// Execution time of statements that take an advisory lock and wait for it, seconds.
    pub advisory_seconds: f64,
    /// Seconds statements waited for heavyweight locks (rows, tables, advisory); part of the execution time. Absent when
    /// it was not exported, or for other parts of the window than the execution time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_seconds: Option<f64>,
    /// Seconds statements waited for the server's internal latches; part of the execution time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latch_seconds: Option<f64>,
    /// Execution time by category of the configuration, seconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub categories: BTreeMap<String, f64>,
    /// The file, relative to the run's folder.
    pub source: String,
}

impl Queries {
    /// Statements that are kept.
    pub const KEPT: usize = 20;

    /// True when the sums may stand for the whole window, as [`QuantityFigures::speaks_for_the_window`].
    pub fn speak_for_the_window(&self) -> bool {
        self.coverage >= QuantityFigures::LEAST_COVERAGE
    }

    /// Advisory-lock statements' share of the execution time of all statements; `None` when nothing was executed.
    pub fn advisory_share(&self) -> Option<f64> {
        share(self.advisory_seconds, self.total_seconds)
    }

    /// Advisory-lock statements' share of the execution time of the first `top` statements.
    pub fn advisory_share_of_top(&self, top: usize) -> Option<f64> {
        let first = || self.ranking.iter().take(top);
        let waiting = first().filter(|query| query.advisory_wait).map(|query| query.seconds).sum();
        share(waiting, first().map(|query| query.seconds).sum())
    }

    /// Heavyweight-lock waits' share of the execution time of all statements.
    pub fn lock_share(&self) -> Option<f64> {
        share(self.lock_seconds?, self.total_seconds)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// One statement, its constants taken out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The monitoring system's number for it.
    pub hash: String,
    /// What it is called on the page.
    pub name: String,
    /// Its text as exported, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// True when the export cut the text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Execution time, seconds, over all users.
    pub seconds: f64,
    /// Seconds of it spent waiting for heavyweight locks; absent when not exported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_seconds: Option<f64>,
    /// True when its text takes an advisory lock and waits for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub advisory_wait: bool,
    /// Category of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Number of database users that executed it.
    pub users: u64,
}

/// Autovacuum runs logged within the window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Autovacuum {
    /// Runs that cleaned tables up.
    pub vacuum: VacuumFigures,
    /// Runs that renewed statistics.
    pub analyze: VacuumFigures,
    /// Median database CPU of the periods a vacuum ran in, a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_cpu_with: Option<CpuFigures>,
    /// The same of the other periods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_cpu_without: Option<CpuFigures>,
}

/// Runs of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VacuumFigures {
    /// How many.
    pub runs: u64,
    /// How many of them say how long they took.
    pub timed: u64,
    /// Seconds of those; absent when none says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_seconds: Option<f64>,
    /// Longest of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_seconds: Option<f64>,
}

/// Database CPU over some periods of the window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CpuFigures {
    /// Periods.
    pub n: u64,
    /// Their median, a fraction.
    pub median: f64,
}

/// Entries of exported logs within the window.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogFigures {
    /// All entries.
    pub entries: u64,
    /// Logged requests by HTTP status.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requests: BTreeMap<u16, u64>,
    /// Entries of severity error or above that are no logged requests.
    pub errors: u64,
    /// Container starts that were logged.
    pub startups: u64,
    /// Sessions that got an advisory lock after the server logged that they waited.
    pub advisory_locks_acquired: u64,
    /// True when other entries may be missing: then nothing may be concluded from absence.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_nothing(seconds: &f64) -> bool {
    *seconds == 0.0
}
