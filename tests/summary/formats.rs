use serde_json::{Value, json};

use crate::pages::{Docs, Figures, TABLE, USUAL, block};
use crate::support::sweep::{Sweep, sweepdoc};
use crate::support::{json, run_ok, shared};

#[test]
fn the_table_of_pages_is_in_the_exact_form() {
    let (_docs, pages) = Docs::shop();
    assert_eq!(run_ok(&["summary", &pages]), TABLE);
}

#[test]
fn the_same_table_as_csv_has_full_figures() {
    let (_docs, pages) = Docs::shop();
    let csv = run_ok(&["summary", &pages, "--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "version,scope,target,vus,iterations_per_second,p50_ms,p95_ms,p99_ms,failed_requests,requests",
            "v1,run,login,600,3451.6,24.53,1150,1000,29,6335633"
        ]
    );
}

#[test]
fn the_same_table_as_json_leaves_out_what_is_not_known() {
    let (docs, _) = Docs::shop();
    let pages = docs.page_with("v1", "empty", "no output here", "");
    let value: Value = serde_json::from_str(&run_ok(&["summary", &pages, "--format", "json"])).unwrap();
    assert_eq!(value["schema"], "sweepdoc/summary/1");
    assert_eq!((&value["version"], &value["scope"], &value["usual_vus"]), (&json!("v1"), &json!("run"), &json!(600)));
    let login = &value["lines"][0];
    assert_eq!(login["http_req_duration_ms"]["p95"], 1150.0);
    assert_eq!(login["requests"], json!({"total": 6_335_633, "failed": 29}));
    assert_eq!(value["lines"][3], json!({"target": "empty"}));
    assert_eq!(value["remarks"][0]["kind"], "no-figures");
}

/// The figures the v4.17.1 sweep was published with, of a target whose page is not among the shared ones.
#[test]
fn a_row_of_the_published_sweep_is_written_as_it_was_published() {
    let docs = Docs::new();
    let figures = Figures { per_second: 3452.1, p95: "872.12ms", failed: 29, total: 6_335_633, ..USUAL };
    let pages = docs.page("v4.17.1", "machine_pat_login", figures);
    let row = "| machine_pat_login | 600 | 3452 | 24.53ms | 872.12ms | 1s | 29 / 6,335,633 (<0.01%) |";
    assert_eq!(run_ok(&["summary", &pages]).lines().nth(2), Some(row));
}

#[test]
fn a_page_without_output_has_a_line_that_says_so() {
    let (docs, _) = Docs::shop();
    let pages = docs.page_with("v1", "empty", "no output here", "");
    let text = run_ok(&["summary", &pages]);
    assert!(text.contains("\n| empty | not known | not known | not known | not known | not known | not known |\n"));
    assert!(text.contains("- Nothing is known of the figures of empty.\n"), "{text}");
    assert_eq!(run_ok(&["summary", &pages, "--format", "csv"]).lines().last(), Some("v1,run,empty,,,,,,,"));
}

#[test]
fn columns_are_those_of_the_command_line_else_of_the_project_file() {
    let (docs, pages) = Docs::shop();
    let config = |columns: &str| {
        docs.write("sweepdoc.toml", format!("product = \"Shop\"\nversion = \"v1\"\n[summary]\ncolumns = {columns}\n"))
    };
    config("[\"target\", \"max\", \"requests\"]");
    let first = |args: &[&str]| run_ok(args).lines().take(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        first(&["summary", &pages]),
        ["| target | max | requests |", "|:---|---:|---:|", "| login | 1m0s | 6,335,633 |"]
    );
    assert_eq!(first(&["summary", &pages, "--columns", "avg,vus"])[0], "| target | avg | VUs |");
    sweepdoc(["summary", &pages, "--columns", "p50,latency"]).refused(&[
        "`--columns`",
        "`latency`",
        "`failed_requests`",
    ]);
    config("[\"vus\", \"vus\"]");
    sweepdoc(["summary", &pages]).refused(&["sweepdoc.toml:4", "`vus` twice"]);
}

