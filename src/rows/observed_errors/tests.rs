use std::collections::BTreeMap;

use super::*;
use crate::model::*;

fn time(text: &str) -> Time {
    Time::parse_rfc3339(&format!("2026-08-27T{text}Z")).unwrap()
}

/// A run from 13:41:19 to 14:11:30 with the given failed requests, nothing else known to be wrong.
fn evidence(failed: u64, populations: Vec<Population>) -> Evidence {
    Evidence {
        window: Some(EvidenceWindow { start: time("13:41:19"), end: time("14:11:30"), basis: WindowBasis::Test }),
        requests: Some(Requests { run: RequestCount { total: 171_987, failed: Some(failed) }, test: None }),
        iterations: Iterations {
            complete: Some(34_399),
            interrupted: Some(0),
            dropped: None,
            exceptions: Some(ExceptionCount::default()),
        },
        populations: Some(populations),
        ..Evidence::default()
    }
}

fn population(id: u32, kind: CauseKind, count: u64, first: &str, last: &str, shape: Shape) -> Population {
    Population {
        id,
        phase: Phase::Test,
        origin: PopulationOrigin::Raw,
        kind,
        status: None,
        error_code: None,
        error: String::new(),
        label: None,
        count,
        share: 0.0,
        first: Some(time(first)),
        last: Some(time(last)),
        first_offset_seconds: None,
        shape: Some(shape),
        bursts: Vec::new(),
        per_minute: None,
        requests: Vec::new(),
    }
}

/// 150 x 503 within 55 s at minute two, 75 timeouts in the last minutes: published once as "225 failed".
fn two_bursts() -> Evidence {
    let mut status = population(1, CauseKind::HttpStatus, 150, "13:43:19", "13:44:13", Shape::Burst);
    status.status = Some(503);
    let timeouts = population(2, CauseKind::RequestTimeout, 75, "14:08:48", "14:11:02", Shape::Burst);
    evidence(225, vec![status, timeouts])
}

fn clauses(evidence: &Evidence) -> Vec<String> {
    observed_errors(evidence).split("<br/>").map(str::to_owned).collect()
}

fn check(name: &str, fails: u64, within: &[(u32, u64)], elsewhere: Option<u64>) -> CheckByName {
    CheckByName {
        name: Some(name.into()),
        passes: None,
        fails,
        fails_within: within.iter().copied().collect::<BTreeMap<_, _>>(),
        fails_elsewhere: elsewhere,
    }
}

#[test]
fn two_bursts_are_two_populations_with_windows_shares_and_the_gap() {
    assert_eq!(
        clauses(&two_bursts()),
        [
            "225 of 171,987 requests failed (0.13%):",
            "(1) **150 HTTP 503** (66.66% of 225): one burst of 55s from 13:43:19 to 13:44:13 UTC, 2min into the run; \
             no failure before, none of this cause in the remaining 27min 17s.",
            "(2) **75 request timeouts** (33.33% of 225): one burst of 2min 15s from 14:08:48 to 14:11:02 UTC, \
             27min 29s into the run; 24min 35s after the last of (1), no failure in the remaining 28s.",
            "Unexplained: 0.",
        ]
    );
}

#[test]
fn sustained_failures_state_their_range_by_the_minute() {
    let mut timeouts = population(1, CauseKind::RequestTimeout, 8_178, "13:41:30", "14:11:20", Shape::Sustained);
    timeouts.per_minute = Some(PerMinute { min: 125, max: 360, minutes_with_failures: 31 });
    let clause = &clauses(&evidence(8_178, vec![timeouts]))[1];
    assert_eq!(
        clause,
        "(1) **8,178 request timeouts** (100.00% of 8,178): sustained from 13:41:30 to 14:11:20 UTC, \
         in every one of 31 minutes, 125 to 360 a minute, beginning 11s into the run; \
         no failure before, no failure in the remaining 10s."
    );
}

