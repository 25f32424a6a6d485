//! Monitoring exports against independently derived figures: every right value, and none of the usual wrong ones.

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{json as read_json, shared};
use sweepdoc::derive::{FoundExport, observability, rank};
use sweepdoc::ingest::detect::{FileKind, document, recognise};
use sweepdoc::ingest::monitoring::{self, MetricNames, Reading};
use sweepdoc::ingest::source::Source;
use sweepdoc::model::{
    EvidenceWindow, Measure, Observability, PointValue, Quantity, QuantityFigures, Side, Time, VacuumKind, Warning,
    WindowBasis,
};

mod support;

const TARGETS: [&str; 2] = ["session_create", "token_introspect"];

/// The labels of the samples with what they measure; those of deltas are sums over the minute, not rates.
const LABELS: [(&str, &str); 20] = [
    ("zit_cpu_p50", "container_cpu_p50"),
    ("zit_cpu_p99", "container_cpu_p99"),
    ("zit_mem_p50", "container_memory_p50"),
    ("zit_mem_p99", "container_memory_p99"),
    ("zit_instances", "container_instances"),
    ("zit_req_per_s", "server_requests"),
    ("zit_lat_p50_ms", "server_latency_p50"),
    ("zit_lat_p95_ms", "server_latency_p95"),
    ("zit_lat_p99_ms", "server_latency_p99"),
    ("zit_concurrency_p99", "container_concurrency_p99"),
    ("zit_billable_rate", "container_billable_seconds"),
    ("zit_net_sent_bps", "network_sent"),
    ("zit_net_received_bps", "network_received"),
    ("db_cpu", "database_cpu"),
    ("db_mem", "database_memory"),
    ("db_connections", "database_connections"),
    ("db_tx_per_s", "database_transactions"),
    ("db_read_iops", "database_read_operations"),
    ("db_write_iops", "database_write_operations"),
    ("db_xid_utilization", "database_transaction_ids"),
];

fn samples() -> Option<PathBuf> {
    shared("samples/gcp")
}

fn truth(samples: &Path) -> Value {
    read_json(&samples.join("truth.json"))
}

fn window(truth: &Value, target: &str) -> EvidenceWindow {
    let at = |edge: &str| Time::parse_rfc3339(truth["windows"][target][edge].as_str().unwrap()).unwrap();
    EvidenceWindow { start: at("start"), end: at("end"), basis: WindowBasis::Test }
}

fn export(path: &Path) -> FoundExport {
    reread(path, path.file_name().unwrap().to_str().unwrap())
}

/// An export under another name.
fn reread(path: &Path, file: &str) -> FoundExport {
    let source = Source::new(path).unwrap();
    let FileKind::Monitoring(kind) = recognise(&source).unwrap() else { panic!("{} is no export", path.display()) };
    let reading = Reading { file, names: &MetricNames::default() };
    let export = monitoring::read(kind, &document(&source).unwrap(), &reading);
    FoundExport { file: file.to_owned(), shared: false, export }
}

fn folder(path: &Path) -> Vec<FoundExport> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| export(file)).collect()
}

fn observed(exports: &[FoundExport], target: &str, window: EvidenceWindow) -> (Observability, Vec<Warning>) {
    let (observability, warnings) = observability(exports, target, window, &[]);
    (observability.unwrap_or_default(), warnings)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6_f64.max(b.abs() * 1e-8)
}

/// The figures over the window are those of the truth, and not those over all points of the file.
fn agree(figures: &QuantityFigures, truth: &Value, what: &str) {
    let inside = &truth["inside"];
    assert_eq!(figures.n, inside["n"].as_u64().unwrap(), "{what}: n");
    for (name, found) in
        [("median", figures.median), ("mean", figures.mean), ("min", figures.min), ("max", figures.max)]
    {
        let wanted = inside[name].as_f64().unwrap();
        assert!(close(found.unwrap(), wanted), "{what}: {name} is {found:?}, expected {wanted}");
    }
    if let Some(missing) = truth["missing_bucket_ends"].as_array() {
        assert_eq!(figures.missing, missing.len() as u64, "{what}: missing");
    }
    if let Some(non_finite) = truth["non_finite"].as_u64() {
        assert_eq!(figures.non_finite, non_finite, "{what}: not finite");
    }
    let (all, mean) = (truth["all_points"]["mean"].as_f64(), figures.mean.unwrap());
    if all.is_some_and(|all| !close(all, inside["mean"].as_f64().unwrap())) {
        assert!(!close(mean, all.unwrap()), "{what}: the bucket before the test is counted");
    }
    assert_eq!(figures.left_out, u64::from(truth["points_in_file"].as_u64().unwrap_or(31) > figures.n), "{what}");
}

