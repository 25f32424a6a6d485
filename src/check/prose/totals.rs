//! Totals and shares: `225 of 171,987 requests failed (0.13%)`, `none of 40 checks failed`, `0.09% of checks`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::quantities::{COUNT, PERCENT, Percentage, number, percentage};
use super::reader::{Outcome, Reader};
use crate::check::Verdict;
use crate::notation::{count, percent};

static OF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\b({COUNT}|none|no) (?:out )?of (?:the |all |its |a total of )?({COUNT}) (?:http )?(requests|checks|calls|check results)\b( (?:were |was |have |had )?(?:failed|failing|passed|succeeded|successful))?(?:[^.;()0-9]{{0,30}}[(,] ?({PERCENT}))?"
    ))
    .expect("a fixed pattern")
});

static CHECKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\b({COUNT}|no) (?:failed checks|checks failed|checks were failed|check failures|failing checks)\b(?: (?:\(|or )({PERCENT}))?"
    ))
    .expect("a fixed pattern")
});

static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({PERCENT}) of (?:all |the )?(?:{COUNT} )?(requests|checks|calls)\b(?: failed| fail)?"))
        .expect("a fixed pattern")
});

static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b({COUNT}) (requests|checks) (?:in total|overall|in all|were made|were sent|were run)\b"))
        .expect("a fixed pattern")
});

static NONE_OF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\bnone of the ({COUNT}) (?:(?:is|was|are|were) )?(?:individually )?logged\b"))
        .expect("a fixed pattern")
});

/// All and failed of requests or checks.
#[derive(Clone, Copy)]
struct Totals {
    total: u64,
    failed: u64,
}

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&OF) {
        let (Some(part), Some(whole), Some(noun)) = (found.get(1), found.get(2), found.get(3)) else { continue };
        let succeeded =
            found.get(4).is_some_and(|r| reader.plain(&r).contains("pass") || reader.plain(&r).contains("succ"));
        if !reader.plain(&found.whole()).contains("fail")
            && !succeeded
            && found.get(4).is_none()
            && !near_failed(reader, &found.whole())
        {
            continue;
        }
        let kind = noun_of(reader.plain(&noun));
        reader.take(found.whole());
        let all = all_of(reader, kind);
        for (range, claim, pick) in [(whole, "all", 0), (part, if succeeded { "successful" } else { "failed" }, 1)] {
            let data = all.iter().map(|t| {
                if pick == 0 {
                    t.total
                } else if succeeded {
                    t.total.saturating_sub(t.failed)
                } else {
                    t.failed
                }
            });
            let outcome = exact(reader, &range, &data.collect::<Vec<_>>());
            reader.judge(Kind::Total, format!("{claim} {kind} of the run"), range, outcome);
        }
        if let (Some(range), false) = (found.get(5), succeeded) {
            share(reader, range, kind, &all);
        }
    }
    for found in reader.matches(&CHECKS) {
        let Some(range) = found.get(1).filter(|r| super::subject::stands_alone(&reader.text.plain, r)) else {
            continue;
        };
        if super::counts::scope(reader, &range).is_some() {
            continue;
        }
        let all = all_of(reader, "checks");
        let outcome = exact(reader, &range, &all.iter().map(|t| t.failed).collect::<Vec<_>>());
        reader.judge(Kind::Total, "failed checks of the run", range, outcome);
        if let Some(range) = found.get(2) {
            share(reader, range, "checks", &all);
        }
    }
    for found in reader.matches(&SHARE) {
        let (Some(range), Some(noun)) = (found.get(1), found.get(2)) else { continue };
        let kind = noun_of(reader.plain(&noun));
        let failing = reader.plain(&reader.text.clause(range.start)).contains("fail");
        let named = reader
            .mentions
            .iter()
            .any(|m| reader.text.clause(range.start).contains(&m.range.start) && m.cause != super::subject::Cause::Any);
        if failing && !named {
            let all = all_of(reader, kind);
            share(reader, range, kind, &all);
        }
    }
    for found in reader.matches(&NONE_OF) {
        let Some(range) = found.get(1) else { continue };
        let failed: Vec<u64> = all_of(reader, "requests").iter().map(|t| t.failed).collect();
        let outcome = exact(reader, &range, &failed);
        reader.judge(Kind::Total, "failed requests of the run", range, outcome);
    }
    for found in reader.matches(&ALONE) {
        let (Some(range), Some(noun)) = (found.get(1), found.get(2)) else { continue };
        let kind = noun_of(reader.plain(&noun));
        let outcome = exact(reader, &range, &all_of(reader, kind).iter().map(|t| t.total).collect::<Vec<_>>());
        reader.judge(Kind::Total, format!("all {kind} of the run"), range, outcome);
    }
}

fn near_failed(reader: &Reader<'_>, range: &Range<usize>) -> bool {
    let clause = reader.text.clause(range.start);
    reader.text.slice(range.end..clause.end).trim_start().starts_with("fail")
}