#[test]
fn several_bursts_and_what_lies_outside_them_sum_to_the_population() {
    let mut p = population(1, CauseKind::ConnectionReset, 32, "13:41:19", "14:11:30", Shape::Bursts);
    p.error = "read: connection reset by peer".into();
    let burst = |start, end, count| Burst { start: time(start), end: time(end), count };
    p.bursts = vec![burst("13:41:19", "13:41:28", 20), burst("14:11:30", "14:11:30", 10)];
    assert_eq!(
        clauses(&evidence(32, vec![p]))[1],
        "(1) **32 connection resets** (100.00% of 32), “read: connection reset by peer”: 2 bursts: \
         20 in 10s from 13:41:19 to 13:41:28 UTC, beginning in the first second of the run; \
         10 in 1s at 14:11:30 UTC, 30min 11s into the run; 2 outside them; \
         no failure before, lasting to the end of the run."
    );
}

#[test]
fn scattered_and_single_failures_name_their_minutes() {
    let mut scattered = population(1, CauseKind::HttpStatus, 4, "13:42:00", "14:00:00", Shape::Scattered);
    scattered.status = Some(502);
    scattered.per_minute = Some(PerMinute { min: 0, max: 1, minutes_with_failures: 4 });
    let mut single = population(2, CauseKind::Unknown, 1, "13:50:00", "13:50:00", Shape::Burst);
    single.error_code = Some(1000);
    single.error = "EOF".into();
    let clauses = clauses(&evidence(5, vec![scattered, single]));
    assert_eq!(
        clauses[1],
        "(1) **4 HTTP 502** (80.00% of 5): scattered from 13:42:00 to 14:00:00 UTC, in 4 of 31 minutes, \
         beginning 41s into the run; no failure before, no failure in the remaining 11min 30s."
    );
    assert_eq!(
        clauses[2],
        "(2) **1 failure of unrecorded cause** (20.00% of 5), “EOF”: at 13:50:00 UTC, 8min 41s into the run; \
         while (1) went on, none of this cause in the remaining 21min 30s."
    );
}

#[test]
fn failures_in_setup_and_teardown_are_said_to_be_there() {
    let setup = Population {
        phase: Phase::Setup,
        ..population(1, CauseKind::Connect, 2, "13:41:07", "13:41:10", Shape::Burst)
    };
    let outside = Population { phase: Phase::Outside, id: 2, ..setup.clone() };
    let clauses = clauses(&evidence(4, vec![setup, outside]));
    assert_eq!(
        clauses[1],
        "(1) **2 failed connections** (50.00% of 4): in setup, before the test; \
         one burst of 4s from 13:41:07 to 13:41:10 UTC, 12s before the first sample of the test."
    );
    assert!(clauses[2].contains("in setup or teardown, outside the test"));
}

#[test]
fn unknown_phases_are_admitted_once() {
    let mut evidence = two_bursts();
    evidence.populations.iter_mut().flatten().for_each(|p| p.phase = Phase::Unknown);
    assert_eq!(clauses(&evidence).last().unwrap(), "Setup and teardown could not be told from the test.");
}

#[test]
fn a_named_cause_and_hostile_error_texts_fit_the_cell() {
    let mut status = population(1, CauseKind::HttpStatus, 3, "13:43:19", "13:44:13", Shape::Burst);
    status.error_code = Some(1503); // the `status` tag was switched off
    status.label = Some("platform error (load balancer), not ZITADEL".into());
    let mut network = population(2, CauseKind::Network, 1, "13:43:19", "13:43:19", Shape::Burst);
    network.error = "bad {x} <y> a|b".into();
    let clauses = clauses(&evidence(4, vec![status, network]));
    assert!(clauses[1].starts_with("(1) **3 HTTP 503** (75.00% of 4), platform error (load balancer), not ZITADEL: "));
    assert!(clauses[2].starts_with("(2) **1 network error** (25.00% of 4), “bad \\{x\\} \\<y\\> a\\|b”: "));
}

#[test]
fn the_requests_that_failed_are_named() {
    let named = |name: &str, count| NamedCount { name: name.into(), count };
    let with = |requests: Vec<NamedCount>| {
        let p = Population {
            requests,
            ..population(1, CauseKind::RequestTimeout, 10, "13:43:19", "13:44:13", Shape::Burst)
        };
        clauses(&evidence(10, vec![p]))[1].clone()
    };
    assert!(with(vec![named("POST /users/{id}", 10)]).contains("; all on POST /users/\\{id\\};"));
    assert!(with(vec![named("a", 6), named("b", 4)]).contains("; on a (6), b (4);"));
    let many = vec![named("a", 4), named("b", 3), named("c", 2), named("d", 1)];
    assert!(with(many).contains("; most on a (4);"));
}

