use indexmap::IndexMap;

use super::*;

const FRONT: &str = "---\ntitle: pat login v1\nsidebar_label: pat login\n---\n\n";
const IMPORT: &str = "import Data from \"./output.json\";\n\n";

/// A page as a template makes it.
fn page(rows: &[(&str, &str)], block: &str) -> RenderedPage {
    let table: String = rows.iter().map(|(label, value)| format!("| {label} | {value} |\n")).collect();
    let text = format!(
        "{FRONT}{IMPORT}What was measured.\n\n## Results\n\n| Metric | Value |\n| :--- | :--- |\n{table}\n## k6 output\n\n```bash\n{block}\n```\n"
    );
    let owned = |pairs: &[(&str, &str)]| -> IndexMap<String, String> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    };
    let sections = [("intro", "What was measured."), ("k6 output", block), ("chart import", IMPORT.trim_end())];
    RenderedPage {
        text,
        rows: owned(rows),
        sections: owned(&sections),
        front_matter: owned(&[("title", "pat login v1"), ("sidebar_label", "pat login")]),
        ..RenderedPage::default()
    }
}

fn generated(page: &RenderedPage) -> Generated {
    page.remembered("a test".to_owned(), fingerprint)
}

fn old() -> RenderedPage {
    page(&[("Test start", "10:00"), ("VUs", "200"), ("Observed errors", "none")], "iterations...: 1")
}

fn new() -> RenderedPage {
    page(&[("Test start", "11:00"), ("VUs", "300"), ("Observed errors", "5 of 10")], "iterations...: 2")
}

fn merged(page: &str, base: &RenderedPage, new: &RenderedPage) -> Merged {
    forcing(page, base, new, &[])
}

fn forcing(page: &str, base: &RenderedPage, new: &RenderedPage, labels: &[&str]) -> Merged {
    let base = generated(base);
    let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
    let forced = forced(&labels, "Shop", [(new, Some(&base))]).unwrap();
    merge(&Sides { page, base: Some(&base), new, product: "Shop", forced: &forced })
}

/// Name and state of each piece, in order.
fn states(merged: &Merged) -> Vec<(&str, State)> {
    merged.pieces.iter().map(|piece| (piece.name.as_str(), piece.state)).collect()
}

#[test]
fn an_untouched_page_becomes_the_new_one() {
    let merged = merged(&old().text, &old(), &new());
    assert_eq!(merged.text, new().text);
    let rows = ["Test start", "VUs", "Observed errors", "k6 output"].map(|name| (name, State::Updated));
    assert_eq!(states(&merged), rows);
    assert_eq!(merged.pieces[1].line, Some(15));
}

#[test]
fn an_edited_cell_stays_and_the_others_are_updated() {
    let page = old().text.replace("| none |", "| none, but see *below* |");
    let merged = merged(&page, &old(), &new());
    assert_eq!(merged.text, new().text.replace("| 5 of 10 |", "| none, but see *below* |"));
    let piece = merged.pieces.iter().find(|piece| piece.name == "Observed errors").unwrap();
    assert_eq!((piece.state, piece.line), (State::Conflict, Some(16)));
    let shown = [&piece.page, &piece.before, &piece.generated].map(|text| text.as_deref().unwrap());
    assert_eq!(shown, ["none, but see *below*", "none", "5 of 10"]);
}

#[test]
fn an_edit_of_what_did_not_change_is_kept_without_a_conflict() {
    let page = old().text.replace("| none |", "| nothing to report |");
    let merged = merged(&page, &old(), &old());
    assert_eq!(merged.text, page);
    assert_eq!(states(&merged), [("Observed errors", State::Kept)]);
}

#[test]
fn an_edit_that_says_what_is_generated_now_is_settled() {
    let page = old().text.replace("| 200 |", "| 300 |");
    let merged = merged(&page, &old(), &new());
    assert_eq!(merged.text, new().text);
    assert!(!states(&merged).iter().any(|(name, _)| *name == "VUs"));
}

#[test]
fn a_reformatted_page_is_untouched_and_keeps_its_form() {
    let page = old().text.replace("| VUs | 200 |", "| VUs             |    200    |").replace('\n', "\r\n");
    let merged = merged(&format!("\u{feff}{page}"), &old(), &new());
    let expected = new().text.replace("| VUs | 300 |", "| VUs             |    300    |").replace('\n', "\r\n");
    assert_eq!(merged.text, format!("\u{feff}{expected}"));
    assert!(merged.pieces.iter().all(|piece| piece.state == State::Updated));
}