#[test]
fn goals_are_judged_by_the_full_figure_and_say_by_how_much() {
    let (docs, pages) = Docs::shop();
    let goal = |target: &str, metric: &str, limit: &str| {
        format!("[[goals]]\ntarget = \"{target}\"\nmetric = \"{metric}\"\n{limit}\nlink = \"https://x.test/a(b)\"\n")
    };
    let goals = [
        goal("login", "iterations_per_second", "at_least = 3000"),
        goal("login", "iterations_per_second", "at_least = 3452"),
        goal("order", "p95", "at_most = 1000"),
        goal("missing", "p95", "at_most = 1000"),
    ];
    let config = format!("product = \"Shop\"\nversion = \"v1\"\n{}", goals.concat());
    docs.write("sweepdoc.toml", config);
    let text = run_ok(&["summary", &pages]);
    let wanted = "**Goals**\n\n\
        - login reached 3452/s against [3000/s](https://x.test/a%28b%29): met, 15.1% above\n\
        - login reached 3451.6/s against [3452/s](https://x.test/a%28b%29): not met, less than 0.1% below\n\
        - order reached p95 1.15s against [1s](https://x.test/a%28b%29): not met, 15.0% above\n\
        - missing p95 against [1s](https://x.test/a%28b%29): not measured\n";
    assert!(text.contains(wanted), "{text}");
    docs.write(
        "sweepdoc.toml",
        format!("product = \"Shop\"\nversion = \"v1\"\n{}", goal("login", "latency", "at_most = 1")),
    );
    sweepdoc(["summary", &pages]).refused(&["sweepdoc.toml:5", "`latency`", "`iterations_per_second`"]);
}

#[test]
fn facts_that_differ_between_pages_are_named() {
    let docs = Docs::new();
    let row = |region: &str| format!("| Client location | {region} |\n| Purpose | of its own {region} |\n");
    docs.page_with("v1", "a", &block(USUAL), &row("US1"));
    docs.page_with("v1", "b", &block(Figures { per_second: 2.0, ..USUAL }), &row("US1"));
    let pages = docs.page_with("v1", "c", &block(Figures { per_second: 1.0, ..USUAL }), &row("EU1"));
    let text = run_ok(&["summary", &pages]);
    assert!(
        text.ends_with("**Before you compare**\n\n- Client location differs: US1 for 2 of 3 runs, EU1 for c.\n"),
        "{text}"
    );
}

#[test]
fn pages_that_write_the_product_differently_still_state_the_same_fact() {
    let docs = Docs::new();
    docs.page_with("v1", "a", &block(USUAL), "| SHOP location | US1 |\n");
    let pages = docs.page_with("v1", "b", &block(Figures { per_second: 2.0, ..USUAL }), "| Shop location | US1 |\n");
    assert!(!run_ok(&["summary", &pages]).contains("differ"));
    let pages = docs.page_with("v1", "c", &block(Figures { per_second: 1.0, ..USUAL }), "| Shop location | EU1 |\n");
    let text = run_ok(&["summary", &pages]);
    assert!(text.ends_with("- Shop location differs: US1 for 2 of 3 runs, EU1 for c.\n"), "{text}");
}

#[test]
fn a_log_in_two_folders_is_refused_and_folders_without_a_run_are_named() {
    let sweep = Sweep::of_run([("k6.log", block(USUAL).as_str())]);
    sweep.write("notes/todo.txt", "buy milk\n");
    let summary = || sweepdoc(["summary".into(), sweep.root()]);
    let ran = summary().done();
    assert!(ran.stdout.contains("\n| pat_login | 600 | 100 | 24.53ms | 1.15s | 1s | 0 / 1,000 (0.00%) |\n"), "{ran:?}");
    assert!(ran.stderr.contains("notes: left out: none of its 1 files is of a k6 run"), "{}", ran.stderr);
    sweep.write("otp/k6.log", block(USUAL));
    summary().refused(&["the same bytes as in the folder of `otp`"]);
}

