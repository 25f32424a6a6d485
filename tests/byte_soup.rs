//! Whatever a file holds, reading it ends in evidence or in a fault, never in a panic.
//!
//! `PROPTEST_CASES` raises the number of cases from the few that run by default.

mod support;

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::Config as Cases;
use support::k6::{Csv, START};
use sweepdoc::config::Config;
use sweepdoc::ingest::source::Meter;
use sweepdoc::pipeline::{RunFiles, Settings, TargetFrom, inspect, reduce};
use sweepdoc::render::{chart_json, evidence_json};

const CONFIG: &str = "product = \"Shop\"\nversion = \"v1\"\n[pages]\npath = \"{version}/{target}/index.mdx\"\n[facts]\n\
                      \"Client location\" = \"US1\"\n[targets.login]\nvus = 2\n[[causes]]\nstatus = 503\nlabel = \"x\"\n\
                      [[goals]]\ntarget = \"login\"\nmetric = \"p95\"\nat_most = 10\n[errors]\ngap_seconds = 5\n[publish]\n\
                      redact = [\"internal-[a-z]+\"]\n";

/// One change of a file.
#[derive(Debug, Clone)]
enum Change {
    Cut(usize),
    Remove(usize, usize),
    Duplicate(usize, usize),
    Swap(usize, usize),
    Set(usize, u8),
    Insert(usize, &'static str),
}

/// Texts that have a meaning somewhere.
const WORDS: [&str; 16] = [
    "\n",
    ",",
    "\"",
    "{",
    "}",
    "=",
    "\u{1b}[3A",
    "1e308",
    "-1",
    "99999999999999999999",
    "NaN",
    "█",
    "+Inf",
    "\r\n",
    "\0",
    "9223372036854775807",
];

fn change() -> impl Strategy<Value = Change> {
    let at = any::<usize>;
    prop_oneof![
        at().prop_map(Change::Cut),
        (at(), 1..200_usize).prop_map(|(at, n)| Change::Remove(at, n)),
        (at(), 1..200_usize).prop_map(|(at, n)| Change::Duplicate(at, n)),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (at(), 0..WORDS.len()).prop_map(|(at, word)| Change::Insert(at, WORDS[word])),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let len = bytes.len();
        if len == 0 {
            break;
        }
        match *change {
            Change::Cut(at) => bytes.truncate(at % len),
            Change::Remove(at, n) => drop(bytes.drain(at % len..(at % len + n).min(len))),
            Change::Duplicate(at, n) => {
                let part = bytes[at % len..(at % len + n).min(len)].to_vec();
                bytes.splice(at % len..at % len, part);
            }
            Change::Swap(a, b) => bytes.swap(a % len, b % len),
            Change::Set(at, byte) => bytes[at % len] = byte,
            Change::Insert(at, word) => drop(bytes.splice(at % len..at % len, word.bytes())),
        }
    }
    bytes
}

fn csv() -> String {
    let mut csv = Csv::healthy(START, 8);
    csv.failure(START + 3, 9.0, &[("status", "503"), ("error_code", "1503"), ("group", "::users, \"new\"")]);
    csv.sample("checks", START + 3, 0.0, &[("check", "is \"ok\", really")]).sample("x_duration", START + 4, 2.5, &[]);
    csv.0
}

const POINT: &str = r#"{"metric":"http_req_failed","type":"Point","data":{"time":"2026-08-27T13:41:20.5+02:00","value":1,"tags":{"group":"::a","scenario":"default","status":"503","error_code":"1503"}}}"#;

fn json_lines() -> String {
    let metric = r#"{"type":"Metric","data":{"name":"http_req_failed","type":"rate","contains":"default","thresholds":[],"submetrics":null},"metric":"http_req_failed"}"#;
    let requests = POINT.replace("http_req_failed", "http_reqs");
    format!("{metric}\n{POINT}\n{requests}\n{POINT}\n")
}

fn log() -> String {
    "start_utc=2026-08-27 13:41:19 UTC target=login\nk6 v2.1.0 (commit/devel, go1.27.3, linux/amd64)\n     execution: local\n\
     \x20    scenarios: (100.00%) 1 scenario, 2 max VUs, 1m30s max duration (incl. graceful stop):\n\
     \x20             * default: 2 looping VUs for 1m0s (gracefulStop: 30s)\n\n\
     time=\"2026-08-27T13:41:21Z\" level=warning msg=\"Request Failed\" error=\"Get \\\"http://h/x\\\": request timeout\"\n\
     time=\"2026-08-27T13:41:22Z\" level=error msg=\"TypeError: x\\n\\tat a (file:///b.js:1:2(3))\\n\" executor=constant-vus scenario=default source=stacktrace\n\
     \x20 █ THRESHOLDS\n\n    http_req_duration\n    ✗ 'p(99.5)<1' p(99.5)=2ms\n\n\n  █ TOTAL RESULTS\n\n\
     \x20   checks_total.......: 4     1/s\n    checks_succeeded...: 75.00% 3 out of 4\n    checks_failed......: 25.00% 1 out of 4\n\n\
     \x20   ✗ is ok\n      ↳  75% — ✓ 3 / ✗ 1\n\n    HTTP\n\
     \x20   http_req_duration..: avg=1.5ms min=731.31µs med=1m0s max=2h0m1s p(90)=0s p(99.9)=1.1s count=4\n\
     \x20     { expected_response:true }..: avg=1ms\n    http_req_failed....: 25.00% 1 out of 4\n    http_reqs..........: 4     1/s\n\n\
     \x20   EXECUTION\n    iterations.........: 8     1/s\n    vus................: 2     min=2      max=2\n\n\
     \x20   NETWORK\n    data_sent..........: 36 kB 2.9 kB/s\n\n\n\
     running (1m00.5s), 0/2 VUs, 8 complete and 1 interrupted iterations\ndefault ✓ [ 100% ] 2 VUs  1m0s\nend_utc=2026-08-27 13:42:20 UTC exit=0\n"
        .to_owned()
}

const HANDLE_SUMMARY: &str = r#"{"root_group":{"name":"","path":"","groups":[{"name":"g","path":"::g","groups":[],"checks":[{"name":"ok","path":"::g::ok","passes":3,"fails":1}]}],"checks":[]},"state":{"testRunDurationMs":60500.25},"setup_data":{"token":"x"},"metrics":{"http_reqs":{"type":"counter","contains":"default","values":{"count":4,"rate":0.5}},"http_req_failed":{"type":"rate","contains":"default","values":{"rate":0.25,"passes":1,"fails":3}},"vus":{"type":"gauge","contains":"default","values":{"value":2,"min":2,"max":2}},"http_req_duration":{"type":"trend","contains":"time","thresholds":{"p(95)<1":{"ok":false}},"values":{"avg":1.5,"p(95)":2.5,"count":4}}}}"#;

const EXPORT: &str = r#"{"root_group":{"name":"","groups":{},"checks":{"ok":{"name":"ok","passes":3,"fails":1}}},"metrics":{"http_reqs":{"count":4,"rate":0.5},"http_req_failed":{"value":0.25,"passes":1,"fails":3},"http_req_duration":{"avg":1.5,"p(95)":2.5,"thresholds":{"p(95)<1":true}}}}"#;

const MACHINE_READABLE: &str = r#"{"version":"1.0.0","metadata":{"k6_version":"2.1.0"},"config":{"duration":60.5,"script":"x"},"results":{"metrics":[{"name":"http_reqs","type":"counter","contains":"default","values":{"count":4}},{"name":"http_req_failed","type":"rate","contains":"default","values":{"matches":1,"total":4,"rate":0.25}}],"checks":{"metrics":[],"results":[{"name":"ok","passes":3,"fails":1}]}}}"#;

const CHART: &str = "[\n\t{\"metric_name\":\"x_duration\",\"timestamp\":\"2026-08-27 13:41:19+00\",\"p50\":1.0,\"p95\":1.5,\"p99\":2.0},\n\
                     \t{\"metric_name\":\"x_duration\",\"timestamp\":\"2026-08-27 15:41:20+02\",\"p50\":1.0,\"p95\":1.5,\"p99\":2.0}\n]\n";

/// An export of monitoring in each format, over the window of [`csv`].
const EXPORTS: [(&str, &str); 9] = [
    (
        "gcp/cpu.json",
        r#"{"timeSeries":[{"metric":{"type":"cloudsql.googleapis.com/database/cpu/utilization"},"resource":{"type":"x","labels":{"project_id":"p"}},"metricKind":"GAUGE","valueType":"DOUBLE","points":[{"interval":{"startTime":"2026-08-27T13:41:22Z","endTime":"2026-08-27T13:41:22Z"},"value":{"doubleValue":0.93}},{"interval":{"endTime":"2026-08-27T13:41:20.123456789Z"},"value":{"doubleValue":"NaN"}}]}],"unit":"10^2.%","nextPageToken":""}"#,
    ),
    (
        "gcp/latency.json",
        r#"{"timeSeries":[{"metric":{"type":"run.googleapis.com/request_latencies","labels":{"response_code_class":"2xx"}},"resource":{"type":"x"},"metricKind":"DELTA","valueType":"DISTRIBUTION","points":[{"interval":{"startTime":"2026-08-27T13:41:20Z","endTime":"2026-08-27T13:41:24Z"},"value":{"distributionValue":{"count":"5","mean":3.5,"bucketOptions":{"exponentialBuckets":{"numFiniteBuckets":66,"growthFactor":1.4,"scale":1}},"bucketCounts":["0","3","2"]}}},{"interval":{"startTime":"2026-08-27T13:41:19Z","endTime":"2026-08-27T13:41:20Z"},"value":{"distributionValue":{}}}]}]}"#,
    ),
    (
        "gcp/queries.json",
        r#"{"timeSeries":[{"metric":{"type":"cloudsql.googleapis.com/database/postgresql/insights/perquery/execution_time","labels":{"query_hash":"1","querystring":"SELECT pg_advisory_lock ( $1 )","user":"u"}},"resource":{"type":"x"},"metricKind":"CUMULATIVE","valueType":"INT64","points":[{"interval":{"startTime":"2026-08-27T10:00:00Z","endTime":"2026-08-27T13:41:25Z"},"value":{"int64Value":"9000000"}},{"interval":{"startTime":"2026-08-27T10:00:00Z","endTime":"2026-08-27T13:41:21Z"},"value":{"int64Value":"4000000"}}]}]}"#,
    ),
    (
        "gcp/prom.json",
        r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"cloudsql_googleapis_com:database_cpu_utilization"},"values":[[1787838083,"0.93"],[1787838085.5,"NaN"]]}]}}"#,
    ),
    (
        "gcp/cloudwatch.json",
        r#"{"MetricDataResults":[{"Id":"cpu","Label":"CPUUtilization","Timestamps":["2026-08-27T13:41:20Z"],"Values":[93.5],"StatusCode":"Complete"}],"Messages":[]}"#,
    ),
    (
        "gcp/db_cpu.csv",
        "TimeSeries ID,a b\nproject_id,p\nThu Aug 27 2026 13:41:20 GMT+0000 (Coordinated Universal Time),0.93\n",
    ),
    ("gcp/metrics.csv", "time,quantity,value,unit\n2026-08-27T13:41:20Z,database_cpu,93,percent\n"),
    (
        "gcp/raw.csv",
        "target,metric,timestamp,value\n\"login\",\"db_cpu\",\"2026-08-27T13:41:20Z\",0.93\n\"login\",\"db_mem\",\"2026-08-27T13:41:20Z\",\"NaN\"\n",
    ),
    (
        "gcp/log.json",
        r#"[{"timestamp":"2026-08-27T13:41:22Z","logName":"projects/p/logs/x","insertId":"a","severity":"ERROR","textPayload":"LOG:  automatic vacuum of table \"d.s.t\": index scans: 1\n\tsystem usage: CPU: user: 1 s, elapsed: 2.50 s"},{"timestamp":"2026-08-27T13:41:21Z","logName":"x","httpRequest":{"status":503,"latency":"0.128440s"}}]"#,
    ),
];