#[test]
fn added_moved_and_removed_rows_stay_so() {
    let page = old().text.replace("| Test start | 10:00 |\n| VUs | 200 |\n", "| VUs | 200 |\n| Weather | rain |\n");
    let merged = merged(&page, &old(), &new());
    assert!(
        merged.text.contains("| VUs | 300 |\n| Weather | rain |\n| Observed errors | 5 of 10 |\n"),
        "{}",
        merged.text
    );
    assert!(states(&merged).contains(&("Test start", State::Removed)));
}

#[test]
fn a_new_row_goes_behind_the_row_it_follows() {
    let mut more = new();
    more.text = more.text.replace("| VUs | 300 |\n", "| VUs | 300 |\n| Purpose | x |\n| k6 version | v2 |\n");
    let both = [("Purpose", "x"), ("k6 version", "v2")];
    more.rows.extend(both.map(|(label, value)| (label.to_owned(), value.to_owned())));
    let page =
        old().text.replace("| Test start | 10:00 |\n| VUs | 200 |\n", "| VUs | 200 | \n| Test start | 10:00 |\n");
    let merged = merged(&page, &old(), &more);
    assert!(
        merged.text.contains("| VUs | 300 | \n| Purpose | x |\n| k6 version | v2 |\n| Test start | 11:00 |\n"),
        "{}",
        merged.text
    );
}

#[test]
fn a_row_no_longer_generated_goes_unless_it_was_edited() {
    let fewer = page(&[("Test start", "11:00"), ("VUs", "300")], "iterations...: 2");
    let untouched = merged(&old().text, &old(), &fewer);
    assert_eq!(untouched.text, fewer.text);
    assert!(states(&untouched).contains(&("Observed errors", State::Dropped)));
    let edited = merged(&old().text.replace("| none |", "| one |"), &old(), &fewer);
    assert!(edited.text.contains("| Observed errors | one |"));
    assert!(states(&edited).contains(&("Observed errors", State::Conflict)));
}

#[test]
fn empty_cells_are_filled_in_any_form() {
    let empty = page(&[("Test start", "10:00"), ("VUs", ""), ("Observed errors", "none")], "iterations...: 1");
    for cell in ["| VUs |  |", "| VUs ||", "| VUs |   |", "| VUs |"] {
        let page = empty.text.replace("| VUs |  |", cell);
        let merged = merged(&page, &empty, &new());
        let line = merged.text.lines().find(|line| line.contains("VUs")).unwrap();
        assert!(line.replace(' ', "").eq("|VUs|300|"), "{cell}: {line}");
        assert_eq!(
            merge(&Sides {
                page: &merged.text,
                base: Some(&generated(&new())),
                new: &new(),
                product: "Shop",
                forced: &Forced::default()
            })
            .text,
            merged.text
        );
    }
}

#[test]
fn rows_split_off_into_a_second_table_are_still_updated() {
    let page = old().text.replace("| Observed errors | none |\n", "\nText between.\n\n| Errors | found |\n|---|---|\n| Observed errors | none |\n\n| VUs | of others |\n|---|---|\n| VUs | 7 |\n");
    let merged = merged(&page, &old(), &new());
    assert!(
        merged.text.contains("| Observed errors | 5 of 10 |") && merged.text.contains("| VUs | 7 |"),
        "{}",
        merged.text
    );
}

#[test]
fn a_label_renamed_by_the_project_changes_on_the_page_too() {
    let mut renamed = new();
    renamed.text = renamed.text.replace("| VUs |", "| Virtuelle Nutzer |");
    let rows = renamed.rows.clone().into_iter();
    renamed.rows = rows.map(|(label, value)| (label.replace("VUs", "Virtuelle Nutzer"), value)).collect();
    renamed.labels.insert("Virtuelle Nutzer".to_owned(), "VUs".to_owned());
    let page = old().text.replace("| none |", "| one |");
    let first = merged(&page, &old(), &renamed);
    assert!(first.text.contains("| Virtuelle Nutzer | 300 |\n"), "{}", first.text);
    // and back again, though nothing but the evidence knows the name
    let second = merged(&first.text, &renamed, &new());
    assert!(second.text.contains("| VUs | 300 |\n"), "{}", second.text);
}

