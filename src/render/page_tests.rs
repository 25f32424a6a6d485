use super::*;
use crate::config::PageKind;
use crate::model::{CountRate, EvidenceWindow, RequestCount, Requests, Time, WindowBasis};
use crate::model::{Evidence, Fault};
use crate::rows::RowRules;
use crate::rows::{RowInput, build};

const SITE_TEMPLATE: &str = "import OutputSource from \"./output.json\";
import { BenchmarkChart } from \"@/components/benchmark_chart\";

TODO: describe the outcome of the test?

## Performance test results

| Metric                          | Value                   |
| :------------------------------ | :---------------------- |
| Purpose                         |                         |
| Test start                      | YYYY-MM-DD HH:MM:SS UTC |
| Test duration                   | 30min                   |
| VUs                             |                         |
| ZITADEL container specification | vCPU: <br/> Memory: Gb  |
| Node pool                       |                         |
| k6 output                       |                         |

## Endpoint latencies

<BenchmarkChart testResults={OutputSource} />

## k6 output

```bash
TODO: add summary of k6
```
";

fn evidence() -> Evidence {
    let time = |t: &str| Time::parse_rfc3339(t).unwrap();
    let mut evidence = Evidence {
        target: "pat_login".into(),
        window: Some(EvidenceWindow {
            start: time("2026-08-27T13:41:19Z"),
            end: time("2026-08-27T14:11:30Z"),
            basis: WindowBasis::Test,
        }),
        requests: Some(Requests { run: RequestCount { total: 10, failed: Some(0) }, test: None }),
        ..Evidence::default()
    };
    evidence.k6.vus_max = Some(200);
    evidence.k6.iterations = Some(CountRate { count: 34_399, per_second: Some(18.873602), recomputed: false });
    evidence.k6.summary_text = Some("  █ TOTAL RESULTS\n\n    ✗ ok {status} <200> a|b".into());
    evidence
}

/// Renders with two facts through a template, as `path` says.
fn page(evidence: &Evidence, template: Option<&str>, path: &str, rules: &RowRules) -> Result<RenderedPage> {
    let facts = [("Purpose", "**Churn** [why](https://x.org)"), ("Node pool", "a|b\nc")];
    let facts = facts.map(|(k, v)| (k.to_owned(), v.to_owned())).into_iter().collect();
    let rows = build(&RowInput {
        evidence,
        product: "ZITADEL",
        version: Some("v4"),
        facts: &facts,
        expected_vus: None,
        baseline: None,
    })?;
    render(&PageInput {
        path: Path::new(path),
        kind: PageKind::of(Path::new(path)).unwrap(),
        product: "ZITADEL",
        version: "v4",
        target: "pat_login",
        words: "pat login",
        title: "pat login benchmark of zitadel v4",
        intro: "Benchmark results of the v4 release of ZITADEL.",
        evidence,
        rows: &rows,
        rules,
        template: template.map(|text| Template { path: Path::new("t/_template.mdx"), text }),
        picture: None,
        show_picture: false,
    })
}

fn filled(template: &str) -> RenderedPage {
    page(&evidence(), Some(template), "p/index.mdx", &RowRules::default()).unwrap()
}

fn refused(template: &str) -> Fault {
    page(&evidence(), Some(template), "p/index.mdx", &RowRules::default()).unwrap_err()
}

