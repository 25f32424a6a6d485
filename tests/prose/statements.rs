//! Statements of our own about case B14, each with what it comes to.

use super::*;
use Verdict::{Ok, Rounded, Truncated, Unverifiable, Wrong};
use sweepdoc::check::prose::Kind;

/// Statement and its worst verdict; `None` for a statement without any claim about this run.
const STATEMENTS: &[(&str, Option<Verdict>)] = &[
    // totals and shares: 225 / 171,987 = 0.130824 %, 127 / 137,522 = 0.092349 %
    ("225 of 171,987 requests failed (0.13%).", Some(Ok)),
    ("225 of 171987 requests failed, 0.13%.", Some(Ok)),
    ("225 of 171,987 requests failed (0.14%).", Some(Wrong)),
    ("226 of 171,987 requests failed.", Some(Wrong)),
    ("225 of 171,986 requests failed.", Some(Wrong)),
    ("225 of 171,976 requests failed.", Some(Ok)),
    ("225 of 171,987 requests failed (0.131%).", Some(Rounded)),
    ("225 of 171,987 requests failed (0.130%).", Some(Truncated)),
    ("127 of 137,522 checks failed (0.09%).", Some(Ok)),
    ("127 of 137,522 checks failed (0.10%).", Some(Wrong)),
    ("172 of 137,522 checks failed.", Some(Wrong)),
    ("127 failed checks.", Some(Ok)),
    ("None of 171,987 requests failed.", Some(Wrong)),
    // counts
    ("150 requests ended in HTTP 503.", Some(Ok)),
    ("150 HTTP 503 and 75 request timeouts.", Some(Ok)),
    ("105 HTTP 503 and 75 request timeouts.", Some(Wrong)),
    ("150x HTTP 503, 57x request timeout.", Some(Wrong)),
    ("150 HTTP 504.", Some(Wrong)),
    ("HTTP 503 (150), timeouts (75).", Some(Ok)),
    ("HTTP 503 (151), timeouts (75).", Some(Wrong)),
    // names of requests
    ("150 HTTP 503, all on POST /v2/users/human.", Some(Ok)),
    ("150 HTTP 503 on `POST /v2/users/human` (150).", Some(Ok)),
    ("150 HTTP 503 on `POST /v2/users/human` (140).", Some(Wrong)),
    ("150 HTTP 503, all on POST /v2/users/machine.", Some(Wrong)),
    ("No connection resets.", Some(Ok)),
    ("1x connection reset.", Some(Wrong)),
    ("About 150 503s.", Some(Ok)),
    ("About 190 503s.", Some(Wrong)),
    ("More than 70 timeouts.", Some(Ok)),
    ("More than 80 timeouts.", Some(Wrong)),
    ("75 request timeouts (33.33% of 225).", Some(Ok)),
    ("75 request timeouts (0.04%).", Some(Ok)),
    ("75 request timeouts (0.06%).", Some(Wrong)),
    ("150 platform errors: HTTP 503 from the load balancer.", Some(Ok)),
    ("140 platform errors: HTTP 503 from the load balancer.", Some(Wrong)),
    // windows
    ("150 HTTP 503 from 13:43:19 to 13:44:13 UTC.", Some(Ok)),
    ("150 HTTP 503 from 13:43:19 to 13:44:31 UTC.", Some(Wrong)),
    ("HTTP 503s between 13:43 and 13:44.", Some(Ok)),
    ("HTTP 503s between 13:43 and 13:46.", Some(Wrong)),
    ("75 timeouts, 14:08–14:11.", Some(Ok)),
    ("75 timeouts, 14:07–14:11.", Some(Wrong)),
    ("The first timeout came at 14:08:48.", Some(Ok)),
    ("The first timeout came at 14:09:48.", Some(Wrong)),
    ("The last 503 was at 13:44:13.", Some(Ok)),
    ("Something happened from 13:50:00 to 13:51:00.", Some(Unverifiable)),
    // lengths and gaps
    ("The 503s came in a 55-second burst.", Some(Ok)),
    ("The 503s came in a 65-second burst.", Some(Wrong)),
    ("The timeouts went on for 2min 15s.", Some(Ok)),
    ("The timeouts went on for 2min 51s.", Some(Wrong)),
    ("Two unrelated failures, 25 minutes apart.", Some(Ok)),
    ("Two unrelated failures, 35 minutes apart.", Some(Wrong)),
    ("Two unrelated failures, 24min 35s apart.", Some(Ok)),
    // offsets
    ("The 503s began two minutes into the run.", Some(Ok)),
    ("The 503s began four minutes into the run.", Some(Wrong)),
    ("The first timeout arrives 1,649s (~27min) into the run.", Some(Ok)),
    ("The first timeout arrives 1,658s into the run.", Some(Wrong)),
    ("The first timeout arrives 1,658s into the run, counted from the launcher's stamp.", Some(Unverifiable)),
    // absence
    ("503s from 13:43:19 to 13:44:13, with no recurrence in the following 25 minutes.", Some(Ok)),
    ("503s from 13:43:19 to 13:44:13, with no recurrence in the following 35 minutes.", Some(Wrong)),
    ("503s from 13:43:19 to 13:44:13, none before or after.", Some(Ok)),
    ("503s: none after 13:44:13.", Some(Ok)),
    ("503s: none after 13:44:03.", Some(Wrong)),
    ("No timeouts before 14:08:48.", Some(Ok)),
    ("No timeouts before 14:10:48.", Some(Wrong)),
    // checks
    ("127 of 137,522 checks failed: create user (29), update user (41), lock user (25), delete user (32).", Some(Ok)),
    ("127 of 137,522 checks failed: create user (28), update user (41).", Some(Wrong)),
    ("Failed checks: create user is status ok (29 failed).", Some(Ok)),
    ("Failed checks: `create user` (92).", Some(Wrong)),
    ("Failed checks: rename user (29).", Some(Unverifiable)),
    ("Failed checks: user (29).", Some(Ok)),
    ("Failed checks: user (30).", Some(Unverifiable)),
    ("127 checks failed, all of them within the two windows above.", Some(Ok)),
    ("503s from 13:43:19 to 13:44:13; 127 checks failed, all of them within that window.", Some(Wrong)),
    ("87 failed checks between 13:43:19 and 13:44:13.", Some(Ok)),
    ("78 failed checks between 13:43:19 and 13:44:13.", Some(Wrong)),
    ("40 of the failed checks fell into the timeouts.", Some(Ok)),
    ("44 of the failed checks fell into the timeouts.", Some(Wrong)),
    // iterations
    ("75 timeouts aborted **0** iterations.", Some(Ok)),
    ("75 timeouts aborted 3 iterations.", Some(Wrong)),
    ("No iteration was interrupted.", Some(Ok)),
    ("12 iterations were interrupted.", Some(Wrong)),
    ("34,399 iterations completed.", Some(Ok)),
    ("This target ran at 200 VUs, unlike the other targets with 600.", Some(Ok)),
    // shapes
    ("The 503s are one burst.", Some(Ok)),
    ("The 503s were sustained across the whole run.", Some(Wrong)),
    ("The timeouts are scattered.", Some(Unverifiable)),
    // one reading is enough, and what words leave open is not decided
    ("503s and timeouts between 13:43:19 and 14:11:02.", Some(Ok)),
    ("503s and timeouts between 13:43:29 and 14:11:02.", Some(Wrong)),
    ("171,762 requests answered with HTTP 200.", None),
    ("Retries on HTTP 429 are switched off.", None),
    ("The five failures were HTTP 502s.", Some(Wrong)),
    ("Failures from 13:43:19 to 14:11:02 UTC.", Some(Ok)),
    ("Failures from 13:43:19 to 14:12:02 UTC.", Some(Wrong)),
    ("They began at 14:08:48.", Some(Ok)),
    ("Latency climbed from 14:00 to 14:10.", Some(Unverifiable)),
    ("A deploy at 13:50 went unnoticed.", Some(Unverifiable)),
    ("The first 503 came after 120s.", Some(Ok)),
    ("The first 503 came after 130s.", Some(Wrong)),
    ("75 timeouts in the last three minutes.", Some(Ok)),
    ("40 of the timeouts came in the first five minutes.", Some(Wrong)),
    ("Timeouts peaked at 35 a minute.", Some(Wrong)),
    ("No failures in the first minute.", Some(Ok)),
    ("No failures in the first three minutes.", Some(Wrong)),
    ("Two thirds of the failures were 503s.", Some(Ok)),
    ("All 225 failures are explained by the two causes.", Some(Ok)),
    ("All 252 failures are explained by the two causes.", Some(Wrong)),
    ("HTTP 503 means the load balancer had no backend.", Some(Ok)),
    ("Not HTTP 504, as on other systems.", None),
    ("Retries after 5 seconds would have hidden it.", None),
    ("p95 was 10s and 3 containers restarted at 2 Gi.", None),
    // the older page is not there: nothing is known of the 77
    ("Compared with 77 timeouts in the previous run, 75 timeouts here.", Some(Unverifiable)),
    ("The run lasted from 13:41:19 to 14:11:30.", Some(Ok)),
    ("The run lasted from 13:41:19 to 14:12:30.", Some(Wrong)),
    ("The 503s fell into one minute 14 seconds at most, in 2 minutes.", Some(Ok)),
    // more ways to say what is true: none may be called wrong
    ("Of the 171,987 requests 225 failed.", None),
    ("Failed requests: 225 (0.13%).", Some(Ok)),
    ("A total of 225 requests failed.", Some(Ok)),
    ("There were 225 failures: 150 were HTTP 503 and 75 were timeouts.", Some(Ok)),
    ("The load balancer returned 150 503 responses within one minute.", Some(Ok)),
    ("75 requests timed out.", Some(Ok)),
    ("75 requests ran into the client timeout of 60s.", None),
    ("75 timeouts after 60 seconds each.", Some(Ok)),
    ("150 × HTTP 503, 75 × timeout.", Some(Ok)),
    ("0.13% of all requests failed.", Some(Ok)),
    ("0.09% of checks failed.", Some(Ok)),
    ("The 503s took 2 of 7 containers out.", Some(Ok)),
    ("From 13:43:19 to 13:44:13 UTC 150 requests failed with HTTP 503.", Some(Ok)),
    ("The timeouts set in after 27 minutes and last until the end of the run.", Some(Ok)),
    ("The timeouts start at minute 27.", None),
    ("Between the two lie 24 minutes without a failure.", None),
    ("Both failures together: 225. The first at 13:43:19, the last at 14:11:02.", Some(Ok)),
    ("24min 35s after the last 503 the timeouts begin.", Some(Ok)),
    ("A timeout is counted after 60s, so 75 of them took 75 minutes of VU time.", None),
    ("At 13:43 one of 7 instances was replaced.", Some(Unverifiable)),
    // other rows
    ("Not resource-bound: database CPU 98%, ZITADEL CPU 16%.", Some(Ok)),
    ("Not resource-bound: database CPU 89%.", Some(Verdict::Contradicted)),
    ("The database is saturated (98% CPU).", Some(Ok)),
    ("35% of the time is advisory-lock wait, so more vCPU buys little.", Some(Ok)),
    ("53% of the time is advisory-lock wait.", Some(Verdict::Contradicted)),
    ("The load sat on 4 of 7 containers.", Some(Ok)),
    ("The load sat on 5 of 7 containers.", Some(Verdict::Contradicted)),
    ("86% of the top-5 query time went elsewhere.", None),
    // products
    ("42 vCPU in all.", Some(Ok)),
    ("48 vCPU in all.", Some(Verdict::Contradicted)),
    ("7 x 6 = 42 of them.", Some(Ok)),
    ("7 x 6 = 46 of them.", Some(Verdict::Contradicted)),
    ("Two more vCPU would help.", None),
    // single failures at times
    ("Two single timeouts at 14:08:48 and 14:11:02.", Some(Wrong)),
    // offsets from a zero that is named
    ("The first timeout arrives 1,658s into the run, counted from the launcher's stamp, 13:41:10.", Some(Ok)),
    ("The first timeout arrives 1,649s into the run, counted from the launcher's stamp, 13:41:10.", Some(Wrong)),
    // sums of causes, rates, what is inside which window
    ("150 HTTP 503 and 75 timeouts make 225 failures.", Some(Ok)),
    ("150 HTTP 503 and 75 timeouts make 235 failures.", Some(Wrong)),
    ("None of the 225 failures is explained.", Some(Ok)),
    ("None of the 5 failures is explained.", Some(Wrong)),
    ("127 checks failed, none of them outside the two windows.", Some(Ok)),
    ("127 checks failed, all of them during (1).", Some(Wrong)),
    ("2 iterations ended by an exception.", Some(Wrong)),
    ("No iteration was dropped.", Some(Ok)),
    ("The 503s were not sustained.", Some(Ok)),
    ("The autovacuum set in after 490s.", None),
    ("The backup lasted 50 seconds.", None),
    // not about this run, or no claim at all
    ("An earlier run at 200 VUs had 81 timeouts, the first after 1,300s.", None),
    ("At 600 VUs all of it starts after 150s.", None),
    ("If 500 requests failed, that would be 0.3%.", None),
    ("See `benchmark/2026-08-27-503-burst.md` and commit cdde3ab3e, v4.17.1.", None),
    ("The cause is a container restart.", None),
];

