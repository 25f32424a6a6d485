//! Log entries as CSV: a download of the console's, or gcloud's `csv(...)` form.

use super::log_entries::Entry;
use crate::model::Time;

/// Columns of an entry: where each stands, by the last part of its name in any spelling (`httpRequest.status`, `text_payload`).
#[derive(Debug, Default)]
pub(super) struct Columns {
    time: usize,
    severity: Option<usize>,
    status: Option<usize>,
    text: Option<usize>,
    id: Option<usize>,
}

impl Columns {
    /// The columns of a header; `None` for one that is not of log entries.
    pub fn of(header: &[&str]) -> Option<Self> {
        let names: Vec<String> = header
            .iter()
            .map(|name| name.rsplit('.').next().unwrap_or(name).replace('_', "").to_ascii_lowercase())
            .collect();
        // raw k6 output has columns for time and status too
        if header.contains(&"metric_name") {
            return None;
        }
        let place = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let columns = Columns {
            time: place(&["timestamp"])?,
            severity: place(&["severity"]),
            status: place(&["status"]),
            text: place(&["textpayload", "message"]),
            id: place(&["insertid"]),
        };
        let says_something = columns.severity.or(columns.status).or(columns.text);
        says_something.map(|_| columns)
    }

    fn entry(&self, record: &csv::StringRecord) -> Option<Entry> {
        let cell = |at: Option<usize>| record.get(at?).map(str::to_owned).filter(|cell| !cell.is_empty());
        let severity = cell(self.severity).unwrap_or_default();
        Some(Entry {
            time: Time::parse_rfc3339(record.get(self.time)?.trim())?,
            text: cell(self.text).unwrap_or_default(),
            error: Entry::is_error(&severity),
            status: cell(self.status).and_then(|status| status.parse().ok()),
            id: cell(self.id),
        })
    }
}

/// The entries of a CSV, with the number of rows that are none; `None` for other text.
pub(super) fn read(document: &str) -> Option<(Vec<Entry>, u64)> {
    let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(document.as_bytes());
    let header = table.headers().ok()?.clone();
    let columns = Columns::of(&header.iter().collect::<Vec<_>>())?;
    let (mut entries, mut unreadable) = (Vec::new(), 0);
    for record in table.records() {
        match record.ok().and_then(|record| columns.entry(&record)) {
            Some(entry) => entries.push(entry),
            None => unreadable += 1,
        }
    }
    Some((entries, unreadable))
}