#[test]
fn aligned_series_have_the_figures_of_their_window() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    for target in TARGETS {
        let exports = folder(&samples.join(target));
        let mut compared = 0;
        let (observed, warnings) = observed(&exports, target, window(&truth, target));
        for (label, measure) in LABELS {
            let figures =
                observed.quantities.get(measure).unwrap_or_else(|| panic!("{target}: no {measure}: {warnings:?}"));
            let wanted = &truth["series"][target][label];
            let what = format!("{target} {label}");
            // the by-type counts give the same quantity in other digits; one answer decides
            let exact = export(&samples.join(target).join(format!("{label}.json")));
            let (alone, _) = self::observed(&[exact], target, window(&truth, target));
            agree(alone.quantities.get(measure).unwrap_or(figures), wanted, &what);
            compared += 1;
            let median = wanted["inside"]["median"].as_f64().unwrap();
            assert!((figures.median.unwrap() - median).abs() <= median.abs() * 0.02 + 1e-9, "{what}");
        }
        let deadlocks = &observed.quantities["database_deadlocks"];
        agree(deadlocks, &truth["series"][target]["db_deadlocks"], "deadlocks");
        // beside those: starts, requests by class, instances by state, and answers without a series
        let not_of_a_quantity =
            ["zit_startups", "startup_latencies_delta", "request_count_by_class", "instance_count_by_state"];
        let all = truth["series"][target].as_object().unwrap();
        let left_out = all.keys().filter(|key| not_of_a_quantity.contains(&key.as_str())).count();
        assert_eq!(compared + 1, all.len() - left_out, "{target}: every series of the truth is compared");
        for (class, wanted) in truth["series"][target]["request_count_by_class"].as_object().unwrap() {
            assert_eq!(
                observed.requests_by_class.get(class).copied(),
                wanted["sum_inside"].as_u64(),
                "{target} {class}"
            );
        }
        let total = &truth["series"][target]["instance_count_by_state"]["total_inside"];
        let by_state = export(&samples.join(target).join("instance_count_by_state.json"));
        let (by_state, _) = self::observed(&[by_state], target, window(&truth, target));
        let instances = &by_state.quantities["container_instances"];
        assert_eq!(instances.n, total["n"].as_u64().unwrap());
        assert_eq!((instances.min, instances.max), (total["min"].as_f64(), total["max"].as_f64()), "constant");
        let starts = truth["series"][target]["startup_latencies_delta"]["container_starts_inside"].as_f64();
        assert_eq!(observed.quantities["container_startups"].total, starts, "{target}");
    }
}

#[test]
fn percentiles_of_distributions_are_interpolated_within_the_window() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let raw = export(&samples.join("raw/request_latencies_raw.json"));
    let (observed, _) = observed(&[raw], "session_create", window(&truth, "session_create"));
    let wanted = &truth["raw_request_latencies"];
    for percentile in ["p50", "p95", "p99"] {
        let figures = &observed.quantities[&format!("server_latency_{percentile}")];
        let overall = figures.overall.unwrap();
        let right = wanted["percentiles_inside"][percentile]["value"].as_f64().unwrap();
        let wrong = wanted["percentiles_all_points"][percentile]["value"].as_f64().unwrap();
        assert!(close(overall.value, right), "{percentile}: {} is not {right}", overall.value);
        assert!(!close(overall.value, wrong), "{percentile} counts the points across the edges");
        assert_eq!(overall.side, None);
        assert_eq!(figures.total, wanted["count_inside"].as_f64());
    }
}

