//! What the text says of something else than this run: other runs and pages, and what might be. None of it is judged.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::text::Text;

/// Words that turn a clause away from this run.
static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x) \b(?:previous|earlier|prior|former|other|another|every\ other|last\ year's|baseline|last\ (?:week|month|sweep|version|release)(?:'s)?)\b
              (?:\ [\w-]+){0,2}\ (?:runs?|sweeps?|versions?|pages?|tests?|targets?|releases?)\b
        | \bpreviously\b | \bhistorically\b | \bbaseline\b | \bbefore\ (?:commit|the\ (?:fix|change|upgrade))\b | \bused\ to\b
        | \b(?:would|could|might|should)\b | \bmay\ (?:be|have)\b | (?:^|[\s(])if\ | \bunless\b | \bseen\ (?:on|in|at)\b
        | \bsame\ day\b | \btuned\ for\b",
    )
    .expect("a fixed pattern")
});

/// Words before a mark that confine it to what follows: `against 77 in the previous run`.
static COMPARED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\bcompared (?:with|to)|\bagainst|\bversus|\bvs\.?|\bthan|\bunlike|\bas (?:in|on)|, not|\bseen|\bup from|\bdown from)\b[^,;()]*$")
        .expect("a fixed pattern")
});

static AT_VUS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:at|under|with) (\d[\d,]*) vus\b|\b(\d[\d,]*)-vu\b").expect("a fixed pattern"));

/// A clause that speaks of this run again.
static HERE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:this (?:run|target|test)|now|here|in this)\b").expect("a fixed pattern"));

/// A clause that goes on about what the one before spoke of.
static GOES_ON: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\s(]*(?:they|it|these|those|its|there|that run|then)\b").expect("a fixed pattern"));

/// A part of the text that is not said of this run.
pub(super) struct Foreign {
    pub(super) range: Range<usize>,
    /// True when it is said of the run before this one: `the previous run saw 77 timeouts`.
    pub(super) previous: bool,
}

/// The run, sweep or version right before this one; an earlier run may be any.
static PREVIOUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:previous|prior|last)(?: [\w-]+){0,2} (?:run|sweep|version|release|page)\b")
        .expect("a fixed pattern")
});

/// Hides from the readers of claims what is not said of this run. `vus` is this run's number of VUs.
pub(super) fn mask(text: &mut Text, vus: Option<u64>) {
    parts(text, vus).into_iter().for_each(|part| text.mask(part.range));
}

/// Leaves readable only what is said of the run before this one; false when nothing is.
pub(super) fn keep_previous(text: &mut Text, vus: Option<u64>) -> bool {
    let kept: Vec<Range<usize>> =
        parts(text, vus).into_iter().filter(|part| part.previous).map(|part| part.range).collect();
    let mut at = 0;
    for part in &kept {
        text.mask(at..part.start);
        at = part.end;
    }
    text.mask(at..text.plain.len());
    !kept.is_empty()
}

/// What is not said of this run, in the order of the text.
fn parts(text: &Text, vus: Option<u64>) -> Vec<Foreign> {
    let mut foreign = Vec::new();
    // what a clause that goes on goes on about
    let mut carried = None;
    for sentence in text.sentences() {
        for clause in clauses(text.slice(sentence.clone()), sentence.start) {
            let plain = text.slice(clause.clone());
            let goes_on = (GOES_ON.is_match(plain) || after_colon(text, clause.start)) && !HERE.is_match(plain);
            match (mark(plain, vus), carried) {
                (Some(part), _) => {
                    let previous = plain.get(part.clone()).is_some_and(|words| PREVIOUS.is_match(words));
                    carried = (part == (0..plain.len())).then_some(previous);
                    foreign.push(Foreign { range: clause.start + part.start..clause.start + part.end, previous });
                }
                (None, Some(previous)) if goes_on => foreign.push(Foreign { range: clause, previous }),
                (None, _) => carried = None,
            }
        }
    }
    foreign
}

fn after_colon(text: &Text, at: usize) -> bool {
    text.plain.get(..at).is_some_and(|before| before.trim_end().ends_with(':'))
}

/// A sentence cut after semicolons and colons.
fn clauses(sentence: &str, start: usize) -> Vec<Range<usize>> {
    let mut cuts = vec![0];
    cuts.extend(sentence.match_indices("; ").chain(sentence.match_indices(": ")).map(|(at, _)| at + 1));
    cuts.push(sentence.len());
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| start + pair[0]..start + pair[1]).collect()
}

/// The part of a clause that is not about this run.
fn mark(clause: &str, vus: Option<u64>) -> Option<Range<usize>> {
    let at = MARKS.find(clause).map(|m| m.range()).or_else(|| other_vus(clause, vus))?;
    let before = clause.get(..at.start)?;
    // `seen on x` itself begins a comparison
    let begins = clause.get(at.clone())?.starts_with("seen");
    let compared = if begins { Some(at.start) } else { COMPARED.find(before).map(|m| m.start()) };
    Some(match compared {
        Some(start) => start..at.end + clause.get(at.end..)?.find([',', ')', ';']).unwrap_or(clause.len() - at.end),
        None => 0..clause.len(),
    })
}

/// `at 600 VUs` of a run that has 200.
fn other_vus(clause: &str, vus: Option<u64>) -> Option<Range<usize>> {
    let same = |figure: &str| super::quantities::number(figure) == vus && vus.is_some();
    AT_VUS.captures_iter(clause).find_map(|found| {
        let figure = found.get(1).or(found.get(2))?;
        let before = clause.get(..figure.start()).unwrap_or_default();
        let after = clause.get(found.get(0)?.end()..).unwrap_or_default();
        let own = ["ran at ", "ran with ", "ran under "].iter().any(|w| before.ends_with(w))
            && before.contains("this ")
            || ["on this ", "in this ", "for this "].iter().any(|w| after.trim_start().starts_with(w));
        (!own && !same(figure.as_str())).then(|| found.get(0).map(|m| m.range()))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(markdown: &str) -> String {
        let mut text = Text::read(markdown, 1);
        mask(&mut text, Some(200));
        text.plain
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == ' ')
            .collect::<String>()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn other_runs_and_hypotheticals_are_hidden() {
        for (markdown, digits) in [
            ("The previous 200-VU run saw 77 timeouts beginning at 1,255s.", ""),
            ("Not comparable to the previous run: 77 timeouts, 77 aborted; with this run 75 timeouts.", "75"),
            ("75 timeouts, against 77 in the previous run, from 14:08.", "75 1408"),
            ("At 600 VUs it begins after 179s.", ""),
            ("It ran at 200 VUs and 75 failed.", "200 75"),
            ("5 failed. If it ran longer, 90 would fail.", "5"),
            ("The earlier run had 80. They began at 12:00. Here 75 failed.", "75"),
            ("No other failures: 75 in all.", "75"),
        ] {
            assert_eq!(left(markdown), digits, "{markdown}");
        }
    }
}
