//! The published example in a folder of its own, to put faults into.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::{fixture, run, run_ok};

/// The published example.
pub struct Site {
    pub folder: TempDir,
}

impl Site {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("docs");
        run_ok(&["--quiet", "publish", fixture("sweep").to_str().unwrap(), "--out", out.to_str().unwrap()]);
        Site { folder }
    }

    pub fn without_evidence() -> Self {
        let site = Site::new();
        for target in ["browse_catalog", "place_order", "search", "sign_in"] {
            fs::remove_file(site.file(target, "evidence.json")).unwrap();
        }
        site
    }

    pub fn pages(&self) -> PathBuf {
        self.folder.path().join("docs/v1.4.0")
    }

    pub fn file(&self, target: &str, name: &str) -> PathBuf {
        self.pages().join(target).join(name)
    }

    pub fn read(&self, target: &str, name: &str) -> String {
        fs::read_to_string(self.file(target, name)).unwrap()
    }

    /// Replaces words that have to be there.
    pub fn edit(&self, target: &str, name: &str, old: &str, new: &str) {
        let path = self.file(target, name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{}: `{old}`", path.display());
        fs::write(path, text.replacen(old, new, 1)).unwrap();
    }

    pub fn findings(&self, more: &[&str]) -> Vec<Value> {
        let pages = self.pages();
        let args = [&["check", pages.to_str().unwrap(), "--format", "json"][..], more].concat();
        let report: Value = serde_json::from_slice(&run(&args).stdout).unwrap();
        report["findings"].as_array().unwrap().clone()
    }

    /// Expects exactly these findings: target, row, kind, severity.
    #[track_caller]
    pub fn expect(&self, expected: &[(&str, &str, &str, &str)]) {
        let findings = self.findings(&[]);
        let of = |f: &Value, key: &str| f[key].as_str().unwrap_or_default().to_owned();
        let target = |f: &Value| of(f, "file").rsplit('/').nth(1).unwrap_or_default().to_owned();
        let found: Vec<[String; 4]> =
            findings.iter().map(|f| [target(f), of(f, "row"), of(f, "kind"), of(f, "severity")]).collect();
        // without evidence the generated sentences are read as prose, and their percentages are cut as k6 cuts them
        let found: Vec<[String; 4]> = found.into_iter().filter(|f| !(f[2] == "share" && f[3] == "note")).collect();
        let expected: Vec<[String; 4]> =
            expected.iter().map(|(a, b, c, d)| [a, b, c, d].map(|word| (*word).to_owned())).collect();
        assert_eq!(found, expected, "{findings:#?}");
    }
}

pub fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}