#[test]
fn every_kind_of_bucket_gives_the_percentiles_of_the_truth() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    // metrics of one's own are named in the project file; each kind is read alone, as they share a resource
    for kind in ["linear", "explicit", "explicit_one_bound", "single_sample"] {
        let path = samples.join("raw/distribution_kinds.json");
        let own = std::collections::BTreeMap::from([(
            format!("custom.googleapis.com/bench/{kind}"),
            Measure::of(Quantity::ServerLatency),
        )]);
        let names = MetricNames::new(own);
        let source = Source::new(&path).unwrap();
        let FileKind::Monitoring(format) = recognise(&source).unwrap() else { panic!() };
        let reading = Reading { file: "kinds.json", names: &names };
        let export = monitoring::read(format, &document(&source).unwrap(), &reading);
        let found = FoundExport { file: "kinds.json".into(), shared: false, export };
        let (observed, _) = observed(&[found], "session_create", window(&truth, "session_create"));
        for percentile in ["p50", "p95", "p99"] {
            let wanted = &truth["distribution_kinds"][kind][percentile];
            let overall = observed.quantities[&format!("server_latency_{percentile}")].overall.unwrap();
            assert!(close(overall.value, wanted["value"].as_f64().unwrap()), "{kind} {percentile}: {overall:?}");
            let side = overall.side.map(|side| if side == Side::Below { "below" } else { "above" });
            assert_eq!(side, wanted["flag"].as_str(), "{kind} {percentile}");
        }
    }
}

#[test]
fn running_totals_are_differences_with_resets() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let found = export(&samples.join("raw/perquery_execution_time_cumulative.json"));
    let ranking = rank(&[found], "session_create", window(&truth, "session_create")).unwrap();
    let wanted = &truth["cumulative"];
    let whole = wanted["increase_whole_intervals_us"].as_f64().unwrap() / 1e6;
    let naive = wanted["naive_last_minus_first_us"].as_f64().unwrap() / 1e6;
    assert!(close(ranking.total_seconds, whole), "{} is not {whole}", ranking.total_seconds);
    assert!(!close(ranking.total_seconds, naive));
    // statements are counted in whole periods; the same counter with its edges is a quantity's `total_with_edges`
    let with_edges = wanted["increase_edges_interpolated_us"].as_f64().unwrap() / 1e6;
    assert!(with_edges > whole && !close(ranking.total_seconds, with_edges));
}

#[test]
fn statements_are_ranked_by_their_number_within_the_window() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let dir = samples.join("query-insights");
    for target in TARGETS {
        let wanted = &truth["query_insights"][target];
        let files = [format!("qi_{target}.json"), format!("lock_time_{target}.json")];
        let exports: Vec<FoundExport> = files.iter().map(|file| export(&dir.join(file))).collect();
        // the array of all answers carries no target: it belongs to whose window its points lie in
        let mut from_array = vec![export(&dir.join("bench-queries.json"))];
        from_array.push(export(&dir.join(&files[1])));
        for exports in [&exports, &from_array] {
            let ranking = rank(exports, target, window(&truth, target)).unwrap();
            let hashes: Vec<&str> = ranking.queries.iter().map(|query| query.hash.as_str()).collect();
            for (query, wanted) in ranking.queries.iter().zip(wanted["ranking_by_hash"].as_array().unwrap()) {
                assert_eq!(query.hash, wanted["query_hash"].as_str().unwrap());
                let near = |a: f64, b: &Value| (a - b.as_f64().unwrap()).abs() < 1e-3;
                assert!(near(query.seconds, &wanted["total_s"]), "{target} {}: {}", query.hash, query.seconds);
                assert!(near(query.lock_seconds.unwrap(), &wanted["lock_s"]), "{target} {}", query.hash);
                for (user, seconds) in wanted["users"].as_object().unwrap() {
                    assert!(near(query.users[user], seconds), "{target} {user}");
                }
                let truncated = wanted_list(&truth["query_insights"][target]["truncated_hashes"]);
                assert_eq!(query.cut, truncated.contains(&query.hash), "{target} {}", query.hash);
                let waits = wanted_list(&truth["query_insights"][target]["advisory_wait_hashes"]);
                assert_eq!(query.advisory_wait, waits.contains(&query.hash), "{target} {}", query.hash);
            }
            assert_eq!(hashes.len(), wanted["ranking_by_hash"].as_array().unwrap().len());
            assert_ne!(hashes, wanted_list(&wanted["wrong_ranking_both_points"]));
            let by_user: Vec<&str> = wanted["wrong_ranking_per_user_top3"]
                .as_array()
                .unwrap()
                .iter()
                .map(|pair| pair[0].as_str().unwrap())
                .collect();
            assert_ne!(hashes[..by_user.len()], by_user[..], "{target}: a statement's users are summed first");
            assert!((ranking.coverage - wanted["coverage_of_window"].as_f64().unwrap()).abs() < 1e-5, "{target}");
        }
        let (observed, _) = observed(&exports, target, window(&truth, target));
        let queries = observed.queries.unwrap();
        let near = |a: f64, name: &str| {
            let wanted = wanted[name].as_f64().unwrap();
            assert!((a - wanted).abs() < 1e-4 * wanted.max(1.0), "{target} {name}: {a} is not {wanted}");
        };
        near(queries.total_seconds, "total_s");
        near(queries.average_active_sessions, "average_active_sessions");
        near(queries.advisory_seconds, "advisory_exec_s");
        near(queries.advisory_share().unwrap(), "advisory_share_of_total");
        near(queries.advisory_share_of_top(3).unwrap(), "advisory_share_of_top3");
        near(queries.lock_share().unwrap(), "heavyweight_lock_share_of_total");
        near(queries.latch_seconds.unwrap(), "lightweight_lock_s");
        let advisory: f64 = queries.ranking.iter().filter(|q| q.advisory_wait).filter_map(|q| q.lock_seconds).sum();
        near(advisory, "advisory_lock_s");
    }
}

