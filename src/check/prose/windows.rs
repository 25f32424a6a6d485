//! Windows and moments: `from 13:43:19 to 13:44:13 UTC`, `19:37–19:44`, `run from 19:26 to 19:54`, `spread over 20:34, 20:36 and 20:43`, `first at 14:08:48`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::Group;
use super::kind::Kind;
use super::quantities::{CLOCK, COUNT, Clock, number};
use super::reader::{Outcome, RAW, Reader};
use crate::check::Verdict;
use crate::model::{Time, Window};
use crate::notation::time;

static WINDOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({CLOCK})(?: utc)?(?: ?[-–—] ?| to | until | till | and | through )({CLOCK})(?: utc)?"))
        .expect("a fixed pattern")
});

static MOMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b(first|last|begin(?:s|ning)?|began|start(?:s|ed|ing)?|end(?:s|ed|ing)?|over|until|since|stop(?:s|ped)?|ceased?d?|peak(?:s|ed|ing)?|at|on|in)\b[^.;:()0-9]{{0,30}}? ?({CLOCK})(?: utc)?")).expect("a fixed pattern")
});

static LIST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b\d{1,2}:\d{2}(?::\d{2})?(?:(?:, and |, | and )\d{1,2}:\d{2}(?::\d{2})?)+(?: utc)?")
        .expect("a fixed pattern")
});
static ONE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d{1,2}:\d{2}(?::\d{2})?").expect("a fixed pattern"));

/// The windows of failures the text states, for what refers back to them: place and seconds.
pub(super) fn stated(reader: &Reader<'_>) -> Vec<(Range<usize>, Clock, Clock)> {
    let read = |found: &super::reader::Found| {
        let from = reader.clock(reader.plain(&found.get(1)?))?;
        let to = reader.clock(reader.plain(&found.get(2)?))?;
        Some((found.whole(), from, to))
    };
    reader.matches(&WINDOW).iter().filter_map(read).collect()
}

pub(super) fn read(reader: &mut Reader<'_>) {
    lists(reader);
    for (range, from, to) in stated(reader) {
        let outcome = window(reader, &range, from, to);
        let outcome = if outcome.verdict == Verdict::Unverifiable {
            plausible(reader, from, to).unwrap_or(outcome)
        } else {
            outcome
        };
        reader.judge(Kind::Window, "when it happened", range, outcome);
    }
    for found in reader.matches(&MOMENT) {
        let Some(range) = found.get(2) else { continue };
        if reader.is_taken(&range) {
            continue;
        }
        let Some(clock) = reader.clock(reader.plain(&range)) else { continue };
        let outcome = moment(reader, &range, clock);
        reader.judge(Kind::Window, "when it happened", range, outcome);
    }
}

/// `53:46`, `14:06:91`: no time at all. Read first: to every other kind they would be no time of theirs.
pub(super) fn impossible(reader: &mut Reader<'_>) {
    static TIME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(\d{2}):(\d{2})(?::(\d{2}))?\b").expect("a fixed pattern"));
    for found in reader.matches(&TIME) {
        let part = |group| found.get(group).and_then(|r| reader.plain(&r).parse::<u32>().ok()).unwrap_or(0);
        let range = found.whole();
        let none = part(1) > 24 || part(1) == 24 && part(2) + part(3) > 0 || part(2) > 59 || part(3) > 59;
        // the end of a range follows a dash
        let before = reader.text.slice(0..range.start);
        let ends_range = before.ends_with(['-', '–', '—']) && before.contains(':');
        if none && (ends_range || super::subject::stands_alone(&reader.text.plain, &range)) {
            reader.judge(Kind::Window, "when it happened", range, Outcome::wrong("none", "no time of day"));
        }
    }
}

/// What is wrong with a window whatever the data: it ends before it begins, or lies outside the run.
fn plausible(reader: &Reader<'_>, from: Clock, to: Clock) -> Option<Outcome> {
    let run = reader.window()?;
    if to.last() < from.second {
        return Some(Outcome::wrong("none", "it ends before it begins"));
    }
    let outside = from.last() < run.start - SETUP || to.second > run.end + SETUP;
    let data = window_text(run, from.step == 60);
    outside.then(|| Outcome::contradicted(data, "the page's `Test start` and `Test end`", "it lies outside the run"))
}

