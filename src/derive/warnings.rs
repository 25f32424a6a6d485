//! What is worth knowing about the data of one run.

use super::builtin::builtin;
use super::observations::Observations;
use crate::model::{Evidence, Warning};

/// Share of an iteration outside the named steps from which on it is worth a word.
const OUTSIDE_SHARE: f64 = 0.2;

/// Warnings that need the raw samples.
pub fn of_observations(seen: &Observations, evidence: &Evidence) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code: &str, message: String| warnings.push(Warning::new(code, message));
    for what in &seen.truncated {
        warn("truncated-input", format!("the raw output was cut off: {what}"));
    }
    for (reason, (count, place)) in &seen.skipped {
        let line = place.line.map(|line| format!(", first in line {line}")).unwrap_or_default();
        warn("skipped-rows", format!("{count} rows left out: {reason}{line}"));
    }
    if !seen.phases.known() {
        let message =
            "neither `scenario` nor `group` was recorded: setup and teardown cannot be told from the test phase";
        warn("no-phases", message.to_owned());
    } else if evidence.window.is_none() {
        warn("no-test-phase", "no sample of the test phase: the scenarios never began".to_owned());
    }
    if seen.url_cardinality.is_high() {
        let message =
            "at least 1000 different values of `url`: ids in URLs make k6 slow and its output large; set a `name` tag";
        warn("high-cardinality", message.to_owned());
    }
    if seen.names_overflowed {
        warn("too-many-names", "more than 20000 metric or check names: the rest is not counted by name".to_owned());
    }
    check_warnings(seen, evidence, &mut warn);
    warnings
}

fn check_warnings(seen: &Observations, evidence: &Evidence, warn: &mut impl FnMut(&str, String)) {
    let iterations = evidence.iterations.complete.unwrap_or(0);
    let failing_seconds: std::collections::BTreeSet<i64> =
        seen.failures.values().flat_map(|failures| failures.by_second.keys().copied()).collect();
    for (name, check) in seen.checks.iter().filter(|(name, _)| !name.is_empty()) {
        let all = check.passes + check.fails;
        if check.request_names.len() > 1 {
            let names = check.request_names.iter().take(3).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
            warn(
                "check-covers-several-requests",
                format!("check `{name}` is used for {} requests: {names}", check.request_names.len()),
            );
        } else if iterations > 1 && all >= 2 * iterations {
            warn(
                "check-covers-several-requests",
                format!("check `{name}` has {all} samples in {iterations} iterations: one name for several requests"),
            );
        }
        if check.passes == 0 && check.fails > 1 {
            warn("check-always-fails", format!("check `{name}` failed all {} times", check.fails));
        }
        if check.failed_with_good_status > 0 {
            let n = check.failed_with_good_status;
            warn(
                "check-fails-on-success",
                format!("check `{name}` failed {n} times on a response with a status below 400"),
            );
        } else if evidence.populations.is_some() {
            let near = |second: &i64| failing_seconds.contains(second) || failing_seconds.contains(&(second - 1));
            let n: u64 = check.failed_by_second.iter().filter(|(second, _)| !near(second)).map(|(_, n)| n).sum();
            if n > 0 {
                warn(
                    "check-fails-on-success",
                    format!("check `{name}` failed {n} times in seconds in which no request failed"),
                );
            }
        }
    }
}

/// Warnings that the evidence alone gives.
pub fn of_evidence(evidence: &Evidence) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code: &str, message: String| warnings.push(Warning::new(code, message));
    let single: Vec<&str> = evidence
        .trends
        .iter()
        .filter(|(name, _)| builtin(name).is_none())
        .filter(|(_, trend)| trend.run.n == Some(1) || (trend.run.n.is_none() && is_one_value(&trend.run)))
        .map(|(name, _)| name.as_str())
        .collect();
    if !single.is_empty() {
        let names = single.join(", ");
        warn("one-sample-trends", format!("{} trends with a single sample, not charted: {names}", single.len()));
    }
    if let Some(dropped) = evidence.iterations.dropped.filter(|dropped| *dropped > 0) {
        let done = evidence.iterations.complete.unwrap_or(0);
        warn("dropped-iterations", format!("{dropped} iterations never started for want of a VU, {done} were done"));
    }
    let inferred = inferred_kinds(evidence);
    if !inferred.is_empty() {
        warn(
            "inferred-kinds",
            format!("told by their values, for CSV output carries no types: {}", inferred.join("; ")),
        );
    }
    if let Some(phase) = &evidence.test_phase
        && let Some(outside) = phase.outside_steps_ms_per_iteration
        && let Some(iteration) = evidence.trends.get("iteration_duration").and_then(|t| t.test.as_ref()?.avg)
        && outside >= OUTSIDE_SHARE * iteration
    {
        let share = 100.0 * outside / iteration;
        let seconds = outside / 1000.0;
        warn(
            "time-outside-steps",
            format!("{seconds:.2} s ({share:.0} %) of the mean iteration lie outside its named steps"),
        );
    }
    warnings
}

/// Metrics by the kind they were taken for, `trends a, b`.
fn inferred_kinds(evidence: &Evidence) -> Vec<String> {
    fn names<T>(all: &std::collections::BTreeMap<String, T>, inferred: fn(&T) -> bool) -> Vec<&str> {
        all.iter().filter(|(_, metric)| inferred(metric)).map(|(name, _)| name.as_str()).collect()
    }
    let kinds = [
        ("trends", names(&evidence.trends, |m| m.inferred)),
        ("counters", names(&evidence.counters, |m| m.inferred)),
        ("rates", names(&evidence.rates, |m| m.inferred)),
        ("gauges", names(&evidence.gauges, |m| m.inferred)),
    ];
    kinds
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(kind, names)| format!("{kind} {}", names.join(", ")))
        .collect()
}

/// A log states no number of values: one whose statistics are all equal has one.
fn is_one_value(stats: &crate::model::TrendStats) -> bool {
    stats.min.is_some() && stats.min == stats.max
}
