//! Sets of files replaced together: staged, journalled, renamed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::journal::{Journal, JournalFile, JournalSet};
use super::lock::Locked;
use super::place::Roots;
use super::recover::{Recovered, recover};
use super::stage::{Change, Found, Staged, before, changed_meanwhile};
use super::step::step;
use super::{TEMPORARY, sync_folder};
use crate::model::{Fault, Result};

/// Files that switch together or not at all, the one people edit first.
#[derive(Debug, Clone)]
pub struct FileSet<'a> {
    /// What they belong to, for messages.
    pub name: &'a str,
    /// Where each goes, and what it will hold.
    pub files: Vec<(PathBuf, &'a [u8])>,
    /// What the first of them held when its new content was made; `None` where that does not depend on it.
    pub read: Option<&'a [u8]>,
}

/// An output folder that is locked and has no unfinished business.
#[derive(Debug)]
pub struct Output {
    locked: Locked,
    roots: Roots,
}

impl Output {
    /// Locks an output folder, waiting for whoever writes to it, and finishes or undoes what was interrupted there.
    ///
    /// `roots` are the folders everything is written below; `waits` is called when another publish is at work.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made, or what was interrupted cannot be finished.
    pub fn open(folder: &Path, roots: &[PathBuf], waits: impl FnOnce()) -> Result<(Self, Vec<Recovered>)> {
        let locked = Locked::new(folder, waits)?;
        let roots = Roots::new(roots)?;
        let recovered = recover(&locked, &roots)?;
        Ok((Output { locked, roots }, recovered))
    }

    /// Replaces every file of every set, or, when that fails before the switch has begun, none.
    ///
    /// New content is written beside each file and forced to disk; then a journal says what is about to be switched; then
    /// each file is renamed into place. Whatever happens in between, the next [`Output::open`] finishes or undoes it.
    ///
    /// # Errors
    ///
    /// Fails when a folder or file cannot be written, or lies outside the folders by way of a link, and when somebody changed
    /// a file since it was read.
    pub fn switch(&self, sets: &[FileSet<'_>]) -> Result<Vec<(PathBuf, Change)>> {
        let mut changes = Vec::new();
        let mut staged: Vec<(&str, Vec<Staged>)> = Vec::new();
        let places = self.places(sets)?;
        let mut folders = folders(places.iter().map(|(real, _)| real.as_path()));
        folders.insert(self.locked.folder());
        clear_leftovers(&folders)?;
        let mut places = places.into_iter();
        for set in sets {
            let mut files = Vec::new();
            for ((path, content), (real, found)) in set.files.iter().zip(&mut places) {
                let file = Staged::new(path, real, found, content)?;
                changes.push((path.clone(), file.change()));
                files.extend((file.change() != Change::Nothing).then_some(file));
            }
            if !files.is_empty() {
                staged.push((set.name, files));
            }
        }
        if !staged.is_empty() {
            self.commit(staged)?;
        }
        Ok(changes)
    }

    /// Removes a file of the program's that nothing takes the place of; one that is gone already is no fault.
    ///
    /// It is no part of a switch: until it is removed it is in nobody's way, and the next publish finds it again.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be removed, or lies outside the folders by way of a link.
    pub fn remove(&self, path: &Path) -> Result<()> {
        let real = self.roots.real(path)?;
        match step().and_then(|()| fs::remove_file(&real)) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|e| Fault::io(path, "remove", e)),
        }
    }

    /// Where each file really goes and what is there, before anything is written.
    fn places(&self, sets: &[FileSet<'_>]) -> Result<Vec<(PathBuf, Found)>> {
        let mut places = Vec::new();
        for set in sets {
            for (n, (path, content)) in set.files.iter().enumerate() {
                let now = before(path)?;
                if n == 0 && set.read.is_some_and(|read| now.as_deref() != Some(read)) {
                    return Err(changed_meanwhile(path));
                }
                places.push((self.roots.real(path)?, Found::new(now.as_deref(), content)));
            }
        }
        Ok(places)
    }

    fn commit(&self, staged: Vec<(&str, Vec<Staged>)>) -> Result<()> {
        let set = |(name, files): &(&str, Vec<Staged>)| JournalSet {
            name: (*name).to_owned(),
            files: files.iter().filter_map(Staged::entry).collect(),
        };
        let journal = Journal::new(staged.iter().map(set).collect());
        let folders = folders(journal.sets.iter().flat_map(|set| &set.files).map(|file| file.path.as_path()));
        for folder in &folders {
            step().and_then(|()| sync_folder(folder)).map_err(|e| Fault::io(folder, "write", e))?;
        }
        // writing takes a while, in which an editor may have saved
        staged.iter().flat_map(|(_, files)| files).try_for_each(Staged::refuse_changed)?;
        // no new content may go once the journal speaks of it, so all of it stays from here on
        let kept: Vec<Result<()>> = staged.into_iter().flat_map(|(_, files)| files).map(Staged::keep).collect();
        kept.into_iter().collect::<Result<()>>()?;
        if let Err(fault) = journal.write(self.locked.folder()) {
            // the journal is gone before what it speaks of goes; what stays is cleared away by the next publish
            Journal::remove(self.locked.folder())?;
            return clear_leftovers(&folders).and(Err(fault));
        }
        journal.sets.iter().flat_map(|set| &set.files).try_for_each(put_in_place)?;
        Journal::remove(self.locked.folder())
    }
}

/// The switch of one file.
pub(super) fn put_in_place(file: &JournalFile) -> Result<()> {
    let Some(staged) = file.staged_path() else { return Ok(()) };
    let folder = file.path.parent().unwrap_or(Path::new("."));
    let switch = || {
        step()?;
        fs::rename(&staged, &file.path)?;
        sync_folder(folder)
    };
    switch().map_err(|e| {
        Fault::io(&file.path, "replace", e).hint("publish again: it finishes what this one began, before anything else")
    })
}

/// The folders of files, each once.
fn folders<'a>(files: impl Iterator<Item = &'a Path>) -> BTreeSet<&'a Path> {
    files.filter_map(Path::parent).collect()
}

/// Removes what an interrupted publish had written and not yet journalled: nothing refers to it.
fn clear_leftovers(folders: &BTreeSet<&Path>) -> Result<()> {
    for folder in folders {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(TEMPORARY)) {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                fs::remove_file(entry.path()).map_err(|e| Fault::io(entry.path(), "remove", e))?;
            }
        }
    }
    Ok(())
}
