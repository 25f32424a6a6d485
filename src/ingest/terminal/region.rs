use std::ops::Range;

use super::line::{Kind, Line};
use super::{figures, frame};

/// The lines of the last run in a log.
pub(super) struct Run<'l, 'a> {
    pub lines: &'l [Line<'a>],
    /// True when there were others before it.
    pub several: bool,
}

/// Cuts a log where a run begins: at a start stamp, at k6's description, at a second summary.
pub(super) fn last_run<'l, 'a>(lines: &'l [Line<'a>]) -> Run<'l, 'a> {
    let (mut start, mut several) = (0, false);
    // what the current run has shown so far
    let (mut described, mut totalled, mut alive) = (false, false, false);
    for (i, line) in lines.iter().enumerate() {
        let begins = match line.kind {
            Kind::Stamps => alive && frame::stamps(line.text).iter().any(|(key, _)| *key == "start_utc"),
            Kind::Description => frame::is_run_start(line.text) && (described || totalled),
            Kind::Content => totalled && (is_thresholds_heading(line.text) || is_total_heading(line.text)),
            _ => false,
        };
        if begins {
            (start, several) = (i, true);
            (described, totalled, alive) = (false, false, false);
        }
        described |= line.kind == Kind::Description && frame::is_run_start(line.text);
        totalled |= line.kind == Kind::Content && is_total_heading(line.text);
        alive |= described || totalled || line.kind == Kind::Running;
    }
    Run { lines: lines.get(start..).unwrap_or_default(), several }
}

/// Where in a run's lines its summary stands.
#[derive(Debug)]
pub(super) struct Region {
    /// From the first heading, or in the legacy layout the first check or metric, to the last line of the summary.
    pub all: Range<usize>,
    /// The lines between `█ THRESHOLDS` and `█ TOTAL RESULTS`; empty in the legacy layout.
    pub thresholds: Range<usize>,
    /// The whole run's checks and metrics: up to the first heading after `█ TOTAL RESULTS`.
    pub totals: Range<usize>,
    /// The legacy layout's list of metrics; empty in all others.
    pub legacy_metrics: Range<usize>,
    /// True when a second legacy summary, which no heading announces, stands before it.
    pub repeated: bool,
}

