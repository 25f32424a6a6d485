//! The run as a whole: k6's own view, iterations, requests, throughput.

use serde::{Deserialize, Serialize};

/// First line of a summary that k6 did not print.
pub const RECOMPUTED: &str = "# recomputed from raw output, not printed by k6";

/// What k6 said of the run as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct K6 {
    /// `v2.1.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Most VUs initialised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vus_max: Option<u64>,
    /// VUs of the plan; only for a single scenario that keeps its VUs constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_vus: Option<u64>,
    /// Seconds from before `setup()` to after `teardown()`: the denominator of every printed rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_seconds: Option<f64>,
    /// Where `run_seconds` comes from, most exact first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_seconds_basis: Option<RunSecondsBasis>,
    /// The plan as k6 prints it, `30m0s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_duration: Option<String>,
    /// The plan in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_seconds: Option<f64>,
    /// True when every scenario ended as planned and the run took no longer than plan, graceful stop, setup and teardown allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<bool>,
    /// k6's own exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The scenarios as announced, `default: 200 looping VUs for 30m0s (gracefulStop: 30s)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenarios: Vec<String>,
    /// Iterations of the whole run and their rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<CountRate>,
    /// The end-of-test summary as printed, or written anew from raw output (its first line then says so).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_text: Option<String>,
}

/// Where the run's duration comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunSecondsBasis {
    /// Stated in full by a machine-readable summary.
    Summary,
    /// A printed count over its printed rate.
    PrintedRate,
    /// The last `running` line, a tenth of a second.
    RunningLine,
    /// Last minus first sample of the raw output: a second or so short or long.
    Samples,
}

/// A count and its rate per second of the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountRate {
    /// How many.
    pub count: u64,
    /// Per second, as printed where k6 printed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_second: Option<f64>,
    /// True when `per_second` was computed here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recomputed: bool,
}

/// Iterations by how they ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Iterations {
    /// Reached their end, those ended by an exception included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<u64>,
    /// Cut off before their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<u64>,
    /// Never started, for want of a VU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<u64>,
    /// Ended by a script exception; known from a log only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exceptions: Option<ExceptionCount>,
}

/// Iterations ended by a script exception.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExceptionCount {
    /// How many.
    pub count: u64,
    /// Distinct texts, most frequent first, at most ten.
    pub texts: Vec<String>,
    /// True when `setup()`, `teardown()` or the script itself threw; such an exception ends no iteration and is not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside_iterations: bool,
}

/// Throughput of the test phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestPhase {
    /// What the rates divide by.
    pub seconds: f64,
    /// What `seconds` is.
    pub basis: TestPhaseBasis,
    /// Complete iterations.
    pub iterations: u64,
    /// `iterations / seconds`.
    pub iterations_per_second: f64,
    /// VUs over mean iteration, only for a single scenario with constant VUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub littles_law_per_second: Option<f64>,
    /// Mean iteration less its summed request time; absent if requests overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside_requests_ms_per_iteration: Option<f64>,
    /// Mean iteration less the custom time trends that have exactly one sample per iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside_steps_ms_per_iteration: Option<f64>,
}

/// What the test phase's seconds are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestPhaseBasis {
    /// The planned duration, which the run reached.
    Plan,
    /// The window's inclusive seconds.
    Window,
}

/// HTTP requests of the whole run and of its test phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requests {
    /// Setup and teardown included: equal to k6's own summary.
    pub run: RequestCount,
    /// Test phase only; absent when it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<RequestCount>,
}

/// Requests and how many of them failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestCount {
    /// All.
    pub total: u64,
    /// Failed; absent when the script switched `http_req_failed` off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
}

/// The part of a run something happened in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// What the scenarios ran.
    Test,
    /// `setup()`.
    Setup,
    /// `teardown()`.
    Teardown,
    /// `setup()` or `teardown()`: without a `group` tag they cannot be told apart.
    Outside,
    /// Not known: neither `scenario` nor `group` was recorded.
    Unknown,
}
