//! What a terminal log says, and what it does not say.

use crate::support::k6::{Csv, START};
use crate::support::shared;
use crate::support::sweep::{Sweep, reduce_paths, reduced};
use sweepdoc::ingest::terminal;
use sweepdoc::model::{Figures, Percentile, Stat};
use sweepdoc::rows::observed_errors;

/// B07. Source: `grafana/k6` issues 2306, 2386, 5679, 4751; `benc-uk/k6-reporter` issue 82.
#[test]
fn the_first_number_of_a_failure_rate_counts_failures_in_every_form() {
    let lines = [
        "     http_req_failed................: 56.68% ✓ 403      ✗ 308",
        "    http_req_failed................: 56.68% 403 out of 711",
        "    browser_http_req_failed........: 56.68% 403 out of 711",
    ];
    for line in lines {
        let name = line.trim().split('.').next().unwrap();
        let log = format!("{line}\n     http_reqs......................: 711     30.5/s\n");
        let log = if line.contains('✓') { log } else { format!("  █ TOTAL RESULTS\n\n{log}") };
        let evidence = reduced(&[("k6.log", &log)]).evidence;
        assert_eq!((evidence.rates[name].nonzero, evidence.rates[name].total), (403, 711), "{line}");
        if name == "http_req_failed" {
            assert!(observed_errors(&evidence).starts_with("403 of 711 requests failed (56.68%)"));
        }
    }
}

/// B12. Source: `grafana/k6` issue 4695, pull request 4698.
#[test]
fn an_undefined_threshold_value_is_computed_from_raw_output_and_never_zero() {
    let log = "  █ THRESHOLDS\n\n    http_req_duration\n    ✓ 'p(99.5)<50' p(99.5)=undefined\n\n\n  █ TOTAL RESULTS\n\n\
               \x20   HTTP\n    http_req_duration....: avg=13ms min=10ms med=13ms max=16ms p(90)=16ms p(95)=16ms\n";
    let read = terminal::read(log);
    assert_eq!((read.thresholds[0].value.as_deref(), read.thresholds[0].held), (None, true));

    let rank = Percentile::parse("99.5").unwrap();
    let from_log = reduced(&[("k6.log", log)]).evidence;
    assert_eq!(from_log.trends["http_req_duration"].run.percentiles.get(&rank), None);

    let mut csv = Csv::new();
    (0..=1000).for_each(|n| {
        csv.request(START + n / 10, n as f64, &[]);
    });
    let from_raw = reduced(&[("k6.csv", &csv.0), ("k6.log", log)]).evidence;
    assert_eq!(from_raw.trends["http_req_duration"].run.percentiles.get(&rank), Some(&995.0));
}

/// B20. Source: gen_report.py of `zitadel/zitadel`; `grafana/k6` issues 4803, 4870, 4872.
#[test]
fn named_scenarios_that_stopped_early_are_read() {
    let log = "     execution: local\n     scenarios: (100.00%) 1 scenario, 6 max VUs, 39s max duration (incl. graceful stop):\n\
               \x20             * ramp: Up to 6 looping VUs for 9s over 2 stages (gracefulRampDown: 0s, startTime: 3s)\n\n\
               \x20 █ TOTAL RESULTS\n\n    checks_total.......: 40     4/s\n    checks_succeeded...: 75.00% 30 out of 40\n\
               \x20   checks_failed......: 25.00% 10 out of 40\n\n    ✗ ok\n      ↳  75% — ✓ 30 / ✗ 10\n\n    EXECUTION\n\
               \x20   iterations.........: 40     4/s\n\n\n\
               running (10.0s), 0/6 VUs, 40 complete and 2 interrupted iterations\nramp ✗ [  83% ] 6/6 VUs  9s\n";
    let evidence = reduced(&[("k6.log", log)]).evidence;
    assert_eq!(evidence.iterations.complete, Some(40));
    assert_eq!(evidence.k6.iterations.unwrap().per_second, Some(4.0));
    let checks = evidence.checks.as_ref().unwrap();
    assert_eq!((checks.total, checks.failed, checks.by_name[0].fails), (40, 10, 10));
    assert_eq!((evidence.k6.completed, evidence.k6.run_seconds), (Some(false), Some(10.0)));
    let text = evidence.k6.summary_text.unwrap();
    assert!(text.starts_with("  █ TOTAL RESULTS") && text.ends_with("ramp ✗ [  83% ] 6/6 VUs  9s"), "{text}");
}

