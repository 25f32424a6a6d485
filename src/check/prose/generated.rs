//! Lines in this tool's own wording, held figure by figure against the line the evidence gives now.
//!
//! A line is of that wording when it equals a generated one with every figure taken out. Wording is never judged, only figures.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::quantities::percentage;
use super::reader::{Outcome, RAW, Reader};
use super::totals::of_counts;
use crate::check::Verdict;
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
            false if stated.as_str().ends_with('%') => share(words, stated.as_str(), data.as_str()),
            false => Outcome::wrong(data.as_str(), "what the evidence gives for this sentence"),
        };
        let kind = if stated.as_str().ends_with('%') {
            "share"
        } else if stated.as_str().contains(':') {
            "window"
        } else {
            "count"
        };
        reader.judge(kind, "a figure of the generated sentence", range, outcome);
    }
}

/// A share written otherwise may still be the rounded one of the counts before it.
fn share(words: &str, stated: &str, data: &str) -> Outcome {
    static OF: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([\d,]+) of ([\d,]+) \w+ failed").expect("a fixed pattern"));
    let counts = OF.captures(words).and_then(|c| {
        let n = |i| c.get(i).and_then(|m| super::quantities::number(m.as_str()));
        Some((n(1)?, n(2)?))
    });
    match (percentage(stated), counts) {
        (Some(stated), Some((part, whole))) => of_counts(&stated, part, whole),
        (Some(a), None)
            if percentage(data).is_some_and(|d| {
                (a.figure.value - d.figure.value).abs() < 1.5 * a.figure.step && a.figure.value > d.figure.value
            }) =>
        {
            Outcome::note(Verdict::Rounded, data, "rounded up")
        }
        (Some(_), None) => Outcome::wrong(data, "the count before it over the failed requests"),
        _ => Outcome::unverifiable(RAW, "the figure cannot be read"),
    }
}
