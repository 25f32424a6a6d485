//! Statements: ranked by number, waits, cut texts.

use serde_json::{Value, json};
use sweepdoc::derive::{is_advisory_wait, rank};

use super::{QUERY, answer, at, codes, export, minutes, observed, series, window};

fn query(hash: &str, user: &str, text: &str, points: Vec<Value>) -> Value {
    series(QUERY, "DELTA", "INT64", json!({"query_hash": hash, "user": user, "querystring": text}), points)
}

fn span(start: &str, end: &str, us: i64) -> Value {
    json!({"interval": {"startTime": at(start).to_string(), "endTime": at(end).to_string()},
           "value": {"int64Value": us.to_string()}})
}

#[test]
fn statements_are_ranked_by_number_in_seconds_of_the_test_alone() {
    let two = |of_test: i64, before: i64| {
        vec![span("09:00:21", "09:10:21", of_test * 1_000_000), span("08:50:21", "09:00:21", before * 1_000_000)]
    };
    let queries = answer(vec![
        query("1", "a", "SELECT pg_advisory_lock ( $1 )", two(3000, 0)),
        query("1", "b", "SELECT pg_advisory_lock ( $1 )", two(2500, 0)),
        query("2", "a", "SELECT x FROM t WHERE y = $1", two(4000, 9000)),
        query("3", "a", "SELECT pg_try_advisory_lock ( $1 )", two(500, 0)),
        query("9", "cloudsqladmin", "SELECT 1", two(9999, 0)),
    ]);
    let ranking = rank(&[export("queries.json", &queries)], "sign_in", window()).unwrap();
    let found: Vec<(&str, f64)> = ranking.queries.iter().map(|q| (q.hash.as_str(), q.seconds)).collect();
    assert_eq!(found, [("1", 5500.0), ("2", 4000.0), ("3", 500.0)]);
    let (observed, _) = observed(&[export("queries.json", &queries)]);
    let queries = observed.queries.unwrap();
    assert_eq!(queries.advisory_share(), Some(0.55));
    assert_eq!(queries.advisory_seconds, 5500.0, "a try never waits");
    assert!((queries.average_active_sessions - 10_000.0 / 600.0).abs() < 1e-9);
    assert_eq!((queries.total_seconds, queries.platform_seconds), (10_000.0, 9999.0), "the platform's own stand apart");
}

#[test]
fn what_the_platform_asks_its_own_databases_stands_apart() {
    let of = |database: &str, hash: &str| {
        let mut query = query(hash, "a", "SELECT 1", vec![span("09:00:21", "09:10:21", 40_000_000)]);
        query["resource"]["labels"]["database"] = json!(database);
        query
    };
    let export = export("q.json", &answer(vec![of("shop", "1"), of("cloudsqladmin", "1"), of("template1", "2")]));
    let queries = observed(&[export]).0.queries.unwrap();
    assert_eq!((queries.total_seconds, queries.statements, queries.platform_seconds), (40.0, 1, 80.0));
}

fn locks(points: Vec<Value>) -> String {
    let metric = "cloudsql.googleapis.com/database/postgresql/insights/perquery/lock_time";
    let labels = json!({"query_hash": "1", "querystring": "SELECT 1", "lock_type": "hw"});
    answer(vec![series(metric, "DELTA", "INT64", labels, points)])
}

/// A point of whole minutes: 09:00:21 is minute 0.
fn by_minute(minutes: std::ops::Range<i64>, us: i64) -> Vec<Value> {
    let one = |minute: i64| span(&format!("09:{minute:02}:21"), &format!("09:{:02}:21", minute + 1), us);
    minutes.rev().map(one).collect()
}

