//! Raw output: columns, quoting, phases, kinds of metrics.

use crate::support::k6::{COLUMNS, Csv, START};
use crate::support::sweep::{reduce_paths, reduced, warnings};
use crate::support::{json, shared};
use sweepdoc::ingest::k6_csv;
use sweepdoc::ingest::source::{Meter, Source};
use sweepdoc::model::{Declaration, MetricId, Phase, Place, Sample, Sink, WindowBasis};

/// B03. Source: convert.sql of `zitadel/zitadel`; `grafana/k6` issue 891.
#[test]
fn traffic_in_groups_of_the_script_stays_in_the_test_phase() {
    let mut csv = Csv::new();
    csv.request(START, 5.0, &[("group", "::setup::login"), ("scenario", "")]);
    for second in START + 1..START + 11 {
        csv.request(second, 20.0, &[("group", "::users, \"new\"")]);
        csv.sample("user_create_duration", second, 20.0, &[("group", "::users, \"new\"")]);
        csv.iteration(second, 21.0);
    }
    csv.request(START + 11, 5.0, &[("group", "::teardown"), ("scenario", "")]);
    let run = reduced(&[("k6.csv", &csv.0)]);
    let requests = run.evidence.requests.unwrap();
    assert_eq!((requests.run.total, requests.test.unwrap().total), (12, 10));
    assert_eq!(run.chart.iter().filter(|row| row.metric == "user_create_duration").count(), 10);
}

/// B03 and B04 with k6's own files: 536 samples in a group, and metrics of every kind. Source: convert.sql of `zitadel/zitadel`.
#[test]
fn only_time_trends_are_charted_whatever_the_script_measures() {
    let Some(files) = shared("k6-files") else { return };
    let file = |name: &str| files.join(format!("multi-scenario-k6-1.1.0.{name}"));
    for inputs in [vec![file("csv.gz")], vec![file("ndjson.gz")], vec![file("csv.gz"), file("log")]] {
        let run = reduce_paths(&inputs).unwrap();
        let trend = &run.evidence.trends["user_create_duration"];
        assert_eq!(trend.test.as_ref().unwrap().n, Some(536), "{inputs:?}");
        let charted: std::collections::BTreeSet<&str> = run.chart.iter().map(|row| row.metric.as_str()).collect();
        assert_eq!(charted.into_iter().collect::<Vec<_>>(), ["user_create_duration"], "{inputs:?}");
        let from_csv_alone = inputs.len() == 1 && inputs[0] == file("csv.gz");
        assert_eq!(!warnings(&run.evidence, "inferred-kinds").is_empty(), from_csv_alone, "{inputs:?}");
        if !from_csv_alone {
            assert_eq!(run.evidence.counters["biz_events"].sum, 536.0);
            let rate = run.evidence.rates["biz_ok"];
            assert_eq!((rate.nonzero, rate.total), (510, 536));
            assert!((run.evidence.gauges["queue_depth"].max - 9.976717).abs() < 1e-6);
            assert_eq!(run.evidence.trends["payload_items"].time, Some(false));
        }
    }
}

/// B04. Source: convert.sql of `zitadel/zitadel`: built-in names are excluded by a list, everything else is "latency".
#[test]
fn counters_rates_and_gauges_are_no_latencies() {
    let mut csv = Csv::new();
    for second in START..START + 10 {
        csv.request(second, 20.5, &[]).iteration(second, 21.0);
        csv.sample("biz_events", second, 1.0, &[]);
        csv.sample("biz_ok", second, (second % 2) as f64, &[]);
        csv.sample("queue_depth", second, 3.5 + (second % 3) as f64, &[]);
        csv.sample("payload_items", second, 7.0, &[]);
        csv.sample("ws_msgs_sent", second, 4.0, &[]);
        csv.sample("dropped_iterations", second, 1.0, &[]);
    }
    let run = reduced(&[("k6.csv", &csv.0)]);
    assert!(run.chart.iter().all(|row| row.metric == "http_req_duration"), "no custom metric is known to be a time");
    let evidence = &run.evidence;
    assert!(evidence.counters["biz_events"].inferred && evidence.rates["biz_ok"].inferred);
    assert_eq!((evidence.trends["queue_depth"].time, evidence.trends["queue_depth"].inferred), (None, true));
    let [said] = warnings(evidence, "inferred-kinds")[..] else { panic!("{:?}", evidence.warnings) };
    assert!(said.contains("queue_depth") && said.contains("payload_items"), "{said}");
}

