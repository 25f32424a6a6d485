//! What an interrupted publish left, finished or undone.

use std::fs;
use std::path::Path;

use super::journal::{JOURNAL, Journal, JournalFile, JournalSet};
use super::lock::Locked;
use super::place::Roots;
use super::step::step;
use super::switch::put_in_place;
use crate::model::{Fault, Place, Result};
use crate::publish::fingerprint;

/// What became of a run whose publish was interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovered {
    /// Its files are all new now.
    Finished(String),
    /// Its files are all as they were: somebody changed the page since.
    Undone(String),
}

/// True when an interrupted publish is to be finished in this folder or in one above it.
pub fn interrupted(path: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    absolute.ancestors().any(|folder| folder.join(JOURNAL).is_file())
}

/// Finishes what an interrupted publish began.
///
/// A run whose page was not switched yet and was changed since is undone instead: what was written is a person's, and what
/// was about to replace it knows nothing of it.
///
/// # Errors
///
/// Fails on a journal that cannot be read or names files outside `roots`, and when a file cannot be switched.
pub(super) fn recover(locked: &Locked, roots: &Roots) -> Result<Vec<Recovered>> {
    let Some(journal) = Journal::read(locked.folder())? else { return Ok(Vec::new()) };
    let all = || journal.sets.iter().flat_map(|set| &set.files);
    if let Some(file) = all().find(|file| !roots.hold(&file.path) || file.staged_path().is_none()) {
        let message = format!("names `{}`, expected files below the output folder", file.path.display());
        return Err(Fault::at(Place::file(locked.folder().join(JOURNAL)), message).hint("remove it and publish again"));
    }
    let recovered = journal.sets.iter().map(recover_set).collect::<Result<_>>()?;
    Journal::remove(locked.folder())?;
    Ok(recovered)
}

fn recover_set(set: &JournalSet) -> Result<Recovered> {
    match set.files.first() {
        Some(page) if is_staged(page) && changed_since(page)? => {
            // the page's comes last: as long as it waits, nothing of the run was switched
            for staged in set.files.iter().rev().filter(|file| is_staged(file)).filter_map(JournalFile::staged_path) {
                step().and_then(|()| fs::remove_file(&staged)).map_err(|e| Fault::io(&staged, "remove", e))?;
            }
            Ok(Recovered::Undone(set.name.clone()))
        }
        _ => {
            set.files.iter().filter(|file| is_staged(file)).try_for_each(put_in_place)?;
            Ok(Recovered::Finished(set.name.clone()))
        }
    }
}

/// True while the new content still waits beside the file.
fn is_staged(file: &JournalFile) -> bool {
    file.staged_path().is_some_and(|staged| fs::symlink_metadata(staged).is_ok_and(|meta| meta.is_file()))
}

fn changed_since(file: &JournalFile) -> Result<bool> {
    let now = match fs::read(&file.path) {
        Ok(bytes) => Some(fingerprint(&bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => return Err(Fault::io(&file.path, "read", e)),
    };
    Ok(now != file.before)
}
