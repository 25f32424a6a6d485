//! Several load generators of one run.

use crate::support::k6::{Csv, START};
use crate::support::sweep::reduced;
use sweepdoc::model::Percentile;

/// A generator of `vus` VUs: one request and one iteration a second, each `ms` long.
fn generator(start: i64, seconds: i64, vus: f64, ms: f64) -> String {
    let mut csv = Csv::new();
    for second in start..start + seconds {
        csv.request(second, ms, &[]).iteration(second, ms + 1.0);
        csv.sample("vus", second, vus, &[]).sample("vus_max", second, vus, &[]);
    }
    csv.failure(start + 10, ms, &[("status", "503"), ("error_code", "1503")]);
    csv.0
}

/// B30 with the raw output at hand. Source: `grafana/k6-operator` issues 812, 413.
#[test]
fn samples_are_pooled_and_vus_add_up() {
    let (a, b) = (generator(START, 60, 200.0, 10.0), generator(START + 5, 60, 300.0, 20.0));
    let evidence = reduced(&[("a.csv", &a), ("b.csv", &b)]).evidence;
    let requests = evidence.requests.as_ref().unwrap();
    assert_eq!((requests.run.total, requests.run.failed), (122, Some(2)));
    assert_eq!(evidence.iterations.complete, Some(120));
    let window = evidence.window.unwrap().window();
    assert_eq!((window.start, window.end), (START, START + 64));
    let trend = &evidence.trends["http_req_duration"].run;
    assert_eq!(trend.n, Some(122));
    // 61 values of 10 ms and 61 of 20 ms: rank 60.5 lies half way between them
    assert_eq!(trend.percentiles[&Percentile::P50], 15.0);
    assert_eq!((trend.percentiles[&Percentile::P95], trend.avg), (20.0, Some(15.0)));

    assert_eq!(evidence.k6.vus_max, Some(500));
    assert_eq!(evidence.gauges["vus_max"].max, 500.0);
    assert_eq!((evidence.gauges["vus"].max, evidence.gauges["vus"].last), (500.0, 300.0));
    let series = evidence.series.unwrap();
    let at = |offset: usize| series.vus[offset];
    assert_eq!(
        (at(0), at(4), at(5), at(59), at(60), at(64)),
        (Some(200), Some(200), Some(500), Some(500), Some(300), Some(300))
    );
    assert_eq!((series.requests[0], series.requests[30], series.iterations[30]), (1, 2, 2));
    assert_eq!(evidence.populations.unwrap()[0].count, 2);
}

/// A tick that comes a little late skips a second. Source: k6 counts VUs once a second by its own clock.
#[test]
fn a_skipped_tick_of_one_generator_is_no_dip() {
    let mut a = Csv::healthy(START, 10);
    a.0 =
        a.0.lines().filter(|line| !line.starts_with(&format!("vus,{}", START + 4))).map(|l| format!("{l}\n")).collect();
    let b = generator(START, 12, 3.0, 20.0);
    let evidence = reduced(&[("a.csv", &a.0), ("b.csv", &b)]).evidence;
    assert_eq!(evidence.series.unwrap().vus[..10], [Some(5); 10]);
}

/// B30: the figures one runner printed are not those of the run. Source: `grafana/k6-operator` issue 812.
#[test]
fn the_log_of_one_generator_does_not_speak_for_all() {
    let log = "     execution: local\n     scenarios: (100.00%) 1 scenario, 200 max VUs, 1m30s max duration (incl. graceful stop):\n\
               \x20             * default: 200 looping VUs for 1m0s (gracefulStop: 30s)\n\n\
               \x20 █ TOTAL RESULTS\n\n    HTTP\n    http_reqs......: 61     1.01/s\n\n    EXECUTION\n\
               \x20   iterations.....: 60     0.99/s\n    vus_max........: 200    min=200      max=200\n\n\n\
               running (1m00.4s), 000/200 VUs, 60 complete and 3 interrupted iterations\ndefault ✓ [ 100% ] 200 VUs  1m0s\n";
    let (a, b) = (generator(START, 60, 200.0, 10.0), generator(START + 1, 60, 300.0, 20.0));
    let evidence = reduced(&[("a.csv", &a), ("b.csv", &b), ("k6.log", log)]).evidence;
    assert_eq!((evidence.k6.vus_max, evidence.k6.completed), (Some(500), Some(true)));
    let iterations = evidence.k6.iterations.unwrap();
    assert_eq!((iterations.count, iterations.recomputed), (120, true));
    assert!((iterations.per_second.unwrap() - 120.0 / 60.4).abs() < 1e-9, "{iterations:?}");
    assert_eq!(evidence.test_phase.as_ref().unwrap().iterations_per_second, 2.0);
    // 500 VUs over a mean iteration of 16 ms
    let mean = (60.0 * 11.0 + 60.0 * 21.0) / 120.0;
    let littles_law = evidence.test_phase.as_ref().unwrap().littles_law_per_second.unwrap();
    assert!((littles_law - 500.0 / (mean / 1000.0)).abs() < 1e-6, "{littles_law}");
    assert!(evidence.k6.summary_text.unwrap().starts_with("# recomputed"), "one generator's block is not the run's");
    let of_figures = ["figures-differ", "iterations-differ", "log-of-one-generator"];
    let codes = evidence.warnings.iter().map(|w| w.code.as_str()).filter(|code| of_figures.contains(code));
    assert_eq!(codes.collect::<Vec<_>>(), ["log-of-one-generator"]);
    assert!(evidence.iterations.exceptions.is_none(), "the other generators' logs are not here");
}
