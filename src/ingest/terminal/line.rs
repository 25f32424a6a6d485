use super::log_line::{self, LogLine};
use super::{figures, frame};

/// One line of a log with what it is.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// Without trailing space.
    pub text: &'a str,
    pub kind: Kind,
    /// The entry, for the first line of a [`Kind::Log`].
    pub log: Option<LogLine>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    /// A log entry, or a further line of its stack trace.
    Log,
    /// `running (…)` or `paused (…)`.
    Running,
    /// `Run [ 100% ] setup()`: no scenario's progress.
    Stage,
    /// A scenario's progress.
    Progress,
    /// `execution: local`, `scenarios: (100.00%) …`, `* default: …`.
    Description,
    /// `key=value` written by whatever started k6.
    Stamps,
    /// Everything else: banner, summary, echoes.
    Content,
}

/// Tells what each line is. A summary's lines are [`Kind::Content`]: only their neighbours tell more.
pub(super) fn classify(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    // the entry whose stack trace may go on
    let mut open_entry = None;
    for text in text.lines().map(str::trim_end) {
        let entry = open_entry.and_then(|i: usize| lines.get_mut(i)?.log.as_mut());
        if let (Some(entry), true) = (entry, log_line::is_stack_frame(text)) {
            entry.take_fields_of_stack_frame(text);
            lines.push(Line { text, kind: Kind::Log, log: None });
            continue;
        }
        let log = log_line::parse(text.trim_start());
        let kind = if log.is_some() { Kind::Log } else { kind_of(text.trim_start()) };
        open_entry = log.is_some().then_some(lines.len());
        lines.push(Line { text, kind, log });
    }
    lines
}

fn kind_of(text: &str) -> Kind {
    if text.is_empty() {
        Kind::Blank
    } else if figures::mark(text).is_some() {
        // before everything else: a check may be called anything
        Kind::Content
    } else if frame::running(text).is_some() {
        Kind::Running
    } else if frame::is_stage(text) {
        Kind::Stage
    } else if frame::scenario_end(text).is_some() {
        Kind::Progress
    } else if frame::is_description(text) {
        Kind::Description
    } else if !frame::stamps(text).is_empty() {
        Kind::Stamps
    } else {
        Kind::Content
    }
}
