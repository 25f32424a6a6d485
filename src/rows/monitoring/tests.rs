use indexmap::IndexMap;

use super::*;
use crate::model::{
    Alignment, Interpolated, LockShare, LockShareOf, LogFigures, Observability, OutcomeFigures, OutcomeThresholds,
    OutcomeVerdict, QuantityFigures, Queries, Query, Side, Unit,
};
use crate::notation::table::shown;
use crate::rows::{Row, build};

fn figures(median: f64, min: f64, max: f64) -> QuantityFigures {
    QuantityFigures {
        unit: Unit::Fraction,
        n: 30,
        median: Some(median),
        mean: Some(median),
        min: Some(min),
        max: Some(max),
        last: Some(max),
        total: None,
        total_with_edges: None,
        overall: None,
        period_seconds: 60.0,
        period_assumed: false,
        coverage: 0.99,
        left_out: 1,
        non_finite: 0,
        missing: 0,
        incomplete: false,
        alignment: Alignment::Level,
        series: None,
        source: "gcp/x.json".into(),
    }
}

fn query(name: &str, seconds: f64, advisory_wait: bool) -> Query {
    Query {
        hash: name.len().to_string(),
        name: name.into(),
        text: None,
        cut: false,
        seconds,
        lock_seconds: None,
        advisory_wait,
        category: None,
        users: 1,
    }
}

/// The figures of a sweep whose page was written by hand from the same exports.
fn evidence() -> Evidence {
    let mut data = Observability::default();
    let mut add = |name: &str, median: f64, min: f64, max: f64| {
        data.quantities.insert(name.to_owned(), figures(median, min, max));
    };
    add("container_cpu_p50", 0.1652, 0.1511, 0.1725);
    add("container_cpu_p99", 0.23225, 0.2157, 0.2511);
    add("container_memory_p50", 0.07105, 0.0692, 0.0728);
    add("container_memory_p99", 0.1119, 0.105, 0.1199);
    add("container_instances", 7.0, 7.0, 7.0);
    add("container_startups", 0.0, 0.0, 0.0);
    add("server_requests", 89.499, 86.324, 92.247);
    add("server_latency_p50", 304.55, 280.9, 320.83);
    add("server_latency_p95", 12_942.785, 12_302.51, 13_480.96);
    add("server_latency_p99", 36_892.1, 35_219.15, 38_067.05);
    add("database_cpu", 0.9326, 0.925, 1.0032);
    add("database_memory", 0.40085, 0.3981, 0.4038);
    add("database_connections", 45.5, 44.0, 47.0);
    add("database_transactions", 1483.205, 1457.29, 1523.25);
    add("database_read_operations", 0.0, 0.0, 0.0);
    add("database_write_operations", 536.865, 515.9, 563.8);
    data.quantities.get_mut("container_startups").unwrap().total = Some(0.0);
    data.queries = Some(Queries {
        total_seconds: 20_444.397,
        coverage: 0.99,
        advisory_seconds: 12_353.0,
        ranking: vec![
            query("Advisory lock (`pg_advisory_xact_lock`)", 7250.0, true),
            query("Advisory lock (`pg_advisory_xact_lock_shared`)", 5103.0, true),
            query("Insert into `app.events`", 2950.0, false),
            query("Query `app.events` by tenant_id, stream_id, seq", 2370.0, false),
        ],
        ..Queries::default()
    });
    let outcome = OutcomeFigures {
        database_cpu: Some(0.9326),
        container_cpu: Some(0.1652),
        lock_share: Some(LockShare { share: 0.604_224, of: LockShareOf::AllStatements }),
        failed_share: Some(225.0 / 171_987.0),
        ..OutcomeFigures::default()
    };
    let outcome = Some(outcome.decide(OutcomeThresholds::default()));
    Evidence { observability: Some(data), outcome, ..Evidence::default() }
}

const ROWS: [RowId; 4] = [RowId::ProductMetrics, RowId::TopQueries, RowId::DatabaseMetrics, RowId::Outcome];

fn rows(evidence: &Evidence) -> Vec<Row> {
    let facts = IndexMap::new();
    let input = RowInput { evidence, product: "X", version: None, facts: &facts, expected_vus: None, baseline: None };
    build(&input).unwrap().into_iter().filter(|row| row.id.is_some_and(|id| ROWS.contains(&id))).collect()
}

fn cell(evidence: &Evidence, id: RowId) -> String {
    rows(evidence).into_iter().find(|row| row.id == Some(id)).map(|row| row.cell).unwrap_or_default()
}

