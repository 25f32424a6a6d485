//! Absence: `no recurrence in the following 25 minutes`, `none before or after`, `no failures after 13:44:13`, `no failure in the remaining 28s`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, complete, within};
use super::kind::Kind;
use super::quantities::{CLOCK, DURATION, duration};
use super::reader::{Outcome, RAW, Reader};
use crate::model::Window;
use crate::notation::duration::prose;

const NO: &str = r"\b(?:no|none|not one|nothing|without (?:a|any))(?: (?:recurrence|recurrences|repeat|further|more|other|failures?|failed requests?|errors?|requests?|single|of (?:them|these|this cause|either)|such|burst|bursts|failed|request|timeouts?|connection|resets?|http|platform|[45]\d\ds?))*";

static FOLLOWING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"{NO} (?:in|for|during|over|within) (?:the )?(following|next|remaining|rest of the|last|final|first|preceding|previous)? ?({DURATION})")).expect("a fixed pattern")
});
static BOUND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"{NO} (?:occurred |happened |fell |came )?(before|until|after|since) ({CLOCK})"))
        .expect("a fixed pattern")
});
static AROUND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"{NO} (before or after|before and after|before|after(?:wards)?|outside (?:it|them|that window|this window|these windows|those windows|the windows?))\b")).expect("a fixed pattern")
});

/// No run takes longer, in seconds.
const LONGEST: f64 = 1e9;

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&FOLLOWING) {
        let Some(range) = found.get(2) else { continue };
        let edge = found.get(1).map(|r| reader.plain(&r).to_owned()).unwrap_or_default();
        let outcome = following(reader, &found.whole(), &range, &edge);
        reader.judge(Kind::Absence, "nothing more of it", found.whole(), outcome);
    }
    for found in reader.matches(&BOUND) {
        let (Some(word), Some(range)) = (found.get(1), found.get(2)) else { continue };
        let Some(clock) = reader.clock(reader.plain(&range)) else { continue };
        let before = matches!(reader.plain(&word), "before" | "until");
        let window = match before {
            true => Window { start: i64::MIN / 2, end: clock.second - 1 },
            false => Window { start: clock.last() + 1, end: i64::MAX / 2 },
        };
        let subject = reader.subject(found.whole().start);
        let outcome = reader.by_whole(&subject, |group| {
            let n = within(&group.seconds(reader.evidence())?, window);
            Some((n == 0, format!("{n} {}", group.name)))
        });
        reader.judge(Kind::Absence, "nothing of it", found.whole(), outcome);
    }
    for found in reader.matches(&AROUND) {
        let Some(word) = found.get(1) else { continue };
        let word = reader.plain(&word).to_owned();
        let outcome = around(reader, &found.whole(), &word);
        reader.judge(Kind::Absence, "nothing of it", found.whole(), outcome);
    }
}

fn following(reader: &Reader<'_>, whole: &Range<usize>, range: &Range<usize>, edge: &str) -> Outcome {
    let Some(stated) = duration(reader.plain(range)) else {
        return Outcome::unverifiable(RAW, "the length cannot be read");
    };
    let Some(run) = reader.window() else { return Outcome::unverifiable(RAW, "the run's window is not known") };
    if !complete(reader.evidence()) {
        return beyond(reader, whole, stated.value, edge, run)
            .unwrap_or_else(|| Outcome::unverifiable(RAW, "the times of single failures are not known"));
    }
    let subject = reader.subject(whole.start);
    let least = stated.value - if stated.approximate { 0.05 * stated.value } else { stated.step / 2.0 };
    if matches!(edge, "first" | "last" | "final") {
        let length = stated.value.min(LONGEST) as i64;
        let window = match edge {
            "first" => Window { start: run.start, end: run.start + length - 1 },
            _ => Window { start: run.end - length + 1, end: run.end },
        };
        return reader.by_whole(&subject, |group| {
            let n = within(&group.seconds(reader.evidence())?, window);
            Some((n == 0, format!("{n} {}", group.name)))
        });
    }
    reader.by_reading(&subject, |group| {
        let seconds = group.seconds(reader.evidence());
        let ends: Vec<i64> = group.windows().iter().map(|w| w.end).collect();
        let free = |end: &i64| quiet_after(group, seconds.as_ref(), *end, run) as f64;
        let longest = ends.iter().map(free).fold(0.0, f64::max);
        let fits = if edge == "remaining" {
            ends.iter().any(|e| stated.fits((run.end - e) as f64))
        } else {
            longest + 1.0 >= least
        };
        Some((fits, prose(longest)))
    })
}

