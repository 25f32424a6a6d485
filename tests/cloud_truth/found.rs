//! What this program derives from the samples, in the shape of their truth.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value, json};
use sweepdoc::derive::{FoundExport, rank};
use sweepdoc::ingest::monitoring::MetricNames;
use sweepdoc::model::{
    Autovacuum, CpuFigures, EvidenceWindow, LogFigures, Measure, Observability, Point, PointValue, Quantity,
    QuantityFigures, Side, Time, TimeSeries, Unit, VacuumFigures, VacuumKind,
};

use crate::support::cloud::{LABELS, TARGETS, export, folder, named, observed, reread, window};

/// Everything the truth is about. `truth` gives the windows, and the names of units where ours say less.
pub fn found(samples: &Path, truth: &Value) -> Value {
    let runs = |of: &dyn Fn(&str, EvidenceWindow) -> Value| -> Value {
        TARGETS
            .iter()
            .map(|target| ((*target).to_owned(), of(target, window(truth, target))))
            .collect::<Map<_, _>>()
            .into()
    };
    let first = window(truth, TARGETS[0]);
    json!({
        "windows": runs(&|_, window| json!({"start": window.start, "end": window.end, "seconds": seconds(window)})),
        "series": runs(&|target, window| series(samples, target, window, &truth["series"][target])),
        "page_rows": runs(&|target, window| page_rows(samples, target, window)),
        "bench_metrics_raw_csv": metric_table(&export(&samples.join("bench-metrics-raw.csv"))),
        "pagination": pagination(samples),
        "non_finite": non_finite(samples, first),
        "raw_request_latencies": raw_latencies(samples, first),
        "distribution_kinds": distribution_kinds(samples, first),
        "cumulative": cumulative(samples, first),
        "query_insights": runs(&|target, window| queries(samples, target, window)),
        "autovacuum": {TARGETS[0]: autovacuum(samples, first)},
        "logs": logs(samples, first),
        "metrics_explorer": metrics_explorer(samples),
        "promql": promql(samples),
        "cloudwatch": cloudwatch(samples),
    })
}

fn seconds(window: EvidenceWindow) -> f64 {
    (window.end.unix_seconds() - window.start.unix_seconds()) as f64
}

fn text(time: Time) -> String {
    time.to_string()
}

fn points(export: &FoundExport) -> Vec<&Point> {
    export.export.series.iter().flat_map(|series| &series.points).collect()
}

fn numbers(points: &[&Point]) -> Vec<f64> {
    let number = |point: &&Point| match point.value {
        PointValue::Number(value) => Some(value),
        _ => None,
    };
    points.iter().filter_map(number).collect()
}

/// Statistics of points as they were read, whatever the window.
fn statistics(mut values: Vec<f64>) -> Value {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let median = (values[(n - 1) / 2] + values[n / 2]) / 2.0;
    json!({"n": n, "median": median, "mean": values.iter().sum::<f64>() / n as f64, "min": values[0], "max": values[n - 1]})
}

/// The unit of the figures in the words of the truth, where the two are the same.
fn unit(wanted: &Value, found: Unit) -> Value {
    let same = match found {
        Unit::Fraction => ["10^2.%", "1"].as_slice(),
        Unit::Count => &["1"],
        Unit::PerSecond => &["1/s", "s/s"],
        Unit::BytesPerSecond => &["By/s"],
        Unit::Milliseconds => &["ms"],
        Unit::Seconds => &["s"],
    };
    let same = wanted.as_str().is_some_and(|wanted| same.contains(&wanted));
    if same { wanted.clone() } else { json!(found) }
}

/// Ends of the periods between the first and the last that have no point.
fn missing_ends(series: &TimeSeries) -> Vec<String> {
    let ends: Vec<i64> = series.points.iter().map(|point| point.end.unix_seconds()).collect();
    let gaps = ends.windows(2).flat_map(|pair| (pair[0] + 60..pair[1]).step_by(60));
    gaps.map(|end| text(Time::from_unix_seconds(end).unwrap())).collect()
}

fn inside(figures: &QuantityFigures) -> Value {
    let QuantityFigures { n, median, mean, min, max, .. } = figures;
    json!({"n": n, "median": median, "mean": mean, "min": min, "max": max})
}

