//! Reading a sweep for its pages.

use std::path::{Path, PathBuf};

use super::super::progress::with_bar;
use super::super::ui::Ui;
use crate::config::Config;
use crate::ingest::source::Meter;
use crate::model::{Fault, Place, Result};
use crate::pipeline::{
    Reduced, RunFiles, RunFolder, Runs, Settings, compare_runs, reduce_all, run_folders, unclaimed_exports,
};

/// Every wanted run of the sweep with what was derived from its files; what is left out is said.
///
/// # Errors
///
/// Fails when there is no run, and when one cannot be read or looks like lost output.
pub(in crate::cli) fn read_sweep(
    sweep: &Path,
    targets: &[String],
    settings: &Settings,
    ui: &Ui,
) -> Result<(Vec<RunFolder>, Vec<Reduced>)> {
    let (mut runs, mut left_out, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
    for folder in run_folders(sweep, targets)? {
        let files = RunFiles::gather(std::slice::from_ref(&folder.path))?;
        if !files.used.is_empty() {
            runs.push((folder, files));
        } else {
            let short = format!(
                "{}: left out: none of its {} files is of a k6 run",
                folder.path.display(),
                files.ignored.len()
            );
            damaged.extend(files.ignored.iter().filter(|(_, reason)| is_damage(reason)).cloned());
            left_out.push((short, files.nothing_usable(std::slice::from_ref(&folder.path))));
        }
    }
    refuse_damaged(&damaged)?;
    // a folder asked for by name must be a run; else one without any of its files may be something of the sweep's own
    let nothing_left = runs.is_empty() || !targets.is_empty();
    if let Some((_, fault)) = left_out.first().filter(|_| nothing_left) {
        return Err(fault.clone());
    }
    for (short, fault) in &left_out {
        ui.note(short);
        ui.detail(&fault.message);
    }
    let meter = Meter::default();
    let total = runs.iter().map(|(_, files)| files.bytes()).sum();
    let mut reduced = with_bar(ui, total, &meter, || reduce_all(&runs, settings, &meter))?;
    let folders: Vec<RunFolder> = runs.into_iter().map(|(folder, _)| folder).collect();
    compare_runs(&folders, &mut reduced)?;
    let all = if targets.is_empty() { Runs::All(&reduced) } else { Runs::Some };
    for warning in unclaimed_exports(sweep, all, settings)? {
        ui.warning(&sweep.display().to_string(), &warning);
    }
    Ok((folders, reduced))
}

/// What a load test leaves when it could not write: not the mark of a folder that is something else.
fn is_damage(reason: &str) -> bool {
    matches!(reason, "empty file" | "binary file")
}

/// Refuses a folder with nothing usable in it but what looks like lost output.
fn refuse_damaged(damaged: &[(PathBuf, String)]) -> Result<()> {
    match damaged.first() {
        Some((path, reason)) => {
            Err(Fault::at(Place::file(path), format!("expected k6 output, a log or a summary, found {reason}"))
                .hint("take the run's folder out of the sweep, or put its output into it"))
        }
        None => Ok(()),
    }
}

/// A misspelt `[targets.NAME]` would silently lose its facts and its VUs.
pub(super) fn note_unknown_targets(config: &Config, folders: &[RunFolder], ui: &Ui) {
    for name in config.targets.keys().filter(|name| folders.iter().all(|folder| folder.target != **name)) {
        let known: Vec<&str> = folders.iter().map(|folder| folder.target.as_str()).collect();
        ui.note(&format!(
            "{}: `[targets.{name}]` is no run of this sweep, which has {}",
            config.path.display(),
            known.join(", ")
        ));
    }
}
