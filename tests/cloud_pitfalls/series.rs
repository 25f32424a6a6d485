//! Points: which span they stand for, which of them count, how parts become a whole.

use serde_json::{Value, json};
use sweepdoc::derive::observability;
use sweepdoc::model::EvidenceWindow;

use super::{CPU, REQUESTS, answer, at, codes, export, gauge, minutes, observed, point, series, window};

/// Pitfall 1: a period that begins before the asked start.
#[test]
fn the_bucket_that_begins_before_the_test_is_left_out() {
    let (observed, warnings) = observed(&[export("cpu.json", &answer(vec![gauge(CPU, |minute| 0.1 * minute as f64)]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.n, cpu.left_out, cpu.min), (10, 1, Some(0.1)));
    assert!((cpu.median.unwrap() - 0.55).abs() < 1e-12, "the mean of the two middle values");
    assert_eq!(cpu.last, Some(1.0), "the newest comes first in the file");
    assert_eq!(warnings, []);
}

#[test]
fn whole_numbers_are_text_and_nanoseconds_are_read() {
    let point = json!({"interval": {"endTime": "2026-03-10T10:05:00.123456789+01:00"}, "value": {"int64Value": "46"}});
    let connections = series(
        "cloudsql.googleapis.com/database/postgresql/num_backends",
        "GAUGE",
        "INT64",
        json!({"database": "a"}),
        vec![point],
    );
    let (observed, _) = observed(&[export("connections.json", &answer(vec![connections]))]);
    assert_eq!(observed.quantities["database_connections"].median, Some(46.0));
}

#[test]
fn parts_of_a_whole_are_summed_before_anything_is_looked_at() {
    let part = |state: &str, value: fn(i64) -> i64| {
        let points = minutes(|minute| json!({"int64Value": value(minute).to_string()}));
        series("run.googleapis.com/container/instance_count", "GAUGE", "INT64", json!({"state": state}), points)
    };
    let answer = answer(vec![part("active", |minute| 5 + minute % 3), part("idle", |minute| 2 - minute % 3)]);
    let (observed, _) = observed(&[export("instances.json", &answer)]);
    let instances = &observed.quantities["container_instances"];
    assert_eq!((instances.min, instances.max), (Some(7.0), Some(7.0)), "constant, though neither part is");
}

#[test]
fn increases_are_divided_by_their_seconds_and_summed_by_class() {
    let part = |class: &str, value: i64| {
        let points = minutes(|_| json!({"int64Value": value.to_string()}));
        series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": class}), points)
    };
    let (observed, _) = observed(&[export("requests.json", &answer(vec![part("2xx", 600), part("5xx", 60)]))]);
    assert_eq!(observed.quantities["server_requests"].median, Some(11.0));
    assert_eq!(observed.requests_by_class["2xx"], 6000);
    assert_eq!(observed.requests_by_class["5xx"], 600);
}

#[test]
fn values_that_are_not_finite_and_periods_that_are_missing_are_counted() {
    let points: Vec<Value> = minutes(|minute| match minute {
        3 => json!({"doubleValue": "NaN"}),
        4 => json!({"doubleValue": "Infinity"}),
        minute => json!({"doubleValue": 0.1 * minute as f64}),
    });
    let points = points.into_iter().enumerate().filter(|(index, _)| *index != 2).map(|(_, point)| point).collect();
    let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), points);
    let (observed, _) = observed(&[export("cpu.json", &answer(vec![cpu]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.n, cpu.non_finite, cpu.missing, cpu.max), (7, 2, 1, Some(1.0)));
}

/// Pitfall 6: data that arrives late.
#[test]
fn an_export_that_ends_early_says_so_and_concludes_nothing() {
    let early: Vec<Value> = minutes(|_| json!({"distributionValue": {}})).split_off(4);
    let metric = "run.googleapis.com/container/startup_latencies";
    let starts = series(metric, "DELTA", "DISTRIBUTION", json!({}), early);
    let (observed, warnings) = observed(&[export("startups.json", &answer(vec![starts]))]);
    assert!(observed.quantities["container_startups"].incomplete);
    assert_eq!(codes(&warnings), ["cloud-incomplete"]);
}

#[test]
fn an_export_without_a_whole_period_in_the_window_is_told() {
    let lone = "TimeSeries ID,a b\nproject_id,p\nTue Mar 10 2026 09:00:21 GMT+0000 (Coordinated Universal Time),0.93\n";
    let (observed, warnings) = observed(&[export("db_cpu.csv", lone)]);
    assert!(observed.quantities.is_empty(), "{:?}", observed.quantities);
    assert_eq!(codes(&warnings), ["cloud-incomplete"], "{warnings:?}");
}

/// Pitfall 11: periods that are not what their name says.
#[test]
fn a_period_is_told_by_the_points_and_a_millisecond_is_no_gap() {
    let points: Vec<Value> = (0..=5)
        .rev()
        .map(|n| {
            json!({
        "interval": {"endTime": at(&format!("09:{:02}:21", 2 * n)).to_string()}, "value": {"doubleValue": 0.5}})
        })
        .collect();
    let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), points);
    let (observed, _) = self::observed(&[export("cpu.json", &answer(vec![cpu]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.period_seconds, cpu.n, cpu.left_out, cpu.missing), (120.0, 5, 1, 0));
    let points: Vec<Value> = (1..=10)
        .rev()
        .map(|minute| {
            json!({
        "interval": {"startTime": format!("2026-03-10T09:{:02}:21.001Z", minute - 1),
                     "endTime": format!("2026-03-10T09:{minute:02}:21Z")}, "value": {"int64Value": "60"}})
        })
        .collect();
    let requests = series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points);
    let (observed, _) = self::observed(&[export("requests.json", &answer(vec![requests]))]);
    let requests = &observed.quantities["server_requests"];
    assert_eq!((requests.n, requests.missing), (10, 0));
    assert_eq!(observed.requests_by_class["2xx"], 600);
}

#[test]
fn points_that_come_twice_count_once() {
    let points = minutes(|_| json!({"int64Value": "600"}));
    let part =
        |points: &[Value]| series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points.to_vec());
    let (observed, _) = observed(&[export("requests.json", &answer(vec![part(&points[..7]), part(&points[5..])]))]);
    assert_eq!(observed.requests_by_class["2xx"], 6000);
    assert_eq!(observed.quantities["server_requests"].n, 10);
}

