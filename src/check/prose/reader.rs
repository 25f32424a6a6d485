//! What every kind of claim works with: the text, the data, and what was judged so far.

use std::ops::Range;

use regex::{Captures, Regex};

use super::data::Group;
use super::kind::Kind;
use super::quantities::{Clock, clock};
use super::subject::{Mention, Subject, mentions, subject};
use super::text::Text;
use super::{ProseCell, ProseTruth, foreign};
use crate::check::{Judgement, Severity, Verdict};
use crate::model::{Evidence, Window};
use crate::notation::time;

/// What an unverifiable claim about single failures would need.
pub(super) const RAW: &str = "raw k6 output or evidence.json";

/// A cell being read.
pub(super) struct Reader<'a> {
    pub(super) cell: &'a ProseCell<'a>,
    pub(super) truth: &'a ProseTruth<'a>,
    pub(super) text: Text,
    pub(super) mentions: Vec<Mention>,
    taken: Vec<Range<usize>>,
    pub(super) out: Vec<Judgement>,
}

/// What one claim came to, without its place.
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    pub(super) severity: Option<Severity>,
    pub(super) data: Option<String>,
    pub(super) source: Option<String>,
    pub(super) explanation: String,
}

impl Outcome {
    /// The data says the same.
    pub(super) fn ok(data: impl Into<String>) -> Self {
        Outcome {
            verdict: Verdict::Ok,
            severity: None,
            data: Some(data.into()),
            source: None,
            explanation: String::new(),
        }
    }

    /// The data says otherwise.
    pub(super) fn wrong(data: impl Into<String>, explanation: impl Into<String>) -> Self {
        Outcome {
            verdict: Verdict::Wrong,
            severity: Some(Severity::Error),
            explanation: explanation.into(),
            ..Outcome::ok(data)
        }
    }

    /// The data or the page says otherwise, and either may be right.
    pub(super) fn contradicted(data: impl Into<String>, source: &str, explanation: impl Into<String>) -> Self {
        Outcome {
            verdict: Verdict::Contradicted,
            severity: Some(Severity::Warning),
            source: Some(source.to_owned()),
            explanation: explanation.into(),
            ..Outcome::ok(data)
        }
    }

    /// Nothing can be said; `needed` would tell.
    pub(super) fn unverifiable(needed: &str, why: impl Into<String>) -> Self {
        Outcome {
            verdict: Verdict::Unverifiable,
            severity: Some(Severity::Note),
            data: None,
            source: Some(needed.to_owned()),
            explanation: why.into(),
        }
    }

    /// A matter of the last digit.
    pub(super) fn note(verdict: Verdict, data: impl Into<String>, explanation: impl Into<String>) -> Self {
        Outcome { verdict, severity: Some(Severity::Note), explanation: explanation.into(), ..Outcome::ok(data) }
    }

    /// Ok or wrong by a comparison.
    pub(super) fn of(holds: bool, data: impl Into<String>, explanation: impl Into<String>) -> Self {
        if holds { Outcome::ok(data) } else { Outcome::wrong(data, explanation) }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(cell: &'a ProseCell<'a>, truth: &'a ProseTruth<'a>) -> Self {
        let mut text = Text::read(cell.markdown, cell.column);
        foreign::mask(&mut text, truth.evidence.k6.vus_max);
        Reader::of(text, cell, truth)
    }

    /// A reader of a text of which parts are hidden already.
    pub(super) fn of(text: Text, cell: &'a ProseCell<'a>, truth: &'a ProseTruth<'a>) -> Self {
        let mentions = mentions(&text);
        Reader { cell, truth, text, mentions, taken: Vec::new(), out: Vec::new() }
    }

    pub(super) fn evidence(&self) -> &'a Evidence {
        self.truth.evidence
    }

    /// The run's window: the evidence's, else what the page's rows say.
    pub(super) fn window(&self) -> Option<Window> {
        let stated = || {
            let (start, end) = (self.row_time("test start")?, self.row_time("test end")?);
            (start <= end).then_some(Window { start, end })
        };
        self.evidence().window.map(|w| w.window()).or_else(stated)
    }

    fn row_time(&self, label: &str) -> Option<i64> {
        let row = self.truth.others.iter().find(|(other, _)| other.trim().eq_ignore_ascii_case(label))?;
        time::read(row.1).map(|t| t.unix_seconds())
    }

    /// The run's first second: the page's `Test start`, else the window's.
    pub(super) fn start(&self) -> Option<i64> {
        self.row_time("test start").or_else(|| self.window().map(|w| w.start))
    }

    /// Reads a time of the text as one of the run.
    pub(super) fn clock(&self, text: &str) -> Option<Clock> {
        clock(text, self.start()?)
    }

    /// Every match of a pattern that nothing was claimed from yet.
    pub(super) fn matches(&self, pattern: &Regex) -> Vec<Found> {
        let free = |found: &Found| found.get(0).is_some_and(|r| !self.is_taken(&r));
        pattern.captures_iter(&self.text.plain).map(|c| Found::of(&c)).filter(free).collect()
    }

