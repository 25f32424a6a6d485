//! A table of a sweep, or a text about several pages, against what those pages say.

mod cells;
mod headings;
mod ranges;

use super::finding::{Claim, Judgement, Severity};
use super::page::PageRow;
use super::passage::passages;
use crate::model::SweepLine;
use crate::notation::flow::Flow;
use crate::notation::place::Lines;
use crate::notation::table::{Table, shown, tables};
use headings::Heading;

/// A page that tables and texts about a sweep speak of.
#[derive(Debug, Clone)]
pub struct SweepPage<'a> {
    /// The page as findings name it.
    pub file: &'a str,
    /// Figures of its whole run.
    pub run: &'a SweepLine,
    /// Figures of its test phase.
    pub test: &'a SweepLine,
    /// Rows of its metric table.
    pub rows: &'a [PageRow],
}

/// Judges the sweep tables of a text, and what its sentences say of several pages.
///
/// A table is one of a sweep when its headings name the target and at least two figures. Each cell is held against the page of its
/// target; a target without a page, and a page that the tables leave out, are findings of their own. Text without any
/// of it gives nothing.
pub fn judge_summary(text: &str, pages: &[SweepPage<'_>]) -> Vec<Judgement> {
    let lines = Lines::of(text);
    let found: Vec<SweepRows<'_>> =
        tables(text).into_iter().filter_map(|table| SweepRows::of(text, table, pages)).collect();
    let mut judgements: Vec<Judgement> = found.iter().flat_map(|table| table.judge(&lines, pages)).collect();
    judgements.extend(left_out(&found, &lines, pages));
    let spoken = passages(text, &Flow::of(text), &lines);
    judgements.extend(spoken.iter().flat_map(|passage| ranges::judge(passage, pages)));
    judgements.sort_by_key(|j| (j.line, j.column));
    judgements
}

/// A table of a sweep: its columns, and its rows below the headings.
struct SweepRows<'t> {
    text: &'t str,
    table: Table,
    columns: Vec<Option<Heading>>,
    target: usize,
}

impl<'t> SweepRows<'t> {
    fn of(text: &'t str, table: Table, pages: &[SweepPage<'_>]) -> Option<Self> {
        let cell = |range: &std::ops::Range<usize>| text.get(range.clone()).map(shown).unwrap_or_default();
        let columns: Vec<Option<Heading>> =
            table.rows.first()?.iter().map(|heading| Heading::read(&cell(heading))).collect();
        let named = columns.iter().position(|column| matches!(column, Some(Heading::Target)));
        // some call it by a word of their own: then it is the column that holds names of targets
        let holds_targets = |index: &usize| {
            let rows = table.rows.iter().skip(1).filter_map(|row| row.get(*index));
            rows.filter(|range| of_target(pages, &cell(range)).is_some()).count() >= 2
        };
        let target = named.or_else(|| (0..columns.len()).find(holds_targets))?;
        let figures = columns.iter().flatten().filter(|column| !matches!(column, Heading::Target)).count();
        (figures >= 2).then_some(SweepRows { text, table, columns, target })
    }

    fn cell(&self, row: &[std::ops::Range<usize>], column: usize) -> Option<(String, usize)> {
        let range = row.get(column)?.clone();
        Some((shown(self.text.get(range.clone())?), range.start))
    }

    fn targets(&self) -> impl Iterator<Item = (String, usize)> {
        let rows = self.table.rows.iter().skip(1);
        rows.filter_map(|row| self.cell(row, self.target)).filter(|(target, _)| !target.is_empty())
    }

    fn judge(&self, lines: &Lines<'_>, pages: &[SweepPage<'_>]) -> Vec<Judgement> {
        let mut judgements = Vec::new();
        for row in self.table.rows.iter().skip(1) {
            let Some((target, at)) = self.cell(row, self.target).filter(|(target, _)| !target.is_empty()) else {
                continue;
            };
            let Some(page) = of_target(pages, &target) else {
                judgements.push(unknown(&target, lines.position(at)));
                continue;
            };
            for (index, heading) in self.columns.iter().enumerate() {
                let (Some(heading), Some((stated, at))) = (heading, self.cell(row, index)) else { continue };
                judgements.extend(cells::judge(*heading, &target, &stated, lines.position(at), page));
            }
        }
        judgements
    }
}

/// The only page of a target, however its name is spelt; `None` when there is none, or one in each of several versions.
fn of_target<'p, 'a>(pages: &'p [SweepPage<'a>], target: &str) -> Option<&'p SweepPage<'a>> {
    let mut same = pages.iter().filter(|page| plain(&page.run.target) == plain(target));
    same.next().filter(|_| same.next().is_none())
}

/// A target's name in one spelling.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' '], "_")
}

fn unknown(target: &str, place: (u64, u64)) -> Judgement {
    let claim = Claim::at(place, target, "summary", "a run of the sweep", target);
    let how = "no page of it, or more than one, among those given";
    Judgement { severity: Some(Severity::Warning), ..claim.unverifiable("the page of the target", how) }
}

/// Pages no table has, when there is a table at all.
fn left_out(found: &[SweepRows<'_>], lines: &Lines<'_>, pages: &[SweepPage<'_>]) -> Vec<Judgement> {
    let listed: Vec<String> =
        found.iter().flat_map(|table| table.targets()).map(|(target, _)| plain(&target)).collect();
    let Some(first) = found.first() else { return Vec::new() };
    let place = lines.position(first.table.range.start);
    let missing = pages.iter().filter(|page| !page.run.target.is_empty() && !listed.contains(&plain(&page.run.target)));
    let judged = missing.map(|page| {
        let claim = Claim::at(place, "page", "summary", "every run of the sweep", "");
        let how = "the table has no row for this page";
        claim.contradicted(Severity::Warning, page.run.target.as_str(), page.file, how)
    });
    judged.collect()
}

#[cfg(test)]
mod tests;