/// B05. Source: `grafana/k6` issue 2827, pull request 2829.
#[test]
fn missing_columns_are_said_and_never_guessed() {
    let header = "metric_name,timestamp,metric_value,error_code,ip,method,status,extra_tags,metadata";
    let rows = "http_reqs,1796051813,1.000000,1503,127.0.0.1,GET,503,,iter=0\n\
                http_req_failed,1796051813,1.000000,1503,127.0.0.1,GET,503,,iter=0\n";
    let evidence = reduced(&[("k6.csv", &format!("{header}\n{rows}"))]).evidence;
    assert_eq!(evidence.window.unwrap().basis, WindowBasis::Run);
    let requests = evidence.requests.as_ref().unwrap();
    assert_eq!((requests.run.total, requests.run.failed, requests.test), (1, Some(1), None));
    let population = &evidence.populations.as_ref().unwrap()[0];
    assert_eq!((population.phase, population.status, population.error_code), (Phase::Unknown, Some(503), Some(1503)));
    assert_eq!(warnings(&evidence, "no-phases").len(), 1);
}

/// B05, the columns of older versions: `vu` and `iter` among them, no `metadata`. Source: `grafana/k6` issue 2827.
#[test]
fn columns_of_every_version_are_found_by_name() {
    for header in [
        "metric_name,timestamp,metric_value,check,error,error_code,group,iter,method,name,proto,scenario,status,subproto,tls_version,url,vu,extra_tags",
        COLUMNS,
        "metric_name,timestamp,metric_value,scenario,status,service,extra_tags,metadata",
    ] {
        let columns: Vec<&str> = header.split(',').collect();
        let value = |column: &&str| match *column {
            "metric_name" => "http_reqs",
            "timestamp" => "1796051813",
            "metric_value" => "1.000000",
            "scenario" => "default",
            "status" => "200",
            _ => "",
        };
        let row = columns.iter().map(value).collect::<Vec<_>>().join(",");
        let evidence = reduced(&[("k6.csv", &format!("{header}\n{row}\n"))]).evidence;
        assert_eq!(evidence.requests.unwrap().test.unwrap().total, 1, "{header}");
        assert_eq!(evidence.window.unwrap().basis, WindowBasis::Test);
    }
}

/// Remembers the tags of every sample.
#[derive(Default)]
struct Seen(Vec<(f64, String, String, String)>);

impl Sink for Seen {
    fn metric(&mut self, _: &str) -> MetricId {
        MetricId(0)
    }
    fn sample(&mut self, sample: &Sample<'_>) {
        let tag = |key: &str| sample.tags.get(key).unwrap_or_default().to_owned();
        self.0.push((sample.value, tag("status"), tag("group"), tag("flow")));
    }
    fn declare(&mut self, _: Declaration) {}
    fn skipped(&mut self, reason: &'static str, _: Place) {
        panic!("{reason}");
    }
    fn truncated(&mut self, what: &'static str) {
        panic!("{what}");
    }
}

/// B06. Source: a run of k6 1.1.0; several public readers split at commas.
#[test]
fn commas_and_quotes_in_names_shift_no_column() {
    let row = r#"http_req_duration,1796051407,13.790734,,,,true,"::users, ""new""",GET,"http://h/f?a=1,2",HTTP/1.1,a,,200,,,"http://h/f?a=1,2","flow=a,b","#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k6.csv");
    std::fs::write(&path, format!("{COLUMNS}\n{row}\n")).unwrap();
    let mut seen = Seen::default();
    k6_csv::read(Source::new(&path).unwrap().open(&Meter::default()).unwrap(), &mut seen).unwrap();
    let expected = (13.790734, "200".to_owned(), "::users, \"new\"".to_owned(), "a,b".to_owned());
    assert_eq!(seen.0, [expected]);
}

