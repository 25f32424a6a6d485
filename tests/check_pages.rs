//! Pages as people leave them: exact places, claims outside the table, input that cannot be used, and what `--fix` does.

mod support;

use std::fs;

use serde_json::Value;
use support::site::Site;
use support::{json, run};

fn text<'a>(finding: &'a Value, key: &str) -> &'a str {
    finding[key].as_str().unwrap_or_default()
}

/// Kinds, rows and explanations of the findings of one page.
fn of_page<'a>(findings: &'a [Value], target: &str) -> Vec<&'a Value> {
    let folder = format!("/{target}/");
    findings.iter().filter(|finding| text(finding, "file").contains(&folder)).collect()
}

/// Asserts a finding above a note with these words of its explanation, on that line.
#[track_caller]
fn has(findings: &[&Value], kind: &str, line: u64, words: &str) {
    let is = |f: &&Value| text(f, "kind") == kind && f["line"] == line && text(f, "explanation").contains(words);
    assert!(findings.iter().any(|f| is(f) && text(f, "severity") != "note"), "{kind} {line} {words}: {findings:#?}");
}

/// The line of a text that holds these words, and the column they begin at.
fn place(text: &str, words: &str) -> (u64, u64) {
    let (line, found) = text.lines().enumerate().find(|(_, line)| line.contains(words)).unwrap();
    let before = found.trim_start_matches('\u{feff}');
    let column = before.get(..before.find(words).unwrap()).unwrap().chars().count();
    (line as u64 + 1, column as u64 + 1)
}

#[test]
fn claims_outside_the_table_are_judged_where_they_stand() {
    let notes = "## Notes\n\n{/* 1 of 5 requests failed */}\n\n> Ça va: of all requests\n> 7 of 560 requests failed,\n> as **9 of 560 checks failed** too.\n\n\
                 <Note>\n    - 8 of 560 requests failed\n    - `6 of 560 requests failed`\n</Note>\n\n## Latencies";
    for ends in ["\n", "\r\n"] {
        let site = Site::new();
        let path = site.file("search", "index.mdx");
        let page = site.read("search", "index.mdx").replace("## Latencies", notes).replace('\n', ends);
        fs::write(&path, format!("\u{feff}{page}")).unwrap();
        let findings = site.findings(&[]);
        let places: Vec<(u64, u64, &str)> = findings
            .iter()
            .map(|f| (f["line"].as_u64().unwrap(), f["column"].as_u64().unwrap(), text(f, "row")))
            .collect();
        let expected =
            ["7 of 560 requests", "9 of 560 checks failed** too", "8 of 560 requests"].map(|words| place(&page, words));
        let expected: Vec<(u64, u64, &str)> = expected.iter().map(|(line, column)| (*line, *column, "page")).collect();
        assert_eq!(places, expected, "{findings:#?}");
        assert!(findings.iter().all(|f| text(f, "severity") == "error"), "{findings:#?}");
    }
}

#[test]
fn annotations_stand_on_the_words_within_a_cell_and_a_line() {
    let site = Site::new();
    site.edit("sign_in", "index.mdx", "| Test duration | 30s |", "| Test duration | **30s** (planned 31s) |");
    site.edit("search", "index.mdx", "189 complete", "198 complete");
    let pages = site.pages();
    let output = run(&["check", pages.to_str().unwrap(), "--format", "github"]);
    let annotations = String::from_utf8(output.stdout).unwrap();
    for (target, words) in [("sign_in", "31s)"), ("search", "running (")] {
        let page = site.read(target, "index.mdx");
        let (line, column) = place(&page, words);
        let start = format!("file={}/{target}/index.mdx,line={line},col={column},", pages.display());
        assert!(annotations.contains(&start), "{start} in {annotations}");
    }
}

