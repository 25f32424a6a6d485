//! Figures another row of the page has too: `51% of its time is advisory-lock wait`, `4 of 7 containers`, and the counts and
//! windows of `Observed errors` where no data tells them. Either row may be right.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::complete;
use super::kind::Kind;
use super::quantities::{COUNT, PERCENT, number, percentage};
use super::reader::{Outcome, Reader};
use super::subject::{Cause, Mention, mentions, near_status};
use super::text::Text;

static SHARE: LazyLock<Regex> = LazyLock::new(|| Regex::new(&format!(r"({PERCENT}) of ")).expect("a fixed pattern"));
static PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b({COUNT}) of (?:the |its |all )?({COUNT}) (containers|instances|nodes|pods|replicas)\b"))
        .expect("a fixed pattern")
});
/// So many telling words make two sentences speak of one thing.
const ALIKE: usize = 3;

pub(super) fn read(reader: &mut Reader<'_>) {
    shares(reader);
    parts(reader);
    if !complete(reader.evidence()) {
        failures(reader);
    }
}

/// A share of something that a line of another row gives a share of, in the same words.
fn shares(reader: &mut Reader<'_>) {
    for found in reader.matches(&SHARE) {
        let Some(range) = found.get(1) else { continue };
        let sentence = reader.text.sentence(range.start);
        let own = telling(reader.plain(&sentence));
        let alike = |line: &&str| own.iter().filter(|word| telling(line).contains(word)).count() >= ALIKE;
        let mut lines =
            reader.truth.others.iter().flat_map(|(label, text)| text.lines().map(move |line| (*label, line)));
        let other = lines.find_map(|(label, line)| {
            let lower = line.to_lowercase();
            let mut shares = SHARE.captures_iter(&lower);
            let share = shares.next().filter(|_| shares.next().is_none())?.get(1)?.as_str().to_owned();
            alike(&lower.as_str()).then_some((label, share))
        });
        let Some((label, share)) = other else { continue };
        let (Some(stated), Some(data)) = (percentage(reader.plain(&range)), percentage(&share)) else { continue };
        let outcome = agreement(stated.figure.fits(data.figure.value), share, label);
        reader.judge(Kind::Row, "a share another row gives", range, outcome);
    }
}

/// `4 of 7 containers` in two rows.
fn parts(reader: &mut Reader<'_>) {
    for found in reader.matches(&PART) {
        let (Some(part), Some(whole), Some(noun)) = (found.get(1), found.get(2), found.get(3)) else { continue };
        let noun = reader.plain(&noun).to_owned();
        let own = telling(reader.plain(&reader.text.sentence(part.start)));
        let lines = reader.truth.others.iter().flat_map(|(label, text)| text.lines().map(move |line| (*label, line)));
        let mut others = lines.filter_map(|(label, line)| {
            let line = line.to_lowercase();
            let found = PART.captures_iter(&line).find(|c| c.get(3).is_some_and(|m| m.as_str() == noun))?;
            // the noun alone may be said of anything: `two of seven containers restarted`
            let alike = telling(&line).iter().filter(|word| own.contains(word)).count() > 1;
            alike.then_some((label, number(found.get(1)?.as_str())?, number(found.get(2)?.as_str())?))
        });
        let Some((label, its_part, its_whole)) = others.next() else { continue };
        drop(others);
        for (range, data) in [(part, its_part), (whole, its_whole)] {
            let outcome = agreement(number(reader.plain(&range)) == Some(data), data.to_string(), label);
            reader.judge(Kind::Row, format!("{noun} another row gives"), range, outcome);
        }
    }
}

/// Counts and windows of a cause against the row `Observed errors`.
fn failures(reader: &mut Reader<'_>) {
    let is_that_row = |label: &str| label.trim().eq_ignore_ascii_case("observed errors");
    if is_that_row(reader.cell.row) {
        return;
    }
    let Some((label, text)) = reader.truth.others.iter().find(|(label, _)| is_that_row(label)).copied() else { return };
    let row = Text::of_shown(text);
    let theirs = mentions(&row);
    for mention in reader.mentions.clone() {
        let cause = cause_of(&reader.text, &reader.mentions, &mention);
        let same: Vec<&Mention> = theirs.iter().filter(|m| cause_of(&row, &theirs, m) == cause).collect();
        let Some(range) = mention.count.clone().filter(|r| cause != Cause::Any && !reader.is_taken(r)) else {
            continue;
        };
        if same.is_empty() {
            other_cause(reader, &mention, &range, (&row, &theirs), label);
            continue;
        }
        let counts: Vec<u64> = same.iter().filter_map(|m| number(row.slice(m.count.clone()?))).collect();
        let (Some(stated), Some(first)) = (number(reader.plain(&range)), counts.first()) else { continue };
        let outcome = agreement(counts.contains(&stated), crate::notation::count::write(*first), label);
        reader.judge(Kind::Row, "a count another row gives", range, outcome);
        windows(reader, &mention, &row, &same, label);
    }
}

