//! The shell of the GitHub action against a `gh` of our own, which keeps the comments of one pull request in a file.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::pages::{Docs, Figures, USUAL};
use crate::support::docs::{document, executable};

/// Answers the four calls the action makes, as GitHub does; a file `read-only` makes it the token of a fork.
const GH: &str = r#"#!/bin/sh
echo "$*" >> calls
fail() { echo "gh: $1" >&2; exit 1; }
case "$1 $2" in
  "api --paginate")
    [ "$3" = repos/o/r/issues/7/comments ] || fail "Not Found (HTTP 404)"
    jq -r "$5" comments.json ;;
  "api -X")
    [ -e read-only ] && fail "Resource not accessible by integration (HTTP 403)"
    [ "$5" = -F ] || fail "no body"
    body=${6#body=@}
    case "$3 $4" in
      "POST repos/o/r/issues/7/comments")
        jq --rawfile body "$body" '. + [{id: (length + 100), user: {login: "github-actions[bot]"}, body: $body}]' comments.json > next ;;
      "PATCH repos/o/r/issues/comments/"*)
        jq --rawfile body "$body" --argjson id "${4##*/}" 'map(if .id == $id then .body = $body else . end)' comments.json > next ;;
      *) fail "Not Found (HTTP 404)" ;;
    esac
    mv next comments.json ;;
  *)
    jq -r --argjson id "${2##*/}" ".[] | select(.id == \$id) | $4" comments.json ;;
esac
"#;

/// The pages of a repository with a pull request, and the action's environment.
struct Repository {
    docs: Docs,
}

struct Ran {
    code: Option<i32>,
    stdout: String,
    calls: String,
}

impl Repository {
    /// `None` where there is no `jq` for the stand-in of `gh`.
    fn new(comments: &Value) -> Option<Self> {
        Command::new("jq").arg("--version").output().ok()?;
        let docs = Docs::new();
        docs.page("v1", "login", Figures { per_second: 3451.6, failed: 0, ..USUAL });
        docs.write("comments.json", comments.to_string());
        executable(&docs.path("bin/gh"), GH);
        Some(Repository { docs })
    }

