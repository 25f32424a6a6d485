//! The exports of monitoring of one run, and those of a sweep that are of none.

use std::collections::BTreeSet;
use std::path::Path;

use super::files::{EXPORTS, InputFile, RunFiles, folders_among_exports};
use super::run::Reduced;
use super::settings::Settings;
use super::sweep::{RunFolder, run_folders};
use crate::derive::FoundExport;
use crate::ingest::detect::{FileKind, document};
use crate::ingest::monitoring::{self, Reading};
use crate::model::{Export, Result, SourceFile, Time, Warning};

/// Reads every export of a run and of its sweep, and says what is no export.
///
/// # Errors
///
/// Fails when a file cannot be read; what a file holds never stops the work.
pub(super) fn read(files: &RunFiles, settings: &Settings) -> Result<Vec<FoundExport>> {
    let mut found = Vec::new();
    for file in &files.exports {
        let FileKind::Monitoring(kind) = file.kind else { continue };
        let reading = Reading { file: &file.relative, names: &settings.metrics };
        let export = monitoring::read(kind, &document(&file.source)?, &reading);
        found.push(FoundExport { file: file.relative.clone(), shared: file.shared, export });
    }
    for (file, reason) in &files.unread_exports {
        let export = Export { problems: vec![left_out(file, reason)], ..Export::default() };
        found.push(FoundExport { file: file.clone(), shared: file.starts_with(".."), export });
    }
    Ok(found)
}

fn left_out(path: &str, reason: &str) -> Warning {
    Warning::new("cloud-unreadable", format!("{path}: {reason}: left out"))
}

/// The exports as sources of the evidence.
///
/// # Errors
///
/// Fails when a file cannot be read.
pub(super) fn sources(files: &RunFiles, found: &[FoundExport], settings: &Settings) -> Result<Vec<SourceFile>> {
    let rows = |file: &InputFile| found.iter().find(|found| found.file == file.relative).map(|found| found.export.rows);
    files.exports.iter().map(|file| file.described(rows(file), settings.sha256)).collect()
}

/// Runs of a sweep.
#[derive(Debug, Clone, Copy)]
pub enum Runs<'a> {
    /// Every run.
    All(&'a [Reduced]),
    /// Some that were asked for.
    Some,
}

/// What stands among the exports for the whole sweep and is of no run of it: folders, rows of other targets, files of another time.
/// Of each run by itself both are what one expects. Where only some runs were asked for a file of another time may be of one of
/// the others.
///
/// # Errors
///
/// Fails when the sweep cannot be listed or an export cannot be read.
pub fn unclaimed_exports(sweep: &Path, reduced: Runs<'_>, settings: &Settings) -> Result<Vec<Warning>> {
    let folder = sweep.join(EXPORTS);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let unread = folders_among_exports(&folder, "")?;
    let mut warnings: Vec<Warning> = unread.into_iter().map(|(path, reason)| left_out(&path, &reason)).collect();
    let found = read(&RunFiles::exports_of_sweep(sweep)?, settings)?;
    if found.is_empty() {
        return Ok(warnings);
    }
    let folders = run_folders(sweep, &[])?;
    warnings.extend(found.iter().filter_map(|export| of_other_targets(export, &folders)));
    if let Runs::All(reduced) = reduced {
        warnings.extend(found.iter().filter_map(|export| of_another_time(export, reduced)));
    }
    Ok(warnings)
}

fn of_other_targets(found: &FoundExport, folders: &[RunFolder]) -> Option<Warning> {
    let of_series = found.export.series.iter().filter_map(|series| series.target.as_deref());
    let of_vacuums = found.export.vacuums.iter().filter_map(|run| run.target.as_deref());
    let named: BTreeSet<&str> = of_series.chain(of_vacuums).collect();
    let list = |names: &mut dyn Iterator<Item = &str>| {
        names.map(|name| format!("`{}`", name.escape_debug())).collect::<Vec<_>>().join(", ")
    };
    let mut unknown = named.into_iter().filter(|name| folders.iter().all(|folder| folder.target != **name)).peekable();
    unknown.peek()?;
    let (unknown, runs) = (list(&mut unknown), list(&mut folders.iter().map(|folder| folder.target.as_str())));
    let message = format!("{}: expected rows of {runs}, found those of {unknown}: left out", found.file);
    Some(Warning::new("cloud-other-system", message))
}

/// How far from a run's window an export may still be meant for it: half an hour is the longest period people align to.
const NEAR_SECONDS: i64 = 1800;

fn of_another_time(found: &FoundExport, reduced: &[Reduced]) -> Option<Warning> {
    let (first, last) = found.export.span?;
    let near = |time: Time, seconds: i64| time.unix_seconds().saturating_add(seconds);
    let meets = |run: &Reduced| {
        run.evidence.window.is_none_or(|window| {
            near(first, -NEAR_SECONDS) <= window.end.unix_seconds()
                && near(last, NEAR_SECONDS) >= window.start.unix_seconds()
        })
    };
    if reduced.iter().any(meets) {
        return None;
    }
    let message =
        format!("{}: no point lies near the window of any run, the first is of {first}: left out", found.file);
    Some(Warning::new("cloud-other-time", message))
}