/// The number another row gives for another cause: `1,044 HTTP 504` beside `1,044 HTTP 503`.
fn other_cause(
    reader: &mut Reader<'_>,
    mention: &Mention,
    range: &Range<usize>,
    (row, theirs): (&Text, &[Mention]),
    label: &str,
) {
    let Some(stated) = number(reader.plain(range)) else { return };
    let has =
        |m: &&Mention| m.cause != Cause::Any && m.count.clone().and_then(|r| number(row.slice(r))) == Some(stated);
    let Some(other) = theirs.iter().find(has) else { return };
    let words = row.shown.get(other.range.clone()).unwrap_or_default().to_owned();
    let outcome = agreement(false, words, label);
    reader.judge(Kind::Row, "the cause of as many failures in another row", mention.range.clone(), outcome);
}

/// The one window in the clause of a counted cause against the one in the other row's sentence on it.
fn windows(reader: &mut Reader<'_>, mention: &Mention, row: &Text, same: &[&Mention], label: &str) {
    let clause = reader.text.clause(mention.range.start);
    let in_clause = |(place, ..): &(Range<usize>, _, _)| clause.contains(&place.start);
    let own: Vec<_> = super::windows::stated(reader).into_iter().filter(in_clause).collect();
    let theirs: Vec<Range<usize>> = same
        .iter()
        .filter(|m| m.count.is_some())
        .flat_map(|m| {
            let sentence = row.sentence(m.range.start);
            super::windows::places(row.slice(sentence.clone()))
                .into_iter()
                .map(move |p| sentence.start + p.start..sentence.start + p.end)
        })
        .collect();
    let ([(range, from, to)], [place]) = (own.as_slice(), theirs.as_slice()) else { return };
    let text = row.slice(place.clone()).to_owned();
    let Some((their_from, their_to)) = super::windows::ends(reader, &text) else { return };
    let outcome = agreement((*from, *to) == (their_from, their_to), text, label);
    reader.judge(Kind::Row, "a window another row gives", range.clone(), outcome);
}

fn agreement(same: bool, data: String, label: &str) -> Outcome {
    match same {
        true => Outcome { source: Some(format!("row `{label}`")), ..Outcome::ok(data) },
        false => Outcome::contradicted(data, &format!("row `{label}`"), "the two rows speak of the same"),
    }
}

/// A platform error is the status named beside it.
fn cause_of(text: &Text, mentions: &[Mention], mention: &Mention) -> Cause {
    match (mention.cause, near_status(text, mentions, mention)) {
        (Cause::Platform, Some(status)) => Cause::Status(status),
        (cause, _) => cause,
    }
}

/// The words of a sentence that tell what it is about.
fn telling(sentence: &str) -> Vec<String> {
    const COMMON: [&str; 16] = [
        "which", "with", "that", "this", "than", "from", "more", "alone", "less", "database", "were", "have", "been",
        "when", "they", "into",
    ];
    let words = sentence.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let mut words: Vec<String> = words.filter(|w| w.len() >= 4 && !COMMON.contains(&w.as_str())).collect();
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Contradicted, Ok};
    use crate::check::prose::testing::{block_only, verdicts_of};

    const ROWS: [(&str, &str); 3] = [
        ("Observed errors", "Two causes. (1) 1,044 HTTP 503 platform errors, confined to 19:37–19:44. (2) 8 timeouts."),
        ("Queries", "Advisory-lock wait: 51% of the time in this window."),
        (
            "Shop metrics during test",
            "Pool: 99.7% of 12,345 acquires found it empty; load carried by 4 of 7 containers",
        ),
    ];

    #[test]
    fn figures_of_two_rows_agree_or_are_reported() {
        let of = |text: &str| verdicts_of("flowchart outcome", "row", text, &block_only(), &ROWS);
        assert_eq!(of("51% of its time is advisory-lock wait."), [Ok]);
        assert_eq!(of("52% of its time is advisory-lock wait."), [Contradicted]);
        assert_eq!(of("The load sat on 4 of 7 containers."), [Ok, Ok]);
        assert_eq!(of("The load sat on 5 of 7 containers."), [Contradicted, Ok]);
        assert_eq!(of("A 1,044-request platform 503 burst (19:37-19:44)."), [Ok, Ok]);
        assert_eq!(of("A 1,044-request platform 504 burst."), [Contradicted]);
        assert_eq!(of("A 1,045-request platform 503 burst (19:37-19:45)."), [Contradicted, Contradicted]);
    }

    #[test]
    fn other_things_are_not_compared() {
        let of = |text: &str| verdicts_of("flowchart outcome", "row", text, &block_only(), &ROWS);
        assert!(of("86% of the top-5 query time went elsewhere. 3 of 5 regions. 9 HTTP 502.").is_empty());
        assert!(of("The restart took 2 of 7 containers out.").is_empty());
    }
}
