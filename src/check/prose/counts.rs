//! Counts of a cause: `150 HTTP 503`, `75 request timeouts (33.3%)`, `24x request timeout`, `503s (12)`; within a window where one is named.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, complete, within};
use super::kind::Kind;
use super::quantities::{CLOCK, COUNT, DURATION, PERCENT, duration, number, percentage};
use super::reader::{Outcome, RAW, Reader};
use super::subject::{Cause, Mention, group, near_status};
use super::totals::{best, of_counts};
use crate::model::{PopulationOrigin, Window};
use crate::notation::count;

static SHARE_AFTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"^[^.;0-9]{{0,40}}?\(({PERCENT})(?: of (?:the |all )?({COUNT}|failures|failed requests|requests|all requests))?")).expect("a fixed pattern")
});

static SHARE_OF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({PERCENT}) of (?:the |all |all the |these )?(?:({COUNT}) )?(failures|failed requests|failed calls|errors|them)")).expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for mention in reader.mentions.clone() {
        if reader.is_taken(&mention.range) {
            continue;
        }
        let near = near_status(&reader.text, &reader.mentions, &mention);
        let group = group(reader.evidence(), mention.cause, near);
        match mention.count.clone() {
            Some(range) => counted(reader, &mention, range, &group),
            None => exists(reader, &mention, &group),
        }
    }
    shares(reader);
}

fn counted(reader: &mut Reader<'_>, mention: &Mention, range: Range<usize>, group: &Group<'_>) {
    let scope = scope(reader, &mention.range);
    let outcome = count_outcome(reader, &range, group, mention.cause, scope);
    let name = group.name.clone();
    reader.judge(Kind::Count, format!("number of {name}"), range, outcome);
    let rest = reader.text.slice(mention.range.end..reader.text.sentence(mention.range.start).end).to_owned();
    let Some(found) = SHARE_AFTER.captures(&rest) else { return };
    let (Some(stated), Some(place)) = (found.get(1).and_then(|m| percentage(m.as_str())), found.get(1)) else { return };
    let range = mention.range.end + place.start()..mention.range.end + place.end();
    if reader.is_taken(&range) {
        return;
    }
    let of = wholes(reader, found.get(2).map(|m| m.as_str()));
    let known = group_known(reader, mention.cause);
    let outcome = if known && !group.members.is_empty() {
        let readings = group.readings();
        best(readings.iter().flat_map(|g| of.iter().map(|w| of_counts(&stated, g.count(), *w))).collect())
    } else {
        own_count(reader, mention, &stated, &of)
    };
    reader.judge(Kind::Share, format!("share of {name}"), range, outcome);
    if let Some(whole) = found.get(2).and_then(|m| number(m.as_str()).map(|n| (n, m))) {
        let range = mention.range.end + whole.1.start()..mention.range.end + whole.1.end();
        let all = wholes(reader, None);
        let outcome = match all.first() {
            Some(first) => Outcome::of(all.contains(&whole.0), count::write(*first), "counted over the whole run"),
            None => Outcome::unverifiable(RAW, "the run's totals are not known"),
        };
        reader.judge(Kind::Total, "failed requests of the run", range, outcome);
    }
}

/// Without data on the cause the share can still be held against the count beside it.
fn own_count(
    reader: &Reader<'_>,
    mention: &Mention,
    stated: &super::quantities::Percentage,
    wholes: &[u64],
) -> Outcome {
    let own = mention.count.as_ref().and_then(|r| number(reader.plain(r)));
    match own {
        Some(own) if !wholes.is_empty() => best(wholes.iter().map(|w| of_counts(stated, own, *w)).collect()),
        _ => Outcome::unverifiable(RAW, "the counts of single causes are not known"),
    }
}

/// What a share may be of: the failures, or all requests.
fn wholes(reader: &Reader<'_>, said: Option<&str>) -> Vec<u64> {
    let requests = reader.evidence().requests.as_ref();
    let failed = requests.and_then(|r| r.run.failed);
    let totals = requests.map(|r| r.run.total).into_iter().chain(requests.and_then(|r| r.test).map(|t| t.total));
    match said {
        Some(said) if said.contains("fail") => failed.into_iter().collect(),
        Some(said) if said.contains("request") => totals.collect(),
        _ => failed.into_iter().chain(totals).collect(),
    }
}