pub(super) const OTHERS: &[(&str, &str)] = &[
    ("Test start", "2026-08-27 13:41:19 UTC"),
    ("ZITADEL metrics during test", "CPU: p50 16%, p99 23% (peak 41%)\nMemory: p50 7%, peak 12%"),
    ("Database metrics during test", "CPU: 98% median, 100% peak\nMemory: 40%"),
    ("ZITADEL container specification", "vCPU: 6\nMemory: 6 Gi\nContainer max scale: 7"),
    ("Top queries", "Advisory-lock wait: 35% of the time in this window, load carried by 4 of 7 containers"),
];

/// The same run when nothing but k6's output is left: neither causes nor times of single failures.
pub(super) fn block_only() -> Evidence {
    Evidence { populations: None, series: None, ..two_bursts() }
}

const BLOCK_ONLY: &[(&str, Option<Verdict>)] = &[
    ("(1) 150 HTTP 503, after a restart. (2) 75 timeouts.", Some(Unverifiable)),
    ("(1) 150 HTTP 503. (2) 57 timeouts.", Some(Verdict::Contradicted)),
    ("(1) 140 HTTP 503. (2) 75 timeouts, and the rest.", Some(Unverifiable)),
    ("503s from 13:43:19 to 13:44:13 UTC.", Some(Unverifiable)),
    ("503s in a 55-second burst from 13:43:19 to 13:44:13 UTC.", Some(Unverifiable)),
    ("503s in a 65-second burst from 13:43:19 to 13:44:13 UTC.", Some(Verdict::Contradicted)),
    ("503s from 15:43:19 to 15:44:13 UTC.", Some(Verdict::Contradicted)),
    ("Timeouts from 14:08:48 on, the first 1,658s into the run.", Some(Unverifiable)),
    ("Timeouts from 14:08:48 to 14:11:02: the first 1,658s into the run.", Some(Verdict::Contradicted)),
    ("503s from 13:43:19 to 13:44:13, with no recurrence in the following 25 minutes.", Some(Unverifiable)),
    ("503s from 13:43:19 to 13:44:13, with no recurrence in the following 45 minutes.", Some(Verdict::Contradicted)),
    ("Timeouts at 125–360 per minute.", Some(Unverifiable)),
    ("8 timeouts (3.55%).", Some(Unverifiable)),
    ("225 of 171,987 requests failed, sustained across the whole run.", Some(Unverifiable)),
    ("127 checks failed, all of them within the windows above.", Some(Unverifiable)),
    ("226 requests failed.", Some(Wrong)),
];

