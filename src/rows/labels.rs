use std::collections::BTreeMap;

use super::{find, normal};
use crate::notation::table::{Table, shown, tables};

/// Tells which row a label stands for, also where a project file gave the row another name.
#[derive(Debug, Clone, Default)]
pub struct Labels<'a> {
    product: &'a str,
    /// The usual label by the one on the page, normalised.
    renamed: BTreeMap<String, &'a str>,
}

impl<'a> Labels<'a> {
    /// Labels on pages of a product; `renamed` holds the label on the page and the usual one.
    pub fn new(product: &'a str, renamed: impl IntoIterator<Item = (&'a String, &'a String)>) -> Self {
        let renamed = renamed.into_iter().map(|(shown, usual)| (normal(shown), usual.as_str())).collect();
        Labels { product, renamed }
    }

    /// The row a label stands for, as a key that is the same under each of its names.
    pub fn key(&self, label: &str) -> String {
        let usual = self.renamed.get(&normal(label)).copied().unwrap_or(label);
        find(usual, Some(self.product)).map_or_else(|| normal(usual), |row| normal(&row.label_for(self.product)))
    }

    /// The table of a page with the most labels that are rows, the first of equals; `None` when none has any.
    ///
    /// A label is a row when it is a known one under any name, or when `is_row` says so of its key.
    pub fn table(&self, page: &str, is_row: impl Fn(&str) -> bool) -> Option<Table> {
        let counts = |label: &str| {
            let label = normal(label);
            self.renamed.contains_key(&label) || find(&label, Some(self.product)).is_some() || is_row(&self.key(&label))
        };
        let rows = |table: &Table| {
            let labels = table.rows.iter().filter_map(|row| page.get(row.first()?.clone()));
            labels.filter(|label| counts(&shown(label))).count()
        };
        let scored = tables(page).into_iter().map(|table| (rows(&table), table)).filter(|(rows, _)| *rows > 0);
        scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, table)| table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_one_key_under_each_of_its_names() {
        let (shown, usual) = ("Testbeginn".to_owned(), "Test start".to_owned());
        let labels = Labels::new("Shop", [(&shown, &usual)]);
        assert_eq!(labels.key("TESTBEGINN"), labels.key("test  start"));
        assert_eq!(labels.key("k6 overview"), labels.key("k6 output"));
        assert_eq!(labels.key("shop LOCATION"), labels.key("Shop location"));
        assert_ne!(labels.key("Node pool"), labels.key("Client location"));
    }

    #[test]
    fn a_table_is_found_though_every_label_was_translated() {
        let (shown, usual) = ("Testbeginn".to_owned(), "Test start".to_owned());
        let page = "| a | b |\n|---|---|\n| c | d |\n\n| Wert | x |\n|---|---|\n| Testbeginn | y |\n";
        assert_eq!(Labels::new("Shop", [(&shown, &usual)]).table(page, |_| false).unwrap().range.start, 31);
        assert!(Labels::new("Shop", []).table(page, |_| false).is_none());
        assert!(Labels::new("Shop", []).table(page, |key| key == "c").is_some());
    }
}
