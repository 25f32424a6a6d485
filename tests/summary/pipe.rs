//! `gh pr view … | sweepdoc summary … --update - | gh pr edit … --body-file -`, with a `gh` of our own.

use std::path::Path;
use std::process::{Command, Output};

use crate::pages::{Docs, TABLE};
use crate::support::docs::{GH, executable};

fn shell(docs: &Docs, line: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_sweepdoc")).parent().unwrap();
    let path = format!("{}:{}:{}", docs.path("bin").display(), binary.display(), std::env::var("PATH").unwrap());
    Command::new("bash")
        .args(["-o", "pipefail", "-c", line])
        .current_dir(docs.path(""))
        .env("PATH", path)
        .output()
        .unwrap()
}

#[test]
fn the_body_of_a_pull_request_is_piped_through() {
    let (docs, _) = Docs::shop();
    executable(&docs.path("bin/gh"), GH);
    docs.write(".pull-request", "Results of the sweep.\r\n\r\nReviewed by hand: äöü 🌈");
    let line =
        "gh pr view --json body -q .body | sweepdoc summary docs --update - > new && gh pr edit --body-file - < new";
    let output = shell(&docs, line);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = TABLE.replace('\n', "\r\n");
    let body = docs.read(".pull-request");
    assert!(body.starts_with("Results of the sweep.\r\n\r\nReviewed by hand: äöü 🌈\n"), "{body}");
    assert!(body.contains(&table), "{body}");
    assert!(shell(&docs, "gh pr view | sweepdoc summary docs --update - --check").status.success());
    docs.write(".pull-request", body.replace("3452", "3453"));
    let stale = shell(&docs, "gh pr view | sweepdoc summary docs --update - --check");
    assert_eq!((stale.status.code(), stale.stdout.len()), (Some(1), 0));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let (docs, _) = Docs::shop();
    docs.write(".pull-request", "x".repeat(60_000));
    let output = shell(&docs, "sweepdoc summary docs --update - < .pull-request | head -c 1");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