#[test]
fn lock_waits_of_another_part_of_the_window_are_no_share_of_the_execution_time() {
    let times = |minutes| answer(vec![query("1", "a", "SELECT 1", by_minute(minutes, 10_000_000))]);
    let share = |times: &str, locks: &str| {
        let (observed, warnings) = observed(&[export("times.json", times), export("locks.json", locks)]);
        let told = warnings.iter().any(|w| w.message.starts_with("locks.json: times of lock waits are of other parts"));
        (observed.queries.unwrap().lock_share(), told)
    };
    assert_eq!(share(&times(0..10), &locks(by_minute(0..10, 6_000_000))), (Some(0.6), false));
    // 36 s of waits in six minutes against 100 s of work in ten would be 36 %
    assert_eq!(share(&times(0..10), &locks(by_minute(4..10, 6_000_000))), (None, true));
    assert_eq!(share(&times(0..6), &locks(by_minute(0..10, 6_000_000))), (None, true), "60 s in 60 s: all of it");
    let at_once = locks(vec![span("09:00:21", "09:10:21", 60_000_000)]);
    assert_eq!(share(&times(0..10), &at_once), (Some(0.6), false), "one period over the same time");
    assert_eq!(share(&times(0..5), &at_once), (None, true));
    let on_the_minute: Vec<Value> = (1..10)
        .rev()
        .map(|minute| span(&format!("09:{minute:02}:00"), &format!("09:{:02}:00", minute + 1), 6_000_000))
        .collect();
    assert_eq!(share(&times(0..10), &locks(on_the_minute)), (Some(0.54), false), "other edges are no other part");
}

#[test]
fn of_two_metrics_of_statements_the_one_that_covers_the_window_is_taken() {
    let of = |minutes, seconds: i64| answer(vec![query("1", "a", "SELECT 1", by_minute(minutes, seconds * 1_000_000))]);
    let enhanced = |text: String| {
        text.replace("cloudsql.googleapis.com/database/postgresql/insights", "dbinsights.googleapis.com")
    };
    let total = |preferred: String, other: String| {
        let queries = observed(&[export("a.json", &preferred), export("b.json", &other)]).0.queries.unwrap();
        (queries.total_seconds, queries.source)
    };
    assert_eq!(total(of(0..3, 10), enhanced(of(0..10, 10))), (100.0, "b.json".to_owned()), "not 30 s of three minutes");
    assert_eq!(total(of(0..10, 10), enhanced(of(0..10, 11))), (100.0, "a.json".to_owned()), "the preferred of equals");
}

#[test]
fn a_running_total_is_differences_across_its_resets() {
    let total = |start: &str, end: &str, us: i64| span(start, end, us);
    let mut points: Vec<Value> = (0..=5)
        .map(|minute| total("07:00:00", &format!("09:{minute:02}:21"), 900_000_000 + minute * 1_000_000))
        .collect();
    // it began anew at 09:05:51
    points.extend((6..=10).map(|minute| total("09:05:51", &format!("09:{minute:02}:21"), (minute - 5) * 2_000_000)));
    points.reverse();
    let labels = json!({"query_hash": "1", "querystring": "SELECT 1"});
    let counter = series(QUERY, "CUMULATIVE", "INT64", labels, points);
    let ranking = rank(&[export("total.json", &answer(vec![counter]))], "sign_in", window()).unwrap();
    assert_eq!(ranking.total_seconds, 5.0 + 10.0, "last less first would be negative");
}

#[test]
fn only_calls_that_wait_for_a_lock_are_lock_waits() {
    for (text, waits) in [
        ("SELECT pg_advisory_lock ( $1 )", true),
        ("select PG_ADVISORY_XACT_LOCK($1)", true),
        ("SELECT pg_catalog . pg_advisory_lock_shared ( $1 , $2 )", true),
        ("SELECT pg_advisory_xact_lock_shared ( $1 )", true),
        ("SELECT pg_try_advisory_lock ( $1 )", false),
        ("SELECT pg_try_advisory_xact_lock_shared ( $1 )", false),
        ("SELECT pg_advisory_unlock ( $1 )", false),
        ("SELECT pg_advisory_unlock_all ( )", false),
        ("SELECT $1 /* pg_advisory_lock ( 1 ) */", false),
        ("SELECT 'pg_advisory_lock(1)'", false),
        ("SELECT pg_advisory_lock FROM t", false),
        ("SELECT app . push ( $1 )", false),
    ] {
        assert_eq!(is_advisory_wait(text), waits, "{text}");
    }
}

