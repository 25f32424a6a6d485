//! Published text back into claims, and claims against data.
//!
//! Returns what each claim came to; reads no files and prints nothing. A kind of claim is one small file: of a single row
//! in `rows`, of blocks, chart data and pages against each other in `files`. The kinds are listed in `docs/checking.md`.

mod files;
mod finding;
mod fix;
pub mod page;
mod passage;
pub mod prose;
mod rows;
mod subject;
mod summary;
mod tolerance;

pub use finding::{Judgement, Severity, Verdict};
pub use fix::{Fix, apply, fixes};
pub use passage::Passage;
pub use subject::{Block, Chart, Copy, Older, Subject, Truth};
pub use summary::{SweepPage, judge_summary};

/// Judges every claim of one page against its own data, in the order of its lines.
pub fn judge_page(subject: &Subject) -> Vec<Judgement> {
    let mut judgements = rows::judge(subject);
    judgements.extend(files::judge_page(subject));
    judgements.sort_by_key(|j| (j.line, j.column));
    judgements
}

/// Judges the pages of a sweep against each other: for each judgement the index of its page.
pub fn judge_together(subjects: &[Subject]) -> Vec<(usize, Judgement)> {
    files::judge_together(subjects)
}
