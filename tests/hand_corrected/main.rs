//! A person's row in place of the generated one, on pages published from real runs: what is true has no finding, and each
//! figure made false is found on that row. The data beside the page is enough; what the row says comes from `truth.json`
//! and from the server's own record of what it did wrong.

#![allow(clippy::print_stdout)] // how much is found is told to whoever runs the tests

#[path = "../sabotage/harness/mod.rs"]
mod harness;
mod statements;
#[path = "../support/mod.rs"]
mod support;
mod truth;

use std::fs;
use std::path::{Path, PathBuf};

use harness::tally::Tally;
use harness::trial;
use statements::{Statement, statements};
use sweepdoc::check::{Judgement, Severity};
use sweepdoc::ingest::source::Meter;
use sweepdoc::pipeline::{CheckInput, check, pages_below};
use truth::Truth;

/// The runs a row is written for.
const RUNS: [&str; 6] = ["A_", "B_", "D_", "E_", "G_", "Q_"];

const ROW: &str = "Observed errors";

/// One change in so many is tried of those that the mutator makes.
const SAMPLE: u64 = 16;

fn runs() -> Vec<PathBuf> {
    let wanted = |run: &PathBuf| {
        let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        RUNS.iter().any(|wanted| name.starts_with(wanted))
    };
    support::real_runs().into_iter().filter(wanted).collect()
}

/// The page of a run, published into a folder; nothing but the page and its data is left.
fn page_of(run: &Path, folder: &Path) -> PathBuf {
    let out = support::sweep::publish_run(run, folder).unwrap();
    let page = pages_below(&out).unwrap().remove(0);
    for beside in fs::read_dir(page.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()) {
        if !["index.mdx", "output.json", "evidence.json"].iter().any(|kept| beside.ends_with(kept)) {
            fs::remove_file(beside).unwrap();
        }
    }
    page
}

fn with_row(page: &str, text: &str) -> String {
    let line = page.lines().find(|line| line.starts_with(&format!("| {ROW} "))).unwrap();
    page.replacen(line, &format!("| {ROW} | {text} |"), 1)
}

/// Errors and warnings, through the checking of the command.
fn reported(page: &Path) -> Vec<Judgement> {
    let pages = [page.to_path_buf()];
    let input = CheckInput { pages: &pages, evidence: None, against: None, table: None, config: None };
    let judgements = check(&input, &Meter::default()).unwrap().judgements.into_iter().map(|(_, judgement)| judgement);
    judgements.filter(|judgement| judgement.severity >= Some(Severity::Warning)).collect()
}

fn text_of(statements: &[Statement], one_false: Option<(usize, usize)>) -> String {
    let say = |(index, statement): (usize, &Statement)| match one_false {
        Some((which, figure)) if which == index => statement.with_false(figure),
        _ => statement.as_is(),
    };
    statements.iter().enumerate().map(say).collect::<Vec<_>>().join(" ")
}

#[test]
fn true_rows_have_no_finding_and_each_false_figure_is_found_on_that_row() {
    let folder = tempfile::tempdir().unwrap();
    let (mut changed, mut found) = (0, 0);
    let mut sabotaged = Tally::default();
    for run in runs() {
        let name = run.file_name().unwrap().to_string_lossy().into_owned();
        let page = page_of(&run, folder.path());
        let published = fs::read_to_string(&page).unwrap();
        let statements = statements(&Truth::of(&run));
        assert!(statements.len() >= 10, "{name}: {} statements", statements.len());

        fs::write(&page, with_row(&published, &text_of(&statements, None))).unwrap();
        let output = support::run(&["check", page.to_str().unwrap(), "--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // a share cut off as k6 does is a note by its definition
        let findings = report["findings"].as_array().unwrap().iter().filter(|f| f["verdict"] != "truncated");
        assert_eq!(findings.count(), 0, "{name}: {}\n{report:#}", text_of(&statements, None));

        sabotaged.add(trial::of_folder(page.parent().unwrap(), SAMPLE).unwrap());

        let (mut missed, mut tried) = (Vec::new(), 0);
        for (index, statement) in statements.iter().enumerate() {
            for figure in 0..statement.figures.len() {
                fs::write(&page, with_row(&published, &text_of(&statements, Some((index, figure))))).unwrap();
                tried += 1;
                if !reported(&page).iter().any(|judgement| judgement.row == ROW) {
                    missed.push(statement.with_false(figure));
                }
            }
        }
        println!("{name}: {} statements, {} of {tried} false figures found", statements.len(), tried - missed.len());
        missed.iter().for_each(|missed| println!("  not found: {missed}"));
        assert!((tried - missed.len()) * 100 >= tried * 90, "{name}: {missed:#?}");
        (changed, found) = (changed + tried, found + tried - missed.len());
    }
    println!("{found} of {changed} false figures found\n{sabotaged}");
    assert!(sabotaged.rows.reaches(98) && sabotaged.prose.reaches(90), "{sabotaged}");
}