#[test]
fn statements_without_times_of_failures_come_to_what_they_should() {
    all_come_to(BLOCK_ONLY, &block_only());
}

/// Timeouts in every minute of the clock from 19:26 to 19:53: 100, 110 … 140 and again from 100, but 300 at 19:40. By hand:
/// 5 x 600 for 25 minutes, 330 for three, 160 more at 19:40 make 3,490.
fn steady() -> Evidence {
    let start = time("19:24:36");
    let mut points = Vec::new();
    for minute in 0..28 {
        let count: u64 = if minute == 14 { 300 } else { 100 + 10 * (minute as u64 % 5) };
        // 19:26:05 is 89 s after the start
        points.extend([(89 + 60 * minute, count / 2), (119 + 60 * minute, count - count / 2)]);
    }
    let mut evidence = two_bursts();
    evidence.window = Some(EvidenceWindow { start, end: time("19:54:52"), basis: WindowBasis::Test });
    evidence.requests = Some(Requests { run: RequestCount { total: 100_000, failed: Some(3_490) }, test: None });
    evidence.populations = Some(vec![population(1, CauseKind::RequestTimeout, None, Shape::Sustained, &points, start)]);
    evidence.series = Some(Series {
        start: Some(start),
        step_seconds: 1,
        failed: [(1, points)].into_iter().collect(),
        ..Series::default()
    });
    evidence
}

