//! One run: its files in, its evidence and chart rows out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::census::Census;
use super::exports;
use super::files::{InputFile, RunFiles};
use super::logs::{self, RunLog};
use super::settings::Settings;
use crate::config::safe_name;
use crate::derive::{self, Inputs, Observations, Plan};
use crate::ingest::detect::{FileKind, document};
use crate::ingest::raw::{self, Format, Reading};
use crate::ingest::source::Meter;
use crate::ingest::{chart_rows, summary_json, terminal};
use crate::model::{ChartRow, Derived, EndSummary, Evidence, Fault, Place, Result, Sink, SourceFile, Submetric};
use crate::render::k6_block;

/// How a run gets its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetFrom {
    /// As given.
    Given(String),
    /// The log's `target=` stamp, else the folder's name.
    StampOrFolder,
    /// The folder's name; a stamp that says otherwise is an error.
    Folder,
}

/// What one run was reduced to.
#[derive(Debug, Clone)]
pub struct Reduced {
    /// Everything derived.
    pub evidence: Evidence,
    /// Per-second rows for the page's chart.
    pub chart: Vec<ChartRow>,
    /// Files that were left out, with the reason.
    pub ignored: Vec<(PathBuf, String)>,
}

/// Whose turn it is to hold raw output in memory: runs with large files come one after the other, each on every core, so that
/// memory is that of one run, however many there are.
#[derive(Debug, Default)]
pub(super) struct Turn(Mutex<()>);

impl Turn {
    /// Raw output of a run that is worth more than one core; smaller ones are read side by side.
    const LARGE: u64 = 64 << 20;

