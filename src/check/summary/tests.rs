use indexmap::IndexMap;

use super::*;
use crate::check::Verdict;
use crate::check::page::Page;
use crate::model::{Latency, Percentile, RequestCount, Stat};

fn line(target: &str) -> SweepLine {
    let latency = |ms| Latency { ms, printed: None };
    let stats = [(Percentile::P50, 304.587), (Percentile::P95, 10_238.9), (Percentile::P99, 38_431.0)];
    SweepLine {
        target: target.into(),
        vus: Some(200),
        iterations: Some(34_399),
        iterations_per_second: Some(18.873_602),
        latency: stats.into_iter().map(|(p, ms)| (Stat::P(p), latency(ms))).collect::<IndexMap<_, _>>(),
        requests: Some(RequestCount { total: 171_987, failed: Some(225) }),
        checks: Some((127, 137_522)),
    }
}

/// What a text comes to against pages with these values in a row.
fn judged(text: &str, pages: &[(&str, &str)]) -> Vec<(String, Verdict, Option<String>)> {
    let read: Vec<(SweepLine, Page)> = pages
        .iter()
        .map(|(target, cell)| {
            let page = format!("| Metric | Value |\n|---|---|\n| flowchart outcome | {cell} |\n| VUs | 1 |\n");
            (line(target), Page::read(&page, None))
        })
        .collect();
    let pages: Vec<SweepPage<'_>> = read
        .iter()
        .map(|(line, page)| SweepPage { file: &line.target, version: None, run: line, test: line, rows: &page.rows })
        .collect();
    judge_summary(text, &pages).into_iter().map(|j| (j.stated, j.verdict, j.data)).collect()
}

fn verdicts(text: &str, targets: &[&str]) -> Vec<(String, Verdict)> {
    let pages: Vec<(&str, &str)> = targets.iter().map(|target| (*target, "")).collect();
    judged(text, &pages).into_iter().map(|(stated, verdict, _)| (stated, verdict)).collect()
}

fn of(text: &str, cell: &str) -> Vec<(String, Verdict)> {
    verdicts(&format!("{text}{cell} |\n"), &["manipulate_user"])
}

#[test]
fn every_cell_of_a_sweep_table_is_held_against_the_page_of_its_target() {
    let table = "| target | VUs | iter/s | p50 | p95 | p99 | failed requests |\n|:---|---:|---:|---:|---:|---:|:---|\n\
                 | manipulate\\_user | **200** | 19 | 304.58ms | 10.23s | 38.43s | 225 / 171,987 (0.13%) |\n";
    let found = verdicts(table, &["manipulate_user"]);
    assert_eq!(found.len(), 7, "{found:?}");
    assert!(found.iter().all(|(_, verdict)| *verdict == Verdict::Ok), "{found:?}");
    for (right, wrong) in [
        ("**200**", "201"),
        ("| 19 |", "| 17 |"),
        ("304.58ms", "304.56ms"),
        ("10.23s", "10.32s"),
        ("38.43s", "38.43ms"),
        ("225 /", "252 /"),
        ("171,987", "171,978"),
        ("(0.13%)", "(0.31%)"),
    ] {
        let found = verdicts(&table.replace(right, wrong), &["manipulate_user"]);
        let against: Vec<_> = found.iter().filter(|(_, verdict)| *verdict == Verdict::Contradicted).collect();
        assert_eq!(against.len(), 1, "{wrong}: {found:?}");
    }
}

#[test]
fn headings_of_people_and_other_digits_are_read() {
    let two = "| Scenario | VU | Median (ms) | Errors |\n|---|---|---|---|\n| manipulate user | 200 | ";
    assert_eq!(of(two, "304.587 | 225")[1..], [("304.587".into(), Verdict::Ok), ("225".into(), Verdict::Ok)]);
    assert_eq!(of(two, "305 | 0.13%")[1..], [("305".into(), Verdict::Rounded), ("0.13%".into(), Verdict::Ok)]);
    assert_eq!(of(two, "304 | 0.1%")[1..], [("304".into(), Verdict::Truncated), ("0.1%".into(), Verdict::Rounded)]);
    assert_eq!(of(two, "about 300 | –")[1..], [("about 300".into(), Verdict::Unverifiable)]);
}

#[test]
fn targets_without_a_page_and_pages_without_a_row_are_findings() {
    let table = "| target | VUs | iter/s |\n|---|---|---|\n| manipulate_user | 200 | 19 |\n| otp_login | 5 | 5 |\n";
    let found = verdicts(table, &["manipulate_user", "oidc_session"]);
    assert!(found.contains(&("otp_login".into(), Verdict::Unverifiable)), "{found:?}");
    assert!(found.contains(&(String::new(), Verdict::Contradicted)), "{found:?}");
    assert_eq!(found.len(), 4);
}