fn group_known(reader: &Reader<'_>, cause: Cause) -> bool {
    complete(reader.evidence()) || cause == Cause::Any && reader.evidence().requests.is_some()
}

fn count_outcome(
    reader: &Reader<'_>,
    range: &Range<usize>,
    group: &Group<'_>,
    cause: Cause,
    scope: Option<Scope>,
) -> Outcome {
    let words = reader.plain(range);
    let Some(stated) = (if matches!(words, "no" | "none") { Some(0) } else { number(words) }) else {
        return Outcome::unverifiable(RAW, "the number cannot be read");
    };
    let requests_failed = reader.evidence().requests.as_ref().and_then(|r| r.run.failed);
    let mut whole: Vec<u64> = group.readings().iter().map(Group::count).collect();
    if cause == Cause::Any {
        whole = requests_failed.into_iter().chain(whole).chain(together(reader, range)).collect();
    }
    let says = |n: u64| agrees(reader, range, stated, n);
    if whole.iter().any(|n| says(*n)) && (complete(reader.evidence()) || stated > 0) {
        return Outcome::ok(count::write(stated));
    }
    // a log has a line for every request that failed without a status
    let logged = !group.members.is_empty() && group.members.iter().all(|p| p.origin == PopulationOrigin::Log);
    if logged && scope.is_none() && !matches!(cause, Cause::Any | Cause::Status(_) | Cause::StatusClass(_)) {
        return Outcome::contradicted(count::write(group.count()), "the log's lines", "lines of that cause");
    }
    if !group_known(reader, cause) {
        return Outcome::unverifiable(RAW, "the causes of single failures are not known");
    }
    let whole = whole.first().copied().unwrap_or(0);
    let Some(scope) = scope else {
        return match whole {
            0 => Outcome::wrong("0", format!("the run has no {}", group.name)),
            n => Outcome::wrong(count::write(n), format!("all {} of the run", group.name)),
        };
    };
    let parts =
        scope.windows.iter().filter_map(|w| Some(within(&group.seconds(reader.evidence())?, *w))).collect::<Vec<_>>();
    match (parts.first(), stated) {
        _ if parts.iter().any(|n| says(*n)) => Outcome::ok(count::write(stated)),
        (_, stated) if stated > whole => Outcome::wrong(count::write(whole), format!("all {} of the run", group.name)),
        (Some(n), _) if scope.certain => Outcome::wrong(
            count::write(*n),
            format!("{} in that time, of {} in the run", group.name, count::write(whole)),
        ),
        _ => Outcome::unverifiable(RAW, "it is not clear in which time they are counted"),
    }
}

/// The causes that the sentence names before a number, summed: `150 HTTP 503 and 75 timeouts make 225 failures`.
fn together(reader: &Reader<'_>, range: &Range<usize>) -> Option<u64> {
    let sentence = reader.text.sentence(range.start);
    let before =
        |m: &&Mention| sentence.contains(&m.range.start) && m.range.end <= range.start && m.cause != Cause::Any;
    let mut ids = Vec::new();
    let mut sum = 0_u64;
    for mention in reader.mentions.iter().filter(before) {
        let near = near_status(&reader.text, &reader.mentions, mention);
        for population in group(reader.evidence(), mention.cause, near).members {
            if !ids.contains(&population.id) {
                ids.push(population.id);
                sum = sum.saturating_add(population.count);
            }
        }
    }
    (ids.len() > 1).then_some(sum)
}

/// Exact, but for `about`, `more than`, `at least`.
fn agrees(reader: &Reader<'_>, range: &Range<usize>, stated: u64, data: u64) -> bool {
    let before = reader.text.slice(range.start.saturating_sub(16)..range.start);
    let before = if before.is_empty() { "" } else { before.trim_end() };
    let ends = |words: &[&str]| words.iter().any(|w| before.ends_with(w));
    if ends(&["more than", "over", "above"]) {
        return data > stated;
    }
    if ends(&["at least", "no fewer than"]) {
        return data >= stated;
    }
    if ends(&["fewer than", "less than", "under", "below"]) {
        return data < stated;
    }
    if ends(&["at most", "up to"]) {
        return data <= stated;
    }
    stated == data || is_approximate(reader, range) && (stated as f64 - data as f64).abs() <= 0.05 * data as f64
}

