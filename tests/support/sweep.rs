//! Sweeps in temporary folders, and the binary run over them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sweepdoc::ingest::source::Meter;
use sweepdoc::model::{Evidence, Result};
use sweepdoc::pipeline::{Reduced, RunFiles, Settings, TargetFrom, reduce};
use tempfile::TempDir;

/// How a run of the binary ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Asserts one error on stderr that holds all of these words, and exit code 2.
    #[track_caller]
    pub fn refused(&self, words: &[&str]) {
        assert_eq!(self.code, 2, "{self:#?}");
        let errors: Vec<&str> = self.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        let [error] = errors.as_slice() else { panic!("expected one error, found {self:#?}") };
        for word in words {
            assert!(error.contains(word) || self.hint().contains(word), "`{word}` is missing in {:#?}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }

    /// The hint below the error; empty without one.
    pub fn hint(&self) -> &str {
        self.stderr.lines().find_map(|line| line.strip_prefix("hint: ")).unwrap_or_default()
    }

    /// Asserts exit code 0.
    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }
}

/// The binary with these arguments.
pub fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepdoc"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

/// Runs a command to its end.
pub fn run(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the binary with these arguments.
pub fn sweepdoc(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
    run(command(args))
}

/// A sweep of its own in a temporary folder, to be published beside it.
pub struct Sweep {
    folder: TempDir,
}

impl Sweep {
    /// A sweep without runs. `config` goes behind product and version of its project file.
    pub fn new(config: &str) -> Self {
        let sweep = Sweep { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(sweep.root()).unwrap();
        sweep.write("sweepdoc.toml", format!("product = \"Shop\"\nversion = \"v1\"\n{config}"));
        sweep
    }

    /// A sweep with one run, `pat_login`, of these files.
    pub fn of_run<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let sweep = Sweep::new("");
        for (name, content) in files {
            sweep.write(&format!("pat_login/{name}"), content);
        }
        sweep
    }

    /// The folder of the sweep.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("sweep")
    }

    /// The folder pages go to.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("docs")
    }

    /// Writes a file below the sweep's folder.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// `publish` with the sweep as its working folder, so that no path of this machine is among its arguments.
    pub fn publish_command(&self, args: &[&str]) -> Command {
        let mut command = command(["publish", ".", "--out", "../docs"]);
        command.args(args).current_dir(self.root());
        command
    }

    /// Publishes the sweep.
    pub fn publish(&self, args: &[&str]) -> Ran {
        run(self.publish_command(args))
    }

    /// Everything published, by path below the output folder.
    pub fn published(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        contents(&self.out())
    }

    /// The page of a target.
    pub fn page(&self, target: &str) -> String {
        std::fs::read_to_string(self.out().join("v1").join(target).join("index.mdx")).unwrap()
    }

    /// The published evidence of a target.
    pub fn evidence(&self, target: &str) -> Evidence {
        let text = std::fs::read_to_string(self.out().join("v1").join(target).join("evidence.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

/// Publishes one shared run by itself; `None` when it is one that cannot be published.
pub fn publish_run(run_folder: &Path, folder: &Path) -> Option<PathBuf> {
    let name = run_folder.file_name()?.to_str()?;
    let sweep = folder.join(name);
    std::fs::create_dir_all(&sweep).unwrap();
    std::fs::write(sweep.join("sweepdoc.toml"), "product = \"Shop\"\nversion = \"v1.4.0\"\n").unwrap();
    let log = std::fs::read_to_string(run_folder.join("terminal.log")).unwrap_or_default();
    let stamp = log.split_whitespace().find_map(|word| word.strip_prefix("target="));
    let target = stamp.unwrap_or(name);
    let inside = sweep.join(target);
    std::fs::create_dir_all(&inside).unwrap();
    for file in std::fs::read_dir(run_folder).unwrap().map(|entry| entry.unwrap().path()) {
        let file_name = file.file_name().unwrap();
        if file.is_file() && file_name != "truth.json" && file_name != "server_faults.ndjson" {
            std::fs::copy(&file, inside.join(file_name)).unwrap();
        }
    }
    let out = folder.join(format!("{name}-docs"));
    let ran = sweepdoc(["--quiet", "publish", sweep.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    (ran.code == 0).then_some(out)
}

/// Every file below a folder, by path; empty when there is no such folder.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_path_buf(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Reduces files written into a folder called `pat_login`.
pub fn try_reduce(files: &[(&str, &str)]) -> Result<Reduced> {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("pat_login");
    std::fs::create_dir(&run).unwrap();
    for (name, content) in files {
        std::fs::create_dir_all(run.join(name).parent().unwrap()).unwrap();
        std::fs::write(run.join(name), content).unwrap();
    }
    reduce_paths(&[run])
}

/// As [`try_reduce`], for files that must be readable.
#[track_caller]
pub fn reduced(files: &[(&str, &str)]) -> Reduced {
    try_reduce(files).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Reduces the files or the folder of one run.
pub fn reduce_paths(paths: &[PathBuf]) -> Result<Reduced> {
    reduce(&RunFiles::collect(paths)?, &TargetFrom::StampOrFolder, &Settings::default(), &Meter::default())
}

/// The warnings of a kind.
pub fn warnings<'a>(evidence: &'a Evidence, code: &str) -> Vec<&'a str> {
    evidence.warnings.iter().filter(|w| w.code == code).map(|w| w.message.as_str()).collect()
}
