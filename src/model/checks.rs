//! Checks by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
