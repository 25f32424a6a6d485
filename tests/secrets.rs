//! Nothing published holds a secret or says where the system under test runs: a sweep seeded with both in every place
//! they can occur, and every output searched for them.

mod support;

use std::collections::BTreeMap;

use serde_json::json;
use support::k6::{Csv, START};
use support::sweep::{Ran, Sweep, sweepdoc};

const JWT: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJzZWVkLXVzZXIifQ.c2VlZC1zaWduYXR1cmU";

/// What may appear in no output. Every seed below is made of these.
const TELLING: [&str; 30] = [
    "eyJ",
    "c2VlZC",
    "seedbearer",
    "seedbasic",
    "seedcookie",
    "seedquery",
    "seedpassword",
    "seedkey",
    "seedsetup",
    "seedscript",
    "seedhost",
    "seedcorp",
    "198.51.100",
    "203.0.113",
    "2001:db8",
    "8443",
    "15432",
    "seed-project",
    "seed-instance",
    "seed-db",
    "europe-west6",
    "seeduser",
    "/home/",
    "/opt/",
    "Users\\",
    "AKIASEED",
    "seedmail",
    "internal-seed",
    "4711471147114711",
    "run-a.a.run.app",
];

/// Every kind of secret and of identity, as texts a server, a script or a launcher may write.
fn seeds() -> Vec<String> {
    [
        format!("token {JWT} refused"),
        "Authorization: Bearer seedbearer0123456789ABC".to_owned(),
        "authorization=Basic c2VlZHVzZXI6c2VlZHBhc3M=".to_owned(),
        "Cookie: a=1; session=seedcookie0123".to_owned(),
        "Set-Cookie: sid=seedcookie0123; Path=/".to_owned(),
        "https://seeduser:seedpassword@api.seedhost.example:8443/login?access_token=seedquery123&b=2".to_owned(),
        "GET /login?code=seedquery123&state=seedquery456".to_owned(),
        r#"{"password":"seedpassword1","client_secret":"seedpassword2"}"#.to_owned(),
        "x-api-key: seedkey0123456789".to_owned(),
        "key AKIASEED0123456789AB".to_owned(),
        "dial tcp 198.51.100.7:15432: connect: refused".to_owned(),
        "peer [2001:db8::8a2e:370:7334]:8443 and 2001:db8::1".to_owned(),
        "db.seedcorp.internal:15432 and 203.0.113.9".to_owned(),
        "projects/seed-project-4711/instances/seed-instance".to_owned(),
        "seed-project:europe-west6:seed-db".to_owned(),
        "project_id=seed-project-4711 instance_id: seed-instance".to_owned(),
        "service-run-a.a.run.app".to_owned(),
        "open /home/seeduser/load/users.json: no such file".to_owned(),
        "at login (file:///opt/seedcorp/tests/login.js:9:69(33))".to_owned(),
        r"C:\Users\seeduser\load\users.json".to_owned(),
        "mail to seedmail@seedcorp.example".to_owned(),
        "pool internal-seed-7 of tenant 4711471147114711".to_owned(),
    ]
    .to_vec()
}

/// All seeds as one text, for places that hold only one.
fn all() -> String {
    seeds().join(" | ")
}

fn raw() -> String {
    let mut csv = Csv::healthy(START, 120);
    for (n, seed) in seeds().iter().enumerate() {
        let second = START + 2 * n as i64;
        let group = format!("::{seed}");
        let tags = [
            ("group", group.as_str()),
            ("name", seed.as_str()),
            ("url", seed.as_str()),
            ("scenario", seed.as_str()),
            ("note", seed.as_str()),
            ("status", "0"),
            ("error_code", "1000"),
            ("error", seed.as_str()),
        ];
        csv.failure(second, 10.0, &tags).failure(second, 10.0, &tags);
        csv.request(second, 10.0, &[("name", seed), ("url", seed)]);
        // one check for several requests, on a response that went well: both warnings name it
        for name in [seed.as_str(), "/other", "/third"] {
            csv.sample("checks", second, 0.0, &[("check", seed), ("name", name), ("status", "200"), ("group", &group)]);
        }
        csv.sample("checks", second + 60, 1.0, &[("check", "healthy"), ("group", &group)]);
        csv.sample("step_duration", second, 12.5, &[("note", seed)]);
    }
    // a name k6 would not take, but a file may hold
    csv.sample("trend of internal-seed-7", START, 12.5, &[]);
    csv.0
}

