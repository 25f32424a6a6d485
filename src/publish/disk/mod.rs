//! Files on disk, replaced so that a crash, a full disk or a second publish leaves each run's files all old or all new.

mod journal;
mod lock;
mod place;
mod recover;
mod stage;
mod step;
mod switch;

pub(super) use journal::JOURNAL;
pub use recover::{Recovered, interrupted};
pub use stage::{Change, Staged, change, stage, stage_over};
pub use switch::{FileSet, Output};

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// How the names of files with new content begin.
pub(super) const TEMPORARY: &str = ".sweepdoc-";

/// A temporary file with the permissions any other new file would get there; by themselves they are private.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Forces a folder's names to disk: a rename is not there for certain before that.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

/// Forces a folder's names to disk; other systems do that by themselves.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests;
