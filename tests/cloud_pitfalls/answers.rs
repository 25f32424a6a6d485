//! Answers: without data, failed, of another system or time, in other formats.

use serde_json::{Value, json};
use sweepdoc::derive::FoundExport;
use sweepdoc::ingest::monitoring::{self, MetricNames, Reading};
use sweepdoc::model::{Measure, Observability, Quantity};

use super::table::export_of_bytes;
use super::{CPU, LATENCY, answer, at, codes, export, gauge, minutes, observed, series};

/// Pitfall 8: no series taken for zero or for an error.
#[test]
fn zero_no_data_and_a_failed_query_are_three_things() {
    let (zero, warnings) = observed(&[export("reads.json", &answer(vec![gauge(CPU, |_| 0.0)]))]);
    assert_eq!((zero.quantities["database_cpu"].median, codes(&warnings).len()), (Some(0.0), 0));
    for empty in ["{}", r#"{"unit": "1"}"#, r#"{"timeSeries": []}"#] {
        let (nothing, warnings) = observed(&[export("x.json", empty)]);
        assert_eq!(nothing, Observability::default(), "{empty}");
        assert_eq!(codes(&warnings), ["cloud-no-series"], "{empty}");
    }
    let failed =
        r#"{"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "denied on project secret-project"}}"#;
    let (_, warnings) = observed(&[export("x.json", failed)]);
    assert_eq!(warnings.first().map(|w| w.message.as_str()), Some("x.json: the query failed: 403 PERMISSION_DENIED"));
}

#[test]
fn series_of_another_system_and_of_another_day_are_left_out() {
    let mut other = gauge(CPU, |_| 0.2);
    other["resource"]["labels"]["project_id"] = json!("another-one");
    let (mixed, warnings) = observed(&[export("cpu.json", &answer(vec![gauge(CPU, |_| 0.9), other]))]);
    assert!(mixed.quantities.is_empty(), "which of the two is meant nobody knows");
    assert_eq!(codes(&warnings), ["cloud-other-system"]);
    assert!(warnings.iter().all(|warning| !warning.message.contains("another-one")), "{warnings:?}");
    let yesterday = answer(vec![gauge(CPU, |_| 0.9)]).replace("2026-03-10", "2026-03-09");
    let (observed, warnings) = observed(&[export("cpu.json", &yesterday)]);
    assert_eq!(observed, Observability::default());
    assert_eq!(codes(&warnings), ["cloud-other-time"]);
    let shared = FoundExport { shared: true, ..export("../gcp/cpu.json", &yesterday) };
    assert_eq!(self::observed(&[shared]).1, [], "most of a sweep's exports are of other runs");
}

#[test]
fn metrics_nobody_knows_are_listed() {
    let (observed, warnings) = observed(&[export("x.json", &answer(vec![gauge("custom.googleapis.com/x", |_| 1.0)]))]);
    assert_eq!(observed, Observability::default());
    assert_eq!(codes(&warnings), ["cloud-unknown-metric"]);
}

#[test]
fn a_neutral_table_does_for_every_other_system() {
    let mut table = "time,quantity,value,unit\n".to_owned();
    for minute in 0..=10 {
        table += &format!("2026-03-10T09:{minute:02}:21Z,database_cpu,95,percent\n");
        table += &format!("2026-03-10T09:{minute:02}:21Z,server_latency_p99,1.5,s\n");
        table += &format!("2026-03-10T09:{minute:02}:21Z,my_own,1,\n");
    }
    let (observed, warnings) = observed(&[export("metrics.csv", &table)]);
    assert_eq!(observed.quantities["database_cpu"].median, Some(0.95));
    assert_eq!(observed.quantities["server_latency_p99"].median, Some(1500.0));
    assert_eq!(codes(&warnings), ["cloud-unknown-metric"]);
}