impl Region {
    /// Finds the summary; `None` when k6 printed none.
    pub fn find(lines: &[Line<'_>]) -> Option<Self> {
        Self::sectioned(lines).or_else(|| Self::legacy(lines))
    }

    fn sectioned(lines: &[Line<'_>]) -> Option<Self> {
        let heading = |line: &Line<'_>, is: fn(&str) -> bool| line.kind == Kind::Content && is(line.text);
        let total = lines.iter().rposition(|line| heading(line, is_total_heading))?;
        let before = lines.get(..total)?;
        let first = before.iter().rposition(|line| heading(line, is_thresholds_heading));
        let after = lines.get(total + 1..)?;
        let frame = after.iter().position(|line| !matches!(line.kind, Kind::Content | Kind::Blank | Kind::Log));
        let after = after.get(..frame.unwrap_or(after.len()))?;
        // what a calling script wrote behind the summary is not part of it
        let length = after
            .iter()
            .rposition(|line| line.kind == Kind::Content && is_summary_line(line.text))
            .map_or(0, |i| i + 1);
        let totals = after.iter().take(length).position(|line| heading(line, is_heading)).unwrap_or(length);
        Some(Region {
            all: first.unwrap_or(total)..total + 1 + length,
            thresholds: first.map_or(total, |first| first + 1)..total,
            totals: total + 1..total + 1 + totals,
            legacy_metrics: 0..0,
            repeated: false,
        })
    }

    fn legacy(lines: &[Line<'_>]) -> Option<Self> {
        let mut lists = paragraphs(lines).into_iter().filter(|range| {
            let list = lines.get(range.clone()).unwrap_or_default();
            list.iter().any(|line| line.kind == Kind::Content && is_builtin_metric(line.text))
        });
        let mut metrics = lists.next_back()?;
        let repeated = lists.next_back().is_some();
        // whatever stands in the paragraph before its first metric is an echo, behind its last one too
        let is_metric =
            |i: &usize| lines.get(*i).is_some_and(|line| line.kind == Kind::Content && is_metric_line(line.text));
        metrics = metrics.clone().find(is_metric)?..metrics.rev().find(is_metric)? + 1;
        let tree = lines.get(..metrics.start)?.iter().rev().take_while(|line| match line.kind {
            Kind::Blank | Kind::Log => true,
            Kind::Content => is_check_line(line.text) || is_heading(line.text),
            _ => false,
        });
        let above =
            tree.enumerate().filter(|(_, line)| line.kind == Kind::Content).map(|(i, _)| i + 1).last().unwrap_or(0);
        let first = metrics.start - above;
        let all = first..metrics.end;
        Some(Region { totals: all.clone(), all, thresholds: 0..0, legacy_metrics: metrics, repeated })
    }

    /// The summary as a page holds it: its lines and the last progress after it, without log lines and trailing space, runs
    /// of blank lines as one.
    pub fn excerpt(&self, lines: &[Line<'_>]) -> String {
        let summary = lines.get(self.all.clone()).unwrap_or_default();
        let summary = summary.iter().filter(|line| line.kind != Kind::Log).map(|line| line.text);
        let after = lines.get(self.all.end..).unwrap_or_default();
        let progress = last_progress(after);
        let separator = (!progress.is_empty()).then_some("");
        let mut text = String::new();
        let mut blank = false;
        for line in summary.chain(separator).chain(progress) {
            if line.is_empty() {
                blank = true;
                continue;
            }
            if !text.is_empty() {
                text.push_str(if blank { "\n\n" } else { "\n" });
            }
            text.push_str(line);
            blank = false;
        }
        text
    }
}

/// The last `running` line with the scenarios below it; when setup failed, the stage in its place.
fn last_progress<'a>(lines: &[Line<'a>]) -> Vec<&'a str> {
    let head = lines.iter().rposition(|line| matches!(line.kind, Kind::Running | Kind::Stage)).unwrap_or(0);
    let block = lines.get(head..).unwrap_or_default();
    let of_progress = |line: &&Line<'_>| matches!(line.kind, Kind::Running | Kind::Stage | Kind::Progress);
    block.iter().filter(of_progress).map(|line| line.text).collect()
}

/// Runs of lines without a blank one; log lines may stand within.
fn paragraphs(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (i, line) in lines.iter().enumerate() {
        match (line.kind, found.last_mut()) {
            (Kind::Content, Some(last)) if open => last.end = i + 1,
            (Kind::Content, _) => {
                found.push(i..i + 1);
                open = true;
            }
            (Kind::Log, _) => {}
            _ => open = false,
        }
    }
    found
}

/// The text of a heading, `█ GROUP: users` and in the legacy layout `█ users`; `None` for any other line.
pub(super) fn heading(text: &str) -> Option<&str> {
    let text = text.trim();
    if let Some(title) = text.strip_prefix(['█', '■']) {
        return Some(title.trim());
    }
    // the block may be lost in a code page, where only the known headings can be told from a check
    let title = text.trim_start_matches(['?', '\u{fffd}']).trim();
    let known = matches!(title, "THRESHOLDS" | "TOTAL RESULTS")
        || title.starts_with("GROUP: ")
        || title.starts_with("SCENARIO: ");
    known.then_some(title)
}

fn is_heading(text: &str) -> bool {
    heading(text).is_some()
}

/// True for `█ TOTAL RESULTS`.
pub(super) fn is_total_heading(text: &str) -> bool {
    heading(text) == Some("TOTAL RESULTS")
}

fn is_thresholds_heading(text: &str) -> bool {
    heading(text) == Some("THRESHOLDS")
}

fn is_check_line(text: &str) -> bool {
    figures::mark(text).is_some() || figures::check_counts(text).is_some()
}

/// True for a metric's line, in the legacy layout with a mark before it when it has thresholds.
fn is_metric_line(text: &str) -> bool {
    let bare = figures::mark(text).map_or(text, |(_, rest)| rest);
    figures::metric(bare).is_some()
}

/// True for any line a sectioned summary is made of.
fn is_summary_line(text: &str) -> bool {
    is_heading(text) || is_check_line(text) || is_metric_line(text) || text.contains("↳")
}

/// True for the line of a metric that nearly every run prints: how a list without headings is told from other text.
pub(super) fn is_builtin_metric(text: &str) -> bool {
    const BUILTIN: [&str; 9] = [
        "checks",
        "data_received",
        "data_sent",
        "http_req_duration",
        "http_req_failed",
        "http_reqs",
        "iteration_duration",
        "iterations",
        "vus_max",
    ];
    matches!(figures::metric(text), Some((figures::Name::Metric(name), _)) if BUILTIN.contains(&name))
}
