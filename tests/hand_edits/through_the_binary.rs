//! The merge as `publish` does it: files, messages, exit codes.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::k6::{Csv, START};
use crate::support::sweep::{Ran, Sweep};

const PAGE: &str = "v1/pat_login/index.mdx";

/// Raw output of a run with so many users and failed requests.
pub fn run_of(vus: u32, failures: i64) -> String {
    let healthy = Csv::healthy(START, 60).0;
    let without_users: Vec<&str> = healthy.lines().filter(|line| !line.starts_with("vus")).collect();
    let mut csv = Csv(without_users.join("\n") + "\n");
    for second in 0..60 {
        csv.sample("vus", START + second, f64::from(vus), &[]);
        csv.sample("vus_max", START + second, f64::from(vus), &[]);
    }
    (0..failures).for_each(|n| {
        csv.failure(START + 20 + n % 3, 9.5, &[("status", "503"), ("error_code", "1503")]);
    });
    csv.0
}

/// A published run, edited on its page, with other data to be published again.
struct Edited {
    sweep: Sweep,
    page: String,
}

impl Edited {
    fn new(before: String, after: String, edit: impl Fn(&str) -> String) -> Self {
        let sweep = Sweep::new("");
        sweep.write("pat_login/k6.csv", before);
        sweep.publish(&[]).done();
        let page = edit(&sweep.page("pat_login"));
        assert_ne!(page, sweep.page("pat_login"), "the edit changed nothing");
        std::fs::write(sweep.out().join(PAGE), &page).unwrap();
        sweep.write("pat_login/k6.csv", after);
        Edited { sweep, page }
    }

    fn publish(&self, args: &[&str]) -> Ran {
        self.sweep.publish(args)
    }

    fn now(&self) -> String {
        self.sweep.page("pat_login")
    }
}

fn row<'a>(page: &'a str, label: &str) -> &'a str {
    page.lines().find(|line| line.starts_with(&format!("| {label} |"))).unwrap_or_else(|| panic!("no {label}: {page}"))
}

fn with_cell(page: &str, label: &str, cell: &str) -> String {
    page.replace(row(page, label), &format!("| {label} | {cell} |"))
}

const CORRECTED: &str = "6 of 66 requests failed (9.09%): HTTP 503, a **planned** restart";

#[test]
fn a_page_without_the_table_stays_while_its_data_is_new() {
    let edited = Edited::new(run_of(200, 6), run_of(300, 6), |_| "# Ours\r\n\r\nNo table.".to_owned());
    let ran = edited.publish(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "updated the data beside ../docs/v1/pat_login/index.mdx\n"));
    assert!(ran.stderr.contains("has no table with rows such as"), "{}", ran.stderr);
    assert_eq!(edited.now(), edited.page);
    assert_eq!(edited.sweep.evidence("pat_login").k6.vus_max, Some(300));
    let again = edited.publish(&[]);
    assert_eq!((again.code, again.stdout.as_str()), (1, "unchanged ../docs/v1/pat_login/index.mdx\n"));
}

// B15: regeneration destroyed a hand-corrected row (modelcontextprotocol/go-sdk PR #53)
#[test]
fn a_corrected_row_survives_new_data_that_changes_another_one() {
    let edited = Edited::new(run_of(200, 6), run_of(300, 6), |page| with_cell(page, "Observed errors", CORRECTED));
    let ran = edited.publish(&[]).done();
    let now = edited.now();
    let in_block = |line: &str| if line.starts_with("    vus") { line.replace("200", "300") } else { line.to_owned() };
    let expected: Vec<String> = with_cell(&edited.page, "VUs", "300").split('\n').map(in_block).collect();
    assert_eq!(now, expected.join("\n"), "{ran:#?}");
    assert!(ran.stderr.contains("`Observed errors` was edited by hand and stays; generated: "), "{}", ran.stderr);
    assert_eq!(edited.sweep.evidence("pat_login").k6.vus_max, Some(300), "the evidence is of the new data");

    let before = edited.sweep.published();
    edited.publish(&[]).done();
    assert_eq!(edited.sweep.published(), before, "publishing twice changes nothing");
    edited.publish(&["--check"]).done();
}

#[test]
fn a_corrected_row_whose_data_changed_is_a_conflict_and_stays() {
    let edited = Edited::new(run_of(200, 6), run_of(300, 7), |page| with_cell(page, "Observed errors", CORRECTED));
    let ran = edited.publish(&[]);
    assert_eq!(ran.code, 1, "{ran:#?}");
    assert!(row(&edited.now(), "Observed errors").contains(CORRECTED));
    assert_eq!(row(&edited.now(), "VUs"), "| VUs | 300 |");
    let line = edited.now().lines().position(|line| line.contains(CORRECTED)).unwrap() + 1;
    for words in [
        format!("conflict: ../docs/{PAGE}:{line}: `Observed errors` was edited by hand and its data changed"),
        format!("  page:      {CORRECTED}"),
        "  generated: 7 of ".to_owned(),
        "hint: correct the page by hand, or overwrite it with `--force-row \"Observed errors\"`".to_owned(),
    ] {
        assert!(ran.stderr.contains(&words), "{words}: {}", ran.stderr);
    }
    // what the kept text claims is no longer true, and that is said at once
    assert!(
        ran.stderr.contains(&format!("{PAGE}:{line}:")) && ran.stderr.contains("error: `Observed errors` says"),
        "{}",
        ran.stderr
    );
    edited.publish(&["--force-row", "observed errors"]).done();
    assert!(row(&edited.now(), "Observed errors").contains("7 of "));
}

