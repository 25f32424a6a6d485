//! Pages with their wrong cells written anew.

use std::path::PathBuf;

use super::checking::Checked;
use crate::check::{Fix, apply};
use crate::model::{Fault, Place, Result};

/// A page before and after its wrong cells were written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedPage {
    /// The page.
    pub path: PathBuf,
    /// Its text.
    pub before: String,
    /// Its text as it should be.
    pub after: String,
}

/// The pages whose generated cells are wrong, with those cells as the data has them. Nothing is written.
///
/// # Errors
///
/// Fails on a page that can no longer be read, or that has changed since it was checked.
pub fn fixed_pages(checked: &Checked) -> Result<Vec<FixedPage>> {
    let fixed = |(path, fixes): &(PathBuf, Vec<Fix>)| {
        let before = std::fs::read_to_string(path).map_err(|e| Fault::io(path, "read", e))?;
        let after = apply(&before, fixes).ok_or_else(|| {
            Fault::at(Place::file(path), "expected the page as it was checked, found another")
                .hint("run `check --fix` again when nobody else writes it")
        })?;
        Ok(FixedPage { path: path.clone(), before, after })
    };
    checked.fixable.iter().map(fixed).collect()
}
