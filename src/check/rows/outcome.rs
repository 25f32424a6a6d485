use std::sync::LazyLock;

use regex::Regex;

use super::{Judgement, Severity, Subject};
use crate::check::finding::Claim;
use crate::model::{
    Evidence, LockShareOf, Outcome, OutcomeFigures, OutcomeRule, OutcomeThresholds, OutcomeVerdict, Resource,
};
use crate::notation::number;
use crate::rows::{RowId, outcome_figures, possible_figures, read_verdict, stated_outcome, verdict_words};

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

/// The verdict against the rule, and against the database row.
pub(super) fn judge(subject: &Subject) -> Vec<Judgement> {
    [unbound(subject), by_rule(subject)].into_iter().flatten().collect()
}

/// The verdict against the one the rule gives for the run's figures, or where there are none for those of the page's rows.
///
/// A person may know better, so that it is worth a warning; what the rule cannot tell is not held against anybody, and neither
/// is a figure of the page that is rounded across a limit.
fn by_rule(subject: &Subject) -> Option<Judgement> {
    let row = subject.page.row(RowId::Outcome)?;
    let (stated, words) = read_verdict(&row.text)?;
    let recorded = subject.truth.evidence.outcome.as_ref();
    let text = |id: RowId| subject.page.row(id).map(|row| row.text.as_str());
    let (figures, source) = match recorded {
        Some(outcome) => (outcome.figures, subject.figures_from()),
        None => (with_run(outcome_figures(text), &subject.truth.evidence), "the page's own rows".to_owned()),
    };
    let (thresholds, whose) = thresholds(subject);
    let outcome = figures.decide(thresholds);
    let resources = stated_outcome(&row.text).map(|(_, resources)| resources).unwrap_or_default();
    let with_resources = row.text.split_inclusive(')').next().filter(|_| !resources.is_empty());
    let words = with_resources.map_or(words, |words| words.trim_start_matches(|c: char| !c.is_alphanumeric()));
    let claim = Claim::of_words(row, "outcome", "outcome of the flowchart", 0, words);
    if recorded.is_none() {
        let decided = |figures| with_run(figures, &subject.truth.evidence).decide(thresholds);
        let otherwise = |possible: Outcome| {
            possible.verdict != outcome.verdict || !resources.is_empty() && possible.resources != outcome.resources
        };
        if possible_figures(text).into_iter().any(|figures| otherwise(decided(figures))) {
            return Some(claim.unverifiable(EXACT, ACROSS));
        }
    }
    if outcome.verdict == OutcomeVerdict::NotEnoughEvidence {
        return None;
    }
    if let Some((needed, why)) = rows_cannot_tell(stated, &outcome).filter(|_| recorded.is_none()) {
        return Some(claim.unverifiable(needed, why));
    }
    let by = verdict_words(&outcome);
    Some(match stated == outcome.verdict && names_what_ran_out(&resources, &outcome) {
        true => claim.holds(by, &source, format!("the rule gives the same outcome {whose}")),
        false => {
            let why = format!("the rule gives another outcome for these figures {whose}");
            claim.contradicted(Severity::Warning, by, &source, &why)
        }
    })
}

/// What a verdict may rest on that no row of a page states, and why it cannot be held against them: the gain over the run before,
/// and the share of locks in the execution time of all statements, which is less than in that of the listed ones.
fn rows_cannot_tell(stated: OutcomeVerdict, outcome: &Outcome) -> Option<(&'static str, &'static str)> {
    let Outcome { verdict, rule, figures, thresholds, .. } = outcome;
    let of_listed = figures.lock_share.is_some_and(|lock| lock.of == LockShareOf::ListedStatements);
    let without_locks = || OutcomeFigures { lock_share: None, ..*figures }.decide(*thresholds).verdict;
    if stated == *verdict {
        None
    } else if stated == OutcomeVerdict::Terminate {
        Some((GAIN, "no row of a page says what was gained over the run before"))
    } else if *rule == OutcomeRule::LockWaits && of_listed && stated == without_locks() {
        Some((ALL, "locks take less of all statements' time than of the listed ones'"))
    } else {
        None
    }
}