#[test]
fn pages_that_cannot_be_read_are_findings_and_the_others_are_still_checked() {
    let site = Site::new();
    let page = site.read("browse_catalog", "index.mdx");
    // no table of the run
    let without: String = page.lines().filter(|line| !line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    fs::write(site.file("browse_catalog", "index.mdx"), without).unwrap();
    // bytes that are no UTF-8
    let mut bytes = site.read("place_order", "index.mdx").into_bytes();
    bytes.splice(4..4, [0xff, 0xfe]);
    fs::write(site.file("place_order", "index.mdx"), bytes).unwrap();
    // 50 MB
    let large = fs::File::options().write(true).open(site.file("search", "index.mdx")).unwrap();
    large.set_len(50_000_000).unwrap();
    site.edit("sign_in", "index.mdx", "| VUs | 5 |", "| VUs | 6 |");
    let findings = site.findings(&[]);
    has(
        &of_page(&findings, "browse_catalog"),
        "page",
        1,
        "expected a table with rows such as `Test start`, found none",
    );
    has(&of_page(&findings, "place_order"), "page", 1, "expected UTF-8, found other bytes on line 2");
    has(&of_page(&findings, "search"), "page", 1, "expected a page of at most 4 MiB, found 50000000 bytes");
    let vus = of_page(&findings, "sign_in");
    assert_eq!((vus.len(), text(vus[0], "kind")), (1, "vus"), "{vus:#?}");
}

#[test]
fn pages_with_two_tables_a_broken_one_and_invalid_mdx_are_findings() {
    let site = Site::new();
    let second =
        "| Metric | Value |\n| --- | --- |\n| VUs | 9 |\n| Test duration | 9h |\n| k6 version | v9 |\n\n## Latencies";
    site.edit("browse_catalog", "index.mdx", "## Latencies", second);
    site.edit("place_order", "index.mdx", "| :--- | :--- |", "| :--- |: --- |");
    site.edit("search", "index.mdx", "## Latencies", "Below <200ms\n\n## Latencies");
    let findings = site.findings(&[]);
    let (line, _) = place(&site.read("browse_catalog", "index.mdx"), "| VUs | 9 |");
    has(&of_page(&findings, "browse_catalog"), "page", line - 2, "expected one table of the run's figures");
    assert_eq!(of_page(&findings, "browse_catalog").len(), 1, "{findings:#?}");
    let broken = of_page(&findings, "place_order");
    let (line, _) = place(&site.read("place_order", "index.mdx"), "|: --- |");
    has(&broken, "form", line, "");
    let (line, _) = place(&site.read("search", "index.mdx"), "Below <200ms");
    has(&of_page(&findings, "search"), "form", line, "does not compile as MDX");
}

#[test]
fn data_beside_a_page_that_cannot_be_read_is_a_finding() {
    let site = Site::new();
    fs::write(site.file("browse_catalog", "output.json"), "no json").unwrap();
    fs::write(site.file("place_order", "output.json"), "{\"rows\": [1]}").unwrap();
    site.edit("search", "evidence.json", "sweepdoc/evidence/1", "sweepdoc/evidence/2");
    fs::write(site.file("sign_in", "evidence.json"), "{").unwrap();
    let findings = site.findings(&[]);
    for target in ["browse_catalog", "place_order"] {
        let found = of_page(&findings, target);
        assert!(
            found.iter().any(|f| text(f, "kind") == "chart-data" && text(f, "severity") == "warning"),
            "{found:#?}"
        );
    }
    let newer = "expected schema `sweepdoc/evidence/1`, found `sweepdoc/evidence/2`";
    has(&of_page(&findings, "search"), "evidence", 1, newer);
    has(&of_page(&findings, "sign_in"), "evidence", 1, "expected evidence of a run");
}

#[test]
fn folders_without_pages_are_an_error() {
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("_template.mdx"), "# a\n").unwrap();
    for (path, words) in [(empty.path().to_path_buf(), "expected pages, found none"), (empty.path().join("x"), "read")]
    {
        let output = run(&["check", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(words) && stderr.starts_with("error: "), "{stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_baseline_is_held_against_the_older_pages() {
    let (site, old) = (Site::new(), Site::new());
    let against = old.pages();
    for (baseline, verdict) in [
        ("v1.4.0, which reached 13/s", "ok"),
        ("v1.4.0, which reached 14/s", "wrong"),
        ("[v1.3.0](../v1.3.0) with 14/s", "unverifiable"),
    ] {
        let page = site.read("sign_in", "index.mdx");
        site.edit("sign_in", "index.mdx", "| Baseline | none |", &format!("| Baseline | {baseline} |"));
        let all = site.findings(&["--against", against.to_str().unwrap(), "--all"]);
        let found = all.iter().rfind(|f| text(f, "kind") == "baseline").unwrap();
        assert_eq!(text(found, "verdict"), verdict, "{found:#?}");
        fs::write(site.file("sign_in", "index.mdx"), page).unwrap();
    }
}

#[test]
fn fix_writes_generated_cells_anew_and_nothing_else() {
    let site = Site::new();
    // a generated sentence that is of older data, as its evidence remembers it
    for name in ["index.mdx", "evidence.json"] {
        site.edit("search", name, "19 of 560 requests failed (3.39%)", "18 of 560 requests failed (3.21%)");
    }
    let right = site.read("sign_in", "index.mdx").replace('\n', "\r\n");
    let wrong = right
        .replace("| VUs | 5 |", "|VUs|   6   |")
        .replace("17:02:48 UTC |", "17:02:47 UTC |")
        .replace("| k6 Iterations per second | 13 |", "| k6 Iterations per second | about 14 |");
    fs::write(site.file("sign_in", "index.mdx"), &wrong).unwrap();
    // a sentence of a person is theirs, right or wrong
    let sentence = "| Observed errors | 25 of 781 requests failed |";
    let observed = site.read("place_order", "index.mdx");
    let observed = observed.lines().find(|line| line.starts_with("| Observed errors |")).unwrap();
    site.edit("place_order", "index.mdx", observed, sentence);

    let pages = site.pages();
    let fix = || run(&["check", "--fix", "--format", "json", pages.to_str().unwrap()]);
    let output = fix();
    assert_eq!(output.status.code(), Some(1));
    let expected = wrong.replace("|   6   |", "|   5   |").replace("17:02:47", "17:02:48");
    assert_eq!(site.read("sign_in", "index.mdx"), expected);
    assert!(site.read("search", "index.mdx").contains("| Observed errors | 19 of 560 requests failed (3.39%):<br/>"));
    assert!(site.read("place_order", "index.mdx").contains(sentence));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("-|VUs|   6   |") && stderr.contains("+|VUs|   5   |"), "{stderr}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let left: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|f| text(f, "stated")).collect();
    assert!(left.contains(&"25") && !left.contains(&"6"), "{left:?}");

    let again = fix();
    assert!(String::from_utf8(again.stderr).unwrap().contains("nothing to fix"));
    assert_eq!(again.stdout, output.stdout);
    assert_eq!(site.read("sign_in", "index.mdx"), expected);
}

#[test]
fn fix_takes_no_figure_from_data_that_may_be_another_run_s() {
    let site = Site::without_evidence();
    let block = |target: &str| {
        let page = site.read(target, "index.mdx");
        let (_, rest) = page.split_once("```bash\n").unwrap();
        rest.split_once("\n```").unwrap().0.to_owned()
    };
    site.edit("place_order", "index.mdx", &block("place_order"), &block("sign_in"));
    let before = site.read("place_order", "index.mdx");
    let pages = site.pages();
    let output = run(&["check", "--fix", pages.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(site.read("place_order", "index.mdx"), before);
}

#[test]
fn a_table_is_held_against_the_vus_row_of_a_page_whose_output_does_not_state_them() {
    let site = Site::without_evidence();
    let page = site.read("sign_in", "index.mdx");
    let without: String = page.split_inclusive('\n').filter(|line| !line.trim_start().starts_with("vus")).collect();
    std::fs::write(site.file("sign_in", "index.mdx"), without.replace("0/5 VUs, ", "")).unwrap();
    let table = site.folder.path().join("pr.md");
    let markdown = "| target | VUs | iter/s |\n|---|---|---|\n| sign_in | VUS | 13 |\n";
    for (vus, data) in [("5", None), ("6", Some("5"))] {
        std::fs::write(&table, markdown.replace("VUS", vus)).unwrap();
        let findings = site.findings(&["--table", table.to_str().unwrap()]);
        let of_cell = findings.iter().find(|f| text(f, "stated") == vus && self::text(f, "row") == "sign_in");
        assert_eq!(of_cell.map(|f| text(f, "data")), data, "{findings:#?}");
    }
}

#[test]
fn a_table_on_standard_input_is_held_against_the_pages() {
    let site = Site::new();
    let table = "# Sweep\n\n| Target | VUs | iter/s | p50 | failed requests |\n|:--|--:|--:|--:|:--|\n\
                 | browse\\_catalog | **8** | 13 | 38.76ms | 56 / 1,636 (3.42%) |\n\
                 | place_order | 4 | 8.5 | 98.56ms | 42 / 781 (3.07%) |\n| sign_in | 5 | 31 | 39.01ms | 0 / 769 (0.00%) |\n";
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sweepdoc"));
    command.args(["check", site.pages().to_str().unwrap(), "--table", "-", "--format", "json"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), table.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let found: Vec<(&str, &str, &str, u64)> = findings
        .iter()
        .map(|f| (text(f, "row"), text(f, "stated"), text(f, "data"), f["line"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("page", "", "search", 3),
        ("place_order", "42 / 781 (3.07%)", "24 / 781 (3.07%)", 6),
        ("sign_in", "31", "13", 7),
    ];
    assert_eq!(found, expected, "{findings:#?}");
    assert!(findings.iter().all(|f| text(f, "file") == "-" && text(f, "kind") == "summary"), "{findings:#?}");
}

#[test]
fn every_report_is_valid_by_its_schema() {
    let schema = json(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/findings.schema.json")));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let site = Site::new();
    site.edit("search", "index.mdx", "| VUs | 4 |", "| VUs | 400 |");
    fs::write(site.file("sign_in", "index.mdx"), [0xff]).unwrap();
    let table = site.folder.path().join("table.md");
    fs::write(&table, "| target | VUs | iter/s |\n|---|---|---|\n| search | 5 | 6.2 |\n| other | 1 | |\n").unwrap();
    let (pages, table) = (site.pages(), table);
    for more in [&[][..], &["--all"], &["--table", table.to_str().unwrap()]] {
        let output = run(&[&["check", pages.to_str().unwrap(), "--format", "json"][..], more].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}