fn wanted_list(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_second_export_of_the_same_statements_is_not_added() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let dir = samples.join("query-insights");
    let names = ["qi_session_create.json", "perquery_execution_time_60s_session_create.json", "bench-queries.json"];
    let exports: Vec<FoundExport> = names.iter().map(|name| export(&dir.join(name))).collect();
    let all = rank(&exports, "session_create", window(&truth, "session_create")).unwrap();
    assert!((all.total_seconds - truth["query_insights"]["session_create"]["total_s"].as_f64().unwrap()).abs() < 1e-3);
    let minutes = rank(&exports[1..2], "session_create", window(&truth, "session_create")).unwrap();
    assert!((all.total_seconds - minutes.total_seconds).abs() < 1e-3, "the minutes add up to the half hour");
}

#[test]
fn autovacuum_is_counted_in_every_wording() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let window = window(&truth, "session_create");
    let log = export(&samples.join("logs/autovacuum_log.json"));
    let cpu = export(&samples.join("session_create/db_cpu.json"));
    let wanted = &truth["autovacuum"]["session_create"];
    for (kind, name) in [(VacuumKind::Vacuum, "vacuum"), (VacuumKind::Analyze, "analyze")] {
        for (table, count) in wanted["in_window_by_table"][name].as_object().unwrap() {
            let inside = |time: Time| time >= window.start && time <= window.end;
            let runs = log.export.vacuums.iter().filter(|run| run.kind == kind && inside(run.end));
            let of_table = runs.filter(|run| run.table.as_ref() == Some(table)).count() as u64;
            assert_eq!(Some(of_table), count.as_u64(), "{name} {table}");
        }
    }
    let (observed, _) = observed(&[log, cpu], "session_create", window);
    let figures = observed.autovacuum.unwrap();
    for (name, found) in [("vacuum", figures.vacuum), ("analyze", figures.analyze)] {
        let wanted = &wanted["logged_in_window"][name];
        assert_eq!(Some(found.runs), wanted["runs"].as_u64(), "{name}");
        assert!(close(found.total_seconds.unwrap(), wanted["total_elapsed_s"].as_f64().unwrap()), "{name}");
        assert_eq!(found.longest_seconds, wanted["max_elapsed_s"].as_f64(), "{name}");
    }
    for (name, found) in [("with", figures.database_cpu_with), ("without", figures.database_cpu_without)] {
        let wanted = &wanted["db_cpu_by_run_span"][name];
        let found = found.unwrap();
        assert_eq!(Some(found.n), wanted["n"].as_u64(), "{name}");
        assert!(close(found.median, wanted["median"].as_f64().unwrap()), "{name}");
        let by_end = &truth["autovacuum"]["session_create"]["db_cpu_by_log_time"][name];
        assert_ne!(Some(found.n), by_end["n"].as_u64(), "{name}: a run takes the time before its line");
        assert!(!close(found.median, by_end["median"].as_f64().unwrap()), "{name}");
    }
    let tables = [("bench-autovacuum-events.csv", 1, 0), ("bench-autovacuum-events-complete.csv", 2, 4)];
    for (table, analyze_timed, vacuum_timed) in tables {
        let (observed, _) = self::observed(&[export(&samples.join(table))], "session_create", window);
        let figures = observed.autovacuum.unwrap();
        assert_eq!(Some(figures.vacuum.runs), wanted["csv_rows"]["vacuum"].as_u64(), "{table}");
        assert_eq!(Some(figures.analyze.runs), wanted["csv_rows"]["analyze"].as_u64(), "{table}");
        assert_eq!((figures.analyze.timed, figures.vacuum.timed), (analyze_timed, vacuum_timed), "{table}");
        let (other, _) = self::observed(&[export(&samples.join(table))], "token_introspect", window);
        assert_eq!(other.autovacuum, None, "{table} is of another target");
    }
    for (file, runs) in [("autovacuum_split_lines.json", 3), ("autovacuum_pg96.json", 1), ("autovacuum_value.txt", 6)] {
        let found = export(&samples.join("logs").join(file));
        assert!(found.export.vacuums.len() >= runs, "{file}: {}", found.export.vacuums.len());
        assert!(found.export.vacuums.iter().all(|run| run.elapsed_seconds.is_some()), "{file}");
    }
}