/// Seconds before and after a test that setup and teardown may take.
const SETUP: i64 = 120;

/// Words for things other than failures that happen at some time.
const OTHER_THINGS: [&str; 16] = [
    "cpu",
    "memory",
    "latency",
    "deploy",
    "restart",
    "scal",
    "rollout",
    "autovacuum",
    "connections",
    "instances",
    "post-mortem",
    "postmortem",
    "migration",
    "failover",
    "throughput",
    "backup",
];

/// How far after a time the words may stand that say what happened then.
const NEXT_WORDS: usize = 24;

/// True when the words around a time speak of something else than failures.
pub(super) fn of_other_things(reader: &Reader<'_>, at: usize) -> bool {
    let clause = reader.text.part(at, &["; ", " — ", ", ", ": "]);
    let failures = reader.mentions.iter().any(|m| clause.contains(&m.range.start));
    let before = reader.text.slice(clause.start..at);
    let after: String = reader.text.slice(at..clause.end).chars().take(NEXT_WORDS).collect();
    !failures && OTHER_THINGS.iter().any(|word| before.contains(word) || after.contains(word))
}

fn window(reader: &Reader<'_>, range: &Range<usize>, from: Clock, to: Clock) -> Outcome {
    let clause = reader.text.part(range.start, &["; ", " — ", ", ", ": ", "("]);
    let before = reader.text.slice(clause.start..range.start);
    let is_run = ["the run ", "the test ", "this run ", "this test "]
        .iter()
        .any(|w| before.contains(w) && !before.contains("into"));
    let failures = reader.mentions.iter().any(|m| clause.contains(&m.range.start));
    if let (true, false, Some(run)) = (is_run, failures, reader.window()) {
        let start = reader.start().unwrap_or(run.start);
        let fits = (from.holds(run.start) || from.holds(start)) && to.holds(run.end);
        return Outcome::of(fits, window_text(run, from.step == 60), "first to last second of the test");
    }
    if of_other_things(reader, range.start) {
        return Outcome::unverifiable("monitoring exports", "it is not said of failed requests");
    }
    if ["no ", "none", "without", "except", "outside", "nothing", "not a single"].iter().any(|w| before.contains(w)) {
        return absent(reader, range, Window { start: from.last(), end: to.second });
    }
    if before.contains("check") && !failures {
        return checks(reader, from, to);
    }
    let subject = reader.subject(range.start);
    let counted = reader.mentions.iter().any(|m| m.count.is_some() && clause.contains(&m.range.start));
    reader.by_reading(&subject, |group| {
        let windows = group.windows();
        let fits = windows.iter().find(|w| from.holds(w.start) && to.holds(w.end));
        let narrowed = counted && narrowed_count(reader, &clause, group, Window { start: from.second, end: to.last() });
        let shown = fits.or(windows.first())?;
        Some((fits.is_some() || narrowed, window_text(*shown, from.step == 60)))
    })
}

/// True when the number stated in the clause is what fell within the window.
fn narrowed_count(reader: &Reader<'_>, clause: &Range<usize>, group: &Group<'_>, window: Window) -> bool {
    let Some(seconds) = group.seconds(reader.evidence()) else { return false };
    let within = super::data::within(&seconds, window);
    let counts = reader.mentions.iter().filter(|m| clause.contains(&m.range.start)).filter_map(|m| m.count.clone());
    within != group.count() && counts.filter_map(|r| super::quantities::number(reader.plain(&r))).any(|n| n == within)
}