#[test]
fn a_hostile_target_stays_text() {
    let docs = Docs::new();
    let pages = docs.page("v1", "a b *x* <img> {1+1} `c`", USUAL);
    let text = run_ok(&["summary", &pages]);
    assert!(text.contains("\n| a b \\*x\\* \\<img\\> \\{1+1\\} \\`c\\` | 600 |"), "{text}");
}

#[test]
fn two_pages_of_one_target_are_refused() {
    let (docs, pages) = Docs::shop();
    let page = docs.read("docs/v1/login/index.mdx");
    docs.write("docs/v1/login.md", page);
    sweepdoc(["summary", &pages]).refused(&["two for `login`"]);
}

#[test]
fn a_folder_with_neither_pages_nor_runs_is_refused() {
    let docs = Docs::new();
    docs.write("empty/notes.md", "# Notes\n");
    sweepdoc(["summary", docs.path("empty").to_str().unwrap()]).refused(&["expected a folder for each run"]);
    sweepdoc(["summary", docs.path("none").to_str().unwrap()]).refused(&["none"]);
}

/// `fixtures/sweep/expected.json` was computed from the raw files by a program of its own.
#[test]
fn raw_output_and_the_pages_made_of_it_give_the_same_table_with_the_known_figures() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = crate::support::fixture("sweep");
    let (sweep, out) = (sweep.to_str().unwrap(), folder.path().to_str().unwrap());
    run_ok(&["publish", sweep, "--out", out]);
    for scope in ["run", "test"] {
        let of = |path: &str| {
            let config = format!("{sweep}/sweepdoc.toml");
            run_ok(&["summary", path, "--scope", scope, "--format", "json", "--config", &config])
        };
        let (raw, pages) = (of(sweep), of(out));
        let (raw, pages): (Value, Value) = (serde_json::from_str(&raw).unwrap(), serde_json::from_str(&pages).unwrap());
        assert_eq!(raw["lines"], pages["lines"], "{scope}");
        assert_eq!(raw["goals"], pages["goals"], "{scope}");
        let known = json(&crate::support::fixture("sweep/expected.json"));
        for line in raw["lines"].as_array().unwrap() {
            let target = line["target"].as_str().unwrap();
            let expected = &known[target];
            assert_eq!(line["requests"], expected["requests"][scope], "{target} {scope}");
            for quantile in ["p50", "p95", "p99"] {
                let wanted = expected["trends"]["http_req_duration"][scope][quantile].as_f64().unwrap();
                let found = line["http_req_duration_ms"][quantile].as_f64().unwrap();
                assert!(crate::support::close(found, wanted, 1e-9), "{target} {scope} {quantile}: {found} {wanted}");
            }
        }
    }
}

#[test]
fn a_table_of_the_test_phase_says_so_in_its_heading() {
    let sweep = crate::support::fixture("sweep");
    let text = run_ok(&["summary", sweep.to_str().unwrap(), "--scope", "test"]);
    let heading = "| target | VUs | iter/s (test phase) | p50 (test phase) | p95 (test phase) | p99 (test phase) | failed requests (test phase) |\n";
    assert!(text.starts_with(heading), "{text}");
}

#[test]
fn pages_do_not_know_the_test_phase_of_their_latencies() {
    let Some(pages) = shared("real-pages/v4.17.1") else { return };
    let text = run_ok(&["summary", pages.to_str().unwrap(), "--scope", "test"]);
    // 34,399 iterations in the 1,800 s that were planned
    assert!(
        text.contains("| manipulate_user | **200** | 19 | not known | not known | not known | not known |"),
        "{text}"
    );
}
