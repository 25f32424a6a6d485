//! The tool's own sentences: no finding as they are, one for nearly every digit changed.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use sweepdoc::rows::observed_errors;

/// Evidence of a run with one to three populations of any shape.
fn any_evidence() -> impl Strategy<Value = Evidence> {
    let population = (0usize..5, 1u64..400, 0i64..1700, 0i64..110);
    (prop::collection::vec(population, 1..4), 0u64..40, 0u64..3, 0u64..5, any::<bool>()).prop_map(
        |(parts, checks, interrupted, rest, minutes)| {
            let start = time("13:41:19");
            let mut evidence = two_bursts();
            let mut series = Series { start: Some(start), step_seconds: 1, ..Series::default() };
            let mut populations = Vec::new();
            for ((kind, count, first, length), id) in parts.into_iter().zip(1..) {
                let points = spread(count, first, if count == 1 { first } else { first + length });
                let (kind, status, shape) = [
                    (CauseKind::HttpStatus, Some(503), Shape::Burst),
                    (CauseKind::RequestTimeout, None, Shape::Sustained),
                    (CauseKind::ConnectionReset, None, Shape::Scattered),
                    (CauseKind::HttpStatus, Some(409), Shape::Scattered),
                    (CauseKind::Unknown, None, Shape::Burst),
                ][kind];
                let mut p = super::population(id, kind, status, shape, &points, start);
                p.per_minute = minutes.then_some(PerMinute { min: 1, max: count, minutes_with_failures: 3 });
                series.failed.insert(id, points);
                populations.push(p);
            }
            let named: u64 = populations.iter().map(|p| p.count).sum();
            evidence.requests =
                Some(Requests { run: RequestCount { total: 171_987, failed: Some(named + rest) }, test: None });
            evidence.populations = Some(populations);
            evidence.series = Some(series);
            evidence.iterations.interrupted = Some(interrupted);
            let by_name = vec![CheckByName {
                name: Some("user 2 ok".into()),
                passes: None,
                fails: checks,
                fails_within: [(1, checks)].into_iter().collect(),
                fails_elsewhere: Some(0),
            }];
            evidence.checks = Some(Checks { total: 5_000, failed: checks, by_name });
            evidence
        },
    )
}

proptest! {
    #![proptest_config(Config { cases: 48, failure_persistence: None, ..Config::default() })]
    #[test]
    fn generated_rows_have_no_findings(evidence in any_evidence()) {
        let judgements = judged(&observed_errors(&evidence), &evidence, &[]);
        let notable: Vec<&Judgement> = judgements.iter().filter(|j| j.severity.is_some()).collect();
        prop_assert!(notable.is_empty(), "{:#?}", notable);
    }
}

#[test]
fn a_changed_digit_of_a_generated_row_is_found() {
    let mut runner = TestRunner::deterministic();
    let (mut changed, mut found, mut missed) = (0, 0, Vec::new());
    for _ in 0..12 {
        let evidence = any_evidence().new_tree(&mut runner).unwrap().current();
        let text = observed_errors(&evidence);
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            let mut mutant = text.clone();
            let other = char::from_digit((c.to_digit(10).unwrap() + 1) % 10, 10).unwrap();
            mutant.replace_range(at..at + 1, &other.to_string());
            changed += 1;
            if judged(&mutant, &evidence, &[])
                .iter()
                .any(|j| matches!(j.verdict, Verdict::Wrong | Verdict::Contradicted))
            {
                found += 1;
            } else {
                missed.push(mutant[at.saturating_sub(20)..(at + 20).min(mutant.len())].to_owned());
            }
        }
    }
    println!("generated sentences: {found} of {changed} changed digits found");
    assert!(found * 100 >= changed * 90, "{found} of {changed}: {missed:#?}");
}