#[test]
fn rows_have_the_forms_of_the_published_pages() {
    let evidence = evidence();
    assert_eq!(
        cell(&evidence, RowId::ProductMetrics),
        "CPU: p50 17%, p99 23% (peak 25%)<br/>Memory: p50 7%, peak 12%<br/>Instances: 7 (constant), no container startups recorded<br/>Server-side: 89 req/s, latency p50 305ms / p95 12.9s / p99 36.9s"
    );
    assert_eq!(
        cell(&evidence, RowId::DatabaseMetrics),
        "CPU: 93% median, 100% peak<br/>Memory: 40%<br/>Connections: 46<br/>Transactions: 1,483/s<br/>IOPS: read 0, write 537"
    );
    assert_eq!(
        cell(&evidence, RowId::TopQueries),
        "1: Advisory lock (`pg_advisory_xact_lock`) — **lock wait** (7,250 s)<br/>2: Advisory lock (`pg_advisory_xact_lock_shared`) — **lock wait** (5,103 s)<br/>3: Insert into `app.events` (2,950 s)<br/>Advisory-lock statements: 60% of the execution time of all statements.<br/>Ranked by execution time, summed over all sessions: it can exceed the duration of the test."
    );
    assert_eq!(
        cell(&evidence, RowId::Outcome),
        "**Log potential issue and scale.** Locks limit from 30% of the query time on, before hardware does. Figures: database CPU 93% median, container CPU 17% median, advisory-lock statements 60% of the execution time of all statements, failed requests 0.13%."
    );
}

#[test]
fn rows_read_back_agree_with_their_own_data() {
    let evidence = evidence();
    let counts =
        [(RowId::ProductMetrics, 12), (RowId::DatabaseMetrics, 7), (RowId::TopQueries, 10), (RowId::Outcome, 5)];
    for (id, count) in counts {
        let stated = stated_figures(id, &shown(&cell(&evidence, id)), &evidence);
        assert_eq!(stated.len(), count, "{stated:#?}");
        assert!(stated.iter().all(|figure| figure.agreement == Agreement::Same), "{stated:#?}");
    }
}

/// Every digit of a row replaced by every other, every mark of a wait, and every word for a state.
fn sabotaged(text: &str) -> Vec<String> {
    let mut changed = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        // the digit in a percentile's name is no figure
        let before = text[..at].chars().next_back();
        let name = before == Some('p') || text[..at].ends_with("p5") || text[..at].ends_with("p9");
        for digit in ('0'..='9').filter(|digit| *digit != c && !name) {
            changed.push(format!("{}{digit}{}", &text[..at], &text[at + 1..]));
        }
    }
    changed
}

#[test]
fn a_changed_figure_is_found() {
    let evidence = evidence();
    for id in ROWS {
        let text = shown(&cell(&evidence, id));
        let all = sabotaged(&text);
        let missed: Vec<&String> = all
            .iter()
            .filter(|text| stated_figures(id, text, &evidence).iter().all(|f| f.agreement == Agreement::Same))
            .collect();
        assert!(missed.len() * 50 <= all.len(), "{id:?}: {} of {}: {missed:#?}", missed.len(), all.len());
    }
}

#[test]
fn changed_words_are_found() {
    let evidence = evidence();
    for (id, from, to) in [
        (RowId::TopQueries, " — lock wait (7,250 s)", " (7,250 s)"),
        (RowId::TopQueries, "(7,250 s)", "(7,250 m)"),
        (RowId::TopQueries, "2: Advisory", "8: Advisory"),
        (RowId::TopQueries, "Insert into app.events (", "Query app.events by tenant_id, stream_id, seq ("),
        (RowId::ProductMetrics, "no container startups recorded", "3 container startups"),
    ] {
        let text = shown(&cell(&evidence, id));
        assert!(text.contains(from), "{text}");
        let stated = stated_figures(id, &text.replace(from, to), &evidence);
        assert!(stated.iter().any(|figure| figure.agreement == Agreement::Differs), "{from}: {stated:#?}");
    }
    let mut other = evidence.clone();
    other.observability.as_mut().unwrap().quantities.insert("container_instances".into(), figures(7.0, 5.0, 7.0));
    let stated = stated_figures(RowId::ProductMetrics, "Instances: 7 (constant)", &other);
    assert!(stated.iter().any(|figure| figure.agreement == Agreement::Differs), "{stated:#?}");
}