/// True when `~`, `about` or the like stands before a number.
pub(super) fn is_approximate(reader: &Reader<'_>, range: &Range<usize>) -> bool {
    let from = (range.start.saturating_sub(16)..=range.start)
        .find(|at| reader.text.plain.is_char_boundary(*at))
        .unwrap_or(range.start);
    let before = reader.text.slice(from..range.start).trim_end();
    ["~", "about", "around", "roughly", "some", "nearly", "almost", "approximately", "circa"]
        .iter()
        .any(|w| before.ends_with(w))
}

/// A part of the run a count is narrowed to.
pub(super) struct Scope {
    /// The windows it may be.
    pub(super) windows: Vec<Window>,
    /// False when words narrow it in a way that is not read.
    pub(super) certain: bool,
}

static WINDOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({CLOCK})(?: utc)?\s?(?:to|-|–|—|until|till|and|through)\s?({CLOCK})"))
        .expect("a fixed pattern")
});
static MINUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:at|in the minute|in minute|in) (\d{1,2}:\d{2})\b(?:$|[^:\d–-])").expect("a fixed pattern")
});
static EDGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b(?:in|during|within|over|of) (?:the|its|their) (first|last|final|opening) (?:({DURATION})|minute|second|hour)\b"))
        .expect("a fixed pattern")
});
static BOUND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"\b(before|until|after|since|from) ({CLOCK})")).expect("a fixed pattern"));
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:per|a|each|every) (?:minute|second)\b|/min\b|/s\b|\bpeak|\bin \d+ (?:of \d+ )?minutes\b|\bwithin\b|\bon (?:post|get|put|delete)\b|\bof which\b|\bof these\b|\bamong\b|\bin (?:setup|teardown)\b|\boutside\b|\bhour\b").expect("a fixed pattern")
});

/// The part of the run that the words around a count name; `None` when it is about the whole run.
pub(super) fn scope(reader: &Reader<'_>, range: &Range<usize>) -> Option<Scope> {
    let clause = reader.text.part(range.start, &["; ", " — ", ": ", "(", ")"]);
    let plain = reader.text.slice(clause);
    let run = reader.window()?;
    let mut windows = Vec::new();
    let spans: Vec<Window> = WINDOW
        .captures_iter(plain)
        .filter_map(|c| {
            Some(Window {
                start: reader.clock(c.get(1)?.as_str())?.second,
                end: reader.clock(c.get(2)?.as_str())?.last(),
            })
        })
        .collect();
    windows.extend(spans.iter().copied().filter(|w| w.start <= w.end));
    // `from 13:45 to 14:08` may leave out both minutes
    windows.extend(spans.iter().map(|w| Window { start: w.start + 59, end: w.end - 59 }).filter(|w| w.start < w.end));
    if spans.is_empty() {
        windows.extend(MINUTE.captures_iter(plain).filter_map(|c| {
            let clock = reader.clock(c.get(1)?.as_str())?;
            Some(Window { start: clock.second, end: clock.last() })
        }));
        for c in BOUND.captures_iter(plain) {
            let Some(clock) = c.get(2).and_then(|m| reader.clock(m.as_str())) else { continue };
            match c.get(1).map(|m| m.as_str()) {
                Some("before" | "until") => windows.push(Window { start: run.start - 600, end: clock.second - 1 }),
                Some("after") => {
                    windows.push(Window { start: clock.last() + 1, end: run.end + 600 });
                    windows.push(Window { start: clock.second, end: run.end + 600 });
                }
                _ => windows.push(Window { start: clock.second, end: run.end + 600 }),
            }
        }
    }
    for c in EDGE.captures_iter(plain) {
        let seconds = c.get(2).and_then(|m| duration(m.as_str())).map_or(60.0, |q| q.value.min(1e9)) as i64;
        match c.get(1).map(|m| m.as_str()) {
            Some("first" | "opening") => windows.push(Window { start: run.start, end: run.start + seconds - 1 }),
            _ => windows.push(Window { start: run.end - seconds + 1, end: run.end }),
        }
    }
    match (windows.is_empty(), OTHER.is_match(plain)) {
        (true, false) => None,
        (empty, other) => Some(Scope { windows, certain: !empty && !other }),
    }
}

