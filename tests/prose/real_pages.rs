//! Hand-corrected rows of published pages, with nothing but the page's own k6 block to tell.

use super::support::shared;
use super::*;
use sweepdoc::check::page::Page;
use sweepdoc::derive::{Inputs, Redactor, Thresholds, evidence};
use sweepdoc::ingest::terminal;
use sweepdoc::rows::RowId;

fn page(path: &str) -> Option<Page> {
    let path = shared("real-pages")?.join(path);
    Some(Page::read(&std::fs::read_to_string(path).ok()?, Some("ZITADEL")))
}

fn evidence_of(page: &Page) -> Evidence {
    let log = terminal::read(&page.k6_block.as_ref().unwrap().text);
    evidence(&Inputs { log: Some(&log), ..Inputs::of("t", &Thresholds::default(), &Redactor::default()) })
}

fn judged_page(page: &Page, id: RowId, markdown: Option<&str>) -> Vec<Judgement> {
    let row = page.row(id).unwrap();
    let others: Vec<(&str, &str)> = page.rows.iter().map(|r| (r.label.as_str(), r.text.as_str())).collect();
    let cell =
        ProseCell { row: &row.label, markdown: markdown.unwrap_or(&row.raw), line: row.line, column: row.column };
    judge(&cell, &ProseTruth { evidence: &evidence_of(page), others: &others, source: "k6 output", older: None })
}

#[test]
fn hand_corrected_rows_have_no_finding_but_the_known_one() {
    for (path, expected) in [
        ("v4.17.1/manipulate_user/index.mdx", vec!["1,658s"]),
        ("v4.17.1/human_password_login/index.mdx", vec![]),
        ("v4.19.2/oidc_session/index.mdx", vec![]),
    ] {
        let Some(page) = page(path) else { return };
        for id in [RowId::ObservedErrors, RowId::Outcome] {
            let judgements = judged_page(&page, id, None);
            let found: Vec<&str> = judgements
                .iter()
                .filter(|j| j.severity.is_some_and(|s| s != Severity::Note))
                .map(|j| j.stated.as_str())
                .collect();
            let expected = if id == RowId::ObservedErrors { expected.clone() } else { Vec::new() };
            assert_eq!(found, expected, "{path}: {:#?}", findings(&judgements));
        }
    }
}

#[test]
fn more_single_failures_than_times_are_a_note() {
    let Some(page) = page("v4.19.2/oidc_session/index.mdx") else { return };
    let judgements = judged_page(&page, RowId::ObservedErrors, None);
    let found = judgements.iter().find(|j| j.data.as_deref() == Some("4 times"));
    let found = found.map(|j| (j.stated.as_str(), j.verdict, j.severity));
    assert_eq!(found, Some(("five", Verdict::Contradicted, Some(Severity::Note))), "{judgements:#?}");
}

#[test]
fn a_published_row_is_judged_against_full_evidence_of_its_run() {
    let Some(page) = page("v4.17.1/manipulate_user/index.mdx") else { return };
    let row = page.row(RowId::ObservedErrors).unwrap();
    let others: Vec<(&str, &str)> = page.rows.iter().map(|r| (r.label.as_str(), r.text.as_str())).collect();
    let evidence = two_bursts();
    let judgements = judged(&row.raw, &evidence, &others);
    let found: Vec<&str> = judgements
        .iter()
        .filter(|j| j.severity.is_some_and(|s| s != Severity::Note))
        .map(|j| j.stated.as_str())
        .collect();
    assert_eq!(found, ["1,658s"]);
}

#[test]
fn rows_of_facts_and_notes_on_published_pages_are_not_argued_with() {
    let Some(root) = shared("real-pages") else { return };
    let mut judged_rows = 0;
    let mut found = Vec::new();
    for version in ["v2.65.0", "v2.66.0", "v2.70.0", "v4", "v4.17.1", "v4.19.2"] {
        let mut targets: Vec<_> =
            std::fs::read_dir(root.join(version)).unwrap().map(|e| e.unwrap().file_name()).collect();
        targets.sort();
        for target in targets {
            let path = format!("{version}/{}/index.mdx", target.to_string_lossy());
            let Some(page) = page(&path) else { continue };
            let evidence = evidence_of(&page);
            let others: Vec<(&str, &str)> = page.rows.iter().map(|r| (r.label.as_str(), r.text.as_str())).collect();
            for row in &page.rows {
                let cell = ProseCell { row: &row.label, markdown: &row.raw, line: row.line, column: row.column };
                let truth = ProseTruth { evidence: &evidence, others: &others, source: "k6 output", older: None };
                judged_rows += 1;
                found.extend(findings(&judge(&cell, &truth)).into_iter().map(|f| format!("{path} {}: {f}", row.label)));
            }
        }
    }
    println!("{judged_rows} rows judged: {found:#?}");
    // the offset of the one hand-corrected row, which counts from another zero
    assert_eq!(found.len(), 1, "{found:#?}");
}