/// B06, a name with `|` in the row about failures. Source: a run of k6 1.1.0.
#[test]
fn a_pipe_in_a_request_name_is_shown_and_breaks_no_table() {
    let mut csv = Csv::healthy(START, 60);
    let tags = [("name", "slow|path"), ("status", "0"), ("error_code", "1050"), ("error", "request timeout")];
    csv.failure(START + 30, 1000.0, &tags).failure(START + 30, 1000.0, &tags);
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    assert_eq!(evidence.populations.as_ref().unwrap()[0].requests[0].name, "GET slow|path");
    assert!(sweepdoc::rows::observed_errors(&evidence).contains(r"all on GET slow\|path"));
}

/// B11. Source: `grafana/k6` issues 3799, 3377, 1836.
#[test]
fn setup_is_no_iteration_even_where_old_k6_records_it_as_one() {
    let mut csv = Csv::new();
    csv.sample("iteration_duration", START, 12.5, &[("group", "::setup"), ("scenario", "")]);
    for n in 0..48 {
        csv.iteration(START + 1 + n, 1000.0 + n as f64);
    }
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    let trend = &evidence.trends["iteration_duration"];
    let test = trend.test.as_ref().unwrap();
    assert_eq!((test.n, test.min), (Some(48), Some(1000.0)));
    assert_eq!((trend.run.n, trend.run.min), (Some(49), Some(12.5)), "as k6 prints them");
    assert_eq!(evidence.iterations.complete, Some(48));
}

/// B35. Source: every published page: `login_ui_token_duration` is a single call of `setup()`.
#[test]
fn a_trend_of_one_setup_call_is_marked_and_not_charted() {
    let mut csv = Csv::healthy(START, 20);
    csv.sample("login_ui_token_duration", START, 85.43, &[("group", "::setup"), ("scenario", "")]);
    for second in START..START + 20 {
        csv.sample("session_duration", second, 30.0, &[]);
    }
    let run = reduced(&[("k6.csv", &csv.0)]);
    let trend = &run.evidence.trends["login_ui_token_duration"];
    assert_eq!((trend.run.n, &trend.test), (Some(1), &None));
    assert!(run.chart.iter().all(|row| row.metric == "session_duration"));
    let [said] = warnings(&run.evidence, "one-sample-trends")[..] else { panic!("{:?}", run.evidence.warnings) };
    assert!(said.contains("login_ui_token_duration") && !said.contains("session_duration"), "{said}");
}

/// The example of B13 is the same run in two formats. Source: `benc-uk/k6-reporter` issues 15, 55.
#[test]
fn both_formats_of_one_run_give_the_same_failures() {
    let Some(files) = shared("k6-files") else { return };
    let expected = json(&files.join("expected.json"));
    let failed = &expected["multi-scenario-k6-1.1.0.csv.gz"]["failed_requests_by_status_errorcode_phase"];
    assert_eq!(failed["0|1212|test"], 220);
    let populations = |name: &str| reduce_paths(&[files.join(name)]).unwrap().evidence.populations.unwrap();
    let csv = populations("multi-scenario-k6-1.1.0.csv.gz");
    let counts: Vec<(u64, Option<u16>, Option<u16>)> = csv.iter().map(|p| (p.count, p.status, p.error_code)).collect();
    assert_eq!(counts, [(220, None, Some(1212)), (26, Some(503), Some(1503)), (13, None, Some(1050))]);
    let seconds = |p: &sweepdoc::model::Population| (p.first.unwrap().unix_seconds(), p.last.unwrap().unix_seconds());
    let json = populations("multi-scenario-k6-1.1.0.ndjson.gz");
    for (csv, json) in csv.iter().zip(&json) {
        assert_eq!(
            (csv.count, &csv.error, &csv.requests, seconds(csv)),
            (json.count, &json.error, &json.requests, seconds(json))
        );
        assert!(!csv.requests.is_empty());
    }
    assert_eq!(csv.len(), json.len());
}
