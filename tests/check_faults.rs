//! One fault at a time, put into the published example: found on its row, of its kind, as severe as it is.

mod support;

use std::fs;

use serde_json::Value;
use support::site::{Site, lines};
use support::{fixture, run};

#[test]
fn a_line_of_the_block_that_was_changed_is_found_on_its_line() {
    let site = Site::new();
    let text = fs::read_to_string(site.file("sign_in", "index.mdx")).unwrap();
    fs::write(site.file("sign_in", "index.mdx"), text.replace("383 complete", "384 complete")).unwrap();
    // with the evidence against it, and with the other line of the block
    let found = site.findings(&[]);
    let at = text.lines().position(|line| line.starts_with("running (")).unwrap() as u64 + 1;
    assert!(
        found.iter().any(|f| f["kind"] == "block-recorded" && f["line"] == at && f["severity"] == "error"),
        "{found:#?}"
    );
    fs::remove_file(site.file("sign_in", "evidence.json")).unwrap();
    site.expect(&[("sign_in", "k6 output", "block", "warning")]);
}

#[test]
fn a_block_copied_from_another_page_is_found_on_the_page_it_does_not_belong_to() {
    let site = Site::without_evidence();
    let block = |target: &str| {
        let text = fs::read_to_string(site.file(target, "index.mdx")).unwrap();
        let (_, rest) = text.split_once("```bash\n").unwrap();
        rest.split_once("\n```").unwrap().0.to_owned()
    };
    site.edit("place_order", "index.mdx", &block("place_order"), &block("sign_in"));
    let found = site.findings(&[]);
    let identity: Vec<&Value> = found.iter().filter(|f| f["kind"] == "block-identity").collect();
    assert_eq!(identity.len(), 1, "{found:#?}");
    assert!(identity[0]["file"].as_str().unwrap().contains("place_order"));
    assert!(identity[0]["data"].as_str().unwrap().contains("sign_in_duration"));
    assert!(!found.iter().any(|f| f["kind"] == "trends"), "one fault, one finding: {found:#?}");
}

#[test]
fn chart_data_that_was_cut_off_is_found() {
    for site in [Site::new(), Site::without_evidence()] {
        let path = site.file("browse_catalog", "output.json");
        let rows = lines(&path);
        fs::write(&path, format!("{}\n]\n", rows[..62].join("\n").trim_end_matches(','))).unwrap();
        let found = site.findings(&[]);
        let short: Vec<&Value> = found.iter().filter(|f| f["kind"] == "chart-length").collect();
        assert_eq!(short.len(), 1, "{found:#?}");
        assert_eq!(short[0]["row"], "chart data");
        assert_eq!(short[0]["severity"], "error");
    }
}

#[test]
fn trends_that_only_one_of_chart_and_block_has_are_found() {
    let site = Site::new();
    let path = site.file("sign_in", "output.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("refresh_token_duration", "renew_token_duration")).unwrap();
    site.expect(&[("sign_in", "chart data", "trends", "error")]);
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("refresh_token_duration")).collect();
    fs::write(&path, kept.join("\n").replace("},\n]", "}\n]")).unwrap();
    site.expect(&[("sign_in", "chart data", "trends", "warning")]);
}

