use indexmap::IndexMap;

use super::{EndSummary, Time};

/// What a terminal log of a k6 run says. Every part may be missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TerminalLog {
    /// The end-of-test summary as printed: from its first heading (or first line, in the legacy layout) to the last `running` and scenario
    /// lines, without log lines, progress, ANSI codes and trailing space.
    pub summary_text: Option<String>,
    /// The same, read.
    pub summary: Option<EndSummary>,
    /// Thresholds with their verdicts.
    pub thresholds: Vec<Threshold>,
    /// The last `running (…)` line.
    pub running: Option<RunningLine>,
    /// The scenarios as announced at the start, `* default: 20 looping VUs for 1m15s (gracefulStop: 30s)`.
    pub scenarios: Vec<ScenarioLine>,
    /// The scenarios as they ended, the last line of each.
    pub ends: Vec<ScenarioEnd>,
    /// `Request Failed` warnings, grouped by error text.
    pub failures: Vec<LogFailure>,
    /// Script exceptions.
    pub exceptions: Exceptions,
    /// `key=value` stamps around the run (`start_utc`, `end_utc`, `target`, `vus`, `duration`, `exit`); the last of each wins.
    pub stamps: IndexMap<String, String>,
    /// k6's version from a `k6 version` output in the log.
    pub k6_version: Option<String>,
    /// True when the log has output of more than one run; everything else then speaks of the last.
    pub several_runs: bool,
    /// Number of lines.
    pub lines: u64,
}

/// One threshold line.
#[derive(Debug, Clone, PartialEq)]
pub struct Threshold {
    /// The metric or submetric.
    pub metric: String,
    /// Its source, `p(95)<100`; empty in the legacy layout, which marks the metric and prints no source.
    pub source: String,
    /// The value that decided, as printed; `None` when k6 printed `undefined`.
    pub value: Option<String>,
    /// True when it held.
    pub held: bool,
}

/// The line `running (30m22.6s), 000/200 VUs, 34399 complete and 0 interrupted iterations`.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningLine {
    /// The line as printed.
    pub text: String,
    /// Seconds since before `setup()`, rounded to a tenth.
    pub seconds: f64,
    /// VUs initialised.
    pub vus: u64,
    /// Iterations that ended by themselves.
    pub complete: u64,
    /// Iterations that were cut off.
    pub interrupted: u64,
}

/// A scenario as announced before the run.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioLine {
    /// Its name.
    pub name: String,
    /// The announcement after the name, `20 looping VUs for 1m15s (gracefulStop: 30s)`.
    pub text: String,
    /// Most VUs it may use.
    pub vus_max: Option<u64>,
    /// True for a constant number of looping VUs.
    pub constant_vus: bool,
    /// Seconds it is planned to last; `None` for shared or per-VU iterations, which end when they are done.
    pub planned_seconds: Option<f64>,
    /// Seconds after the start at which it begins, 0 if not stated.
    pub start_seconds: f64,
    /// Seconds its iterations may take to end, 0 if not stated.
    pub graceful_stop_seconds: f64,
}

/// A scenario line at the end of the run, `default ✓ [ 100% ] 200 VUs  30m0s`.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioEnd {
    /// Its name.
    pub name: String,
    /// The line as printed.
    pub text: String,
    /// True with `✓`, false with `✗`, `None` while it still ran.
    pub ended_as_planned: Option<bool>,
    /// Planned seconds as the line states them (`30m0s`, or what follows the slash).
    pub planned_seconds: Option<f64>,
    /// VUs as the line states them.
    pub vus: Option<u64>,
}

/// `Request Failed` warnings with one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFailure {
    /// Error text without method and URL: `request timeout`, `connect: connection refused`.
    pub error: String,
    /// How many.
    pub count: u64,
    /// First and last, where the lines carry a time.
    pub span: Option<(Time, Time)>,
}

/// Script exceptions that ended an iteration (not those of `setup()` and `teardown()`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exceptions {
    /// How many.
    pub count: u64,
    /// The distinct first lines, `TypeError: Cannot read property 'no' of undefined`, most frequent first, at most ten.
    pub texts: Vec<String>,
    /// True when `setup()` or `teardown()` itself threw.
    pub outside_iterations: bool,
}