#[test]
fn a_kept_row_that_no_longer_holds_fails_until_somebody_looks() {
    let edited = Edited::new(run_of(200, 6), run_of(300, 6), |page| with_cell(page, "VUs", "**200**"));
    assert_eq!(edited.publish(&[]).code, 1);
    let again = edited.publish(&[]);
    assert_eq!(again.code, 1, "the conflict is told once, the wrong number each time: {again:#?}");
    assert!(!again.stderr.contains("conflict:"), "{}", again.stderr);
}

#[test]
fn a_paragraph_that_no_longer_holds_fails_too() {
    let remark = "In all, 6 of 66 requests failed.\n\n## Endpoint";
    let edited = Edited::new(run_of(200, 6), run_of(200, 7), |page| page.replace("## Endpoint", remark));
    let ran = edited.publish(&[]);
    assert!(ran.code == 1 && ran.stderr.contains("says “66”, evidence.json says 67"), "{ran:#?}");
    assert!(edited.now().contains(remark));
}

#[test]
fn the_outcome_as_json_has_every_piece_and_finding() {
    let edited = Edited::new(run_of(200, 6), run_of(300, 7), |page| with_cell(page, "Observed errors", CORRECTED));
    let ran = edited.publish(&["--format", "json", "--dry-run"]);
    let outcome: Value = serde_json::from_str(&ran.stdout).unwrap();
    let page = &outcome["pages"][0];
    assert_eq!(page["state"], "updated");
    let piece = |name: &str| {
        let pieces = page["pieces"].as_array().unwrap();
        pieces.iter().find(|piece| piece["name"] == name).unwrap_or_else(|| panic!("{pieces:#?}"))
    };
    assert_eq!((&piece("VUs")["state"], &piece("VUs")["generated"]), (&"updated".into(), &"300".into()));
    let errors = piece("Observed errors");
    assert_eq!(
        (&errors["state"], &errors["page"], &errors["kind"]),
        (&"conflict".into(), &CORRECTED.into(), &"row".into())
    );
    assert!(!page["findings"].as_array().unwrap().is_empty());
    let diff = page["diff"].as_str().unwrap();
    assert!(diff.contains("\n-| VUs | 200 |\n+| VUs | 300 |\n") && !diff.contains("+| Observed errors"), "{diff}");
    assert_eq!(edited.now(), edited.page, "nothing is written");
}

#[test]
fn check_mode_fails_on_drift_and_writes_nothing() {
    let edited =
        Edited::new(run_of(200, 6), run_of(300, 6), |page| page.replace("## Endpoint", "A remark.\n\n## Endpoint"));
    let before = edited.sweep.published();
    let ran = edited.publish(&["--check"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "would be updated ../docs/v1/pat_login/index.mdx\n"));
    assert_eq!(edited.sweep.published(), before);
    edited.publish(&[]).done();
    edited.publish(&["--check"]).done();
}

#[test]
fn a_page_without_its_evidence_is_a_persons_once() {
    let edited =
        Edited::new(run_of(200, 6), run_of(300, 6), |page| page.replace("## Endpoint", "A remark.\n\n## Endpoint"));
    std::fs::remove_file(edited.sweep.out().join("v1/pat_login/evidence.json")).unwrap();
    let ran = edited.publish(&[]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("`VUs` differs from what is generated, and no evidence tells who wrote it"),
        "{}",
        ran.stderr
    );
    assert_eq!(edited.now(), edited.page);
}

#[test]
fn a_label_to_force_that_no_page_has_is_refused_before_anything_is_written() {
    let edited =
        Edited::new(run_of(200, 6), run_of(300, 6), |page| page.replace("## Endpoint", "A remark.\n\n## Endpoint"));
    let before = edited.sweep.published();
    edited
        .publish(&["--force-row", "Observed error"])
        .refused(&["`--force-row Observed error`", "did you mean `Observed errors`?"]);
    assert_eq!(edited.sweep.published(), before);
}

#[test]
fn a_page_that_is_no_text_is_refused() {
    let edited =
        Edited::new(run_of(200, 6), run_of(300, 6), |page| page.replace("## Endpoint", "A remark.\n\n## Endpoint"));
    std::fs::write(edited.sweep.out().join(PAGE), b"\xff\xfe").unwrap();
    edited.publish(&[]).refused(&["index.mdx", "expected a page in UTF-8"]);
}

#[test]
fn links_out_of_the_output_are_refused() {
    let sweep = Sweep::new("");
    sweep.write("pat_login/k6.csv", run_of(200, 6));
    let elsewhere: PathBuf = sweep.root().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::create_dir_all(sweep.out()).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&elsewhere, sweep.out().join("v1")).unwrap();
        sweep.publish(&[]).refused(&["a link leads to", "outside the output"]);
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
}