/// Words right after a cause that say it was there: `the HTTP 503 lie between …`.
static HAPPENED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^s?(?: (?:requests|errors|responses|answers))? (?:all )?(?:lie|lay|came|come|peaked|began|started|arrived|occurred|appeared|lasted|fell|ended|stopped)\b")
        .expect("a fixed pattern")
});

/// A cause that is named without a number has to exist.
fn exists(reader: &mut Reader<'_>, mention: &Mention, group: &Group<'_>) {
    let Cause::Status(_) = mention.cause else { return };
    let from = reader.text.part(mention.range.start, &["; ", ", ", " — "]).start;
    let before = reader.text.slice(from..mention.range.start);
    let negated =
        ["no ", "not ", "without", "rather", "never", "than ", "neither", "nor "].iter().any(|w| before.contains(w));
    if negated || !complete(reader.evidence()) {
        return;
    }
    // a status may be named for what it means or how it is handled: only one that is said to have happened must exist
    let sentence = reader.text.sentence(mention.range.start);
    let counted = reader.mentions.iter().any(|m| m.count.is_some() && sentence.contains(&m.range.start));
    let happened =
        ["are", "were", "with", "as", "got", "returned", "single", "first", "last", "first of the", "last of the"]
            .iter()
            .any(|w| before.trim_end().ends_with(w))
            || HAPPENED.is_match(reader.text.slice(mention.range.end..sentence.end));
    let outcome = match group.members.is_empty() {
        true if !counted && !happened => return,
        true => Outcome::wrong("0", format!("the run has no {}", group.name)),
        false => Outcome::ok(count::write(group.count())),
    };
    reader.judge(Kind::Count, format!("{} occurred", group.name), mention.range.clone(), outcome);
}

/// `66.7% of the failures`.
fn shares(reader: &mut Reader<'_>) {
    for found in reader.matches(&SHARE_OF) {
        let Some(range) = found.get(1) else { continue };
        let subject = reader.subject(range.start);
        let Some(stated) = percentage(reader.plain(&range)) else { continue };
        let Some(failed) = reader.evidence().requests.as_ref().and_then(|r| r.run.failed) else { continue };
        let specific: Vec<&Group<'_>> = subject.groups.iter().filter(|g| g.name != "failed requests").collect();
        let outcome = match (complete(reader.evidence()), specific.is_empty()) {
            (true, false) => best(
                specific.iter().flat_map(|g| g.readings()).map(|g| of_counts(&stated, g.count(), failed)).collect(),
            ),
            _ => Outcome::unverifiable(RAW, "it is not clear which failures are meant"),
        };
        reader.judge(Kind::Share, "share of the failures", range, outcome);
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Unverifiable, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn counts_are_of_the_run_of_a_time_or_of_the_causes_beside_them() {
        come_to(
            "count",
            &[
                ("40 HTTP 503 and 12 timeouts.", &[Ok, Ok]),
                ("41 HTTP 503.", &[Wrong]),
                ("About 41 HTTP 503.", &[Ok]),
                ("More than 12 timeouts.", &[Wrong]),
                ("No connection resets.", &[Ok]),
                ("10 of the timeouts came from 10:08:00 to 10:08:45.", &[Ok]),
                ("11 of the timeouts came from 10:08:00 to 10:08:45.", &[Wrong]),
                ("40 HTTP 503 and 12 timeouts make 52 failures.", &[Ok, Ok, Ok]),
                ("40 HTTP 503 and 12 timeouts make 53 failures.", &[Ok, Ok, Wrong]),
                ("7 timeouts among the slow ones.", &[Unverifiable]),
                ("The HTTP 504 came within 3 seconds.", &[Wrong]),
                ("The first of the HTTP 504 was late.", &[Wrong]),
                ("The gateway answers HTTP 429 within 5 seconds.", &[]),
                ("No HTTP 504 came.", &[Ok]),
            ],
        );
    }
}