fn noun_of(word: &str) -> &'static str {
    if word.starts_with("check") { "checks" } else { "requests" }
}

/// The run's totals, then those of its test phase.
fn all_of(reader: &Reader<'_>, kind: &str) -> Vec<Totals> {
    let evidence = reader.evidence();
    if kind == "checks" {
        return evidence.checks.iter().map(|c| Totals { total: c.total, failed: c.failed }).collect();
    }
    let requests = evidence.requests.iter().flat_map(|r| [Some(r.run), r.test]).flatten();
    requests.filter_map(|r| Some(Totals { total: r.total, failed: r.failed? })).collect()
}

fn exact(reader: &Reader<'_>, range: &Range<usize>, data: &[u64]) -> Outcome {
    let words = reader.plain(range);
    let stated = if matches!(words, "none" | "no") { Some(0) } else { number(words) };
    match (stated, data.first()) {
        (Some(stated), Some(first)) if data.contains(&stated) => {
            Outcome::ok(count::write(if stated == *first { *first } else { stated }))
        }
        (Some(stated), Some(first)) if super::counts::is_approximate(reader, range) => {
            let near = (stated as f64 - *first as f64).abs() <= 0.05 * *first as f64;
            Outcome::of(near, count::write(*first), "more than five percent from it")
        }
        (Some(_), Some(first)) => Outcome::wrong(count::write(*first), "counted over the whole run"),
        _ => Outcome::unverifiable(super::reader::RAW, "the run's totals are not known"),
    }
}

fn share(reader: &mut Reader<'_>, range: Range<usize>, kind: &str, all: &[Totals]) {
    let outcome = match (percentage(reader.plain(&range)), all.first()) {
        (Some(stated), Some(_)) => {
            let each = all.iter().map(|t| of_counts(&stated, t.failed, t.total));
            best(each.collect())
        }
        _ => Outcome::unverifiable(super::reader::RAW, "the run's totals are not known"),
    };
    reader.judge(Kind::Share, format!("share of failed {kind}"), range, outcome);
}

/// The outcome that speaks best of a claim, of several readings.
pub(super) fn best(outcomes: Vec<Outcome>) -> Outcome {
    let rank = |o: &Outcome| match o.verdict {
        Verdict::Ok => 0,
        Verdict::Rounded | Verdict::Truncated => 1,
        Verdict::Unverifiable => 2,
        _ => 3,
    };
    outcomes
        .into_iter()
        .min_by_key(rank)
        .unwrap_or_else(|| Outcome::unverifiable(super::reader::RAW, "nothing is known of it"))
}

/// A percentage against its two counts: truncated or rounded is a note at most, anything else is wrong.
pub(super) fn of_counts(stated: &Percentage, part: u64, whole: u64) -> Outcome {
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 };
    let data = percent::prose(part, whole);
    let how = format!("{} of {}", count::write(part), count::write(whole));
    let (value, step) = (stated.figure.value, stated.figure.step);
    if stated.below {
        return Outcome::of(part > 0 && share < value, data, how);
    }
    let slack = 1e-9;
    if (share - value).abs() <= slack {
        return Outcome::ok(data);
    }
    let cut = share > value && share - value < step - slack;
    let rounded = (share - value).abs() <= step / 2.0 + slack;
    let two_digits = (step - 0.01).abs() < 1e-12;
    match (cut, rounded) {
        (true, true) if value > 0.0 => Outcome::ok(data),
        (true, _) if value == 0.0 => Outcome::note(Verdict::Truncated, data, format!("{how}: some, not none")),
        // k6 itself cuts percentages at two decimals
        (true, false) => Outcome::note(
            Verdict::Truncated,
            if two_digits { data } else { format!("{share:.4}%") },
            format!("{how}, cut at the last digit"),
        ),
        (false, true) => Outcome::note(Verdict::Rounded, data, format!("{how}, rounded")),
        _ if stated.figure.fits(share) => Outcome::ok(data),
        _ => Outcome::wrong(data, how),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str, part: u64, whole: u64) -> Verdict {
        of_counts(&percentage(text).unwrap(), part, whole).verdict
    }

    #[test]
    fn truncated_and_rounded_percentages_are_notes_and_others_wrong() {
        // 182 of 466,756 is 0.03899 %: case B09
        assert_eq!(verdict("0.03%", 182, 466_756), Verdict::Truncated);
        assert_eq!(verdict("0.04%", 182, 466_756), Verdict::Rounded);
        assert_eq!(verdict("0.00%", 29, 6_335_633), Verdict::Truncated);
        assert_eq!(verdict("<0.01%", 29, 6_335_633), Verdict::Ok);
        assert_eq!(verdict("0.05%", 182, 466_756), Verdict::Wrong);
        assert_eq!(verdict("<0.01%", 182, 466_756), Verdict::Wrong);
        assert_eq!(verdict("50%", 1, 2), Verdict::Ok);
    }
}
