//! The pitfalls people met in public, each with an input that falls into it: what it says, and what it would say if nothing were
//! done about it.

use std::io::Write;

use serde_json::{Value, json};
use sweepdoc::derive::FoundExport;
use sweepdoc::ingest::detect::{FileKind, document, recognise};
use sweepdoc::ingest::monitoring::{self, MetricNames, Reading};
use sweepdoc::ingest::source::Source;
use sweepdoc::model::{Observability, Warning};

use super::{CPU, LATENCY, QUERY, REQUESTS, answer, at, codes, export, gauge, minutes, observed, point, series};

/// One pitfall.
pub struct Pitfall {
    /// Its place in the collection.
    pub number: usize,
    pub name: &'static str,
    input: fn() -> Vec<FoundExport>,
    /// The words for what was derived.
    read: fn(&Observability, &[Warning]) -> String,
    /// What those are, computed by hand from the input.
    right: &'static str,
    /// What they would be for a reader that does not know of it.
    naive: &'static str,
}

/// In the order they were collected.
pub const PITFALLS: [Pitfall; 20] = [
    Pitfall {
        number: 1,
        name: "a period that begins before the asked start",
        input: || one(gauge(CPU, |minute| if minute == 0 { 0.05 } else { 0.6 })),
        read: |seen, _| words(seen.quantities["database_cpu"].min),
        right: "0.6",
        naive: "0.05",
    },
    Pitfall {
        number: 2,
        name: "zeros that are not written",
        // 60 a minute in three of ten minutes, then nothing
        input: || one(requests(minutes(|_| json!({"int64Value": "60"})).split_off(7))),
        read: |seen, _| words(seen.quantities["server_requests"].total),
        right: "180",
        naive: "600",
    },
    Pitfall {
        number: 3,
        name: "distributions by period taken for growing ones",
        // 40 - 2 a minute: 38 + 36 + ... + 20; the last less the first is -18
        input: || one(latencies(|minute| counted(&[0, 100, 1000], &[0, 40 - 3 * minute, minute]))),
        read: |seen, _| words(seen.quantities["server_latency_p50"].total),
        right: "290",
        naive: "-18",
    },
    Pitfall {
        number: 4,
        name: "accumulated totals taken for increases",
        input: || {
            let total = (0..=10).rev().map(|minute: i64| {
                let end = at(&format!("09:{minute:02}:21")).to_string();
                let sum = 1_000_000 + 30 * minute * (minute + 1);
                json!({"interval": {"startTime": "2026-03-01T00:00:00Z", "endTime": end},
                       "value": {"int64Value": sum.to_string()}})
            });
            let metric = "cloudsql.googleapis.com/database/postgresql/transaction_count";
            one(series(metric, "CUMULATIVE", "INT64", json!({}), total.collect()))
        },
        read: |seen, _| words(seen.quantities["database_transactions"].total),
        right: "3300",
        naive: "1003300",
    },
    Pitfall {
        number: 5,
        name: "query texts that are cut",
        input: || one(query(&format!("SELECT {} FROM t", "ü , ".repeat(300))[..256])),
        read: is_cut,
        right: "cut",
        naive: "whole",
    },
    Pitfall {
        number: 6,
        name: "data that arrives late",
        input: || {
            let early = minutes(|_| json!({"distributionValue": {}})).split_off(4);
            let metric = "run.googleapis.com/container/startup_latencies";
            one(series(metric, "DELTA", "DISTRIBUTION", json!({}), early))
        },
        read: |seen, _| words(seen.quantity("container_startups").and_then(|starts| starts.total)),
        right: "not known",
        naive: "0",
    },
    Pitfall {
        number: 7,
        name: "an answer with nothing but a unit",
        input: || vec![export("database_cpu.json", r#"{"unit": "10^2.%"}"#)],
        read: cpu_and_warnings,
        right: "not known, cloud-no-series",
        naive: "0, ",
    },
    Pitfall {
        number: 8,
        name: "no series taken for zero or for an error",
        input: || vec![export("database_cpu.json", r#"{"timeSeries": []}"#)],
        read: cpu_and_warnings,
        right: "not known, cloud-no-series",
        naive: "not known, cloud-query-failed",
    },
    Pitfall {
        number: 9,
        name: "an aligner that does not fit the metric",
        input: || {
            let error = json!({"code": 400, "status": "INVALID_ARGUMENT", "message": "perSeriesAligner: ALIGN_MEAN"});
            vec![export("database_cpu.json", &json!({"error": error}).to_string())]
        },
        read: cpu_and_warnings,
        right: "not known, cloud-query-failed",
        naive: "not known, cloud-no-series",
    },
    Pitfall {
        number: 10,
        name: "a distribution's count taken for its value",
        input: || one(latencies(|_| counted(&[0, 8], &[0, 7000]))),
        read: |seen, _| words(seen.quantities["server_latency_p50"].median),
        right: "4",
        naive: "7000",
    },
    Pitfall {
        number: 11,
        name: "periods that are not what their name says",
        input: || {
            let every_other = minutes(|_| json!({"doubleValue": 0.5})).into_iter().step_by(2).collect();
            let cpu = series(CPU, "GAUGE", "DOUBLE", json!({}), every_other);
            vec![export("database_cpu_60s.json", &answer(vec![cpu]))]
        },
        read: |seen, _| words(Some(seen.quantities["database_cpu"].period_seconds)),
        right: "120",
        naive: "60",
    },
    Pitfall {
        number: 12,
        name: "another answer to the same question",
        input: || [one(gauge(CPU, |_| 0.9)), vec![export("again.json", &answer(vec![gauge(CPU, |_| 0.5)]))]].concat(),
        read: cpu_and_warnings,
        right: "not known, cloud-contradiction",
        naive: "0.7, ",
    },
    Pitfall {
        number: 13,
        name: "an end cut to the minute",
        input: || one(series(CPU, "GAUGE", "DOUBLE", json!({}), minutes(|_| json!({"doubleValue": 0.5})).split_off(1))),
        read: cpu_and_warnings,
        right: "0.5, cloud-incomplete",
        naive: "0.5, ",
    },
    Pitfall {
        number: 14,
        name: "a query without a range: next to no data",
        input: || {
            let lone = vec![point("09:05:21", json!({"doubleValue": 0.9}))];
            one(series(CPU, "GAUGE", "DOUBLE", json!({}), lone))
        },
        read: |seen, _| words(seen.quantity("database_cpu").and_then(|cpu| cpu.median)),
        right: "not known",
        naive: "0.9",
    },
    Pitfall {
        number: 15,
        name: "a metric that has no data for PostgreSQL",
        input: || {
            let backends = |database: &str, n: i64| {
                let metric = "cloudsql.googleapis.com/database/postgresql/num_backends";
                let points = minutes(|_| json!({"int64Value": n.to_string()}));
                series(metric, "GAUGE", "INT64", json!({"database": database}), points)
            };
            vec![
                export("network_connections.json", "{}"),
                export("num_backends.json", &answer(vec![backends("a", 40), backends("b", 6)])),
            ]
        },
        read: |seen, _| words(seen.quantities["database_connections"].median),
        right: "46",
        naive: "0",
    },
    Pitfall {
        number: 16,
        name: "one message of a log in several entries",
        input: || {
            let entry = |second: &str, text: &str| json!({"timestamp": format!("2026-03-10T09:05:00.{second}Z"), "logName": "l", "textPayload": text});
            let log = json!([
                entry("001", "LOG:  automatic vacuum of table \"d.s.t\": index scans: 1"),
                entry("002", "\tsystem usage: CPU: user: 0.42 s, system: 0.11 s, elapsed: 9.66 s"),
            ]);
            vec![export("log.json", &log.to_string())]
        },
        read: |seen, _| words(seen.autovacuum.as_ref().and_then(|found| found.vacuum.total_seconds)),
        right: "9.66",
        naive: "not known",
    },
    Pitfall {
        number: 17,
        name: "a log at its limit, or filtered to nothing",
        input: || {
            let entry = |second: i64| {
                let time = at(&format!("09:05:{:02}", second % 60)).to_string();
                json!({"timestamp": time, "logName": "l", "insertId": second.to_string(), "httpRequest": {"status": 200}})
            };
            vec![export("log.json", &json!((0..100).map(entry).collect::<Vec<_>>()).to_string())]
        },
        read: |seen, _| {
            let log = seen.log.as_ref().unwrap();
            let failed = log.requests.get(&503).copied().unwrap_or_default();
            format!("{failed} of {}{}", if log.cut { "at least " } else { "" }, log.entries)
        },
        right: "0 of at least 100",
        naive: "0 of 100",
    },
    Pitfall {
        number: 18,
        name: "text that is not UTF-8",
        input: || {
            let mut cpu = gauge(CPU, |_| 0.5);
            cpu["metric"]["labels"] = json!({"note": "?"});
            vec![export_of_bytes(
                answer(vec![cpu]).bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect(),
            )]
        },
        read: cpu_and_warnings,
        right: "0.5, ",
        naive: "not known, cloud-unreadable",
    },
    Pitfall {
        number: 19,
        name: "text that is cut a second time",
        // 256 characters, which are 498 bytes: no limit of the database's
        input: || one(query(&format!("SELECT x FROM {}", "ä".repeat(2000)).chars().take(256).collect::<String>())),
        read: is_cut,
        right: "cut",
        naive: "whole",
    },
    Pitfall {
        number: 20,
        name: "more buckets than the options allow",
        // two bounds make three buckets: in which of the four the 15th of 30 stands nobody knows
        input: || one(latencies(|_| counted(&[0, 100], &[0, 10, 20, 0]))),
        read: |seen, _| {
            let p50 = seen.quantities.get("server_latency_p50").and_then(|figures| figures.overall);
            words(p50.map(|p50| p50.value))
        },
        right: "not known",
        naive: "100",
    },
];

#[test]
fn every_pitfall_is_avoided() {
    for (place, Pitfall { number, name, input, read, right, naive }) in (1..).zip(PITFALLS) {
        assert_eq!(number, place, "{name}");
        assert_ne!(right, naive, "{name}");
        let (seen, warnings) = observed(&input());
        assert_eq!(read(&seen, &warnings), right, "pitfall {number}, {name}: `{naive}` would be falling into it");
    }
}

fn words(value: Option<f64>) -> String {
    value.map_or("not known".to_owned(), |value| value.to_string())
}

fn cpu_and_warnings(seen: &Observability, warnings: &[Warning]) -> String {
    let cpu = words(seen.quantities.get("database_cpu").and_then(|cpu| cpu.median));
    format!("{cpu}, {}", codes(warnings).join(" "))
}

fn is_cut(seen: &Observability, _: &[Warning]) -> String {
    if seen.queries.as_ref().unwrap().ranking[0].cut { "cut" } else { "whole" }.to_owned()
}

fn one(series: Value) -> Vec<FoundExport> {
    vec![export("export.json", &answer(vec![series]))]
}

fn requests(points: Vec<Value>) -> Value {
    series(REQUESTS, "DELTA", "INT64", json!({"response_code_class": "2xx"}), points)
}

fn query(text: &str) -> Value {
    let labels = json!({"query_hash": "1", "user": "a", "querystring": text});
    series(QUERY, "DELTA", "INT64", labels, minutes(|_| json!({"int64Value": "1000000"})))
}

fn latencies(minute: impl Fn(i64) -> Value) -> Value {
    let points = minutes(|at| json!({"distributionValue": minute(at)}));
    series(LATENCY, "DELTA", "DISTRIBUTION", json!({}), points)
}

fn counted(bounds: &[i64], counts: &[i64]) -> Value {
    let texts: Vec<String> = counts.iter().map(i64::to_string).collect();
    json!({"count": counts.iter().sum::<i64>().to_string(), "mean": 3, "bucketCounts": texts,
           "bucketOptions": {"explicitBuckets": {"bounds": bounds}}})
}

/// A file as a run reads it, bytes that are no text included.
pub fn export_of_bytes(bytes: Vec<u8>) -> FoundExport {
    let mut file = tempfile::Builder::new().suffix(".json").tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let source = Source::new(file.path()).unwrap();
    let FileKind::Monitoring(kind) = recognise(&source).unwrap() else { panic!("no export") };
    let reading = Reading { file: "cpu.json", names: &MetricNames::default() };
    let export = monitoring::read(kind, &document(&source).unwrap(), &reading);
    FoundExport { file: "cpu.json".into(), shared: false, export }
}