#[test]
fn logs_tell_requests_errors_and_lock_waits() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let window = window(&truth, "session_create");
    let log = |file: &str| {
        let (observed, _) = observed(&[export(&samples.join("logs").join(file))], "session_create", window);
        observed.log.unwrap_or_default()
    };
    let requests = log("http_requests.json");
    assert_eq!(Some(requests.entries), truth["logs"]["http_requests"]["entries"].as_u64());
    for (status, count) in truth["logs"]["http_requests"]["by_status"].as_object().unwrap() {
        assert_eq!(requests.requests.get(&status.parse().unwrap()).copied(), count.as_u64(), "{status}");
    }
    assert_eq!(log("http_503_table.txt").requests.get(&503).copied(), truth["logs"]["http_503_table_rows"].as_u64());
    for file in ["errors.json", "errors_value.txt"] {
        assert_eq!(Some(log(file).errors), truth["logs"]["errors"].as_u64(), "{file}");
    }
    let acquired = log("lock_waits.json").advisory_locks_acquired;
    assert_eq!(Some(acquired), truth["logs"]["lock_wait_advisory_acquired"].as_u64());
    let empty = Source::new(&samples.join("logs/http_503_empty.txt")).unwrap();
    assert!(matches!(recognise(&empty).unwrap(), FileKind::Ignored(_)), "an empty answer is no evidence");
}

#[test]
fn pages_of_one_answer_are_one() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let pages = ["paginated_page1.json", "paginated_page2.json"].map(|page| export(&samples.join("odd").join(page)));
    let points: usize = pages.iter().flat_map(|page| &page.export.series).map(|series| series.points.len()).sum();
    assert_eq!(Some(points as u64), truth["pagination"]["points_after_merge"].as_u64());
    let window = window(&truth, "session_create");
    let (together, warnings) = observed(&pages, "session_create", window);
    let sums = &truth["series"]["session_create"]["request_count_by_class"];
    for class in ["2xx", "5xx"] {
        assert_eq!(together.requests_by_class.get(class).copied(), sums[class]["sum_inside"].as_u64(), "{class}");
    }
    assert_eq!(warnings, []);
    let (alone, warnings) = observed(&pages[..1], "session_create", window);
    assert!(alone.quantities["server_requests"].incomplete);
    assert!(warnings.iter().any(|warning| warning.message.contains("goes on in another file")), "{warnings:?}");
}

