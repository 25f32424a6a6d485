//! A table of a sweep, or a text about several pages, against what those pages say.

mod cells;
mod headings;
mod ranges;
mod versions;

use super::finding::{Claim, Judgement, Severity};
use super::page::PageRow;
use super::passage::passages;
use crate::model::SweepLine;
use crate::notation::flow::Flow;
use crate::notation::place::Lines;
use crate::notation::table::{Table, shown, tables};
use headings::Heading;
use versions::Versions;

/// A page that tables and texts about a sweep speak of.
#[derive(Debug, Clone)]
pub struct SweepPage<'a> {
    /// The page as findings name it.
    pub file: &'a str,
    /// The version its place stands for.
    pub version: Option<&'a str>,
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
/// target; a target without a page, and a page that the tables leave out, are findings of their own. Where a target has pages of
/// several versions, the text has to name the one that is meant. Text without any of it gives nothing.
pub fn judge_summary(text: &str, pages: &[SweepPage<'_>]) -> Vec<Judgement> {
    let (lines, flow) = (Lines::of(text), Flow::of(text));
    let versions = Versions::of(text, &flow, pages);
    let found: Vec<SweepRows<'_, '_>> =
        tables(text).into_iter().filter_map(|table| SweepRows::of(text, table, &versions, pages)).collect();
    let mut judgements: Vec<Judgement> = found.iter().flat_map(|table| table.judge(&lines)).collect();
    judgements.extend(found.iter().filter_map(|table| table.unclear_version(&lines, &versions)));
    judgements.extend(left_out(&found, &lines));
    for passage in passages(text, &flow, &lines) {
        judgements.extend(ranges::judge(&passage, &meant(versions.at(passage.range.start), pages)));
    }
    judgements.sort_by_key(|j| (j.line, j.column));
    judgements
}

/// The pages of a version and those whose place names none; all of them when it is not known which.
fn meant<'a>(version: Option<&str>, pages: &[SweepPage<'a>]) -> Vec<SweepPage<'a>> {
    let of_it = |page: &&SweepPage<'a>| {
        version.is_none_or(|version| page.version.is_none_or(|own| versions::same(own, version)))
    };
    pages.iter().filter(of_it).cloned().collect()
}

/// A table of a sweep: its columns, and its rows below the headings.
struct SweepRows<'t, 'a> {
    text: &'t str,
    /// The pages it can be about.
    pages: Vec<SweepPage<'a>>,
    table: Table,
    columns: Vec<Option<Heading>>,
    target: usize,
}

impl<'t, 'a> SweepRows<'t, 'a> {
    fn of(text: &'t str, table: Table, versions: &Versions<'_>, pages: &[SweepPage<'a>]) -> Option<Self> {
        let cell = |range: &std::ops::Range<usize>| text.get(range.clone()).map(shown).unwrap_or_default();
        let columns: Vec<Option<Heading>> =
            table.rows.first()?.iter().map(|heading| Heading::read(&cell(heading))).collect();
        let named = columns.iter().position(|column| matches!(column, Some(Heading::Target)));
        // some call it by a word of their own: then it is the column that holds names of targets
        let holds_targets = |index: &usize| {
            let rows = table.rows.iter().skip(1).filter_map(|row| row.get(*index));
            rows.filter(|range| of_target(pages, &cell(range)).next().is_some()).count() >= 2
        };
        let target = named.or_else(|| (0..columns.len()).find(holds_targets))?;
        let figures = columns.iter().flatten().filter(|column| !matches!(column, Heading::Target)).count();
        let pages = meant(versions.at(table.range.start), pages);
        (figures >= 2).then_some(SweepRows { text, pages, table, columns, target })
    }

    fn cell(&self, row: &[std::ops::Range<usize>], column: usize) -> Option<(String, usize)> {
        let range = row.get(column)?.clone();
        Some((shown(self.text.get(range.clone())?), range.start))
    }

    fn targets(&self) -> impl Iterator<Item = (String, usize)> {
        let rows = self.table.rows.iter().skip(1);
        rows.filter_map(|row| self.cell(row, self.target)).filter(|(target, _)| !target.is_empty())
    }

    fn judge(&self, lines: &Lines<'_>) -> Vec<Judgement> {
        let mut judgements = Vec::new();
        for row in self.table.rows.iter().skip(1) {
            let Some((target, at)) = self.cell(row, self.target).filter(|(target, _)| !target.is_empty()) else {
                continue;
            };
            let mut of_it = of_target(&self.pages, &target);
            let Some(page) = of_it.next() else {
                judgements.push(unknown(&target, lines.position(at)));
                continue;
            };
            if of_it.next().is_some() {
                // said once for the table
                continue;
            }
            for (index, heading) in self.columns.iter().enumerate() {
                let (Some(heading), Some((stated, at))) = (heading, self.cell(row, index)) else { continue };
                judgements.extend(cells::judge(*heading, &target, &stated, lines.position(at), page));
            }
        }
        judgements
    }

    /// True when one of its targets has more than one page.
    fn is_unclear(&self) -> bool {
        self.targets().any(|(target, _)| of_target(&self.pages, &target).count() > 1)
    }

    /// One warning for all targets that have a page in each of several versions.
    fn unclear_version(&self, lines: &Lines<'_>, versions: &Versions<'_>) -> Option<Judgement> {
        let place = lines.position(self.table.range.start);
        let claim = || Claim::at(place, "page", "summary", "the version the table is about", "");
        self.is_unclear().then(|| {
            let how = format!("its targets have several pages each, of {}", versions.listed());
            let needed = "one of these versions in a heading above the table";
            Judgement { severity: Some(Severity::Warning), ..claim().unverifiable(needed, how) }
        })
    }
}

/// The pages of a target, however its name is spelt.
fn of_target<'p, 'a>(pages: &'p [SweepPage<'a>], target: &str) -> impl Iterator<Item = &'p SweepPage<'a>> {
    let name = plain(target);
    pages.iter().filter(move |page| plain(&page.run.target) == name)
}

/// A target's name in one spelling.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' '], "_")
}

fn unknown(target: &str, place: (u64, u64)) -> Judgement {
    let claim = Claim::at(place, target, "summary", "a run of the sweep", target);
    let how = "no page of it among those given";
    Judgement { severity: Some(Severity::Warning), ..claim.unverifiable("the page of the target", how) }
}

/// Pages no table has, of those the tables are about; none where that is not clear.
fn left_out(found: &[SweepRows<'_, '_>], lines: &Lines<'_>) -> Vec<Judgement> {
    let mut told: Vec<&str> = Vec::new();
    let has = |table: &SweepRows<'_, '_>, page: &SweepPage<'_>| {
        let about = table.pages.iter().any(|other| other.file == page.file);
        about && table.targets().any(|(target, _)| plain(&target) == plain(&page.run.target))
    };
    let mut judgements = Vec::new();
    for table in found.iter().filter(|table| !table.is_unclear()) {
        let place = lines.position(table.table.range.start);
        for page in table.pages.iter().filter(|page| !page.run.target.is_empty()) {
            if told.contains(&page.file) || found.iter().any(|other| has(other, page)) {
                continue;
            }
            told.push(page.file);
            let claim = Claim::at(place, "page", "summary", "every run of the sweep", "");
            let how = "the table has no row for this page";
            judgements.push(claim.contradicted(Severity::Warning, page.run.target.as_str(), page.file, how));
        }
    }
    judgements
}

#[cfg(test)]
mod tests;
