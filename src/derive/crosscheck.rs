//! Raw output, log and machine summary against each other: figures of one run that differ are a warning.

use super::run::Said;
use crate::model::{Evidence, FigureSource, Figures, Printed, SummaryOrigin, Warning};

/// Names at most this many disagreements of one kind before summing up the rest.
const NAMED: usize = 5;

/// Compares the evidence's own figures with every summary of the run, and the log's lines with each other.
pub fn crosscheck(evidence: &Evidence, said: Said<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for summary in said.summaries() {
        let (source, place) = match summary.origin {
            SummaryOrigin::Terminal(_) => (FigureSource::Log, "the log"),
            _ => (FigureSource::Summary, "the summary file"),
        };
        let mut differences = Vec::new();
        for (name, figures) in &summary.metrics {
            differences.extend(differing(evidence, name, figures, source));
        }
        for check in &summary.checks {
            let Some((passes, fails)) = check.passes.zip(check.fails) else { continue };
            let same_name: Vec<_> = summary.checks.iter().filter(|other| other.name == check.name).collect();
            let known =
                evidence.checks.as_ref().and_then(|c| c.by_name.iter().find(|b| b.name.as_ref() == Some(&check.name)));
            if let Some(known) = known.filter(|_| same_name.len() == 1)
                && (known.passes.is_some_and(|n| n != passes) || known.fails != fails)
            {
                let ours = known.passes.map_or("?".to_owned(), |n| n.to_string());
                differences.push(format!(
                    "check `{}`: {passes} passed and {fails} failed there, {ours} and {} in the raw output",
                    check.name, known.fails
                ));
            }
        }
        if !differences.is_empty() {
            warnings.push(Warning::new("figures-differ", format!("{place} disagrees: {}", listed(&differences))));
        }
    }
    warnings.extend(iterations_differ(evidence, said));
    warnings
}

fn listed(differences: &[String]) -> String {
    let named = differences.iter().take(NAMED).cloned().collect::<Vec<_>>().join("; ");
    match differences.len().checked_sub(NAMED) {
        Some(more) if more > 0 => format!("{named}; and {more} more"),
        _ => named,
    }
}

fn differing(evidence: &Evidence, name: &str, figures: &Figures, source: FigureSource) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, ours: f64, printed: &Printed| {
        if printed.value.is_some_and(|theirs| !agree(ours, theirs, printed.step)) {
            found.push(format!("{name}{what} {} there, {ours} in the raw output", printed.text));
        }
    };
    match figures {
        Figures::Trend(stats) => {
            let trend = evidence.trends.get(name).or_else(|| evidence.submetrics.get(name));
            // a trend read from this very source agrees with itself
            for (stat, printed) in stats.iter().filter(|_| trend.is_some_and(|t| t.from != source)) {
                if let Some(ours) = trend.and_then(|trend| trend.run.get(*stat)) {
                    compare(&format!(" {stat:?}").to_lowercase(), ours, printed);
                }
            }
        }
        Figures::Counter { count, .. } => {
            if let Some(counter) = evidence.counters.get(name) {
                compare(":", counter.sum, count);
            }
        }
        Figures::Rate { nonzero, total, .. } => {
            let ours = match (name, &evidence.checks) {
                ("checks" | "checks_succeeded", Some(checks)) => Some((checks.total - checks.failed, checks.total)),
                ("checks_failed", Some(checks)) => Some((checks.failed, checks.total)),
                _ => evidence.rates.get(name).map(|rate| (rate.nonzero, rate.total)),
            };
            if let Some((n, t)) = ours.filter(|ours| *ours != (*nonzero, *total)) {
                found.push(format!("{name}: {nonzero} out of {total} there, {n} out of {t} in the raw output"));
            }
        }
        Figures::Gauge { .. } => {}
    }
    found
}

/// A printed figure is cut (times) or rounded (sizes even twice) at its last digit; a full one may differ in the order
/// of summation only.
fn agree(ours: f64, theirs: f64, step: f64) -> bool {
    const ROUNDED_TWICE: f64 = 0.55;
    let slack = 1e-9 * ours.abs().max(theirs.abs()) + 1e-12;
    (theirs - step * ROUNDED_TWICE - slack..=theirs + step + slack).contains(&ours)
}

fn iterations_differ(evidence: &Evidence, said: Said<'_>) -> Option<Warning> {
    let line = said.log?.running.as_ref()?;
    let complete = evidence.iterations.complete.filter(|complete| *complete != line.complete)?;
    let reason = match evidence
        .warnings
        .iter()
        .any(|warning| warning.code == "truncated-input" || warning.code == "skipped-rows")
    {
        true => "the raw output was cut off",
        false => "k6 counts the two in different places",
    };
    let message = format!(
        "{complete} iterations in the metric, {} complete in the log's last `running` line: {reason}",
        line.complete
    );
    Some(Warning::new("iterations-differ", message))
}