/// Failed checks from first to last.
fn checks(reader: &Reader<'_>, from: Clock, to: Clock) -> Outcome {
    let Some(series) = reader.evidence().series.as_ref() else {
        return Outcome::unverifiable(RAW, "when checks failed is not known");
    };
    let Some(start) = series.start.map(Time::unix_seconds) else {
        return Outcome::unverifiable(RAW, "when checks failed is not known");
    };
    let spans: Vec<Window> = series
        .checks_failed
        .values()
        .filter_map(|points| {
            let at = |point: &(i64, u64)| start.saturating_add(point.0);
            Some(Window { start: at(points.first()?), end: at(points.last()?) })
        })
        .collect();
    let all = spans.iter().copied().reduce(|a, b| a.widened_to(b.start).widened_to(b.end));
    let fits = spans.iter().copied().chain(all).any(|w| from.holds(w.start) && to.holds(w.end));
    match all {
        Some(all) if fits => Outcome::ok(window_text(all, from.step == 60)),
        Some(_) => Outcome::unverifiable(RAW, "it is not clear which checks are meant"),
        None => Outcome::unverifiable(RAW, "when checks failed is not known"),
    }
}

/// `no failures from T to T`.
fn absent(reader: &Reader<'_>, range: &Range<usize>, window: Window) -> Outcome {
    let subject = reader.subject(range.start);
    reader.by_whole(&subject, |group| {
        let n = super::data::within(&group.seconds(reader.evidence())?, window);
        Some((n == 0, format!("{n} {}", group.name)))
    })
}

fn moment(reader: &Reader<'_>, range: &Range<usize>, clock: Clock) -> Outcome {
    if of_other_things(reader, range.start) {
        return Outcome::unverifiable("monitoring exports", "it is not said of failed requests");
    }
    let subject = reader.subject(range.start);
    let clause = reader.text.part(range.start, &["; ", " — ", ", ", ": "]);
    let before = reader.text.slice(clause.start..range.start).to_owned();
    let any = |words: &[&str]| words.iter().any(|w| before.contains(w));
    let first = any(&["first", "began", "begin", "start", "since", "onset"]);
    let last = any(&["last ", "ended", "ends", "ending", "until", "stopped", "over by", "ceased"]);
    if any(&["before", "after", "none", "no "]) {
        return Outcome::unverifiable(RAW, "the words can be read in more than one way");
    }
    let peak = any(&["peak", "most", "highest", "worst"]);
    let minutes = clock.step == 60;
    reader.by_reading(&subject, |group| {
        if peak {
            let seconds = group.seconds(reader.evidence())?;
            let n = super::data::within(&seconds, Window { start: clock.second, end: clock.last() });
            let (at, most) = super::rates::busiest(&seconds, clock.step)?;
            return Some((n == most, format!("{most} at {}", text(at, minutes))));
        }
        let windows = group.windows();
        let wanted = |w: &Window| match (first, last) {
            (true, false) => clock.holds(w.start),
            (false, true) => clock.holds(w.end),
            _ => clock.holds(w.start) || clock.holds(w.end),
        };
        let fits = windows.iter().any(wanted);
        let hit = !first
            && !last
            && group
                .seconds(reader.evidence())
                .is_some_and(|s| super::data::within(&s, Window { start: clock.second, end: clock.last() }) > 0);
        let shown = windows.first()?;
        let data = match (first, last) {
            (true, false) => text(shown.start, minutes),
            (false, true) => text(shown.end, minutes),
            _ => window_text(*shown, minutes),
        };
        Some((fits || hit, data))
    })
}

/// `over 20:34, 20:36 and 20:43`: each with a failure in it.
fn lists(reader: &mut Reader<'_>) {
    for found in reader.matches(&LIST) {
        let whole = found.whole();
        // `between 13:43:19 and 13:44:13` is a window
        let before = reader.text.slice(reader.text.sentence(whole.start).start..whole.start).trim_end();
        let times: Vec<Range<usize>> =
            ONE.find_iter(reader.plain(&whole)).map(|m| whole.start + m.start()..whole.start + m.end()).collect();
        if before.ends_with("between")
            || before.ends_with("from")
            || times.len() < 3 && !before.ends_with("at") && !before.ends_with("in") && !before.ends_with("over")
        {
            continue;
        }
        let several = times.len() > 2;
        singly(reader, &whole, times.len() as u64);
        for range in times {
            let Some(clock) = reader.clock(reader.plain(&range)) else { continue };
            let subject = reader.subject(range.start);
            let outcome = reader.by_reading(&subject, |group| {
                let seconds = group.seconds(reader.evidence())?;
                let n = super::data::within(&seconds, Window { start: clock.second, end: clock.last() });
                Some((n > 0, format!("{n} {} at that time", group.name)))
            });
            let outcome = match outcome.verdict {
                // two times may be those of two runs
                Verdict::Unverifiable if several => plausible(reader, clock, clock).unwrap_or(outcome),
                _ => outcome,
            };
            reader.judge(Kind::Window, "when it happened", range, outcome);
        }
        reader.take(whole);
    }
}

