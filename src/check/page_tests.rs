use super::*;

const PAGE: &str = "---
title: pat login benchmark of zitadel v4
sidebar_label: pat login
---

import OutputSource from \"./output.json\";
import { BenchmarkChart } from '@/components/benchmark_chart';

Results of [v4](https://x.org).

Second paragraph.

## Performance test results

| Metric            | Value                             |
|:------------------|:----------------------------------|
| Purpose           | Test **current** performance      |
| Executed test     | manipulate\\_user                  |
| Zitadel location  |                                   |
| ZITADEL Version | v4.0.0-rc2 |
| ZITADEL feature flags | webKey: true, list: \\[\\\"A\\_B\\\", \\\"C\\\"\\] |
| Database          | type: psql<br />version: v17.4<br/>`a|b` |
| Node pool         | x \\| y                            |
| k6 iterations per second | 16 |
| flowchart outcome | Scale out |

## Endpoint latencies

Text about latencies.

<BenchmarkChart testResults={OutputSource} />

```yaml
not: k6
```

## k6 output
```bash
  █ TOTAL RESULTS

    http_req_duration....: min=1ms
```
";

fn page() -> Page {
    Page::read(PAGE, Some("ZITADEL"))
}

#[test]
fn every_part_is_read_with_its_place() {
    let page = page();
    assert_eq!(page.front_matter["title"], ("pat login benchmark of zitadel v4".to_owned(), 2));
    let intro = page.intro.unwrap();
    assert_eq!((intro.text.as_str(), intro.line), ("Results of [v4](https://x.org).", 9));
    let import = page.chart_import.unwrap();
    assert_eq!((import.text.as_str(), import.line, import.column), ("./output.json", 6, 27));
    let block = page.k6_block.unwrap();
    assert_eq!(block.text, "  █ TOTAL RESULTS\n\n    http_req_duration....: min=1ms");
    assert_eq!(PAGE.lines().nth(block.line as usize - 1), Some("  █ TOTAL RESULTS"));
}

#[test]
fn rows_are_read_by_any_spelling_with_line_and_column() {
    let page = page();
    let row = page.row(RowId::ExecutedTest).unwrap();
    assert_eq!(
        (row.label.as_str(), row.text.as_str(), row.raw.as_str()),
        ("Executed test", "manipulate_user", "manipulate\\_user")
    );
    assert_eq!((row.line, row.column), (18, 23));
    assert_eq!(page.row(RowId::ProductLocation).unwrap().raw, "");
    assert_eq!(page.row(RowId::IterationsPerSecond).unwrap().text, "16");
    assert_eq!(page.rows.iter().find(|row| row.label == "Node pool").unwrap().id, None);
    assert_eq!(Page::read(PAGE, None).rows, page.rows, "the product's name is not needed");
}

#[test]
fn cells_show_line_ends_and_no_markup() {
    let row = page().row(RowId::Database).cloned().unwrap();
    assert!(row.text.starts_with("type: psql\nversion: v17.4\n"), "{}", row.text);
    assert_eq!(page().row(RowId::Purpose).unwrap().text, "Test current performance");
}

#[test]
fn pages_without_any_of_it_are_read_too() {
    for text in ["", "---\n", "just text", "| a |\n|---|\n| b |\n", "import x from \"./output.json\"\n"] {
        let page = Page::read(text, None);
        assert!(page.rows.is_empty() && page.k6_block.is_none(), "{text:?}");
    }
    assert_eq!(Page::read("import a from 'b'\nSome text", None).intro.unwrap().text, "Some text");
}

#[test]
fn windows_line_ends_do_not_shift_places() {
    let windows = Page::read(&PAGE.replace('\n', "\r\n"), Some("ZITADEL"));
    let lines = |page: &Page| page.rows.iter().map(|r| (r.line, r.column, r.raw.clone())).collect::<Vec<_>>();
    assert_eq!(lines(&windows), lines(&page()));
}

#[test]
fn facts_are_what_only_people_know_without_needless_escapes() {
    let facts = facts_of(&page());
    let facts: Vec<(&str, &str)> = facts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(
        facts[..3],
        [
            ("Purpose", "Test **current** performance"),
            ("ZITADEL Version", "v4.0.0-rc2"),
            ("ZITADEL feature flags", "webKey: true, list: [\"A_B\", \"C\"]"),
        ]
    );
    assert_eq!(facts.last(), Some(&("Node pool", "x | y")));
    assert!(!facts.iter().any(|(label, _)| ["Executed test", "flowchart outcome", "Zitadel location"].contains(label)));
}

#[test]
fn escapes_that_matter_stay() {
    for raw in ["\\[x\\](y)", "\\*\\*x\\*\\*", "a \\<b\\>", "\\`x\\`", "a\\\\\\|b"] {
        let fact = as_fact(raw);
        assert_eq!(shown(&escape::fact(&fact)), shown(raw), "{raw} became {fact}");
        assert_eq!(as_fact(&escape::fact(&fact)), fact, "{raw}");
    }
    assert_eq!(as_fact("\\[x\\](y)"), "\\[x\\](y)");
}

/// The published pages: read, written again from what was read, and read once more, the facts are the same.
#[test]
fn facts_of_the_real_pages_survive_writing_and_reading() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/real-pages");
    let mut pages = 0;
    let folders = |path: &std::path::Path| -> Vec<std::path::PathBuf> {
        std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    for file in folders(root.as_ref()).iter().flat_map(|v| folders(v)).map(|t| t.join("index.mdx")) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let page = Page::read(&text, None);
        assert!(page.rows.len() >= 19, "{}: {} rows", file.display(), page.rows.len());
        assert!(page.rows.iter().all(|row| row.id.is_some()), "{}", file.display());
        assert!(page.k6_block.is_some() && page.intro.is_some() && page.chart_import.is_some(), "{}", file.display());
        let facts = facts_of(&page);
        assert!(facts.len() >= 8, "{}: {facts:?}", file.display());
        let rows: String =
            facts.iter().map(|(k, v)| format!("| {} | {} |\n", escape::cell(k), escape::fact(v))).collect();
        let again = facts_of(&Page::read(&format!("| Metric | Value |\n| :--- | :--- |\n{rows}"), None));
        assert_eq!(again, facts, "{}", file.display());
        let visible =
            |facts: &IndexMap<String, String>| facts.values().map(|v| shown(&escape::fact(v))).collect::<Vec<_>>();
        let original: Vec<String> =
            page.rows.iter().filter(|row| facts.contains_key(&row.label)).map(|row| row.text.clone()).collect();
        assert_eq!(visible(&facts), original, "{}", file.display());
        pages += 1;
    }
    assert!(pages == 0 || pages >= 15, "{pages} pages");
}
