use super::find;
use crate::notation::table::{Table, shown, tables};

/// The table of a page whose rows are the known ones: the one with the most known labels, the first of equals.
///
/// `None` when no table of the page has a known label in its first column.
pub fn metric_table(page: &str, product: Option<&str>) -> Option<Table> {
    let known = |table: &Table| {
        let labels = table.rows.iter().filter_map(|row| page.get(row.first()?.clone()));
        labels.filter(|label| find(&shown(label), product).is_some()).count()
    };
    let mut best: Option<(usize, Table)> = None;
    for table in tables(page) {
        let score = known(&table);
        if score > best.as_ref().map_or(0, |(score, _)| *score) {
            best = Some((score, table));
        }
    }
    best.map(|(_, table)| table)
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
}