#[test]
fn console_promql_and_table_say_the_same_as_the_answers() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let single = export(&samples.join("console/metrics_explorer_single.csv"));
    let wanted = &truth["metrics_explorer"]["single"];
    assert_eq!(Some(single.export.rows), wanted["rows"].as_u64());
    let (first, last) = single.export.span.unwrap();
    assert_eq!(
        (first.to_string().as_str(), last.to_string().as_str()),
        (wanted["first_utc"].as_str().unwrap(), wanted["last_utc"].as_str().unwrap())
    );
    let prom = export(&samples.join("promql/query_range_db_cpu.json"));
    assert_eq!(Some(prom.export.rows), truth["promql"]["db_cpu"]["samples"].as_u64());
    let (observed, _) = observed(&[prom], "session_create", window(&truth, "session_create"));
    let cpu = &observed.quantities["database_cpu"];
    let wanted = &truth["series"]["session_create"]["db_cpu"]["inside"];
    assert_eq!(Some(cpu.n), wanted["n"].as_u64());
    assert!(close(cpu.median.unwrap(), wanted["median"].as_f64().unwrap()));
    let p95 = export(&samples.join("promql/query_range_p95_latency.json"));
    assert_eq!(Some(p95.export.rows), truth["promql"]["p95_latency"]["samples"].as_u64());
    let named = reread(&samples.join("promql/query_range_p95_latency.json"), "server_latency_p95.json");
    let points: Vec<_> = named.export.series.iter().flat_map(|series| &series.points).collect();
    let finite = points.iter().filter(|point| point.value != PointValue::NotFinite).count() as u64;
    assert_eq!(Some(points.len() as u64), truth["promql"]["p95_latency"]["samples"].as_u64());
    assert_eq!(Some(finite), truth["promql"]["p95_latency"]["finite"].as_u64());
    let two = reread(&samples.join("console/metrics_explorer_two_series.csv"), "container_instances.csv");
    let wanted = &truth["metrics_explorer"]["two_series"];
    assert_eq!(Some(two.export.rows), wanted["rows"].as_u64());
    for (state, points) in wanted["columns"].as_object().unwrap() {
        let column = two.export.series.iter().find(|series| series.labels.get("state") == Some(state));
        assert_eq!(column.map(|series| series.points.len() as u64), points.as_u64(), "{state}");
    }
    let table = export(&samples.join("bench-metrics-raw.csv"));
    assert_eq!(Some(table.export.rows), truth["bench_metrics_raw_csv"]["data_rows"].as_u64());
    for target in TARGETS {
        let (observed, _) = self::observed(std::slice::from_ref(&table), target, window(&truth, target));
        for (label, measure) in LABELS {
            let listed = wanted_list(&truth["bench_metrics_raw_csv"]["metrics"]).contains(&label.to_owned());
            let absent = target == "session_create" && label == "db_read_iops";
            assert_eq!(observed.quantities.contains_key(measure), listed && !absent, "{target} {label}");
            if let Some(figures) = observed.quantities.get(measure) {
                agree(figures, &truth["series"][target][label], &format!("table {target} {label}"));
            }
        }
        assert!(!observed.quantities.contains_key("container_startups"), "points are no starts");
    }
}

#[test]
fn odd_answers_are_warnings_that_name_the_file() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let cases = [
        ("empty.json", "cloud-no-series"),
        ("empty_unit_only.json", "cloud-no-series"),
        ("error_bad_aligner.json", "cloud-query-failed"),
        ("error_permission.json", "cloud-query-failed"),
        ("error_quota.json", "cloud-query-failed"),
        ("paginated_page1.json", "cloud-incomplete"),
        ("partial_execution_errors.json", "cloud-incomplete"),
        ("value_kinds.json", "cloud-unknown-metric"),
    ];
    for (file, code) in cases {
        let found = export(&samples.join("odd").join(file));
        let (_, warnings) = observed(&[found], "session_create", window(&truth, "session_create"));
        assert!(warnings.iter().any(|w| w.code == code && w.message.starts_with(file)), "{file}: {warnings:?}");
        assert!(warnings.iter().all(|w| !w.message.contains("example-bench")), "{file} names a project");
    }
    let odd = export(&samples.join("odd/non_finite.json"));
    // the file begins a minute before the window
    let earlier = Time::parse_rfc3339("2026-03-10T09:01:00Z").unwrap();
    let window = EvidenceWindow { start: earlier, ..window(&truth, "session_create") };
    let (observed, _) = observed(&[odd], "session_create", window);
    let cpu = &observed.quantities["database_cpu"];
    assert_eq!(Some(cpu.n), truth["non_finite"]["finite"].as_array().map(|list| list.len() as u64));
    assert_eq!(cpu.median, truth["non_finite"]["finite_median"].as_f64());
    assert_eq!(cpu.non_finite, 3);
}