#[test]
fn units_and_values_that_cannot_be_are_left_out() {
    let percent = export("cpu.json", &answer(vec![gauge(CPU, |_| 97.0)]));
    let (observed, warnings) = self::observed(&[percent]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-implausible"]);
    let mut wrong_unit: Value = serde_json::from_str(&answer(vec![gauge(CPU, |_| 0.97)])).unwrap();
    wrong_unit["unit"] = json!("By");
    let (observed, warnings) = self::observed(&[export("cpu.json", &wrong_unit.to_string())]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-unit"]);
}

#[test]
fn counted_points_are_no_container_starts() {
    let metric = "run.googleapis.com/container/startup_latencies";
    let counted = series(metric, "GAUGE", "INT64", json!({}), vec![point("09:05:21", json!({"int64Value": "1"}))]);
    let (observed, warnings) = self::observed(&[export("startups.json", &answer(vec![counted]))]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
    let starts = minutes(|minute| match minute {
        5 => json!({"distributionValue": {"count": "2", "mean": 900}}),
        _ => json!({"distributionValue": {}}),
    });
    let starts = series(metric, "DELTA", "DISTRIBUTION", json!({}), starts);
    let (observed, _) = self::observed(&[export("startups.json", &answer(vec![starts]))]);
    assert_eq!(observed.quantities["container_startups"].total, Some(2.0));
}

/// Pitfall 2: zeros that are not written.
#[test]
fn a_counter_without_newer_points_is_not_read_on() {
    // three minutes of requests, then none: nothing is written for zero
    let points = minutes(|_| json!({"int64Value": "60"})).split_off(7);
    let requests = series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points);
    let (observed, warnings) = observed(&[export("requests.json", &answer(vec![requests]))]);
    let requests = &observed.quantities["server_requests"];
    assert_eq!((requests.n, requests.total), (3, Some(180.0)));
    assert!(requests.incomplete, "or the export was made too early: nobody knows");
    assert_eq!(codes(&warnings), ["cloud-incomplete"]);
}

/// Pitfall 4: accumulated totals taken for increases.
#[test]
fn increases_and_their_running_total_say_the_same() {
    let transactions = "cloudsql.googleapis.com/database/postgresql/transaction_count";
    let increases = minutes(|minute| json!({"int64Value": (60 * minute).to_string()}));
    let total = (0..=10).rev().map(|minute: i64| {
        let sum = 1_000_000 + 30 * minute * (minute + 1);
        json!({"interval": {"startTime": "2026-03-01T00:00:00Z", "endTime": at(&format!("09:{minute:02}:21")).to_string()},
               "value": {"int64Value": sum.to_string()}})
    });
    let of = |kind: &str, points: Vec<Value>| {
        let series = series(transactions, kind, "INT64", json!({}), points);
        observed(&[export("transactions.json", &answer(vec![series]))]).0.quantities["database_transactions"].clone()
    };
    let (increases, total) = (of("DELTA", increases), of("CUMULATIVE", total.collect()));
    assert_eq!((increases.median, increases.total), (Some(5.5), Some(3300.0)));
    assert_eq!((total.median, total.total), (increases.median, increases.total));
}

/// Pitfall 13: an end cut to the minute.
#[test]
fn a_missing_last_minute_is_told() {
    let mut all = minutes(|_| json!({"doubleValue": 0.5}));
    let newest = all.remove(0);
    let of = |points: Vec<Value>| {
        let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), points);
        let (observed, _) = observed(&[export("cpu.json", &answer(vec![cpu]))]);
        (observed.quantities["database_cpu"].n, observed.quantities["database_cpu"].incomplete)
    };
    assert_eq!(of(all.clone()), (9, true));
    all.insert(0, newest);
    assert_eq!(of(all), (10, false));
}