#[test]
fn a_share_above_1_without_a_unit_is_left_out() {
    let of = |name: &str, value: &str, unit: &str| {
        let row = |minute| format!("2026-03-10T09:{minute:02}:21Z,{name},{value},{unit}\n");
        let table = format!("time,quantity,value,unit\n{}", (0..=10).map(row).collect::<String>());
        let (observed, warnings) = observed(&[export("metrics.csv", &table)]);
        (observed.quantities.get("database_cpu").and_then(|cpu| cpu.median), codes(&warnings).join(" "))
    };
    assert_eq!(of("database_cpu", "1.5", "percent"), (Some(0.015), String::new()));
    assert_eq!(of("database_cpu", "1.5", "fraction"), (Some(1.5), String::new()), "said so");
    assert_eq!(of("database_cpu", "1.5", ""), (None, "cloud-implausible".to_owned()));
    assert_eq!(of("database_cpu", "0.93", ""), (Some(0.93), String::new()));
    assert_eq!(of("db_cpu", "1.02", ""), (Some(1.02), String::new()), "of Cloud SQL's reserved cores");
}

#[test]
fn a_runs_own_export_of_another_target_is_told() {
    let table = |target: &str| {
        let row = |minute| format!("{target},db_cpu,2026-03-10T09:{minute:02}:21Z,0.93\n");
        format!("target,metric,timestamp,value\n{}", (0..=10).map(row).collect::<String>())
    };
    let (own, warnings) = observed(&[export("raw.csv", &table("sign_in"))]);
    assert_eq!((own.quantities["database_cpu"].median, codes(&warnings).len()), (Some(0.93), 0), "{warnings:?}");
    let (other, warnings) = observed(&[export("raw.csv", &table("search"))]);
    assert!(other.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-other-system"]);
    let vacuums = "target,timestamp,kind,elapsed_s\nsearch,2026-03-10T09:03:00Z,vacuum,1\n";
    let (other, warnings) = observed(&[export("vacuum.csv", vacuums)]);
    assert_eq!(other, Observability::default());
    assert_eq!(warnings[0].message, "vacuum.csv: expected rows of `sign_in`, found those of `search`: left out");
}

/// Pitfall 12: another answer to the same question.
#[test]
fn two_exports_of_one_metric_that_contradict_each_other_are_left_out() {
    let two = |other: f64| {
        [export("a.json", &answer(vec![gauge(CPU, |_| 0.9)])), export("b.json", &answer(vec![gauge(CPU, |_| other)]))]
    };
    assert_eq!(observed(&two(0.905)).0.quantities["database_cpu"].median, Some(0.9));
    let (observed, warnings) = observed(&two(0.5));
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-contradiction"]);
}

/// Answers of clients and of other systems: names in snake case, numbers as numbers, oldest first.
#[test]
fn other_spellings_of_an_answer_are_read() {
    let snake = json!({"time_series": [{"metric": {"type": CPU}, "metric_kind": "GAUGE", "value_type": "DOUBLE",
        "points": [{"interval": {"end_time": "2026-03-10T09:05:21Z"}, "value": {"double_value": 0.5}}]}]});
    let prom = json!({"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"__name__": "cloudsql_googleapis_com:database_cpu_utilization"},
         "values": [[at("09:05:21").unix_seconds(), "0.5"], [at("09:06:21").unix_seconds(), "NaN"]]}]}});
    let console = "TimeSeries ID,a b\nstate,x\nproject_id,p\n\
        Tue Mar 10 2026 10:05:21 GMT+0100 (Central European Standard Time),0.5\n\
        Tue Mar 10 2026 10:06:21 GMT+0100 (Central European Standard Time),\n";
    for (file, text) in
        [("a.json", snake.to_string()), ("b.json", prom.to_string()), ("db_cpu.csv", console.to_owned())]
    {
        let (observed, warnings) = observed(&[export(file, &text)]);
        let cpu = observed.quantities.get("database_cpu").unwrap_or_else(|| panic!("{file}: {warnings:?}"));
        assert_eq!((cpu.n, cpu.median), (1, Some(0.5)), "{file}");
    }
    let failed = r#"{"status": "error", "errorType": "bad_data", "error": "in project p"}"#;
    assert_eq!(codes(&observed(&[export("c.json", failed)]).1), ["cloud-query-failed"]);
}

