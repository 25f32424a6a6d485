use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{Stat, Time, Warning, Window};

/// The value of [`Evidence::schema`] this version writes and reads.
pub const EVIDENCE_SCHEMA: &str = "sweepdoc/evidence/1";

/// Everything derived from the raw data of one run; the content of `evidence.json`.
///
/// Field by field in `docs/evidence.md`, checked by `docs/evidence.schema.json`. Durations are milliseconds unless the
/// name says otherwise. What is not known is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// [`EVIDENCE_SCHEMA`].
    pub schema: String,
    /// What the run tested.
    pub target: String,
    /// First to last test-phase second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<EvidenceWindow>,
    /// What k6 itself said of the run.
    pub k6: K6,
    /// Iterations.
    pub iterations: Iterations,
    /// The test phase: setup and teardown left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_phase: Option<TestPhase>,
    /// HTTP requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<Requests>,
    /// Trends by name.
    pub trends: BTreeMap<String, Trend>,
    /// Trends narrowed by tags, as k6 printed them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub submetrics: BTreeMap<String, Trend>,
    /// Sums over the whole run, built-in and custom (`data_sent`, `http_reqs`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, Counter>,
    /// Shares over the whole run (`http_req_failed`, custom rates; not `checks`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rates: BTreeMap<String, Rate>,
    /// Last values over the whole run (`vus`, custom gauges).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gauges: BTreeMap<String, Gauge>,
    /// Checks over the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Checks>,
    /// Failed requests by cause, over the whole run; absent when the causes are not known. Counts of raw origin sum to
    /// `requests.run.failed`; a log has no lines for HTTP statuses, so that counts of log origin may sum to less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub populations: Option<Vec<Population>>,
    /// Per-second counts over the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// What computed it, and with which settings: another version or other thresholds make it stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<Derived>,
    /// What was last written on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<Generated>,
    /// What is worth knowing about the data.
    pub warnings: Vec<Warning>,
    /// The files it was derived from.
    pub sources: Vec<SourceFile>,
}

/// The window with what it is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceWindow {
    /// First second.
    pub start: Time,
    /// Last second.
    pub end: Time,
    /// Which samples opened and closed it.
    pub basis: WindowBasis,
}

impl EvidenceWindow {
    /// The window in whole seconds.
    pub fn window(self) -> Window {
        Window { start: self.start.unix_seconds(), end: self.end.unix_seconds() }
    }
}

/// What a window is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowBasis {
    /// Test-phase samples.
    Test,
    /// All samples but `vus`: setup and teardown cannot be told apart.
    Run,
    /// First and last row of the chart data.
    Chart,
    /// Stamps in the log: the launcher's clock around the whole of k6, start-up, setup and teardown included.
    Stamps,
}

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

/// One trend.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// True when its values are milliseconds; absent when not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<bool>,
    /// True when neither a log nor a summary nor JSON output says that it is a trend: k6's CSV carries no types.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// Where the figures come from.
    pub from: FigureSource,
    /// The whole run.
    pub run: TrendStats,
    /// The test phase; absent for a setup-only trend and when phases cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TrendStats>,
    /// First against last five minutes of the test phase; absent under ten minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
}

/// Where figures come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureSource {
    /// Computed from every sample.
    #[default]
    Raw,
    /// Stated in full by a machine-readable summary.
    Summary,
    /// Read back from a terminal log: known to the last printed digit only.
    Log,
}

/// Statistics of one trend over one phase; milliseconds for times.
///
/// Quantiles interpolate linearly between the two nearest ranks over n - 1, as k6 does (`metrics/sink.go`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrendStats {
    /// Number of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u64>,
    /// Smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avg: Option<f64>,
    /// Percentiles, keys `p50` to `p99.9`.
    #[serde(flatten)]
    pub percentiles: BTreeMap<Percentile, f64>,
    /// Largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl TrendStats {
    /// One statistic by the name k6 has for it; `None` when it is not known.
    pub fn get(&self, stat: Stat) -> Option<f64> {
        match stat {
            Stat::Avg => self.avg,
            Stat::Min => self.min,
            Stat::Max => self.max,
            Stat::Med => self.percentiles.get(&Percentile::P50).copied(),
            Stat::Count => self.n.map(|n| n as f64),
            Stat::P(percentile) => self.percentiles.get(&percentile).copied(),
        }
    }
}