/// Pitfall 14: a query without a range: next to no data.
#[test]
fn a_lone_point_stands_for_its_minute_alone() {
    let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), vec![point("09:05:21", json!({"doubleValue": 0.9}))]);
    let (observed, warnings) = observed(&[export("cpu.json", &answer(vec![cpu]))]);
    let cpu = &observed.quantities["database_cpu"];
    assert!(cpu.n == 1 && cpu.incomplete && (cpu.coverage - 60.0 / 601.0).abs() < 1e-9, "{cpu:?}");
    assert_eq!(codes(&warnings), ["cloud-incomplete"]);
}

#[test]
fn for_how_long_a_lone_level_speaks_nobody_knows_but_an_increase_says_it() {
    // in a test of 70 seconds a minute would be most of it
    let short = EvidenceWindow { start: at("09:04:16"), end: at("09:05:26"), ..window() };
    let of = |series: Value| observability(&[export("x.json", &answer(vec![series]))], "sign_in", short, &[]);
    let level = series(CPU, "GAUGE", "DOUBLE", json!({}), vec![point("09:05:21", json!({"doubleValue": 0.9}))]);
    let (level, warnings) = of(level);
    let level = level.unwrap();
    assert!(level.quantities["database_cpu"].period_assumed && level.quantity("database_cpu").is_none());
    assert!(warnings[0].message.ends_with("nothing tells for how long it speaks: in no row"), "{warnings:?}");
    let requests = vec![point("09:05:21", json!({"int64Value": "600"}))];
    let requests = of(series(REQUESTS, "DELTA", "INT64", json!({}), requests)).0.unwrap();
    let requests = requests.quantity("server_requests").unwrap();
    assert_eq!((requests.period_seconds, requests.period_assumed, requests.median), (60.0, false, Some(10.0)));
    // half an hour of which two thirds are the test
    let half_hour = json!({"interval": {"startTime": at("08:40:21").to_string(), "endTime": at("09:10:21").to_string()},
                           "value": {"int64Value": "1800"}});
    let long = EvidenceWindow { start: at("08:20:21"), end: at("09:10:21"), ..window() };
    let requests = series(REQUESTS, "DELTA", "INT64", json!({}), vec![half_hour]);
    let found = observability(&[export("x.json", &answer(vec![requests]))], "sign_in", long, &[]).0.unwrap();
    let requests = &found.quantities["server_requests"];
    assert!(requests.period_seconds == 1800.0 && requests.incomplete, "20 of 50 minutes are missing: {requests:?}");
}