/// True when a verdict names the resources that ran out, as far as it is known of them, or none.
fn names_what_ran_out(named: &[Resource], outcome: &Outcome) -> bool {
    let OutcomeFigures { database_cpu, container_cpu, .. } = outcome.figures;
    let known = [(Resource::Database, database_cpu), (Resource::Containers, container_cpu)];
    let agrees = |resource| named.contains(resource) == outcome.resources.contains(resource);
    named.is_empty() || known.iter().all(|(resource, cpu)| cpu.is_none() || agrees(resource))
}

/// What would tell where a printed figure cannot.
const EXACT: &str = "the run's evidence, which has the figures behind the rounded ones";
const GAIN: &str = "the run's evidence, decided with `[outcome] baseline`";
const ALL: &str = "the execution time of all statements";
const ACROSS: &str = "a figure of the page is rounded across its limit";

/// The thresholds that hold for a page, and whose they are.
fn thresholds(subject: &Subject) -> (OutcomeThresholds, &'static str) {
    match (subject.thresholds, &subject.truth.evidence.outcome) {
        (Some(configured), _) => (configured, "by the thresholds of the project file"),
        (None, Some(outcome)) => (outcome.thresholds, "by the thresholds recorded with the run"),
        (None, None) => (OutcomeThresholds::default(), "by the default thresholds"),
    }
}

/// The figures with what k6 itself knows of the run.
fn with_run(figures: OutcomeFigures, evidence: &Evidence) -> OutcomeFigures {
    let OutcomeFigures { failed_share, dropped_iterations, missing_vus, .. } = OutcomeFigures::of_run(evidence);
    OutcomeFigures { failed_share, dropped_iterations, missing_vus, ..figures }
}

/// A verdict that nothing was exhausted, on a page whose database row says otherwise.
fn unbound(subject: &Subject) -> Option<Judgement> {
    let outcome = subject.page.row(RowId::Outcome)?;
    let words = NOT_BOUND.find(&outcome.text)?;
    let database = subject.page.row(RowId::DatabaseMetrics)?;
    let saturated = SATURATED.captures(&database.text).filter(|found| found.name("before").is_none());
    let claim = Claim::of_words(outcome, "outcome", "no resource ran out", words.start(), words.as_str());
    let limit = thresholds(subject).0.database_cpu_percent;
    let data = match saturated {
        Some(found) => found.get(0)?.as_str().to_owned(),
        None => {
            let (percent, possible) = median_cpu(subject, &database.text)?;
            match possible.map(|percent| OutcomeFigures::reaches(percent / 100.0, limit)) {
                [true, _] => format!("CPU {percent}%"),
                [false, true] => return Some(claim.unverifiable(EXACT, ACROSS)),
                [false, false] => return None,
            }
        }
    };
    let source = format!("`{}` on line {}", database.label, database.line);
    Some(claim.contradicted(Severity::Warning, data, &source, "another row of the page says that one did"))
}

/// The database's median CPU in percent as the row prints it, with the least and the most it can be: the run's own figure where
/// there is one.
fn median_cpu(subject: &Subject, row: &str) -> Option<(f64, [f64; 2])> {
    let printed = CPU_MEDIAN.captures(row)?.name("percent").and_then(|percent| number::read(percent.as_str()))?;
    let percent = printed.value?;
    let exact = subject.truth.evidence.outcome.as_ref().and_then(|outcome| outcome.figures.database_cpu);
    let possible = match exact {
        Some(share) => [share * 100.0; 2],
        None => [percent - printed.step / 2.0, percent + printed.step / 2.0 - 1e-7],
    };
    Some((percent, possible))
}
