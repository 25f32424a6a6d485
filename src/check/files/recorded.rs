use std::collections::BTreeMap;

use super::{Block, Judgement, Severity, Subject};
use crate::check::finding::{Claim, K6_OUTPUT};

/// The block against the one recorded with the run, line by line. A page may leave lines out; it may not change them.
pub(super) fn judge(subject: &Subject, block: &Block) -> Vec<Judgement> {
    let Some(source) = &subject.truth.recorded else { return Vec::new() };
    let Some(recorded) = &subject.truth.evidence.k6.summary_text else { return Vec::new() };
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in recorded.lines() {
        by_name.entry(name(line)).or_default().push(plain(line));
    }
    let mut judgements = Vec::new();
    for (offset, line) in block.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let stated = plain(line);
        let column = line.chars().take_while(|c| c.is_whitespace()).count() as u64 + 1;
        let place = (block.line + offset as u64, column);
        let claim = Claim::at(place, K6_OUTPUT, "block-recorded", "as k6 printed it", line.trim());
        match by_name.get(&name(line)) {
            Some(lines) if lines.contains(&stated) => {}
            Some(lines) => {
                let data = lines.first().cloned().unwrap_or_default();
                judgements.push(claim.contradicted(
                    Severity::Error,
                    data,
                    source,
                    "the recorded k6 output reads otherwise",
                ));
            }
            None => {}
        }
    }
    judgements
}

/// What a line is about: its words before the figures.
fn name(line: &str) -> String {
    let line = plain(line);
    // the counts below a check carry no name of their own
    if line.starts_with('↳') {
        return "↳".to_owned();
    }
    line.split([':', '(']).next().unwrap_or_default().trim_end_matches('.').trim().to_owned()
}

/// Without repeated spaces and dots, which editors change.
fn plain(line: &str) -> String {
    let mut text = line.split_whitespace().collect::<Vec<_>>().join(" ");
    while text.contains("..") {
        text = text.replace("..", ".");
    }
    text
}
