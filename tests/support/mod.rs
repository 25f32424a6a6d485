//! What several tests share.
#![allow(dead_code)]

pub mod cloud;
pub mod docs;
pub mod k6;
pub mod pages;
pub mod site;
pub mod sweep;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The project's shared data, which a user's clone does not have.
pub fn shared(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(part);
    path.exists().then_some(path)
}

/// A folder of the bundled fixtures.
pub fn fixture(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(part)
}

/// A JSON file.
pub fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every run of the shared real runs that has a `truth.json`, in order of name.
pub fn real_runs() -> Vec<PathBuf> {
    let Some(root) = shared("real-runs") else { return Vec::new() };
    let entries = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut runs: Vec<PathBuf> = entries.filter(|path| path.join("truth.json").exists()).collect();
    runs.sort();
    runs
}

/// Equal within `relative` of the larger, or both exactly zero.
pub fn close(a: f64, b: f64, relative: f64) -> bool {
    a == b || (a - b).abs() <= relative * a.abs().max(b.abs())
}

/// Runs the binary.
pub fn run(args: &[&str]) -> std::process::Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_sweepdoc")).args(args).output().unwrap()
}

/// Runs the binary and expects exit code 0; returns what it printed to stdout.
pub fn run_ok(args: &[&str]) -> String {
    let output = run(args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "sweepdoc {}: {stderr}", args.join(" "));
    String::from_utf8(output.stdout).unwrap()
}