#[test]
fn failed_checks_are_named_with_the_populations_they_fell_into() {
    let mut evidence = two_bursts();
    evidence.checks = Some(Checks {
        total: 137_522,
        failed: 127,
        by_name: vec![
            check("create user", 29, &[(1, 29)], Some(0)),
            check("update user", 41, &[(1, 20), (2, 19)], Some(2)),
            check("lock user", 25, &[(2, 25)], Some(0)),
            check("delete user", 32, &[(1, 32)], Some(0)),
            check("org created", 0, &[], Some(0)),
        ],
    });
    assert_eq!(
        clauses(&evidence)[4],
        "127 of 137,522 checks failed (0.09%), by name and the window they fell into: \
         update user (41: 20 in (1), 19 in (2), 2 at other times), \
         delete user (32, all in (1)), create user (29, all in (1)), lock user (25, all in (2))."
    );
}

#[test]
fn a_place_all_failed_checks_share_is_said_once() {
    let mut evidence = two_bursts();
    let checks = |within: &[(u32, u64)], elsewhere| {
        Some(Checks { total: 100, failed: 3, by_name: vec![check("a {b}", 3, within, elsewhere)] })
    };
    evidence.checks = checks(&[(2, 3)], Some(0));
    assert_eq!(
        clauses(&evidence)[4],
        "3 of 100 checks failed (3.00%): a \\{b\\} (3); all of them in the window of (2)."
    );
    evidence.checks = checks(&[], Some(3));
    assert!(clauses(&evidence)[4].ends_with("a \\{b\\} (3); all of them outside the times above."));
    evidence.checks = checks(&[], None);
    assert!(clauses(&evidence)[4].ends_with(": a \\{b\\} (3)."), "when they fell is not known");
}

#[test]
fn many_failed_checks_and_unnamed_ones_still_sum() {
    let mut evidence = evidence(0, Vec::new());
    let mut by_name: Vec<CheckByName> = (1..=14).map(|n| check(&format!("c{n}"), 20 - n, &[], None)).collect();
    by_name.push(CheckByName { name: None, ..check("", 1, &[], None) });
    // 19 + 18 + … + 6 = 175, one without a name, 4 the data does not name at all
    evidence.checks = Some(Checks { total: 1_000, failed: 180, by_name });
    let clause = &clauses(&evidence)[0];
    assert!(clause.starts_with("180 of 1,000 checks failed (18.00%): c1 (19), c2 (18), "), "{clause}");
    // beyond the twelfth: c13 with 7, c14 with 6, the nameless one
    assert!(clause.ends_with("c12 (8), 3 further checks (14), checks not named in the data (4)."), "{clause}");
}

#[test]
fn iterations_that_threw_were_cut_off_or_dropped_are_counted() {
    let mut evidence = evidence(0, Vec::new());
    evidence.iterations = Iterations {
        complete: Some(10),
        interrupted: Some(600),
        dropped: Some(169),
        exceptions: Some(ExceptionCount { count: 1, texts: vec!["TypeError: <x>".into()], outside_iterations: false }),
    };
    assert_eq!(
        clauses(&evidence),
        [
            "1 iteration was ended by an exception: “TypeError: \\<x\\>”.",
            "600 iterations were interrupted before the end.",
            "169 iterations were dropped: no VU was free to run them.",
        ]
    );
}

#[test]
fn none_is_said_only_when_the_data_says_so() {
    let mut evidence = evidence(0, Vec::new());
    assert_eq!(observed_errors(&evidence), "none");
    evidence.checks = Some(Checks { total: 1_912_971, failed: 0, by_name: Vec::new() });
    assert_eq!(observed_errors(&evidence), "none");
    evidence.iterations.exceptions = None;
    assert_eq!(
        observed_errors(&evidence),
        "none of 171,987 requests failed; none of 1,912,971 checks failed; \
         not known: whether iterations ended by an exception (no log)"
    );
    evidence.requests = None;
    assert!(
        observed_errors(&evidence)
            .ends_with("not known: how many requests failed, whether iterations ended by an exception (no log)")
    );
}

#[test]
fn nothing_known_is_not_none() {
    assert_eq!(
        observed_errors(&Evidence::default()),
        "not known: neither raw k6 output nor an end-of-test summary says what failed"
    );
}

