//! What a publish is about to switch, on disk before the first file is switched.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::step::step;
use super::{TEMPORARY, beside, sync_folder};
use crate::model::{Fault, Place, Result};

const SCHEMA: &str = "sweepdoc/journal/1";

/// Name of the journal in an output folder.
pub(in crate::publish) const JOURNAL: &str = ".sweepdoc.journal";

/// Everything one publish switches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    schema: String,
    pub(super) sets: Vec<JournalSet>,
}

/// Files that switch together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalSet {
    /// Name of the run.
    pub(super) name: String,
    /// In the order they are switched: the page first.
    pub(super) files: Vec<JournalFile>,
}

/// A file and its new content, which lies beside it until it is switched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalFile {
    /// Its real path; below the output folder relative to it.
    pub(super) path: PathBuf,
    /// Name of the file with the new content.
    pub(super) staged: String,
    /// Fingerprint of what is replaced; absent when there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) before: Option<String>,
}

impl JournalFile {
    /// The new content: nothing but a file of ours in the same folder.
    pub(super) fn staged_path(&self) -> Option<PathBuf> {
        let plain = self.staged.starts_with(TEMPORARY) && !self.staged.contains(['/', '\\']);
        plain.then(|| self.path.with_file_name(&self.staged))
    }
}

impl Journal {
    pub(super) fn new(sets: Vec<JournalSet>) -> Self {
        Journal { schema: SCHEMA.to_owned(), sets }
    }

    /// Puts the journal in place, whole: from here on a publish is finished, not undone.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written; then there is none.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let relative = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_path_buf();
        let mut stored = self.clone();
        for file in stored.sets.iter_mut().flat_map(|set| &mut set.files) {
            file.path = relative(&file.path);
        }
        let text = serde_json::to_vec(&stored).unwrap_or_default();
        let write = || {
            step()?;
            let mut file = beside(folder)?;
            file.write_all(&text)?;
            file.as_file().sync_all()?;
            step()?;
            file.persist(folder.join(JOURNAL)).map_err(|e| e.error)?;
            sync_folder(folder)
        };
        write().map_err(|e| Fault::io(folder, "write into the output folder", e))
    }

    /// The journal an interrupted publish left; `None` when there is none.
    ///
    /// # Errors
    ///
    /// Fails on one that cannot be read or is of another version.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(JOURNAL);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Fault::io(&path, "read", e)),
        };
        let unknown = |why: String| {
            Fault::at(Place::file(&path), format!("an interrupted publish left this and it cannot be read: {why}"))
                .hint("remove it and publish again")
        };
        let mut journal: Journal = serde_json::from_slice(&bytes).map_err(|e| unknown(e.to_string()))?;
        if journal.schema != SCHEMA {
            return Err(unknown(format!("expected `{SCHEMA}`, found `{}`", journal.schema)));
        }
        for file in journal.sets.iter_mut().flat_map(|set| &mut set.files) {
            file.path = folder.join(&file.path);
        }
        Ok(Some(journal))
    }

    /// Takes the journal away, if there is one: everything in it is done, or none of it will be.
    pub(super) fn remove(folder: &Path) -> Result<()> {
        let remove = || {
            step()?;
            match fs::remove_file(folder.join(JOURNAL)) {
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Err(e) => Err(e),
                Ok(()) => sync_folder(folder),
            }
        };
        remove().map_err(|e| Fault::io(folder.join(JOURNAL), "remove", e))
    }
}