    pub(super) fn is_taken(&self, range: &Range<usize>) -> bool {
        self.taken.iter().any(|t| t.start < range.end && range.start < t.end)
    }

    /// Marks words as judged.
    pub(super) fn take(&mut self, range: Range<usize>) {
        self.taken.push(range);
    }

    /// True when the words stand right after a place.
    pub(super) fn follows(&self, at: usize, words: &str) -> bool {
        self.text.slice(at..at + words.len()) == words
    }

    pub(super) fn plain(&self, range: &Range<usize>) -> &str {
        self.text.slice(range.clone())
    }

    pub(super) fn subject(&self, at: usize) -> Subject<'a> {
        subject(self.evidence(), &self.text, &self.mentions, at)
    }

    /// Writes a judgement of the words in `range`, which are taken by it.
    pub(super) fn judge(&mut self, kind: Kind, claim: impl Into<String>, range: Range<usize>, outcome: Outcome) {
        let shown = self.text.shown.get(range.clone()).unwrap_or_default();
        let lead = shown.len() - shown.trim_start().len();
        self.out.push(Judgement {
            line: self.cell.line,
            column: self.text.column(range.start + lead),
            row: self.cell.row.to_owned(),
            kind: kind.as_str().to_owned(),
            claim: claim.into(),
            stated: shown.trim().to_owned(),
            data: outcome.data,
            source: outcome.source.or_else(|| Some(self.truth.source.to_owned())),
            verdict: outcome.verdict,
            severity: outcome.severity,
            explanation: outcome.explanation,
        });
        self.take(range);
    }

    /// Judges a claim about a subject under each reading: it holds if one does, and is wrong only if all are.
    pub(super) fn by_reading(
        &self,
        subject: &Subject<'a>,
        test: impl Fn(&Group<'a>) -> Option<(bool, String)>,
    ) -> Outcome {
        self.of_groups(subject, subject.groups.iter().flat_map(Group::readings).collect(), test)
    }

    /// As [`Reader::by_reading`], for what is said of all the failures the words mean: `no timeouts after …`.
    pub(super) fn by_whole(
        &self,
        subject: &Subject<'a>,
        test: impl Fn(&Group<'a>) -> Option<(bool, String)>,
    ) -> Outcome {
        self.of_groups(subject, subject.groups.clone(), test)
    }

    fn of_groups(
        &self,
        subject: &Subject<'a>,
        readings: Vec<Group<'a>>,
        test: impl Fn(&Group<'a>) -> Option<(bool, String)>,
    ) -> Outcome {
        let told: Vec<(bool, String)> = readings.iter().filter_map(&test).collect();
        if let Some((_, data)) = told.iter().find(|(holds, _)| *holds) {
            return Outcome::ok(data.clone());
        }
        let known = super::data::complete(self.evidence());
        match told.into_iter().next() {
            Some((_, data)) if subject.certain && known => {
                let name = readings.first().map(|g| g.name.clone()).unwrap_or_default();
                Outcome::wrong(data, format!("computed from the failures of {name}, second by second"))
            }
            Some(_) if known => Outcome::unverifiable(RAW, "it is not clear which failures are meant"),
            _ => Outcome::unverifiable(RAW, "the times of single failures are not known"),
        }
    }
}

/// A match: the ranges of its groups.
#[derive(Debug, Clone)]
pub(super) struct Found(Vec<Option<Range<usize>>>);

impl Found {
    fn of(captures: &Captures<'_>) -> Self {
        Found(captures.iter().map(|m| m.map(|m| m.range())).collect())
    }

    /// A group's range, 0 the whole.
    pub(super) fn get(&self, group: usize) -> Option<Range<usize>> {
        self.0.get(group).cloned().flatten()
    }

    /// The whole match.
    pub(super) fn whole(&self) -> Range<usize> {
        self.get(0).unwrap_or(0..0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::prose::testing::{come_to, judged, two_causes};

    #[test]
    fn a_claim_holds_under_one_reading_and_is_wrong_only_under_all() {
        come_to(
            "window",
            &[
                ("503s and timeouts from 10:02:00 to 10:02:19.", &[Verdict::Ok]),
                ("503s and timeouts from 10:02:00 to 10:08:55.", &[Verdict::Ok]),
                ("503s and timeouts from 10:02:00 to 10:08:00.", &[Verdict::Wrong]),
                ("Something went on from 10:03:00 to 10:04:00.", &[Verdict::Unverifiable]),
            ],
        );
    }

    #[test]
    fn words_are_read_once_and_quoted_as_they_stand() {
        let found = judged("Notes", "count", "**41** HTTP 503 \\<br/>", &two_causes(), &[]);
        let quoted: Vec<_> = found.iter().map(|j| (j.row.as_str(), j.stated.as_str(), j.column)).collect();
        assert_eq!(quoted, [("Notes", "41", 3)]);
    }
}
