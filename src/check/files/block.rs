use super::{Block, Judgement, Severity, Subject};
use crate::check::finding::{Claim, K6_OUTPUT};
use crate::model::{EndSummary, Figures, RunningLine};
use crate::notation::{count, duration, per_second};

/// A printed rate and the `running` line agree to this much: the line has a tenth of a second.
const RATE_SHARE: f64 = 0.0005;
const RATE_SECONDS: f64 = 0.2;

/// Lines of one block that contradict each other, and a block that is not whole.
///
/// What the recorded run itself says twice is a matter of its data, told when it was reduced, and none of the page's; nor
/// is a block that was computed from raw output which may be cut.
pub(super) fn judge(subject: &Subject, block: &Block) -> Vec<Judgement> {
    let Some(summary) = &block.log.summary else { return Vec::new() };
    if is_recorded(subject, block) || block.text.trim_start().starts_with("# recomputed") {
        return Vec::new();
    }
    let mut judgements = Vec::new();
    if let Some(running) = &block.log.running {
        judgements.extend(iterations(block, summary, running));
        judgements.extend(rate(block, summary, running));
        if block.log.ends.is_empty() {
            let how = "the scenario's line below it is missing: whether the run ended as planned is not shown";
            let claim = claim(block, "running", "whole k6 output");
            judgements.push(claim.contradicted(Severity::Note, "no `default ✓ …` line", "k6 output", how));
        }
    }
    judgements.extend(checks(block, summary));
    judgements.extend(requests(block, summary));
    judgements
}

fn is_recorded(subject: &Subject, block: &Block) -> bool {
    let recorded = subject.truth.evidence.k6.summary_text.as_ref().filter(|_| subject.truth.recorded.is_some());
    recorded.is_some_and(|text| text.split_whitespace().eq(block.text.split_whitespace()))
}

fn claim(block: &Block, word: &str, what: &str) -> Claim {
    let words = block.text_of(word).unwrap_or(word).split_whitespace().collect::<Vec<_>>().join(" ");
    Claim::at((block.line_of(word), column(block, word)), K6_OUTPUT, "block", what, words)
}

fn column(block: &Block, word: &str) -> u64 {
    let line = block.text.lines().find(|line| line.trim_start().starts_with(word)).unwrap_or_default();
    line.chars().take_while(|c| c.is_whitespace()).count() as u64 + 1
}

fn counter(summary: &EndSummary, name: &str) -> Option<(u64, Option<f64>)> {
    match summary.metrics.get(name)? {
        Figures::Counter { count, per_second } => {
            Some((count.value? as u64, per_second.as_ref().and_then(|p| p.value)))
        }
        _ => None,
    }
}

fn share(summary: &EndSummary, name: &str) -> Option<(u64, u64)> {
    match summary.metrics.get(name)? {
        Figures::Rate { nonzero, total, .. } => Some((*nonzero, *total)),
        _ => None,
    }
}

/// Compares two figures of the block: equal, or a warning, since either may be right.
fn compare(claim: Claim, same: bool, data: String, block: &Block, other: &str) -> Judgement {
    let source = format!("k6 output on line {}", block.line_of(other));
    // k6 counts an aborted run's last iterations in one place only
    let aborted = block.log.ends.iter().any(|end| end.ended_as_planned == Some(false));
    match same {
        true => claim.holds(data, &source, "the two lines agree"),
        false if aborted => {
            claim.contradicted(Severity::Note, data, &source, "two lines differ, as they do when a run is aborted")
        }
        false => claim.contradicted(Severity::Warning, data, &source, "two lines of one block differ"),
    }
}

fn iterations(block: &Block, summary: &EndSummary, running: &RunningLine) -> Option<Judgement> {
    let (complete, _) = counter(summary, "iterations")?;
    let data = format!("{} complete", count::write(running.complete));
    let claim = claim(block, "iterations", "complete iterations");
    Some(compare(claim, complete == running.complete, data, block, "running"))
}

fn rate(block: &Block, summary: &EndSummary, running: &RunningLine) -> Option<Judgement> {
    let (complete, rate) = counter(summary, "iterations")?;
    let rate = rate.filter(|rate| *rate > 0.0)?;
    let seconds = complete as f64 / rate;
    let data =
        format!("{} in {}", per_second::write(complete as f64 / running.seconds), duration::prose(running.seconds));
    let same = (seconds - running.seconds).abs() <= running.seconds * RATE_SHARE + RATE_SECONDS;
    Some(compare(claim(block, "iterations", "rate of iterations"), same, data, block, "running"))
}

/// Failures of the single checks add up to those of all.
fn checks(block: &Block, summary: &EndSummary) -> Option<Judgement> {
    let (failed, total) = share(summary, "checks_failed")
        .or_else(|| share(summary, "checks").map(|(passed, total)| (total.saturating_sub(passed), total)))?;
    let sum = summary.checks.iter().map(|check| check.fails).sum::<Option<u64>>()?;
    if summary.checks.is_empty() {
        return None;
    }
    let word = if summary.metrics.contains_key("checks_failed") { "checks_failed" } else { "checks" };
    let data = format!("{} by the single checks", count::write(sum));
    let claim = claim(block, word, &format!("failed checks of {}", count::write(total)));
    Some(compare(claim, sum == failed, data, block, "✗"))
}

/// Failed requests are counted out of all requests.
fn requests(block: &Block, summary: &EndSummary) -> Option<Judgement> {
    let (_, total) = share(summary, "http_req_failed")?;
    let (requests, _) = counter(summary, "http_reqs")?;
    let claim = claim(block, "http_req_failed", "all requests");
    Some(compare(claim, requests == total, count::write(requests), block, "http_reqs"))
}
