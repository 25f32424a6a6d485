//! The terminal output of `k6 run`, as `2>&1 | tee` leaves it: banner, progress, log lines, summary, stamps.
//!
//! Reads every layout from v0.27 on, with or without colours and redraws, and equally the `k6 output` block of a published
//! page, whose indentation and runs of spaces may be lost. Indentation therefore carries no meaning but for nested groups.

mod clean;
mod declared;
mod failures;
mod figures;
mod frame;
mod line;
mod log_line;
mod region;
mod summary;

pub use declared::declarations;

use indexmap::IndexMap;

use crate::model::TerminalLog;
use failures::LogTally;
use line::Line;
use region::Region;

/// Reads a terminal log. Never fails: what the log does not have stays absent.
///
/// With output of several runs in one log, the last one counts and [`TerminalLog::several_runs`] is set. Only k6's version is
/// looked for in the whole log, because it is printed before a run begins.
pub fn read(text: &str) -> TerminalLog {
    let text = clean::plain_text(text);
    let all = line::classify(&text);
    let run = region::last_run(&all);
    let region = Region::find(run.lines);
    let (summary, thresholds) = region.as_ref().map(|region| summary::read(run.lines, region)).unzip();
    let mut log = TerminalLog {
        summary_text: region.as_ref().map(|region| region.excerpt(run.lines)),
        summary,
        thresholds: thresholds.unwrap_or_default(),
        several_runs: run.several || region.is_some_and(|region| region.repeated),
        k6_version: all.iter().rev().find_map(|line| frame::version_output(line.text)),
        lines: text.lines().count() as u64,
        ..TerminalLog::default()
    };
    read_frame(run.lines, &mut log);
    log
}

/// True when the beginning of a text is that of a k6 terminal log (or a page's k6 block): for recognition by content.
pub fn looks_like(text_start: &str) -> bool {
    let text = clean::plain_text(text_start);
    line::classify(&text).iter().any(|line| match line.kind {
        line::Kind::Running | line::Kind::Description => true,
        line::Kind::Stamps => frame::stamps(line.text).iter().any(|(key, _)| *key == "start_utc" || *key == "end_utc"),
        line::Kind::Content => {
            region::is_total_heading(line.text)
                || region::is_builtin_metric(line.text)
                || frame::version_output(line.text).is_some()
        }
        _ => false,
    })
}

/// Everything but the summary: announcements, progress, stamps, log lines.
fn read_frame(lines: &[Line<'_>], log: &mut TerminalLog) {
    let mut ends = IndexMap::new();
    let mut tally = LogTally::default();
    for line in lines {
        match line.kind {
            line::Kind::Running => log.running = frame::running(line.text).or(log.running.take()),
            line::Kind::Description => log.scenarios.extend(frame::announcement(line.text)),
            line::Kind::Progress => {
                if let Some(end) = frame::scenario_end(line.text) {
                    ends.insert(end.name.clone(), end);
                }
            }
            line::Kind::Stamps => {
                let stamps = frame::stamps(line.text).into_iter();
                log.stamps.extend(stamps.map(|(key, value)| (key.to_owned(), value.to_owned())));
            }
            _ => {}
        }
        if let Some(entry) = &line.log {
            tally.add(entry);
        }
    }
    log.ends = ends.into_values().collect();
    (log.failures, log.exceptions) = tally.finish();
    if log.k6_version.is_none() {
        let stamp = log.stamps.get("k6_version").or_else(|| log.stamps.get("k6"));
        log.k6_version = stamp.map(|version| format!("v{}", version.trim_start_matches('v')));
    }
}

#[cfg(test)]
mod tests;
