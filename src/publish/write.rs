//! Files replaced whole: a sibling temporary file, then a rename.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::model::{Fault, Result};

/// What writing a file will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The file is new.
    Create,
    /// The file exists and differs.
    Replace,
    /// The file already holds these bytes: nothing is written.
    Nothing,
}

/// A file whose new content lies beside it, complete and on disk, waiting for the switch.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    change: Change,
    temporary: Option<NamedTempFile>,
}

/// Prepares a file's new content without touching what is there. Missing folders are made.
///
/// # Errors
///
/// Fails when the folder cannot be made or written to; what was there stays as it was.
pub fn stage(path: &Path, content: &[u8]) -> Result<Staged> {
    let existing = match fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => return Err(Fault::io(path, "read what is there", e)),
    };
    if existing.as_deref() == Some(content) {
        return Ok(Staged { path: path.to_path_buf(), change: Change::Nothing, temporary: None });
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> std::io::Result<NamedTempFile> {
        fs::create_dir_all(folder)?;
        let mut file = beside(folder)?;
        file.write_all(content)?;
        if let Ok(meta) = fs::metadata(path) {
            fs::set_permissions(file.path(), meta.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    };
    let temporary =
        write().map_err(|e| Fault::io(path, "write", e).hint("choose a folder that can be written to with `--out`"))?;
    let change = if existing.is_some() { Change::Replace } else { Change::Create };
    Ok(Staged { path: path.to_path_buf(), change, temporary: Some(temporary) })
}

/// A temporary file with the permissions any other new file would get there; by themselves they are private.
fn beside(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sweepdoc-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

impl Staged {
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
    /// Fails when the rename fails; the old content then stays.
    pub fn commit(self) -> Result<Change> {
        if let Some(temporary) = self.temporary {
            temporary.persist(&self.path).map_err(|e| Fault::io(&self.path, "replace", e.error))?;
        }
        Ok(self.change)
    }
}