fn series(samples: &Path, target: &str, window: EvidenceWindow, truth: &Value) -> Value {
    let alone = |label: &str| {
        let export = export(&samples.join(target).join(format!("{label}.json")));
        let (observed, _) = observed(std::slice::from_ref(&export), target, window);
        (export, observed)
    };
    let mut all = Map::new();
    for (label, measure) in LABELS {
        let (export, observed) = alone(label);
        let figures = &observed.quantities[measure];
        let missing: Vec<String> = export.export.series.iter().flat_map(missing_ends).collect();
        assert_eq!(figures.missing, missing.len() as u64, "{target} {label}");
        let found = json!({
            "unit": unit(&truth[label]["unit"], figures.unit), "points_in_file": export.export.rows,
            "missing_bucket_ends": missing, "non_finite": figures.non_finite, "inside": inside(figures),
        });
        all.insert(label.to_owned(), found);
    }
    let (export, observed) = alone("request_count_by_class");
    let classes = export.export.series.iter().map(|series| {
        let class = series.labels["response_code_class"].clone();
        let sum = observed.requests_by_class.get(&class).copied();
        (class, json!({"sum_inside": sum, "points": series.points.len()}))
    });
    all.insert("request_count_by_class".into(), Value::Object(classes.collect()));
    all.insert("instance_count_by_state".into(), instances(&alone("instance_count_by_state").0, target, window));
    let starts = alone("startup_latencies_delta").1.quantities["container_startups"].total;
    all.insert("startup_latencies_delta".into(), json!({"container_starts_inside": starts}));
    all.into()
}

fn instances(both: &FoundExport, target: &str, window: EvidenceWindow) -> Value {
    let figures = |found: &FoundExport| {
        let (observed, _) = observed(std::slice::from_ref(found), target, window);
        observed.quantities["container_instances"].clone()
    };
    let mut active = both.clone();
    active.export.series.retain(|series| series.labels["state"] == "active");
    let total = figures(both);
    json!({"active_inside": inside(&figures(&active)), "total_inside": inside(&total), "total_constant": total.min == total.max})
}

fn page_rows(samples: &Path, target: &str, window: EvidenceWindow) -> Value {
    // starts and requests come in two exports each: whichever is taken has to agree
    let (seen, _) = observed(&folder(&samples.join(target)), target, window);
    let exports: Vec<FoundExport> =
        LABELS.iter().map(|(label, _)| export(&samples.join(target).join(format!("{label}.json")))).collect();
    let (exact, _) = observed(&exports, target, window);
    let of = |name: &str| &exact.quantities[name];
    let median = |name: &str| of(name).median.unwrap();
    let max = |name: &str| of(name).max.unwrap();
    let percent = |value: f64| (value * 100.0).round();
    // one median lies half way: the last bit of a double must not decide
    let exact_percent = |value: f64| (value * 10_000.0 + 1e-6).round() / 100.0;
    json!({
        "service": {
            "cpu_p50_pct": percent(median("container_cpu_p50")), "cpu_p99_pct": percent(median("container_cpu_p99")),
            "cpu_peak_pct": percent(max("container_cpu_p99")), "mem_p50_pct": percent(median("container_memory_p50")),
            "mem_peak_pct": percent(max("container_memory_p99")), "instances_min": of("container_instances").min,
            "instances_max": of("container_instances").max, "container_starts": seen.quantities["container_startups"].total,
            "req_per_s_median": median("server_requests"), "req_per_s_mean": of("server_requests").mean,
            "latency_p50_ms": median("server_latency_p50"), "latency_p95_ms": median("server_latency_p95"),
            "latency_p99_ms": median("server_latency_p99"),
        },
        "database": {
            "cpu_median_pct": exact_percent(median("database_cpu")), "cpu_peak_pct": exact_percent(max("database_cpu")),
            "mem_median_pct": exact_percent(median("database_memory")),
            "connections_median": median("database_connections"), "tx_per_s_median": median("database_transactions"),
            "read_iops_median": median("database_read_operations"),
            "write_iops_median": median("database_write_operations"),
        },
    })
}

