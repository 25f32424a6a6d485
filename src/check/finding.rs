//! What a claim came to.

use serde::{Deserialize, Serialize};

use super::page::PageRow;
use crate::model::CLAIM_KINDS;

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

impl Verdict {
    /// Every verdict, in the order reports count them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Ok,
        Verdict::Rounded,
        Verdict::Truncated,
        Verdict::Wrong,
        Verdict::Contradicted,
        Verdict::Stale,
        Verdict::Unverifiable,
    ];

    /// Its name in findings and in the project file.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Rounded => "rounded",
            Verdict::Truncated => "truncated",
            Verdict::Wrong => "wrong",
            Verdict::Contradicted => "contradicted",
            Verdict::Stale => "stale",
            Verdict::Unverifiable => "unverifiable",
        }
    }
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

impl Judgement {
    /// True for what a report lists without being asked for everything: claims that do not hold, and whatever is worth
    /// more than a note.
    pub fn is_finding(&self) -> bool {
        !matches!(self.verdict, Verdict::Ok | Verdict::Unverifiable) || self.severity > Some(Severity::Note)
    }
}

/// A claim found on a page, not yet judged.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    line: u64,
    column: u64,
    row: String,
    kind: &'static str,
    claim: String,
    stated: String,
}

/// Label of claims about the k6 block.
pub(super) const K6_OUTPUT: &str = "k6 output";
/// Label of claims about the chart data.
pub(super) const CHART_DATA: &str = "chart data";
/// Label of claims about a page as a whole.
pub(super) const PAGE: &str = "page";

impl Claim {
    /// A claim of a row's whole value.
    pub(super) fn of_row(row: &PageRow, kind: &'static str, claim: impl Into<String>) -> Self {
        let (line, column) = (row.line, row.column_of(&row.text, 0));
        Claim { line, column, row: row.label.clone(), kind, claim: claim.into(), stated: row.text.clone() }
    }

    /// A claim outside the metric table.
    pub(super) fn at(
        (line, column): (u64, u64),
        row: &str,
        kind: &'static str,
        claim: &str,
        stated: impl Into<String>,
    ) -> Self {
        Claim { line, column, row: row.to_owned(), kind, claim: claim.to_owned(), stated: stated.into() }
    }

    /// A claim of some of a row's words, which stand at byte `at` of its text.
    pub(super) fn of_words(
        row: &PageRow,
        kind: &'static str,
        claim: impl Into<String>,
        at: usize,
        words: &str,
    ) -> Self {
        Claim { column: row.column_of(words, at), stated: words.to_owned(), ..Claim::of_row(row, kind, claim) }
    }

    /// The data says the same; `how` says which data.
    pub(super) fn holds(self, data: impl Into<String>, source: &str, how: impl Into<String>) -> Judgement {
        self.judged(Verdict::Ok, None, (Some(data.into()), Some(source)), how.into())
    }

    /// The data says the same in other digits: a note.
    pub(super) fn inexact(self, verdict: Verdict, data: impl Into<String>, source: &str, how: &str) -> Judgement {
        self.judged(verdict, Some(Severity::Note), (Some(data.into()), Some(source)), how.to_owned())
    }

    /// The run's own data says otherwise: an error.
    pub(super) fn wrong(self, data: impl Into<String>, source: &str, how: impl Into<String>) -> Judgement {
        self.judged(Verdict::Wrong, Some(Severity::Error), (Some(data.into()), Some(source)), how.into())
    }

    /// Something else that is published says otherwise.
    pub(super) fn contradicted(
        self,
        severity: Severity,
        data: impl Into<String>,
        source: &str,
        how: impl Into<String>,
    ) -> Judgement {
        self.judged(Verdict::Contradicted, Some(severity), (Some(data.into()), Some(source)), how.into())
    }

    /// Nothing there tells; `needed` is the data that would.
    pub(super) fn unverifiable(self, needed: &str, why: impl Into<String>) -> Judgement {
        self.judged(Verdict::Unverifiable, Some(Severity::Note), (None, Some(needed)), why.into())
    }

    fn judged(
        self,
        verdict: Verdict,
        severity: Option<Severity>,
        (data, source): (Option<String>, Option<&str>),
        explanation: String,
    ) -> Judgement {
        let Claim { line, column, row, kind, claim, stated } = self;
        debug_assert!(CLAIM_KINDS.contains(&kind), "`{kind}` is missing from the list of kinds");
        let (kind, source) = (kind.to_owned(), source.map(str::to_owned));
        Judgement { line, column, row, kind, claim, stated, data, source, verdict, severity, explanation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_file_names_verdicts_as_findings_do() {
        assert_eq!(Verdict::ALL.map(Verdict::word), crate::model::VERDICTS);
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.word());
        }
    }
}
