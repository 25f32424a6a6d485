//! Per-minute figures: `125–360 per minute`, `140 a minute at most`, `peaked at 1,913 at 22:04`, `in 28 of 31 minutes`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, within};
use super::kind::Kind;
use super::quantities::{CLOCK, COUNT, number};
use super::reader::{Outcome, RAW, Reader};
use crate::model::Window;
use crate::notation::count;

const PER: &str = r"(?:(?: \w+)? ?(?:per|a|each|every) minute|/min(?:ute)?\b| (?:\w+ )?in (?:any|the busiest|the worst|each|every|one|a(?: single)?) minute)";

static RANGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"\b({COUNT}) ?(?:[-–—]|to|and) ?({COUNT}){PER}")).expect("a fixed pattern"));
static PEAK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b(?:peak(?:s|ed|ing)?|maximum|at most|most|up to|topped out|worst minute)(?: at| of| with| had| saw)? (?:of )?({COUNT})(?:{PER})?(?: (?:at|in(?: the minute)?) ({CLOCK}))?|\b({COUNT}){PER}(?: at most| at (?:its|the) peak)")).expect("a fixed pattern")
});
static PEAK_AT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b(?:peak(?:s|ed|ing)?) (?:at|in) ({CLOCK})(?: utc)?(?: (?:with|at) ({COUNT}))?"))
        .expect("a fixed pattern")
});
static MINUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\bin ({COUNT}|every one)(?: of (?:the )?({COUNT}))? (?:different )?minutes\b"))
        .expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&RANGE) {
        let (Some(low), Some(high)) = (found.get(1), found.get(2)) else { continue };
        let (Some(low), Some(high)) = (number(reader.plain(&low)), number(reader.plain(&high))) else { continue };
        let outcome = by_minutes(
            reader,
            &found.whole(),
            |minutes| minutes.min == low && minutes.max == high,
            |m| format!("{} to {} a minute", count::write(m.min), count::write(m.max)),
        );
        reader.judge(Kind::Rate, "fewest and most in a minute", found.whole(), outcome);
    }
    for found in reader.matches(&PEAK_AT) {
        let Some(time) = found.get(1) else { continue };
        let Some(clock) = reader.clock(reader.plain(&time)) else { continue };
        let stated = found.get(2).and_then(|r| number(reader.plain(&r)));
        let outcome = peak_at(reader, &found.whole(), clock, stated);
        reader.judge(Kind::Rate, "the busiest minute", found.whole(), outcome);
    }
    for found in reader.matches(&PEAK) {
        let Some(range) = found.get(1).or(found.get(3)) else { continue };
        let per_minute = reader.plain(&found.whole()).contains("min")
            || found.get(2).is_some()
            || reader.plain(&found.whole()).contains("peak");
        let followed = reader.text.slice(range.end..range.end + 1).starts_with(['%', ':', '.'])
            && reader.text.slice(range.end + 1..range.end + 2).chars().all(|c| c.is_ascii_digit());
        if !per_minute
            || followed
            || super::windows::of_other_things(reader, range.start)
            || reader.text.slice(range.end..range.end + 1).starts_with(['%', ':'])
        {
            continue;
        }
        let Some(stated) = number(reader.plain(&range)) else { continue };
        let outcome = match found.get(2).and_then(|r| reader.clock(reader.plain(&r))) {
            Some(clock) => peak_at(reader, &found.whole(), clock, Some(stated)),
            None => by_minutes(reader, &found.whole(), |m| m.max == stated, |m| count::write(m.max)),
        };
        reader.judge(Kind::Rate, "most in a minute", found.whole(), outcome);
    }
    for found in reader.matches(&MINUTES) {
        let Some(range) = found.get(1) else { continue };
        let all = found.get(2).and_then(|r| number(reader.plain(&r)));
        let with = number(reader.plain(&range));
        let whole = found.whole();
        let outcome = by_minutes(
            reader,
            &whole,
            |m| with.is_none_or(|n| n == m.with) && all.is_none_or(|n| m.all.contains(&n)),
            |m| format!("in {} of {} minutes", m.with, m.all.first().copied().unwrap_or_default()),
        );
        reader.judge(Kind::Rate, "minutes with failures", whole, outcome);
    }
}

/// Failures by the minute, in one way of cutting minutes.
struct Minutes {
    min: u64,
    max: u64,
    with: u64,
    all: Vec<u64>,
}

