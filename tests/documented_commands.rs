//! Runs every command the README and `docs/` show, in the order shown, each document in a scratch copy of the example.
//!
//! - In a `sh` block every line is run and has to succeed; `# exit 1` at its end says that it exits with 1.
//! - In a `console` block lines after `$ ` are run; what stands below one is what it prints to standard output, exactly.
//! - `gh` is a stand-in that keeps the text of one pull request; `sed -i` stands for what a person edits.
//! - `<!-- file: PATH -->` above a block makes it that file.
//! - `<!-- shows: PATH -->` above a block says that the file holds exactly that by then.
//!
//! `SWEEPDOC_BLESS=1` rewrites what commands print and files hold.

use std::ops::Range;
use std::process::Command;

use regex::Regex;
use support::docs::{Scratch, document, documents, expect};

mod support;

/// A fenced block of a document.
struct Block<'a> {
    /// What stands above it in a comment, `file: PATH`.
    mark: Option<&'a str>,
    /// Word after the fence, `sh`.
    language: &'a str,
    /// Its content, each line with its line end.
    text: &'a str,
    /// Where the content stands in the document.
    range: Range<usize>,
}

fn blocks(document: &str) -> Vec<Block<'_>> {
    let fenced =
        Regex::new(r"(?m)^(?:<!-- (?<mark>(?:file|shows): \S+) -->\n+)?(?<fence>`{3,})(?<language>\w*)\n").unwrap();
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(opening) = fenced.captures_at(document, at) {
        let start = opening.get(0).unwrap().end();
        let closing = format!("{}\n", &opening["fence"]);
        let lines = document[start..].split_inclusive('\n').take_while(|line| *line != closing);
        let range = start..start + lines.map(str::len).sum::<usize>();
        at = range.end + closing.len();
        found.push(Block {
            mark: opening.name("mark").map(|mark| mark.as_str()),
            language: opening.name("language").unwrap().as_str(),
            text: &document[range.clone()],
            range,
        });
    }
    found
}

/// Commands that build the project or need a network: recognised, not run.
const NOT_RUN: [&str; 8] = [
    "cargo test",
    "cargo bench",
    "cargo install",
    "SWEEPDOC_BLESS=1 cargo test",
    "RUSTDOCFLAGS=",
    "cargo clippy",
    "cargo fmt",
    "benches/compare",
];

/// Runs one line as it is, the project's own binary in place of what `cargo run` would build; its standard output, or
/// `None` when it is not run here.
fn run(scratch: &Scratch, document: &str, line: &str) -> Option<String> {
    if NOT_RUN.iter().any(|command| line.starts_with(command)) {
        return None;
    }
    let needs_jq = line.contains("jq ");
    if needs_jq && Command::new("jq").arg("--version").output().is_err() {
        return None;
    }
    let command = Regex::new("^cargo run (--release )?-- ").unwrap().replace(line, "sweepdoc ");
    let known = ["sweepdoc ", "gh pr ", "sed -i "].iter().any(|program| command.starts_with(program));
    assert!(known || needs_jq, "{document}: no test runs `{line}`");
    let exit = Regex::new(r"# exit (\d)").unwrap();
    let expected: i32 = exit.captures(line).map_or(0, |found| found[1].parse().unwrap());
    let output = scratch.shell(&command);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{document}: `{line}`: {complaint}");
    assert!(expected == 0 || !complaint.trim().is_empty() || !output.stdout.is_empty(), "{document}: `{line}` is mute");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A `console` block with what its commands print.
fn console(scratch: &Scratch, document: &str, text: &str) -> String {
    let mut wanted = String::new();
    for part in text.split_inclusive('\n').collect::<Vec<_>>().chunk_by(|_, next| !next.starts_with("$ ")) {
        let (line, shown) = part.split_first().unwrap();
        let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{document}: `{line}` is no command")).trim();
        let printed = run(scratch, document, command).unwrap_or_else(|| shown.concat());
        wanted.push_str(line);
        wanted.push_str(&printed);
    }
    wanted
}

fn walk(name: &str) {
    let text = document(name);
    let scratch = Scratch::new();
    let mut now_shown = Vec::new();
    for block in blocks(&text) {
        let now = match (block.mark.and_then(|mark| mark.split_once(": ")), block.language) {
            (Some(("file", path)), _) => {
                let path = scratch.path(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, block.text).unwrap();
                continue;
            }
            (Some((_, path)), _) => scratch.read(path),
            (None, "sh") => {
                block.text.lines().filter(|line| !line.trim().is_empty()).for_each(|line| {
                    run(&scratch, name, line);
                });
                continue;
            }
            (None, "console") => console(&scratch, name, block.text),
            _ => continue,
        };
        now_shown.push((block.range, now));
    }
    let mut wanted = text.clone();
    for (range, now) in now_shown.into_iter().rev() {
        wanted.replace_range(range, &now);
    }
    expect(name, &wanted);
}

#[test]
fn every_documented_command_does_what_is_shown() {
    documents().iter().for_each(|name| walk(name));
}

#[test]
fn the_readme_begins_with_the_two_commands() {
    let readme = document("README.md");
    let commands: Vec<&str> = blocks(&readme)
        .into_iter()
        .filter(|block| block.language == "sh")
        .flat_map(|block| block.text.lines())
        .take(2)
        .collect();
    assert_eq!(commands, ["cargo run --release -- publish fixtures/sweep --out target/docs", "cargo test --locked"]);
}

#[test]
fn blocks_are_found_with_their_marks() {
    let text = "a\n\n<!-- file: x/y.md -->\n```mdx\nb\n```\n\n```sh\nsweepdoc man\n```\n";
    let found: Vec<_> = blocks(text).into_iter().map(|b| (b.mark, b.language, b.text)).collect();
    assert_eq!(found, [(Some("file: x/y.md"), "mdx", "b\n"), (None, "sh", "sweepdoc man\n")]);
}
