//! Exports of monitoring systems: metrics, logs, and what collection scripts make of them.
//!
//! Each format is one file here and one arm of [`recognise_json`] or [`recognise_text`] and [`read`]. What a metric
//! measures stands in one table, [`MetricNames`]. A series of an unknown metric is listed and left out, never guessed.

mod autovacuum;
mod cloudwatch;
mod distribution;
mod explorer_csv;
mod json;
mod log_csv;
mod log_entries;
mod mql;
mod prom_range;
mod quantities;
mod series;
mod tables;
mod time_series_list;

pub use quantities::MetricNames;
pub use series::Reading;

use serde_json::Value;

use crate::model::{Export, Warning};

/// Every format.
const KINDS: [ExportKind; 11] = [
    ExportKind::TimeSeries,
    ExportKind::QueryLanguage,
    ExportKind::PromQl,
    ExportKind::CloudWatch,
    ExportKind::ExplorerCsv,
    ExportKind::MetricTable,
    ExportKind::NeutralTable,
    ExportKind::MetricSummary,
    ExportKind::AutovacuumTable,
    ExportKind::LogEntries,
    ExportKind::LogText,
];

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportKind {
    /// Cloud Monitoring's `timeSeries.list`, also several answers in a list.
    TimeSeries,
    /// Cloud Monitoring's `timeSeries:query`.
    QueryLanguage,
    /// A PromQL API's answer.
    PromQl,
    /// CloudWatch's `GetMetricData`.
    CloudWatch,
    /// A chart of Metrics Explorer as CSV.
    ExplorerCsv,
    /// `target,metric,timestamp,value`.
    MetricTable,
    /// `time,quantity,value`.
    NeutralTable,
    /// A script's summary of metrics as text, with medians that cannot be checked.
    MetricSummary,
    /// `target,timestamp,kind,elapsed_s`.
    AutovacuumTable,
    /// Log entries as JSON.
    LogEntries,
    /// Log entries as text.
    LogText,
}

impl ExportKind {
    /// True for the word of any export, as the sources of an evidence have it.
    pub fn is_word(word: &str) -> bool {
        KINDS.iter().any(|kind| kind.word() == word)
    }

    /// The word for it in `evidence.json` and `inspect`.
    pub fn word(self) -> &'static str {
        match self {
            ExportKind::TimeSeries => "cloud-time-series",
            ExportKind::QueryLanguage => "cloud-query-answer",
            ExportKind::PromQl => "promql-answer",
            ExportKind::CloudWatch => "cloudwatch-answer",
            ExportKind::ExplorerCsv => "metrics-explorer-csv",
            ExportKind::MetricTable => "metric-table",
            ExportKind::NeutralTable => "neutral-metric-table",
            ExportKind::MetricSummary => "metric-summary",
            ExportKind::AutovacuumTable => "autovacuum-table",
            ExportKind::LogEntries => "cloud-log",
            ExportKind::LogText => "cloud-log-text",
        }
    }
}

/// Recognises a JSON document.
pub fn recognise_json(value: &Value) -> Option<ExportKind> {
    let answers = |value: &Value| match value {
        Value::Array(answers) => {
            answers.iter().any(|a| a.get("timeSeries").is_some()) && answers.iter().all(time_series_list::is_answer)
        }
        answer => time_series_list::is_answer(answer),
    };
    if log_entries::is_entry(value) {
        Some(ExportKind::LogEntries)
    } else if prom_range::is_answer(value) || prom_range::unwrapped(value).is_some() {
        Some(ExportKind::PromQl)
    } else if mql::is_answer(value) {
        Some(ExportKind::QueryLanguage)
    } else if cloudwatch::is_answer(value) {
        Some(ExportKind::CloudWatch)
    } else if answers(value) {
        Some(ExportKind::TimeSeries)
    } else {
        None
    }
}

/// Recognises text that is no JSON document by its beginning.
pub fn recognise_text(head: &str) -> Option<ExportKind> {
    let first = head.lines().next().unwrap_or_default().trim_end();
    let header: Vec<&str> = first.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
    let has = |columns: &[&str]| columns.iter().all(|column| header.contains(column));
    if has(&tables::RAW_COLUMNS) {
        Some(ExportKind::MetricTable)
    } else if has(&tables::NEUTRAL_COLUMNS) {
        Some(ExportKind::NeutralTable)
    } else if has(&autovacuum::COLUMNS) {
        Some(ExportKind::AutovacuumTable)
    } else if header.first() == Some(&"TimeSeries ID") {
        Some(ExportKind::ExplorerCsv)
    } else if head.lines().any(|line| line.starts_with("== ") && line.contains(" -> ")) && head.contains("median=") {
        Some(ExportKind::MetricSummary)
    } else if log_csv::Columns::of(&header).is_some() || log_entries::is_text(head) {
        Some(ExportKind::LogText)
    } else if first.starts_with('{') && serde_json::from_str(first).is_ok_and(|line| log_entries::is_entry(&line)) {
        Some(ExportKind::LogEntries)
    } else {
        None
    }
}

/// True for log entries in a form that is not read, for the same command writes one that is.
pub fn is_yaml_log(head: &str) -> bool {
    log_entries::is_yaml(head)
}

/// Reads an export of this kind.
///
/// Nothing in it stops the work: what cannot be used is a problem that names the file and the series.
pub fn read(kind: ExportKind, document: &str, reading: &Reading<'_>) -> Export {
    match kind {
        ExportKind::ExplorerCsv => explorer_csv::read(document, reading),
        ExportKind::MetricTable | ExportKind::NeutralTable => tables::read(document, reading),
        ExportKind::AutovacuumTable => autovacuum::read_table(document, reading),
        ExportKind::LogEntries => log_entries::read_json(document, reading),
        ExportKind::LogText => log_entries::read_text(document, reading),
        ExportKind::MetricSummary => summary(document, reading),
        ExportKind::TimeSeries | ExportKind::QueryLanguage | ExportKind::PromQl | ExportKind::CloudWatch => {
            match serde_json::from_str(document) {
                Ok(value) => match kind {
                    ExportKind::QueryLanguage => mql::read(&value, reading),
                    ExportKind::PromQl => prom_range::read(&prom_range::unwrapped(&value).unwrap_or(value), reading),
                    ExportKind::CloudWatch => cloudwatch::read(&value, reading),
                    _ => time_series_list::read(&value, reading),
                },
                Err(e) => problem(reading.problem("cloud-unreadable", format!("expected JSON: {e}"))),
            }
        }
    }
}

/// A summary's medians are of all points, the one before the test included: only its failed queries are told.
fn summary(document: &str, reading: &Reading<'_>) -> Export {
    let mut export = problem(reading.problem(
        "cloud-unusable",
        "a summary of metrics whose medians include points before the test: left out; export the points instead",
    ));
    for line in document.lines() {
        if let Some((label, _)) = line.split_once("ERROR:") {
            let message = format!("`{}`: the query failed", label.trim());
            export.problems.push(reading.problem("cloud-query-failed", message));
        }
    }
    export.rows = document.lines().count() as u64;
    export
}

fn problem(problem: Warning) -> Export {
    Export { problems: vec![problem], ..Export::default() }
}
