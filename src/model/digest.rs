//! What monitoring says of a sweep as a whole.

use std::collections::BTreeMap;

use super::{OutcomeVerdict, Resource};

/// Ranges, sums and outcomes over the runs of a sweep; every part may be empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepDigest {
    /// Targets of the sweep.
    pub targets: u64,
    /// Ranges of medians, the database's CPU first.
    pub ranges: Vec<DigestRange>,
    /// Execution time of statements over the sweep; `None` without any.
    pub queries: Option<QueryTotals>,
    /// Outcomes with the targets that have them, in order of the first.
    pub outcomes: Vec<OutcomeTargets>,
}

/// A range of one quantity's medians over some targets.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestRange {
    /// The quantity by its name, `database_cpu`.
    pub quantity: String,
    /// Smallest and largest median of the targets that reach the threshold; of all known ones when none or every one does.
    pub range: (f64, f64),
    /// Number of those targets.
    pub targets: u64,
}

/// Execution time of statements, summed over the runs it is known of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryTotals {
    /// Runs.
    pub runs: u64,
    /// Execution time of all statements, seconds.
    pub total_seconds: f64,
    /// Of those that wait for advisory locks.
    pub advisory_seconds: f64,
    /// By category.
    pub categories: BTreeMap<String, f64>,
}

/// Targets with one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeTargets {
    /// The outcome.
    pub verdict: OutcomeVerdict,
    /// Resources that ran out, for [`OutcomeVerdict::Scale`].
    pub resources: Vec<Resource>,
    /// The targets, in the order of the sweep.
    pub targets: Vec<String>,
}
