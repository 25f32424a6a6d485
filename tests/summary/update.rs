use crate::pages::{Docs, Figures, TABLE, USUAL};
use crate::support::sweep::{command, sweepdoc};

const OPEN: &str = "<!-- sweepdoc:summary -->";
const CLOSE: &str = "<!-- /sweepdoc:summary -->";

#[test]
fn a_text_gets_the_table_then_keeps_it_up_to_date() {
    let (docs, pages) = Docs::shop();
    let body = docs.write("body.md", "Our sweep.\r\n\r\nThanks to all");
    let update = || sweepdoc(["summary", &pages, "--update", &body]).done().stdout;
    assert_eq!(update(), format!("updated {body}\n"));
    let table = TABLE.replace('\n', "\r\n");
    let wanted = format!("Our sweep.\r\n\r\nThanks to all\r\n\r\n{OPEN}\r\n\r\n{table}\r\n{CLOSE}");
    assert_eq!(docs.read("body.md"), wanted);
    assert_eq!(update(), format!("unchanged {body}\n"));
    docs.page("v1", "search", Figures { per_second: 101.0, ..USUAL });
    assert_eq!(update(), format!("updated {body}\n"));
    assert_eq!(docs.read("body.md"), wanted.replace("| search | 600 | 100 |", "| search | 600 | 101 |"));
}

#[test]
fn check_writes_nothing_and_exits_1_when_the_table_is_stale_or_missing() {
    let (docs, pages) = Docs::shop();
    let body = docs.write("body.md", "text\n");
    let check = || sweepdoc(["summary", &pages, "--update", &body, "--check"]);
    let missing = check();
    assert_eq!((missing.code, docs.read("body.md").as_str()), (1, "text\n"));
    assert!(missing.stderr.contains("has no table of the sweep yet"), "{missing:?}");
    sweepdoc(["summary", &pages, "--update", &body]).done();
    assert_eq!(check().code, 0);
    let stale = docs.read("body.md").replace("3452", "3453");
    docs.write("body.md", &stale);
    let found = check();
    assert!(found.code == 1 && found.stderr.contains("out of date"), "{found:?}");
    assert_eq!(docs.read("body.md"), stale);
}

#[test]
fn mdx_gets_its_own_markers_and_a_table_that_compiles() {
    let (docs, pages) = Docs::shop();
    let body = docs.write("index.mdx", "# Sweep\n");
    sweepdoc(["summary", &pages, "--update", &body]).done();
    let text = docs.read("index.mdx");
    assert!(text.contains("\n{/* sweepdoc:summary */}\n\n| target |") && text.contains("(\\<0.01%)"), "{text}");
    assert!(sweepdoc::render::mdx::problems(&text).is_empty());
}

#[test]
fn tables_of_several_versions_stand_side_by_side_by_name() {
    let (docs, _) = Docs::shop();
    let pages = docs.page("v2", "login", USUAL);
    let block = |name: &str| format!("<!-- sweepdoc:summary {name} -->\n<!-- /sweepdoc:summary {name} -->\n");
    let body = docs.write("body.md", format!("{}\nbetween\n\n{}", block("v1"), block("v2")));
    sweepdoc(["summary", &pages, "--update", &body]).refused(&["`v1`, `v2`", "`--release`"]);
    sweepdoc(["summary", &pages, "--update", &body, "--release", "v1"]).done();
    sweepdoc(["summary", &pages, "--update", &body, "--release", "v2"]).done();
    let text = docs.read("body.md");
    let (first, second) = text.split_once("between").unwrap();
    assert!(first.contains("| order |") && !second.contains("| order |") && second.contains("| login | 600 | 100 |"));
}

#[test]
fn a_second_table_with_other_columns_has_a_block_of_its_own() {
    let (docs, pages) = Docs::shop();
    let body = docs.write("body.md", "text\n");
    sweepdoc(["summary", &pages, "--update", &body]).done();
    let first = docs.read("body.md");
    sweepdoc(["summary", &pages, "--update", &body, "--block", "checks", "--columns", "failed_checks"]).done();
    let both = docs.read("body.md");
    assert!(
        both.starts_with(&first) && both.contains("<!-- sweepdoc:summary checks -->\n\n| target | failed checks |")
    );
    sweepdoc(["summary", &pages, "--update", &body, "--check"]).done();
}

#[test]
fn a_page_that_only_holds_the_table_is_no_run() {
    let (docs, pages) = Docs::shop();
    let overview = docs.write("docs/v1/index.mdx", "---\ntitle: v1\n---\n\n# The sweep\n");
    sweepdoc(["summary", &pages, "--update", &overview]).done();
    assert_eq!(sweepdoc(["summary", &pages]).done().stdout, TABLE);
    sweepdoc(["summary", &pages, "--update", &overview, "--check"]).done();
}

