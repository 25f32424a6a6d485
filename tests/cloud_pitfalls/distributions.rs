//! Distributions: buckets, percentiles, counts.

use serde_json::{Value, json};
use sweepdoc::model::Side;

use super::{LATENCY, answer, codes, export, gauge, minutes, observed, series};

/// Latencies by minute, counted below 100 ms, below 1 s and above.
fn latencies(minute: impl Fn(i64) -> Value) -> String {
    answer(vec![series(
        LATENCY,
        "DELTA",
        "DISTRIBUTION",
        json!({}),
        minutes(|at| json!({"distributionValue": minute(at)})),
    )])
}

fn counted(bounds: &[i64], counts: &[i64]) -> Value {
    let texts: Vec<String> = counts.iter().map(i64::to_string).collect();
    json!({"count": counts.iter().sum::<i64>().to_string(), "mean": 50, "bucketCounts": texts,
           "bucketOptions": {"explicitBuckets": {"bounds": bounds}}})
}

#[test]
fn percentiles_are_interpolated_over_the_whole_window_and_never_averaged() {
    let options = json!({"explicitBuckets": {"bounds": [0, 100, 1000, 10000]}});
    // nine minutes of quick requests, one of slow ones: the mean of the minutes' medians would be far too high
    let points = minutes(|minute| {
        let counts = if minute == 10 { json!(["0", "0", "0", "10"]) } else { json!(["0", "30"]) };
        let count = if minute == 10 { "10" } else { "30" };
        json!({"distributionValue": {"count": count, "mean": 50, "bucketOptions": options, "bucketCounts": counts}})
    });
    let latency = series(LATENCY, "DELTA", "DISTRIBUTION", json!({}), points);
    let (observed, _) = observed(&[export("latency.json", &answer(vec![latency]))]);
    let p50 = &observed.quantities["server_latency_p50"];
    // 280 samples: rank 140 of 270 between 0 and 100
    assert!((p50.overall.unwrap().value - 100.0 * 140.0 / 270.0).abs() < 1e-9);
    assert_eq!(p50.total, Some(280.0));
    let p99 = observed.quantities["server_latency_p99"].overall.unwrap().value;
    assert!((p99 - (1000.0 + 9000.0 * (0.99 * 280.0 - 270.0) / 10.0)).abs() < 1e-6);
}