/// Judges against minutes of the clock and minutes of the run; both are usual.
fn by_minutes(
    reader: &Reader<'_>,
    range: &Range<usize>,
    holds: impl Fn(&Minutes) -> bool,
    write: impl Fn(&Minutes) -> String,
) -> Outcome {
    let Some(run) = reader.window() else { return Outcome::unverifiable(RAW, "the run's window is not known") };
    let subject = reader.subject(range.start);
    reader.by_reading(&subject, |group| {
        let ways = minutes(reader, group, run);
        let fits = ways.iter().find(|m| holds(m));
        Some((fits.is_some(), write(fits.or(ways.first())?)))
    })
}

fn minutes(reader: &Reader<'_>, group: &Group<'_>, run: Window) -> Vec<Minutes> {
    let all = vec![
        run.seconds().div_ceil(60),
        run.seconds() / 60,
        (run.end.div_euclid(60) - run.start.div_euclid(60) + 1).unsigned_abs(),
    ];
    let mut ways = Vec::new();
    if let [population] = group.members.as_slice()
        && let Some(stated) = population.per_minute
    {
        ways.push(Minutes { min: stated.min, max: stated.max, with: stated.minutes_with_failures, all: all.clone() });
    }
    let Some(seconds) = group.seconds(reader.evidence()) else { return ways };
    let Some((first, last)) = seconds.keys().next().zip(seconds.keys().next_back()) else { return ways };
    // whole minutes of the run, of the clock, and of the clock from first to last failure
    for (start, end, shift) in
        [(run.start, run.end, run.start), (run.start, run.end, 0), (*first, *last, 0), (*first, *last, *first)]
    {
        let each = cut(&seconds, Window { start, end }, shift, true);
        let with = each.iter().filter(|n| **n > 0).count() as u64;
        for of in [cut(&seconds, Window { start, end }, shift, false), each] {
            if let Some((min, max)) = of.iter().min().zip(of.iter().max()) {
                ways.push(Minutes { min: *min, max: *max, with, all: all.clone() });
            }
        }
    }
    ways
}

/// Longer spans are cut by no minute: a week.
const MOST_MINUTES: i64 = 7 * 24 * 60;

/// Counts of each minute within a window; minutes that the window cuts off only with `partial`.
fn cut(seconds: &BTreeMap<i64, u64>, window: Window, shift: i64, partial: bool) -> Vec<u64> {
    let of = |second: i64| (second - shift).div_euclid(60);
    let minutes = of(window.start)..=of(window.end).min(of(window.start).saturating_add(MOST_MINUTES));
    minutes
        .map(|minute| Window { start: shift + minute * 60, end: shift + minute * 60 + 59 })
        .filter(|w| partial || w.start >= window.start && w.end <= window.end)
        .map(|w| within(seconds, w))
        .collect()
}

/// The busiest minute (or second) of the clock and its count.
pub(super) fn busiest(seconds: &BTreeMap<i64, u64>, step: i64) -> Option<(i64, u64)> {
    let mut by_step: BTreeMap<i64, u64> = BTreeMap::new();
    for (second, n) in seconds {
        let sum = by_step.entry(second.div_euclid(step).saturating_mul(step)).or_default();
        *sum = sum.saturating_add(*n);
    }
    by_step.into_iter().max_by_key(|(at, n)| (*n, -at))
}

fn peak_at(reader: &Reader<'_>, range: &Range<usize>, clock: super::quantities::Clock, stated: Option<u64>) -> Outcome {
    let subject = reader.subject(range.start);
    reader.by_reading(&subject, |group| {
        let seconds = group.seconds(reader.evidence())?;
        let n = within(&seconds, Window { start: clock.second, end: clock.last() });
        let (at, most) = busiest(&seconds, clock.step)?;
        let data = format!("{} at {}", count::write(most), super::windows::text(at, clock.step == 60));
        Some((n == most && stated.is_none_or(|s| s == n), data))
    })
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn figures_by_the_minute_are_counted_by_the_clock_or_from_the_start() {
        come_to(
            "rate",
            &[
                ("HTTP 503 peaked at 40 at 10:02.", &[Ok]),
                ("HTTP 503 peaked at 41 at 10:02.", &[Wrong]),
                ("HTTP 503 peaked at 40 at 10:72.", &[]),
                ("HTTP 503 peaked at 10:03.", &[Wrong]),
                ("Timeouts: at most 12 per minute.", &[Ok]),
                ("Timeouts: 0–12 per minute.", &[Ok]),
                ("Timeouts: 1–13 per minute.", &[Wrong]),
                ("Timeouts in 1 of 10 minutes.", &[Ok]),
                ("Timeouts in 2 of 10 minutes.", &[Wrong]),
                ("Latency peaked at 40% in the end.", &[]),
            ],
        );
    }
}