/// Distinct names in the order of the truth, which is that of the scripts.
fn metric_table(table: &FoundExport) -> Value {
    let series = &table.export.series;
    let targets: BTreeSet<&str> = series.iter().filter_map(|series| series.target.as_deref()).collect();
    let read: BTreeSet<&str> = series.iter().map(|series| series.metric.as_str()).collect();
    let known = LABELS.iter().map(|(label, _)| *label).filter(|label| read.contains(label));
    let mut metrics: Vec<&str> = known.collect();
    // read, and left out: it counts points
    let counts_points = table.export.problems.iter().any(|problem| problem.message.contains("`zit_startups`"));
    if let (true, Some(before)) = (counts_points, metrics.iter().position(|label| *label == "db_cpu")) {
        metrics.insert(before, "zit_startups");
    }
    json!({"data_rows": table.export.rows, "targets": targets, "metrics": metrics})
}

fn pagination(samples: &Path) -> Value {
    let pages = ["paginated_page1.json", "paginated_page2.json"].map(|page| export(&samples.join("odd").join(page)));
    let class = |series: &TimeSeries| series.labels["response_code_class"].clone();
    let of_page = |page: &FoundExport| page.export.series.iter().map(class).collect::<BTreeSet<String>>();
    let split: Vec<String> = of_page(&pages[0]).intersection(&of_page(&pages[1])).cloned().collect();
    let mut merged: BTreeMap<String, BTreeMap<Time, f64>> = BTreeMap::new();
    for series in pages.iter().flat_map(|page| &page.export.series) {
        let points = series.points.iter().map(|point| (point.end, numbers(&[point])[0]));
        merged.entry(class(series)).or_default().extend(points);
    }
    let sums: BTreeMap<&String, f64> = merged.iter().map(|(class, points)| (class, points.values().sum())).collect();
    json!({
        "pages": pages.len(), "series_after_merge": merged.len(),
        "points_after_merge": merged.values().map(BTreeMap::len).sum::<usize>(),
        "split_series": {"response_code_class": split.first()}, "sum_all_points": sums,
    })
}

fn non_finite(samples: &Path, window: EvidenceWindow) -> Value {
    let file = "odd/non_finite.json";
    let odd = export(&samples.join(file));
    // the file begins a minute before the window
    let window = EvidenceWindow { start: Time::parse_rfc3339("2026-03-10T09:01:00Z").unwrap(), ..window };
    let (observed, _) = observed(std::slice::from_ref(&odd), TARGETS[0], window);
    let finite = numbers(&points(&odd));
    json!({
        "file": file, "points": points(&odd).len(), "finite": finite,
        "finite_median": observed.quantities["database_cpu"].median,
    })
}

fn raw_latencies(samples: &Path, window: EvidenceWindow) -> Value {
    let raw = export(&samples.join("raw/request_latencies_raw.json"));
    let (observed, _) = observed(&[raw], TARGETS[0], window);
    json!({
        "count_inside": observed.quantities["server_latency_p50"].total,
        "percentiles_inside": percentiles(&observed),
    })
}

fn percentiles(observed: &Observability) -> Value {
    let one = |percentile: &str| {
        let found = observed.quantities[&format!("server_latency_{percentile}")].overall.unwrap();
        let flag = found.side.map(|side| if side == Side::Below { "below" } else { "above" });
        (percentile.to_owned(), json!({"value": found.value, "flag": flag}))
    };
    Value::Object(["p50", "p95", "p99"].map(one).into_iter().collect())
}

/// Metrics of one's own are named in the project file; each kind is read alone, as they share a resource.
fn distribution_kinds(samples: &Path, window: EvidenceWindow) -> Value {
    let one = |kind: &str| {
        let metric = format!("custom.googleapis.com/bench/{kind}");
        let names = MetricNames::new([(metric, Measure::of(Quantity::ServerLatency))].into());
        let found = named(&samples.join("raw/distribution_kinds.json"), "kinds.json", &names);
        (kind.to_owned(), percentiles(&observed(&[found], TARGETS[0], window).0))
    };
    Value::Object(["linear", "explicit", "explicit_one_bound", "single_sample"].map(one).into_iter().collect())
}

