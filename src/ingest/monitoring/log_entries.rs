//! Exports of Cloud Logging: entries as JSON, one a line or in a list, and gcloud's `value` and `table` forms.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::autovacuum;
use super::json::{field, text, time};
use super::log_csv;
use super::series::Reading;
use crate::model::{Export, LogEvent, LogExport, LogReport, Time};

/// Numbers people give as a limit: exactly so many entries means at least so many.
const LIMITS: [usize; 12] = [50, 100, 200, 250, 300, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000];

static ACQUIRED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"process \d+ acquired \w+ on advisory lock \[").expect("a constant"));

/// An entry with what matters of it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub time: Time,
    pub text: String,
    pub error: bool,
    pub status: Option<u16>,
    pub id: Option<String>,
}

impl Entry {
    /// True for a severity of error and above.
    pub fn is_error(severity: &str) -> bool {
        matches!(severity, "ERROR" | "CRITICAL" | "ALERT" | "EMERGENCY")
    }
}

/// True for an entry, or a list of them.
pub(super) fn is_entry(value: &Value) -> bool {
    let one = |entry: &Value| field(entry, "timestamp").is_some() && field(entry, "logName").is_some();
    match value {
        Value::Array(entries) => !entries.is_empty() && entries.iter().all(one),
        entry => one(entry),
    }
}

/// Reads a list of entries, or one a line.
pub(super) fn read_json(document: &str, reading: &Reading<'_>) -> Export {
    let mut export = Export::default();
    let values: Vec<Option<Value>> = match serde_json::from_str::<Value>(document) {
        Ok(Value::Array(entries)) => entries.into_iter().map(Some).collect(),
        Ok(entry) => vec![Some(entry)],
        Err(_) => {
            let lines = document.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| serde_json::from_str(line).ok()).collect()
        }
    };
    let all = values.len();
    let entries: Vec<Entry> = values.iter().flatten().filter_map(entry).collect();
    if entries.len() < all {
        let message = format!("{} entries cannot be read: left out", all - entries.len());
        export.problems.push(reading.problem("cloud-unreadable", message));
    }
    told(entries, reading, export)
}

fn entry(value: &Value) -> Option<Entry> {
    let severity = text(value, "severity").unwrap_or("DEFAULT");
    let request = field(value, "httpRequest");
    let payload = text(value, "textPayload").map(str::to_owned).or_else(|| {
        let payload = field(value, "jsonPayload")?;
        Some(text(payload, "message").unwrap_or_default().to_owned())
    });
    Some(Entry {
        time: time(field(value, "timestamp")?)?,
        text: payload.unwrap_or_default(),
        error: Entry::is_error(severity),
        status: request.and_then(|request| field(request, "status")?.as_u64()?.try_into().ok()),
        id: text(value, "insertId").map(str::to_owned),
    })
}

/// True for text whose lines begin with a time and a tab, or a table with a column `TIMESTAMP`.
pub(super) fn is_text(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else { return false };
    let is_table = first.split_whitespace().next() == Some("TIMESTAMP");
    let stamped = |line: &str| leading_time(line).is_some();
    if is_table { lines.next().is_some_and(stamped) } else { first.contains('\t') && stamped(first) }
}

/// True for what gcloud writes with `--format=yaml`: fields at the begin of lines, entries between `---`.
pub(super) fn is_yaml(head: &str) -> bool {
    let has = |field: &str| head.lines().any(|line| line.starts_with(field));
    let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    (first.trim_end() == "---" || first.starts_with("insertId:")) && has("logName:") && has("timestamp:")
}

fn leading_time(line: &str) -> Option<Time> {
    Time::parse_rfc3339(line.split(['\t', ' ']).next()?)
}

