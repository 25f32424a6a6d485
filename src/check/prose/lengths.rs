//! Lengths: `a 55-second burst`, `lasting 2min 15s`, `within 55 seconds`, `25 minutes apart`, `24min 35s after the last 503`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, complete, of_test, populations, span};
use super::kind::Kind;
use super::quantities::{DURATION, Quantity, duration};
use super::reader::{Outcome, RAW, Reader};
use crate::model::Window;
use crate::notation::duration::prose;

static LENGTH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({DURATION})-?\s?(?:bursts?|windows?|span|spike|cluster|episode|long)\b|\b(?:burst of|bursts of|spike of|cluster of|lasting|lasts|lasted|(?:they|which|these|those|failures|timeouts) last|within|over|spanning|spans|window of|went on for|all in|span of)\s(?:only |just |the same |a |some )?({DURATION})")).expect("a fixed pattern")
});

static APART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({DURATION})\s?(?:apart|between (?:them|the two)|later)\b|\bgap of ({DURATION})|({DURATION}) after the (?:last|end of the|first)\b|({DURATION})(?:-| )gap")).expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&APART) {
        let Some(range) = (1..5).find_map(|i| found.get(i)) else { continue };
        let Some(stated) = duration(reader.plain(&range)) else { continue };
        // `after the last of (3)` names its population by number, which stated windows do not have
        let by_number = found.get(0).is_some_and(|whole| reader.follows(whole.end, " of ("));
        let outcome = apart(reader, stated, by_number);
        reader.judge(Kind::Length, "time between them", range, outcome);
    }
    for found in reader.matches(&LENGTH) {
        let Some(range) = found.get(1).or(found.get(2)) else { continue };
        let Some(stated) = duration(reader.plain(&range)) else { continue };
        let rest = reader.text.slice(range.end..reader.text.sentence(range.start).end);
        let offset = ["into", " of the run", " after", "of each other"]
            .iter()
            .any(|w| rest.trim_start().starts_with(w.trim_start()));
        if offset || super::windows::of_other_things(reader, range.start) {
            continue;
        }
        let outcome = length(reader, &range, stated);
        reader.judge(Kind::Length, "how long it lasted", range, outcome);
    }
}

fn length(reader: &Reader<'_>, range: &Range<usize>, stated: Quantity) -> Outcome {
    let subject = reader.subject(range.start);
    let outcome = reader.by_reading(&subject, |group: &Group<'_>| {
        let lengths: Vec<f64> =
            group.windows().iter().flat_map(|w| [w.seconds() as f64, w.seconds() as f64 - 1.0]).collect();
        Some((lengths.iter().any(|s| stated.fits(*s)), prose(*lengths.first()?)))
    });
    if complete(reader.evidence()) && populations(reader.evidence()).iter().any(|p| span(p).is_some()) {
        return outcome;
    }
    beside(reader, range, stated).unwrap_or(outcome)
}

/// Without data: the length of the window stated in the same sentence.
fn beside(reader: &Reader<'_>, range: &Range<usize>, stated: Quantity) -> Option<Outcome> {
    let sentence = reader.text.sentence(range.start);
    let windows = super::windows::stated_everywhere(reader);
    let mut here = windows.iter().filter(|(place, ..)| sentence.contains(&place.start));
    let (_, from, to) = here.next().filter(|(_, from, to)| from.step == 1 && to.step == 1)?;
    if here.next().is_some() {
        return None;
    }
    let seconds = (to.second - from.second) as f64;
    let fits = stated.fits(seconds) || stated.fits(seconds + 1.0);
    let data = prose(seconds + 1.0);
    Some(if fits {
        Outcome::ok(data)
    } else {
        Outcome::contradicted(data, "the window stated beside it", "first to last second of that window")
    })
}

fn apart(reader: &Reader<'_>, stated: Quantity, by_number: bool) -> Outcome {
    let known: Vec<Window> = populations(reader.evidence())
        .iter()
        .flat_map(|p| Group { name: String::new(), members: vec![p] }.windows())
        .collect();
    let main = populations(reader.evidence()).iter().filter(|p| of_test(p) && span(p).is_some()).count();
    if known.len() < 2 {
        let from_text = if by_number { None } else { between_stated(reader, stated) };
        return from_text.unwrap_or_else(|| Outcome::unverifiable(RAW, "the times of single failures are not known"));
    }
    let mut gaps = Vec::new();
    for (index, a) in known.iter().enumerate() {
        for b in known.iter().skip(index + 1) {
            let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
            gaps.extend([
                second.start - first.end,
                second.start - first.start,
                second.end - first.end,
                second.start - first.end - 1,
            ]);
        }
    }
    let gaps: Vec<f64> = gaps.into_iter().filter(|g| *g > 0).map(|g| g as f64).collect();
    match gaps.first() {
        Some(_) if gaps.iter().any(|g| stated.fits(*g)) => {
            Outcome::ok(prose(gaps.iter().copied().find(|g| stated.fits(*g)).unwrap_or_default()))
        }
        Some(first) if main >= 2 => {
            Outcome::wrong(prose(*first), "from the last of one to the first of the next; no other pair fits either")
        }
        _ => Outcome::unverifiable(RAW, "it is not clear which failures are meant"),
    }
}

/// Without data: the windows the text itself states.
fn between_stated(reader: &Reader<'_>, stated: Quantity) -> Option<Outcome> {
    let windows = super::windows::stated_everywhere(reader);
    let [(_, first, to), (_, from, _)] = windows.as_slice() else { return None };
    let gap = (from.second - to.second) as f64;
    let fits = stated.fits(gap) || stated.fits((from.second - first.second) as f64) || to.step == 60;
    Some(if fits {
        Outcome::ok(prose(gap.max(0.0)))
    } else {
        Outcome::contradicted(
            prose(gap.max(0.0)),
            "the two windows stated in the text",
            "from the end of one to the beginning of the other",
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn lengths_and_gaps_are_from_first_to_last_second() {
        come_to(
            "length",
            &[
                ("HTTP 503 in a 20-second burst.", &[Ok]),
                ("HTTP 503 in a 25-second burst.", &[Wrong]),
                ("The timeouts lasted about a minute, within 56 seconds.", &[Ok]),
                ("The timeouts came within 50 seconds.", &[Wrong]),
                ("Two failures, 6 minutes apart.", &[Ok]),
                ("Two failures, 5min 41s apart.", &[Ok]),
                ("Two failures, 9 minutes apart.", &[Wrong]),
                ("The autovacuum lasted 50 seconds.", &[]),
            ],
        );
    }
}
