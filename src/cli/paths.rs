//! Finding the project file.

use std::path::Path;

use crate::config::Config;
use crate::model::{Fault, Place, Result};

/// The project file given, or the one found from a folder upwards; `None` when there is none.
///
/// # Errors
///
/// Fails when the file cannot be read or is not valid.
pub fn load_config(given: Option<&Path>, start: &Path) -> Result<Option<Config>> {
    if given.is_none() && !start.as_os_str().is_empty() && start.as_os_str() != "-" {
        std::fs::metadata(start).map_err(|e| Fault::io(start, "read", e))?;
    }
    let folder = if start.is_dir() { Some(start) } else { start.parent().filter(|p| !p.as_os_str().is_empty()) };
    match given.map(Path::to_path_buf).or_else(|| Config::find(folder.unwrap_or(Path::new(".")))) {
        Some(path) => Config::load(&path).map(Some),
        None => Ok(None),
    }
}

/// As [`load_config`], for commands that need one.
///
/// # Errors
///
/// Fails when there is none.
pub fn need_config(given: Option<&Path>, start: &Path) -> Result<Config> {
    load_config(given, start)?.ok_or_else(|| {
        Fault::at(Place::file(start), "expected a `sweepdoc.toml` here or in a parent folder, found none")
            .hint("`sweepdoc init` writes one to start from")
    })
}
