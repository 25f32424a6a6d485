//! The runs of a sweep: one folder each, named after its target.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::files::{EXPORTS, InputFile, RunFiles, entries, folder_files};
use super::published::is_page;
use super::run::{Reduced, TargetFrom, Turn, reduce_in_turn};
use super::settings::Settings;
use crate::ingest::detect::FileKind;
use crate::ingest::monitoring::ExportKind;
use crate::ingest::source::Meter;
use crate::model::{Evidence, Fault, Place, Result, Warning};

/// One run's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    /// Name of the folder, which is the target's.
    pub target: String,
    /// Its path.
    pub path: PathBuf,
}

/// The run folders of a sweep in order of name; `wanted` narrows them down, empty means all.
///
/// Folders called `gcp` (exports for the whole sweep), hidden ones, those that begin with `_` and those without files are
/// none.
///
/// # Errors
///
/// Fails when the sweep cannot be listed, has no run folder, or lacks a wanted one.
pub fn run_folders(sweep: &Path, wanted: &[String]) -> Result<Vec<RunFolder>> {
    let mut folders = Vec::new();
    for path in entries(sweep)?.into_iter().filter(|path| path.is_dir()) {
        let target = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if target != EXPORTS && !target.starts_with('_') && !folder_files(&path)?.is_empty() {
            folders.push(RunFolder { target, path });
        }
    }
    folders.sort_by(|a, b| a.target.cmp(&b.target));
    let names: Vec<String> = folders.iter().map(|folder| format!("`{}`", folder.target)).collect();
    if let Some(missing) = wanted.iter().find(|name| folders.iter().all(|folder| folder.target != **name)) {
        return Err(Fault::at(
            Place::file(sweep),
            format!(
                "expected a run folder `{missing}`, found {}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            ),
        ));
    }
    if !wanted.is_empty() {
        folders.retain(|folder| wanted.contains(&folder.target));
    }
    match folders.is_empty() {
        true => Err(Fault::at(Place::file(sweep), "expected a folder for each run of the sweep, found none")
            .hint("put each run's files into a folder named after its target, or use `reduce` for a single run")),
        false => Ok(folders),
    }
}

/// True for a folder with runs: what k6 left lies in one of the folders in it. Published pages are none, although k6's output
/// stands on them.
///
/// # Errors
///
/// Fails when a file in those folders cannot be read.
pub fn is_sweep(folder: &Path) -> Result<bool> {
    if !folder.is_dir() {
        return Ok(false);
    }
    for run in entries(folder)?.into_iter().filter(|path| path.is_dir() && !path.ends_with(EXPORTS)) {
        for file in folder_files(&run)?.into_iter().filter(|file| !is_page(file)) {
            let kind = InputFile::open(&file, &run)?.kind;
            if matches!(kind, FileKind::K6Csv | FileKind::K6Json | FileKind::Log | FileKind::Summary(_)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Pairs of runs whose windows overlap: on one system they disturb each other, or one has another's files.
pub fn overlapping_windows(runs: &[&Evidence]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (index, a) in runs.iter().enumerate() {
        for b in runs.iter().skip(index + 1) {
            if let (Some(first), Some(second)) = (a.window, b.window)
                && first.window().overlaps(second.window())
            {
                pairs.push((a.target.clone(), b.target.clone()));
            }
        }
    }
    pairs
}

/// Reduces every run, on as many threads as there are cores; in the order of the folders. Large raw files have all cores
/// one after the other.
///
/// # Errors
///
/// Fails with the first run, in that order, that cannot be reduced.
pub fn reduce_all(runs: &[(RunFolder, RunFiles)], settings: &Settings, meter: &Meter) -> Result<Vec<Reduced>> {
    let (next, turn) = (AtomicUsize::new(0), Turn::default());
    let results: Vec<Mutex<Option<Result<Reduced>>>> = runs.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some((run, slot)) = take(&next, runs, &results) {
            let reduced = reduce_in_turn(&run.1, &TargetFrom::Folder, settings, meter, &turn);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(reduced);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(runs.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    results.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

fn take<'a, A, B>(next: &AtomicUsize, runs: &'a [A], slots: &'a [B]) -> Option<(&'a A, &'a B)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    runs.get(index).zip(slots.get(index))
}

/// Looks at the runs of a sweep together: a file that stands in two folders and another target's trends are errors,
/// windows that overlap a warning in both runs.
///
/// # Errors
///
/// Fails naming both runs.
pub fn compare_runs(folders: &[RunFolder], reduced: &mut [Reduced]) -> Result<()> {
    refuse_shared_files(folders, reduced)?;
    let evidences: Vec<&Evidence> = reduced.iter().map(|run| &run.evidence).collect();
    let pairs = overlapping_windows(&evidences);
    for (a, b) in &pairs {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(trend) = foreign_trend(&evidences, one, other) {
                let place = folders.iter().find(|f| f.target == *one).map(|f| f.path.clone()).unwrap_or_default();
                return Err(Fault::at(
                    Place::file(place),
                    format!(
                        "expected the trends of `{one}`, found `{trend}`, and a window that overlaps that of `{other}`"
                    ),
                )
                .hint("the raw output of one target was written under the other's name"));
            }
        }
    }
    for (a, b) in pairs {
        for (one, other) in [(&a, &b), (&b, &a)] {
            if let Some(run) = reduced.iter_mut().find(|run| run.evidence.target == *one) {
                let message =
                    format!("the window overlaps that of `{other}`: on one system the two disturb each other");
                run.evidence.warnings.push(Warning::new("overlapping-windows", message));
                run.evidence.warnings.sort();
            }
        }
    }
    Ok(())
}

/// Stamps and exports of monitoring may be of several runs; chart data is derived.
fn may_be_shared(kind: &str) -> bool {
    matches!(kind, "chart-rows" | "stamps") || ExportKind::is_word(kind)
}

fn refuse_shared_files(folders: &[RunFolder], reduced: &[Reduced]) -> Result<()> {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for run in reduced {
        for source in run.evidence.sources.iter().filter(|source| !may_be_shared(&source.kind)) {
            if let Some(first) = seen.insert(&source.fingerprint, &run.evidence.target) {
                let folder = folders.iter().find(|f| f.target == run.evidence.target).map(|f| f.path.clone());
                return Err(Fault::at(
                    Place::file(folder.unwrap_or_default().join(&source.path)),
                    format!(
                        "expected this run's own {}, found the same bytes as in the folder of `{first}`",
                        source.kind
                    ),
                )
                .hint("a launcher may have written one target's output under another's name"));
            }
        }
    }
    Ok(())
}

/// A trend named after the other target, in a run that has none named after its own.
fn foreign_trend(runs: &[&Evidence], own: &str, other: &str) -> Option<String> {
    let run = runs.iter().find(|run| run.target == own)?;
    let named_after = |target: &str| [target.to_owned(), format!("{target}_duration")];
    let has = |names: [String; 2]| names.into_iter().find(|name| run.trends.contains_key(name));
    match has(named_after(own)) {
        Some(_) => None,
        None => has(named_after(other)),
    }
}
