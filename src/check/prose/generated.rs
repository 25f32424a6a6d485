//! Lines in this tool's own wording, held figure by figure against the line the evidence gives now.
//!
//! A line is of that wording when it equals a generated one with every figure taken out. Wording is never judged, only figures.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::quantities::{number, percentage};
use super::reader::{Outcome, RAW, Reader};
use super::totals::of_counts;
use crate::notation::table::shown;
use crate::rows::observed_errors;

static FIGURE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d+(?:[.,:]\d+)*%?").expect("a fixed pattern"));

pub(super) fn read(reader: &mut Reader<'_>) {
    let generated: Vec<String> =
        observed_errors(reader.evidence()).split("<br/>").map(shown).filter(|l| FIGURE.is_match(l)).collect();
    let mut used = vec![false; generated.len()];
    for line in lines(&reader.text.shown) {
        let words = reader.text.shown.get(line.clone()).unwrap_or_default().to_owned();
        let skeleton = without_figures(&words);
        let same = |(index, text): &(usize, &String)| {
            !used.get(*index).copied().unwrap_or(true) && without_figures(text) == skeleton
        };
        let best = generated.iter().enumerate().filter(same).max_by_key(|(_, text)| alike(&words, text));
        let Some((index, text)) = best else { continue };
        if let Some(used) = used.get_mut(index) {
            *used = true;
        }
        compare(reader, &line, &words, text);
        reader.take(line);
    }
}

fn lines(shown: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    shown
        .split_inclusive('\n')
        .map(|line| {
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            start..start + line.trim().len()
        })
        .collect()
}

/// A line with `#` for every figure; one and several read the same.
fn without_figures(line: &str) -> String {
    FIGURE.replace_all(line.trim(), "#").into_owned()
}

/// Number of equal figures, in order.
fn alike(a: &str, b: &str) -> usize {
    FIGURE.find_iter(a).zip(FIGURE.find_iter(b)).filter(|(a, b)| a.as_str() == b.as_str()).count()
}

fn compare(reader: &mut Reader<'_>, line: &Range<usize>, words: &str, generated: &str) {
    for (stated, data) in FIGURE.find_iter(words).zip(FIGURE.find_iter(generated)) {
        let range = line.start + stated.start()..line.start + stated.end();
        let outcome = match stated.as_str() == data.as_str() {
            true => Outcome::ok(data.as_str()),
            false if stated.as_str().ends_with('%') => share(generated, data.range(), stated.as_str(), data.as_str()),
            false => Outcome::wrong(data.as_str(), "what the evidence gives for this sentence"),
        };
        let kind = if stated.as_str().ends_with('%') {
            Kind::Share
        } else if stated.as_str().contains(':') {
            Kind::Window
        } else {
            Kind::Count
        };
        reader.judge(kind, "a figure of the generated sentence", range, outcome);
    }
}

/// A share written otherwise may still be the rounded one of its two counts, which the line the evidence gives has:
/// `225 of 171,987 requests failed (0.13%)`, `150 HTTP 503 (66.66% of 225)`.
fn share(generated: &str, place: Range<usize>, stated: &str, data: &str) -> Outcome {
    static TOTAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([\d,]+) of ([\d,]+) \w+ failed").expect("a fixed pattern"));
    static PART: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(?:\(\d+\) )?(\d[\d,]*) ").expect("a fixed pattern"));
    static WHOLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^ of (\d[\d,]*)").expect("a fixed pattern"));
    let read = |pattern: &Regex, text: &str, group| number(pattern.captures(text)?.get(group)?.as_str());
    let before = generated.get(..place.start).unwrap_or_default();
    let after = generated.get(place.end..).unwrap_or_default();
    let of_total = || read(&TOTAL, before, 1).zip(read(&TOTAL, before, 2));
    let of_part = || read(&PART, generated, 1).zip(read(&WHOLE, after, 1));
    match (percentage(stated), of_total().or_else(of_part)) {
        (Some(stated), Some((part, whole))) => of_counts(&stated, part, whole),
        (Some(_), None) => Outcome::wrong(data, "the count before it over the failed requests"),
        _ => Outcome::unverifiable(RAW, "the figure cannot be read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Verdict;
    use crate::check::prose::testing::{block_only, judged, two_causes};

    /// The row of a run as generated, with words replaced, and what its figures come to when they do not hold.
    fn changed(evidence: &crate::model::Evidence, from: &str, to: &str) -> Vec<(String, Verdict)> {
        let row = observed_errors(evidence);
        assert!(row.contains(from), "{row}");
        let row = row.replacen(from, to, 1);
        let all =
            ["count", "share", "window"].iter().flat_map(|kind| judged("Observed errors", kind, &row, evidence, &[]));
        all.filter(|j| j.verdict != Verdict::Ok).map(|j| (j.stated, j.verdict)).collect()
    }

    #[test]
    fn figures_of_generated_sentences_are_held_against_the_evidence() {
        let run = two_causes();
        assert_eq!(changed(&run, "52 of", "52 of"), []);
        assert_eq!(changed(&run, "40 HTTP", "41 HTTP"), [("41".to_owned(), Verdict::Wrong)]);
        assert_eq!(changed(&run, "10:02:19", "10:02:18"), [("10:02:18".to_owned(), Verdict::Wrong)]);
        assert_eq!(changed(&block_only(), "52 of", "53 of"), [("53".to_owned(), Verdict::Wrong)]);
    }

    #[test]
    fn a_share_may_be_the_rounded_one_of_its_two_counts_and_no_other() {
        // 40 of 52 is 76.923 %, 12 of 52 is 23.0769 %, 52 of 10,000 is 0.52 %
        let run = two_causes();
        assert_eq!(changed(&run, "23.07%", "23.08%"), [("23.08%".to_owned(), Verdict::Rounded)]);
        assert_eq!(changed(&run, "76.92%", "76.93%"), [("76.93%".to_owned(), Verdict::Wrong)]);
        assert_eq!(changed(&run, "0.52%", "0.53%"), [("0.53%".to_owned(), Verdict::Wrong)]);
    }
}
