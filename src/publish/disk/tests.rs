use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::journal::{JOURNAL, Journal, JournalFile, JournalSet};
use super::*;
use crate::publish::fingerprint;

fn open(folder: &Path) -> (Output, Vec<Recovered>) {
    Output::open(folder, &[folder.to_path_buf()], || panic!("nobody else is here")).unwrap()
}

fn write(folder: &Path, files: &[(&str, &str)]) -> Vec<(PathBuf, Change)> {
    let files = files.iter().map(|(name, text)| (folder.join(name), text.as_bytes())).collect();
    open(folder).0.switch(&[FileSet { name: "x", files, read: None }]).unwrap()
}

/// Names of everything in a folder, hidden or not.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A folder as a publish leaves it that was cut off behind its journal: page and evidence old, new ones beside them.
fn interrupted_publish() -> TempDir {
    let out = tempfile::tempdir().unwrap();
    let files = ["page", "evidence"].map(|name| {
        fs::write(out.path().join(name), "old").unwrap();
        fs::write(out.path().join(format!(".sweepdoc-{name}")), "new").unwrap();
        let path = out.path().canonicalize().unwrap().join(name);
        JournalFile { path, staged: format!(".sweepdoc-{name}"), before: Some(fingerprint(b"old")) }
    });
    let set = JournalSet { name: "run".to_owned(), files: files.to_vec() };
    Journal::new(vec![set]).write(&out.path().canonicalize().unwrap()).unwrap();
    out
}

fn contents(out: &TempDir) -> [String; 2] {
    ["page", "evidence"].map(|name| fs::read_to_string(out.path().join(name)).unwrap())
}

#[test]
fn files_are_written_and_nothing_else_stays() {
    let out = tempfile::tempdir().unwrap();
    let changes = write(out.path(), &[("a/page", "1"), ("a/evidence", "2")]);
    assert!(changes.iter().all(|(_, change)| *change == Change::Create));
    let changes: Vec<Change> =
        write(out.path(), &[("a/page", "1"), ("a/evidence", "3")]).into_iter().map(|(_, c)| c).collect();
    assert_eq!(changes, [Change::Nothing, Change::Replace]);
    assert_eq!(fs::read_to_string(out.path().join("a/evidence")).unwrap(), "3");
    assert_eq!(
        (names(out.path()), names(&out.path().join("a"))),
        (vec!["a".to_owned()], vec!["evidence".to_owned(), "page".to_owned()])
    );
}

#[test]
fn what_an_interrupted_publish_had_not_journalled_is_cleared_away() {
    let out = tempfile::tempdir().unwrap();
    fs::write(out.path().join(".sweepdoc-left"), "x").unwrap();
    write(out.path(), &[("page", "1")]);
    assert_eq!(names(out.path()), ["page"]);
}

#[test]
fn an_interrupted_publish_is_finished() {
    let out = interrupted_publish();
    assert!(interrupted(&out.path().join("deep/below")));
    assert_eq!(open(out.path()).1, [Recovered::Finished("run".to_owned())]);
    assert_eq!(contents(&out), ["new", "new"]);
    assert_eq!(names(out.path()), ["evidence", "page"]);
    assert!(!interrupted(out.path()));
}

#[test]
fn one_that_was_half_switched_is_finished_too() {
    let out = interrupted_publish();
    fs::rename(out.path().join(".sweepdoc-page"), out.path().join("page")).unwrap();
    // an edit of the new page is not undone
    fs::write(out.path().join("page"), "new, edited").unwrap();
    assert_eq!(open(out.path()).1, [Recovered::Finished("run".to_owned())]);
    assert_eq!(contents(&out), ["new, edited", "new"]);
}

#[test]
fn one_whose_page_was_edited_since_is_undone() {
    let out = interrupted_publish();
    fs::write(out.path().join("page"), "old, edited").unwrap();
    assert_eq!(open(out.path()).1, [Recovered::Undone("run".to_owned())]);
    assert_eq!(contents(&out), ["old, edited", "old"]);
    assert_eq!(names(out.path()), ["evidence", "page"]);
}

#[test]
fn a_journal_that_names_files_elsewhere_is_refused() {
    for (path, staged) in
        [("../victim", ".sweepdoc-x"), ("/etc/victim", ".sweepdoc-x"), ("page", "../.sweepdoc-x"), ("page", "x")]
    {
        let out = tempfile::tempdir().unwrap();
        let text = format!(
            r#"{{"schema":"sweepdoc/journal/1","sets":[{{"name":"x","files":[{{"path":"{path}","staged":"{staged}"}}]}}]}}"#
        );
        fs::write(out.path().join(JOURNAL), text).unwrap();
        let fault = Output::open(out.path(), &[out.path().to_path_buf()], || ()).unwrap_err();
        assert!(fault.to_string().contains("expected files below the output folder"), "{fault}");
    }
}