#[test]
fn nothing_is_claimed_from_absence() {
    let mut evidence = evidence();
    let data = evidence.observability.as_mut().unwrap();
    data.quantities.get_mut("container_startups").unwrap().incomplete = true;
    data.quantities.remove("server_latency_p95");
    let cell = cell(&evidence, RowId::ProductMetrics);
    assert!(cell.contains("Instances: 7 (constant)<br/>"), "{cell}");
    assert!(cell.ends_with("latency p50 305ms / p99 36.9s"), "{cell}");
    let data = evidence.observability.as_mut().unwrap();
    let starts = data.quantities.get_mut("container_startups").unwrap();
    (starts.incomplete, starts.total_with_edges) = (false, Some(0.05));
    let edge = self::cell(&evidence, RowId::ProductMetrics);
    assert!(edge.contains("Instances: 7 (constant)<br/>"), "a start in a period across an edge: {edge}");
    let data = evidence.observability.as_mut().unwrap();
    data.quantities.get_mut("container_startups").unwrap().total_with_edges = Some(0.0);
    assert!(self::cell(&evidence, RowId::ProductMetrics).contains(", no container startups recorded<br/>"));
    evidence.observability.as_mut().unwrap().log = Some(LogFigures { startups: 1, ..LogFigures::default() });
    let logged = self::cell(&evidence, RowId::ProductMetrics);
    assert!(logged.contains("Instances: 7 (constant)<br/>"), "a start in the log: {logged}");
    let without = rows(&Evidence::default());
    let outcome = "**Not enough evidence.** The CPU of database and containers would decide.";
    assert_eq!(without.iter().map(|row| row.cell.as_str()).collect::<Vec<_>>(), [outcome], "no other row without data");
    assert!(without.iter().all(|row| only_where_asked(row, &Evidence::default())));
}

#[test]
fn a_share_in_an_open_bucket_is_a_bound_and_has_no_peak() {
    let mut evidence = evidence();
    let data = evidence.observability.as_mut().unwrap();
    for (name, value, side) in [
        ("container_cpu_p50", 0.1, Side::Below),
        ("container_cpu_p99", 0.5, Side::Above),
        ("container_memory_p99", 0.5, Side::Above),
    ] {
        let figures = data.quantities.get_mut(name).unwrap();
        figures.overall = Some(Interpolated { value, side: Some(side), limit: None });
        figures.max = figures.max.filter(|_| side == Side::Below);
    }
    let text = shown(&cell(&evidence, RowId::ProductMetrics));
    assert!(text.starts_with("CPU: p50 under 10%, p99 over 50%\nMemory: p50 7%\n"), "{text}");
    let stated = stated_figures(RowId::ProductMetrics, &text, &evidence);
    assert!(stated.iter().all(|figure| figure.agreement == Agreement::Same), "{stated:#?}");
    let changed = stated_figures(RowId::ProductMetrics, &text.replace("over 50%", "over 60%"), &evidence);
    assert!(changed.iter().any(|figure| figure.agreement == Agreement::Differs), "{changed:#?}");
    let page = |id: RowId| (id == RowId::ProductMetrics).then_some(text.as_str());
    assert_eq!(outcome_figures(page).container_cpu, None);
}

/// What a row says of instances and startups when parts of the window are missing.
#[test]
fn counts_from_a_part_of_the_window_are_at_least_so_many() {
    let with = |instances: (f64, f64, f64), startups: f64, incomplete: bool| {
        let mut evidence = evidence();
        let data = evidence.observability.as_mut().unwrap();
        let (median, min, max) = instances;
        let instances = QuantityFigures { incomplete, ..figures(median, min, max) };
        data.quantities.insert("container_instances".into(), instances);
        let startups = QuantityFigures { incomplete, total: Some(startups), ..figures(0.0, 0.0, 0.0) };
        data.quantities.insert("container_startups".into(), startups);
        evidence
    };
    let line = |evidence: &Evidence| {
        let cell = cell(evidence, RowId::ProductMetrics);
        let stated = stated_figures(RowId::ProductMetrics, &shown(&cell), evidence);
        assert!(stated.iter().all(|figure| figure.agreement == Agreement::Same), "{stated:#?}");
        cell.split("<br/>").find(|line| line.starts_with("Instances")).unwrap().to_owned()
    };
    let (whole, part) = (with((7.0, 7.0, 7.0), 2.0, false), with((7.0, 7.0, 7.0), 2.0, true));
    assert_eq!(line(&whole), "Instances: 7 (constant), 2 container startups");
    assert_eq!(line(&part), "Instances: 7 median (at least 7), at least 2 container startups");
    let part_of_five = with((5.0, 3.0, 7.0), 1.0, true);
    assert_eq!(line(&part_of_five), "Instances: 5 median (at least 3–7), at least 1 container startup");
    use Agreement::{Differs, Unknown};
    for (evidence, text, expected) in [
        (&part, "Instances: 7 (constant)", Unknown),
        (&part_of_five, "Instances: 5 (constant)", Differs),
        (&part, "Instances: 7 median (7)", Differs),
        (&whole, "Instances: 7 median (at least 7)", Differs),
        (&part, "2 container startups", Unknown),
        (&part, "9 container startups", Unknown),
        (&part, "1 container startup", Differs),
        (&part, "at least 3 container startups", Differs),
        (&part, "no container startups", Differs),
        (&whole, "at least 2 container startups", Differs),
        (&whole, "3 container startups", Differs),
        (&part_of_five, "Instances: 5 median (at least 3–8)", Differs),
        (&part_of_five, "Instances: 5 median (at least 2–7)", Differs),
    ] {
        let stated = stated_figures(RowId::ProductMetrics, text, evidence);
        assert!(stated.iter().any(|figure| figure.agreement == expected), "{text}: {stated:#?}");
        let other = if expected == Unknown { Differs } else { Unknown };
        assert!(stated.iter().all(|figure| figure.agreement != other), "{text}: {stated:#?}");
    }
    let text = shown(&cell(&part_of_five, RowId::ProductMetrics));
    for text in sabotaged(&text) {
        let stated = stated_figures(RowId::ProductMetrics, &text, &part_of_five);
        assert!(stated.iter().any(|figure| figure.agreement != Agreement::Same), "{text}");
    }
}