#[test]
fn one_statement_under_two_texts_or_two_names_of_its_metric_is_one() {
    let whole = || vec![span("09:00:21", "09:10:21", 4_000_000)];
    let long = format!("SELECT {} FROM t", "x , ".repeat(300));
    let cut: String = long.chars().take(1024).collect();
    let texts =
        answer(vec![query("1", "a", &cut, whole()), query("1", "b", "", whole()), query("1", "c", &long, whole())]);
    let ranking = rank(&[export("queries.json", &texts)], "sign_in", window()).unwrap();
    let found: Vec<_> = ranking.queries.iter().map(|query| (query.seconds, query.cut)).collect();
    assert_eq!(found, [(12.0, false)], "the longest text is the whole one");
    let cut = answer(vec![query("1", "a", &cut, whole())]);
    assert!(rank(&[export("queries.json", &cut)], "sign_in", window()).unwrap().queries[0].cut);
    let enhanced = cut.replace("cloudsql.googleapis.com/database/postgresql/insights", "dbinsights.googleapis.com");
    let both = [export("a.json", &cut), export("b.json", &enhanced)];
    assert_eq!(rank(&both, "sign_in", window()).unwrap().total_seconds, 4.0, "never added");
}

/// Pitfall 5: query texts that are cut.
#[test]
fn a_statement_whose_text_was_cut_is_marked() {
    let whole = || vec![span("09:00:21", "09:10:21", 4_000_000)];
    let long = format!("SELECT {} FROM t", "x , ".repeat(300));
    for (text, cut) in [
        (long.chars().take(1024).collect::<String>(), true),
        ("SELECT f ( $1".to_owned(), true),
        ("SELECT \"half a na".to_owned(), true),
        ("SELECT 'ä\u{fffd}".to_owned(), true),
        ("SELECT f ( $1 )".to_owned(), false),
    ] {
        let queries = answer(vec![query("1", "a", &text, whole())]);
        assert_eq!(rank(&[export("q.json", &queries)], "sign_in", window()).unwrap().queries[0].cut, cut, "{text}");
    }
}

/// Pitfall 19: text that is cut a second time.
#[test]
fn a_text_cut_once_more_at_characters_is_marked_too() {
    let text = format!("SELECT x FROM {}", "ä".repeat(2000)).chars().take(1024).collect::<String>();
    assert!(text.len() > 1024, "more bytes than characters");
    let queries = answer(vec![query("1", "a", &text, vec![span("09:00:21", "09:10:21", 4_000_000)])]);
    assert!(rank(&[export("q.json", &queries)], "sign_in", window()).unwrap().queries[0].cut);
}

#[test]
fn a_total_that_falls_without_a_new_start_began_anew() {
    let points = (0..=10).rev().map(|minute: i64| {
        let us = if minute < 6 { 900_000_000 + minute * 1_000_000 } else { (minute - 5) * 2_000_000 };
        span("07:00:00", &format!("09:{minute:02}:21"), us)
    });
    let counter =
        series(QUERY, "CUMULATIVE", "INT64", json!({"query_hash": "1", "querystring": "SELECT 1"}), points.collect());
    let ranking = rank(&[export("total.json", &answer(vec![counter]))], "sign_in", window()).unwrap();
    assert_eq!(ranking.total_seconds, 5.0 + 10.0);
}