fn cumulative(samples: &Path, window: EvidenceWindow) -> Value {
    let file = "raw/perquery_execution_time_cumulative.json";
    let total = export(&samples.join(file));
    let starts: BTreeSet<Option<Time>> = points(&total).iter().map(|point| point.start).collect();
    let ranking = rank(&[total], TARGETS[0], window).unwrap();
    json!({
        "file": file, "resets": starts.len() - 1, "unit": "microseconds",
        "increase_whole_intervals_us": ranking.total_seconds * 1e6,
        "increase_edges_interpolated_us": (ranking.total_seconds_with_edges * 1e6).round(),
    })
}

fn queries(samples: &Path, target: &str, window: EvidenceWindow) -> Value {
    let files = [format!("qi_{target}.json"), format!("lock_time_{target}.json")];
    let exports = files.map(|file| export(&samples.join("query-insights").join(file)));
    let ranking = rank(&exports, target, window).unwrap();
    let (observed, _) = observed(&exports, target, window);
    let queries = observed.queries.unwrap();
    let rounded = |value: f64, digits: i32| (value * 10f64.powi(digits)).round() / 10f64.powi(digits);
    let ranked = ranking.queries.iter().map(|query| {
        let users: BTreeMap<&String, f64> = query.users.iter().map(|(user, s)| (user, rounded(*s, 3))).collect();
        let (total, lock) = (rounded(query.seconds, 3), query.lock_seconds.map(|seconds| rounded(seconds, 3)));
        json!({"query_hash": query.hash, "total_s": total, "users": users, "lock_s": lock})
    });
    let hashes = |fits: fn(&sweepdoc::derive::RankedQuery) -> bool| -> Vec<&str> {
        ranking.queries.iter().filter(|query| fits(query)).map(|query| query.hash.as_str()).collect()
    };
    let advisory = ranking.queries.iter().filter(|query| query.advisory_wait).filter_map(|query| query.lock_seconds);
    json!({
        "coverage_of_window": rounded(ranking.coverage, 5),
        "ranking_by_hash": ranked.collect::<Vec<_>>(),
        "total_s": rounded(queries.total_seconds, 3),
        "average_active_sessions": rounded(queries.average_active_sessions, 4),
        "advisory_wait_hashes": hashes(|query| query.advisory_wait),
        "not_a_wait": hashes(|query| query.text.contains("pg_try_") && !query.advisory_wait),
        "advisory_exec_s": rounded(queries.advisory_seconds, 3),
        "advisory_lock_s": rounded(advisory.sum(), 3),
        "advisory_share_of_total": queries.advisory_share().map(|share| rounded(share, 6)),
        "advisory_share_of_top3": queries.advisory_share_of_top(3).map(|share| rounded(share, 6)),
        "heavyweight_lock_share_of_total": queries.lock_share().map(|share| rounded(share, 6)),
        "lightweight_lock_s": queries.latch_seconds.map(|seconds| rounded(seconds, 3)),
        "truncated_hashes": hashes(|query| query.cut),
    })
}

fn autovacuum(samples: &Path, window: EvidenceWindow) -> Value {
    let log = export(&samples.join("logs/autovacuum_log.json"));
    let table = export(&samples.join("bench-autovacuum-events.csv"));
    let mut by_table: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    for run in log.export.vacuums.iter().filter(|run| (window.start..=window.end).contains(&run.end)) {
        let kind = if run.kind == VacuumKind::Vacuum { "vacuum" } else { "analyze" };
        *by_table.entry(kind).or_default().entry(run.table.clone().unwrap()).or_default() += 1;
    }
    let of = |exports: &[FoundExport]| -> Autovacuum { observed(exports, TARGETS[0], window).0.autovacuum.unwrap() };
    let logged = of(&[log.clone(), export(&samples.join("session_create/db_cpu.json"))]);
    let rows = of(&[table]);
    let figures = |runs: VacuumFigures| {
        let VacuumFigures { runs, total_seconds, longest_seconds, .. } = runs;
        json!({"runs": runs, "total_elapsed_s": total_seconds, "max_elapsed_s": longest_seconds})
    };
    let cpu = |figures: Option<CpuFigures>| figures.map(|CpuFigures { n, median }| json!({"n": n, "median": median}));
    json!({
        "logged_in_window": {"vacuum": figures(logged.vacuum), "analyze": figures(logged.analyze)},
        "in_window_by_table": by_table,
        "csv_rows": {"vacuum": rows.vacuum.runs, "analyze": rows.analyze.runs},
        "db_cpu_by_run_span": {"with": cpu(logged.database_cpu_with), "without": cpu(logged.database_cpu_without)},
    })
}