const STEADY: &[(&str, Option<Verdict>)] = &[
    ("3,490 request timeouts (3.49%), sustained across the whole run.", Some(Ok)),
    ("3,409 request timeouts.", Some(Wrong)),
    ("3,490 timeouts: not a burst, they run from 19:26 to 19:53 at a steady 100–300 per minute.", Some(Ok)),
    ("Timeouts at 100-310 per minute.", Some(Wrong)),
    ("Timeouts at 100 to 300 a minute.", Some(Ok)),
    ("Timeouts at 110 to 300 a minute.", Some(Wrong)),
    ("Timeouts at 100–300/min.", Some(Ok)),
    ("Timeouts ran from 19:25 to 19:53.", Some(Wrong)),
    ("Timeouts throughout, with no onset and no recovery.", Some(Ok)),
    ("Timeouts peaked at 300 at 19:40.", Some(Ok)),
    ("Timeouts peaked at 300 at 19:41.", Some(Wrong)),
    ("Timeouts peaked at 320 at 19:40.", Some(Wrong)),
    ("Timeouts peaked at 19:40 with 300.", Some(Ok)),
    ("Timeouts: at most 300 per minute.", Some(Ok)),
    ("Timeouts: at most 200 per minute.", Some(Wrong)),
    ("Timeouts in 28 of 31 minutes.", Some(Ok)),
    ("Timeouts in 27 of 31 minutes.", Some(Wrong)),
    ("The timeouts were one burst.", Some(Wrong)),
];

