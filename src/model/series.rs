//! Counts by the second.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Time;

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
