//! Claims in a cell that a person wrote or corrected.

use crate::check::finding::Judgement;
use crate::check::page::PageRow;
use crate::check::prose::{self, ProseCell};
use crate::check::subject::Subject;

/// So many other rows are looked into: a table of a run has some thirty, and hostile ones would take for ever.
const MOST_ROWS: usize = 200;

/// Takes the numbers, times, sums and shares out of the cell's sentences and judges them one by one.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let rows = subject.page.rows.iter().take(MOST_ROWS).filter(|other| other.line != row.line);
    let others: Vec<(&str, &str)> = rows.map(|other| (other.label.as_str(), other.text.as_str())).collect();
    let cell = ProseCell { row: &row.label, markdown: &row.raw, line: row.line, column: row.column };
    let source = subject.figures_from();
    prose::judge(&cell, &subject.prose_truth(&others, &source))
}
