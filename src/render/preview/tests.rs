use super::*;
use crate::model::{Generated, Latency, Percentile, Stat, SweepLine};

const PAGE: &str = "---\ntitle: \"search, v1\"\n---\n\nimport Chart from \"./output.json\";\n\nFirst *words*, at `rest`.\n\n\
## Results\n\n| Metric | Value |\n| :--- | ---: |\n| VUs | 8 |\n| Observed errors | 5 of 90 requests failed<br/>(1) **5 HTTP 503** |\n\n\
<BenchmarkChart testResults={Chart} />\n\n## k6 output\n\n```bash\niterations...: 90 3/s\nvus..........: 8\n```\n";

fn remark(line: u64, column: u64, stated: &str, weight: Weight) -> Remark {
    Remark { line, column, stated: stated.to_owned(), weight, text: format!("on {stated}") }
}

fn shown(text: &str, remarks: &[Remark], edited: &[(u64, String)]) -> String {
    preview_page(&PreviewPage {
        file: "v1/search/index.mdx",
        text,
        target: "search",
        picture: Some("latency.svg"),
        remarks,
        edited,
        links: Links { page: "v1/search/index.mdx", up: "../../", pages: None },
    })
}

#[test]
fn a_page_reads_as_on_a_site_with_the_picture_where_its_chart_is() {
    let html = shown(PAGE, &[], &[]);
    for expected in [
        "<title>search, v1</title>",
        "<p>First <em>words</em>, at <code>rest</code>.</p>",
        "<h2 id=\"k6-output\">k6 output</h2>",
        "<tr><th scope=\"row\">VUs</th><td class=\"right\">8</td></tr>",
        "requests failed<br>(1) <strong>5 HTTP 503</strong>",
        "iterations...: 90 3/s\nvus..........: 8\n</code></pre>",
        "<a href=\"../../index.html\">All pages</a>",
    ] {
        assert!(html.contains(expected), "{expected}\n{html}");
    }
    for absent in ["import", "BenchmarkChart", "Findings"] {
        assert!(!html.contains(absent), "{absent}");
    }
    let order =
        ["<td class=\"right\">8", "src=\"latency.svg\"", "id=\"k6-output\""].map(|part| html.find(part).unwrap());
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(html.matches("<img").count(), 1);
}

#[test]
fn a_finding_stands_beside_its_row_and_marks_its_words() {
    let remarks = [remark(14, 21, "5 of 90", Weight::Error), remark(21, 1, "iterations", Weight::Note)];
    let html = shown(PAGE, &remarks, &[]);
    let mark = "<mark class=\"error\" id=\"claim.0\" aria-describedby=\"note.0\">5 of 90</mark> requests failed";
    assert!(html.contains(mark), "{html}");
    let row = html.split("<tr>").find(|row| row.contains(mark)).unwrap();
    assert!(row.contains("<p class=\"error\" id=\"note.0\">") && row.contains("href=\"#claim.0\""), "{row}");
    let block = html.split("<pre").nth(1).unwrap();
    assert!(block.contains("<mark class=\"note\" id=\"claim.1\" aria-describedby=\"note.1\">iterations</mark>...: 90"));
    assert!(block.contains("line 21: on iterations"), "{block}");
    assert!(html.contains("1 error, 0 warnings, 1 note"));
}

#[test]
fn marked_words_go_on_through_breaks_and_bold_and_end_with_their_cell() {
    let stated = "failed\n(1) 5 HTTP 503 and more than the cell has";
    let html = shown(PAGE, &[remark(14, 38, stated, Weight::Warning)], &[]);
    let open = "<mark class=\"warning\"";
    assert!(html.contains(&format!("{open} id=\"claim.0\" aria-describedby=\"note.0\">failed</mark><br>")), "{html}");
    assert!(html.contains(&format!("<strong>{open} aria-describedby=\"note.0\">5 HTTP 503</mark></strong></td>")));
    assert_eq!(html.matches("<mark").count(), 3);
}

#[test]
fn remarks_without_a_place_stand_above_everything() {
    let remarks = [remark(2, 1, "title", Weight::Warning), remark(999, 7, "nowhere", Weight::Error)];
    let html = shown(PAGE, &remarks, &[]);
    let (top, rest) = html.split_once("<p>First").unwrap();
    assert!(top.contains("note.0") && top.contains("note.1") && !rest.contains("id=\"note."), "{top}");
}

