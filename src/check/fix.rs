//! Cells that can be written anew: generated ones that are wrong. What a person wrote stays.

use std::ops::Range;

use super::page::PageRow;
use super::rows::generated;
use super::{Judgement, Severity, Subject, Verdict};
use crate::notation::escape;
use crate::rows::{KNOWN, Origin, Row};

/// Kinds of claims about a whole cell that is one quantity, whose `data` is the cell as it should read.
const QUANTITIES: [&str; 6] = ["window", "duration", "rate", "vus", "k6-version", "target"];
/// Kinds that say block or chart data may be those of another run, or not whole.
const DOUBTS: [&str; 3] = ["block-identity", "trends", "chart-length"];

/// A value of the metric table to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Bytes of the page.
    pub range: Range<usize>,
    /// What stands there.
    pub old: String,
    /// What is to stand there.
    pub new: String,
}

/// The cells of a page that are wrong and generated, with what the data says.
///
/// A cell is generated when it reads as its evidence remembers it was written, or when all of it is one quantity that the
/// data states (a time, a duration, a rate, a count, a version, a target): nobody's words are lost then. Sentences, cells with a
/// remark, rows of a person's own and everything outside the table are never touched; nor is a quantity whose only source is
/// block or chart data that may be of another run, or cut short.
pub fn fixes(subject: &Subject, judgements: &[&Judgement]) -> Vec<Fix> {
    if !judgements.iter().any(|judgement| is_wrong(judgement)) {
        return Vec::new();
    }
    let anew = generated::rows(&subject.truth.evidence);
    let own = subject.truth.recorded.is_some() || !judgements.iter().any(|judgement| is_doubt(judgement));
    let rows = subject.page.rows.iter();
    rows.filter_map(|row| {
        let wrong: Vec<&Judgement> = judgements.iter().copied().filter(|j| is_of(j, row) && is_wrong(j)).collect();
        let first = *wrong.first()?;
        let new =
            remembered(subject, row, &anew).or_else(|| quantity(row, first).filter(|_| own && wrong.len() == 1))?;
        (new != row.raw).then(|| Fix { range: row.range.clone(), old: row.raw.clone(), new })
    })
    .collect()
}

/// The page with its cells replaced, every other byte as it was; `None` when it does not read as it did.
pub fn apply(page: &str, fixes: &[Fix]) -> Option<String> {
    let mut fixed = String::with_capacity(page.len());
    let mut at = 0;
    for Fix { range, old, new } in fixes {
        if page.get(range.clone())? != old {
            return None;
        }
        fixed.push_str(page.get(at..range.start)?);
        fixed.push_str(new);
        at = range.end;
    }
    fixed.push_str(page.get(at..)?);
    Some(fixed)
}

fn is_of(judgement: &Judgement, row: &PageRow) -> bool {
    judgement.line == row.line && judgement.row == row.label
}

fn is_wrong(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Wrong | Verdict::Stale)
}

fn is_doubt(judgement: &Judgement) -> bool {
    DOUBTS.contains(&judgement.kind.as_str()) && judgement.severity >= Some(Severity::Warning)
}

/// The row as it would be published anew, when it still reads as it was published.
fn remembered(subject: &Subject, row: &PageRow, anew: &[Row]) -> Option<String> {
    let written = subject.generated.as_ref()?.rows.get(&row.label)?;
    let of_data = KNOWN.iter().any(|known| Some(known.id) == row.id && known.origin == Origin::Data);
    let anew = anew.iter().find(|anew| row.id.is_some() && anew.id == row.id)?;
    (of_data && written.trim() == row.raw).then(|| anew.cell.clone())
}

/// What the data says instead of a cell that is one quantity and nothing else.
fn quantity(row: &PageRow, judgement: &Judgement) -> Option<String> {
    let data = judgement.data.as_deref().map(escape::cell)?;
    let plain = row.raw == row.text || row.raw == escape::cell(&row.text);
    (plain && QUANTITIES.contains(&judgement.kind.as_str()) && judgement.stated == row.text).then_some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(range: Range<usize>, old: &str, new: &str) -> Fix {
        Fix { range, old: old.into(), new: new.into() }
    }

    #[test]
    fn only_the_cells_change() {
        let page = "| VUs |  5 |\r\n| é | 12 |\r\n";
        let fixes = [fix(9..10, "5", "600"), fix(21..23, "12", "13")];
        assert_eq!(&page[21..23], "12");
        assert_eq!(apply(page, &fixes).as_deref(), Some("| VUs |  600 |\r\n| é | 13 |\r\n"));
        assert_eq!(apply(page, &[]).as_deref(), Some(page));
    }

    #[test]
    fn a_page_that_has_changed_meanwhile_is_left_alone() {
        assert_eq!(apply("| VUs | 6 |", &[fix(8..9, "5", "7")]), None);
        assert_eq!(apply("| é", &[fix(3..4, "x", "y")]), None);
        assert_eq!(apply("", &[fix(8..9, "5", "7")]), None);
    }
}