fn logs(samples: &Path, window: EvidenceWindow) -> Value {
    let log = |file: &str| -> LogFigures {
        observed(&[export(&samples.join("logs").join(file))], TARGETS[0], window).0.log.unwrap()
    };
    let requests = log("http_requests.json");
    json!({
        "http_requests": {"entries": requests.entries, "by_status": requests.requests},
        "http_503_table_rows": log("http_503_table.txt").requests[&503],
        "errors": log("errors.json").errors,
        "lock_wait_advisory_acquired": log("lock_waits.json").advisory_locks_acquired,
    })
}

fn metrics_explorer(samples: &Path) -> Value {
    let lines =
        |file: &str| std::fs::read_to_string(samples.join("console").join(file)).unwrap().lines().count() as u64;
    let read = |file: &str, name: &str| reread(&samples.join("console").join(file), name);
    let single = read("metrics_explorer_single.csv", "database_cpu.csv");
    let (first, last) = single.export.span.unwrap();
    let two = read("metrics_explorer_two_series.csv", "container_instances.csv");
    let columns: BTreeMap<&String, usize> =
        two.export.series.iter().map(|series| (&series.labels["state"], series.points.len())).collect();
    json!({
        "single": {
            "header_rows": lines("metrics_explorer_single.csv") - single.export.rows, "rows": single.export.rows,
            "blank_values": single.export.rows - points(&single).len() as u64,
            "first_utc": text(first), "last_utc": text(last), "all_values": statistics(numbers(&points(&single))),
        },
        "two_series": {
            "header_rows": lines("metrics_explorer_two_series.csv") - two.export.rows, "rows": two.export.rows,
            "columns": columns,
        },
    })
}

fn promql(samples: &Path) -> Value {
    let cpu = export(&samples.join("promql/query_range_db_cpu.json"));
    let p95 = reread(&samples.join("promql/query_range_p95_latency.json"), "server_latency_p95.json");
    let finite = numbers(&points(&cpu));
    let sent = std::fs::read_to_string(samples.join("promql/query_range_db_cpu.json")).unwrap();
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let first = sent["data"]["result"][0]["values"][0][0].as_i64();
    let is_first = first == cpu.export.span.map(|(first, _)| first.unix_seconds());
    json!({
        "db_cpu": {
            "order": if is_first { "oldest first" } else { "newest first" }, "samples": cpu.export.rows,
            "nan": points(&cpu).len() - finite.len(), "finite": statistics(finite),
        },
        "p95_latency": {"samples": p95.export.rows, "finite": numbers(&points(&p95)).len()},
    })
}

fn cloudwatch(samples: &Path) -> Value {
    let file = samples.join("other-clouds/cloudwatch_get_metric_data.json");
    let names = MetricNames::new([("CPUUtilization".to_owned(), Measure::of(Quantity::DatabaseCpu))].into());
    let answer = named(&file, "answer.json", &names);
    let sent: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let sent = &sent["MetricDataResults"][0];
    let stamp = |index: usize| Time::parse_rfc3339(sent["Timestamps"][index].as_str().unwrap()).unwrap();
    let read = points(&answer);
    let newest = read.last().unwrap();
    let percent = numbers(&[newest])[0] * 100.0 == sent["Values"][0].as_f64().unwrap();
    let end = newest.end.unix_seconds() - stamp(0).unix_seconds();
    let partial = answer.export.partial
        && answer.export.problems.iter().any(|p| p.code == "cloud-incomplete" && p.message.contains("p99"));
    json!({
        "cpu": {
            "points": read.len(), "unit": if percent { "percent 0-100" } else { "fraction" },
            "stamp": if end == 60 { "start of the period" } else { "its end" },
            "order": if stamp(0) > stamp(1) { "newest first" } else { "oldest first" },
        },
        "p99": {
            "points": answer.export.series.iter().filter(|series| series.metric.contains("p99")).count(),
            "status": if partial { "PartialData" } else { "Complete" },
        },
    })
}