#[test]
fn without_evidence_whatever_differs_is_a_persons() {
    let page = old().text.replace("| Test start | 10:00 |\n", "");
    let merged = merge(&Sides { page: &page, base: None, new: &new(), product: "Shop", forced: &Forced::default() });
    assert_eq!(merged.text, page);
    let expected = [
        ("VUs", State::Conflict),
        ("Observed errors", State::Conflict),
        ("k6 output", State::Conflict),
        ("Test start", State::Removed),
    ];
    assert_eq!(states(&merged), expected);
}

#[test]
fn a_page_without_a_table_is_kept_as_a_conflict() {
    let merged = merged("# My own page\n\nText.\n", &old(), &new());
    assert_eq!(merged.text, "# My own page\n\nText.\n");
    assert!(states(&merged).contains(&("metric table", State::Conflict)));
}

#[test]
fn edited_front_matter_intro_and_import_stay() {
    let page = old()
        .text
        .replace("title: pat login v1", "title: \"PAT login: v1\"")
        .replace("What was measured.", "We measured.");
    let mut more = new();
    more.text = more.text.replace("pat login v1", "pat login v2");
    more.front_matter.insert("title".to_owned(), "pat login v2".to_owned());
    let merged = merged(&page, &old(), &more);
    assert!(merged.text.contains("title: \"PAT login: v1\"\n") && merged.text.contains("\nWe measured.\n"));
    assert!(states(&merged).contains(&("title", State::Conflict)) && states(&merged).contains(&("intro", State::Kept)));
}

#[test]
fn untouched_front_matter_and_a_moved_intro_are_updated() {
    let page = old()
        .text
        .replace("What was measured.\n", "My own words first.\n")
        .replace("## k6 output", "What was\nmeasured.\n\n## k6 output");
    let mut more = new();
    more.front_matter.insert("sidebar_label".to_owned(), "pat: login".to_owned());
    more.sections.insert("intro".to_owned(), "What is measured.".to_owned());
    let merged = merged(&page, &old(), &more);
    assert!(merged.text.contains("sidebar_label: \"pat: login\"\n"));
    assert!(
        merged.text.contains("My own words first.\n") && merged.text.contains("\nWhat is measured.\n\n## k6"),
        "{}",
        merged.text
    );
}

#[test]
fn a_block_gets_a_longer_fence_where_its_new_text_needs_one() {
    let mut more = new();
    more.sections.insert("k6 output".to_owned(), "iterations...: 2\n```\nx".to_owned());
    let merged = merged(&old().text, &old(), &more);
    assert!(merged.text.ends_with("````bash\niterations...: 2\n```\nx\n````\n"), "{}", merged.text);
}

#[test]
fn a_block_in_a_list_is_left_and_reported() {
    let page = old().text.replace("```bash\niterations...: 1\n```", "- x\n  ```bash\n  iterations...: 1\n  ```");
    let merged = merged(&page, &old(), &new());
    assert!(merged.text.contains("  iterations...: 1\n"));
    assert!(states(&merged).contains(&("k6 output", State::Conflict)));
}

#[test]
fn a_template_that_changed_is_told_of_an_edited_page() {
    let mut framed = new();
    framed.frame = "another".to_owned();
    let base = Generated { template: Some(fingerprint(b"one")), ..generated(&old()) };
    let forced = Forced::default();
    let sides = Sides { page: &old().text, base: Some(&base), new: &framed, product: "Shop", forced: &forced };
    assert!(merge(&sides).template_changed);
    let base = Generated { template: Some(fingerprint(b"another")), ..generated(&old()) };
    assert!(!merge(&Sides { base: Some(&base), ..sides }).template_changed);
}

#[test]
fn forced_pieces_are_overwritten_and_removed_rows_come_back() {
    let page = old().text.replace("| none |", "| one |").replace("| VUs | 200 |\n", "");
    let merged = forcing(&page, &old(), &new(), &["observed ERRORS", "VUs"]);
    assert_eq!(merged.text, new().text);
    assert!(states(&merged).contains(&("VUs", State::Forced)));
}

#[test]
fn an_unknown_label_to_force_names_the_near_ones() {
    let base = generated(&old());
    let fault = forced(&["Observed error".to_owned()], "Shop", [(&new(), Some(&base))]).unwrap_err();
    assert_eq!(fault.to_string(), "`--force-row Observed error`: no page has such a row");
    assert_eq!(fault.hint.as_deref(), Some("did you mean `Observed errors`?"));
}