#[test]
fn other_tables_and_texts_give_nothing() {
    for text in [
        "",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "| target | owner |\n|---|---|\n| manipulate_user | x |\n",
        "5-7 % more",
    ] {
        assert!(verdicts(text, &["manipulate_user"]).is_empty(), "{text}");
    }
}

const FOUR: [(&str, &str); 4] = [
    ("otp_session", "74% of its time is lock wait"),
    ("add_session", "database CPU 98%, yet **61% of the top-5 query time is advisory lock wait**"),
    ("password_session", "Advisory-lock wait: 45% of the database time"),
    ("manipulate_user", "35% of the top-5 query time is lock wait — 20% of it elsewhere"),
];

#[test]
fn a_range_over_several_pages_is_held_against_each_of_them() {
    let range = |text: &str| judged(text, &FOUR).pop();
    let wrong = range("Lock wait is 45-74 % of top query time on four targets.");
    assert_eq!(wrong, Some(("45-74 %".into(), Verdict::Wrong, Some("35-74%".into()))));
    let right = range("Lock wait is 35–74% of top query time on four targets.");
    assert_eq!(right.map(|(_, verdict, _)| verdict), Some(Verdict::Ok));
    let named = range("On `add_session`, otp session and password-session lock waits take 45% to 74%.");
    assert_eq!(named.map(|(_, verdict, _)| verdict), Some(Verdict::Ok));
    let wrong = range("On `add_session`, `manipulate_user` and `otp_session` lock waits take 45-74%.");
    assert_eq!(wrong.map(|(_, verdict, data)| (verdict, data)), Some((Verdict::Wrong, Some("35-74%".into()))));
}

#[test]
fn a_range_over_some_of_the_pages_that_are_not_named_is_unverifiable() {
    let found = judged("Lock wait is 45-74 % on three of the targets.", &FOUR);
    assert_eq!(found[0].1, Verdict::Unverifiable);
    assert!(judged("Latency is 45-74 % higher on four targets.", &FOUR).is_empty());
}

/// What a text comes to against `manipulate_user` with 200 VUs in v4 and 400 in v4.17.1, which has `oidc_session` besides.
fn of_versions(text: &str) -> Vec<(String, Verdict, Option<String>)> {
    let (old, new) = (line("manipulate_user"), SweepLine { vus: Some(400), ..line("manipulate_user") });
    let further = line("oidc_session");
    let page = |file, version, run| SweepPage { file, version: Some(version), run, test: run, rows: &[] };
    let pages = [
        page("v4/manipulate_user", "v4", &old),
        page("v4.17.1/manipulate_user", "v4.17.1", &new),
        page("v4.17.1/oidc_session", "v4.17.1", &further),
    ];
    judge_summary(text, &pages).into_iter().map(|j| (j.stated, j.verdict, j.data)).collect()
}

#[test]
fn a_table_is_about_the_version_of_the_heading_or_comment_above_it() {
    let table = "| target | VUs | iter/s |\n|---|---|---|\n| manipulate_user | 200 | 19 |\n";
    let holds =
        |found: &[(String, Verdict, Option<String>)]| found.iter().all(|(_, verdict, _)| *verdict == Verdict::Ok);
    for above in [
        "# v4\n\n",
        "## V4.17.1\n\ntext\n\n## Results of v4\n\n### 19.5 h later\n\n",
        "<!-- v4 -->\n\n",
        "As in v4:\n\n",
    ] {
        let found = of_versions(&format!("{above}{table}"));
        assert!(found.len() == 2 && holds(&found), "{above}: {found:?}");
    }
    for above in ["# ZITADEL 4.17.1\n\n", "# v4\n\n# v4.17.1\n\n"] {
        let found = of_versions(&format!("{above}{table}"));
        assert!(found.contains(&("200".into(), Verdict::Contradicted, Some("400".into()))), "{above}: {found:?}");
        assert!(found.contains(&(String::new(), Verdict::Contradicted, Some("oidc_session".into()))), "{found:?}");
        assert_eq!(found.len(), 3, "{found:?}");
    }
}

#[test]
fn a_table_that_names_no_version_or_another_one_gives_one_warning() {
    let table = "| target | VUs | iter/s |\n|---|---|---|\n| manipulate_user | 200 | 19 |\n";
    for above in ["", "# v4.18.0\n\n", "# v4 and v4.17.1\n\n", "v4, then v4.17.1:\n\n"] {
        let found = of_versions(&format!("{above}{table}"));
        assert_eq!(found, [(String::new(), Verdict::Unverifiable, None)], "{above}");
    }
    let clear = table.replace("manipulate_user", "oidc_session");
    assert_eq!(of_versions(&clear).len(), 4, "each target has one page: cells, and two pages left out");
}
