//! `docs/checking.md` lists every kind of claim in prose with an example: the list is that of the code, and each example holds.

use std::path::Path;

use regex::Regex;

use super::statements::{OTHERS, block_only};
use super::*;
use sweepdoc::check::Older;
use sweepdoc::check::prose::Kind;

/// Kind and example of each line of the documented list.
fn documented() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/checking.md");
    let text = std::fs::read_to_string(path).unwrap();
    let list = text.split("<!-- kinds in prose -->").nth(1).and_then(|rest| rest.split("<!-- /kinds").next()).unwrap();
    let line = Regex::new(r"(?m)^\| `(\w+)` \| (.+?) \|").unwrap();
    line.captures_iter(list).map(|c| (c[1].to_owned(), c[2].to_owned())).collect()
}

#[test]
fn the_documented_kinds_are_those_of_the_code() {
    let documented: Vec<String> = documented().into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(documented, Kind::ALL.map(Kind::as_str));
}

#[test]
fn every_documented_example_is_read_as_its_kind_and_holds() {
    let older = Older { file: "v1/x/index.mdx".to_owned(), evidence: two_bursts(), ..Older::default() };
    for (kind, example) in documented() {
        let cell = ProseCell { row: "Observed errors", markdown: &example, line: 1, column: 1 };
        let judged = [two_bursts(), block_only()].map(|evidence| {
            let truth =
                ProseTruth { evidence: &evidence, others: OTHERS, source: "evidence.json", older: Some(&older) };
            judge(&cell, &truth)
        });
        let of_kind: Vec<&Judgement> = judged.iter().flatten().filter(|j| j.kind == kind).collect();
        assert!(of_kind.iter().any(|j| j.verdict == Verdict::Ok), "{kind}: {example}: {judged:#?}");
        assert!(findings(&judged[0]).is_empty(), "{kind}: {example}: {:#?}", findings(&judged[0]));
    }
}
