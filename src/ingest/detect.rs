//! What a file is, by its content; its name never counts.

use std::io::Read;

use serde_json::Value;

use super::monitoring::{self, ExportKind};
use super::source::{Meter, Source};
use super::{k6_csv, k6_json, summary_json, terminal};
use crate::model::{EVIDENCE_SCHEMA, Fault, Place, Result, SummaryOrigin};

/// How much of a file is looked at before it is read.
const HEAD: usize = 64 << 10;

/// What a file was recognised as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileKind {
    /// `k6 run --out csv=FILE`.
    K6Csv,
    /// `k6 run --out json=FILE`.
    K6Json,
    /// Terminal output of a run, or stamps around it.
    Log,
    /// A machine-readable end-of-test summary.
    Summary(SummaryOrigin),
    /// Per-second rows of a page's chart.
    ChartRows,
    /// Evidence from an earlier run of sweepdoc.
    Evidence,
    /// An export of a monitoring system.
    Monitoring(ExportKind),
    /// Nothing this version reads, and why.
    Ignored(String),
}

impl FileKind {
    /// The word for it in `evidence.json` and `inspect`.
    pub fn word(&self) -> &'static str {
        match self {
            FileKind::K6Csv => "k6-csv",
            FileKind::K6Json => "k6-json",
            FileKind::Log => "log",
            FileKind::Summary(SummaryOrigin::Export) => "summary-export",
            FileKind::Summary(SummaryOrigin::HandleSummary) => "handle-summary",
            FileKind::Summary(SummaryOrigin::MachineReadable) => "machine-readable-summary",
            FileKind::Summary(SummaryOrigin::Terminal(_)) => "log",
            FileKind::ChartRows => "chart-rows",
            FileKind::Evidence => "evidence",
            FileKind::Monitoring(kind) => kind.word(),
            FileKind::Ignored(_) => "ignored",
        }
    }
}

/// Recognises a file by its content.
///
/// # Errors
///
/// Fails when the file cannot be read or decompressed. A file of an unknown kind is no error.
pub fn recognise(source: &Source) -> Result<FileKind> {
    let ignored = |why: &str| Ok(FileKind::Ignored(why.to_owned()));
    if source.bytes == 0 {
        return ignored("empty file");
    }
    let head = head(source)?;
    let text = String::from_utf8_lossy(&head);
    if text.trim().is_empty() {
        return ignored("nothing but white space");
    }
    let first_line = text.lines().next().unwrap_or_default();
    if k6_csv::is_header(&first_line.replace(';', ",")) {
        return Ok(FileKind::K6Csv);
    }
    if let Some(kind) = monitoring::recognise_text(&text).filter(|_| !head.contains(&0)) {
        return Ok(FileKind::Monitoring(kind));
    }
    if monitoring::is_yaml_log(&text) {
        return ignored("log entries as YAML: export them with `--format=json`");
    }
    match text.trim_start().as_bytes().first() {
        Some(b'{') if k6_json::is_line(first_line.trim().as_bytes()) => Ok(FileKind::K6Json),
        Some(b'{' | b'[') => json(source, &text),
        _ if head.contains(&0) => ignored("binary file"),
        _ if terminal::looks_like(&text) => Ok(FileKind::Log),
        // a long launch script's echo can come before k6 says anything
        _ if head.len() == HEAD && terminal::looks_like(&document(source)?) => Ok(FileKind::Log),
        _ => ignored("text without any line of k6's terminal output"),
    }
}

/// The whole of a small file as text; bytes that are no UTF-8 are replaced.
///
/// # Errors
///
/// Fails when it cannot be read or is larger than a log may be.
pub fn document(source: &Source) -> Result<String> {
    Ok(String::from_utf8_lossy(&source.read_document(&Meter::default())?).into_owned())
}

fn head(source: &Source) -> Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    let content = source.open(&Meter::default())?;
    content.take(HEAD as u64).read_to_end(&mut head).map_err(|e| Fault::io(&source.path, "read", e))?;
    Ok(head)
}

fn json(source: &Source, head: &str) -> Result<FileKind> {
    // a log may begin with a JSON log line (`--log-format json`), and a launcher may echo brackets
    if head.trim_start().starts_with('[') && !head.contains("\"metric_name\"") && terminal::looks_like(head) {
        return Ok(FileKind::Log);
    }
    let text = document(source)?;
    let value: Value = match serde_json::from_str(&text) {
        Ok(value) => value,
        Err(_) if terminal::looks_like(&text) => return Ok(FileKind::Log),
        // its own reader says which line is broken
        Err(_) if head.contains("\"Point\"") => return Ok(FileKind::K6Json),
        Err(e) if head.contains("\"metric_name\"") => {
            let message = e.to_string();
            let reason = message.split(" at line ").next().unwrap_or_default().to_owned();
            return Err(Fault::at(
                Place::file(&source.path).line(e.line() as u64),
                format!("expected JSON, found: {reason}"),
            ));
        }
        Err(_) => return Ok(FileKind::Ignored("JSON that does not parse".to_owned())),
    };
    Ok(shape(&value))
}

fn shape(value: &Value) -> FileKind {
    let is_chart_row = |row: &Value| row.get("metric_name").is_some() && row.get("timestamp").is_some();
    match value {
        Value::Array(rows) if rows.iter().all(is_chart_row) => FileKind::ChartRows,
        Value::Object(fields) if fields.get("schema").and_then(Value::as_str) == Some(EVIDENCE_SCHEMA) => {
            FileKind::Evidence
        }
        _ => match summary_json::recognise(value) {
            Some(origin) => FileKind::Summary(origin),
            None => match monitoring::recognise_json(value) {
                Some(kind) => FileKind::Monitoring(kind),
                None => FileKind::Ignored("JSON of no known shape".to_owned()),
            },
        },
    }
}
