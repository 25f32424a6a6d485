//! A hand-written row about case B14: nothing to find as it is, and each changed figure found.

use super::*;

const ROW: &str = "225 of 171,987 requests failed (0.13%), in two unrelated failures 25 minutes apart. \
(1) **150 platform errors**: HTTP 503 in a 55-second burst from 13:43:19 to 13:44:13 UTC, two minutes into the run, none before or after. \
(2) **75 request timeouts** (33.33% of 225) from 14:08:48 to 14:11:02 UTC: the first arrives 1,649s (~27min) into the run and they last 2min 15s. \
150 of them are 503s, 66.66% of the failures. No failures from 13:45 to 14:08. \
127 of 137,522 checks failed (0.09%): create user (29), update user (41), lock user (25), delete user (32) — all of them within the two windows above. \
75 timeouts aborted **0** iterations; this target ran at 200 VUs. Database CPU stood at 98%.";

const OTHERS: &[(&str, &str)] =
    &[("Test start", "2026-08-27 13:41:19 UTC"), ("Database metrics during test", "CPU: 98% median, 100% peak")];

/// Digits that change no claim: list marks, and the status in words that repeat it.
fn is_claim(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let after = &text[at + 1..];
    !(before.ends_with('(') && after.starts_with(") **"))
}

pub(super) fn mutants(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        for step in [1, 4] {
            let mut mutant = text.to_owned();
            let digit = char::from_digit((c.to_digit(10).unwrap() + step) % 10, 10).unwrap();
            mutant.replace_range(at..at + 1, &digit.to_string());
            all.push((at, mutant));
        }
    }
    all
}

#[test]
fn a_true_row_has_no_finding() {
    let judgements = judged(ROW, &two_bursts(), OTHERS);
    let notable: Vec<&Judgement> =
        judgements.iter().filter(|j| !matches!(j.verdict, Verdict::Ok | Verdict::Truncated)).collect();
    assert!(notable.is_empty(), "{notable:#?}");
    assert!(judgements.len() > 30, "{} claims read", judgements.len());
}

#[test]
fn a_changed_digit_of_a_hand_written_row_is_found() {
    let evidence = two_bursts();
    let (mut changed, mut found, mut missed) = (0, 0, Vec::new());
    for (at, mutant) in mutants(ROW).into_iter().filter(|(at, _)| is_claim(ROW, *at)) {
        changed += 1;
        if judged(&mutant, &evidence, OTHERS)
            .iter()
            .any(|j| matches!(j.verdict, Verdict::Wrong | Verdict::Contradicted))
        {
            found += 1;
        } else {
            missed.push(mutant.chars().skip(ROW[..at].chars().count().saturating_sub(20)).take(45).collect::<String>());
        }
    }
    println!("hand-written row: {found} of {changed} changed digits found; missed: {missed:#?}");
    assert!(found * 100 >= changed * 90, "{found} of {changed}");
}