#[test]
fn causes_nobody_recorded_remain_as_a_number() {
    let mut evidence = evidence(225, Vec::new());
    evidence.populations = None;
    assert_eq!(
        clauses(&evidence),
        [
            "225 of 171,987 requests failed (0.13%).",
            "Unexplained: 225; without raw k6 output neither causes nor times are known."
        ]
    );
}

#[test]
fn log_lines_explain_part_of_the_failures() {
    let timeouts = Population {
        origin: PopulationOrigin::Log,
        first: None,
        last: None,
        shape: None,
        ..population(1, CauseKind::RequestTimeout, 75, "14:08:48", "14:11:02", Shape::Burst)
    };
    let clauses = clauses(&evidence(225, vec![timeouts.clone()]));
    assert_eq!(
        clauses[1],
        "(1) **75 request timeouts** (33.33% of 225): at times not recorded. Known from the log's lines only."
    );
    assert_eq!(clauses[2], "Unexplained: 150; neither the raw output nor the log has their causes.");
    let more = observed_errors(&evidence(70, vec![timeouts.clone()]));
    assert!(more.ends_with("Unexplained: 0; the log names 5 more than failed."), "{more}");
    let mut unknown = evidence(0, vec![timeouts]);
    unknown.requests = None;
    assert!(
        observed_errors(&unknown)
            .starts_with("how many requests failed is not known:<br/>(1) **75 request timeouts**: ")
    );
}

#[test]
fn a_share_too_small_for_two_decimals_compiles_and_is_not_nothing() {
    let mut evidence = evidence(5, Vec::new());
    evidence.requests = Some(Requests { run: RequestCount { total: 1_435_330, failed: Some(5) }, test: None });
    assert!(clauses(&evidence)[0].starts_with("5 of 1,435,330 requests failed (\\<0.01%)"));
}

#[test]
fn a_run_past_midnight_states_dates() {
    let late = population(1, CauseKind::RequestTimeout, 2, "23:59:50", "23:59:59", Shape::Burst);
    let mut evidence = evidence(2, vec![late]);
    let end = Time::parse_rfc3339("2026-08-28T00:10:00Z").unwrap();
    evidence.window = Some(EvidenceWindow { start: time("23:40:00"), end, basis: WindowBasis::Test });
    assert!(clauses(&evidence)[1].contains("one burst of 10s from 2026-08-27 23:59:50 to 2026-08-27 23:59:59 UTC"));
}

#[test]
fn a_log_claims_no_silence() {
    let logged = |id, first, last| Population {
        origin: PopulationOrigin::Log,
        shape: None,
        ..population(id, CauseKind::RequestTimeout, 5, first, last, Shape::Burst)
    };
    let evidence = evidence(10, vec![logged(1, "13:43:19", "13:43:23"), logged(2, "13:50:00", "13:50:04")]);
    assert_eq!(
        clauses(&evidence)[1],
        "(1) **5 request timeouts** (50.00% of 10): 5s from 13:43:19 to 13:43:23 UTC, 2min into the run. \
         Known from the log's lines only."
    );
    assert!(!observed_errors(&evidence).contains("after the last of"));
}

#[test]
fn failures_of_setup_and_teardown_count_as_before_and_after() {
    let of = |phase, id, first, last| Population {
        phase,
        ..population(id, CauseKind::RequestTimeout, 2, first, last, Shape::Burst)
    };
    let test = of(Phase::Test, 1, "13:43:19", "13:44:13");
    let setup = of(Phase::Setup, 2, "13:41:00", "13:41:09");
    let teardown = of(Phase::Teardown, 3, "14:11:40", "14:11:41");
    let clause = |all: Vec<Population>| clauses(&evidence(2 * all.len() as u64, all))[1].clone();
    let text = clause(vec![test.clone(), setup, teardown.clone()]);
    assert!(
        text.ends_with("; 2min 10s after the last of (2), no failure in the remaining 27min 17s of the test."),
        "{text}"
    );
    let lasting = clause(vec![of(Phase::Test, 1, "13:43:19", "14:11:30"), teardown]);
    assert!(lasting.ends_with("; no failure before, lasting to the end of the test."), "{lasting}");
}

