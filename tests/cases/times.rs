//! Moments and durations.

use crate::support::k6::{Csv, START};
use crate::support::sweep::{Sweep, reduced, run, try_reduce};
use sweepdoc::model::{Population, Time};
use sweepdoc::notation::duration;

fn time(text: &str) -> Time {
    Time::parse_rfc3339(text).unwrap()
}

/// B01. Source: `zitadel/zitadel` benchmark/tools/convert.sql and gen_report.py.
#[test]
fn local_time_is_never_labelled_utc() {
    let csv = Csv::healthy(1_796_051_407, 3).0;
    let published = |zone: &str| {
        let sweep = Sweep::of_run([("k6.csv", csv.as_str())]);
        let mut command = sweep.publish_command(&[]);
        command.env("TZ", zone);
        run(command).done();
        assert!(sweep.page("pat_login").contains("| Test start | 2026-11-30 15:10:07 UTC |"), "{zone}");
        sweep.published()
    };
    assert_eq!(published("America/New_York"), published("UTC"));
}

/// B02. Source: `grafana/k6` issues 2275, 2839, 513, pull requests 2274, 2906.
#[test]
fn one_instant_is_read_in_all_six_time_formats() {
    for stamp in [
        "1796051801",
        "1796051801623",
        "1796051801623000",
        "1796051801623000000",
        "2026-11-30T15:16:41Z",
        "2026-11-30T15:16:41.623Z",
        "2026-11-30T16:16:41+01:00",
    ] {
        let csv = Csv::new().sample("iterations", stamp, 1.0, &[]).0.clone();
        let window = reduced(&[("k6.csv", &csv)]).evidence.window.unwrap();
        assert_eq!((window.start, window.end), (time("2026-11-30T15:16:41Z"), time("2026-11-30T15:16:41Z")), "{stamp}");
    }
}

/// B02, the JSON output in the load machine's zone. Source: `grafana/k6` issue 513.
#[test]
fn json_output_of_another_zone_becomes_utc() {
    let line = r#"{"metric":"iterations","type":"Point","data":{"time":"2024-08-22T01:13:59.892709931-03:00","value":1,"tags":{"scenario":"default"}}}"#;
    assert_eq!(time("2024-08-22T01:13:59.892709931-03:00").to_string(), "2024-08-22T04:13:59.892709931Z");
    let window = reduced(&[("k6.json", &format!("{line}\n"))]).evidence.window.unwrap();
    assert_eq!(window.start, time("2024-08-22T04:13:59Z"));
}

/// B02, milliseconds read as seconds. Source: `grafana/k6` issue 2839.
#[test]
fn a_time_in_the_year_58884_is_an_error_with_line_and_column() {
    let mut csv = Csv::new();
    csv.sample("iterations", 1_796_051_801, 1.0, &[]).sample("iterations", 1_796_051_801_623_i64, 1.0, &[]);
    let fault = try_reduce(&[("k6.csv", &csv.0)]).unwrap_err().to_string();
    assert!(fault.contains("k6.csv:3: column `timestamp`: "), "{fault}");
    assert!(fault.contains("in the year 58884"), "{fault}");
}

/// B18. Source: the v4.17.1 page of manipulate_user, whose text counts from the launcher's stamp.
#[test]
fn offsets_count_from_the_pages_own_test_start() {
    let mut csv = Csv::healthy(START, 1812);
    csv.failure(START + 1649, 60_000.0, &[("status", "0"), ("error_code", "1050"), ("error", "request timeout")]);
    let log = "start_utc=2026-08-27 13:41:10 UTC target=pat_login\nend_utc=2026-08-27 14:11:40 UTC\n";
    let evidence = reduced(&[("k6.csv", &csv.0), ("k6.log", log)]).evidence;
    let [Population { first, first_offset_seconds, .. }] = evidence.populations.as_deref().unwrap() else { panic!() };
    assert_eq!(*first, Some(time("2026-08-27T14:08:48Z")));
    assert_eq!(*first_offset_seconds, Some(1649), "1658 would be from the stamp");
    let row = sweepdoc::rows::observed_errors(&evidence);
    assert!(row.contains("27min 29s into the run"), "{row}");
}

/// B22. Source: published pages and logs; gen_report.py of `zitadel/zitadel` fails on hours and under a minute.
#[test]
fn every_duration_k6_prints_is_read() {
    for (text, seconds) in [
        ("0h00m40.0s", 40.0),
        ("1h0m30.2s", 3630.2),
        ("30m22.6s", 1822.6),
        ("10.0s", 10.0),
        ("1m57s", 117.0),
        ("1m0s", 60.0),
        ("731.31\u{b5}s", 0.00073131),
        ("731.31\u{3bc}s", 0.00073131),
        ("1.1s", 1.1),
        ("0s", 0.0),
        ("23.89ms", 0.02389),
    ] {
        let ms = duration::read(text).and_then(|printed| printed.value).unwrap_or_else(|| panic!("{text}"));
        assert!((ms / 1000.0 - seconds).abs() < 1e-9, "{text} read as {ms} ms");
    }
    for (line, seconds) in [("0h00m40.0s", 40.0), ("1h0m30.2s", 3630.2), ("10.0s", 10.0)] {
        let log = format!("running ({line}), 0/4 VUs, 10 complete and 0 interrupted iterations\n");
        assert_eq!(reduced(&[("k6.log", &log)]).evidence.k6.run_seconds, Some(seconds), "{line}");
    }
}

/// B22, a duration of 30m59s is no plan of 30 minutes. Source: gen_report.py of `zitadel/zitadel`.
#[test]
fn a_run_is_rounded_to_its_plan_only_when_the_log_states_the_plan() {
    let tail = "running (30m59.4s), 00/10 VUs, 900 complete and 0 interrupted iterations\n";
    let page = |log: &str| {
        let sweep = Sweep::of_run([("k6.log", log)]);
        sweep.publish(&[]).done();
        sweep.page("pat_login")
    };
    assert!(page(&format!("{tail}default ✓ [ 100% ] 10 VUs  30m0s\n")).contains("| Test duration | 30min |"));
    assert!(page(tail).contains("| Test duration | 30min 59s |"));
}
