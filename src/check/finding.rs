//! What a claim came to.

use serde::{Deserialize, Serialize};

/// What the data says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The data says the same.
    Ok,
    /// The data says the same, rounded.
    Rounded,
    /// The data says the same, cut off at the last digit.
    Truncated,
    /// The data says otherwise.
    Wrong,
    /// Another row, block or page says otherwise.
    Contradicted,
    /// It was right for older data.
    Stale,
    /// No data there is tells, or the words can be read in more than one way.
    Unverifiable,
}

/// How much a claim that does not hold matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Rounded, truncated, unverifiable, or a matter of form.
    Note,
    /// Contradicted by another row where either may be right, stale, or form that breaks readers.
    Warning,
    /// Wrong, or contradicted by data.
    Error,
}

/// One claim of a page, judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Line on the page, counted from 1.
    pub line: u64,
    /// Column of the first of the stated words, in characters, counted from 1.
    pub column: u64,
    /// Label of the row as on the page; `k6 output`, `chart data` or `page` outside the table.
    pub row: String,
    /// Kind of the claim, one word a file of `check` (`window`, `share`); the list stands in `docs/checking.md`.
    pub kind: String,
    /// What is claimed, in words: `failed requests of the run`.
    pub claim: String,
    /// The exact words of the page.
    pub stated: String,
    /// What the data says, in the same notation; `None` when it says nothing.
    pub data: Option<String>,
    /// Where that stands: `evidence.json`, `output.json`, `k6 output on line 93`; for an unverifiable claim what would be needed.
    pub source: Option<String>,
    /// What it came to.
    pub verdict: Verdict,
    /// How much that matters; `None` for a claim that holds.
    pub severity: Option<Severity>,
    /// How the data's figure was computed, or why nothing can be said.
    pub explanation: String,
}