#[test]
fn a_running_total_that_is_not_finite_is_counted_and_what_it_hid_comes_with_the_next() {
    let transactions = "cloudsql.googleapis.com/database/postgresql/transaction_count";
    let total = |kind: &str, hidden: Option<i64>, each: i64| {
        let points = (0..=10).rev().map(|minute: i64| {
            let end = at(&format!("09:{minute:02}:21")).to_string();
            let value = match hidden == Some(minute) {
                true => json!({"doubleValue": "NaN"}),
                false => json!({"doubleValue": 5000 + each * minute}),
            };
            json!({"interval": {"startTime": "2026-03-01T00:00:00Z", "endTime": end}, "value": value})
        });
        series(transactions, "CUMULATIVE", "DOUBLE", json!({"transaction_type": kind}), points.collect())
    };
    let of = |series: Vec<Value>| {
        let found = observed(&[export("transactions.json", &answer(series))]).0;
        let figures = &found.quantities["database_transactions"];
        (figures.n, figures.non_finite, figures.missing, figures.total, figures.max)
    };
    assert_eq!(of(vec![total("commit", None, 60)]), (10, 0, 0, Some(600.0), Some(1.0)));
    assert_eq!(of(vec![total("commit", Some(5), 60)]), (9, 1, 0, Some(600.0), Some(1.0)));
    let both = vec![total("commit", Some(5), 60), total("rollback", None, 120)];
    assert_eq!(of(both), (9, 1, 0, Some(1800.0), Some(3.0)));
}

#[test]
fn requests_by_class_say_when_parts_of_the_window_are_missing() {
    let of = |points: Vec<Value>| {
        let requests = series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points);
        let found = observed(&[export("requests.json", &answer(vec![requests]))]).0;
        (found.requests_by_class["2xx"], found.requests_by_class_incomplete)
    };
    let all = minutes(|_| json!({"int64Value": "60"}));
    assert_eq!(of(all.clone()), (600, false));
    assert_eq!(of(all[4..].to_vec()), (360, true), "four minutes less are not 360 requests");
    let gap: Vec<Value> = all.iter().enumerate().filter(|(index, _)| *index != 4).map(|(_, p)| p.clone()).collect();
    assert_eq!(of(gap), (540, true));
}

#[test]
fn a_part_without_a_value_adds_nothing_to_a_count_and_makes_a_level_unknown() {
    let part = |metric: &str, kind: &str, label: &str, mut points: Vec<Value>, gap: bool| {
        if gap {
            points.remove(4);
        }
        series(metric, kind, "INT64", json!({label: gap.to_string()}), points)
    };
    let both = |metric: &str, kind: &str, label: &str| {
        let points = || minutes(|_| json!({"int64Value": "60"}));
        let answer =
            answer(vec![part(metric, kind, label, points(), false), part(metric, kind, label, points(), true)]);
        observed(&[export("x.json", &answer)]).0
    };
    let requests = &both(REQUESTS, "DELTA", "response_code_class").quantities["server_requests"].clone();
    assert_eq!((requests.n, requests.min, requests.max), (10, Some(1.0), Some(2.0)));
    let metric = "cloudsql.googleapis.com/database/postgresql/num_backends";
    let connections = &both(metric, "GAUGE", "database").quantities["database_connections"].clone();
    assert_eq!((connections.n, connections.min, connections.missing), (9, Some(120.0), 1));
}

#[test]
fn what_lies_across_an_edge_counts_by_its_share_beside_the_whole_periods() {
    // on clock minutes: 40 of 60 seconds of the first, 21 of the last
    let points: Vec<Value> =
        (1..=11).rev().map(|minute| point(&format!("09:{minute:02}:00"), json!({"int64Value": "60"}))).collect();
    let requests = series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points);
    let (observed, _) = observed(&[export("requests.json", &answer(vec![requests]))]);
    let requests = &observed.quantities["server_requests"];
    assert_eq!((requests.n, requests.left_out), (9, 2));
    assert_eq!((requests.total, requests.total_with_edges), (Some(540.0), Some(540.0 + 40.0 + 21.0)));
}

#[test]
fn a_long_period_counts_when_nearly_all_of_it_lies_inside() {
    let of = |end: &str| {
        let end = at(end).unix_seconds();
        let time = |seconds: i64| sweepdoc::model::Time::from_unix_seconds(seconds).unwrap().to_string();
        let point =
            json!({"interval": {"startTime": time(end - 600), "endTime": time(end)}, "value": {"int64Value": "600"}});
        let requests = series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), vec![point]);
        let (observed, _) = observed(&[export("requests.json", &answer(vec![requests]))]);
        observed.quantities.get("server_requests").map(|figures| figures.n)
    };
    assert_eq!(of("09:10:26"), Some(1), "595 of 600 seconds");
    assert_eq!(of("09:10:28"), None, "593 of them are under 99 %");
}

