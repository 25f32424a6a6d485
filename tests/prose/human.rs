//! A person's sentences about random runs, true by construction: none is called wrong, and changed digits are found.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use sweepdoc::notation::{count, time as clock};

/// Evidence with two populations of one cluster each, and the sentences about it.
fn run_with_text() -> impl Strategy<Value = (Evidence, String)> {
    (2u64..3000, 0i64..700, 1i64..280, 2u64..3000, 1000i64..1500, 1i64..280, 0usize..3).prop_map(
        |(n1, first1, length1, n2, first2, length2, style)| {
            let start = time("13:41:19");
            let (a, b) = (spread(n1, first1, first1 + length1), spread(n2, first2, first2 + length2));
            let mut evidence = two_bursts();
            evidence.requests =
                Some(Requests { run: RequestCount { total: 171_987, failed: Some(n1 + n2) }, test: None });
            let mut series = evidence.series.take().unwrap();
            series.failed = [(1, a.clone()), (2, b.clone())].into_iter().collect();
            evidence.series = Some(series);
            evidence.populations = Some(vec![
                super::population(1, CauseKind::HttpStatus, Some(503), Shape::Burst, &a, start),
                super::population(2, CauseKind::RequestTimeout, None, Shape::Burst, &b, start),
            ]);
            let text = sentences(style, &a, &b, start);
            (evidence, text)
        },
    )
}

fn sentences(style: usize, a: &[(i64, u64)], b: &[(i64, u64)], start: Time) -> String {
    let at = |offset: i64| clock::clock(Time::from_unix_seconds(start.unix_seconds() + offset).unwrap());
    let minute = |offset: i64| at(offset)[..5].to_owned();
    let n = |points: &[(i64, u64)]| points.iter().map(|(_, n)| n).sum::<u64>();
    let (first, last) = (a[0].0, a[a.len() - 1].0);
    let (first2, last2) = (b[0].0, b[b.len() - 1].0);
    let (na, nb) = (count::write(n(a)), count::write(n(b)));
    let gap = first2 - last;
    match style {
        0 => format!(
            "{} of 171,987 requests failed. Two causes: {na} requests got an HTTP 503 between {} and {} UTC, a {}-second burst that began {first}s into the run. \
             The {nb} timeouts came later, from {} to {}; the first of them arrived {}s into the run. There were no timeouts before {}.",
            count::write(n(a) + n(b)),
            at(first),
            at(last),
            last - first + 1,
            at(first2),
            at(last2),
            count::write(first2 as u64),
            at(first2)
        ),
        1 => format!(
            "(1) {na} HTTP 503s ({}–{}), none before or after. (2) {nb} request timeouts, {}–{}, lasting {}min {}s. The two are {}s apart.",
            minute(first),
            minute(last),
            minute(first2),
            minute(last2),
            (last2 - first2) / 60,
            (last2 - first2) % 60,
            count::write(gap as u64)
        ),
        _ => format!(
            "HTTP 503: {na}, timeouts: {nb}. The 503s started at {} and ended at {}. The last timeout was at {}.",
            at(first),
            at(last),
            at(last2)
        ),
    }
}

proptest! {
    #![proptest_config(Config { cases: 64, failure_persistence: None, ..Config::default() })]
    #[test]
    fn true_sentences_are_never_wrong((evidence, text) in run_with_text()) {
        let judgements = judged(&text, &evidence, &[]);
        let found = findings(&judgements);
        prop_assert!(found.is_empty(), "{text}\n{found:#?}");
        prop_assert!(judgements.len() >= 5, "{text}\n{judgements:#?}");
    }
}

#[test]
fn changed_digits_of_true_sentences_are_found() {
    let mut runner = TestRunner::deterministic();
    let (mut changed, mut found, mut missed) = (0, 0, Vec::new());
    for _ in 0..12 {
        let (evidence, text) = run_with_text().new_tree(&mut runner).unwrap().current();
        for (at, mutant) in super::sabotage::mutants(&text) {
            // list marks are no figures
            if text[..at].ends_with('(') && text[at + 1..].starts_with(") ") {
                continue;
            }
            changed += 1;
            if judged(&mutant, &evidence, &[])
                .iter()
                .any(|j| matches!(j.verdict, Verdict::Wrong | Verdict::Contradicted))
            {
                found += 1;
            } else {
                missed.push(
                    mutant.chars().skip(text[..at].chars().count().saturating_sub(25)).take(50).collect::<String>(),
                );
            }
        }
    }
    println!("sentences about random runs: {found} of {changed} changed digits found; missed: {missed:#?}");
    assert!(found * 100 >= changed * 90, "{found} of {changed}");
}