/// Pitfall 7: an answer with nothing but a unit.
#[test]
fn an_answer_with_nothing_but_a_unit_is_one_without_series() {
    for unit in ["1", "{not_a_unit}"] {
        let (nothing, warnings) = observed(&[export("x.json", &json!({"unit": unit}).to_string())]);
        assert_eq!(nothing, Observability::default());
        assert_eq!(warnings[0].message, "x.json: the answer has no series: nothing was measured");
    }
}

/// Pitfall 9: an aligner that does not fit the metric.
#[test]
fn an_answer_that_is_an_error_says_its_code_and_nothing_of_the_project() {
    let message = "Field aggregation.perSeriesAligner had an invalid value in secret-project";
    for (error, expected) in [
        (json!({"code": 400, "status": "INVALID_ARGUMENT", "message": message}), "400 INVALID_ARGUMENT"),
        (json!({"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "x"}]}), "429 RESOURCE_EXHAUSTED"),
        (json!({"errors": [{"reason": "x", "message": message}], "code": 503}), "503"),
    ] {
        let (nothing, warnings) = observed(&[export("x.json", &json!({"error": error}).to_string())]);
        assert_eq!(nothing, Observability::default());
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].message, format!("x.json: the query failed: {expected}"));
    }
}

/// Pitfall 15: a metric that has no data for PostgreSQL.
#[test]
fn connections_of_postgresql_come_from_its_own_metric() {
    let of = |metric: &str, n: i64| {
        let points = minutes(|_| json!({"int64Value": n.to_string()}));
        answer(vec![series(metric, "GAUGE", "INT64", json!({}), points)])
    };
    let own = of("cloudsql.googleapis.com/database/postgresql/num_backends", 46);
    let (observed, warnings) = self::observed(&[export("connections.json", "{}"), export("backends.json", &own)]);
    assert_eq!(observed.quantities["database_connections"].median, Some(46.0), "no series is no zero");
    assert_eq!(codes(&warnings), ["cloud-no-series"]);
    let other = of("cloudsql.googleapis.com/database/network/connections", 12);
    let (observed, _) = self::observed(&[export("connections.json", &other)]);
    assert_eq!(observed.quantities["database_connections"].median, Some(12.0), "MySQL has it");
}

/// Pitfall 18: text that is not UTF-8.
#[test]
fn text_that_is_not_utf_8_costs_its_character_only() {
    let cpu = series(CPU, "GAUGE", "DOUBLE", json!({"note": "a?b"}), minutes(|_| json!({"doubleValue": 0.5})));
    let bytes: Vec<u8> = answer(vec![cpu]).bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    let (observed, warnings) = observed(&[export_of_bytes(bytes)]);
    assert_eq!(observed.quantities["database_cpu"].median, Some(0.5));
    assert_eq!(warnings, []);
}

#[test]
fn an_answer_that_says_it_may_lack_data_proves_no_absence() {
    let starts = minutes(|_| json!({"distributionValue": {}}));
    let starts = series("run.googleapis.com/container/startup_latencies", "DELTA", "DISTRIBUTION", json!({}), starts);
    let mut partial: Value = serde_json::from_str(&answer(vec![starts])).unwrap();
    partial["executionErrors"] = json!([{"code": 4, "message": "deadline exceeded"}]);
    let (observed, warnings) = observed(&[export("startups.json", &partial.to_string())]);
    assert!(observed.quantities["container_startups"].incomplete);
    assert!(codes(&warnings).contains(&"cloud-incomplete"));
}

#[test]
fn a_time_of_cloudwatch_is_where_its_period_begins() {
    let times: Vec<String> = (0..=9).rev().map(|minute| at(&format!("09:{minute:02}:21")).to_string()).collect();
    let values: Vec<f64> = (0..=9).rev().map(|minute| 90.0 + f64::from(minute)).collect();
    let answer = json!({"MetricDataResults": [
        {"Id": "cpu", "Label": "CPUUtilization", "Timestamps": times, "Values": values, "StatusCode": "Complete"}]});
    let names = MetricNames::new([("CPUUtilization".to_owned(), Measure::of(Quantity::DatabaseCpu))].into());
    let reading = Reading { file: "cloudwatch.json", names: &names };
    let kind = monitoring::recognise_json(&answer).unwrap();
    let export = monitoring::read(kind, &answer.to_string(), &reading);
    let (observed, warnings) = observed(&[FoundExport { file: "cloudwatch.json".into(), shared: false, export }]);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!((cpu.n, cpu.min, cpu.last), (10, Some(0.9), Some(0.99)), "percent, newest first");
    assert_eq!(warnings, []);
}

#[test]
fn a_cpu_of_cloudwatch_is_percent_however_small_and_left_out_where_nothing_says_so() {
    let times: Vec<String> = (0..=9).map(|minute| at(&format!("09:{minute:02}:21")).to_string()).collect();
    let of = |label: &str, value: f64| {
        let answer = json!({"MetricDataResults": [
            {"Id": "m1", "Label": label, "Timestamps": times, "Values": vec![value; 10], "StatusCode": "Complete"}]});
        let names = MetricNames::new([(label.to_owned(), Measure::of(Quantity::DatabaseCpu))].into());
        let reading = Reading { file: "cloudwatch.json", names: &names };
        let export = monitoring::read(monitoring::recognise_json(&answer).unwrap(), &answer.to_string(), &reading);
        observed(&[FoundExport { file: "cloudwatch.json".into(), shared: false, export }])
    };
    for label in
        ["CPUUtilization", "shop-db cpuutilization (average)", "os.cpuUtilization.total", "cpu percent", "CPU %"]
    {
        let (idle, warnings) = of(label, 1.5);
        assert_eq!((idle.quantities["database_cpu"].median, codes(&warnings).len()), (Some(0.015), 0), "{label}");
    }
    assert_eq!(of("cpu fraction", 0.015).0.quantities["database_cpu"].median, Some(0.015));
    for value in [0.9, 1.5, 97.0] {
        let (unknown, warnings) = of("db cpu", value);
        assert!(unknown.quantities.is_empty(), "{value}: 1.5 % would become 150 %");
        assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
        assert!(warnings[0].message.starts_with("cloudwatch.json: `db cpu`"), "{warnings:?}");
    }
}

#[test]
fn an_answer_that_another_one_wraps_is_read() {
    let inner = json!({"status": "success", "data": {"resultType": "matrix", "result": [
        {"metric": {"__name__": "cloudsql_googleapis_com:database_cpu_utilization"},
         "values": [[at("09:05:21").unix_seconds(), "0.5"]]}]}});
    let wrapped = json!({"promqlResult": inner.to_string()}).to_string();
    assert_eq!(observed(&[export("cpu.json", &wrapped)]).0.quantities["database_cpu"].median, Some(0.5));
}

#[test]
fn lines_before_the_first_time_of_a_chart_are_headers_however_many_there_are() {
    let rows = "Tue Mar 10 2026 09:05:21 GMT+0000 (Greenwich, Mean Time),0.5\n2026-03-10T09:06:21Z,undefined\n";
    for headers in
        ["TimeSeries ID,a\n", "TimeSeries ID,a\nproject_id,p\n", "TimeSeries ID,a\nundefined,undefined\nstate,x\n"]
    {
        let quoted = rows.replace("Tue", "\"Tue").replace("Time)", "Time)\"");
        let (observed, warnings) = observed(&[export("db_cpu.csv", &format!("{headers}{quoted}"))]);
        let cpu = observed.quantities.get("database_cpu").unwrap_or_else(|| panic!("{headers}: {warnings:?}"));
        assert_eq!((cpu.n, cpu.median), (1, Some(0.5)), "{headers}");
    }
}

#[test]
fn percentiles_of_several_series_are_not_combined() {
    let one = |service: &str| {
        let mut latency = gauge(LATENCY, |_| 300.0);
        latency["metric"]["labels"] = json!({"response_code_class": service});
        latency
    };
    let (observed, warnings) = observed(&[export("latency_p99.json", &answer(vec![one("2xx"), one("5xx")]))]);
    assert!(observed.quantities.is_empty());
    assert_eq!(codes(&warnings), ["cloud-ambiguous"]);
}

#[test]
fn a_table_is_held_against_the_metric_that_is_meant_not_against_its_relatives() {
    let backends = |metric: &str, n: i64| {
        let metric = format!("cloudsql.googleapis.com/database/postgresql/{metric}");
        let points = minutes(|_| json!({"int64Value": n.to_string()}));
        answer(vec![series(&metric, "GAUGE", "INT64", json!({"database": "a"}), points)])
    };
    let rows = (0..=10).map(|minute| format!("sign_in,db_connections,2026-03-10T09:{minute:02}:21Z,63\n"));
    let table = format!("target,metric,timestamp,value\n{}", rows.collect::<String>());
    let of = |own: i64, by_state: i64| {
        observed(&[
            export("a.csv", &table),
            export("b.json", &backends("num_backends", own)),
            export("c.json", &backends("num_backends_by_state", by_state)),
        ])
    };
    let (agreeing, warnings) = of(63, 46);
    assert_eq!((agreeing.quantities["database_connections"].median, codes(&warnings).len()), (Some(63.0), 0));
    assert_eq!(codes(&of(46, 46).1), ["cloud-contradiction"]);
}

#[test]
fn labels_and_values_of_the_query_language_stand_in_the_order_of_their_descriptors() {
    let value = |key: &str, unit: &str| json!({"key": key, "valueType": "DOUBLE", "metricKind": "GAUGE", "unit": unit});
    let of = |values: Value, data: &[f64]| {
        let points = (0..=10).rev().map(|minute| {
            let end = at(&format!("09:{minute:02}:21")).to_string();
            let values: Vec<Value> = data.iter().map(|value| json!({"doubleValue": value})).collect();
            json!({"values": values, "timeInterval": {"startTime": end, "endTime": end}})
        });
        json!({"timeSeriesDescriptor": {"labelDescriptors": [{"key": "resource.database_id"}, {"key": "metric.ok"}],
                                        "pointDescriptors": values},
               "timeSeriesData": [{"labelValues": [{"stringValue": "p:i"}, {"boolValue": true}],
                                   "pointData": points.collect::<Vec<_>>()}]})
        .to_string()
    };
    let one = export("database_cpu.json", &of(json!([value("value.utilization", "10^2.%")]), &[0.93]));
    assert_eq!(one.export.series[0].resource["database_id"], "p:i");
    let (observed, warnings) = self::observed(&[one]);
    assert_eq!((observed.quantities["database_cpu"].median, codes(&warnings).len()), (Some(0.93), 0));
    let two = of(json!([value("value.n", "1"), value("value.database_cpu", "10^2.%")]), &[7.0, 0.5]);
    let (observed, warnings) = self::observed(&[export("x.json", &two)]);
    assert_eq!(observed.quantities["database_cpu"].median, Some(0.5));
    assert_eq!(codes(&warnings), ["cloud-unknown-metric"], "what `n` is nobody says");
}

#[test]
fn pages_of_cloudwatch_that_are_missing_and_its_times_in_seconds_are_read() {
    let of = |times: Value, values: Value, token: &str| {
        let answer = json!({"NextToken": token, "MetricDataResults": [{"Id": "cpu", "Label": "CPUUtilization",
            "Timestamps": times, "Values": values, "StatusCode": "Complete"}]});
        let names = MetricNames::new([("CPUUtilization".to_owned(), Measure::of(Quantity::DatabaseCpu))].into());
        let reading = Reading { file: "cloudwatch.json", names: &names };
        let export = monitoring::read(monitoring::recognise_json(&answer).unwrap(), &answer.to_string(), &reading);
        let (observed, warnings) = observed(&[FoundExport { file: "cloudwatch.json".into(), shared: false, export }]);
        (observed.quantities["database_cpu"].clone(), warnings.iter().map(|w| w.message.clone()).collect::<Vec<_>>())
    };
    let seconds: Vec<i64> = (0..=9).map(|minute| at("09:00:21").unix_seconds() + 60 * minute).collect();
    let (cpu, warnings) = of(json!(seconds), json!(vec![93.0; 10]), "");
    assert_eq!((cpu.n, cpu.median, cpu.incomplete, warnings.len()), (10, Some(0.93), false, 0));
    let (cpu, warnings) = of(json!(seconds), json!(vec![93.0; 10]), "abc");
    assert!(cpu.incomplete);
    assert!(warnings.contains(&"cloudwatch.json: the answer goes on in another file, which is not there".to_owned()));
    let (cpu, warnings) = of(json!(seconds), json!(vec![93.0; 9]), "");
    assert!(cpu.n == 9 && cpu.incomplete);
    assert!(warnings.contains(&"cloudwatch.json: 1 values of `CPUUtilization` cannot be read: left out".to_owned()));
}

#[test]
fn a_single_value_of_promql_is_told_to_be_none_over_time() {
    for kind in ["scalar", "string"] {
        let answer = json!({"status": "success", "data": {"resultType": kind, "result": [1, "0.93"]}}).to_string();
        let (nothing, warnings) = observed(&[export("database_cpu.json", &answer)]);
        assert_eq!((nothing, codes(&warnings)), (Observability::default(), vec!["cloud-ambiguous"]));
    }
}

#[test]
fn a_neutral_table_counts_container_starts_by_period() {
    let of = |value: fn(i64) -> &'static str| {
        let row = |minute| format!("2026-03-10T09:{minute:02}:21Z,container_startups,{}\n", value(minute));
        let table = format!("time,quantity,value\n{}", (0..=10).map(row).collect::<String>());
        let (observed, warnings) = observed(&[export("metrics.csv", &table)]);
        let starts = observed.quantities.get("container_startups");
        (starts.and_then(|starts| starts.total), codes(&warnings).join(" "))
    };
    assert_eq!(of(|minute| if minute == 4 { "2" } else { "0" }), (Some(2.0), String::new()));
    assert_eq!(of(|_| "0"), (Some(0.0), String::new()));
    assert_eq!(of(|_| "0.02"), (None, "cloud-ambiguous".to_owned()), "a rate");
}

#[test]
fn a_metric_of_ones_own_that_counts_becomes_a_rate() {
    let metric = "loadbalancing.googleapis.com/https/request_count";
    let mut requests = series(metric, "DELTA", "INT64", json!({}), minutes(|_| json!({"int64Value": "600"})));
    requests["unit"] = json!("1");
    let names = MetricNames::new([(metric.to_owned(), Measure::of(Quantity::ServerRequests))].into());
    let (document, reading) = (answer(vec![requests]), Reading { file: "x.json", names: &names });
    let export = monitoring::read(monitoring::ExportKind::TimeSeries, &document, &reading);
    let (observed, warnings) = observed(&[FoundExport { file: "x.json".into(), shared: false, export }]);
    assert_eq!((observed.quantities["server_requests"].median, warnings.len()), (Some(10.0), 0));
}