#[test]
fn a_sites_own_template_is_filled_by_row_label() {
    let page = filled(SITE_TEMPLATE);
    assert_eq!(
        page.text,
        "---
title: pat login benchmark of zitadel v4
sidebar_label: pat login
---

import OutputSource from \"./output.json\";
import { BenchmarkChart } from \"@/components/benchmark_chart\";

Benchmark results of the v4 release of ZITADEL.

## Performance test results

| Metric                          | Value                   |
| :------------------------------ | :---------------------- |
| Purpose                         | **Churn** [why](https://x.org) |
| Test start                      | 2026-08-27 13:41:19 UTC |
| Test duration                   | 30min 12s (first to last sample) |
| VUs                             | 200 |
| ZITADEL container specification | |
| Node pool                       | a\\|b<br/>c |
| k6 output                       | [output](#k6-output) |

## Endpoint latencies

<BenchmarkChart testResults={OutputSource} />

## k6 output

```bash
  █ TOTAL RESULTS

    ✗ ok {status} <200> a|b
```
"
    );
    assert_eq!(page.unfilled, ["ZITADEL container specification"]);
    let labels: Vec<&str> = page.rows.keys().map(String::as_str).collect();
    assert_eq!(
        labels,
        ["Purpose", "Test start", "Test duration", "VUs", "ZITADEL container specification", "Node pool", "k6 output"]
    );
    assert_eq!(page.rows["Node pool"], "a\\|b<br/>c");
    assert_eq!(page.sections["intro"], "Benchmark results of the v4 release of ZITADEL.");
    assert_eq!(page.sections["k6 output"], "  █ TOTAL RESULTS\n\n    ✗ ok {status} <200> a|b");
    assert_eq!(page.front_matter["title"], "pat login benchmark of zitadel v4");
}

#[test]
fn rows_the_template_does_not_have_are_not_invented() {
    assert!(!filled(SITE_TEMPLATE).text.contains("Observed errors"));
}

#[test]
fn windows_line_ends_of_a_template_stay() {
    let page = filled(&SITE_TEMPLATE.replace('\n', "\r\n"));
    assert_eq!(page.text.replace("\r\n", "\n"), filled(SITE_TEMPLATE).text);
    assert_eq!(page.text.matches('\n').count(), page.text.matches("\r\n").count());
}

#[test]
fn rows_are_hidden_and_renamed_in_a_plain_template_too() {
    let rules = RowRules {
        hide: vec!["test start".into(), "Node pool".into()],
        rename: [("VUs".to_owned(), "Virtual users".to_owned())].into_iter().collect(),
        order: Vec::new(),
    };
    let page = page(&evidence(), Some(SITE_TEMPLATE), "p/index.mdx", &rules).unwrap();
    let labels: Vec<&str> = page.rows.keys().map(String::as_str).collect();
    assert_eq!(labels, ["Purpose", "Test duration", "Virtual users", "ZITADEL container specification", "k6 output"]);
    assert!(page.text.contains("\n| Virtual users"));
}

#[test]
fn without_a_summary_the_block_stays_empty_and_is_listed() {
    let mut evidence = evidence();
    evidence.k6.summary_text = None;
    let page = page(&evidence, Some(SITE_TEMPLATE), "p/index.mdx", &RowRules::default()).unwrap();
    assert!(!page.text.contains("TODO"));
    assert_eq!(page.unfilled, ["ZITADEL container specification", "k6 output"]);
    assert_eq!(page.sections.get("k6 output"), None);
}

#[test]
fn a_summary_cannot_close_its_block() {
    let mut evidence = evidence();
    evidence.k6.summary_text = Some("a\n```\nimport x from 'y'\n<script>\n````".into());
    let jinja = "| VUs | {{ vus }} |\n|---|---|\n| Test start | x |\n\n```bash\n{{ k6_summary }}\n```\n";
    for template in [SITE_TEMPLATE, jinja, BUILT_IN] {
        let page = page(&evidence, Some(template), "p/index.mdx", &RowRules::default()).unwrap();
        assert!(page.text.contains("\n`````bash\na\n```\nimport x from 'y'\n<script>\n````\n`````"), "{}", page.text);
    }
}

#[test]
fn a_plain_template_whose_table_is_none_is_refused_with_its_line() {
    let broken =
        SITE_TEMPLATE.replace("| :------------------------------ | :---------------------- |", "|-:----|-:-----|");
    let fault = refused(&broken);
    assert_eq!(
        fault.to_string(),
        "t/_template.mdx:9: no table is shown: `-:----` in its second line is no column, expected dashes with an optional `:` at either end"
    );
    assert!(refused("just text\n").to_string().starts_with("t/_template.mdx: no table has a known row"));
}

#[test]
fn the_built_in_template_leaves_out_what_nobody_knows() {
    let page = page(&evidence(), None, "p/index.mdx", &RowRules::default()).unwrap();
    let start = "---\ntitle: pat login benchmark of zitadel v4\nsidebar_label: pat login\n---\n\nimport OutputSource from \"./output.json\";\n";
    assert!(page.text.starts_with(start), "{}", page.text);
    assert!(page.text.contains("| :----- | :---- |\n| Purpose | **Churn** [why](https://x.org) |\n| Test start | "));
    assert!(page.text.contains("| k6 output | [output](#k6-output) |\n\n## Endpoint latencies\n\n<BenchmarkChart"));
    assert!(page.text.ends_with("\n    ✗ ok {status} <200> a|b\n```\n"));
    assert!(!page.text.contains("Baseline") && page.unfilled.is_empty());
    assert_eq!(page.rows.len(), page.rows.values().filter(|cell| page.text.contains(&format!("| {cell} |\n"))).count());
}

#[test]
fn plain_markdown_has_no_imports_components_or_empty_sections() {
    for template in [None, Some(SITE_TEMPLATE)] {
        let page = page(&evidence(), template, "p/index.md", &RowRules::default()).unwrap();
        for trace in ["import", "<BenchmarkChart", "Endpoint latencies", "\n\n\n"] {
            assert!(!page.text.contains(trace), "{trace}: {}", page.text);
        }
        assert!(page.text.contains("---\n\nBenchmark results of the v4 release of ZITADEL.\n\n## Performance"));
        assert!(page.text.contains("| VUs"), "the table stays");
        assert!(page.text.contains("ok {status} <200> a|b"), "the block stays");
    }
}

#[test]
fn plain_markdown_keeps_what_stands_between_tags() {
    let template = "import Out from \"./output.json\";\n\n# {{ words }}\n\n<Callout>\n\nRead **this**.\n\n<Badge />\n\n</Callout>\n\n\
                    ## Chart\n\n<Tabs>\n<Chart data={Out} />\n</Tabs>\n\nEnd.\n";
    let page = page(&evidence(), Some(template), "p/index.md", &RowRules::default()).unwrap();
    assert!(page.text.contains("# pat login\n\nRead **this**.\n\n## Chart\n\nEnd.\n"), "{}", page.text);
}

#[test]
fn jinja_templates_see_rows_by_label_and_by_name() {
    let template = "{{ intro }} {{ words }} {{ evidence.target }} {{ evidence.k6.vus_max }}\n\n\
                    | Metric | Value |\n|---|---|\n| Test start | {{ row(\"test START\") }} |\n| VUs | {{ vus }} |\n\
                    | Baseline | {{ row('Baseline') }} |\n| Node pool | {{ row('Node pool') }} |\n";
    let page = filled(template);
    assert!(page.text.contains("Benchmark results of the v4 release of ZITADEL. pat login pat_login 200\n"));
    assert_eq!(page.rows["Test start"], "2026-08-27 13:41:19 UTC");
    assert_eq!((page.rows["VUs"].as_str(), page.rows["Node pool"].as_str()), ("200", "a\\|b<br/>c"));
    assert_eq!(page.unfilled, ["Baseline"]);
}

#[test]
fn braces_of_jsx_do_not_make_a_template_jinja() {
    let template = SITE_TEMPLATE.replace("<BenchmarkChart", "<BenchmarkChart style={{ color: \"red\" }}");
    assert!(filled(&template).text.contains("style={{ color: \"red\" }}"));
}

#[test]
fn a_name_a_template_gets_wrong_is_reported_with_the_one_it_meant() {
    let fault = refused("a\n\n| k6 | {{ iteration_per_second }} |\n");
    assert_eq!(
        fault.to_string(),
        "t/_template.mdx:3: `iteration_per_second` is not defined in `| k6 | {{ iteration_per_second }} |`"
    );
    assert_eq!(
        fault.hint.as_deref(),
        Some("did you mean `iterations_per_second`? run the `context` command to list every name")
    );
    let deep = refused("{{ evidence.k6.vus_mx }}\n");
    assert_eq!(
        deep.to_string(),
        "t/_template.mdx:1: `evidence.k6.vus_mx` is not defined in `{{ evidence.k6.vus_mx }}`"
    );
    assert!(deep.hint.unwrap().starts_with("did you mean `evidence.k6.vus_max`?"));
}

#[test]
fn a_row_or_a_syntax_a_template_gets_wrong_is_reported_where_it_stands() {
    let fault = refused("a\n{{ row('Test strat') }}\n");
    assert_eq!(fault.to_string(), "t/_template.mdx:2: no row is called `Test strat` in `{{ row('Test strat') }}`");
    assert_eq!(fault.hint.as_deref(), Some("did you mean `Test start`?"));
    let syntax = refused("a\n{% if %}\n").to_string();
    assert!(syntax.starts_with("t/_template.mdx:2: "), "{syntax}");
    let loops = refused("{% for r in rows %}\n{{ r.lable }}\n{% endfor %}\n").to_string();
    assert!(loops.starts_with("t/_template.mdx:2: `r.lable` is not defined"), "{loops}");
}

#[test]
fn a_page_that_would_not_compile_is_refused() {
    let rules = RowRules::default();
    let mut evidence = evidence();
    evidence.target = "ok {status} <200> a|b".into();
    let page = page(&evidence, None, "p/index.mdx", &rules).unwrap();
    assert!(page.text.contains("| Executed test | ok \\{status\\} \\<200\\> a\\|b |"), "data never breaks it");
    let fault = refused("{{ words }}\n\np95 <5s\n");
    assert!(fault.to_string().starts_with("p/index.mdx:"), "{fault}");
}

#[test]
fn the_context_is_made_of_finished_texts() {
    let evidence = evidence();
    let rules = RowRules::default();
    let input = PageInput {
        path: Path::new("p/index.mdx"),
        kind: PageKind::Mdx,
        product: "ZITADEL",
        version: "v4",
        target: "pat_login",
        words: "pat login",
        title: "t",
        intro: "i",
        evidence: &evidence,
        rows: &[],
        rules: &rules,
        template: None,
        picture: None,
        show_picture: false,
    };
    let context = crate::render::context(&input).unwrap();
    assert_eq!(context["evidence"]["window"]["start"], "2026-08-27T13:41:19Z");
    assert_eq!(context["evidence"]["k6"]["vus_max"], "200");
    assert_eq!(context["evidence"]["k6"].get("summary_text"), None);
    assert_eq!((&context["test_start"], &context["target"]), (&"".into(), &"pat_login".into()));
    assert_eq!(context["rows"], serde_json::json!([]));
}

#[test]
fn the_real_template_of_the_site_works_as_it_is() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/real-pages/");
    let Ok(template) = std::fs::read_to_string(format!("{dir}_template.mdx")) else { return };
    let page = filled(&template);
    assert!(!page.text.contains("TODO") && !page.text.contains("YYYY") && !page.text.contains("vCPU"));
    assert_eq!(page.rows["VUs"], "200");
    assert_eq!(page.rows["ZITADEL Version"], "v4");
    assert!(page.unfilled.contains(&"Client location".to_owned()));
    assert_eq!(mdx::problems(&page.text), []);
    let Ok(old) = std::fs::read_to_string(format!("{dir}_template-before-4.17.mdx")) else { return };
    assert!(refused(&old).to_string().starts_with("t/_template.mdx:9: no table is shown"));
}

#[test]
fn the_frame_is_the_templates_own_and_nothing_else() {
    let page = filled(SITE_TEMPLATE);
    let again = filled(&SITE_TEMPLATE.replace("| Purpose", "| Baseline | none |\n| Purpose"));
    assert_eq!(page.frame, again.frame, "rows are no part of it");
    assert_ne!(page.frame, filled(&SITE_TEMPLATE.replace("## ", "### ")).frame);
    for generated in [&page.sections["intro"], &page.sections["k6 output"], &page.front_matter["title"]] {
        assert!(!page.frame.contains(generated.as_str()), "{generated}");
    }
}
