//! Who may use whom: reads the `crate::` paths of every module and holds them against `docs/architecture.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

mod support;

/// What each layer may use of the others. The table in `docs/architecture.md` is the same, for people.
const MAY_USE: [(&str, &[&str]); 11] = [
    ("model", &[]),
    ("ingest", &["model", "notation"]),
    ("derive", &["model"]),
    ("notation", &["model"]),
    ("rows", &["model", "notation"]),
    ("config", &["model", "notation", "rows"]),
    ("render", &["model", "notation", "rows", "config"]),
    ("check", &["model", "notation", "rows"]),
    ("publish", &["model", "notation", "rows", "render", "check"]),
    ("pipeline", &["model", "ingest", "derive", "rows", "config", "render", "check"]),
    ("cli", &["model", "ingest", "derive", "notation", "rows", "config", "render", "check", "publish", "pipeline"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

fn layer(path: &Path, src: &Path) -> String {
    let first = path.strip_prefix(src).unwrap().components().next().unwrap();
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The modules a file names after `crate::`, one or several in braces.
fn uses(text: &str) -> BTreeSet<String> {
    let word = |t: &str| t.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for rest in text.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group.split([',', '}']).map(|part| word(part.trim()))),
            None => {
                found.insert(word(rest));
            }
        }
    }
    found
}

/// Without comments and unit tests, which may look anywhere.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    before_tests.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn modules_use_only_the_layers_below_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rules: BTreeMap<&str, &[&str]> = MAY_USE.into_iter().collect();
    let mut wrong = Vec::new();
    for path in sources(&src) {
        let layer = layer(&path, &src);
        let is_test = path.file_name().is_some_and(|name| name == "tests.rs")
            || path.components().any(|c| c.as_os_str() == "tests");
        let Some(allowed) = rules.get(layer.as_str()).filter(|_| !is_test) else { continue };
        for used in uses(&code(&std::fs::read_to_string(&path).unwrap())) {
            if rules.contains_key(used.as_str()) && used != layer && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}", path.strip_prefix(&src).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_documented_table_says_the_same() {
    let document = support::docs::document("docs/architecture.md");
    let (_, below) = document.split_once("## Layers\n").unwrap();
    let table = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let cells = |line: &str| line.split('|').map(str::to_owned).collect::<Vec<_>>();
    let documented: Vec<(Vec<String>, Vec<String>)> =
        table.skip(2).map(cells).map(|cells| (words(&cells[1]), words(&cells[2]))).collect();
    let rules: Vec<(Vec<String>, Vec<String>)> = MAY_USE
        .iter()
        .map(|(layer, used)| (vec![(*layer).to_owned()], used.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(documented, rules);
}

#[test]
fn the_reader_of_use_lines_sees_single_and_grouped_paths() {
    let text = "use crate::model::Time;\nuse crate::{derive, render::page};\nlet x = crate::check::Page;";
    let expected: BTreeSet<String> = ["model", "derive", "render", "check"].iter().map(ToString::to_string).collect();
    // inner parts of a group may add words that are no modules of the crate root
    assert!(uses(text).is_superset(&expected));
}

#[test]
fn only_the_command_line_prints() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&src).into_iter().filter(|path| !matches!(layer(path, &src).as_str(), "cli" | "main")) {
        let code = code(&std::fs::read_to_string(&path).unwrap());
        for printing in ["println!", "eprintln!", "print!(", "eprint!(", "stdout()", "stderr()"] {
            assert!(!code.contains(printing), "{} has {printing}", path.display());
        }
    }
}