    fn wait(&self, files: &RunFiles) -> Option<MutexGuard<'_, ()>> {
        let raw: u64 = files.used.iter().filter(|file| file.is_raw()).map(|file| file.source.bytes).sum();
        (raw >= Turn::LARGE).then(|| self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Derives the evidence of one run from its files.
///
/// An `evidence.json` among them is used when its fingerprints match the files there, or when no raw file is left.
///
/// # Errors
///
/// Fails on unreadable or contradictory input: two runs in one folder, a log of another run, a CSV and a JSON output that
/// differ, rows more than a week apart, a name that is no folder name.
pub fn reduce(files: &RunFiles, target: &TargetFrom, settings: &Settings, meter: &Meter) -> Result<Reduced> {
    reduce_in_turn(files, target, settings, meter, &Turn::default())
}

/// As [`reduce`], for one of several runs that share a turn.
pub(super) fn reduce_in_turn(
    files: &RunFiles,
    target: &TargetFrom,
    settings: &Settings,
    meter: &Meter,
    turn: &Turn,
) -> Result<Reduced> {
    let log = logs::read(files.of(|kind| *kind == FileKind::Log))?;
    let target = name(files, target, log.as_ref())?;
    if let Some(reduced) = earlier(files, &target, settings)? {
        return Ok(reduced);
    }
    let found = exports::read(files, settings)?;
    let mut sources = exports::sources(files, &found, settings)?;
    if let Some(log) = &log {
        sources.extend(log.sources(settings.sha256)?);
    }
    let (mut summaries, mut declarations) = (Vec::new(), Vec::new());
    let mut limits = log.as_ref().map(|run| run.log.thresholds.clone()).unwrap_or_default();
    for file in files.of(|kind| matches!(kind, FileKind::Summary(_))) {
        let value = summary_value(file)?;
        summaries.push(summary_json::read(&value, &file.source.path)?);
        declarations.extend(summary_json::declarations(&value));
        limits.extend(summary_json::thresholds(&value));
        sources.push(file.described(None, settings.sha256)?);
    }
    declarations.extend(log.iter().filter_map(|run| run.log.summary.as_ref()).flat_map(terminal::declarations));
    let printed: Vec<&EndSummary> =
        summaries.iter().chain(log.as_ref().and_then(|run| run.log.summary.as_ref())).collect();
    let turn = turn.wait(files);
    let seen = observe(files, &plan(&printed, settings), settings, meter, &mut sources)?;
    if let (Some((path, seen)), Some(run)) = (&seen, &log) {
        derive::check_identity((path, seen), (&run.file.source.path, &run.log))?;
    }
    let seen = seen.map(|(_, seen)| seen);
    let stored_chart = match seen {
        Some(_) => Vec::new(),
        None => stored_chart(files, settings, &mut sources)?,
    };
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let causes = settings.causes_in(log.as_ref().map_or("", |run| run.text.as_str()));
    // evidence and chart read the same values: one core each
    let (mut evidence, chart) = std::thread::scope(|scope| {
        let chart = seen.as_ref().map(|seen| scope.spawn(|| derive::chart_rows(seen, &declarations, &printed)));
        let evidence = derive::evidence(&Inputs {
            target: &target,
            seen: seen.as_ref(),
            log: log.as_ref().map(|run| &run.log),
            summaries: &summaries,
            limits: &limits,
            declarations: &declarations,
            chart: &stored_chart,
            thresholds: &settings.thresholds,
            causes: &causes,
            monitoring: settings.monitoring(&found, &target),
            redactor: &settings.redactor,
        });
        (evidence, chart.map(|chart| chart.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
    });
    if evidence.k6.summary_text.is_none() {
        evidence.k6.summary_text = recomputed_block(&evidence, seen.as_ref());
    }
    drop(seen);
    drop(turn);
    evidence.derived = Some(Derived { by: by(), settings: settings.fingerprint() });
    evidence.sources = sources;
    evidence.sources.iter_mut().for_each(|source| source.path = settings.redactor.text(&source.path));
    let chart = chart.unwrap_or_else(|| derive::normalised_chart(stored_chart));
    Ok(Reduced { evidence, chart: settings.redactor.chart(chart), ignored: files.ignored.clone() })
}

/// The block k6 did not print. Counts of raw output that was cut off over the time of the whole run would be wrong rates: they
/// are left out.
fn recomputed_block(evidence: &Evidence, seen: Option<&Observations>) -> Option<String> {
    if !seen.is_some_and(Observations::is_cut) {
        return k6_block::recomputed(evidence);
    }
    let mut without_rates = evidence.clone();
    without_rates.k6.run_seconds = None;
    k6_block::recomputed(&without_rates)
}

/// Name and version of this program, as evidence states them.
pub(super) fn by() -> String {
    format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

fn name(files: &RunFiles, target: &TargetFrom, log: Option<&RunLog<'_>>) -> Result<String> {
    let stamp = log.and_then(|run| run.log.stamps.get("target").map(|stamp| (stamp, &run.file.source.path)));
    let folder = || folder_name(&files.named_after);
    let name = match target {
        TargetFrom::Given(name) => name.clone(),
        TargetFrom::StampOrFolder => stamp.map_or_else(folder, |(stamp, _)| stamp.clone()),
        TargetFrom::Folder => {
            let folder = folder();
            if let Some((stamp, path)) = stamp.filter(|(stamp, _)| **stamp != folder) {
                return Err(Fault::at(
                    Place::file(path).field("stamp `target`"),
                    format!("expected `{folder}`, the name of the run's folder, found `{stamp}`"),
                )
                .hint("rename the folder if the log is right; else this log belongs to another run"));
            }
            folder
        }
    };
    safe_name(&name).map(str::to_owned)
}

/// The name of a folder, or of the folder a file lies in.
fn folder_name(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = if path.is_dir() { Some(absolute.as_path()) } else { absolute.parent() };
    folder.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Evidence of an earlier reduction that still holds, with its chart rows.
fn earlier(files: &RunFiles, target: &str, settings: &Settings) -> Result<Option<Reduced>> {
    let Some(file) = files.of(|kind| *kind == FileKind::Evidence).next() else { return Ok(None) };
    let evidence: Evidence = serde_json::from_str(&document(&file.source)?).map_err(|e| {
        Fault::at(Place::file(&file.source.path).line(e.line() as u64), format!("expected evidence: {e}"))
            .hint("it was written by another version; remove it and the run is reduced anew")
    })?;
    let chart_file = files.of(|kind| *kind == FileKind::ChartRows).next();
    if files.used.iter().any(InputFile::is_raw) {
        let derived = Derived { by: by(), settings: settings.fingerprint() };
        let inputs = files.of(|kind| !matches!(kind, FileKind::Evidence | FileKind::ChartRows)).chain(&files.exports);
        let mut fingerprints = inputs.map(|f| f.source.fingerprint()).collect::<Result<Vec<_>>>()?;
        let mut known: Vec<String> = evidence.sources.iter().map(|source| source.fingerprint.clone()).collect();
        fingerprints.sort();
        known.sort();
        let same = evidence.derived.as_ref() == Some(&derived) && fingerprints == known && chart_file.is_some();
        if !same || evidence.target != target {
            return Ok(None);
        }
    }
    if evidence.target != target {
        return Err(Fault::at(
            Place::file(&file.source.path).field("field `target`"),
            format!("expected `{target}`, found `{}`", evidence.target),
        )
        .hint("this evidence belongs to another run"));
    }
    let chart = match chart_file {
        Some(file) => chart_rows::read(&document(&file.source)?, &file.source.path)?,
        None => Vec::new(),
    };
    // it may be somebody else's, or from before a pattern was added to `[publish] redact`
    let mut evidence = Evidence { generated: None, ..evidence };
    if !files.used.iter().any(InputFile::is_raw) {
        // monitoring is often exported after the raw output is gone
        derive::observe(&mut evidence, &settings.monitoring(&exports::read(files, settings)?, target));
    }
    let evidence = settings.redactor.evidence(evidence);
    let chart = settings.redactor.chart(derive::normalised_chart(chart));
    Ok(Some(Reduced { evidence, chart, ignored: files.ignored.clone() }))
}

/// Keeps what the logs and summaries printed, so that each printed value can be proved.
fn plan(printed: &[&EndSummary], settings: &Settings) -> Plan {
    let names = || printed.iter().flat_map(|summary| summary.metrics.keys());
    let submetrics: BTreeSet<Submetric> = names().filter_map(|name| Submetric::parse(name)).collect();
    Plan {
        all_trends: settings.all_trends,
        printed_trends: names().filter(|name| !name.contains('{')).cloned().collect(),
        submetrics: submetrics.into_iter().collect(),
        redactor: settings.redactor.clone(),
    }
}

/// A machine-readable summary as JSON.
pub(super) fn summary_value(file: &InputFile) -> Result<Value> {
    serde_json::from_str(&document(&file.source)?)
        .map_err(|e| Fault::at(Place::file(&file.source.path).line(e.line() as u64), format!("expected JSON: {e}")))
}

/// Reads all raw output of the run into one; the path is that of its first file.
fn observe(
    files: &RunFiles,
    plan: &Plan,
    settings: &Settings,
    meter: &Meter,
    sources: &mut Vec<SourceFile>,
) -> Result<Option<(PathBuf, Observations)>> {
    let csv: Vec<&InputFile> = files.of(|kind| *kind == FileKind::K6Csv).collect();
    let json: Vec<&InputFile> = files.of(|kind| *kind == FileKind::K6Json).collect();
    // JSON carries the types of the metrics: it is the one to read when there are both
    let read_files = if json.is_empty() { &csv } else { &json };
    let mut parts: Vec<(&Path, Observations)> = Vec::new();
    for file in read_files {
        let new_sink = || Observations::new(plan.clone());
        let (seen, rows) = pour(file, settings.reading, meter, new_sink, Observations::joined)?;
        if let Some(stray) = seen.stray() {
            return Err(Fault::at(
                Place::file(&file.source.path),
                format!("expected the samples of one run, found some more than a week apart, at {stray} for one"),
            )
            .hint("the load machine's clock jumped, or the files of two runs were joined"));
        }
        sources.push(file.described(Some(rows), settings.sha256)?);
        parts.push((&file.source.path, seen));
    }
    derive::check_pooling(&parts.iter().map(|(path, seen)| (*path, seen)).collect::<Vec<_>>())?;
    let mut parts = parts.into_iter();
    let Some((path, mut pool)) = parts.next() else { return Ok(None) };
    parts.for_each(|(_, part)| pool.merge(part));
    if let (Some(first_csv), false) = (csv.first(), json.is_empty()) {
        let mut counted = Vec::new();
        for file in &csv {
            let (census, rows) = count(file, settings.reading, meter)?;
            counted.push(census);
            sources.push(file.described(Some(rows), settings.sha256)?);
        }
        let counts = pool.counts().into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
        let counted = Census::joined(counted).counts();
        derive::same_counts((&first_csv.source.path, &counted), (path, &counts))?;
    }
    Ok(Some((path.to_path_buf(), pool)))
}

/// Gives every row of a raw file to sinks and makes one of them; returns it and the number of rows.
fn pour<S: Sink + Send>(
    file: &InputFile,
    reading: Reading,
    meter: &Meter,
    new_sink: impl Fn() -> S + Sync,
    join: impl Fn(Vec<S>) -> Option<S>,
) -> Result<(S, u64)> {
    let (sink, tally) = raw::read(&file.source, format(file), reading, meter, new_sink, join)?;
    Ok((sink, tally.rows))
}

fn format(file: &InputFile) -> Format {
    if file.kind == FileKind::K6Json { Format::Json } else { Format::Csv }
}

/// Counts the rows of a raw file up to its first fault.
pub(super) fn count_up_to_fault(file: &InputFile, meter: &Meter) -> (Census, Result<u64>) {
    let mut census = Census::default();
    let rows = raw::read_plainly(&file.source, format(file), meter, &mut census).map(|tally| tally.rows);
    (census, rows)
}

/// Counts the rows of a raw file by metric.
pub(super) fn count(file: &InputFile, reading: Reading, meter: &Meter) -> Result<(Census, u64)> {
    pour(file, reading, meter, Census::default, |shares| Some(Census::joined(shares)))
}

fn stored_chart(files: &RunFiles, settings: &Settings, sources: &mut Vec<SourceFile>) -> Result<Vec<ChartRow>> {
    let mut charts = files.of(|kind| *kind == FileKind::ChartRows);
    let Some(file) = charts.next() else { return Ok(Vec::new()) };
    if let Some(second) = charts.next() {
        return Err(Fault::at(
            Place::file(&second.source.path),
            format!("expected one file of chart data, found another in {}", file.source.path.display()),
        )
        .hint("keep one run per folder"));
    }
    let rows = chart_rows::read(&document(&file.source)?, &file.source.path)?;
    sources.push(file.described(Some(rows.len() as u64), settings.sha256)?);
    Ok(rows)
}
