//! What a monitoring system exported, before anything is computed from it.

use std::collections::BTreeMap;

use super::{Measure, Time, Warning};

/// One series of an export.
///
/// `resource` says whose series it is (project, instance): it serves to keep two systems apart and never leaves `derive`.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeSeries {
    /// What it measures.
    pub measure: Measure,
    /// The file, by its path relative to the run's folder.
    pub file: String,
    /// The metric as the export names it.
    pub metric: String,
    /// Of several metrics for one quantity the one with the least number is preferred; 0 for a name of a person's own.
    pub preference: usize,
    /// Labels that tell it from the others of its metric.
    pub labels: BTreeMap<String, String>,
    /// Whose it is.
    pub resource: BTreeMap<String, String>,
    /// What a point says.
    pub kind: SeriesKind,
    /// Its points, oldest first; values in the unit of the quantity.
    pub points: Vec<Point>,
    /// The run it was exported for, where the export says so.
    pub target: Option<String>,
}

/// What a point of a series says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeriesKind {
    /// How much it was.
    Level,
    /// How much it grew within the point's span.
    Increase,
    /// How much it has grown since the point's start; starts again from zero when that changes.
    RunningTotal,
}

/// A value with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Where its span begins; `None` for levels.
    pub start: Option<Time>,
    /// Where its span ends, or the moment of a level.
    pub end: Time,
    /// The value.
    pub value: PointValue,
}

/// The value of a point.
#[derive(Debug, Clone, PartialEq)]
pub enum PointValue {
    /// A finite number.
    Number(f64),
    /// Counts by size.
    Distribution(Distribution),
    /// `NaN` or an infinity: nothing is known of this moment.
    NotFinite,
}

/// Numbers of samples by size, as monitoring systems keep them instead of the samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distribution {
    /// All samples.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Smallest and largest sample; seldom exported.
    pub range: Option<(f64, f64)>,
    /// Finite bounds between the buckets, ascending, as far as `counts` need them; empty without a histogram.
    pub bounds: Vec<f64>,
    /// Samples by bucket: below the first bound, then up to each next one. One count more than bounds: the last is of samples
    /// from the last bound up. Trailing buckets without samples are left out; empty without a histogram.
    pub counts: Vec<u64>,
}

/// Everything one file of an export holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Export {
    /// Series of known quantities.
    pub series: Vec<TimeSeries>,
    /// The answer goes on in another file.
    pub continued: bool,
    /// The system said itself that data may be missing.
    pub partial: bool,
    /// Autovacuum runs.
    pub vacuums: Vec<VacuumRun>,
    /// Entries of logs.
    pub log: Option<LogExport>,
    /// What was left out and why.
    pub problems: Vec<Warning>,
    /// Points, rows or entries read.
    pub rows: u64,
    /// First and last moment it speaks of.
    pub span: Option<(Time, Time)>,
}

impl Export {
    /// Counts a point, row or entry of this moment.
    pub fn count(&mut self, time: Time) {
        self.rows += 1;
        let (first, last) = self.span.unwrap_or((time, time));
        self.span = Some((first.min(time), last.max(time)));
    }
}

/// What an autovacuum run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VacuumKind {
    /// Cleaned a table up.
    Vacuum,
    /// Renewed a table's statistics.
    Analyze,
}

/// One run of the autovacuum, known from the line that is logged when it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct VacuumRun {
    /// When it ended.
    pub end: Time,
    /// How long it took; `None` when the line was lost, which is not zero.
    pub elapsed_seconds: Option<f64>,
    /// What it did.
    pub kind: VacuumKind,
    /// The table, where the line names it.
    pub table: Option<String>,
    /// The run it was exported for, where the export says so.
    pub target: Option<String>,
}

/// Entries of a log, counted by what they report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LogExport {
    /// The file, by its path relative to the run's folder.
    pub file: String,
    /// Every entry, oldest first.
    pub entries: Vec<LogEvent>,
    /// The number of entries is one people give as a limit: others may be missing.
    pub at_limit: bool,
}

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEvent {
    /// When.
    pub time: Time,
    /// The system's own id of it, which with the time tells it from every other; `None` in forms of export without it.
    pub id: Option<String>,
    /// What it reports.
    pub report: LogReport,
}

/// What an entry of a log reports.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogReport {
    /// A request that was answered with this HTTP status.
    Request(u16),
    /// An entry of severity error or above.
    Error,
    /// A container that is being started.
    Startup,
    /// A session that got an advisory lock after waiting for it.
    AdvisoryLockAcquired,
    /// Anything else.
    Other,
}
