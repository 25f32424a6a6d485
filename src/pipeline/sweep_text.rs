//! A text with a sweep's table, or sentences about it, against the pages of the sweep.

use indexmap::IndexMap;

use crate::check::{Judgement, Subject, SweepPage, judge_summary};
use crate::derive::{SweepRun, sweep_line};
use crate::model::{Scope, SweepLine};

/// A Markdown or MDX file, or the body of a pull request.
#[derive(Debug, Clone, Copy)]
pub struct SweepText<'a> {
    /// The file as findings name it.
    pub name: &'a str,
    /// What it says.
    pub text: &'a str,
}

/// Judges the text against the pages.
pub(super) fn judge(sweep: &SweepText<'_>, subjects: &[Subject]) -> Vec<Judgement> {
    // a page without any figure is none of a run
    let of_runs = subjects.iter().filter(|subject| subject.block.is_some() || subject.truth.recorded.is_some());
    let known: Vec<(&Subject, SweepLine, SweepLine)> =
        of_runs.map(|subject| (subject, line(subject, Scope::Run), line(subject, Scope::Test))).collect();
    let pages: Vec<SweepPage<'_>> = known
        .iter()
        .map(|(subject, run, test)| SweepPage {
            file: &subject.file,
            version: subject.version.as_deref(),
            run,
            test,
            rows: &subject.page.rows,
        })
        .collect();
    judge_summary(sweep.text, &pages)
}

/// The figures of a page's run.
pub(super) fn line(subject: &Subject, scope: Scope) -> SweepLine {
    let block = subject.block.as_ref();
    let run = SweepRun {
        evidence: &subject.truth.evidence,
        printed: block.and_then(|block| block.log.summary.as_ref()),
        block: block.map(|block| block.text.as_str()),
        facts: &IndexMap::new(),
        stated: None,
    };
    let line = sweep_line(&run, scope);
    let target = subject.named().map_or(line.target, str::to_owned);
    // not every k6 output states the VUs; the page's own row does
    SweepLine { target, vus: line.vus.or_else(|| subject.stated_vus()), ..line }
}