    fn run(&self, environment: &[(&str, &str)]) -> Ran {
        self.docs.write("calls", "");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("action/run.sh");
        let path = format!("{}:{}", self.docs.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(script);
        command.current_dir(self.docs.path("")).env("PATH", path).env("SWEEPDOC", env!("CARGO_BIN_EXE_sweepdoc"));
        command.env("PAGES", "docs").env("GITHUB_REPOSITORY", "o/r").env("GITHUB_RUN_ID", "1").env("PR_NUMBER", "7");
        command.env("GITHUB_STEP_SUMMARY", self.docs.path("step-summary.md")).envs(environment.iter().copied());
        let output = command.output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        Ran { code: output.status.code(), stdout, calls: self.docs.read("calls") }
    }

    fn comments(&self) -> Vec<Value> {
        serde_json::from_str(&self.docs.read("comments.json")).unwrap()
    }
}

#[test]
fn one_comment_is_added_then_updated_and_left_alone_when_nothing_changed() {
    let Some(repository) = Repository::new(&json!([{"id": 1, "user": {"login": "reviewer"}, "body": "Nice."}])) else {
        return;
    };
    assert_eq!(repository.run(&[]).code, Some(0));
    let body = |at: usize| repository.comments()[at]["body"].as_str().unwrap().to_owned();
    assert_eq!(repository.comments().len(), 2);
    assert!(body(1).starts_with("<!-- sweepdoc:comment -->\n\n<!-- sweepdoc:summary -->\n\n| target |"), "{}", body(1));
    assert!(body(1).contains("| login | 600 | 3452 |"));
    let again = repository.run(&[]);
    assert!(!again.calls.contains(" -X "), "{}", again.calls);
    repository.docs.page("v1", "login", USUAL);
    assert_eq!(repository.run(&[]).code, Some(0));
    assert_eq!(repository.comments().len(), 2);
    assert!(body(1).contains("| login | 600 | 100 |") && body(0) == "Nice.");
    assert!(repository.docs.read("step-summary.md").contains("| login | 600 | 100 |"));
}

#[test]
fn what_somebody_wrote_into_the_comment_stays() {
    let body = "<!-- sweepdoc:comment -->\r\nOurs.\r\n<!-- sweepdoc:summary -->\r\n<!-- /sweepdoc:summary -->\r\nMore.";
    let Some(repository) = Repository::new(&json!([{"id": 5, "user": {"login": "github-actions[bot]"}, "body": body}]))
    else {
        return;
    };
    assert_eq!(repository.run(&[]).code, Some(0));
    let new = repository.comments()[0]["body"].as_str().unwrap().to_owned();
    assert!(
        new.starts_with("<!-- sweepdoc:comment -->\r\nOurs.\r\n<!-- sweepdoc:summary -->\r\n\r\n| target |"),
        "{new}"
    );
    assert!(new.ends_with("<!-- /sweepdoc:summary -->\r\nMore."), "{new}");
}

#[test]
fn a_comment_of_somebody_else_is_never_taken_for_its_own() {
    let quoted = json!([
        {"id": 1, "user": {"login": "stranger"}, "body": "<!-- sweepdoc:comment -->\nmine"},
        {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "> <!-- sweepdoc:comment -->"},
    ]);
    let Some(repository) = Repository::new(&quoted) else { return };
    repository.run(&[]);
    assert_eq!(repository.comments().len(), 3);
    assert_eq!(repository.comments()[..2], quoted.as_array().unwrap()[..]);
}

#[test]
fn a_fork_whose_token_may_only_read_is_told_and_does_not_fail() {
    let Some(repository) = Repository::new(&json!([])) else { return };
    repository.docs.write("read-only", "");
    let ran = repository.run(&[]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout.contains("::warning title=sweepdoc::the comment with the table was not written"),
        "{}",
        ran.stdout
    );
    assert!(repository.comments().is_empty() && repository.docs.read("step-summary.md").contains("| login |"));
    let elsewhere = repository.run(&[("PR_NUMBER", "8")]);
    assert!(elsewhere.code == Some(0) && elsewhere.stdout.contains("its comments cannot be read"));
}

#[test]
fn without_a_pull_request_there_is_no_comment() {
    let Some(repository) = Repository::new(&json!([])) else { return };
    for environment in [[("PR_NUMBER", "")], [("COMMENT", "false")]] {
        let ran = repository.run(&environment);
        assert_eq!((ran.code, ran.calls.as_str()), (Some(0), ""));
    }
    assert!(repository.run(&[("PR_NUMBER", "")]).stdout.contains("::notice title=sweepdoc::no pull request"));
}

#[test]
fn findings_become_annotations_and_decide_the_outcome() {
    let Some(repository) = Repository::new(&json!([])) else { return };
    let page = repository.docs.read("docs/v1/login/index.mdx");
    let wrong = page.replace("| Executed test |", "| VUs | 601 |\n| Executed test |");
    repository.docs.write("docs/v1/login/index.mdx", wrong);
    let ran = repository.run(&[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("::error file=docs/v1/login/index.mdx,line=7"), "{}", ran.stdout);
    assert_eq!(repository.comments().len(), 1, "the table is written all the same");
    assert_eq!(repository.run(&[("FAIL_ON_FINDINGS", "false")]).code, Some(0));
    assert_eq!(repository.run(&[("PAGES", "nowhere")]).code, Some(2));
}

#[test]
fn the_action_hands_every_input_to_its_script() {
    let (action, script) = (document("action.yml"), document("action/run.sh"));
    let names = |text: &str, pattern: &str| -> BTreeSet<String> {
        regex::Regex::new(pattern).unwrap().captures_iter(text).map(|found| found[1].to_owned()).collect()
    };
    let inputs = names(&action, r"(?m)^  ([a-z-]+):\n    description");
    assert_eq!(inputs, names(&action, r"\$\{\{ inputs\.([a-z-]+) \}\}"));
    let handed = names(&action, r"(?m)^        ([A-Z_]+): \$\{\{");
    for name in handed.iter().filter(|name| !matches!(name.as_str(), "INSTALLED" | "GH_TOKEN")) {
        assert!(script.contains(&format!("${{{name}")) || script.contains(&format!("${name}")), "{name}");
    }
    let documented: BTreeSet<String> =
        crate::support::docs::first_column(&document("docs/action.md"), "## Inputs").into_iter().collect();
    assert_eq!(documented, inputs);
    let executable = std::fs::metadata(Path::new(env!("CARGO_MANIFEST_DIR")).join("action/run.sh")).unwrap();
    assert!(executable.permissions().mode() & 0o111 != 0);
}
