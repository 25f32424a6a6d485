//! The runs of a sweep: one folder each, named after its target.

use std::path::{Path, PathBuf};

use super::files::{entries, folder_files};
use crate::model::{Evidence, Fault, Place, Result};

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
        if target != "gcp" && !target.starts_with('_') && !folder_files(&path)?.is_empty() {
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