/// B20, nothing printed at the end. Source: gen_report.py of `zitadel/zitadel`, whose page then says 0 and "none".
#[test]
fn what_a_log_without_a_summary_does_not_say_stays_unknown() {
    let progress = "     execution: local\n     scenarios: (100.00%) 1 scenario, 10 max VUs, 1m0s max duration (incl. graceful stop):\n\
                    \x20             * default: 10 looping VUs for 30s (gracefulStop: 30s)\n\n\
                    running (0m30.4s), 00/10 VUs, 900 complete and 0 interrupted iterations\ndefault ✓ [ 100% ] 10 VUs  30s\n";
    let evidence = reduced(&[("k6.log", progress)]).evidence;
    assert_eq!((evidence.iterations.complete, evidence.k6.planned_seconds), (Some(900), Some(30.0)));
    assert_eq!(
        (evidence.requests.as_ref(), evidence.checks.as_ref(), evidence.k6.summary_text.as_ref()),
        (None, None, None)
    );
    assert!(observed_errors(&evidence).starts_with("not known"));

    let quiet = "start_utc=2026-08-27 13:41:19 UTC target=pat_login\nend_utc=2026-08-27 13:42:19 UTC exit=0\n";
    let sweep = Sweep::of_run([("k6.log", quiet)]);
    sweep.publish(&[]).done();
    let page = sweep.page("pat_login");
    assert!(page.contains("| Observed errors | not known"), "{page}");
    assert!(!page.contains("Iterations per second"), "{page}");
}

/// B20 with k6's own logs. Source: gen_report.py of `zitadel/zitadel` finds none of these summaries.
#[test]
fn real_logs_of_every_layout_give_iterations_checks_and_duration() {
    let Some(files) = shared("k6-files") else { return };
    for (name, iterations, rate, failed, seconds) in [
        ("multi-scenario-k6-1.1.0.log", 756, 62.528554, 39, 12.09),
        ("summary-legacy-k6-1.1.0.log", 130, 15.035865, 10, 8.64),
        ("long-setup-summary-full-unit-s-k6-1.1.0.log", 2273, 55.850427, 120, 40.69),
    ] {
        let evidence = reduce_paths(&[files.join(name)]).unwrap().evidence;
        assert_eq!(evidence.iterations.complete, Some(iterations), "{name}");
        assert_eq!(evidence.k6.iterations.unwrap().per_second, Some(rate), "{name}");
        assert_eq!(evidence.checks.as_ref().unwrap().failed, failed, "{name}");
        assert!((evidence.k6.run_seconds.unwrap() - seconds).abs() < 0.01, "{name}: {:?}", evidence.k6.run_seconds);
        assert_eq!(evidence.k6.completed, Some(true), "{name}");
        let text = evidence.k6.summary_text.unwrap();
        assert!(!text.contains("[  33% ]") && !text.contains("execution: local"), "{name}: {text}");
    }
}

/// B24. Source: a run of k6 1.1.0 with `--summary-time-unit=s`; `grafana/k6-learn` on units.
#[test]
fn a_coarse_unit_is_known_to_half_its_last_digit_and_raw_output_is_preferred() {
    let Some(files) = shared("k6-files") else { return };
    let [csv, log] = ["long-setup-rfc3339nano-k6-1.1.0.csv.gz", "long-setup-summary-full-unit-s-k6-1.1.0.log"]
        .map(|f| files.join(f));
    let read = terminal::read(&std::fs::read_to_string(&log).unwrap());
    let summary = read.summary.unwrap();
    let Figures::Trend(line) = &summary.metrics["http_req_duration"] else { panic!() };
    let p95 = &line[&Stat::P(Percentile::P95)];
    assert_eq!((p95.text.as_str(), p95.value, p95.step), ("0.04s", Some(40.0), 10.0));

    let evidence = reduce_paths(&[csv, log]).unwrap().evidence;
    let p95 = evidence.trends["http_req_duration"].run.percentiles[&Percentile::P95];
    assert!((p95 - 37.802458).abs() < 1e-9, "{p95}");
    assert!(evidence.warnings.iter().all(|w| w.code != "figures-differ"), "{:?}", evidence.warnings);
}
