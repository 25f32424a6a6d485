use super::find;
use crate::notation::table::{Table, shown, tables};

/// A table with so many known labels is one of a run, whatever else it holds.
const FEWEST_LABELS: usize = 3;

/// The table of a page whose rows are the known ones: the one with the most known labels, the first of equals.
///
/// `None` when no table of the page has a known label in its first column.
pub fn metric_table(page: &str, product: Option<&str>) -> Option<Table> {
    metric_tables(page, product).into_iter().next()
}

/// As [`metric_table`], and behind it every further table that is of a run too, in order of the page.
pub fn metric_tables(page: &str, product: Option<&str>) -> Vec<Table> {
    let known = |table: &Table| {
        let labels = table.rows.iter().filter_map(|row| page.get(row.first()?.clone()));
        labels.filter(|label| find(&shown(label), product).is_some()).count()
    };
    let mut scored: Vec<(usize, Table)> = tables(page).into_iter().map(|table| (known(&table), table)).collect();
    let most = scored.iter().map(|(score, _)| *score).max().filter(|most| *most > 0);
    let Some(best) = scored.iter().position(|(score, _)| Some(*score) == most) else { return Vec::new() };
    let (_, best) = scored.remove(best);
    let further = scored.into_iter().filter(|(score, _)| *score >= FEWEST_LABELS);
    std::iter::once(best).chain(further.map(|(_, table)| table)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_with_the_most_known_rows_is_taken() {
        let other = "| k6 version | x |\n|---|---|\n| a | b |\n\n";
        let metric = "| Metric | Value |\n|---|---|\n| Test start | x |\n| VUs | 1 |\n";
        let page = format!("{other}{metric}\n{other}");
        let table = metric_table(&page, None).unwrap();
        assert_eq!(table.range.start, other.len());
        assert_eq!(table.rows.len(), 3);
        assert_eq!(metric_table("| a |\n|---|\n| b |\n", None), None);
    }

    #[test]
    fn a_second_table_of_a_run_is_told_from_one_that_shares_a_label() {
        let metric = "| Metric | Value |\n|---|---|\n| Test start | x |\n| VUs | 1 |\n| Test end | y |\n\n";
        let other = "| k6 version | x |\n|---|---|\n| a | b |\n\n";
        let starts = |page: &str| metric_tables(page, None).iter().map(|t| t.range.start).collect::<Vec<_>>();
        assert_eq!(starts(&format!("{other}{metric}{metric}")), [other.len(), other.len() + metric.len()]);
        assert_eq!(starts(&format!("{other}{metric}{other}")), [other.len()]);
    }
}
