//! The whole of the samples' `truth.json`: each of its values is compared, or stands on a short list with the reason why not.
//! None of the wrong ones stands in any evidence.

#[path = "../support/mod.rs"]
mod support;

mod found;
mod walk;

use std::path::Path;

use serde_json::Value;
use support::cloud::{TARGETS, export, folder, observed, samples, truth, window};
use walk::{Except, Walk, leaves, near, numbers};

/// Values of the truth that are not compared, with the number of them.
const EXCEPT: [Except; 17] = [
    Except { path: "series/*/zit_startups/**", why: "counts points, not starts: left out", values: 20 },
    Except { path: "policy/*", why: "words: the rule the values follow", values: 4 },
    Except { path: "**/note", why: "words", values: 6 },
    Except { path: "query_insights/*/unit", why: "words", values: 2 },
    Except { path: "query_insights/*/window_buckets", why: "words", values: 2 },
    Except {
        path: "bench_metrics_raw_csv/absent/**",
        why: "words; that there are no such figures is compared",
        values: 2,
    },
    Except { path: "distribution_kinds/no_histogram", why: "words; a pitfall of its own", values: 1 },
    Except { path: "logs/http_503_empty", why: "words; an empty file is no export", values: 1 },
    Except { path: "logs/lock_wait_still_waiting", why: "a repeat of one wait, counted when it ends", values: 1 },
    Except { path: "**/all_points/*", why: "wrong: counts the minute before the test", values: 210 },
    Except { path: "raw_request_latencies/*_all_points/**", why: "wrong: counts points across the edges", values: 7 },
    Except { path: "query_insights/*/wrong_*/**", why: "wrong rankings", values: 28 },
    Except { path: "cumulative/naive_last_minus_first_us", why: "wrong: ignores the reset", values: 1 },
    Except {
        path: "autovacuum/*/db_cpu_by_log_time/**",
        why: "wrong: a run takes the time before its line",
        values: 10,
    },
    Except { path: "autovacuum/*/db_cpu_by_run_span/*/mean", why: "medians are compared with each other", values: 2 },
    Except { path: "autovacuum/*/db_cpu_by_run_span/*/min", why: "medians are compared with each other", values: 2 },
    Except { path: "autovacuum/*/db_cpu_by_run_span/*/max", why: "medians are compared with each other", values: 2 },
];

#[test]
fn every_value_of_the_truth_is_derived_or_listed_with_a_reason() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let found = found::found(&samples, &truth);
    let walk = Walk::of(&truth, &found, &EXCEPT);
    assert!(walk.differ.is_empty(), "{} differ: {:#?}", walk.differ.len(), walk.differ);
    let listed: Vec<(&str, usize)> = EXCEPT.iter().map(|except| (except.path, except.values)).collect();
    assert_eq!(walk.excepted, listed);
    assert_eq!((walk.compared, leaves(&truth).len()), (675, 976));
}

/// Wrong values, and the exceptions above that hold them.
const WRONG: [&str; 4] = [
    "**/all_points/*",
    "raw_request_latencies/*_all_points/**",
    "cumulative/naive_last_minus_first_us",
    "autovacuum/*/db_cpu_by_log_time/**",
];

/// Wrong values that are the true ones of something else the truth does not have, checked against the files.
const COINCIDE: [(&str, &str); 3] = [
    ("series/session_create/db_connections/all_points/median", "the last value of `db_backends_by_state.json`"),
    ("series/session_create/zit_concurrency_p99/all_points/min", "3: the users of a statement"),
    ("series/token_introspect/db_mem/all_points/median", "the median of `db_mem_components.json`, which has no gap"),
];

/// Everything that is said of a run, from every export there is of it, alone and together.
fn evidence(samples: &Path, truth: &Value, target: &str) -> Vec<Value> {
    let window = window(truth, target);
    let insights = |name: &str| export(&samples.join("query-insights").join(format!("{name}_{target}.json")));
    let others = [
        "bench-metrics-raw.csv",
        "raw/request_latencies_raw.json",
        "raw/instance_count_raw.json",
        "raw/perquery_execution_time_cumulative.json",
        "console/metrics_explorer_single.csv",
        "promql/query_range_db_cpu.json",
        "other-clouds/cloudwatch_get_metric_data.json",
        "logs/autovacuum_log.json",
        "logs/http_requests.json",
        "logs/errors.json",
    ];
    let own = folder(&samples.join(target));
    let queries =
        vec![insights("qi"), insights("lock_time"), export(&samples.join("query-insights/bench-queries.json"))];
    let others: Vec<_> = others.iter().map(|file| export(&samples.join(file))).collect();
    let all = [own.clone(), queries.clone(), others.clone()].concat();
    let alone = all.iter().map(|one| vec![one.clone()]);
    let sets = alone.chain([own, queries, others, all.clone()]);
    sets.map(|exports| serde_json::to_value(observed(&exports, target, window).0).unwrap()).collect()
}

#[test]
fn no_wrong_value_stands_in_any_evidence() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let names = |path: &[String]| path.join("/");
    let is_wrong = |path: &[String]| WRONG.iter().any(|pattern| walk::matches(pattern, &names(path)));
    // of all points of a file, whatever the window: right of the file, wrong of a run
    let of_a_file = |path: &[String]| {
        walk::matches("metrics_explorer/**", &names(path)) || walk::matches("promql/**", &names(path))
    };
    let right: Vec<f64> = leaves(&truth)
        .iter()
        .filter(|(path, _)| !is_wrong(path) && !of_a_file(path))
        .filter_map(|(_, leaf)| leaf.as_f64())
        .collect();
    let wrong: Vec<(String, f64)> = leaves(&truth)
        .iter()
        .filter(|(path, _)| is_wrong(path))
        .filter_map(|(path, leaf)| {
            // microseconds stand as seconds in evidence
            let (name, value) = (names(path), leaf.as_f64()?);
            let value = if name.ends_with("_us") { value / 1e6 } else { value };
            Some((name, value))
        })
        .collect();
    let coincides = |value: f64| right.iter().any(|right| near(value, *right, 1e-8));
    let (coinciding, telling): (Vec<_>, Vec<_>) = wrong.into_iter().partition(|(_, value)| coincides(*value));
    let mut said = Vec::new();
    for target in TARGETS {
        said.extend(evidence(&samples, &truth, target).iter().flat_map(numbers));
    }
    let is_said = |value: f64| said.iter().any(|said| near(*said, value, 1e-8));
    let found: Vec<&str> = telling.iter().filter(|(_, value)| is_said(*value)).map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, COINCIDE.map(|(name, _)| name));
    assert_eq!((telling.len(), coinciding.len()), (111, 120));
}