/// Reads CSV, or gcloud's `value` or `table` form: there an entry begins with a time, other lines go on with the one before.
pub(super) fn read_text(document: &str, reading: &Reading<'_>) -> Export {
    if let Some((entries, unreadable)) = log_csv::read(document) {
        let mut export = Export::default();
        if unreadable > 0 {
            let message = format!("{unreadable} rows cannot be read: left out");
            export.problems.push(reading.problem("cloud-unreadable", message));
        }
        return told(entries, reading, export);
    }
    let mut entries: Vec<Entry> = Vec::new();
    let header = document.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let table = Table::of(header);
    for line in document.lines() {
        match (leading_time(line), entries.last_mut()) {
            (Some(time), _) => {
                let text = line.split_once(['\t', ' ']).map_or("", |(_, rest)| rest).to_owned();
                let (error, status) = match &table {
                    Some(table) => (table.is_error(line), table.status(line)),
                    None => (line.split('\t').any(Entry::is_error), None),
                };
                entries.push(Entry { time, text, error, status, id: None });
            }
            (None, Some(last)) => {
                last.text.push('\n');
                last.text.push_str(line);
            }
            (None, None) => {}
        }
    }
    told(entries, reading, Export::default())
}

/// The columns of gcloud's `table` form: each cell begins below the first letter of its name, for they are padded with blanks
/// and may be empty.
struct Table {
    severity: Option<usize>,
    status: Option<usize>,
}

impl Table {
    /// The columns of a header; `None` for a line that is none.
    fn of(header: &str) -> Option<Self> {
        let mut at = 0;
        let column = |name| {
            let begin = at;
            at += str::chars(name).count() + 1;
            (name, begin)
        };
        let columns: Vec<(&str, usize)> = header.split(' ').map(column).collect();
        let place = |wanted: &str| columns.iter().find(|(name, _)| *name == wanted).map(|(_, begin)| *begin);
        place("TIMESTAMP").map(|_| Table { severity: place("SEVERITY"), status: place("STATUS") })
    }

    fn cell(line: &str, column: Option<usize>) -> Option<&str> {
        let (from, _) = line.char_indices().nth(column?)?;
        // an empty one begins with a blank
        line.get(from..)?.split(' ').next().filter(|cell| !cell.is_empty())
    }

    fn is_error(&self, line: &str) -> bool {
        Table::cell(line, self.severity).is_some_and(Entry::is_error)
    }

    fn status(&self, line: &str) -> Option<u16> {
        Table::cell(line, self.status)?.parse().ok()
    }
}

/// What the entries report.
fn told(mut entries: Vec<Entry>, reading: &Reading<'_>, mut export: Export) -> Export {
    let all = entries.len();
    let at_limit = LIMITS.contains(&all);
    entries.sort_by(|a, b| a.time.cmp(&b.time).then_with(|| a.id.cmp(&b.id)));
    entries.dedup_by(|a, b| a.id.is_some() && a.id == b.id && a.time == b.time);
    if at_limit {
        // which end was cut depends on the order that was asked for
        let message = format!("exactly {all} entries: cut at a limit, others may be missing");
        export.problems.push(reading.problem("cloud-incomplete", message));
    }
    export.rows = entries.len() as u64;
    export.span = entries.first().zip(entries.last()).map(|(first, last)| (first.time, last.time));
    let entries = autovacuum::joined(entries);
    export.vacuums = entries.iter().filter_map(autovacuum::run).collect();
    let event = |entry: &Entry| LogEvent { time: entry.time, id: entry.id.clone(), report: report(entry) };
    let events = entries.iter().map(event).collect();
    export.log = Some(LogExport { file: reading.file.to_owned(), entries: events, at_limit });
    export
}

fn report(entry: &Entry) -> LogReport {
    if let Some(status) = entry.status {
        LogReport::Request(status)
    } else if entry.text.contains("Starting new instance") {
        LogReport::Startup
    } else if entry.error {
        LogReport::Error
    } else if ACQUIRED.is_match(&entry.text) {
        LogReport::AdvisoryLockAcquired
    } else {
        LogReport::Other
    }
}