#[test]
fn components_of_memory_are_fractions_or_percentages_by_their_sum() {
    let of = |whole: f64| {
        let part = |component: &str, share: f64| {
            let points = minutes(|_| json!({"doubleValue": share * whole}));
            let metric = "cloudsql.googleapis.com/database/memory/components";
            series(metric, "GAUGE", "DOUBLE", json!({"component": component}), points)
        };
        let answer = answer(vec![part("usage", 0.41), part("cache", 0.52), part("free", 0.07)]);
        observed(&[export("memory.json", &answer)]).0.quantities["database_memory"].median.unwrap()
    };
    assert!((of(1.0) - 0.41).abs() < 1e-9 && (of(100.0) - 0.41).abs() < 1e-9);
}

#[test]
fn a_promql_counter_by_its_name_alone_is_a_running_total() {
    // 6,000 requests more each minute, whatever was counted before
    let prom = |metric: Value, value: fn(i64) -> i64| {
        let pair = |minute: i64| json!([at("09:00:21").unix_seconds() + 60 * minute, value(minute).to_string()]);
        let values: Vec<Value> = (0..=10).map(pair).collect();
        let result = json!([{"metric": metric, "values": values}]);
        json!({"status": "success", "data": {"resultType": "matrix", "result": result}}).to_string()
    };
    let counter = prom(json!({"__name__": "run_googleapis_com:request_count"}), |minute| 5_000_000 + 6000 * minute);
    let figures = observed(&[export("requests.json", &counter)]).0.quantities["server_requests"].clone();
    assert_eq!((figures.median, figures.max, figures.n), (Some(100.0), Some(100.0), 10));
    let rate = observed(&[export("server_requests.json", &prom(json!({}), |_| 100))]).0;
    assert_eq!(rate.quantities["server_requests"].median, Some(100.0));
}

#[test]
fn of_two_exports_the_one_that_is_no_breakdown_is_taken() {
    let metric = "run.googleapis.com/request_count";
    let one = |labels: Value, each: i64| {
        let value = move |minute: i64| {
            let mut point = point(&format!("09:{minute:02}:21"), json!({"int64Value": each.to_string()}));
            point["interval"]["startTime"] = json!(at(&format!("09:{:02}:21", minute - 1)).to_string());
            point
        };
        series(metric, "DELTA", "INT64", labels, (1..=10).rev().map(value).collect())
    };
    let classes =
        answer(vec![one(json!({"response_code_class": "2xx"}), 5900), one(json!({"response_code_class": "5xx"}), 10)]);
    let all = answer(vec![one(json!({}), 6000)]);
    let (observed, _) = observed(&[export("a.json", &classes), export("b.json", &all)]);
    assert_eq!(observed.quantities["server_requests"].median, Some(100.0));
    assert_eq!(observed.requests_by_class["2xx"], 59_000);
}

#[test]
fn two_values_for_one_moment_are_two_series_that_nothing_tells_apart() {
    let row = |minute: i64, value: &str| format!("sign_in,db_connections,2026-03-10T09:{minute:02}:21Z,{value}\n");
    let table = |rows: &dyn Fn(i64) -> String| {
        format!("target,metric,timestamp,value\n{}", (0..=10).map(rows).collect::<String>())
    };
    let of = |table: &str| {
        let (observed, warnings) = observed(&[export("raw.csv", table)]);
        (observed.quantities.get("database_connections").and_then(|figures| figures.median), codes(&warnings).join(" "))
    };
    assert_eq!(of(&table(&|minute| row(minute, "40") + &row(minute, "6"))), (None, "cloud-ambiguous".to_owned()));
    assert_eq!(of(&table(&|minute| row(minute, "40") + &row(minute, "40"))), (Some(40.0), String::new()));
    // what is not of the window does not matter
    let before = |minute: i64| if minute == 0 { row(0, "1") + &row(0, "2") } else { row(minute, "40") };
    assert_eq!(of(&table(&before)), (Some(40.0), String::new()));
}

#[test]
fn minutes_and_their_sum_in_one_file_count_once() {
    let requests = |points: Vec<Value>| json!({"timeSeries": [series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points)]});
    let whole = json!({"interval": {"startTime": at("09:00:21").to_string(), "endTime": at("09:10:21").to_string()},
                       "value": {"int64Value": "600"}});
    let both = json!([requests(minutes(|_| json!({"int64Value": "60"}))), requests(vec![whole])]).to_string();
    let (observed, _) = observed(&[export("requests.json", &both)]);
    assert_eq!(observed.requests_by_class["2xx"], 600);
    let requests = &observed.quantities["server_requests"];
    assert_eq!((requests.n, requests.total, requests.median), (10, Some(600.0), Some(1.0)));
}

