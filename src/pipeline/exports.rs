//! The exports of monitoring of one run.

use super::files::{InputFile, RunFiles};
use super::settings::Settings;
use crate::derive::FoundExport;
use crate::ingest::detect::{FileKind, document};
use crate::ingest::monitoring::{self, Reading};
use crate::model::{Export, Result, SourceFile, Warning};

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
        let problem = Warning::new("cloud-unreadable", format!("{file}: {reason}: left out"));
        let export = Export { problems: vec![problem], ..Export::default() };
        found.push(FoundExport { file: file.clone(), shared: file.starts_with(".."), export });
    }
    Ok(found)
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
