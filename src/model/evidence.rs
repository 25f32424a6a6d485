//! The evidence of one run: what `evidence.json` holds, and from what it was derived.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    Checks, Counter, Gauge, Iterations, K6, Observability, Outcome, Population, Rate, Requests, Series, TestPhase,
    Time, Trend, Warning, Window,
};

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
    /// What monitoring says of the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observability: Option<Observability>,
    /// The outcome by the rule, with its figures and thresholds; absent without monitoring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
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

/// What computed an evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derived {
    /// `sweepdoc 0.1.0`.
    pub by: String,
    /// Fingerprint of the settings that change numbers (thresholds, named causes, redaction).
    pub settings: String,
}

/// What was last generated for the page, for telling a person's edit from our own text: where a person edited the page, what
/// would stand there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generated {
    /// `sweepdoc 0.1.0`.
    pub by: String,
    /// Fingerprint of the whole page as generated.
    pub page: String,
    /// Fingerprint of what the template itself puts on the page, without rows, sections and front matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Cell text by row label; empty for a row nobody could fill.
    pub rows: IndexMap<String, String>,
    /// Usual labels of renamed rows, by the label on the page.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub labels: IndexMap<String, String>,
    /// Text by section (`intro`, `k6 output`, `chart import`).
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
