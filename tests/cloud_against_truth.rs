//! What the walk over the samples' truth (`cloud_truth`) does not see: several exports of one run, and answers without data.

use serde_json::Value;
use support::cloud::{LABELS, TARGETS, export, named, observed, samples, truth, window};
use sweepdoc::derive::{FoundExport, rank};
use sweepdoc::ingest::detect::{FileKind, recognise};
use sweepdoc::ingest::monitoring::MetricNames;
use sweepdoc::ingest::source::Source;
use sweepdoc::model::{EvidenceWindow, Measure, Quantity, QuantityFigures, Time};

mod support;

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
fn statements_of_an_answer_without_a_target_are_those_of_the_window() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let array = export(&samples.join("query-insights/bench-queries.json"));
    for target in TARGETS {
        let wanted = &truth["query_insights"][target];
        let own = export(&samples.join(format!("query-insights/qi_{target}.json")));
        let hashes = |found: &FoundExport| -> Vec<String> {
            let ranking = rank(std::slice::from_ref(found), target, window(&truth, target)).unwrap();
            ranking.queries.into_iter().map(|query| query.hash).collect()
        };
        let ranked = hashes(&array);
        assert_eq!(ranked, hashes(&own), "{target}");
        assert_ne!(ranked, wanted_list(&wanted["wrong_ranking_both_points"]), "{target}: half an hour before the test");
        let by_user = wanted["wrong_ranking_per_user_top3"].as_array().unwrap();
        let by_user: Vec<&str> = by_user.iter().map(|pair| pair[0].as_str().unwrap()).collect();
        assert_ne!(ranked[..by_user.len()], by_user[..], "{target}: a statement's users are summed first");
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
    let wanted = &truth["autovacuum"]["session_create"];
    let tables = [("bench-autovacuum-events.csv", 1, 0), ("bench-autovacuum-events-complete.csv", 2, 4)];
    for (table, analyze_timed, vacuum_timed) in tables {
        let (observed, _) = observed(&[export(&samples.join(table))], "session_create", window);
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
fn a_log_as_text_tells_what_the_same_log_does() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let text = export(&samples.join("logs/errors_value.txt"));
    let (observed, _) = observed(&[text], "session_create", window(&truth, "session_create"));
    assert_eq!(Some(observed.log.unwrap().errors), truth["logs"]["errors"].as_u64());
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
fn a_table_says_the_same_as_the_answers() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let table = export(&samples.join("bench-metrics-raw.csv"));
    for target in TARGETS {
        let (observed, _) = observed(std::slice::from_ref(&table), target, window(&truth, target));
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
fn the_query_language_says_the_same_as_the_answers() {
    let Some(samples) = samples() else { return };
    let truth = truth(&samples);
    let names = MetricNames::new([("utilization".to_owned(), Measure::of(Quantity::DatabaseCpu))].into());
    let answer = named(&samples.join("mql/query_db_cpu.json"), "answer.json", &names);
    let (observed, warnings) = observed(&[answer], "session_create", window(&truth, "session_create"));
    agree(&observed.quantities["database_cpu"], &truth["series"]["session_create"]["db_cpu"], "query language");
    assert_eq!(warnings.len(), 1, "its second value is not known: {warnings:?}");
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
