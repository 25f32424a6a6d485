use indexmap::IndexMap;

use super::{Judgement, PageRow, Subject};
use crate::check::finding::Claim;
use crate::model::Evidence;
use crate::notation::table::shown;
use crate::rows::{Origin, Row, RowInput, find};

/// The rows the data alone would be published as; none when the data contradicts itself.
pub(in crate::check) fn rows(evidence: &Evidence) -> Vec<Row> {
    let facts = IndexMap::new();
    // labels do not matter here: rows are compared by what they are
    let input =
        RowInput { evidence, product: "product", version: None, facts: &facts, expected_vus: None, baseline: None };
    crate::rows::build(&input).unwrap_or_default()
}

/// A row that reads exactly as it would be published anew: every number in it is right.
pub(super) fn unchanged(row: &PageRow, generated: &[Row], subject: &Subject) -> Option<Judgement> {
    let known = find(&row.label, None).filter(|known| known.origin != Origin::Fact)?;
    let anew = generated.iter().find(|anew| anew.id == Some(known.id) && row.id == anew.id)?;
    let text = shown(&anew.cell);
    (text == row.text).then(|| {
        let claim = Claim::of_row(row, "generated", "the row as it is written from the data");
        claim.holds(text, &subject.figures_from(), "reads as the row would be published anew")
    })
}
