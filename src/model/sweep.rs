//! A sweep as one table: a line for each run, what was to be reached, and what makes the runs incomparable.

use indexmap::IndexMap;

use super::{Percentile, RequestCount, Stat, SweepDigest};

/// The part of the runs a sweep's figures are about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// The whole runs, setup and teardown included: k6's own figures, the same as in each page's block.
    #[default]
    Run,
    /// The test phase only.
    Test,
}

/// A column of a sweep's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SweepColumn {
    /// The target.
    Target,
    /// VUs.
    Vus,
    /// Complete iterations.
    Iterations,
    /// Iterations per second.
    IterationsPerSecond,
    /// A statistic of `http_req_duration`.
    Latency(Stat),
    /// HTTP requests.
    Requests,
    /// Failed requests of all, with their share.
    FailedRequests,
    /// Failed checks of all, with their share.
    FailedChecks,
}

/// The columns a summary has unless the project file or the command line says otherwise.
pub const USUAL_COLUMNS: [SweepColumn; 7] = [
    SweepColumn::Target,
    SweepColumn::Vus,
    SweepColumn::IterationsPerSecond,
    SweepColumn::Latency(Stat::P(Percentile::P50)),
    SweepColumn::Latency(Stat::P(Percentile::P95)),
    SweepColumn::Latency(Stat::P(Percentile::P99)),
    SweepColumn::FailedRequests,
];

/// The runs of one version, fastest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepTable {
    /// The version under test; `None` when neither folders nor a project file say it.
    pub version: Option<String>,
    /// What the figures are about.
    pub scope: Scope,
    /// The number of VUs most runs had, the larger of two as frequent; `None` when no run's VUs are known.
    pub usual_vus: Option<u64>,
    /// A line for each run by iterations per second, the largest first, then by name; those without a rate come last.
    pub lines: Vec<SweepLine>,
    /// What targets were to reach, in the order of the project file.
    pub goals: Vec<GoalResult>,
    /// What monitoring says of the sweep.
    pub monitoring: SweepDigest,
    /// What makes the runs, or their figures, incomparable.
    pub remarks: Vec<Remark>,
}

/// The figures of one run. What is not known is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepLine {
    /// The target.
    pub target: String,
    /// Most VUs initialised.
    pub vus: Option<u64>,
    /// Complete iterations.
    pub iterations: Option<u64>,
    /// Iterations per second: k6's own rate, or with [`Scope::Test`] that of the test phase.
    pub iterations_per_second: Option<f64>,
    /// Statistics of `http_req_duration`.
    pub latency: IndexMap<Stat, Latency>,
    /// HTTP requests.
    pub requests: Option<RequestCount>,
    /// Checks of the whole run, `(failed, total)`; absent with [`Scope::Test`], because checks are not kept by phase.
    pub checks: Option<(u64, u64)>,
}

impl SweepLine {
    /// A statistic of `http_req_duration`; the median also under its other name.
    pub fn latency(&self, stat: Stat) -> Option<&Latency> {
        let stat = if stat == Stat::Med { Stat::P(Percentile::P50) } else { stat };
        self.latency.get(&stat)
    }
}

/// A time in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Latency {
    /// The value; where only print is known, the value read back from it.
    pub ms: f64,
    /// The text k6 printed, where that is all that is known: writing the value anew could cost its last digit.
    pub printed: Option<String>,
}

/// A figure of a line that a goal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SweepFigure {
    /// Iterations per second.
    IterationsPerSecond,
    /// A statistic of `http_req_duration` in milliseconds.
    Latency(Stat),
}

/// A figure one target has to reach.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// The target.
    pub target: String,
    /// The figure.
    pub figure: SweepFigure,
    /// Least acceptable value; milliseconds for times.
    pub at_least: Option<f64>,
    /// Largest acceptable value; milliseconds for times.
    pub at_most: Option<f64>,
    /// Where the goal was agreed on.
    pub link: Option<String>,
}

/// What became of a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalResult {
    /// The goal.
    pub goal: Goal,
    /// The figure that was reached; `None` when it was not measured.
    pub reached: Option<f64>,
    /// Its text, where only print is known, see [`Latency::printed`].
    pub printed: Option<String>,
}

impl GoalResult {
    /// Whether the goal was met; `None` when it was not measured. A limit itself is acceptable.
    pub fn met(&self) -> Option<bool> {
        let reached = self.reached?;
        let enough = self.goal.at_least.is_none_or(|limit| reached >= limit);
        Some(enough && self.goal.at_most.is_none_or(|limit| reached <= limit))
    }

    /// The limit that decides: the one that was missed, else the nearest.
    pub fn limit(&self) -> Option<f64> {
        let (least, most) = (self.goal.at_least, self.goal.at_most);
        let (Some(low), Some(high), Some(reached)) = (least, most, self.reached) else { return least.or(most) };
        Some(if reached - low <= high - reached { low } else { high })
    }
}

/// Something that makes the runs of a sweep, or their figures, incomparable.
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// Nothing is known of these runs' figures.
    NoFigures {
        /// The runs.
        targets: Vec<String>,
    },
    /// These runs have the same k6 output: it can be that of one of them only.
    SameOutput {
        /// The runs.
        targets: Vec<String>,
    },
    /// These runs did not end as planned.
    NotAsPlanned {
        /// The runs.
        runs: Vec<UnplannedEnd>,
    },
    /// Each pair of runs shared seconds: on one system they disturb each other.
    Overlap {
        /// The pairs.
        pairs: Vec<(String, String)>,
    },
    /// The runs differ in something that should be the same for all.
    Differs {
        /// In what.
        what: Difference,
        /// Each value with its runs, the most frequent first.
        groups: Vec<(DifferingValue, Vec<String>)>,
    },
    /// k6 printed no summary for these runs: their figures were computed from raw output.
    Recomputed {
        /// The runs.
        targets: Vec<String>,
    },
}

/// How a run that did not end as planned ended.
#[derive(Debug, Clone, PartialEq)]
pub struct UnplannedEnd {
    /// The run.
    pub target: String,
    /// Seconds it took.
    pub ran_seconds: Option<f64>,
    /// Seconds it was planned to take.
    pub planned_seconds: Option<f64>,
    /// Iterations that were cut off.
    pub interrupted: Option<u64>,
}

/// What runs can differ in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Number of VUs.
    Vus,
    /// k6's version.
    K6Version,
    /// Planned duration.
    PlannedDuration,
    /// A fact, by its label.
    Fact(String),
}

/// A value runs differ by.
#[derive(Debug, Clone, PartialEq)]
pub enum DifferingValue {
    /// A number of VUs.
    Vus(u64),
    /// Seconds.
    Seconds(f64),
    /// A text; of a fact its Markdown.
    Text(String),
    /// The run says nothing of it.
    Absent,
}
