use std::sync::LazyLock;

use regex::Regex;

use super::{Judgement, Severity, Subject};
use crate::check::finding::Claim;
use crate::rows::RowId;

/// Database CPU from which it counts as exhausted, in percent.
const SATURATED_PERCENT: f64 = 90.0;

static NOT_BOUND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:not (?:resource|cpu|database)[- ](?:bound|limited)|no resource (?:is|was) (?:exhausted|saturated))",
    )
    .expect("a constant")
});
static CPU_MEDIAN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)CPU: (?:p50 )?(?P<percent>\d+(?:\.\d+)?)%").expect("a constant"));
static SATURATED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)(?P<before>\bnot\s+)?\S*saturated").expect("a constant"));

/// A verdict that nothing was exhausted, on a page whose database row says otherwise.
pub(super) fn judge(subject: &Subject) -> Option<Judgement> {
    let outcome = subject.page.row(RowId::Outcome)?;
    let words = NOT_BOUND.find(&outcome.text)?;
    let database = subject.page.row(RowId::DatabaseMetrics)?;
    let saturated = SATURATED.captures(&database.text).filter(|found| found.name("before").is_none());
    let percent = CPU_MEDIAN.captures(&database.text).and_then(|c| c.name("percent")?.as_str().parse::<f64>().ok());
    let data = match (saturated, percent) {
        (Some(found), _) => found.get(0)?.as_str().to_owned(),
        (None, Some(percent)) if percent >= SATURATED_PERCENT => format!("CPU {percent}%"),
        _ => return None,
    };
    let claim = Claim::of_words(outcome, "outcome", "no resource ran out", words.start(), words.as_str());
    let source = format!("`{}` on line {}", database.label, database.line);
    Some(claim.contradicted(Severity::Warning, data, &source, "another row of the page says that one did"))
}
