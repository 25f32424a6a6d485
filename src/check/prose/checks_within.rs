//! Failed checks within a window: `87 failed checks between 13:43:19 and 13:44:13`, `40 of the failed checks fell into the timeouts`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::within;
use super::kind::Kind;
use super::quantities::{COUNT, number};
use super::reader::{Outcome, RAW, Reader};
use crate::model::Window;
use crate::notation::count;

static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\b({COUNT}) (?:of the |of these )?(?:\d[\d,]* )?(?:failed checks|checks failed|check failures|failing checks)\b"
    ))
    .expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&COUNTED) {
        let Some(range) = found.get(1) else { continue };
        let (windows, placed) = windows(reader, &found.whole());
        if windows.is_empty() || !super::subject::stands_alone(&reader.text.plain, &range) {
            continue;
        }
        let stated = number(reader.plain(&range));
        let counts = super::inside::failed_checks(reader)
            .map(|seconds| windows.iter().map(|w| within(&seconds, *w)).collect::<Vec<_>>());
        let outcome = match (stated, counts.as_deref()) {
            (Some(stated), Some(counts)) if counts.contains(&stated) || placed == Some(stated) => {
                Outcome::ok(count::write(stated))
            }
            (Some(_), Some([first, ..])) => Outcome::wrong(count::write(*first), "failed checks in that window"),
            _ => Outcome::unverifiable(RAW, "when each of them failed is not known"),
        };
        reader.judge(Kind::Check, "failed checks within a window", range, outcome);
    }
}

/// The windows the clause names: its times, else those of the failures it names, then with the checks the evidence places there.
fn windows(reader: &mut Reader<'_>, range: &Range<usize>) -> (Vec<Window>, Option<u64>) {
    let clause = reader.text.part(range.start, &["; ", " — ", ": ", "(", ")"]);
    let stated: Vec<_> =
        super::windows::stated(reader).into_iter().filter(|(place, ..)| clause.contains(&place.start)).collect();
    if !stated.is_empty() {
        // its times say where checks are counted, not when failures began and ended
        stated.iter().for_each(|(place, ..)| reader.take(place.clone()));
        return (stated.iter().map(|(_, from, to)| Window { start: from.second, end: to.last() }).collect(), None);
    }
    let rest = reader.text.slice(range.end..clause.end);
    let placed = ["during the ", "within the ", "in the ", "into the ", "inside the "].iter().any(|w| rest.contains(w));
    let named = reader.mentions.iter().any(|m| m.range.start >= range.end && clause.contains(&m.range.start));
    if !placed || !named {
        return (Vec::new(), None);
    }
    let subject = reader.subject(clause.end.saturating_sub(1));
    let members = || subject.groups.iter().flat_map(|g| &g.members);
    // where windows overlap the evidence counts a check once, in one of them
    let checks = reader.evidence().checks.iter().flat_map(|c| &c.by_name);
    let placed = checks.flat_map(|c| members().filter_map(|p| c.fails_within.get(&p.id))).copied();
    (subject.groups.iter().flat_map(|g| g.windows()).collect(), Some(placed.fold(0, u64::saturating_add)))
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn failed_checks_are_counted_within_the_window_the_clause_names() {
        come_to(
            "check",
            &[
                ("55 failed checks between 10:02:00 and 10:02:19.", &[Ok]),
                ("56 failed checks between 10:02:00 and 10:02:19.", &[Wrong]),
                ("5 of the failed checks fell into the timeouts.", &[Ok]),
                ("6 of the failed checks fell into the timeouts.", &[Wrong]),
                ("60 failed checks.", &[]),
            ],
        );
    }
}
