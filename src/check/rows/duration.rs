use std::sync::LazyLock;

use regex::{Match, Regex};

use super::{Judgement, PageRow, Subject};
use crate::check::finding::Claim;
use crate::model::{K6, Printed};
use crate::notation::{count, duration};

/// Longest a run may take beyond its plan when setup and teardown are not known: 5 % and two minutes.
const UNKNOWN_SHARE: f64 = 0.05;
const UNKNOWN_SECONDS: f64 = 120.0;

/// What stands behind a duration that only the samples tell.
const SAMPLED: &str = "from first to last sample";

static PLANNED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"planned (?P<value>[^,;)]+)").expect("a constant"));
static INTERRUPTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?P<value>[\d,]+) iterations? (?:was |were )?interrupted").expect("a constant"));
/// Parts of a duration, whether they make one or not: `1s 15s`, `1min 15m`.
static OUT_OF_ORDER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:\d+ ?(?:h|min|m|s)\b ?){2,}$").expect("a constant"));
static EXITED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"k6 exited with (?P<value>-?\d+)").expect("a constant"));

/// The duration of the test: the plan when the run kept to it, or how long it took; and what stands in brackets behind it.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let head = row.text.split(['(', ',', ';']).next().unwrap_or_default().trim();
    let head = head.strip_suffix(SAMPLED).unwrap_or(head).trim();
    let mut judgements = vec![whole(subject, row, head)];
    judgements.extend(details(subject, row));
    judgements
}

fn whole(subject: &Subject, row: &PageRow, head: &str) -> Judgement {
    let claim = Claim::of_words(row, "duration", "duration of the test", 0, head);
    let needed = "k6 output with its `running` line, or evidence.json";
    let k6 = &subject.truth.evidence.k6;
    let source = subject.figure_from("running");
    let Some(stated) = duration::read(head) else {
        return match k6.run_seconds.filter(|_| OUT_OF_ORDER.is_match(head)) {
            Some(run) => claim.wrong(real(k6, run, None), &source, "its parts do not make one duration"),
            None => claim.unverifiable(needed, "the value does not read as one duration"),
        };
    };
    let window = subject.truth.evidence.window.filter(|_| row.text.ends_with("(first to last sample)"));
    let Some(run) = k6.run_seconds.or_else(|| window.map(|window| window.window().seconds() as f64)) else {
        return claim.unverifiable(needed, "no data there says how long the run took");
    };
    let took = format!("{} with setup and teardown", duration::prose(run));
    let is_plan = k6.planned_seconds.is_some_and(|plan| is(&stated, plan));
    match (k6.completed, k6.planned_seconds) {
        (Some(true), Some(_)) if is_plan => claim.holds(took, &source, "the planned duration, which the run kept to"),
        _ if fits(&stated, run) => claim.holds(took, &source, "the time the run took"),
        (None, None) if may_be_plan(&stated, run) => {
            claim.holds(took, &source, "no plan is stated; setup and teardown account for the rest")
        }
        _ => claim.wrong(real(k6, run, subject.truth.evidence.iterations.interrupted), &source, why(k6, is_plan)),
    }
}

/// What would be written instead: `42min 7s (planned 30min, 600 iterations interrupted)`.
fn real(k6: &K6, run: f64, interrupted: Option<u64>) -> String {
    if let (Some(true), Some(plan)) = (k6.completed, k6.planned_seconds) {
        return duration::prose(plan);
    }
    let planned = k6.planned_seconds.map(|plan| format!("planned {}", duration::prose(plan)));
    let cut_off = interrupted.filter(|n| *n > 0).map(|n| format!("{} iterations interrupted", count::write(n)));
    let details: Vec<String> = [planned, cut_off].into_iter().flatten().collect();
    let real = duration::prose(run.round());
    if details.is_empty() { real } else { format!("{real} ({})", details.join(", ")) }
}

fn why(k6: &K6, is_plan: bool) -> String {
    match is_plan {
        true => "that was the plan; the run did not keep to it".to_owned(),
        false => match k6.planned_seconds {
            Some(plan) => format!("neither the plan ({}) nor the time the run took", duration::prose(plan)),
            None => "not the time the run took".to_owned(),
        },
    }
}

fn details(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let k6 = &subject.truth.evidence.k6;
    let mut judgements = Vec::new();
    let words = |pattern: &Regex| pattern.captures(&row.text)?.name("value");
    let claim =
        |what: &str, words: Match<'_>| Claim::of_words(row, "duration", what, words.start(), words.as_str().trim());
    if let Some((stated, plan)) = words(&PLANNED).zip(k6.planned_seconds) {
        let holds = duration::read(stated.as_str().trim()).is_some_and(|stated| is(&stated, plan));
        judgements.push(decided(claim("planned duration", stated), holds, duration::prose(plan), subject, "default"));
    }
    if let Some((stated, cut_off)) = words(&INTERRUPTED).zip(subject.truth.evidence.iterations.interrupted) {
        let holds = count::read(stated.as_str()) == Some(cut_off);
        let claim = claim("interrupted iterations", stated);
        judgements.push(decided(claim, holds, count::write(cut_off), subject, "running"));
    }
    if let Some((stated, code)) = words(&EXITED).zip(k6.exit_code) {
        let holds = stated.as_str().parse() == Ok(code);
        judgements.push(decided(claim("exit code of k6", stated), holds, code.to_string(), subject, "running"));
    }
    judgements
}

fn decided(claim: Claim, holds: bool, data: String, subject: &Subject, word: &str) -> Judgement {
    let source = subject.figure_from(word);
    if holds { claim.holds(data, &source, "as recorded") } else { claim.wrong(data, &source, "as recorded") }
}

/// The same duration, to half a second.
fn is(stated: &Printed, seconds: f64) -> bool {
    stated.value.is_some_and(|ms| (ms / 1000.0 - seconds).abs() < 0.5)
}

/// The seconds cut or rounded to the stated digits.
fn fits(stated: &Printed, seconds: f64) -> bool {
    let Some(off) = stated.value.map(|ms| seconds * 1000.0 - ms) else { return false };
    (0.0..stated.step).contains(&off) || off.abs() <= stated.step / 2.0
}

fn may_be_plan(stated: &Printed, run: f64) -> bool {
    stated
        .value
        .map(|ms| ms / 1000.0)
        .is_some_and(|plan| (plan..=plan * (1.0 + UNKNOWN_SHARE) + UNKNOWN_SECONDS).contains(&run))
}
