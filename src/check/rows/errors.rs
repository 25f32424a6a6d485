use std::sync::LazyLock;

use regex::Regex;

use super::{Judgement, Severity, Subject};
use crate::check::finding::Claim;
use crate::check::page::PageRow;
use crate::notation::{count, percent};
use crate::rows::RowId;

/// Up to so many failed requests, of less than one in ten thousand, are a handful: no reader is misled.
const HANDFUL: u64 = 5;
const HANDFUL_SHARE: f64 = 0.0001;
/// Checks that one failed request may fail and still count as part of the handful.
const CHECKS_PER_REQUEST: u64 = 4;

/// Words a row that reports failures of requests, checks or iterations has at least one of.
static REPORTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:errors?|fail\w*|time\s?outs?|timed out|refused|resets?|abort\w*|interrupted|exceptions?|[45]\d\d)\b",
    )
    .expect("a constant")
});
static NONE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^(?:none|no errors?|no failures?|-|n/a|0)\.?$").expect("a constant"));

/// A row that reports nothing although something failed. What a row does report is the business of the claims in prose.
pub(super) fn unreported(subject: &Subject) -> Option<Judgement> {
    let row = subject.page.row(RowId::ObservedErrors)?;
    let failures = Failures::of(subject)?;
    let text = row.text.trim();
    let says_none = NONE.is_match(text);
    if failures.none() {
        return says_none.then(|| {
            let source = subject.figure_from("http_req_failed");
            claim(row).holds("none", &source, "no request, check or iteration failed")
        });
    }
    if !says_none && REPORTS.is_match(text) {
        return None;
    }
    let severity = if failures.handful() { Severity::Warning } else { Severity::Error };
    let source = subject.figure_from(if failures.requests.0 > 0 { "http_req_failed" } else { "checks" });
    let how = match (text.is_empty(), says_none) {
        (true, _) => "the row is empty, the failures are not reported",
        (_, true) => "the row says that nothing failed",
        _ => "the row speaks of something else, the failures are not reported",
    };
    Some(match says_none {
        true => claim(row).wrong(failures.in_words(), &source, how),
        false => claim(row).contradicted(severity, failures.in_words(), &source, how),
    })
}

fn claim(row: &PageRow) -> Claim {
    Claim::of_row(row, "unreported-errors", "what failed in the run")
}

/// What failed, each with its total.
struct Failures {
    requests: (u64, u64),
    checks: (u64, u64),
    interrupted: u64,
}

impl Failures {
    /// `None` when nothing is known.
    fn of(subject: &Subject) -> Option<Self> {
        let evidence = &subject.truth.evidence;
        let requests = evidence.requests.as_ref().and_then(|r| Some((r.run.failed?, r.run.total)));
        let checks = evidence.checks.as_ref().map(|checks| (checks.failed, checks.total));
        if requests.is_none() && checks.is_none() {
            return None;
        }
        let interrupted = evidence.iterations.interrupted.unwrap_or(0);
        Some(Failures { requests: requests.unwrap_or_default(), checks: checks.unwrap_or_default(), interrupted })
    }

    /// Interrupted iterations alone are the usual end of a run, no error a page has to report.
    fn none(&self) -> bool {
        self.requests.0 == 0 && self.checks.0 == 0
    }

    fn handful(&self) -> bool {
        let rare = |(failed, total): (u64, u64)| failed == 0 || (failed as f64) < total as f64 * HANDFUL_SHARE;
        // a failed request usually fails more than one check
        let most_checks = HANDFUL.max(self.requests.0.saturating_mul(CHECKS_PER_REQUEST));
        rare(self.requests) && rare(self.checks) && self.requests.0 <= HANDFUL && self.checks.0 <= most_checks
    }

    fn in_words(&self) -> String {
        let part = |(failed, total): (u64, u64), what: &str| {
            let share = percent::prose(failed, total);
            (failed > 0).then(|| format!("{} of {} {what} failed ({share})", count::write(failed), count::write(total)))
        };
        let cut_off =
            (self.interrupted > 0).then(|| format!("{} iterations interrupted", count::write(self.interrupted)));
        let parts: Vec<String> =
            [part(self.requests, "requests"), part(self.checks, "checks"), cut_off].into_iter().flatten().collect();
        parts.join(", ")
    }
}
