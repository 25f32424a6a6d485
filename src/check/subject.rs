//! What is checked, and what it is checked against.

use super::page::Page;
use super::prose::ProseTruth;
use crate::model::{ChartRow, Evidence, Figures, Generated, OutcomeThresholds, Stat, TerminalLog, Time};
use crate::rows::RowId;

/// One page with all the data there is about its run.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The file as findings name it.
    pub file: String,
    /// What it says.
    pub page: Page,
    /// The target its place among the pages stands for; `None` when the place says nothing.
    pub target: Option<String>,
    /// The version its place stands for.
    pub version: Option<String>,
    /// What is known of the run.
    pub truth: Truth,
    /// The k6 output on the page, read back.
    pub block: Option<Block>,
    /// The chart data beside it.
    pub chart: Chart,
    /// Further copies of the chart data.
    pub copies: Vec<Copy>,
    /// The same target's page of an older version.
    pub older: Option<Older>,
    /// What was last written on the page, as the evidence beside it remembers.
    pub generated: Option<Generated>,
    /// Thresholds of the outcome in the project file; `None` without a project file.
    pub thresholds: Option<OutcomeThresholds>,
}

/// Everything derived about a run, and from what.
#[derive(Debug, Clone)]
pub struct Truth {
    /// What is known.
    pub evidence: Evidence,
    /// `evidence.json`, `raw data in runs/x`; `None` when it was derived from the page's own block and chart data.
    pub recorded: Option<String>,
}

/// The k6 output of a page.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its text.
    pub text: String,
    /// Line of the page its first line is.
    pub line: u64,
    /// The same, read.
    pub log: TerminalLog,
}

/// The chart data beside a page.
#[derive(Debug, Clone)]
pub enum Chart {
    /// There is no such file.
    Missing,
    /// It cannot be read as chart data: why not.
    Unreadable(String),
    /// Its rows, in order of time.
    Rows(Vec<ChartRow>),
}

/// A second copy of the chart data.
#[derive(Debug, Clone)]
pub struct Copy {
    /// Its path as findings name it.
    pub path: String,
    /// Whether its bytes are those of the file beside the page; `None` when it cannot be read.
    pub same: Option<bool>,
}

/// The same target's page of an older version: what `the previous run` means.
#[derive(Debug, Clone, Default)]
pub struct Older {
    /// The older page as findings name it.
    pub file: String,
    /// The version its place stands for.
    pub version: Option<String>,
    /// What is known of its run.
    pub evidence: Evidence,
}

impl Subject {
    /// What sentences about the run are judged against; `others` are rows of the page by label.
    pub(super) fn prose_truth<'a>(&'a self, others: &'a [(&'a str, &'a str)], source: &'a str) -> ProseTruth<'a> {
        ProseTruth { evidence: &self.truth.evidence, others, source, older: self.older.as_ref() }
    }

    /// Where figures of the run as a whole come from, for a finding's `source`.
    pub(super) fn figures_from(&self) -> String {
        match (&self.truth.recorded, &self.block) {
            (Some(recorded), _) => recorded.clone(),
            (None, Some(block)) => format!("k6 output on line {}", block.line),
            (None, None) => "output.json".to_owned(),
        }
    }

    /// As [`Subject::figures_from`], but with the line of the block that begins with a word.
    pub(super) fn figure_from(&self, word: &str) -> String {
        match (&self.truth.recorded, &self.block) {
            (None, Some(block)) => format!("k6 output on line {}", block.line_of(word)),
            _ => self.figures_from(),
        }
    }

    /// A statistic of a trend as the page's own block prints it.
    pub(super) fn printed(&self, trend: &str, stat: Stat) -> Option<String> {
        match self.block.as_ref()?.log.summary.as_ref()?.metrics.get(trend)? {
            Figures::Trend(line) => line.get(&stat).map(|printed| printed.text.clone()),
            _ => None,
        }
    }

    /// The target, as its place or else the page says.
    pub fn named(&self) -> Option<&str> {
        let stated = || self.page.row(RowId::ExecutedTest).map(|row| row.text.trim()).filter(|text| !text.is_empty());
        self.target.as_deref().or_else(stated)
    }

    /// The VUs its page's row states; `None` without the row and for a ramp or other words.
    pub fn stated_vus(&self) -> Option<u64> {
        super::rows::stated_vus(self.page.row(RowId::Vus)?)
    }

    /// Line and column findings about the chart data stand at: its import, else the page's first line.
    pub(super) fn chart_place(&self) -> (u64, u64) {
        self.page.chart_import.as_ref().map_or((1, 1), |part| (part.line, part.column))
    }

    /// The chart's rows, empty when there are none.
    pub(super) fn chart_rows(&self) -> &[ChartRow] {
        match &self.chart {
            Chart::Rows(rows) => rows,
            Chart::Missing | Chart::Unreadable(_) => &[],
        }
    }
}

impl Chart {
    /// First and last moment; `None` without rows.
    pub(super) fn span(&self) -> Option<(Time, Time)> {
        let Chart::Rows(rows) = self else { return None };
        rows.iter().map(|row| row.time).min().zip(rows.iter().map(|row| row.time).max())
    }
}

impl Block {
    /// Line of the page that holds the first line of the block beginning with `word`; the block's first line when none does.
    pub(super) fn line_of(&self, word: &str) -> u64 {
        let offset = self.text.lines().position(|line| line.trim_start().starts_with(word)).unwrap_or(0);
        self.line + offset as u64
    }

    /// The line itself, without surrounding space.
    pub(super) fn text_of(&self, word: &str) -> Option<&str> {
        self.text.lines().map(str::trim).find(|line| line.starts_with(word))
    }
}