/// A percentile's rank, exact to a ten-thousandth of a percent. Prints as `p99.9`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Percentile(u32);

impl Percentile {
    /// Median.
    pub const P50: Percentile = Percentile(500_000);
    /// 90th.
    pub const P90: Percentile = Percentile(900_000);
    /// 95th.
    pub const P95: Percentile = Percentile(950_000);
    /// 99th.
    pub const P99: Percentile = Percentile(990_000);
    /// 99.9th.
    pub const P99_9: Percentile = Percentile(999_000);

    /// Reads the percent, `99.9`; `None` outside 0 to 100 or beyond four decimals.
    pub fn parse(percent: &str) -> Option<Self> {
        let (whole, fraction) = percent.split_once('.').unwrap_or((percent, ""));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 4 || whole.len() > 3 {
            return None;
        }
        let units: u32 = format!("{whole}{fraction:0<4}").parse().ok()?;
        (units <= 1_000_000).then_some(Percentile(units))
    }

    /// The rank as a fraction in `0.0..=1.0`.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 10_000.0 / 100.0
    }
}

impl fmt::Display for Percentile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", f64::from(self.0) / 10_000.0)
    }
}

impl From<Percentile> for String {
    fn from(p: Percentile) -> String {
        p.to_string()
    }
}

impl TryFrom<String> for Percentile {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.strip_prefix('p')
            .and_then(Percentile::parse)
            .ok_or_else(|| format!("`{text}` is no percentile such as `p99.9`"))
    }
}

/// How a trend's median moved over the test phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    /// Median of the first five minutes.
    pub first5min_p50: f64,
    /// Median of the last five minutes.
    pub last5min_p50: f64,
    /// Last over first; absent when the first is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

/// A counter over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Sum of its values.
    pub sum: f64,
    /// True when only its values say that it is a counter.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// A rate metric over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Samples that were not zero.
    pub nonzero: u64,
    /// All samples.
    pub total: u64,
    /// True when only its values say that it is a rate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// A gauge over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// Last value.
    pub last: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// True when only its values say that it is a gauge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// Checks over the whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// All check samples.
    pub total: u64,
    /// Those that failed.
    pub failed: u64,
    /// By name, in order of first use; names of different groups are added together, as k6 does.
    pub by_name: Vec<CheckByName>,
}

/// One check's counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckByName {
    /// Its name; absent when the `check` tag was switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Passed; absent when a log says only that none failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u64>,
    /// Failed.
    pub fails: u64,
    /// Failures by the population (its id) in whose windows they fell; one that fell into several counts once: in one with a
    /// failed request at that moment, then in the shortest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fails_within: BTreeMap<u32, u64>,
    /// Failures in no population's window; absent when no raw output says when they fell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_elsewhere: Option<u64>,
}

/// Failed requests with one cause in one phase.
///
/// A rate without its population is meaningless: 1117 failed of 581385 *requests* and 1005 failed of 867495 *checks* are
/// different facts about the same run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Population {
    /// Number within this evidence, from 1; the test phase first, then by count.
    pub id: u32,
    /// When they happened.
    pub phase: Phase,
    /// Where they are known from.
    pub origin: PopulationOrigin,
    /// Class of the cause.
    pub kind: CauseKind,
    /// HTTP status; absent without a response or without a `status` tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// k6's error code; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<u16>,
    /// k6's error text with ids, hosts and ports taken out; empty for HTTP statuses.
    pub error: String,
    /// A cause named in the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many.
    pub count: u64,
    /// Share of all failed requests of the run, 0 to 1.
    pub share: f64,
    /// First one; absent when a log's lines carry no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Time>,
    /// Last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Time>,
    /// Seconds from the window's start to `first`; negative before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_offset_seconds: Option<i64>,
    /// How they lie in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// Clusters, cut at gaps; only for `burst` and `bursts`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bursts: Vec<Burst>,
    /// Counts per minute of the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_minute: Option<PerMinute>,
    /// Which requests, most frequent first, at most ten; names without scheme, host and ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<NamedCount>,
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

/// Where a population is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PopulationOrigin {
    /// Raw samples.
    Raw,
    /// Lines of the terminal log, which has none for HTTP statuses.
    Log,
}