#[test]
fn data_that_was_cut_off_says_nothing_of_the_rest_of_the_run() {
    for code in ["truncated-input", "skipped-rows"] {
        let mut evidence = two_bursts();
        evidence.warnings.push(Warning::new(code, "the raw output was cut off"));
        let cut = clauses(&evidence);
        assert!(cut[1].ends_with("; no failure before, none of this cause to the end of the data."), "{}", cut[1]);
        assert!(cut[2].ends_with(" after the last of (1), no failure to the end of the data."), "{}", cut[2]);
        evidence.window.as_mut().unwrap().end = time("14:11:02");
        assert!(clauses(&evidence)[2].ends_with(", lasting to the end of the data."));
    }
}

#[test]
fn failures_without_a_cause_may_have_been_at_any_time() {
    let mut evidence = two_bursts();
    evidence.requests.as_mut().unwrap().run.failed = Some(226);
    let text = observed_errors(&evidence);
    assert!(!text.contains("no failure"), "{text}");
    assert!(text.contains("(2) **75 request timeouts** (33.18% of 226)"), "{text}");
}

#[test]
fn many_populations_are_summed_up_and_no_text_points_to_them() {
    let of = |id: u32, count| population(id, CauseKind::RequestTimeout, count, "13:43:19", "13:44:13", Shape::Burst);
    let mut all: Vec<Population> = (1..=11).map(|id| of(id, 100 - u64::from(id))).collect();
    all.push(Population { phase: Phase::Setup, ..of(12, 500) });
    // 99 + 98 + … + 89 = 1,034 in the test, 500 in setup; left out are the smallest, 10 and 11, with 90 and 89
    let mut evidence = evidence(1_534, all);
    evidence.checks = Some(Checks {
        total: 100,
        failed: 3,
        by_name: vec![check("a", 2, &[(1, 1), (11, 1)], Some(0)), check("b", 1, &[(11, 1)], Some(0))],
    });
    let clauses = clauses(&evidence);
    assert_eq!(clauses.len(), 1 + 10 + 1 + 1 + 1);
    assert!(clauses[9].starts_with("(9) **91 ") && clauses[10].starts_with("(12) **500 "), "{clauses:?}");
    assert_eq!(clauses[11], "2 further causes (179 failures).");
    assert_eq!(
        clauses[13],
        "3 of 100 checks failed (3.00%), by name and the window they fell into: \
         a (2: 1 in (1), 1 in a further cause), b (1, all in a further cause)."
    );
}

#[test]
fn long_texts_are_cut() {
    let mut p = population(1, CauseKind::Tls, 1, "13:43:19", "13:43:19", Shape::Burst);
    p.error = format!("x509: {}", "é".repeat(400));
    let text = observed_errors(&evidence(1, vec![p]));
    assert!(text.contains(&format!("“x509: {}…”", "é".repeat(114))), "{text}");
}

#[test]
fn what_nobody_recorded_is_said_beside_what_failed() {
    let mut evidence = two_bursts();
    evidence.iterations.exceptions = None;
    evidence.iterations.interrupted = None;
    assert_eq!(
        clauses(&evidence).last().unwrap(),
        "Not known: whether iterations ended by an exception (no log), whether iterations were interrupted."
    );
}

mod property {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> u64 {
        text.replace(',', "").parse().unwrap()
    }

    proptest! {
        #[test]
        fn counts_in_the_text_sum_to_the_total(counts in prop::collection::vec(1_u64..100_000, 0..16), rest in 0_u64..5_000) {
            let populations: Vec<Population> = counts
                .iter()
                .zip(1..)
                .map(|(n, id)| population(id, CauseKind::RequestTimeout, *n, "13:43:19", "13:44:13", Shape::Scattered))
                .collect();
            let total = counts.iter().sum::<u64>() + rest;
            prop_assume!(total > 0);
            let text = observed_errors(&evidence(total, populations));
            let head = regex::Regex::new(r"^([\d,]+) of 171,987 requests failed").unwrap();
            prop_assert_eq!(number(&head.captures(&text).unwrap()[1]), total);
            let parts = regex::Regex::new(r"\(\d+\) \*\*([\d,]+) |Unexplained: ([\d,]+)|further causes? \(([\d,]+) ").unwrap();
            let sum: u64 = parts
                .captures_iter(&text)
                .filter_map(|c| c.get(1).or(c.get(2)).or(c.get(3)).map(|m| number(m.as_str().trim_end_matches(','))))
                .sum();
            prop_assert_eq!(sum, total);
        }
    }
}