#[test]
fn rows_of_a_persons_hand_are_marked() {
    let rows = [("VUs".to_owned(), "9".to_owned())].into_iter().collect();
    let written = Generated { rows, ..Generated::default() };
    let edited = edited_rows(PAGE, &written, None);
    assert_eq!(edited, [(13, "corrected by hand".to_owned()), (14, "written by hand".to_owned())]);
    let html = shown(PAGE, &[], &edited);
    assert!(
        html.contains("<td class=\"right\">8</td><td class=\"notes\"><p class=\"edited\">corrected by hand</p></td>")
    );
    assert!(html.contains("2 rows edited by hand"));
}

#[test]
fn nothing_on_a_page_runs_or_is_loaded() {
    let hostile = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](JaVaScRiPt:x) \
        [c](data:text/html,x) [d](//elsewhere.example) [e](https://good.example/x) [f](#here) ![g](https://elsewhere.example/p.png)\n\n\
        | a | b |\n|---|---|\n| <b onclick=x>c</b> | `<i>` &lt;u&gt; |\n\n```\"><script>\n</code></pre><script>x</script>\n```\n\n<!-- comment -->\n";
    let html = shown(hostile, &[remark(1, 1, "<script>", Weight::Error)], &[]);
    let body = html.split("<main").nth(1).unwrap();
    let tag = regex::Regex::new("<([a-z0-9]+)").unwrap();
    let known = [
        "h1", "p", "a", "article", "div", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "mark", "strong",
        "span", "aside", "main", "br", "img",
    ];
    for found in tag.captures_iter(body) {
        assert!(known.contains(&&found[1]), "{}", &found[0]);
    }
    let link = regex::Regex::new("(?:href|src)=\"([^\"]*)\"").unwrap();
    let links: Vec<&str> = link.captures_iter(body).map(|found| found.get(1).unwrap().as_str()).collect();
    assert_eq!(links, ["#claim.0", "https://good.example/x", "#here"], "{body}");
    assert!(html.contains("default-src 'none'"));
}

#[test]
fn a_page_that_does_not_compile_is_shown_all_the_same() {
    let html = shown("# T\n\nat <200ms {x\n\n| a |\n|---|\n| b |\n", &[], &[]);
    assert!(html.contains("<p>at &lt;200ms {x</p>") && html.contains("<th scope=\"row\">b</th>"), "{html}");
}

#[test]
fn odd_places_and_texts_are_survived() {
    for text in [
        "",
        "\u{feff}---\n",
        "---\ntitle: x",
        "| a |\n|---|\n",
        "<",
        "{",
        "```\n",
        "\r\n| a | b |\r\n|--|--|\r\n| ä | ö |\r\n",
    ] {
        let remarks = [
            remark(0, 0, "x", Weight::Note),
            remark(u64::MAX, u64::MAX, "", Weight::Error),
            remark(1, 2, "\u{1f600}", Weight::Error),
            remark(4, 7, "ö", Weight::Warning),
        ];
        shown(text, &remarks, &[(0, String::new()), (u64::MAX, "x".to_owned())]);
    }
}

#[test]
fn the_index_shows_what_k6_printed_and_not_what_is_left_of_it_when_read_back() {
    let p95 = Stat::P(Percentile::P95);
    let printed = Latency { ms: 1.15 * 1000.0 - 1e-9, printed: Some("1.15s".to_owned()) };
    let line = SweepLine { latency: [(p95, printed)].into_iter().collect(), ..SweepLine::default() };
    let entry =
        IndexEntry { link: "x.html", name: "x", version: None, file: None, line: &line, remarks: &[], edited: 0 };
    assert!(preview_index("t", &[entry], "", None).contains(">1.15s<"));
}

