//! Files that belong to another run.

use crate::support::k6::{Csv, START};
use crate::support::sweep::{Sweep, warnings};

fn run_of(trend: &str, start: i64) -> String {
    let mut csv = Csv::healthy(start, 60);
    (start..start + 60).for_each(|second| {
        csv.sample(trend, second, 12.5, &[]);
    });
    csv.0
}

fn log_of(trend: &str, target: &str) -> String {
    format!(
        "start_utc=2026-08-27 13:41:18 UTC target={target}\n  █ TOTAL RESULTS\n\n    CUSTOM\n\
         \x20   {trend}......: avg=12.5ms min=12.5ms med=12.5ms max=12.5ms p(90)=12.5ms p(95)=12.5ms\n\n\
         \x20   HTTP\n    http_reqs......: 60  1/s\nend_utc=2026-08-27 13:42:20 UTC\n"
    )
}

/// B33. Source: `zitadel/zitadel` pull request 12651, fourth fix of the harness; postprocess.sh.
#[test]
fn raw_output_with_the_trends_of_another_target_is_refused_by_its_log() {
    let sweep = Sweep::new("");
    sweep.write("otp_session/otp_session.csv", run_of("password_session_duration", START));
    sweep.write("otp_session/k6.log", log_of("otp_session_duration", "otp_session"));
    sweep.publish(&[]).refused(&["otp_session.csv", "k6.log", "`otp_session_duration`", "`password_session_duration`"]);
}

/// B33, a window of another run. Source: `zitadel/zitadel` pull request 12651.
#[test]
fn raw_output_with_the_window_of_another_run_is_refused_by_its_log() {
    let sweep = Sweep::new("");
    sweep.write("otp_session/otp_session.csv", run_of("otp_session_duration", START + 7_200));
    sweep.write("otp_session/k6.log", log_of("otp_session_duration", "otp_session"));
    sweep.publish(&[]).refused(&["otp_session.csv", "k6.log", "2026-08-27T13:41:18Z", "2026-08-27T15:41:19Z"]);
}

/// B33 without logs. Source: `zitadel/zitadel` pull request 12651.
#[test]
fn one_targets_output_under_another_targets_name_is_refused() {
    let sweep = Sweep::new("");
    sweep.write("password_session/k6.csv", run_of("password_session_duration", START));
    sweep.write("otp_session/k6.csv", run_of("password_session_duration", START + 1));
    sweep.publish(&[]).refused(&["otp_session", "`password_session_duration`", "overlaps"]);

    sweep.write("otp_session/k6.csv", run_of("password_session_duration", START));
    sweep.publish(&[]).refused(&["password_session/k6.csv", "the same bytes", "`otp_session`"]);
}

/// B33, runs that disturbed each other. Source: `zitadel/zitadel` pull request 12651.
#[test]
fn overlapping_windows_are_reported_for_both_runs() {
    let sweep = Sweep::new("");
    sweep.write("password_session/k6.csv", run_of("password_session_duration", START));
    sweep.write("otp_session/k6.csv", run_of("otp_session_duration", START + 30));
    sweep.publish(&[]).done();
    for target in ["password_session", "otp_session"] {
        assert_eq!(warnings(&sweep.evidence(target), "overlapping-windows").len(), 1, "{target}");
    }
}
