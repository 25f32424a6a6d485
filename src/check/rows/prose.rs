//! Claims in a cell that a person wrote or corrected.

use crate::check::finding::Judgement;
use crate::check::page::PageRow;
use crate::check::prose::{self, ProseCell, ProseTruth};
use crate::check::subject::Subject;

/// Takes the numbers, times, sums and shares out of the cell's sentences and judges them one by one.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Vec<Judgement> {
    let rows = subject.page.rows.iter().filter(|other| other.line != row.line);
    let others: Vec<(&str, &str)> = rows.map(|other| (other.label.as_str(), other.text.as_str())).collect();
    let cell = ProseCell { row: &row.label, markdown: &row.raw, line: row.line, column: row.column };
    let source = subject.figures_from();
    let older = subject.older.as_ref();
    prose::judge(&cell, &ProseTruth { evidence: &subject.truth.evidence, others: &others, source: &source, older })
}
