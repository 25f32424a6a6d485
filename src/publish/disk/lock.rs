//! One publish at a time for an output folder.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::step::step;
use crate::model::{Fault, Result};

/// An output folder that no other publish writes to as long as this lives.
#[derive(Debug)]
pub struct Locked {
    folder: PathBuf,
    /// Closing it gives the folder free, whichever way the process ends.
    _lock: File,
}

impl Locked {
    /// Makes the folder where it is missing and waits until no other publish writes to it; `waits` is called if there is one.
    ///
    /// A file system without locks does not keep two of them apart.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made or opened.
    pub fn new(folder: &Path, waits: impl FnOnce()) -> Result<Self> {
        let fault = |e| {
            Fault::io(folder, "open the output folder", e).hint("choose a folder that can be written to with `--out`")
        };
        step().and_then(|()| std::fs::create_dir_all(folder)).map_err(fault)?;
        let folder = folder.canonicalize().map_err(fault)?;
        let lock = handle(&folder).map_err(fault)?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            waits();
            while lock.lock().is_err_and(|e| e.kind() == io::ErrorKind::Interrupted) {}
        }
        Ok(Locked { folder, _lock: lock })
    }

    /// The folder's real path.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The folder itself: nothing is left behind in a repository.
#[cfg(unix)]
fn handle(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Folders cannot be locked here: a hidden file in it stands for it.
#[cfg(not(unix))]
fn handle(folder: &Path) -> io::Result<File> {
    File::create(folder.join(".sweepdoc.lock"))
}