fn log() -> String {
    let all = all();
    let mut text = String::from("start_utc=2026-08-27 13:41:18 UTC target=login vus=2 host=api.seedhost.example ");
    text.push_str("project=seed-project-4711 k6_version=https://seedhost.example/k6\n");
    text.push_str(&format!("launching with {all}\n"));
    text.push_str("     execution: local\n        script: /home/seeduser/load/login.js\n        output: csv (/opt/seedcorp/k6.csv)\n\n");
    text.push_str("     scenarios: (100.00%) 1 scenario, 2 max VUs, 2m30s max duration (incl. graceful stop):\n");
    text.push_str("              * default: 2 looping VUs for 2m0s (exec: internal-seed-7, gracefulStop: 30s)\n\n");
    for (n, seed) in seeds().iter().enumerate() {
        let quoted = seed.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!(
            "time=\"2026-08-27T13:42:{:02}Z\" level=warning msg=\"Request Failed\" error=\"{quoted}\"\n",
            n % 60
        ));
        text.push_str(&format!(
            "time=\"2026-08-27T13:42:{:02}Z\" level=error msg=\"Error: {quoted}\\n\\tat default (file:///home/seeduser/load/login.js:9:69(33))\\n\" executor=constant-vus scenario=default source=stacktrace\n",
            n % 60
        ));
    }
    text.push_str("  █ THRESHOLDS\n\n    http_req_duration\n");
    for seed in seeds() {
        text.push_str(&format!("      {{url:{seed}}}\n      ✓ 'p(95)<200' p(95)=10ms\n"));
    }
    text.push_str("\n\n  █ TOTAL RESULTS\n\n    checks_total.......: 88     0.7/s\n    checks_succeeded...: 25.00% 22 out of 88\n");
    text.push_str("    checks_failed......: 75.00% 66 out of 88\n\n");
    for seed in seeds() {
        text.push_str(&format!("    ✗ {seed}\n      ↳  0% — ✓ 0 / ✗ 3\n"));
    }
    text.push_str(
        "\n    CUSTOM\n    step_duration....: avg=12.5ms min=12.5ms med=12.5ms max=12.5ms p(90)=12.5ms p(95)=12.5ms\n",
    );
    text.push_str("\n    HTTP\n    http_req_duration....: avg=12ms min=10ms med=12ms max=16ms p(90)=16ms p(95)=16ms\n");
    for seed in seeds() {
        text.push_str(&format!(
            "      {{ url:{seed} }}...: avg=10ms min=10ms med=10ms max=10ms p(90)=10ms p(95)=10ms\n"
        ));
    }
    text.push_str("    http_reqs............: 186     1.5/s\n\n");
    for seed in seeds() {
        text.push_str(&format!("  █ SCENARIO: {seed}\n    http_reqs............: 1     0.1/s\n\n"));
    }
    text.push_str(
        "\nrunning (2m00.5s), 0/2 VUs, 120 complete and 0 interrupted iterations\ndefault ✓ [ 100% ] 2 VUs  2m0s\n",
    );
    text.push_str(&format!("exit=99 end_utc=2026-08-27 13:43:25 UTC note={all}\n"));
    text
}

fn handle_summary() -> String {
    let all = all();
    let mut metrics = serde_json::Map::new();
    for seed in seeds() {
        let values = json!({"avg": 10.0, "min": 10.0, "med": 10.0, "max": 10.0, "p(95)": 10.0, "count": 2});
        metrics.insert(
            format!("http_req_duration{{url:{seed}}}"),
            json!({"type": "trend", "contains": "time", "values": values, "thresholds": {format!("p(95)<200 {seed}"): {"ok": true}}}),
        );
    }
    let checks: Vec<_> = seeds()
        .iter()
        .map(|seed| json!({"name": seed, "path": format!("::{seed}"), "passes": 0, "fails": 3}))
        .collect();
    let groups = vec![json!({"name": all, "path": format!("::{all}"), "groups": [], "checks": checks})];
    json!({
        "setup_data": {"token": JWT, "value": "seedsetup", "nested": [all]},
        "state": {"testRunDurationMs": 120_500.0},
        "options": {"summaryTrendStats": ["avg"]},
        "root_group": {"name": "", "path": "", "groups": groups, "checks": []},
        "metrics": metrics,
    })
    .to_string()
}

fn machine_readable() -> String {
    let script =
        format!("export default function() {{ http.get('https://api.seedhost.example:8443/seedscript', '{JWT}') }}");
    let results: Vec<_> = seeds().iter().map(|seed| json!({"name": seed, "passes": 0, "fails": 3})).collect();
    json!({
        "version": "1.0.0",
        "metadata": {"generated_at": "2026-08-27T13:43:25Z", "k6_version": "2.1.0"},
        "config": {"duration": 120.5, "execution": "local", "script": script},
        "results": {
            "metrics": [{"name": "http_reqs", "type": "counter", "contains": "default", "values": {"count": 186}}],
            "checks": {"metrics": [], "results": results},
        },
    })
    .to_string()
}

const CONFIG: &str = "[publish]\nredact = [\"internal-[a-z0-9-]+\"]\n[pages]\nmirror = \"../mirror/{target}.json\"\n";

