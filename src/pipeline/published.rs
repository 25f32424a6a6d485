//! Pages that were published before, with what lies beside them.

use std::path::{Path, PathBuf};

use super::files::entries;
use crate::ingest::chart_rows;
use crate::model::{Evidence, Fault, Result, Window};

/// Every page below a folder (or the page itself), in order of path. Files that begin with `_` are no pages.
///
/// # Errors
///
/// Fails when a folder cannot be listed.
pub fn pages_below(path: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    if path.is_dir() {
        let mut inside = entries(path)?;
        inside.sort();
        for entry in inside {
            pages.extend(pages_below(&entry)?);
        }
    } else if is_page(path) {
        pages.push(path.to_path_buf());
    }
    Ok(pages)
}

pub(super) fn is_page(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let readable = path.extension().is_some_and(|e| e == "mdx" || e == "md");
    readable && !name.starts_with('_') && !name.eq_ignore_ascii_case("readme.md")
}

/// The windows of published pages: from the evidence beside each, else from its chart data. Pages with neither are left out.
///
/// # Errors
///
/// Fails when a file beside a page cannot be read.
pub fn published_windows(path: &Path) -> Result<Vec<(String, Window)>> {
    let mut windows = Vec::new();
    for page in pages_below(path)? {
        let folder = page.parent().unwrap_or(Path::new(""));
        if let Some(evidence) = read(&folder.join("evidence.json"))?
            && let Ok(evidence) = serde_json::from_str::<Evidence>(&evidence)
            && let Some(window) = evidence.window
        {
            windows.push((evidence.target, window.window()));
        } else if let Some(chart) = read(&folder.join("output.json"))? {
            let rows = chart_rows::read(&chart, &folder.join("output.json"))?;
            let seconds = || rows.iter().map(|row| row.time.unix_seconds());
            if let (Some(start), Some(end)) = (seconds().min(), seconds().max()) {
                let target = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                windows.push((target, Window { start, end }));
            }
        }
    }
    Ok(windows)
}

fn read(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::io(path, "read", e)),
    }
}