/// Without data: longer than the run went on after the window stated before it.
fn beyond(reader: &Reader<'_>, whole: &Range<usize>, stated: f64, edge: &str, run: Window) -> Option<Outcome> {
    let sentence = reader.text.sentence(whole.start);
    let windows = super::windows::stated_everywhere(reader);
    let (_, _, to) = windows.iter().rfind(|(place, ..)| sentence.contains(&place.start) && place.end <= whole.start)?;
    let left = (run.end - to.second) as f64;
    let after = matches!(edge, "following" | "next" | "remaining");
    (after && left >= 0.0 && stated > left + A_MINUTE).then(|| {
        Outcome::contradicted(
            prose(left),
            "the window stated beside it and the row `Test end`",
            "the run was over by then",
        )
    })
}

/// What a length in minutes may be rounded by.
const A_MINUTE: f64 = 60.0;

/// Seconds without one of the group after `end`, at most to the end of the run.
fn quiet_after(
    group: &Group<'_>,
    seconds: Option<&std::collections::BTreeMap<i64, u64>>,
    end: i64,
    run: Window,
) -> i64 {
    let next = match seconds {
        Some(seconds) => seconds.range(end + 1..).next().map(|(second, _)| *second),
        None => group.windows().iter().map(|w| w.start).filter(|s| *s > end).min(),
    };
    next.unwrap_or(run.end).min(run.end) - end
}

fn around(reader: &Reader<'_>, whole: &Range<usize>, word: &str) -> Outcome {
    if !complete(reader.evidence()) {
        return Outcome::unverifiable(RAW, "the times of single failures are not known");
    }
    let sentence = reader.text.sentence(whole.start);
    let windows = super::windows::stated_everywhere(reader);
    let here: Vec<_> =
        windows.iter().filter(|(place, ..)| sentence.contains(&place.start) && place.start < whole.start).collect();
    let Some((_, from, to)) = here.last() else {
        return Outcome::unverifiable(RAW, "it is not clear before or after what");
    };
    let (start, end) = match (
        word.starts_with("before or") || word.starts_with("before and") || word.starts_with("outside"),
        word.starts_with("before"),
    ) {
        (true, _) => (from.second, to.last()),
        (false, true) => (from.second, i64::MAX / 2),
        _ => (i64::MIN / 2, to.last()),
    };
    let subject = reader.subject(whole.start);
    reader.by_reading(&subject, |group| {
        let seconds = group.seconds(reader.evidence())?;
        let inside = within(&seconds, Window { start, end });
        let all = seconds.values().copied().fold(0, u64::saturating_add);
        Some((inside == all, format!("{} {}", all - inside, group.name)))
    })
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Unverifiable, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn nothing_before_after_or_during_is_counted_second_by_second() {
        come_to(
            "absence",
            &[
                ("HTTP 503 from 10:02:00 to 10:02:19, none before or after.", &[Ok]),
                ("HTTP 503 from 10:02:01 to 10:02:19, none before or after.", &[Wrong]),
                ("No timeouts before 10:08:00.", &[Ok]),
                ("No timeouts before 10:08:01.", &[Wrong]),
                ("HTTP 503 until 10:02:19, with no recurrence in the following 7 minutes.", &[Ok]),
                ("HTTP 503 until 10:02:19, with no recurrence in the following 9 minutes.", &[Wrong]),
                ("No failures in the first 2 minutes.", &[Ok]),
                ("No failures in the first 3 minutes.", &[Wrong]),
                ("None before or after.", &[Unverifiable]),
            ],
        );
    }
}
