use std::collections::BTreeSet;

use super::{Block, Judgement, Severity, Subject, custom_trends};
use crate::check::finding::{CHART_DATA, Claim};
use crate::model::{Figures, Stat};
use crate::notation::duration;

/// How far the mean of a step may lie from the time per iteration that the charted steps leave, to be taken for it.
const TOLERANCE: f64 = 0.1;
/// A trend that takes this much of an iteration is around the whole of it.
const WHOLE_SHARE: f64 = 0.95;
/// Less of an iteration than this can be anything.
const LEAST_SHARE: f64 = 0.05;

/// Trends of the chart data against those of the block, both ways.
pub(super) fn judge(subject: &Subject) -> Vec<Judgement> {
    let Some(block) = &subject.block else { return Vec::new() };
    let printed = custom_trends(block);
    let charted: BTreeSet<&str> = subject.chart_rows().iter().map(|row| row.metric.as_str()).collect();
    if printed.is_empty() || charted.is_empty() {
        return Vec::new();
    }
    let unknown: Vec<&str> =
        charted.iter().filter(|m| !printed.contains(*m) && !m.starts_with("http_req")).copied().collect();
    let uncharted = uncharted(subject, block, &printed, &charted);
    if !unknown.is_empty() {
        return vec![unprinted(subject, block, &unknown, unknown.len() == charted.len(), &uncharted)];
    }
    match uncharted.is_empty() {
        true => {
            vec![claim(subject, &names(&charted)).holds(names(&charted), "k6 output", "the block has each of them")]
        }
        false => uncharted.iter().map(|(trend, how)| missing(subject, block, trend, how)).collect(),
    }
}

fn claim(subject: &Subject, words: &str) -> Claim {
    Claim::at(subject.chart_place(), CHART_DATA, "trends", "trends of the run", words)
}

fn names<'a>(names: impl IntoIterator<Item = &'a &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// k6 prints every custom trend: one that is only in the chart data is of another run or another script.
fn unprinted(subject: &Subject, block: &Block, unknown: &[&str], all: bool, uncharted: &[(&str, String)]) -> Judgement {
    let source = format!("k6 output on line {}", block.line);
    let instead: Vec<&str> = uncharted.iter().map(|(trend, _)| *trend).collect();
    let data = match instead.is_empty() {
        true => "no such trend".to_owned(),
        false => format!("no such trend, {} instead", names(&instead)),
    };
    let how = match all {
        true => "the block has none of the chart's trends: the chart data is of another run",
        false => "k6 prints every trend of a run: chart data and block are not of the same one",
    };
    claim(subject, &names(unknown)).contradicted(Severity::Error, data, &source, how)
}

fn missing(subject: &Subject, block: &Block, trend: &str, how: &str) -> Judgement {
    let source = format!("k6 output on line {}", block.line_of(trend));
    let words = format!("no `{trend}`");
    claim(subject, &words).contradicted(Severity::Warning, format!("`{trend}`"), &source, how)
}

/// Trends of the test phase that the chart lacks, each with how that is known.
fn uncharted<'a>(
    subject: &Subject,
    block: &'a Block,
    printed: &BTreeSet<&'a str>,
    charted: &BTreeSet<&str>,
) -> Vec<(&'a str, String)> {
    let absent = printed.iter().filter(|trend| !charted.contains(*trend)).copied();
    if subject.truth.recorded.is_some() {
        let trends = &subject.truth.evidence.trends;
        let in_test = |trend: &&str| {
            trends
                .get(*trend)
                .is_some_and(|t| t.time == Some(true) && t.test.as_ref().is_some_and(|test| test.n > Some(1)))
        };
        let how = || "it was measured in the test phase, its rows are missing".to_owned();
        return absent.filter(in_test).map(|trend| (trend, how())).collect();
    }
    let Some((iteration, left)) = left_by(block, charted) else { return Vec::new() };
    let fills = |trend: &&str| {
        let step = mean(block, trend).filter(|_| ran_often(block, trend));
        step.is_some_and(|step| left > iteration * LEAST_SHARE && (step - left).abs() <= left * TOLERANCE)
    };
    let how = || {
        let (iteration, left) = (duration::write(iteration), duration::write(left));
        format!("an iteration takes {iteration}, the charted steps leave {left} of it, which is what this one takes")
    };
    // setup runs some trends many times: without phases only a step that fits into the iteration is known to be of the test
    absent.filter(fills).map(|trend| (trend, how())).collect()
}

/// The mean iteration, and what of it the charted steps leave; `None` when a step cannot be told from the whole.
fn left_by(block: &Block, charted: &BTreeSet<&str>) -> Option<(f64, f64)> {
    let iteration = mean(block, "iteration_duration")?;
    // a trend around the whole iteration is no step of it
    let steps = charted.iter().filter_map(|trend| mean(block, trend)).filter(|mean| *mean < iteration * WHOLE_SHARE);
    let steps: Vec<f64> = steps.collect();
    // nothing but the whole is charted: then the iteration may have a single step
    (!steps.is_empty()).then(|| (iteration, iteration - steps.iter().sum::<f64>()))
}

fn stat(block: &Block, trend: &str, stat: Stat) -> Option<f64> {
    match block.log.summary.as_ref()?.metrics.get(trend)? {
        Figures::Trend(line) => line.get(&stat)?.value,
        _ => None,
    }
}

fn mean(block: &Block, trend: &str) -> Option<f64> {
    stat(block, trend, Stat::Avg)
}

/// More than one sample: its extremes differ.
fn ran_often(block: &Block, trend: &str) -> bool {
    stat(block, trend, Stat::Min) != stat(block, trend, Stat::Max)
}
