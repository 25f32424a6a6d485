use indexmap::IndexMap;

use super::{Row, find, near_miss, normal};
use crate::model::{Fault, Result};

/// Which rows a page shows, under which label and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowRules {
    /// Labels left out.
    pub hide: Vec<String>,
    /// Labels as they shall read, by their usual label.
    pub rename: IndexMap<String, String>,
    /// Labels that come first, in this order; the others follow in theirs.
    pub order: Vec<String>,
}

/// Applies a project's rules to the rows of a page. A rule's label may be an alias; one that no row has is without effect.
///
/// # Errors
///
/// Fails on a label that nearly reads like a known one.
pub fn arrange(rows: Vec<Row>, rules: &RowRules, product: &str) -> Result<Vec<Row>> {
    for label in rules.hide.iter().chain(rules.rename.keys()).chain(&rules.order) {
        if let Some(known) = near_miss(label, product) {
            return Err(Fault::new(format!("`{label}` in `[rows]` is no row, `{known}` is")));
        }
    }
    let names = |row: &Row, label: &str| match find(label, Some(product)) {
        Some(known) => row.id == Some(known.id),
        None => normal(&row.label) == normal(label),
    };
    let mut shown: Vec<Row> =
        rows.into_iter().filter(|row| !rules.hide.iter().any(|label| names(row, label))).collect();
    // a stable sort: what no rule places keeps its order behind what one does
    shown.sort_by_key(|row| rules.order.iter().position(|label| names(row, label)).unwrap_or(rules.order.len()));
    for row in &mut shown {
        if let Some((_, new)) = rules.rename.iter().find(|(label, _)| names(row, label)) {
            row.label = new.clone();
        }
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::RowId;

    fn row(label: &str, id: Option<RowId>) -> Row {
        Row { id, label: label.into(), cell: String::new() }
    }

    fn rows() -> Vec<Row> {
        vec![row("Test start", Some(RowId::TestStart)), row("VUs", Some(RowId::Vus)), row("Node pool", None)]
    }

    #[test]
    fn rows_are_hidden_renamed_and_ordered_by_any_spelling_of_their_label() {
        let rules = RowRules {
            hide: vec!["TEST START".into()],
            rename: IndexMap::from([("vus".to_owned(), "Virtual users".to_owned())]),
            order: vec!["node pool".into()],
        };
        let labels: Vec<String> = arrange(rows(), &rules, "X").unwrap().into_iter().map(|r| r.label).collect();
        assert_eq!(labels, ["Node pool", "Virtual users"]);
    }

    #[test]
    fn without_rules_nothing_changes() {
        assert_eq!(arrange(rows(), &RowRules::default(), "X").unwrap(), rows());
    }

    #[test]
    fn a_misspelt_label_is_an_error() {
        let rules = RowRules { hide: vec!["Test strat".into()], ..RowRules::default() };
        let fault = arrange(rows(), &rules, "X").unwrap_err();
        assert_eq!(fault.to_string(), "`Test strat` in `[rows]` is no row, `Test start` is");
    }
}
