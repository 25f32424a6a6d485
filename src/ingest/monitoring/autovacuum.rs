//! Autovacuum runs: the server's log lines in every wording, and a script's table of them.

use std::sync::LazyLock;

use regex::Regex;

use super::log_entries::Entry;
use super::series::Reading;
use crate::model::{Export, Time, VacuumKind, VacuumRun};

/// Columns of the table.
pub(super) const COLUMNS: [&str; 4] = ["target", "timestamp", "kind", "elapsed_s"];

/// The first words of every form, the aggressive and the wraparound one included.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"automatic (?:aggressive )?(vacuum|analyze)(?: to prevent wraparound)? of table "([^"]+)""#)
        .expect("a constant")
});
/// `elapsed: 9.66 s`, and `elapsed 9.66 sec` up to version 9.6.
static ELAPSED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"elapsed:? ([0-9.]+) s(?:ec)?\b").expect("a constant"));

/// What the server writes before the first line of each message. In text without quoting the tab before it may also be that
/// of an empty column.
static FIRST_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:LOG|ERROR|FATAL|PANIC|WARNING|NOTICE|DETAIL|STATEMENT):  ?\S").expect("a constant")
});

/// Gives lines that were logged as entries of their own back to the entry they belong to: those begin with a tab.
pub(super) fn joined(entries: Vec<Entry>) -> Vec<Entry> {
    let mut whole: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match whole.last_mut().filter(|_| entry.text.starts_with('\t') && !FIRST_LINE.is_match(&entry.text)) {
            Some(headed) => {
                headed.text.push('\n');
                headed.text.push_str(&entry.text);
            }
            None => whole.push(entry),
        }
    }
    whole
}

/// The run an entry reports.
pub(super) fn run(entry: &Entry) -> Option<VacuumRun> {
    let opening = OPENING.captures(&entry.text)?;
    let after = entry.text.get(opening.get(0)?.end()..)?;
    let elapsed = ELAPSED.captures(after).and_then(|found| found.get(1)?.as_str().parse().ok());
    Some(VacuumRun {
        end: entry.time,
        elapsed_seconds: elapsed,
        kind: if opening.get(1)?.as_str() == "vacuum" { VacuumKind::Vacuum } else { VacuumKind::Analyze },
        table: opening.get(2).map(|table| table.as_str().to_owned()),
        target: None,
    })
}

/// Reads `target,timestamp,kind,elapsed_s`; an empty duration is not known, which is not zero.
pub(super) fn read_table(text: &str, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    let mut unreadable = 0u64;
    let mut table = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    for record in table.records() {
        match record.ok().as_ref().and_then(row) {
            Some(run) => {
                export.count(run.end);
                export.vacuums.push(run);
            }
            None => unreadable += 1,
        }
    }
    if unreadable > 0 {
        export
            .problems
            .push(reading.problem("cloud-unreadable", format!("{unreadable} rows cannot be read: left out")));
    }
    export
}

fn row(record: &csv::StringRecord) -> Option<VacuumRun> {
    let elapsed = match record.get(3).unwrap_or_default() {
        "" => None,
        seconds => Some(seconds.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0)?),
    };
    let kind = match record.get(2)? {
        "vacuum" => VacuumKind::Vacuum,
        "analyze" => VacuumKind::Analyze,
        _ => return None,
    };
    let target = record.get(0).map(str::to_owned).filter(|target| !target.is_empty());
    Some(VacuumRun { end: Time::parse_rfc3339(record.get(1)?)?, elapsed_seconds: elapsed, kind, table: None, target })
}
