use std::collections::BTreeMap;

use super::*;
use crate::model::{CheckByName, Counter, Gauge, RequestCount, Requests, Trend};

fn stats(n: u64, [min, avg, max, p50, p95, p99]: [f64; 6]) -> TrendStats {
    let percentiles = BTreeMap::from([(Percentile::P50, p50), (Percentile::P95, p95), (Percentile::P99, p99)]);
    TrendStats { n: Some(n), min: Some(min), avg: Some(avg), max: Some(max), percentiles }
}

fn trend(run: TrendStats) -> Trend {
    Trend { run, ..Trend::default() }
}

/// The figures of a real run of k6 v2.1.0 that ended with `test.abort()`, computed from its CSV.
fn aborted_run() -> Evidence {
    let requests = [18.275134, 31.840990634146348, 42.231679, 33.242514, 41.02828, 41.8531614];
    let iterations = [28.162122, 227.41212538461542, 243.508753, 234.320733, 241.2000226, 243.11687914];
    let blocked = [0.002074, 0.08310978, 1.345385, 0.008021, 0.67708, 1.1525366];
    let counter = |sum| Counter { sum, inferred: false };
    let gauge = Gauge { last: 3.0, min: 3.0, max: 3.0, inferred: false };
    let mut evidence = Evidence {
        trends: BTreeMap::from([
            ("http_req_duration".to_owned(), trend(stats(41, requests))),
            ("iteration_duration".to_owned(), trend(stats(39, iterations))),
            ("http_req_blocked".to_owned(), trend(stats(41, blocked))),
        ]),
        submetrics: BTreeMap::from([(
            "http_req_duration{expected_response:true}".to_owned(),
            trend(stats(41, requests)),
        )]),
        counters: BTreeMap::from([
            ("data_received".to_owned(), counter(19_332.0)),
            ("data_sent".to_owned(), counter(3279.0)),
        ]),
        gauges: BTreeMap::from([("vus".to_owned(), gauge), ("vus_max".to_owned(), gauge)]),
        requests: Some(Requests { run: RequestCount { total: 41, failed: Some(0) }, test: None }),
        checks: Some(Checks { total: 40, failed: 0, by_name: vec![check("login ok", 40, 0)] }),
        ..Evidence::default()
    };
    evidence.iterations.complete = Some(39);
    evidence.k6.run_seconds = Some(3.069970544007017);
    evidence
}

fn check(name: &str, passes: u64, fails: u64) -> CheckByName {
    CheckByName {
        name: Some(name.to_owned()),
        passes: Some(passes),
        fails,
        fails_within: BTreeMap::new(),
        fails_elsewhere: None,
    }
}

/// What k6 printed at the end of that run.
const ABORTED: &str = "  █ TOTAL RESULTS

    checks_total.......: 40      13.029441/s
    checks_succeeded...: 100.00% 40 out of 40
    checks_failed......: 0.00%   0 out of 40

    ✓ login ok

    HTTP
    http_req_duration..............: min=18.27ms avg=31.84ms  max=42.23ms p(50)=33.24ms  p(95)=41.02ms p(99)=41.85ms
      { expected_response:true }...: min=18.27ms avg=31.84ms  max=42.23ms p(50)=33.24ms  p(95)=41.02ms p(99)=41.85ms
    http_req_failed................: 0.00%  0 out of 41
    http_reqs......................: 41     13.355177/s

    EXECUTION
    iteration_duration.............: min=28.16ms avg=227.41ms max=243.5ms p(50)=234.32ms p(95)=241.2ms p(99)=243.11ms
    iterations.....................: 39     12.703705/s
    vus............................: 3      min=3       max=3
    vus_max........................: 3      min=3       max=3

    NETWORK
    data_received..................: 19 kB  6.3 kB/s
    data_sent......................: 3.3 kB 1.1 kB/s";

#[test]
fn a_run_is_written_as_k6_printed_it() {
    assert_eq!(compact(&aborted_run(), &COLUMNS), ABORTED);
    assert_eq!(recomputed(&aborted_run()).as_deref(), Some(format!("{RECOMPUTED}\n{ABORTED}").as_str()));
}

#[test]
fn rates_per_second_need_the_duration_of_the_run() {
    let mut evidence = aborted_run();
    evidence.k6.run_seconds = None;
    let text = compact(&evidence, &COLUMNS);
    assert!(!text.contains("/s"), "{text}");
    assert!(text.contains("    http_reqs......................: 41\n"));
}

#[test]
fn without_raw_figures_nothing_is_recomputed() {
    let mut evidence = aborted_run();
    for trend in evidence.trends.values_mut() {
        trend.from = FigureSource::Summary;
    }
    assert_eq!(recomputed(&evidence), None);
    assert_eq!(recomputed(&Evidence::default()), None);
}

#[test]
fn a_custom_trend_is_a_time_only_when_something_says_so() {
    let mut evidence = aborted_run();
    let run = stats(58, [138.0, 319.3793103, 500.0, 319.0, 499.0, 500.0]);
    evidence.trends.insert("payload_size".to_owned(), trend(run.clone()));
    evidence.trends.insert("wait".to_owned(), Trend { time: Some(true), ..trend(run) });
    let text = compact(&evidence, &COLUMNS);
    assert!(text.contains("    payload_size...................: min=138     avg=319.37931 max=500"), "{text}");
    assert!(text.contains("    wait...........................: min=138ms   avg=319.37ms  max=500ms"), "{text}");
}

#[test]
fn a_statistic_that_is_not_known_is_left_out() {
    let known = TrendStats { avg: Some(1.5), ..TrendStats::default() };
    let values = trend_line_values(&known, &[Stat::Min, Stat::Avg, Stat::Count], TrendNotation::Time);
    assert_eq!(values, [None, Some("1.5ms".to_owned()), None]);
}

#[test]
fn failed_checks_have_their_counts_below() {
    let mut checks = Checks { total: 100, failed: 29, by_name: vec![check("a\nb", 71, 29)] };
    checks.by_name.push(CheckByName { name: None, ..check("", 5, 0) });
    assert_eq!(check_list(&checks), "    ✗ a b\n      ↳  71% — ✓ 71 / ✗ 29");
}