#[test]
fn time_of_the_platform_is_said_beside_that_of_all_others() {
    let mut evidence = evidence();
    evidence.observability.as_mut().unwrap().queries.as_mut().unwrap().platform_seconds = 1337.4;
    let text = shown(&cell(&evidence, RowId::TopQueries));
    assert!(text.contains("\nWithout 1,337 s of the platform's own statements.\n"), "{text}");
    let stated = stated_figures(RowId::TopQueries, &text, &evidence);
    assert_eq!(stated.len(), 11);
    assert!(stated.iter().all(|figure| figure.agreement == Agreement::Same), "{stated:#?}");
    let stated = stated_figures(RowId::TopQueries, &text.replace("1,337", "1,437"), &evidence);
    assert!(stated.iter().any(|figure| figure.agreement == Agreement::Differs), "{stated:#?}");
}

#[test]
fn names_from_data_stay_text() {
    let mut evidence = evidence();
    let queries = evidence.observability.as_mut().unwrap().queries.as_mut().unwrap();
    queries.ranking = vec![query("Query `a{b}|c` <x> by $1", 10.0, false)];
    queries.advisory_seconds = 0.0;
    let cell = cell(&evidence, RowId::TopQueries);
    assert!(cell.starts_with("1: Query a\\{b\\}\\|c \\<x\\> by \\$1 (10 s)"), "{cell}");
}

#[test]
fn verdicts_are_read_in_the_words_of_the_pages() {
    for (text, verdict) in [
        ("**Potential issues.** Not resource-bound", Some(OutcomeVerdict::LogAndScale)),
        ("Log potential issue and scale. The database", Some(OutcomeVerdict::LogAndScale)),
        ("Scale out", Some(OutcomeVerdict::Scale)),
        ("Scale (database).", Some(OutcomeVerdict::Scale)),
        ("Halt tests, must resolve an issue", Some(OutcomeVerdict::Terminate)),
        ("Not enough evidence.", Some(OutcomeVerdict::NotEnoughEvidence)),
        ("Resolve locking issue", None),
        ("", None),
    ] {
        assert_eq!(read_verdict(text).map(|(verdict, _)| verdict), verdict, "{text}");
    }
}

#[test]
fn a_pages_own_rows_give_the_figures_of_its_outcome() {
    let rows = |database: &'static str, containers: &'static str, queries: &'static str, outcome: &'static str| {
        move |id: RowId| match id {
            RowId::DatabaseMetrics => Some(database),
            RowId::ProductMetrics => Some(containers),
            RowId::TopQueries => Some(queries),
            RowId::Outcome => Some(outcome),
            _ => None,
        }
    };
    let page = rows(
        "CPU: 97% median, 97% peak",
        "CPU: p50 26%, p99 29%",
        "Advisory-lock wait: 51% of the database time in this window.",
        "",
    );
    let figures = outcome_figures(page);
    assert_eq!((figures.database_cpu, figures.container_cpu), (Some(0.97), Some(0.26)));
    assert_eq!(figures.lock_share.map(|lock| lock.share), Some(0.51));
    let listed = outcome_figures(rows("", "", "1: a (600 s)\n2: b — lock wait (400 s)", ""));
    let lock = listed.lock_share.unwrap();
    assert_eq!((lock.share, lock.of), (0.4, LockShareOf::ListedStatements));
    assert_eq!(outcome_figures(|_| None), OutcomeFigures::default());
}