#[test]
fn chart_data_of_another_run_and_none_at_all_are_found() {
    let site = Site::new();
    let path = site.file("sign_in", "output.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("2026-11-30", "2026-11-29")).unwrap();
    site.expect(&[("sign_in", "chart data", "chart-window", "error")]);
    fs::write(&path, text.replace("+00", "")).unwrap();
    site.expect(&[("sign_in", "chart data", "chart-data", "warning")]);
    fs::remove_file(&path).unwrap();
    site.expect(&[]);
}

#[test]
fn an_hour_between_row_and_chart_is_found_without_evidence() {
    let site = Site::without_evidence();
    site.edit("sign_in", "index.mdx", "| Test start | 2026-11-30 17:02:48 UTC |", "| Test start | 18:02 UTC |");
    site.edit("sign_in", "index.mdx", "| Test end | 2026-11-30 17:03:18 UTC |\n", "");
    site.expect(&[("sign_in", "Test start", "window", "error")]);
    let found = site.findings(&[]);
    let start = found.iter().find(|f| f["row"] == "Test start").unwrap();
    assert!(start["explanation"].as_str().unwrap().contains("local time labelled UTC"), "{found:#?}");
    site.edit("sign_in", "index.mdx", "18:02 UTC", "17:02 UTC");
    site.expect(&[]);
}

#[test]
fn failures_nobody_reports_are_found() {
    for (text, severity) in [("", "error"), ("none", "error"), ("The database was busy", "error")] {
        let site = Site::new();
        let path = site.file("search", "index.mdx");
        let rows: Vec<String> =
            lines(&path)
                .into_iter()
                .map(|line| {
                    if line.starts_with("| Observed errors |") { format!("| Observed errors | {text} |") } else { line }
                })
                .collect();
        fs::write(&path, rows.join("\n") + "\n").unwrap();
        site.expect(&[("search", "Observed errors", "unreported-errors", severity)]);
    }
}

#[test]
fn runs_that_overlap_as_stated_are_found_on_both_pages() {
    let site = Site::without_evidence();
    site.edit("sign_in", "index.mdx", "17:02:48 UTC |", "17:02:40 UTC |");
    let found = site.findings(&[]);
    let overlaps: Vec<&Value> = found.iter().filter(|f| f["kind"] == "overlap").collect();
    assert!(overlaps.len() >= 2 && overlaps.iter().all(|f| f["severity"] == "warning"), "{found:#?}");
}

#[test]
fn rows_that_contradict_each_other_are_warnings() {
    let site = Site::without_evidence();
    let page = fs::read_to_string(site.file("sign_in", "index.mdx")).unwrap();
    let outcome = page.lines().find(|line| line.starts_with("| flowchart outcome")).unwrap();
    let contradicting = "| flowchart outcome | **Potential issues.** Not resource-bound: lock waits |";
    site.edit("sign_in", "index.mdx", outcome, contradicting);
    site.edit("sign_in", "index.mdx", "CPU: p50 91%", "CPU: p50 31%");
    site.edit("sign_in", "index.mdx", "Server-side: 25 req/s", "Server-side: 25 req/s, latency p50 95ms / p95 2s");
    site.edit("sign_in", "index.mdx", "CPU: 38% median", "CPU: 97% median");
    site.expect(&[
        ("sign_in", "Shop metrics during test", "server-latency", "warning"),
        // nothing is said to have run out, and the rule says that the database did
        ("sign_in", "flowchart outcome", "outcome", "warning"),
        ("sign_in", "flowchart outcome", "outcome", "warning"),
    ]);
    site.edit("sign_in", "index.mdx", "p50 95ms", "p50 45ms");
    site.edit("sign_in", "index.mdx", "CPU: 97%", "CPU: 57%");
    site.expect(&[]);
}

#[test]
fn version_target_and_title_are_held_against_the_page_s_place() {
    let site = Site::without_evidence();
    site.edit("sign_in", "index.mdx", "| Executed test | sign_in |", "| Executed test | search |");
    site.edit("search", "index.mdx", "| Shop Version | v1.4.0 |", "| Shop Version | v1.5.0 |");
    site.edit("browse_catalog", "index.mdx", "title: browse catalog benchmark", "title: Catalogue benchmark");
    site.expect(&[
        ("browse_catalog", "page", "title", "note"),
        ("search", "Shop Version", "version", "error"),
        ("sign_in", "Executed test", "target", "error"),
    ]);
}

#[test]
fn tables_and_pages_readers_would_not_see_are_warnings() {
    let site = Site::without_evidence();
    site.edit("sign_in", "index.mdx", "| :--- | :--- |", "| :--- |: --- |");
    site.edit("search", "index.mdx", "## Results", "Latency <200ms\n\n## Results");
    let found = site.findings(&[]);
    let form: Vec<&Value> = found.iter().filter(|f| f["kind"] == "form").collect();
    assert_eq!(form.len(), 2, "{found:#?}");
    assert!(form.iter().all(|f| f["severity"] == "warning"));
}

#[test]
fn what_was_right_for_the_older_pages_is_stale() {
    let site = Site::new();
    let old = Site::new();
    // the older run was another one
    let evidence = old.file("sign_in", "evidence.json");
    let text = fs::read_to_string(&evidence).unwrap();
    fs::write(&evidence, text.replace("12.587775", "14.587775")).unwrap();
    site.edit("sign_in", "index.mdx", "per second | 13 |", "per second | 15 |");
    let against = old.pages();
    let found = site.findings(&["--against", against.to_str().unwrap()]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((&found[0]["verdict"], &found[0]["severity"]), (&"stale".into(), &"warning".into()));
    site.expect(&[("sign_in", "k6 Iterations per second", "rate", "error")]);
}

#[test]
fn rates_cut_off_instead_of_rounded_are_notes() {
    let site = Site::new();
    for (stated, verdict) in [("12", "truncated"), ("12.59", "rounded"), ("12.58", "truncated")] {
        site.edit("sign_in", "index.mdx", "per second | 13 |", &format!("per second | {stated} |"));
        let found = site.findings(&[]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!((&found[0]["verdict"], &found[0]["severity"]), (&verdict.into(), &"note".into()));
        site.edit("sign_in", "index.mdx", &format!("per second | {stated} |"), "per second | 13 |");
    }
}

#[test]
fn the_project_file_leaves_rows_alone_and_sets_severities() {
    let site = Site::new();
    site.edit("sign_in", "index.mdx", "| VUs | 5 |", "| VUs | 6 |");
    site.edit("search", "index.mdx", "per second | 6.2 |", "per second | 7.2 |");
    let config = site.folder.path().join("sweepdoc.toml");
    let text =
        "product = \"Shop\"\nversion = \"v1.4.0\"\n[check]\nignore = [\"vus\"]\n[check.severity]\nrate = \"warning\"\n";
    fs::write(&config, text).unwrap();
    site.expect(&[("search", "k6 Iterations per second", "rate", "warning")]);
    fs::write(&config, text.replace("\"warning\"", "\"off\"")).unwrap();
    site.expect(&[]);
}

#[test]
fn a_second_copy_of_the_chart_data_has_to_be_the_same() {
    let site = Site::new();
    let config = site.folder.path().join("sweepdoc.toml");
    let text =
        "product = \"Shop\"\nversion = \"v1.4.0\"\n[pages]\nout = \"docs\"\nmirror = \"../data/{target}.json\"\n";
    fs::write(&config, text).unwrap();
    fs::create_dir_all(site.folder.path().join("data")).unwrap();
    let copy = site.folder.path().join("data/sign_in.json");
    fs::copy(site.file("sign_in", "output.json"), &copy).unwrap();
    site.expect(&[]);
    fs::write(&copy, "[]\n").unwrap();
    site.expect(&[("sign_in", "chart data", "copies", "error")]);
}

#[test]
fn raw_output_given_as_evidence_decides_without_anything_beside_the_page() {
    let site = Site::without_evidence();
    site.edit(
        "place_order",
        "index.mdx",
        "| Test start | 2026-11-30 17:02:01 UTC |",
        "| Test start | 2026-11-30 17:02:00 UTC |",
    );
    // the row of errors counts from the start that was there before
    let shifted = ("place_order", "Observed errors", "offset", "warning");
    site.expect(&[shifted, shifted]);
    let sweep = fixture("sweep");
    let found = site.findings(&["--evidence", sweep.to_str().unwrap()]);
    let start: Vec<&Value> = found.iter().filter(|f| f["row"] == "Test start").collect();
    assert_eq!(start.len(), 1, "{found:#?}");
    assert_eq!(start[0]["data"], "2026-11-30 17:02:01 UTC");
}

#[test]
fn annotations_name_file_line_and_title() {
    let site = Site::new();
    site.edit("sign_in", "index.mdx", "| VUs | 5 |", "| VUs | 6 |");
    let pages = site.pages();
    let output = run(&["check", pages.to_str().unwrap(), "--format", "github"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let line = lines(&site.file("sign_in", "index.mdx")).iter().position(|line| line.starts_with("| VUs")).unwrap() + 1;
    let start = format!("::error file={}/sign_in/index.mdx,line={line},col=9,title=VUs%3A wrong::", pages.display());
    assert!(text.starts_with(&start) && text.lines().count() == 1, "{text}");
    assert_eq!(output.status.code(), Some(1));
}