#[test]
fn broken_markers_are_an_error_with_their_line_and_nothing_is_written() {
    let (docs, pages) = Docs::shop();
    for (text, words) in [
        (format!("{OPEN}\ntext\n"), [":1", "to end"]),
        (format!("text\n{CLOSE}\n"), [":2", "without a block"]),
        (format!("{OPEN}\n{CLOSE}\n{OPEN}\n{CLOSE}\n"), [":3", "another on line 1"]),
        (format!("{OPEN}\n{OPEN}\n{CLOSE}\n{CLOSE}\n"), [":2", "of line 1"]),
    ] {
        let body = docs.write("body.md", &text);
        sweepdoc(["summary", &pages, "--update", &body]).refused(&words);
        assert_eq!(docs.read("body.md"), text);
    }
    let body = docs.write("body.md", b"a\nb\xff\n");
    sweepdoc(["summary", &pages, "--update", &body]).refused(&["body.md:2", "UTF-8"]);
}

#[test]
fn a_link_stays_a_link() {
    let (docs, pages) = Docs::shop();
    docs.write("real.md", "text\n");
    let link = docs.path("link.md");
    std::os::unix::fs::symlink("real.md", &link).unwrap();
    sweepdoc(["summary", &pages, "--update", link.to_str().unwrap()]).done();
    assert!(link.symlink_metadata().unwrap().is_symlink() && docs.read("real.md").contains(OPEN));
}

/// A sweep of 300 targets whose names are as long as a folder's may be.
fn large() -> (Docs, String) {
    let docs = Docs::new();
    for n in 0..300 {
        let figures = Figures { per_second: 1000.0 - f64::from(n), failed: 9_999, total: 1_000_001, ..USUAL };
        docs.page("v1", &format!("{}{n:03}", "long_".repeat(50)), figures);
    }
    let pages = docs.path("docs").to_str().unwrap().to_owned();
    (docs, pages)
}

/// The text on standard input, and what comes out.
fn piped(docs: &Docs, pages: &str, text: &str, args: &[&str]) -> crate::support::sweep::Ran {
    docs.write("stdin.md", text);
    let mut command = command(["summary", pages, "--update", "-"]);
    command.args(args).stdin(std::fs::File::open(docs.path("stdin.md")).unwrap());
    crate::support::sweep::run(command)
}

#[test]
fn a_body_of_a_pull_request_stays_under_githubs_limit() {
    let (docs, pages) = large();
    let human = "Dear reviewers 🌈\n\n".repeat(500);
    let text = format!("{human}{OPEN}\n{CLOSE}\n\nend");
    let link = "https://example.com/full.md";
    let ran = piped(&docs, &pages, &text, &["--full-table", link]).done();
    let body = ran.stdout;
    let units = body.encode_utf16().count();
    assert!(units <= 65_536 && units > 65_000, "{units}: the room is used");
    assert!(body.starts_with(&format!("{human}{OPEN}\n")) && body.ends_with(&format!("{CLOSE}\n\nend")));
    let rows = body.lines().filter(|line| line.starts_with("| long")).count();
    let shortened = format!("Shortened to fit: {rows} of 300 runs, the fastest; see the [full table]({link}).");
    assert!(body.contains(&shortened), "{shortened}: {}", &body[body.len() - 3000..]);
    assert!(ran.stderr.contains(&format!("shortened to {rows} of 300 runs")), "{}", ran.stderr);
    assert_eq!(piped(&docs, &pages, &body, &["--full-table", link]).done().stdout, body, "twice is once");
    // the full table has all of them, and a file has no limit
    let file = docs.write("full.md", "");
    sweepdoc(["summary", &pages, "--update", &file]).done();
    assert_eq!(docs.read("full.md").lines().filter(|line| line.starts_with("| long")).count(), 300);
    let lines = |limit: &str| {
        let file = docs.write("short.md", "");
        sweepdoc(["summary", &pages, "--update", &file, "--max-chars", limit]).done();
        docs.read("short.md")
    };
    assert!(lines("5000").len() <= 5000 && lines("5000").contains("`sweepdoc summary` prints the full table"));
    // a text that is too long by itself is nobody's to shorten
    let full = "x".repeat(65_500) + "\n";
    let refused = piped(&docs, &pages, &full, &[]);
    refused.refused(&["-: expected at most 65536 characters, found 65557 without the table", "shorten the text"]);
    assert_eq!(refused.stdout, "");
}

#[test]
fn what_came_out_of_the_pipe_goes_through_it_unchanged() {
    let (docs, pages) = Docs::shop();
    for text in ["", "\u{feff}", "\u{feff}Results.\r\n", "Results.\r\n\r\nEnd", "Results.", "Results.\n\n\n"] {
        let once = piped(&docs, &pages, text, &[]).done().stdout;
        assert!(once.starts_with(text) && once.contains(OPEN) && once.contains("| login |"), "{text:?}: {once}");
        assert_eq!(once.matches(OPEN).count(), 1);
        let line_ends = once.matches('\n').count();
        let crlf = once.matches("\r\n").count();
        assert_eq!(crlf, if text.contains('\r') { line_ends } else { 0 }, "{text:?}");
        // `gh` prints a text with a line end of its own
        for again in [once.clone(), format!("{once}\n")] {
            assert_eq!(piped(&docs, &pages, &again, &[]).done().stdout, again, "{text:?}");
        }
    }
}
