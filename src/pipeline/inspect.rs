//! What is this file? Format, span, rows and problems.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::files::{InputFile, entries};
use super::run::{count, count_up_to_fault, summary_value};
use crate::ingest::detect::{FileKind, document};
use crate::ingest::monitoring::{self, MetricNames};
use crate::ingest::raw::Reading;
use crate::ingest::source::Meter;
use crate::ingest::{chart_rows, summary_json, terminal};
use crate::model::{Evidence, Fault, Layout, Result, SummaryOrigin, Time, Warning};

/// What was recognised about one file.
#[derive(Debug, Clone)]
pub struct Inspected {
    /// The file.
    pub path: PathBuf,
    /// What it is.
    pub kind: FileKind,
    /// Size as stored.
    pub bytes: u64,
    /// Rows, samples or lines, for kinds that have them.
    pub rows: Option<u64>,
    /// First and last moment it speaks of.
    pub span: Option<(Time, Time)>,
    /// More, as `key`, `value` for people: k6's version, layout, number of metrics.
    pub details: Vec<(&'static str, String)>,
    /// What is wrong with it, or why it is ignored.
    pub problems: Vec<String>,
}

/// Looks into every file of the given paths, folders with their sub-folders, in order of name. A file that cannot be
/// read is a problem of its own and does not stop the rest.
///
/// # Errors
///
/// Fails on a path that does not exist or a folder that cannot be listed.
pub fn inspect(paths: &[PathBuf], meter: &Meter) -> Result<Vec<Inspected>> {
    let mut files = Vec::new();
    for path in paths {
        gather(path, &mut files)?;
    }
    Ok(files.iter().map(|path| look(path, meter)).collect())
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.as_os_str() != "-" && path.is_dir() {
        let mut inside = entries(path)?;
        inside.sort();
        return inside.iter().try_for_each(|entry| gather(entry, files));
    }
    if path.as_os_str() != "-" {
        std::fs::metadata(path).map_err(|e| Fault::io(path, "read", e))?;
    }
    files.push(path.to_path_buf());
    Ok(())
}

fn look(path: &Path, meter: &Meter) -> Inspected {
    let mut found = Inspected {
        path: path.to_path_buf(),
        kind: FileKind::Ignored("unreadable".to_owned()),
        bytes: 0,
        rows: None,
        span: None,
        details: Vec::new(),
        problems: Vec::new(),
    };
    let outcome = InputFile::open(path, Path::new("")).and_then(|file| {
        found.kind = file.kind.clone();
        found.bytes = file.source.bytes;
        describe(&file, &mut found, meter)
    });
    if let Err(fault) = outcome {
        found.problems.push(fault.to_string());
    }
    found
}

fn describe(file: &InputFile, found: &mut Inspected, meter: &Meter) -> Result<()> {
    match &file.kind {
        FileKind::K6Csv | FileKind::K6Json => raw(file, found, meter),
        FileKind::Log => {
            let log = terminal::read(&document(&file.source)?);
            found.rows = Some(log.lines);
            let mut detail = |key, value: Option<String>| found.details.extend(value.map(|value| (key, value)));
            detail("k6", log.k6_version);
            detail("target", log.stamps.get("target").cloned());
            detail("layout", log.summary.as_ref().and_then(|s| layout(s.origin)).map(str::to_owned));
            detail("run", log.running.map(|line| line.text));
            if log.summary.is_none() {
                found.problems.push("no end-of-test summary: its figures will be computed from raw output".to_owned());
            }
            if log.several_runs {
                found.problems.push("more than one run: the last one is read".to_owned());
            }
            Ok(())
        }
        FileKind::Summary(_) => {
            let summary = summary_json::read(&summary_value(file)?, &file.source.path)?;
            found.details.push(("metrics", summary.metrics.len().to_string()));
            found.details.extend(summary.k6_version.map(|version| ("k6", version)));
            found.problems.extend(summary.secrets.iter().map(|path| format!("`{path}` looks like a secret")));
            Ok(())
        }
        FileKind::ChartRows => {
            let rows = chart_rows::read(&document(&file.source)?, &file.source.path)?;
            found.rows = Some(rows.len() as u64);
            let times = || rows.iter().map(|row| row.time);
            found.span = times().min().zip(times().max());
            Ok(())
        }
        FileKind::Evidence => {
            let read = serde_json::from_str::<Evidence>(&document(&file.source)?);
            match read {
                Ok(evidence) => {
                    found.span = evidence.window.map(|window| (window.start, window.end));
                    found.details.push(("target", evidence.target));
                }
                Err(e) => found.problems.push(format!("not readable by this version: {e}")),
            }
            Ok(())
        }
        FileKind::Monitoring(kind) => {
            // names of a project file are not known here
            let reading = monitoring::Reading { file: &file.relative, names: &MetricNames::default() };
            let export = monitoring::read(*kind, &document(&file.source)?, &reading);
            found.rows = Some(export.rows);
            found.span = export.span;
            let measures: BTreeSet<String> = export.series.iter().map(|series| series.measure.to_string()).collect();
            if !measures.is_empty() {
                found.details.push(("measures", measures.into_iter().collect::<Vec<_>>().join(", ")));
            }
            if !export.vacuums.is_empty() {
                found.details.push(("autovacuum runs", export.vacuums.len().to_string()));
            }
            let own = format!("{}: ", file.relative);
            let told = |problem: &Warning| problem.message.strip_prefix(&own).unwrap_or(&problem.message).to_owned();
            found.problems.extend(export.problems.iter().map(told));
            Ok(())
        }
        FileKind::Ignored(reason) => {
            found.problems.push(reason.clone());
            Ok(())
        }
    }
}

/// The layout's name as k6's `--summary-mode` has it; `None` for a summary that no terminal showed.
fn layout(origin: SummaryOrigin) -> Option<&'static str> {
    match origin {
        SummaryOrigin::Terminal(Layout::Legacy) => Some("legacy"),
        SummaryOrigin::Terminal(Layout::Compact) => Some("compact"),
        SummaryOrigin::Terminal(Layout::Full) => Some("full"),
        SummaryOrigin::Export | SummaryOrigin::HandleSummary | SummaryOrigin::MachineReadable => None,
    }
}

fn raw(file: &InputFile, found: &mut Inspected, meter: &Meter) -> Result<()> {
    let (census, outcome) = match count(file, Reading::default(), meter) {
        Ok((census, rows)) => (census, Ok(rows)),
        Err(_) => count_up_to_fault(file, meter),
    };
    found.span = census.span;
    found.details.push(("metrics", census.counts().len().to_string()));
    for (reason, (count, place)) in census.skipped {
        let line = place.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        found.problems.push(format!("{count} rows left out: {reason}{line}"));
    }
    found.problems.extend(census.truncated.iter().map(|what| (*what).to_owned()));
    found.rows = Some(outcome?);
    Ok(())
}
