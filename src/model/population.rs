//! Failed requests by cause and how they lie in time.

use serde::{Deserialize, Serialize};

use super::{Phase, Time};

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
