use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{SweepPage, plain};
use crate::check::Judgement;
use crate::check::finding::{Claim, PAGE};
use crate::check::passage::Passage;

/// `45-74 %`, `86% to 98%`.
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?P<low>\d+(?:\.\d+)?) ?%? ?(?:-|–|—|to) ?(?P<high>\d+(?:\.\d+)?) ?%").expect("a constant")
});
static SHARE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?P<share>\d+(?:\.\d+)?) ?%").expect("a constant"));
static TARGETS: LazyLock<Regex> = LazyLock::new(|| {
    const NUMBER: &str = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
    Regex::new(&format!(r"\b(?P<number>{NUMBER})(?: of(?: the)?(?: {NUMBER})?)?(?: named)? (?:targets|pages|runs)\b"))
        .expect("a constant")
});

/// Words for a share that pages state in sentences of their rows: those of the claim, and those of a row.
const SHARES: [(&str, &[&str]); 2] = [("lock wait", &["lock wait"]), ("database cpu", &["database metrics", "cpu"])];

const NUMBERS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Judges the ranges over several pages in a passage: `lock wait is 45-74 % on four targets`.
///
/// The range has to be that of the pages the sentence names, else of all that state such a share; where only some of those
/// can be meant it is unverifiable.
pub(super) fn judge(passage: &Passage, pages: &[SweepPage<'_>]) -> Vec<Judgement> {
    let text = passage.markdown.to_lowercase();
    // lower case can take other bytes than upper case: then places would be off
    if text.len() != passage.markdown.len() {
        return Vec::new();
    }
    RANGE.captures_iter(&text).filter_map(|found| Stated::read(passage, &text, &found)?.judge(pages)).collect()
}

/// A range as a sentence states it.
struct Stated<'t> {
    low: f64,
    high: f64,
    /// Size of the last digit written.
    step: f64,
    words: &'static str,
    row_words: &'static [&'static str],
    /// How many pages it is about.
    number: Option<usize>,
    sentence: &'t str,
    claim: Claim,
}

impl<'t> Stated<'t> {
    fn read(passage: &Passage, text: &'t str, found: &Captures<'t>) -> Option<Self> {
        let whole = found.get(0)?;
        let sentence = sentence(text, whole.start());
        let joined = sentence.replace('-', " ");
        let (words, row_words) = SHARES.iter().find(|(words, _)| joined.contains(words))?;
        let number = TARGETS.captures(sentence).and_then(|c| {
            let number = c.name("number")?.as_str();
            number.parse().ok().or_else(|| NUMBERS.iter().position(|word| *word == number))
        });
        let low = found.name("low")?.as_str();
        let decimals = low.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let character = passage.markdown.get(..whole.start())?.chars().count() as u64 + 1;
        let stated = passage.markdown.get(whole.range())?.trim();
        let claim = Claim::at(passage.place(character), PAGE, "range", &format!("{words} over several pages"), stated);
        Some(Stated {
            low: low.parse().ok()?,
            high: found.name("high")?.as_str().parse().ok()?,
            step: 10f64.powi(-i32::try_from(decimals).ok()?),
            words,
            row_words,
            number,
            sentence,
            claim,
        })
    }

    /// `None` when no page states such a share: then the sentence may be about something else.
    fn judge(self, pages: &[SweepPage<'_>]) -> Option<Judgement> {
        let named = |page: &&SweepPage<'_>| names(self.sentence, &page.run.target);
        let by_name: Vec<&SweepPage<'_>> = pages.iter().filter(named).collect();
        let meant: Vec<&SweepPage<'_>> = if by_name.is_empty() { pages.iter().collect() } else { by_name.clone() };
        let told: Vec<(&SweepPage<'_>, f64)> =
            meant.iter().filter_map(|page| Some((*page, share(page, self.row_words)?))).collect();
        let values = || told.iter().map(|(_, value)| *value);
        let (least, most) = (values().min_by(f64::total_cmp)?, values().max_by(f64::total_cmp)?);
        let silent: Vec<&str> = by_name
            .iter()
            .filter(|page| told.iter().all(|(other, _)| other.file != page.file))
            .map(|page| page.run.target.as_str())
            .collect();
        let data = format!("{least}-{most}%");
        let source =
            told.iter().map(|(page, value)| format!("{} ({value}%)", page.file)).collect::<Vec<_>>().join(", ");
        let fits = |stated: f64, value: f64| (stated - value).abs() < self.step;
        let holds = fits(self.low, least) && fits(self.high, most);
        let how = format!("{} of {} pages that state it", self.words, told.len());
        let outside = least <= self.low - self.step || most >= self.high + self.step;
        let others = by_name.is_empty() && self.number.is_some_and(|number| number != told.len());
        Some(match () {
            () if !silent.is_empty() && !outside => {
                self.claim.unverifiable(&format!("the share on the page of {}", silent.join(", ")), how)
            }
            () if others => {
                let why = format!("{} pages state it; which of them are meant is not said", told.len());
                self.claim.unverifiable("the names of the targets", why)
            }
            () if holds => self.claim.holds(data, &source, how),
            () => self.claim.wrong(data, &source, how),
        })
    }
}

/// The sentence around a byte.
fn sentence(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|before| before.rfind(". ")).map_or(0, |end| end + 2);
    let end = text.get(at..).and_then(|after| after.find(". ")).map_or(text.len(), |end| at + end + 1);
    text.get(start..end).unwrap_or_default()
}

/// True when a sentence names a target, as in a path or in words.
fn names(sentence: &str, target: &str) -> bool {
    let (sentence, target) = (plain(&sentence.replace('\\', "")), plain(target));
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let alone = |(at, _): (usize, &str)| {
        let before = sentence.get(..at).and_then(|text| text.chars().next_back());
        ends(before) && ends(sentence.get(at + target.len()..).and_then(|text| text.chars().next()))
    };
    !target.is_empty() && sentence.match_indices(&target).any(alone)
}

/// The one share a page states in a clause with all of these words, label of the row included; `None` when there is none, or
/// several that differ.
fn share(page: &SweepPage<'_>, words: &[&str]) -> Option<f64> {
    let mut found: Option<f64> = None;
    for row in page.rows {
        let label = row.label.to_lowercase();
        let text = row.text.to_lowercase().replace('-', " ");
        for clause in text.split([';', '\n', '—']).flat_map(|line| line.split(". ")) {
            let says = |word: &&str| label.contains(*word) || clause.contains(*word);
            let Some(near) = words.last().filter(|_| words.iter().all(says)).and_then(|word| nearest(clause, word))
            else {
                continue;
            };
            if found.is_some_and(|other| other != near) {
                return None;
            }
            found = Some(near);
        }
    }
    found
}

/// The share of a clause that stands nearest to a word.
fn nearest(clause: &str, word: &str) -> Option<f64> {
    let at = clause.find(word)?;
    let shares = SHARE.captures_iter(clause).filter_map(|found| found.name("share"));
    shares.min_by_key(|share| share.start().abs_diff(at)).and_then(|share| share.as_str().parse().ok())
}
