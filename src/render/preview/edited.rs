//! Which rows of a page a person wrote or corrected.

use crate::model::Generated;
use crate::notation::table::{position, shown};
use crate::rows::metric_table;

/// The rows of the metric table that are not what was generated: the line of each with what to say of it.
///
/// Cells are compared as they stand in the text. Empty rows of a template count as nobody's.
pub fn edited_rows(page: &str, written: &Generated, product: Option<&str>) -> Vec<(u64, String)> {
    let Some(table) = metric_table(page, product).or_else(|| metric_table(page, None)) else { return Vec::new() };
    let mut edited = Vec::new();
    for row in table.rows.iter().skip(1) {
        let (Some(label), Some(value)) = (row.first(), row.get(1)) else { continue };
        let line = position(page, label.start).0;
        let value = page.get(value.clone()).unwrap_or_default();
        match written.rows.get(&shown(page.get(label.clone()).unwrap_or_default())) {
            Some(generated) if generated == value => {}
            Some(_) => edited.push((line, "corrected by hand".to_owned())),
            None if value.is_empty() => {}
            None => edited.push((line, "written by hand".to_owned())),
        }
    }
    edited
}