#[test]
fn less_than_four_fifths_of_a_short_test_are_not_the_whole_of_it() {
    let starts =
        |minute: i64| json!({"distributionValue": if minute == 5 { json!({"count": "3"}) } else { json!({}) }});
    let metric = "run.googleapis.com/container/startup_latencies";
    let starts = series(metric, "DELTA", "DISTRIBUTION", json!({}), minutes(starts));
    let of = |start: &str, end: &str| {
        let window = EvidenceWindow { start: at(start), end: at(end), ..window() };
        let (found, warnings) = observability(&[export("x.json", &answer(vec![starts.clone()]))], "a", window, &[]);
        let starts = found.unwrap().quantities["container_startups"].clone();
        (starts.total, starts.is_whole(), starts.speaks_for_the_window(), codes(&warnings).join(" "))
    };
    // a minute of 110 seconds, beside one that began three containers
    let incomplete = "cloud-incomplete".to_owned();
    assert_eq!(of("09:04:50", "09:06:40"), (Some(0.0), false, false, incomplete));
    assert_eq!(of("09:05:20", "09:06:25"), (Some(0.0), true, true, String::new()));
}

#[test]
fn quantities_of_one_table_have_periods_of_their_own() {
    let row = |seconds: i64, rest: &str| {
        let time = sweepdoc::model::Time::from_unix_seconds(at("09:00:21").unix_seconds() + seconds).unwrap();
        format!("{time},{rest}\n")
    };
    let minutes = (1..=10).map(|minute| row(60 * minute, "database_cpu,93,percent"));
    let quick = (1..=60).map(|tenth| row(10 * tenth, "server_latency_p50,300,ms"));
    let table = format!("time,quantity,value,unit\n{}", minutes.chain(quick).collect::<String>());
    let (observed, warnings) = observed(&[export("metrics.csv", &table)]);
    let periods = ["database_cpu", "server_latency_p50"].map(|name| observed.quantities[name].period_seconds);
    assert_eq!((periods, observed.quantities["database_cpu"].is_whole()), ([60.0, 10.0], true));
    assert_eq!(warnings, []);
}

#[test]
fn series_counted_over_different_spans_are_no_sum() {
    let part = |class: &str, shift: i64, first: i64| {
        let points = (1..=10).rev().map(|minute: i64| {
            let end = at("09:00:21").unix_seconds() + 60 * minute - shift;
            let time = |seconds: i64| sweepdoc::model::Time::from_unix_seconds(seconds).unwrap().to_string();
            let start = if minute == 1 { end - first } else { end - 60 };
            json!({"interval": {"startTime": time(start), "endTime": time(end)}, "value": {"int64Value": "60"}})
        });
        series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": class}), points.collect())
    };
    let of = |parts: Vec<Value>| {
        let (observed, warnings) = observed(&[export("requests.json", &answer(parts))]);
        (observed.quantities.get("server_requests").and_then(|figures| figures.median), codes(&warnings).join(" "))
    };
    assert_eq!(of(vec![part("2xx", 0, 60), part("4xx", 0, 60)]), (Some(2.0), String::new()));
    assert_eq!(
        of(vec![part("2xx", 0, 60), part("4xx", 0, 23)]),
        (Some(2.0), String::new()),
        "one began within a minute"
    );
    assert_eq!(
        of(vec![part("2xx", 0, 60), part("4xx", 30, 60)]),
        (None, "cloud-ambiguous".to_owned()),
        "not 1 a second"
    );
}

#[test]
fn a_total_and_its_parts_in_one_file_are_not_added() {
    let counted = |labels: Value, each: i64| {
        series(REQUESTS, "DELTA", "INT64", labels, minutes(|_| json!({"int64Value": each.to_string()})))
    };
    let of = |parts: Vec<Value>| {
        let (observed, warnings) = observed(&[export("requests.json", &answer(parts))]);
        (observed.quantities.get("server_requests").and_then(|figures| figures.median), codes(&warnings).join(" "))
    };
    let classes = || ["2xx", "5xx"].map(|class| counted(json!({"response_code_class": class}), 60));
    let with = |total: Value| of([&classes()[..], &[total]].concat());
    let two = (Some(2.0), String::new());
    assert_eq!(of(classes().to_vec()), two);
    assert_eq!(with(counted(json!({}), 120)), two, "not 4 a second");
    assert_eq!(with(gauge(REQUESTS, |_| 2.0)), two, "nor a rate and increases");
    assert_eq!(with(counted(json!({}), 600)), (None, "cloud-contradiction".to_owned()));
}