#[test]
fn statements_by_the_minute_come_to_what_they_should() {
    all_come_to(STEADY, &steady());
}

mod hostile {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn no_text_makes_it_panic(words in prop::collection::vec(prop_oneof![
            "[0-9]{1,22}", "[0-9]{1,3}:[0-9]{2}(:[0-9]{2})?", "[0-9]{1,20}[smh]", "[0-9.,]{1,9}%", "\\PC{0,4}",
            Just("timeouts".to_owned()), Just("HTTP 503".to_owned()), Just("503s".to_owned()), Just("per minute".to_owned()),
            Just("in the first".to_owned()), Just("into the run".to_owned()), Just("no".to_owned()), Just("from".to_owned()),
            Just("to".to_owned()), Just("–".to_owned()), Just("of".to_owned()), Just("checks failed".to_owned()),
            Just("(".to_owned()), Just(")".to_owned()), Just("requests".to_owned()), Just("minutes".to_owned()),
            Just("apart".to_owned()), Just("peaked at".to_owned()), Just(". (1) ".to_owned()), Just("**".to_owned()), Just("`".to_owned()),
            Just("in the following".to_owned()), Just("before or after".to_owned()), Just("create user (".to_owned()),
        ], 0..12)) {
            let text = words.join(" ");
            judged(&text, &two_bursts(), OTHERS);
            judged(&text, &Evidence::default(), &[]);
        }
    }
}

#[track_caller]
fn all_come_to(statements: &[(&str, Option<Verdict>)], evidence: &Evidence) {
    let mut wrong = Vec::new();
    for (statement, expected) in statements {
        let judgements = judged(statement, evidence, OTHERS);
        let got = worst(&judgements);
        if got != *expected {
            let each: Vec<String> = judgements
                .iter()
                .map(|j| format!("{} `{}` {:?} {:?} {}", j.kind, j.stated, j.verdict, j.data, j.explanation))
                .collect();
            wrong.push(format!("{statement}\n    expected {expected:?}, got {got:?}: {each:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), statements.len(), wrong.join("\n"));
}

#[test]
fn statements_come_to_what_they_should() {
    assert!(STATEMENTS.len() >= 60);
    all_come_to(STATEMENTS, &two_bursts());
}

/// `previous` needs another page: its own tests have it.
#[test]
fn every_kind_has_statements_that_hold_and_statements_that_do_not() {
    let mut seen: std::collections::BTreeMap<String, [bool; 2]> = Default::default();
    for (list, evidence) in [(STATEMENTS, two_bursts()), (BLOCK_ONLY, block_only()), (STEADY, steady())] {
        for judgement in list.iter().flat_map(|(statement, _)| judged(statement, &evidence, OTHERS)) {
            let holds = matches!(judgement.verdict, Ok | Rounded | Truncated);
            let fails = matches!(judgement.verdict, Wrong | Verdict::Contradicted);
            let [held, failed] = seen.entry(judgement.kind).or_default();
            (*held, *failed) = (*held || holds, *failed || fails);
        }
    }
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Previous) {
        assert_eq!(seen.get(kind.as_str()), Some(&[true, true]), "{kind:?}");
    }
}

#[test]
fn words_and_their_column_are_exact() {
    let judgements = judged("x **226** of 171,987 requests failed", &two_bursts(), &[]);
    let wrong: Vec<&Judgement> = judgements.iter().filter(|j| j.verdict == Wrong).collect();
    assert_eq!(wrong.len(), 1);
    assert_eq!((wrong[0].stated.as_str(), wrong[0].line, wrong[0].column), ("226", 33, 43 + 4));
    assert_eq!(wrong[0].data.as_deref(), Some("225"));
}
