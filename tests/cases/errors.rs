//! What failed: causes, bursts, percentages, names.

use crate::support::k6::{Csv, START};
use crate::support::sweep::{Sweep, reduced, warnings};
use sweepdoc::model::{CauseKind, Shape, Time};
use sweepdoc::notation::percent;
use sweepdoc::rows::observed_errors;

const TIMEOUT: &[(&str, &str)] = &[("status", "0"), ("error_code", "1050"), ("error", "request timeout")];
const REFUSED: &[(&str, &str)] = &[("status", "0"), ("error_code", "1212"), ("error", "dial: connection refused")];
const UNAVAILABLE: &[(&str, &str)] = &[("status", "503"), ("error_code", "1503")];

/// B09. Source: `zitadel/zitadel` pull request 12651; three published pages carry truncated figures.
#[test]
fn percentages_stand_beside_both_counts_and_are_cut_as_k6_cuts_them() {
    let row = |failed: u64, total: u64| {
        let share = percent::write(failed, total);
        let log = format!(
            "  █ TOTAL RESULTS\n\n    HTTP\n    http_req_failed......: {share}  {failed} out of {total}\n\
             \x20   http_reqs............: {total}  100.5/s\n"
        );
        observed_errors(&reduced(&[("k6.log", &log)]).evidence)
    };
    assert!(row(182, 466_756).starts_with("182 of 466,756 requests failed (0.03%)"));
    assert!(row(1_789, 3_073_497).starts_with("1,789 of 3,073,497 requests failed (0.05%)"));
    assert!(row(29, 6_335_633).starts_with(r"29 of 6,335,633 requests failed (\<0.01%)"), "not zero is never 0.00%");
    // 3.6299 % of the v4.19.2 password_session page
    assert_eq!(percent::write(36_299, 1_000_000), "3.62%");
}

/// B13. Source: `benc-uk/k6-reporter` issues 15, 55; lysiro 0.1.0 merges both as "HTTP 0".
#[test]
fn failures_without_a_response_are_told_apart_by_their_cause() {
    let mut csv = Csv::healthy(START, 600);
    (0..220).for_each(|n| {
        csv.failure(START + n, 0.0, REFUSED);
    });
    (0..13).for_each(|n| {
        csv.failure(START + 40 * n, 1000.0, TIMEOUT);
    });
    (0..26).for_each(|n| {
        csv.failure(START + 300 + n, 4.0, UNAVAILABLE);
    });
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    let populations = evidence.populations.as_ref().unwrap();
    let kinds: Vec<(u64, CauseKind)> = populations.iter().map(|p| (p.count, p.kind)).collect();
    assert_eq!(kinds, [(220, CauseKind::Connect), (26, CauseKind::HttpStatus), (13, CauseKind::RequestTimeout)]);
    assert_eq!(populations.iter().map(|p| p.count).sum::<u64>(), 259);
    assert!(populations.iter().all(|p| p.first.is_some() && p.last.is_some() && p.requests[0].name == "GET /users"));
}

/// B14. Source: the v4.17.1 page of manipulate_user; `zitadel/zitadel` pull request 12651.
#[test]
fn two_bursts_are_two_populations_with_their_own_times() {
    let mut csv = Csv::healthy(START, 1812);
    let at = |clock: &str| Time::parse_rfc3339(&format!("2026-08-27T{clock}Z")).unwrap();
    let spread = |from: &str, to: &str, n: i64| {
        let (from, to) = (at(from).unix_seconds(), at(to).unix_seconds());
        (0..n).map(move |i| from + i * (to - from) / (n - 1))
    };
    spread("13:43:19", "13:44:13", 150).for_each(|second| {
        csv.failure(second, 9.0, UNAVAILABLE);
    });
    spread("14:08:48", "14:11:02", 75).for_each(|second| {
        csv.failure(second, 60_000.0, TIMEOUT);
    });
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    let [first, second] = evidence.populations.as_deref().unwrap() else { panic!("{:?}", evidence.populations) };
    assert_eq!((first.count, first.first, first.last), (150, Some(at("13:43:19")), Some(at("13:44:13"))));
    assert_eq!((second.count, second.first, second.last), (75, Some(at("14:08:48")), Some(at("14:11:02"))));
    assert_eq!((first.shape, second.shape), (Some(Shape::Burst), Some(Shape::Burst)));
    assert!((first.share - 150.0 / 225.0).abs() < 1e-12 && (second.share - 75.0 / 225.0).abs() < 1e-12);
    let row = observed_errors(&evidence);
    assert!(row.starts_with("225 of 2,037 requests failed"), "{row}");
    for part in [
        "**150 HTTP 503** (66.66% of 225)",
        "**75 request timeouts** (33.33% of 225)",
        "24min 35s after the last of (1)",
    ] {
        assert!(row.contains(part), "`{part}` is missing in {row}");
    }
}

/// B19. Source: `mdx-js/eslint-mdx` issue 381, `micromark/micromark-extension-mdx-expression` issue 9, `zitadel/zitadel` pull request 10360.
#[test]
fn names_that_mdx_would_take_for_code_are_shown_as_they_are() {
    let mut csv = Csv::healthy(START, 30);
    for name in ["ok {status} <200> a|b", "p95 <5s", "{1+1}", "<br>", "<!-- x -->"] {
        (0..10).for_each(|n| {
            csv.sample("checks", START + n, 0.0, &[("check", name)]);
        });
    }
    let sweep = Sweep::of_run([("k6.csv", csv.0.as_str())]);
    sweep.publish(&[]).done(); // every page is parsed as MDX before it is written
    let page = sweep.page("pat_login");
    for shown in
        [r"ok \{status\} \<200\> a\|b (10)", r"p95 \<5s (10)", r"\{1+1\} (10)", r"\<br\> (10)", r"\<!-- x --\> (10)"]
    {
        assert!(page.contains(shown), "`{shown}` is missing in {page}");
    }
}

/// B37. Source: `zitadel/zitadel` pull request 12651, first fix of the harness.
#[test]
fn one_check_name_for_several_requests_is_pointed_out() {
    let mut csv = Csv::healthy(START, 30);
    for second in START..START + 10 {
        for (name, passed) in [("lock", 0.0), ("unlock", 0.0), ("update", 1.0)] {
            let tags = [("check", "update user ok"), ("method", "POST"), ("name", name), ("status", "200")];
            csv.sample("checks", second, passed, &tags);
        }
    }
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    let [several] = warnings(&evidence, "check-covers-several-requests")[..] else { panic!("{:?}", evidence.warnings) };
    assert!(several.contains("`update user ok`") && several.contains("3 requests"), "{several}");
    let [success] = warnings(&evidence, "check-fails-on-success")[..] else { panic!("{:?}", evidence.warnings) };
    assert!(success.contains("20 times on a response with a status below 400"), "{success}");
}

/// B37 as k6 writes it: checks carry neither request nor status. Source: `zitadel/zitadel` pull request 12651.
#[test]
fn a_shared_check_name_shows_in_counts_and_seconds_alone() {
    let mut csv = Csv::healthy(START, 30);
    for second in START..START + 30 {
        [0.0, 0.0, 1.0].into_iter().for_each(|passed| {
            csv.sample("checks", second, passed, &[("check", "update user ok")]);
        });
    }
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    assert_eq!(warnings(&evidence, "check-covers-several-requests").len(), 1);
    let [success] = warnings(&evidence, "check-fails-on-success")[..] else { panic!("{:?}", evidence.warnings) };
    assert!(success.contains("60 times in seconds in which no request failed"), "{success}");
}