/// Evidence as this version writes it.
fn evidence() -> String {
    evidence_json(&support::sweep::reduced(&[("k6.csv", &csv()), ("k6.log", &log())]).evidence)
}

/// Reads the files, asks for evidence and writes it; what comes out may be a fault.
fn survives(files: &[(&str, &[u8])]) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("login");
    std::fs::create_dir(&run).unwrap();
    for (name, content) in files {
        std::fs::create_dir_all(run.join(name).parent().unwrap()).unwrap();
        std::fs::write(run.join(name), content).unwrap();
    }
    let _ = inspect(std::slice::from_ref(&run), &Meter::default());
    let Ok(files) = RunFiles::collect(&[run]) else { return };
    if let Ok(reduced) = reduce(&files, &TargetFrom::StampOrFolder, &Settings::default(), &Meter::default()) {
        let text = evidence_json(&reduced.evidence);
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(read.get("schema").is_some());
        let _ = chart_json(&reduced.chart, Default::default());
        let _ = sweepdoc::rows::observed_errors(&reduced.evidence);
    }
}

fn cases() -> Cases {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(48);
    Cases { cases, failure_persistence: None, ..Cases::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_changed_csv_gives_evidence_or_a_fault(changes in prop::collection::vec(change(), 1..6)) {
        survives(&[("k6.csv", &changed(csv().into_bytes(), &changes))]);
    }

    #[test]
    fn changed_json_output_gives_evidence_or_a_fault(changes in prop::collection::vec(change(), 1..6)) {
        survives(&[("k6.json", &changed(json_lines().into_bytes(), &changes))]);
    }

    #[test]
    fn a_changed_log_gives_evidence_or_a_fault(changes in prop::collection::vec(change(), 1..6), with_raw in any::<bool>()) {
        let log = changed(log().into_bytes(), &changes);
        let csv = csv();
        match with_raw {
            true => survives(&[("k6.log", &log), ("k6.csv", csv.as_bytes())]),
            false => survives(&[("k6.log", &log)]),
        }
    }

    #[test]
    fn a_changed_summary_gives_evidence_or_a_fault(changes in prop::collection::vec(change(), 1..4), shape in 0..3_usize) {
        let summary = [HANDLE_SUMMARY, EXPORT, MACHINE_READABLE][shape];
        survives(&[("summary.json", &changed(summary.as_bytes().to_vec(), &changes)), ("other.json", EXPORT.as_bytes())]);
    }

    #[test]
    fn changed_chart_data_gives_evidence_or_a_fault(changes in prop::collection::vec(change(), 1..4)) {
        survives(&[("output.json", &changed(CHART.as_bytes().to_vec(), &changes))]);
    }

    #[test]
    fn changed_evidence_is_used_or_a_fault(changes in prop::collection::vec(change(), 1..4), with_raw in any::<bool>()) {
        let evidence = changed(evidence().into_bytes(), &changes);
        let csv = csv();
        match with_raw {
            true => survives(&[("evidence.json", &evidence), ("output.json", CHART.as_bytes()), ("k6.csv", csv.as_bytes())]),
            false => survives(&[("evidence.json", &evidence)]),
        }
    }

    #[test]
    fn a_changed_export_gives_evidence_or_a_fault(
        changes in prop::collection::vec(change(), 1..5),
        shape in 0..EXPORTS.len(),
    ) {
        let (name, text) = EXPORTS[shape];
        survives(&[("k6.csv", csv().as_bytes()), (name, &changed(text.as_bytes().to_vec(), &changes))]);
    }

    #[test]
    fn a_changed_project_file_is_read_or_a_fault(changes in prop::collection::vec(change(), 1..5)) {
        let text = changed(CONFIG.as_bytes().to_vec(), &changes);
        let _ = Config::parse(Path::new("sweepdoc.toml"), &String::from_utf8_lossy(&text));
    }

    #[test]
    fn soup_of_any_bytes_is_a_fault_or_evidence(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        survives(&[("k6.csv", &bytes)]);
        let mut compressed = vec![0x1f, 0x8b];
        compressed.extend(&bytes);
        survives(&[("k6.csv.gz", &compressed)]);
        let mut compressed = vec![0x28, 0xb5, 0x2f, 0xfd];
        compressed.extend(&bytes);
        survives(&[("k6.csv.zst", &compressed)]);
    }
}

/// What is changed below is read as it is: else nothing but its recognition would be tested.
#[test]
fn every_export_says_something_of_the_run_before_it_is_changed() {
    for (name, text) in EXPORTS {
        let evidence = support::sweep::reduced(&[("k6.csv", &csv()), (name, text)]).evidence;
        let warned = evidence.warnings.iter().any(|warning| warning.code.starts_with("cloud-"));
        assert!(evidence.observability.is_some() || warned, "{name}: {:?}", evidence.warnings);
    }
}

/// Each start of every file: what a crash of k6 or a full disk leaves.
#[test]
fn every_cut_of_every_file_gives_evidence_or_a_fault() {
    let evidence = evidence();
    for (name, text) in [
        ("k6.csv", csv()),
        ("k6.json", json_lines()),
        ("k6.log", log()),
        ("summary.json", HANDLE_SUMMARY.to_owned()),
        ("output.json", CHART.to_owned()),
        ("evidence.json", evidence),
    ]
    .into_iter()
    .chain(EXPORTS.map(|(name, text)| (name, text.to_owned())))
    {
        for end in (0..text.len()).step_by(17) {
            survives(&[(name, &text.as_bytes()[..end])]);
        }
    }
}
