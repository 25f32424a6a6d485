use super::{Judgement, Subject};
use crate::check::finding::PAGE;
use crate::check::prose;

/// Claims in the running text of the page: what its headings, paragraphs and lists say of the run.
pub(super) fn judge(subject: &Subject) -> Vec<Judgement> {
    let others: Vec<(&str, &str)> =
        subject.page.rows.iter().map(|row| (row.label.as_str(), row.text.as_str())).collect();
    let source = subject.figures_from();
    let truth = subject.prose_truth(&others, &source);
    let mut judgements = Vec::new();
    for passage in &subject.page.passages {
        let cell = prose::ProseCell { row: PAGE, markdown: &passage.markdown, line: passage.line, column: 1 };
        judgements.extend(prose::judge(&cell, &truth).into_iter().map(|judgement| {
            let (line, column) = passage.place(judgement.column);
            Judgement { line, column, ..judgement }
        }));
    }
    judgements
}
