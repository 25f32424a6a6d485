//! One file's new content, written beside it before anything is replaced.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::journal::JournalFile;
use super::step::step;
use super::{beside, sync_folder};
use crate::model::{Fault, Place, Result};
use crate::publish::fingerprint;

/// What writing a file did or will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The file is new.
    Create,
    /// The file exists and differs.
    Replace,
    /// The file already holds these bytes: nothing is written.
    Nothing,
}

impl Change {
    fn of(before: Option<&[u8]>, content: &[u8]) -> Self {
        match before {
            None => Change::Create,
            Some(bytes) if bytes == content => Change::Nothing,
            Some(_) => Change::Replace,
        }
    }
}

/// What a file holds before its new content is written; of its bytes only a fingerprint, for a sweep has many files.
#[derive(Debug, Clone)]
pub(super) struct Found {
    change: Change,
    fingerprint: Option<String>,
}

impl Found {
    pub(super) fn new(before: Option<&[u8]>, content: &[u8]) -> Self {
        Found { change: Change::of(before, content), fingerprint: before.map(fingerprint) }
    }
}

/// What writing would do to a file.
///
/// # Errors
///
/// Fails when what is there cannot be read.
pub fn change(path: &Path, content: &[u8]) -> Result<Change> {
    Ok(Change::of(before(path)?.as_deref(), content))
}

/// What a file holds; `None` when there is none.
pub(super) fn before(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::io(path, "read what is there", e)),
    }
}

/// A file whose new content lies beside it, complete and on disk, waiting for the switch.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    real: PathBuf,
    change: Change,
    before: Option<String>,
    temporary: Option<NamedTempFile>,
}

/// Prepares the new content of a file that belongs to no other, without touching what is there. Missing folders are made.
///
/// # Errors
///
/// Fails when the folder cannot be made or written to; what was there stays as it was.
pub fn stage(path: &Path, content: &[u8]) -> Result<Staged> {
    Staged::new(path, path.to_path_buf(), Found::new(before(path)?.as_deref(), content), content)
}

/// Prepares the new content of a file that was made from what the file held when it was read: whoever changes the file
/// meanwhile keeps the change.
///
/// # Errors
///
/// As [`stage`]; [`Staged::commit`] refuses when the file no longer holds what was read.
pub fn stage_over(path: &Path, read: &[u8], content: &[u8]) -> Result<Staged> {
    Staged::new(path, path.to_path_buf(), Found::new(Some(read), content), content)
}

impl Staged {
    /// As [`stage`], for a file that really lies at `real` and what was found there.
    pub(super) fn new(path: &Path, real: PathBuf, found: Found, content: &[u8]) -> Result<Self> {
        let Found { change, fingerprint: before } = found;
        let hint = "nothing was changed; make room, or choose a folder that can be written to with `--out`";
        let temporary = match change {
            Change::Nothing => None,
            _ => Some(written(&real, content).map_err(|e| Fault::io(path, "write", e).hint(hint))?),
        };
        Ok(Staged { path: path.to_path_buf(), real, change, before, temporary })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the switch will do.
    pub fn change(&self) -> Change {
        self.change
    }

    /// Puts the new content in place; the old one is there until then.
    ///
    /// # Errors
    ///
    /// Fails when the rename fails, and when somebody changed the file since it was read; what is there then stays.
    pub fn commit(self) -> Result<Change> {
        if self.temporary.is_some() {
            self.refuse_changed()?;
        }
        if let Some(temporary) = self.temporary {
            temporary.persist(&self.real).map_err(|e| Fault::io(&self.path, "replace", e.error))?;
            sync_folder(folder_of(&self.real)).map_err(|e| Fault::io(&self.path, "replace", e))?;
        }
        Ok(self.change)
    }

    /// Fails when the file no longer holds what its new content was made from.
    pub(super) fn refuse_changed(&self) -> Result<()> {
        match before(&self.real)?.as_deref().map(fingerprint) == self.before {
            true => Ok(()),
            false => Err(changed_meanwhile(&self.path)),
        }
    }

    /// What a journal says of it; `None` when nothing changes.
    pub(super) fn entry(&self) -> Option<JournalFile> {
        let staged = self.temporary.as_ref()?.path().file_name()?.to_string_lossy().into_owned();
        Some(JournalFile { path: self.real.clone(), staged, before: self.before.clone() })
    }

    /// Leaves the new content beside the file: a journal answers for it.
    pub(super) fn keep(self) -> Result<()> {
        match self.temporary {
            Some(temporary) => temporary.keep().map(|_| ()).map_err(|e| Fault::io(&self.path, "write", e.error)),
            None => Ok(()),
        }
    }
}

/// What is said of a file that somebody else wrote to while its new content was made.
pub(super) fn changed_meanwhile(path: &Path) -> Fault {
    Fault::at(Place::file(path), "expected the text that was read, found another: somebody changed it meanwhile")
        .hint("it was left as it is; run the same command again")
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside another with these bytes and the other's permissions, on disk.
fn written(real: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder_of(real);
    step()?;
    fs::create_dir_all(folder)?;
    step()?;
    let mut file = beside(folder)?;
    step()?;
    file.write_all(content)?;
    if let Ok(meta) = fs::metadata(real) {
        fs::set_permissions(file.path(), meta.permissions())?;
    }
    step()?;
    file.as_file().sync_all()?;
    Ok(file)
}