#[test]
fn waits_are_a_part_of_the_execution_time() {
    let lock = |kind: &str, seconds: i64| {
        let metric = "cloudsql.googleapis.com/database/postgresql/insights/perquery/lock_time";
        let labels = json!({"query_hash": "1", "querystring": "SELECT 1", "lock_type": kind});
        series(metric, "DELTA", "INT64", labels, vec![span("09:00:21", "09:10:21", seconds * 1_000_000)])
    };
    let times = answer(vec![query("1", "a", "SELECT 1", vec![span("09:00:21", "09:10:21", 100_000_000)])]);
    let locks = answer(vec![lock("hw", 60), lock("lw", 5), lock("buffer_pin", 7)]);
    let with =
        |locks: &str| observed(&[export("queries.json", &times), export("locks.json", locks)]).0.queries.unwrap();
    let latches = with(&answer(vec![lock("lw", 5)]));
    assert_eq!((latches.lock_seconds, latches.latch_seconds), (None, Some(5.0)), "not asked for is not zero");
    assert_eq!(with(&answer(vec![lock("", 60)])).lock_seconds, None, "of any kind");
    let queries = with(&locks);
    assert_eq!((queries.total_seconds, queries.lock_seconds, queries.latch_seconds), (100.0, Some(60.0), Some(5.0)));
    assert_eq!(queries.lock_share(), Some(0.6));
    assert!(queries.advisory_seconds.is_sign_positive(), "none is 0, not -0");
}

#[test]
fn more_busy_sessions_than_connections_are_told() {
    let connections = |n: i64| {
        let points = minutes(|_| json!({"int64Value": n.to_string()}));
        let metric = "cloudsql.googleapis.com/database/postgresql/num_backends";
        export("connections.json", &answer(vec![series(metric, "GAUGE", "INT64", json!({"database": "a"}), points)]))
    };
    // 6,000 s in 600: ten sessions at once
    let queries = answer(vec![query("1", "a", "SELECT 1", vec![span("09:00:21", "09:10:21", 6_000_000_000)])]);
    let of = |n: i64| observed(&[export("queries.json", &queries), connections(n)]).1;
    assert_eq!(of(46), []);
    assert_eq!(codes(&of(4)), ["cloud-implausible"]);
}

#[test]
fn the_half_hour_before_the_next_test_is_not_added_to_this_one() {
    // two tests of ten minutes, five seconds apart: what the second one's answer has of the time before it is nearly the first
    let answer_of = |end: &str, before: &str, start: &str, us: i64| {
        let points = vec![span(before, end, us), span(start, before, us)];
        json!({"timeSeries": [query("1", "a", "SELECT 1", points)]})
    };
    let both = json!([
        answer_of("09:10:21", "09:00:21", "08:50:21", 100_000_000),
        answer_of("09:20:26", "09:10:26", "09:00:26", 100_000_000),
    ]);
    let queries = observed(&[export("queries.json", &both.to_string())]).0.queries.unwrap();
    assert_eq!((queries.total_seconds, queries.average_active_sessions), (100.0, 100.0 / 600.0));
}

#[test]
fn rates_of_execution_time_are_no_execution_time() {
    let row = |minute: i64| format!("Tue Mar 10 2026 09:{minute:02}:21 GMT+0000 (UTC),100000\n");
    let chart = format!("TimeSeries ID,a\nquery_hash,1\n{}", (0..=10).map(row).collect::<String>());
    let (nothing, warnings) = observed(&[export("query_time.csv", &chart)]);
    assert_eq!(nothing.queries, None);
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
}

#[test]
fn two_exports_of_statements_that_differ_are_left_out() {
    let of = |hash: &str, us: i64| answer(vec![query(hash, "a", "SELECT 1", by_minute(0..10, us))]);
    let both = |one: String, other: String| {
        let (observed, warnings) = observed(&[export("a.json", &one), export("b.json", &other)]);
        (observed.queries.map(|queries| queries.total_seconds), codes(&warnings).join(" "))
    };
    assert_eq!(both(of("1", 10_000_000), of("1", 10_100_000)), (Some(100.0), String::new()));
    // one file for each database: neither is of all statements
    assert_eq!(both(of("1", 10_000_000), of("2", 4_000_000)), (None, "cloud-contradiction".to_owned()));
}