/// Class of a failure's cause, from k6's error code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// A response with an unexpected status.
    HttpStatus,
    /// The client's own timeout (1050).
    RequestTimeout,
    /// Connecting took too long (1211).
    ConnectTimeout,
    /// Refused or otherwise failed to connect (1210 to 1213).
    Connect,
    /// Reset by the peer (1220).
    ConnectionReset,
    /// Another TCP or network error (1010, 1200 to 1202).
    Network,
    /// Name resolution (1100, 1101).
    Dns,
    /// Blocked by the script's own options (1110, 1111).
    Blocked,
    /// TLS (1300 to 1311).
    Tls,
    /// HTTP/2 (1600 to 1664).
    Http2,
    /// A body that would not decompress (1701).
    Content,
    /// None of these, or not recorded.
    Unknown,
}

/// How a population lies in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// One cluster within a third of the window.
    Burst,
    /// Two or more such clusters of at least five failures that hold at least 90 % of them.
    Bursts,
    /// Failures in at least two thirds of the window's minutes.
    Sustained,
    /// Anything else.
    Scattered,
}

/// One cluster of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// First second.
    pub start: Time,
    /// Last second.
    pub end: Time,
    /// How many.
    pub count: u64,
}

/// Failures per minute of the window, counted from its start; the last minute may be shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerMinute {
    /// Fewest in a whole minute.
    pub min: u64,
    /// Most in a minute.
    pub max: u64,
    /// Minutes with at least one.
    pub minutes_with_failures: u64,
}

/// A name and how often it occurred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCount {
    /// The name.
    pub name: String,
    /// How often.
    pub count: u64,
}

/// Per-second counts over the window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// The second offsets count from: the window's start.
    pub start: Option<Time>,
    /// 1.
    pub step_seconds: u32,
    /// Iterations that ended in each second of the window.
    pub iterations: Vec<u64>,
    /// Requests that ended in each second of the window, test phase only where it can be told.
    pub requests: Vec<u64>,
    /// VUs at each second; null where k6 recorded none.
    pub vus: Vec<Option<u64>>,
    /// Failed requests by population id: `[offset, count]`, seconds without failures left out; offsets before the window are negative.
    pub failed: BTreeMap<u32, Vec<(i64, u64)>>,
    /// Failed checks by name, likewise; the empty name when the `check` tag was switched off.
    pub checks_failed: IndexMap<String, Vec<(i64, u64)>>,
    /// Entries too long for one point a second: `[offset, count]` with one point a minute, at the offset of the minute's first second.
    #[serde(default, skip_serializing_if = "PerMinuteSeries::is_empty")]
    pub per_minute: PerMinuteSeries,
}

/// The entries of [`Series`] that are kept by the minute.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerMinuteSeries {
    /// As [`Series::failed`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<u32, Vec<(i64, u64)>>,
    /// As [`Series::checks_failed`].
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub checks_failed: IndexMap<String, Vec<(i64, u64)>>,
}

impl PerMinuteSeries {
    /// True when every entry is kept by the second.
    pub fn is_empty(&self) -> bool {
        self.failed.is_empty() && self.checks_failed.is_empty()
    }
}

/// What computed an evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derived {
    /// `sweepdoc 0.1.0`.
    pub by: String,
    /// Fingerprint of the settings that change numbers (thresholds, named causes, redaction).
    pub settings: String,
}

/// What was last written on the page, for telling a person's edit from our own text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// `sweepdoc 0.1.0`.
    pub by: String,
    /// Fingerprint of the whole page as written.
    pub page: String,
    /// Cell text by row label.
    pub rows: IndexMap<String, String>,
    /// Text by section (`intro`, `k6 output`).
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub sections: IndexMap<String, String>,
    /// Front matter fields.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub front_matter: IndexMap<String, String>,
}

/// A file the evidence was derived from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Path relative to the run's folder.
    pub path: String,
    /// What it was recognised as, `k6-csv`.
    pub kind: String,
    /// Size as stored.
    pub bytes: u64,
    /// Rows, lines or samples read; absent for kinds that have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// `xxh3:` over length and spread parts as stored.
    pub fingerprint: String,
    /// SHA-256 of the whole file as stored, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}