#[test]
fn a_journal_that_cannot_be_read_is_an_error() {
    for text in ["", "{}", r#"{"schema":"sweepdoc/journal/9","sets":[]}"#] {
        let out = tempfile::tempdir().unwrap();
        fs::write(out.path().join(JOURNAL), text).unwrap();
        let fault = Output::open(out.path(), &[out.path().to_path_buf()], || ()).unwrap_err();
        assert_eq!(fault.hint.as_deref(), Some("remove it and publish again"), "{fault}");
    }
}

#[test]
fn two_do_not_write_at_once() {
    let out = tempfile::tempdir().unwrap();
    let (first, _) = open(out.path());
    let folder = out.path().to_path_buf();
    let (sender, receiver) = std::sync::mpsc::channel();
    let second = std::thread::spawn(move || {
        Output::open(&folder, std::slice::from_ref(&folder), || sender.send(()).unwrap()).map(|_| ())
    });
    receiver.recv().unwrap();
    assert!(!second.is_finished());
    drop(first);
    second.join().unwrap().unwrap();
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let out = tempfile::tempdir().unwrap();
    write(out.path(), &[("page", "1")]);
    fs::set_permissions(out.path().join("page"), fs::Permissions::from_mode(0o640)).unwrap();
    write(out.path(), &[("page", "2")]);
    assert_eq!(fs::metadata(out.path().join("page")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_output_and_refused_out_of_it() {
    use std::os::unix::fs::symlink;
    let (out, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::create_dir(out.path().join("real")).unwrap();
    symlink("real", out.path().join("linked")).unwrap();
    write(out.path(), &[("linked/page", "1")]);
    assert_eq!(fs::read_to_string(out.path().join("real/page")).unwrap(), "1");

    symlink(elsewhere.path(), out.path().join("folder")).unwrap();
    fs::write(elsewhere.path().join("file"), "theirs").unwrap();
    symlink(elsewhere.path().join("file"), out.path().join("file")).unwrap();
    symlink("nowhere", out.path().join("dangling")).unwrap();
    for name in ["folder/page", "file", "dangling"] {
        let files = vec![(out.path().join(name), b"ours".as_slice())];
        let fault = open(out.path()).0.switch(&[FileSet { name: "x", files, read: None }]).unwrap_err();
        assert!(fault.to_string().contains("link"), "{fault}");
    }
    assert_eq!(fs::read_to_string(elsewhere.path().join("file")).unwrap(), "theirs");
    assert_eq!(names(elsewhere.path()), ["file"]);
}

#[test]
fn a_single_file_is_replaced_whole() {
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("deep/file");
    assert_eq!(stage(&path, b"1").unwrap().commit().unwrap(), Change::Create);
    assert_eq!(stage(&path, b"2").unwrap().commit().unwrap(), Change::Replace);
    assert_eq!((fs::read(&path).unwrap(), names(path.parent().unwrap())), (b"2".to_vec(), vec!["file".to_owned()]));
}

#[test]
fn what_somebody_wrote_while_new_content_was_made_is_not_overwritten() {
    let out = tempfile::tempdir().unwrap();
    write(out.path(), &[("page", "as read"), ("evidence", "old")]);
    let switch = |read: &str| {
        let files = [("page", "new"), ("evidence", "new")].map(|(name, text)| (out.path().join(name), text.as_bytes()));
        open(out.path()).0.switch(&[FileSet { name: "x", files: files.to_vec(), read: Some(read.as_bytes()) }])
    };
    fs::write(out.path().join("page"), "as read, edited").unwrap();
    let fault = switch("as read").unwrap_err();
    assert!(fault.to_string().contains("somebody changed it meanwhile"), "{fault}");
    assert_eq!(contents(&out), ["as read, edited", "old"]);
    assert_eq!(names(out.path()), ["evidence", "page"]);
    switch("as read, edited").unwrap();
    assert_eq!(contents(&out), ["new", "new"]);
}

#[test]
fn a_single_file_that_changed_since_it_was_read_stays() {
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("body.md");
    fs::write(&path, "as read").unwrap();
    let staged = stage_over(&path, b"as read", b"new").unwrap();
    fs::write(&path, "as read, edited").unwrap();
    assert!(staged.commit().unwrap_err().to_string().contains("somebody changed it meanwhile"));
    assert_eq!(
        (fs::read(&path).unwrap(), names(out.path())),
        (b"as read, edited".to_vec(), vec!["body.md".to_owned()])
    );
    let again = stage_over(&path, b"as read, edited", b"new").unwrap();
    assert_eq!(again.commit().unwrap(), Change::Replace);
}