static SINGLY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b({COUNT}) (?:\w+ ){{0,4}}(?:single|singles|isolated|one each)\b|\b({COUNT}) single "))
        .expect("a fixed pattern")
});

/// `five single 503s at` four times: single ones are as many as their times. A note, the words may be meant loosely.
fn singly(reader: &mut Reader<'_>, list: &Range<usize>, times: u64) {
    let sentence = reader.text.sentence(list.start);
    let Some(found) = SINGLY.captures(reader.text.slice(sentence.start..list.start)) else { return };
    let Some(figure) = found.get(1).or(found.get(2)) else { return };
    let Some(stated) = number(figure.as_str()) else { return };
    if stated == times {
        return;
    }
    let outcome = Outcome {
        severity: Some(crate::check::Severity::Note),
        ..Outcome::contradicted(
            format!("{times} times"),
            "the same sentence",
            format!("{stated} do not fit into {times} times one by one"),
        )
    };
    let range = sentence.start + figure.start()..sentence.start + figure.end();
    // the number itself was judged as a count; this is about the times beside it
    reader.judge(Kind::Window, "single failures and their times", range, outcome);
}

/// A moment in the resolution of the page.
pub(super) fn text(second: i64, minutes: bool) -> String {
    let clock = Time::from_unix_seconds(second).map(time::clock).unwrap_or_default();
    if minutes { clock.get(..5).unwrap_or_default().to_owned() } else { clock }
}

fn window_text(window: Window, minutes: bool) -> String {
    format!("{} to {}", text(window.start, minutes), text(window.end, minutes))
}

/// Where a text states windows.
pub(super) fn places(plain: &str) -> Vec<Range<usize>> {
    WINDOW.find_iter(plain).map(|found| found.range()).collect()
}

/// Both ends of a window in words.
pub(super) fn ends(reader: &Reader<'_>, words: &str) -> Option<(Clock, Clock)> {
    let found = WINDOW.captures(words)?;
    Some((reader.clock(found.get(1)?.as_str())?, reader.clock(found.get(2)?.as_str())?))
}

/// Every window the text states of failures, judged already or not.
pub(super) fn stated_everywhere(reader: &Reader<'_>) -> Vec<(Range<usize>, Clock, Clock)> {
    let read = |c: regex::Captures<'_>| {
        let from = reader.clock(c.get(1)?.as_str())?;
        let to = reader.clock(c.get(2)?.as_str())?;
        Some((c.get(0)?.range(), from, to))
    };
    WINDOW.captures_iter(&reader.text.plain).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Contradicted, Ok, Unverifiable, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn windows_and_moments_are_those_of_the_failures_the_words_mean() {
        come_to(
            "window",
            &[
                ("HTTP 503 from 10:02:00 to 10:02:19 UTC.", &[Ok]),
                ("HTTP 503 from 10:02 to 10:02.", &[Ok]),
                ("HTTP 503 from 10:02:00 to 10:02:29.", &[Wrong]),
                ("The last timeout came at 10:08:55.", &[Ok]),
                ("The last timeout came at 10:08:50.", &[Wrong]),
                ("HTTP 503 at 10:02:99.", &[Wrong]),
                ("Memory grew from 10:04 to 10:05.", &[Unverifiable]),
                ("Five single timeouts at 10:08:00, 10:08:05, 10:08:10 and 10:08:15.", &[Contradicted, Ok, Ok, Ok, Ok]),
                ("Four single timeouts at 10:08:00, 10:08:05, 10:08:10 and 10:08:16.", &[Ok, Ok, Ok, Wrong]),
            ],
        );
    }
}
