//! Changed figures of published pages are reported on their row, and unchanged pages have no finding.
//!
//! A sample of the changes is tried here; `cargo run --release --example sabotage -- PAGES` tries them all.

#![allow(clippy::print_stdout)] // how much is found is told to whoever runs the tests

mod harness;
#[path = "../support/mod.rs"]
mod support;

use harness::tally::Tally;
use harness::trial;
use support::{fixture, real_runs, run_ok, shared, sweep};

/// One change in so many is tried on pages of shared data.
const SAMPLE: u64 = 24;

fn assert_recall(tally: &Tally) {
    println!("{tally}");
    assert!(tally.rows.reaches(98), "rows: {}\n{:#?}", tally.rows, tally.missed);
    assert!(tally.prose.reaches(90), "prose: {}\n{:#?}", tally.prose, tally.missed);
}

#[test]
fn changed_figures_of_the_published_example_are_reported_and_it_has_no_findings() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("docs");
    run_ok(&["--quiet", "publish", fixture("sweep").to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let tally = trial::of_folder(&out, 4).unwrap();
    assert_eq!((tally.pages, tally.before.as_slice()), (4, &[][..]));
    assert!(tally.rows.changed > 60, "{tally}");
    assert_recall(&tally);
}

/// The example beside this test, which cargo builds with all tests but not with a single one.
fn example() -> Option<std::path::PathBuf> {
    let deps = std::env::current_exe().ok()?.parent()?.to_path_buf();
    let example = deps.parent()?.join("examples").join(format!("sabotage{}", std::env::consts::EXE_SUFFIX));
    example.exists().then_some(example)
}

#[test]
fn the_example_prints_the_figures_of_any_folder_of_pages() {
    let Some(example) = example() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("docs");
    run_ok(&[
        "--quiet",
        "publish",
        fixture("sweep").to_str().unwrap(),
        "--target",
        "sign_in",
        "--out",
        out.to_str().unwrap(),
    ]);
    let run = |args: &[&str]| std::process::Command::new(&example).args(args).output().unwrap();
    let printed = String::from_utf8(run(&[out.to_str().unwrap()]).stdout).unwrap();
    assert!(printed.starts_with("1 pages, 0 findings on them as they are\n"), "{printed}");
    assert!(printed.contains("\nby kind of claim\n  generated "), "{printed}");
    for args in [&[][..], &["no such folder"][..]] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn changed_figures_of_pages_of_real_runs_are_reported_and_they_have_no_findings() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = Tally::default();
    for run in real_runs() {
        let Some(out) = sweep::publish_run(&run, folder.path()) else { continue };
        all.add(trial::of_folder(&out, SAMPLE).unwrap());
    }
    assert_eq!(all.before, Vec::<String>::new());
    assert_recall(&all);
}

#[test]
fn changed_figures_of_pages_published_long_ago_are_reported() {
    let Some(pages) = shared("real-pages") else { return };
    let tally = trial::of_folder(&pages, SAMPLE / 2).unwrap();
    assert_recall(&tally);
}