#[test]
fn the_index_links_every_page_and_says_nothing_it_does_not_know() {
    let run = |per_second| SweepLine { iterations_per_second: Some(per_second), ..SweepLine::default() };
    let (slow, fast, unknown) = (run(1.5), run(900.0), SweepLine::default());
    let entry = |name, line| {
        let link = "pages/x.html";
        IndexEntry { link, name, version: None, file: None, line, remarks: &[], edited: 0 }
    };
    let entries = [entry("<slow>", &slow), entry("unknown", &unknown), entry("fast", &fast)];
    let html = preview_index("Shop & v1", &entries, "**Goals**\n\n- fast reached 900/s: met\n", Some("sweep.svg"));
    let order = ["&lt;slow&gt;</a>", "unknown</a>", "fast</a>"].map(|name| html.find(name).unwrap());
    assert!(order.is_sorted());
    assert!(
        html.contains("<h1>Shop &amp; v1</h1>")
            && html.contains("<ul><li>fast reached 900/s: met</li>")
            && html.contains("src=\"sweep.svg\"")
    );
    let cells = html.split("unknown</a>").nth(1).unwrap().split("</tr>").next().unwrap();
    // five figures and the failed requests
    assert_eq!(cells.matches("\"></td>").count(), 6, "{cells}");
}

#[test]
fn what_stands_between_the_tags_of_components_is_shown() {
    let page = "---\ntitle: x\n---\n\nimport Out from \"./output.json\";\n\n<Badge />\n\n<Callout type=\"warn\">\n  VUs were **200**, not 100.\n\n\
        | a | b |\n  |---|---|\n  | 1 | 2 |\n</Callout>\n\nAfter.\n\n<Tabs>\n<Chart data={Out} />\n</Tabs>\n\nEnd.\n";
    let html = shown(page, &[remark(10, 14, "200", Weight::Error)], &[]);
    let order = [
        "<strong><mark class=\"error\" id=\"claim.0\" aria-describedby=\"note.0\">200</mark></strong>, not 100.",
        "line 10: on 200",
        "<td>2</td>",
        "After.",
        "src=\"latency.svg\"",
        "End.",
    ];
    let places: Vec<Option<usize>> = order.iter().map(|part| html.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {html}");
    assert!(!html.contains("Callout") && !html.contains("Tabs") && html.matches("<img").count() == 1);
}

#[test]
fn comments_are_not_shown_however_long_they_are() {
    let page =
        "# T\n\n<!-- one\ntwo\nthree --> after\n\na <!-- b --> c\n\n```\n<!-- code -->\n```\n\n<!-- open\n\nend\n";
    let html = shown(page, &[], &[]);
    let body = html.split("<article").nth(1).unwrap();
    for hidden in ["one", "two", "three", " b "] {
        assert!(!body.contains(hidden), "{hidden}: {body}");
    }
    assert!(body.contains(" after") && body.contains("<p>a  c</p>") && body.contains("&lt;!-- code --&gt;"), "{body}");
}

#[test]
fn every_heading_has_an_anchor_of_its_own() {
    let html = shown("# Same\n\n## Same\n\n## Same 1\n\n## Main\n\n## Note 0\n\n## !!!\n", &[], &[]);
    for anchor in ["same", "same-1", "same-1-1", "main-1", "note-0"] {
        assert_eq!(html.matches(&format!(" id=\"{anchor}\"")).count(), 1, "{anchor}: {html}");
    }
    assert!(html.contains("<h2>!!!</h2>"));
}

#[test]
fn chart_and_picture_of_a_page_are_one() {
    for page in ["<Chart />\n\n![x](./latency.svg)\n", "![x](./latency.svg)\n\n<Chart />\n"] {
        assert_eq!(shown(page, &[], &[]).matches("<img").count(), 1, "{page}");
    }
}

/// Work that grows with the square of a page would take minutes here.
#[test]
fn a_long_page_with_a_remark_on_every_row_is_rendered_at_once() {
    let rows: String = (0..20_000).map(|i| format!("| row {i} | value {i} |\n")).collect();
    let page = format!("{}\n| a | b |\n|---|---|\n{rows}", "## H\n\n".repeat(20_000));
    let remarks: Vec<Remark> = (0..20_000).map(|i| remark(40_004 + i, 1, "value", Weight::Note)).collect();
    let begun = std::time::Instant::now();
    let html = shown(&page, &remarks, &[]);
    assert!(html.contains("id=\"note.19999\"") && html.contains("id=\"h-19999\""));
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

#[test]
fn only_tables_of_two_columns_are_stacked_on_a_phone() {
    let html = shown("| a | b |\n|---|---|\n| 1 | 2 |\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n", &[], &[]);
    let classes: Vec<&str> = html.split("<div class=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(classes, ["table pairs", "table"]);
}
