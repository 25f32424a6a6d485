//! A small run for the tests of single kinds of claims.

use super::{ProseCell, ProseTruth, judge};
use crate::check::{Judgement, Verdict};
use crate::model::*;

/// First second of the run; it goes on for ten minutes.
const START: &str = "2026-03-05T10:00:00Z";

fn start() -> Time {
    Time::parse_rfc3339(START).unwrap()
}

fn at(offset: i64) -> Time {
    Time::from_unix_seconds(start().unix_seconds() + offset).unwrap()
}

/// 52 of 10,000 requests failed: 40 HTTP 503 from 10:02:00 to 10:02:19, two a second, and 12 timeouts from 10:08:00 to
/// 10:08:55, one every five seconds. 60 of 8,000 checks failed: `create user is ok` 45, all within the 503s, and
/// `delete user is ok` 15, ten of them there and five at 10:08:30.
pub(super) fn two_causes() -> Evidence {
    let bursts: Vec<(i64, u64)> = (120..140).map(|second| (second, 2)).collect();
    let timeouts: Vec<(i64, u64)> = (0..12).map(|n| (480 + 5 * n, 1)).collect();
    let mut series = Series { start: Some(start()), step_seconds: 1, ..Series::default() };
    series.failed = [(1, bursts.clone()), (2, timeouts.clone())].into_iter().collect();
    series.checks_failed.insert("create user is ok".into(), vec![(121, 40), (125, 5)]);
    series.checks_failed.insert("delete user is ok".into(), vec![(130, 10), (510, 5)]);
    let populations = vec![
        population(1, CauseKind::HttpStatus, Some(503), &bursts),
        population(2, CauseKind::RequestTimeout, None, &timeouts),
    ];
    Evidence { populations: Some(populations), series: Some(series), ..block_only() }
}

/// The same run with nothing but the figures of its k6 output.
pub(super) fn block_only() -> Evidence {
    let check = |name: &str, fails| CheckByName {
        name: Some(name.into()),
        passes: None,
        fails,
        fails_within: Default::default(),
        fails_elsewhere: None,
    };
    Evidence {
        window: Some(EvidenceWindow { start: start(), end: at(599), basis: WindowBasis::Test }),
        k6: K6 { vus_max: Some(20), ..K6::default() },
        iterations: Iterations {
            complete: Some(2_500),
            interrupted: Some(3),
            dropped: None,
            exceptions: Some(ExceptionCount { count: 2, ..ExceptionCount::default() }),
        },
        requests: Some(Requests { run: RequestCount { total: 10_000, failed: Some(52) }, test: None }),
        checks: Some(Checks {
            total: 8_000,
            failed: 60,
            by_name: vec![check("create user is ok", 45), check("delete user is ok", 15)],
        }),
        ..Evidence::default()
    }
}

fn population(id: u32, kind: CauseKind, status: Option<u16>, points: &[(i64, u64)]) -> Population {
    let (first, last) = (points.first().unwrap().0, points.last().unwrap().0);
    Population {
        id,
        phase: Phase::Test,
        origin: PopulationOrigin::Raw,
        kind,
        status,
        error_code: None,
        error: String::new(),
        label: None,
        count: points.iter().map(|(_, n)| n).sum(),
        share: 0.0,
        first: Some(at(first)),
        last: Some(at(last)),
        first_offset_seconds: Some(first),
        shape: Some(Shape::Burst),
        bursts: Vec::new(),
        per_minute: None,
        requests: Vec::new(),
    }
}

/// The judgements of one kind.
pub(super) fn judged(
    row: &str,
    kind: &str,
    markdown: &str,
    evidence: &Evidence,
    others: &[(&str, &str)],
) -> Vec<Judgement> {
    let cell = ProseCell { row, markdown, line: 1, column: 1 };
    let truth = ProseTruth { evidence, others, source: "evidence.json", older: None };
    judge(&cell, &truth).into_iter().filter(|j| j.kind == kind).collect()
}

/// Their verdicts, in a row of that label.
pub(super) fn verdicts_of(
    row: &str,
    kind: &str,
    text: &str,
    evidence: &Evidence,
    others: &[(&str, &str)],
) -> Vec<Verdict> {
    judged(row, kind, text, evidence, others).iter().map(|j| j.verdict).collect()
}

/// The verdicts of one kind in `Observed errors`.
pub(super) fn verdicts(kind: &str, text: &str, evidence: &Evidence, others: &[(&str, &str)]) -> Vec<Verdict> {
    verdicts_of("Observed errors", kind, text, evidence, others)
}

/// Asserts of each text what its claims of a kind come to against the data of [`two_causes`].
#[track_caller]
pub(super) fn come_to(kind: &str, cases: &[(&str, &[Verdict])]) {
    for (text, expected) in cases {
        let judgements = judged("Observed errors", kind, text, &two_causes(), &[]);
        let verdicts: Vec<Verdict> = judgements.iter().map(|j| j.verdict).collect();
        assert_eq!(verdicts, *expected, "{text}: {judgements:#?}");
    }
}
