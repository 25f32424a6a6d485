//! The documents, and a scratch copy of the example to run what they show.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// True when documents are to be rewritten instead of compared.
pub fn blessing() -> bool {
    std::env::var_os("SWEEPDOC_BLESS").is_some()
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The README and everything in `docs/`, by name relative to the repository.
pub fn documents() -> Vec<String> {
    let mut names = vec!["README.md".to_owned()];
    for entry in std::fs::read_dir(path("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names.sort();
    names
}

/// A document's text.
pub fn document(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Holds a document against what it should say, or with `SWEEPDOC_BLESS=1` makes it say that.
pub fn expect(name: &str, wanted: &str) {
    if blessing() {
        std::fs::write(path(name), wanted).unwrap();
    } else if std::fs::read_to_string(path(name)).ok().as_deref() != Some(wanted) {
        let found = std::fs::read_to_string(path(name)).unwrap_or_default();
        let differs = found.lines().zip(wanted.lines()).position(|(a, b)| a != b);
        let at = differs.unwrap_or_else(|| found.lines().count().min(wanted.lines().count()));
        panic!(
            "{name}:{}: stale\n found: {}\nwanted: {}\nhint: `SWEEPDOC_BLESS=1 cargo test` rewrites it; look at the diff",
            at + 1,
            found.lines().nth(at).unwrap_or("(end)"),
            wanted.lines().nth(at).unwrap_or("(end)")
        );
    }
}

/// A text with what stands between `<!-- generated: NAME -->` and `<!-- /generated -->` replaced.
pub fn with_section(document: &str, name: &str, content: &str) -> String {
    let open = format!("<!-- generated: {name} -->\n");
    let (before, rest) = document.split_once(&open).unwrap_or_else(|| panic!("no section `{name}`"));
    let (_, after) = rest.split_once("<!-- /generated -->").unwrap_or_else(|| panic!("section `{name}` has no end"));
    format!("{before}{open}\n{}\n\n<!-- /generated -->{after}", content.trim())
}

/// The first column of the table below a heading, without backticks.
pub fn first_column(document: &str, heading: &str) -> Vec<String> {
    let (_, below) = document.split_once(&format!("{heading}\n")).unwrap_or_else(|| panic!("no heading `{heading}`"));
    let table = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cell = |line: &str| line.split('|').nth(1).unwrap_or_default().trim().trim_matches('`').to_owned();
    table.skip(2).map(cell).collect()
}

/// A `gh` that keeps the text of one pull request in the file `.pull-request` of the folder it is called in.
pub const GH: &str = r#"#!/bin/sh
case "$1 $2" in
  "pr view") cat .pull-request && echo ;;
  "pr edit")
    [ "$3" = --body-file ] || exit 1
    if [ "$4" = - ]; then cat > .pull-request; else cp "$4" .pull-request; fi ;;
  *) echo "gh: unknown: $*" >&2; exit 1 ;;
esac
"#;

/// Writes an executable file.
pub fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A folder with a copy of `fixtures/`, and with `my-sweep/`: the runs of the example without its project file.
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Copies the example.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&path("fixtures"), &folder.path().join("fixtures"));
        let sweep = path("fixtures/sweep");
        let runs = std::fs::read_dir(&sweep).unwrap().map(|entry| entry.unwrap().path());
        for run in runs.filter(|run| run.join("terminal.log").exists()) {
            copy(&run, &folder.path().join("my-sweep").join(run.file_name().unwrap()));
        }
        std::fs::copy(sweep.join("flags.json"), folder.path().join("my-sweep/flags.json")).unwrap();
        executable(&folder.path().join(".bin/gh"), GH);
        std::fs::write(folder.path().join(".pull-request"), "Results of the sweep.").unwrap();
        Scratch { folder }
    }

    /// A path below it.
    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Runs a line of shell with `sweepdoc` on the path.
    pub fn shell(&self, line: &str) -> Output {
        let binary = Path::new(env!("CARGO_BIN_EXE_sweepdoc")).parent().unwrap();
        let stand_ins = self.folder.path().join(".bin");
        let rest = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{}:{rest}", stand_ins.display(), binary.display());
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.folder.path());
        shell.env("PATH", path).env("HOME", self.folder.path()).env_remove("SWEEPDOC_BLESS");
        shell.output().unwrap()
    }

    /// Runs the program and expects it to succeed; its standard output.
    pub fn sweepdoc(&self, arguments: &str) -> String {
        let output = self.shell(&format!("sweepdoc {arguments}"));
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "sweepdoc {arguments}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A file's text.
    pub fn read(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap_or_else(|e| panic!("{below}: {e}"))
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        let target = to.join(entry.file_name().unwrap());
        match entry.is_dir() {
            true => copy(&entry, &target),
            false => std::fs::copy(&entry, &target).map(|_| ()).unwrap(),
        }
    }
}
