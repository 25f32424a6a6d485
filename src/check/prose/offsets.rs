//! Offsets: `first arrives 1,658s (~28min) into the run`, `two minutes into the run`, `beginning after 179s`, `41s after the start`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{complete, populations, span};
use super::kind::Kind;
use super::quantities::{CLOCK, DURATION, Quantity, duration};
use super::reader::{Outcome, RAW, Reader};
use crate::notation::duration::prose;

static INTO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({DURATION})(?: ?\(({DURATION})\))? ?(?:into (?:the|this) (?:run|test)|into it|in\b(?: the run)?[,.;]|after (?:the )?(?:test )?(?:start|beginning)|from the start|since the start)|\b(?:begin(?:s|ning)?|began|start(?:s|ing|ed)?|first(?: \w+)?|came|comes|sets? in|arriv\w+|appear\w*) (?:only )?(?:after|at) ({DURATION})")).expect("a fixed pattern")
});

/// Words by which a text counts from another zero than the test's first second.
const OTHER_ZERO: [&str; 6] = ["launch", "k6 start", "stamp", "setup", "from the start of k6", "warm-up"];

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&INTO) {
        for range in [1, 2, 3].into_iter().filter_map(|i| found.get(i)) {
            let Some(stated) = duration(reader.plain(&range)) else { continue };
            if super::windows::of_other_things(reader, range.start) {
                continue;
            }
            let outcome = offset(reader, &range, stated);
            reader.judge(Kind::Offset, "how far into the run", range, outcome);
        }
    }
}

fn offset(reader: &Reader<'_>, range: &Range<usize>, stated: Quantity) -> Outcome {
    let sentence = reader.text.sentence(range.start);
    let other = OTHER_ZERO.iter().any(|word| reader.plain(&sentence).contains(word));
    let named = if other { named_zero(reader, &sentence) } else { None };
    if other && named.is_none() {
        return Outcome::unverifiable(
            "the moment it counts from",
            "the text counts from another moment than the test's first second",
        );
    }
    let Some(start) = named.or_else(|| reader.start()) else {
        return Outcome::unverifiable(RAW, "the test's first second is not known");
    };
    let clause = reader.text.part(range.start, &["; ", " — ", ", ", ": "]);
    let words = reader.plain(&clause);
    let last = words.contains("last") || words.contains("end");
    let timed = complete(reader.evidence()) && populations(reader.evidence()).iter().any(|p| span(p).is_some());
    if !timed {
        return from_stated(reader, range, stated, start);
    }
    let subject = reader.subject(range.start);
    let zeros = [Some(start), reader.window().map(|w| w.start).filter(|_| named.is_none())];
    reader.by_reading(&subject, |group| {
        let windows = group.windows();
        let moments: Vec<i64> =
            windows.iter().flat_map(|w| if last { vec![w.end, w.start] } else { vec![w.start] }).collect();
        let offsets: Vec<f64> =
            moments.iter().flat_map(|m| zeros.iter().flatten().map(move |zero| (m - zero) as f64)).collect();
        Some((offsets.iter().any(|o| stated.fits(*o)), seconds(*offsets.first()?, stated)))
    })
}

/// The moment a text says it counts from: `counted from the launcher's stamp, 13:41:10`.
fn named_zero(reader: &Reader<'_>, sentence: &Range<usize>) -> Option<i64> {
    static ZERO: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(r"\b(?:from|since|after) [^.;0-9]{{0,40}}?({CLOCK})")).expect("a fixed pattern")
    });
    let plain = reader.plain(sentence);
    let from = OTHER_ZERO.iter().filter_map(|word| plain.find(word)).min()?;
    let fits = |found: &regex::Captures<'_>| found.get(0).is_some_and(|m| m.start() <= from && from < m.end());
    let found = ZERO.captures_iter(plain).find(fits)?;
    Some(reader.clock(found.get(1)?.as_str())?.second)
}

/// Without data: from the page's `Test start` to the window stated before it in the same sentence or item.
fn from_stated(reader: &Reader<'_>, range: &Range<usize>, stated: Quantity, start: i64) -> Outcome {
    let sentence = reader.text.sentence(range.start);
    let windows = super::windows::stated_everywhere(reader);
    let here = windows.iter().rfind(|(place, ..)| sentence.contains(&place.start) && place.start < range.start);
    let Some((_, from, _)) = here else {
        return Outcome::unverifiable(RAW, "the times of single failures are not known");
    };
    let (least, most) = ((from.second - start) as f64, (from.last() - start) as f64);
    if stated.fits(least) || stated.fits(most) || from.step == 60 && stated.value >= least && stated.value <= most {
        return Outcome::ok(seconds(least, stated));
    }
    Outcome::contradicted(
        seconds(least, stated),
        "the window stated beside it and the row `Test start`",
        "from the page's own Test start; the text names no other zero",
    )
}

/// An offset in the notation of the claim: bare seconds where it has them.
fn seconds(offset: f64, stated: Quantity) -> String {
    if offset < 0.0 {
        return format!("{} before it", prose(-offset));
    }
    if stated.step < 60.0 && stated.value >= 120.0 {
        format!("{}s", crate::notation::count::write(offset as u64))
    } else {
        prose(offset)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Unverifiable, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn offsets_count_from_the_tests_first_second_or_the_moment_that_is_named() {
        come_to(
            "offset",
            &[
                ("The first timeout came 480s into the run.", &[Ok]),
                ("The first timeout came 8 minutes into the run.", &[Ok]),
                ("The first timeout came 490s into the run.", &[Wrong]),
                ("The first timeout came 490s into the run, counted from the launcher's stamp.", &[Unverifiable]),
                ("The first timeout came 490s into the run, counted from the launcher's stamp, 09:59:50.", &[Ok]),
                ("The first timeout came 480s into the run, counted from the launcher's stamp, 09:59:50.", &[Wrong]),
                ("The autovacuum set in after 490s.", &[]),
            ],
        );
    }
}