#[test]
fn an_aligned_percentile_is_known_by_the_name_of_its_file_alone() {
    let latency = || answer(vec![gauge(LATENCY, |_| 300.0)]);
    let (named, _) = observed(&[export("gcp/latency_p95.json", &latency())]);
    assert_eq!(named.quantities["server_latency_p95"].median, Some(300.0));
    let (unnamed, warnings) = observed(&[export("gcp/latency.json", &latency())]);
    assert!(unnamed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
    let crossed = [
        export("latency_p50.json", &answer(vec![gauge(LATENCY, |_| 900.0)])),
        export("latency_p99.json", &answer(vec![gauge(LATENCY, |_| 300.0)])),
    ];
    let (crossed, warnings) = observed(&crossed);
    assert!(crossed.quantities.is_empty(), "files that were exchanged");
    assert_eq!(codes(&warnings), ["cloud-contradiction"]);
}

/// Pitfall 20: more buckets than the options allow.
#[test]
fn counts_that_do_not_fit_their_buckets_give_no_percentile() {
    let bounds = json!({"explicitBuckets": {"bounds": [0, 100]}});
    for (what, distribution) in [
        ("no histogram", json!({"count": "30", "mean": 50})),
        (
            "a sum that differs",
            json!({"count": "30", "mean": 50, "bucketOptions": bounds, "bucketCounts": ["0", "20"]}),
        ),
        (
            "too many buckets",
            json!({"count": "30", "mean": 50, "bucketOptions": bounds, "bucketCounts": ["0", "10", "10", "10"]}),
        ),
    ] {
        let points = minutes(|_| json!({"distributionValue": distribution}));
        let latency = series(LATENCY, "DELTA", "DISTRIBUTION", json!({}), points);
        let (observed, _) = observed(&[export("latency.json", &answer(vec![latency]))]);
        let p50 = observed.quantities.get("server_latency_p50").and_then(|figures| figures.overall.map(|o| o.value));
        assert_eq!(p50, None, "{what}");
    }
}

/// Pitfall 3: distributions by period taken for growing ones.
#[test]
fn counts_by_period_go_up_and_down_and_are_added() {
    let (observed, _) = observed(&[export(
        "latency.json",
        &latencies(|minute| counted(&[0, 100, 1000], &[0, 40 - 3 * minute, minute])),
    )]);
    // minutes 1 to 10: 400 - 165 quick ones, 55 slow ones
    let p50 = &observed.quantities["server_latency_p50"];
    assert_eq!(p50.total, Some(290.0));
    assert!((p50.overall.unwrap().value - 100.0 * 145.0 / 235.0).abs() < 1e-9);
}

/// Pitfall 10: a distribution's count taken for its value.
#[test]
fn a_count_is_no_value_and_a_mean_no_percentile() {
    let (observed, _) = observed(&[export(
        "latency.json",
        &latencies(|_| {
            json!({"count": "7000", "mean": 3, "bucketCounts": ["0", "7000"],
                              "bucketOptions": {"explicitBuckets": {"bounds": [0, 8]}}})
        }),
    )]);
    let p50 = &observed.quantities["server_latency_p50"];
    assert_eq!((p50.median, p50.overall.map(|p50| p50.value), p50.total), (Some(4.0), Some(4.0), Some(70_000.0)));
}

#[test]
fn distributions_of_unequal_buckets_are_not_added_not_even_within_one_series() {
    let unequal =
        |minute: i64| if minute < 6 { counted(&[0, 100], &[0, 9, 0]) } else { counted(&[0, 250], &[0, 9, 0]) };
    let (observed, warnings) = self::observed(&[export("latency.json", &latencies(unequal))]);
    assert!(observed.quantities.is_empty(), "a percentile of one of them would be taken for that of all");
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
    assert!(warnings[0].message.starts_with(&format!("latency.json: `{LATENCY}`")), "{warnings:?}");
    let empty_ones = |minute: i64| if minute < 6 { json!({}) } else { counted(&[0, 250], &[0, 9, 0]) };
    let (observed, _) = self::observed(&[export("latency.json", &latencies(empty_ones))]);
    assert_eq!(observed.quantities["server_latency_p50"].overall.unwrap().value, 125.0);
}

#[test]
fn open_buckets_give_their_edge_and_the_range_where_it_is_sent() {
    let open = |range: Value| {
        let mut open = counted(&[10], &[8, 2]);
        open["range"] = range;
        let (observed, _) = observed(&[export("latency.json", &latencies(|_| open.clone()))]);
        ["p50", "p95"].map(|p| observed.quantities[&format!("server_latency_{p}")].overall.unwrap())
    };
    let [p50, p95] = open(json!({"min": 2, "max": 30}));
    assert_eq!((p50.value, p50.side, p50.limit), (10.0, Some(Side::Below), Some(2.0)));
    assert_eq!((p95.value, p95.side, p95.limit), (10.0, Some(Side::Above), Some(30.0)));
    assert_eq!(open(json!({"max": 30}))[0].limit, Some(0.0), "a smallest sample of zero is not written");
    assert_eq!(open(Value::Null).map(|found| found.limit), [None, None]);
    // eight of ten samples below 10 in each minute: the lowest p50 and the highest p95 are anywhere there
    let (observed, _) = observed(&[export("latency.json", &latencies(|_| counted(&[10], &[8, 2])))]);
    let extremes = ["p50", "p95"].map(|p| &observed.quantities[&format!("server_latency_{p}")]).map(|f| (f.min, f.max));
    assert_eq!(extremes, [(None, Some(10.0)), (Some(10.0), None)]);
}

#[test]
fn concurrency_is_that_of_active_instances() {
    let metric = "run.googleapis.com/container/max_request_concurrencies";
    let part = |labels: Value, counts: [i64; 3]| {
        let points = minutes(|_| json!({"distributionValue": counted(&[0, 100], &counts)}));
        series(metric, "DELTA", "DISTRIBUTION", labels, points)
    };
    let median = |series: Vec<Value>| {
        let (observed, _) = observed(&[export("concurrency.json", &answer(series))]);
        observed.quantities["container_concurrency_p50"].overall.unwrap().value
    };
    let both = vec![part(json!({"state": "active"}), [0, 9, 0]), part(json!({"state": "idle"}), [90, 0, 0])];
    assert_eq!((median(both), median(vec![part(json!({}), [0, 9, 0])])), (50.0, 50.0));
}