#[track_caller]
fn assert_clean(what: &str, text: &str) {
    for word in TELLING {
        if let Some(at) = text.find(word) {
            let context: String = text[..at].chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().collect();
            let after: String = text[at..].chars().take(80).collect();
            panic!("{what} holds `{word}`: …{context}{after}…");
        }
    }
}

#[track_caller]
fn assert_published_clean(sweep: &Sweep, ran: &Ran) {
    let mut files: BTreeMap<_, _> = sweep.published();
    let mirror = support::sweep::contents(&sweep.out().parent().unwrap().join("mirror"));
    assert!(!mirror.is_empty() && files.len() >= 3, "page, chart data, evidence and a mirror");
    files.extend(mirror);
    for (path, bytes) in files {
        assert_clean(&path.display().to_string(), &String::from_utf8(bytes).unwrap());
    }
    assert_clean("stdout", &ran.stdout);
    assert_clean("stderr", &ran.stderr);
}

#[test]
fn raw_output_with_a_log_publishes_nothing_secret_or_telling() {
    let sweep = Sweep::new(CONFIG);
    sweep.write("login/k6-api.seedhost.example.csv", raw());
    sweep.write("login/k6.log", log());
    let ran = sweep.publish(&["--verbose"]).done();
    assert_published_clean(&sweep, &ran);
    let evidence = sweep.evidence("login");
    assert_eq!(evidence.requests.unwrap().run.failed, Some(2 * seeds().len() as u64), "everything was read");
    assert!(evidence.checks.unwrap().failed >= 3 * seeds().len() as u64);
}

#[test]
fn the_table_of_a_sweep_holds_nothing_secret_or_telling() {
    let sweep = Sweep::new(CONFIG);
    sweep.write("login/k6.csv", raw());
    sweep.write("login/k6.log", log());
    for format in ["markdown", "json", "csv"] {
        let ran = sweepdoc(["summary".into(), sweep.root(), "--format".into(), format.into()]).done();
        assert!(ran.stdout.contains("login"), "{}", ran.stdout);
        assert_clean(format, &ran.stdout);
        assert_clean("stderr", &ran.stderr);
    }
}

#[test]
fn a_log_alone_publishes_nothing_secret_or_telling() {
    let sweep = Sweep::new(CONFIG);
    sweep.write("login/k6.log", log());
    let ran = sweep.publish(&["--verbose"]).done();
    assert_published_clean(&sweep, &ran);
    let evidence = sweep.evidence("login");
    assert_eq!(evidence.k6.version, None, "a stamp that is no version");
    assert_eq!(evidence.iterations.exceptions.unwrap().count, seeds().len() as u64);
    assert!(evidence.submetrics.len() > 1);
}

#[test]
fn summaries_publish_nothing_secret_or_telling() {
    for summary in [handle_summary(), machine_readable()] {
        let sweep = Sweep::new(CONFIG);
        sweep.write("login/summary.json", &summary);
        let ran = sweep.publish(&["--verbose", "--format", "json"]).done();
        assert_published_clean(&sweep, &ran);
        assert!(sweep.evidence("login").warnings.iter().any(|w| w.code == "secret-in-summary"));
    }
}

#[test]
fn earlier_evidence_and_chart_data_are_cleaned_before_they_are_published_again() {
    // reduced by somebody without a project file, who then deleted the raw output
    let sweep = Sweep::new(CONFIG);
    let mut chart = String::from("[\n");
    chart.push_str(r#"{"metric_name":"trend of internal-seed-7","timestamp":"2026-08-27 13:41:19+00","p50":1.0,"p95":2.0,"p99":3.0}]"#);
    sweep.write("login/output.json", chart);
    let mut evidence = sweepdoc::model::Evidence {
        schema: sweepdoc::model::EVIDENCE_SCHEMA.to_owned(),
        target: "login".to_owned(),
        ..Default::default()
    };
    evidence.k6.summary_text = Some(all());
    evidence.trends.insert(all(), Default::default());
    evidence.warnings.push(sweepdoc::model::Warning::new("x", all()));
    sweep.write("login/evidence.json", serde_json::to_string(&evidence).unwrap());
    let ran = sweep.publish(&[]).done();
    assert_published_clean(&sweep, &ran);
}

#[test]
fn the_context_of_a_template_holds_nothing_secret_or_telling() {
    let sweep = Sweep::new(CONFIG);
    sweep.write("login/k6.csv", raw());
    sweep.write("login/k6.log", log());
    let root = sweep.root();
    let ran = sweepdoc(["context".into(), root, "--target".into(), "login".into()]).done();
    assert_clean("context", &ran.stdout);
    assert!(ran.stdout.contains("\"observed_errors\""));
}
