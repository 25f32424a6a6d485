//! What makes the runs of a sweep incomparable.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::SweepRun;
use crate::model::{Difference, DifferingValue, RECOMPUTED, Remark, SweepLine, UnplannedEnd};

/// Every remark, the gravest first: figures that are not those of the run, then runs that went wrong, then differences.
pub(super) fn remarks(runs: &[SweepRun<'_>], lines: &[SweepLine]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let without: Vec<String> = lines.iter().filter(|line| has_no_figures(line)).map(|l| l.target.clone()).collect();
    if !without.is_empty() {
        remarks.push(Remark::NoFigures { targets: without });
    }
    remarks.extend(same_output(runs));
    let cut: Vec<UnplannedEnd> = runs.iter().filter_map(unplanned_end).collect();
    if !cut.is_empty() {
        remarks.push(Remark::NotAsPlanned { runs: cut });
    }
    let pairs = overlaps(runs);
    if !pairs.is_empty() {
        remarks.push(Remark::Overlap { pairs });
    }
    remarks.extend(differences(runs));
    let recomputed: Vec<String> = runs.iter().filter(is_recomputed).map(|run| run.evidence.target.clone()).collect();
    if !recomputed.is_empty() {
        remarks.push(Remark::Recomputed { targets: recomputed });
    }
    remarks
}

fn has_no_figures(line: &SweepLine) -> bool {
    line.iterations_per_second.is_none() && line.latency.is_empty() && line.requests.is_none()
}

/// k6's output names the run's own counts and times: two runs never print the same.
fn same_output(runs: &[SweepRun<'_>]) -> Vec<Remark> {
    let printed: Vec<SweepRun<'_>> = runs.iter().copied().filter(|run| run.block.is_some()).collect();
    let same = groups(&printed, |run| words(run.block.unwrap_or_default())).into_iter().filter(|alike| alike.len() > 1);
    same.map(|alike| Remark::SameOutput { targets: targets(&alike) }).collect()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unplanned_end(run: &SweepRun<'_>) -> Option<UnplannedEnd> {
    let (k6, iterations) = (&run.evidence.k6, &run.evidence.iterations);
    (k6.completed == Some(false)).then(|| UnplannedEnd {
        target: run.evidence.target.clone(),
        ran_seconds: k6.run_seconds,
        planned_seconds: k6.planned_seconds,
        interrupted: iterations.interrupted,
    })
}

fn overlaps(runs: &[SweepRun<'_>]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (at, first) in runs.iter().enumerate() {
        for second in runs.iter().skip(at + 1) {
            if let (Some(a), Some(b)) = (first.evidence.window, second.evidence.window)
                && a.window().overlaps(b.window())
            {
                pairs.push((first.evidence.target.clone(), second.evidence.target.clone()));
            }
        }
    }
    pairs
}

fn differences(runs: &[SweepRun<'_>]) -> Vec<Remark> {
    let text = |text: &String| DifferingValue::Text(text.clone());
    let mut all = vec![
        differs(Difference::Vus, runs, |run| run.evidence.k6.vus_max.map(DifferingValue::Vus)),
        differs(Difference::K6Version, runs, |run| run.evidence.k6.version.as_ref().map(text)),
        differs(Difference::PlannedDuration, runs, |run| run.evidence.k6.planned_seconds.map(DifferingValue::Seconds)),
    ];
    let labels: BTreeSet<&String> = runs.iter().flat_map(|run| run.facts.keys()).collect();
    for label in labels {
        let said = runs.iter().filter(|run| run.facts.contains_key(label)).count();
        let fact = |run: &SweepRun<'_>| Some(run.facts.get(label).map_or(DifferingValue::Absent, text));
        // what one page alone states is its author's remark, not a difference between the runs
        all.push(differs(Difference::Fact(label.clone()), runs, fact).filter(|_| said > 1));
    }
    all.into_iter().flatten().collect()
}

/// `None` when all runs that know a value have the same.
fn differs(
    what: Difference,
    runs: &[SweepRun<'_>],
    value: impl Fn(&SweepRun<'_>) -> Option<DifferingValue>,
) -> Option<Remark> {
    let known: Vec<SweepRun<'_>> = runs.iter().copied().filter(|run| value(run).is_some()).collect();
    let mut alike = groups(&known, |run| value(run).map(comparable));
    alike.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let group = |alike: Vec<SweepRun<'_>>| Some((value(alike.first()?)?, targets(&alike)));
    (alike.len() > 1).then(|| Remark::Differs { what, groups: alike.into_iter().filter_map(group).collect() })
}

/// What two values are compared by: of texts neither letter case nor space nor escapes, which formatters change, nor
/// moments, for a capture of the same settings has another time for each run.
fn comparable(value: DifferingValue) -> DifferingValue {
    static MOMENT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?").ok());
    match value {
        DifferingValue::Text(text) => {
            let text = words(&text.replace('\\', "")).to_lowercase();
            let timeless = MOMENT.as_ref().map(|moment| moment.replace_all(&text, "").into_owned());
            DifferingValue::Text(timeless.unwrap_or(text))
        }
        other => other,
    }
}

/// Runs by a value, in the order of first appearance.
fn groups<'a, T: PartialEq>(runs: &[SweepRun<'a>], value: impl Fn(&SweepRun<'a>) -> T) -> Vec<Vec<SweepRun<'a>>> {
    let mut groups: Vec<(T, Vec<SweepRun<'a>>)> = Vec::new();
    for run in runs {
        let value = value(run);
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, alike)) => alike.push(*run),
            None => groups.push((value, vec![*run])),
        }
    }
    groups.into_iter().map(|(_, alike)| alike).collect()
}

fn targets(runs: &[SweepRun<'_>]) -> Vec<String> {
    runs.iter().map(|run| run.evidence.target.clone()).collect()
}

fn is_recomputed(run: &&SweepRun<'_>) -> bool {
    run.block.is_some_and(|text| text.trim_start().starts_with(RECOMPUTED))
}
