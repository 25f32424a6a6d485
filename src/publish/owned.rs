//! A folder whose files are all the program's: what it no longer writes there goes, what anybody else put there stays.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use super::disk::{JOURNAL, TEMPORARY};
use super::{FileSet, Output, fingerprint};
use crate::model::{Fault, Result};

/// The list of what was written, in the folder itself.
const LIST: &str = "preview.json";
const INDEX: &str = "index.html";
const SCHEMA: &str = "sweepdoc/preview/1";

/// What was written, by path below the folder, with the fingerprint of each file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    schema: String,
    files: BTreeMap<String, String>,
}

/// Writes files into a folder, by path below it with `/`, and removes those an earlier call wrote that are not among them.
///
/// The files switch together, the index first, by which the folder is known again: whatever interrupts that, the next call
/// finishes it before anything else. A file is removed only where it still holds what was written: whatever a person put there
/// or changed stays. `waits` is called when another process writes there.
///
/// # Errors
///
/// Fails when a file cannot be written or removed, or lies outside the folder by way of a link.
pub fn write_owned(folder: &Path, files: &[(String, String)], waits: impl FnOnce()) -> Result<()> {
    let (output, _) = Output::open(folder, &[folder.to_path_buf()], waits)?;
    let before = read(folder);
    let of = |(path, text): &(String, String)| (path.clone(), fingerprint(text.as_bytes()));
    let mut now = Written { schema: SCHEMA.to_owned(), files: files.iter().map(of).collect() };
    let gone: Vec<(String, String)> =
        before.files.into_iter().filter(|(path, _)| !now.files.contains_key(path)).collect();
    // until they are removed they stay on the list: an interruption must not make them anybody's
    now.files.extend(gone.iter().cloned());
    let list = now.text();
    let file = |path: &str, text| (folder.join(path), str::as_bytes(text));
    let (index, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| path == INDEX);
    let all = index.into_iter().chain(others).map(|(path, text)| file(path, text)).chain([file(LIST, &list)]).collect();
    output.switch(&[FileSet { name: "preview", files: all, read: None }])?;
    if gone.is_empty() {
        return Ok(());
    }
    gone.iter().try_for_each(|(path, written)| remove(folder, path, written))?;
    now.files.retain(|path, _| files.iter().any(|(kept, _)| kept == path));
    let list = now.text();
    output.switch(&[FileSet { name: "preview", files: vec![file(LIST, &list)], read: None }]).map(|_| ())
}

/// True for a folder that holds nothing but what an interrupted [`write_owned`] had begun, or nothing at all, or is not there.
///
/// # Errors
///
/// Fails when a folder cannot be looked into.
pub fn holds_nothing(folder: &Path) -> Result<bool> {
    let fault = |e| Fault::io(folder, "look into the folder", e);
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(true),
        entries => entries.map_err(fault)?,
    };
    for entry in entries {
        let entry = entry.map_err(fault)?;
        let is_folder = entry.file_type().map_err(fault)?.is_dir();
        let name = entry.file_name();
        let is_own = name == JOURNAL || name.to_string_lossy().starts_with(TEMPORARY);
        let is_empty = is_folder && holds_nothing(&entry.path())?;
        if !is_empty && (is_folder || !is_own) {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Written {
    fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// What an earlier call wrote; nothing where nobody can tell.
fn read(folder: &Path) -> Written {
    let bytes = fs::read(folder.join(LIST)).unwrap_or_default();
    serde_json::from_slice(&bytes).ok().filter(|written: &Written| written.schema == SCHEMA).unwrap_or_default()
}

/// Removes a file that holds what was written, and the folders it leaves empty.
fn remove(folder: &Path, path: &str, written: &str) -> Result<()> {
    let file = folder.join(path);
    if !lies_below(folder, path) || !fs::read(&file).is_ok_and(|bytes| fingerprint(&bytes) == written) {
        return Ok(());
    }
    match fs::remove_file(&file) {
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(Fault::io(&file, "remove", e)),
        _ => {}
    }
    let emptied = file.ancestors().skip(1).take_while(|parent| *parent != folder);
    // the first that holds something else cannot be removed, nor can any above it
    emptied.take_while(|parent| fs::remove_dir(parent).is_ok()).for_each(drop);
    Ok(())
}

/// True for a path that stays in the folder, also by way of links: the list is a file anybody can write.
fn lies_below(folder: &Path, path: &str) -> bool {
    let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let parent = folder.join(path).parent().and_then(|parent| parent.canonicalize().ok());
    let below = || folder.canonicalize().ok().zip(parent).is_some_and(|(folder, parent)| parent.starts_with(folder));
    plain && !path.is_empty() && below()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_is_no_longer_written_goes_with_the_folders_it_leaves_empty() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        write_owned(folder.path(), &files(&[("index.html", "1"), ("a/b/x.html", "2"), ("a/y.html", "3")]), || ())
            .unwrap();
        write_owned(folder.path(), &files(&[("index.html", "1"), ("a/y.html", "4")]), || ()).unwrap();
        assert!(!at("a/b").exists() && at("index.html").exists());
        assert_eq!(fs::read_to_string(at("a/y.html")).unwrap(), "4");
    }

    #[test]
    fn what_a_person_put_there_or_changed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        write_owned(folder.path(), &files(&[("a/x.html", "1"), ("a/y.html", "2"), ("b/z.html", "3")]), || ()).unwrap();
        fs::write(at("a/x.html"), "changed").unwrap();
        fs::write(at("b/notes.txt"), "mine").unwrap();
        write_owned(folder.path(), &files(&[("index.html", "4")]), || ()).unwrap();
        assert_eq!(fs::read_to_string(at("a/x.html")).unwrap(), "changed");
        assert!(at("b/notes.txt").exists() && !at("b/z.html").exists() && !at("a/y.html").exists());
    }

    #[test]
    fn a_list_that_names_files_elsewhere_removes_none_of_them() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("preview");
        fs::create_dir(&folder).unwrap();
        let other = outside.path().join("other");
        fs::write(&other, "mine").unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.join("link")).unwrap();
        let mark = fingerprint(b"mine");
        for path in ["../other", "link/other", &other.to_string_lossy(), "./../other", ""] {
            let list = serde_json::json!({"schema": SCHEMA, "files": {path: mark}}).to_string();
            fs::write(folder.join(LIST), list).unwrap();
            write_owned(&folder, &files(&[("index.html", "1")]), || ()).unwrap();
            assert!(other.exists(), "{path}");
        }
    }

    #[test]
    fn a_list_nobody_can_read_removes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        write_owned(folder.path(), &files(&[("x.html", "1")]), || ()).unwrap();
        fs::write(folder.path().join(LIST), "{\"schema\":\"other/9\",\"files\":{}}").unwrap();
        write_owned(folder.path(), &files(&[("y.html", "1")]), || ()).unwrap();
        assert!(folder.path().join("x.html").exists());
    }
}
