//! Claims in hand-written cells: what they come to, that nothing true is called wrong, and how many changed figures are found.

#![allow(clippy::print_stdout)] // how much is found is told to whoever runs the tests

mod documented;
mod generated;
mod human;
mod real_pages;
mod sabotage;
mod statements;
#[path = "../support/mod.rs"]
mod support;

use sweepdoc::check::prose::{ProseCell, ProseTruth, judge};
use sweepdoc::check::{Judgement, Severity, Verdict};
use sweepdoc::model::*;

fn time(text: &str) -> Time {
    Time::parse_rfc3339(&format!("2026-08-27T{text}Z")).unwrap()
}

/// Spreads `count` failures over the seconds from first to last, one at each end at least.
fn spread(count: u64, first: i64, last: i64) -> Vec<(i64, u64)> {
    let seconds = last - first + 1;
    let mut points: std::collections::BTreeMap<i64, u64> = Default::default();
    for index in 0..count {
        let at = if count == 1 { first } else { first + (index as i64 * (seconds - 1)) / (count as i64 - 1) };
        *points.entry(at).or_default() += 1;
    }
    points.into_iter().collect()
}

fn population(
    id: u32,
    kind: CauseKind,
    status: Option<u16>,
    shape: Shape,
    points: &[(i64, u64)],
    start: Time,
) -> Population {
    let at = |offset: i64| Time::from_unix_seconds(start.unix_seconds() + offset).unwrap();
    let (first, last) = (points.first().unwrap().0, points.last().unwrap().0);
    let count = points.iter().map(|(_, n)| n).sum();
    Population {
        id,
        phase: Phase::Test,
        origin: PopulationOrigin::Raw,
        kind,
        status,
        error_code: None,
        error: String::new(),
        label: None,
        count,
        share: 0.0,
        first: Some(at(first)),
        last: Some(at(last)),
        first_offset_seconds: Some(first),
        shape: Some(shape),
        bursts: Vec::new(),
        per_minute: None,
        requests: vec![NamedCount { name: "POST /v2/users/human".into(), count }],
    }
}

/// Case B14: 150 x 503 within 55 s at minute two, 75 timeouts in the last minutes, checks as on a page of that run.
fn two_bursts() -> Evidence {
    let start = time("13:41:19");
    let (bursts, timeouts) = (spread(150, 120, 174), spread(75, 1649, 1783));
    let check = |name: &str, fails, first: u64, second: u64| CheckByName {
        name: Some(name.into()),
        passes: None,
        fails,
        fails_within: [(1, first), (2, second)].into_iter().collect(),
        fails_elsewhere: Some(0),
    };
    let mut series = Series { start: Some(start), step_seconds: 1, ..Series::default() };
    series.failed = [(1, bursts.clone()), (2, timeouts.clone())].into_iter().collect();
    for (name, fails) in [
        ("create user is status ok", 29),
        ("update user is status ok", 41),
        ("lock user is status ok", 25),
        ("delete user is status ok", 32),
    ] {
        series.checks_failed.insert(name.into(), vec![(130, fails - 10), (1700, 10)]);
    }
    Evidence {
        window: Some(EvidenceWindow { start, end: time("14:11:30"), basis: WindowBasis::Test }),
        k6: K6 { vus_max: Some(200), ..K6::default() },
        iterations: Iterations {
            complete: Some(34_399),
            interrupted: Some(0),
            dropped: None,
            exceptions: Some(ExceptionCount::default()),
        },
        requests: Some(Requests {
            run: RequestCount { total: 171_987, failed: Some(225) },
            test: Some(RequestCount { total: 171_976, failed: Some(225) }),
        }),
        checks: Some(Checks {
            total: 137_522,
            failed: 127,
            by_name: vec![
                check("create user is status ok", 29, 19, 10),
                check("update user is status ok", 41, 31, 10),
                check("lock user is status ok", 25, 15, 10),
                check("delete user is status ok", 32, 22, 10),
            ],
        }),
        populations: Some(vec![
            population(1, CauseKind::HttpStatus, Some(503), Shape::Burst, &bursts, start),
            population(2, CauseKind::RequestTimeout, None, Shape::Burst, &timeouts, start),
        ]),
        series: Some(series),
        ..Evidence::default()
    }
}

fn judged(markdown: &str, evidence: &Evidence, others: &[(&str, &str)]) -> Vec<Judgement> {
    let cell = ProseCell { row: "Observed errors", markdown, line: 33, column: 43 };
    judge(&cell, &ProseTruth { evidence, others, source: "evidence.json", older: None })
}

/// The worst verdict of a text: wrong or contradicted, then unverifiable, then a note, then ok; `None` without a claim.
fn worst(judgements: &[Judgement]) -> Option<Verdict> {
    let rank = |v: Verdict| match v {
        Verdict::Wrong | Verdict::Contradicted | Verdict::Stale => 4,
        Verdict::Unverifiable => 3,
        Verdict::Rounded | Verdict::Truncated => 2,
        Verdict::Ok => 1,
    };
    judgements.iter().map(|j| j.verdict).max_by_key(|v| rank(*v))
}

fn findings(judgements: &[Judgement]) -> Vec<String> {
    let worth = |j: &&Judgement| j.severity.is_some_and(|s| s != Severity::Note);
    judgements
        .iter()
        .filter(worth)
        .map(|j| format!("{} `{}`: {:?} {:?} {}", j.kind, j.stated, j.verdict, j.data, j.explanation))
        .collect()
}
