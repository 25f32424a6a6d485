//! Where a file really goes: links are followed, and never out of the folders the project file names.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::model::{Fault, Place, Result};

/// The folders files may be written below, as given and as they really are.
#[derive(Debug, Clone)]
pub(super) struct Roots(Vec<(PathBuf, PathBuf)>);

impl Roots {
    /// # Errors
    ///
    /// Fails on a folder that cannot be looked at.
    pub(super) fn new(folders: &[PathBuf]) -> Result<Self> {
        folders.iter().map(|root| Ok((root.clone(), real(root)?))).collect::<Result<_>>().map(Roots)
    }

    /// The real path of a file that is to be written: a link within the folders is followed, so that it stays a link.
    ///
    /// # Errors
    ///
    /// Refuses a file that lies, by way of a link, outside the folder it seems to lie in.
    pub(super) fn real(&self, path: &Path) -> Result<PathBuf> {
        let seems_below = self.0.iter().filter(|(given, _)| path.starts_with(given));
        let real = real(path)?;
        match seems_below.into_iter().any(|(_, root)| real.starts_with(root)) {
            true => Ok(real),
            false => {
                Err(Fault::at(Place::file(path), format!("a link leads to `{}`, outside the output", real.display()))
                    .hint("replace the link by a folder, or name the real folder in `[pages]` or with `--out`"))
            }
        }
    }

    /// True for a path that is real and lies below one of the folders; for paths read from a file.
    pub(super) fn hold(&self, path: &Path) -> bool {
        let plain = path.components().all(|part| !matches!(part, Component::ParentDir | Component::CurDir));
        plain && self.0.iter().any(|(_, root)| path.starts_with(root)) && real(path).is_ok_and(|real| real == path)
    }
}

/// A path with every link in it followed; the end of it need not exist yet.
fn real(path: &Path) -> Result<PathBuf> {
    let fault = |e| Fault::io(path, "find", e);
    let mut existing = std::path::absolute(path).map_err(fault)?;
    let mut missing: Vec<OsString> = Vec::new();
    loop {
        match existing.canonicalize() {
            Ok(mut found) => {
                // `..` behind a folder that does not exist yet goes back to where it would stand
                for part in missing.into_iter().rev() {
                    if part == ".." {
                        found.pop();
                    } else {
                        found.push(part)
                    }
                }
                return Ok(found);
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                if existing.is_symlink() {
                    return Err(Fault::at(
                        Place::file(path),
                        format!("the link `{}` leads nowhere", existing.display()),
                    ));
                }
                let last = existing.components().next_back().map(|part| part.as_os_str().to_owned());
                missing.extend(last);
                if !existing.pop() {
                    return Err(fault(e));
                }
            }
            Err(e) => return Err(fault(e)),
        }
    }
}
