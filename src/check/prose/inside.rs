//! What falls inside which window: `all of them within the two windows above`, `all during (1)`, `none of them in the burst`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, of_test, populations};
use super::kind::Kind;
use super::reader::{Outcome, RAW, Reader};
use crate::model::{Time, Window};
use crate::notation::count;

static ALL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(all(?: of (?:them|these|which))?|none(?: of (?:them|these|which))?|every one(?: of them)?)(?: (?:of them|fell|fall|failed|are|were|lie|came))? (?:within|inside|during|in|outside(?: of)?) (?:the|these|those|that|both)(?: same)?(?: (?:two|three|four|same|above|named|stated|first|second|\d+))?(?: \w+)? (?:windows?|bursts?|times|populations)(?: above)?").expect("a fixed pattern")
});
static DURING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(all(?: of them)?|none(?: of them)?) (?:within|inside|during|in) \((\d)\)").expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&DURING) {
        let Some(id) = found.get(2).and_then(|r| reader.plain(&r).parse::<u32>().ok()) else { continue };
        let windows = populations(reader.evidence())
            .iter()
            .filter(|p| p.id == id)
            .flat_map(|p| Group { name: String::new(), members: vec![p] }.windows())
            .collect();
        judge(reader, &found.whole(), found.get(1), windows);
    }
    for found in reader.matches(&ALL) {
        // the windows the text states, else those of the data
        let stated = super::windows::stated_everywhere(reader);
        let above: Vec<Window> = stated
            .iter()
            .filter(|(p, ..)| p.start < found.whole().start)
            .map(|(_, from, to)| Window { start: from.second, end: to.last() })
            .collect();
        let of_data = || {
            populations(reader.evidence())
                .iter()
                .filter(|p| of_test(p))
                .flat_map(|p| Group { name: String::new(), members: vec![p] }.windows())
                .collect()
        };
        let windows = if above.is_empty() { of_data() } else { above };
        judge(reader, &found.whole(), found.get(1), windows);
    }
}

fn judge(reader: &mut Reader<'_>, range: &Range<usize>, quantifier: Option<Range<usize>>, windows: Vec<Window>) {
    let quantifier = quantifier.map(|r| reader.plain(&r).to_owned()).unwrap_or_default();
    let none = quantifier.starts_with("none") != reader.plain(range).contains("outside");
    let sentence = reader.text.sentence(range.start);
    let about_checks = reader.text.slice(sentence.start..range.start).contains("check");
    let outcome = match seconds(reader, range, about_checks) {
        Some(seconds) if !windows.is_empty() => {
            let all = seconds.values().copied().fold(0, u64::saturating_add);
            let inside: u64 = seconds
                .iter()
                .filter(|(second, _)| windows.iter().any(|w| w.start <= **second && **second <= w.end))
                .map(|(_, n)| n)
                .sum();
            let holds = if none { inside == 0 } else { inside == all };
            Outcome::of(holds, format!("{} of {}", count::write(inside), count::write(all)), "counted second by second")
        }
        _ => Outcome::unverifiable(RAW, "when each of them failed is not known"),
    };
    reader.judge(Kind::Inside, "what fell within which window", range.clone(), outcome);
}

/// When the things a sentence is about failed.
fn seconds(reader: &Reader<'_>, range: &Range<usize>, checks: bool) -> Option<BTreeMap<i64, u64>> {
    if !checks {
        return reader.subject(range.start).groups.first()?.seconds(reader.evidence());
    }
    failed_checks(reader)
}

/// Failed checks by second since the epoch; `None` when they are not all kept by the second.
pub(super) fn failed_checks(reader: &Reader<'_>) -> Option<BTreeMap<i64, u64>> {
    let series = reader.evidence().series.as_ref()?;
    if !series.per_minute.checks_failed.is_empty() {
        return None;
    }
    let start = series.start.map(Time::unix_seconds)?;
    let mut seconds = BTreeMap::new();
    for (offset, n) in series.checks_failed.values().flatten() {
        let sum: &mut u64 = seconds.entry(start.saturating_add(*offset)).or_insert(0);
        *sum = sum.saturating_add(*n);
    }
    let total = seconds.values().copied().fold(0, u64::saturating_add);
    (total == reader.evidence().checks.as_ref()?.failed).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn what_fell_into_which_window_is_counted_second_by_second() {
        come_to(
            "inside",
            &[
                ("Timeouts from 10:08:00 to 10:08:55, all within that window.", &[Ok]),
                ("Timeouts from 10:08:00 to 10:08:50, all of them within that window.", &[Wrong]),
                (
                    "HTTP 503 from 10:02:00 to 10:02:19, timeouts from 10:08:00 to 10:08:55; 60 checks failed, all of them within the two windows above.",
                    &[Ok],
                ),
                (
                    "HTTP 503 from 10:02:00 to 10:02:19; 60 checks failed, all of them within the window above.",
                    &[Wrong],
                ),
                ("60 checks failed, none of them outside the two windows.", &[Ok]),
                ("All during (2).", &[Wrong]),
            ],
        );
    }
}
