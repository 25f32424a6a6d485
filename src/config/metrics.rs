//! What exports of monitoring mean: names of metrics and of statements.

use std::collections::BTreeMap;

use super::table::Table;
use crate::model::{Measure, Quantity, Result};

/// Reads `[metrics]`: a metric's name, a label or the name of a file without its extension = a quantity.
pub(super) fn read_metrics(table: Option<&Table<'_, '_>>) -> Result<BTreeMap<String, Measure>> {
    let Some(table) = table else { return Ok(BTreeMap::new()) };
    let measure = |(name, entry): (&str, super::table::Entry<'_, '_>)| {
        let text = entry.text()?;
        let measure = Measure::parse(&text).ok_or_else(|| {
            let known: Vec<String> = Quantity::all().map(|quantity| format!("`{}`", quantity.name())).collect();
            let found = text.escape_debug();
            entry.fault(format!("expected one of {}, with `_p99` for a percentile, found `{found}`", known.join(", ")))
        })?;
        Ok((name.to_owned(), measure))
    };
    table.entries().map(measure).collect()
}

/// A name and a category for database statements; every condition given must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRule {
    /// The monitoring system's number for one statement.
    pub hash: Option<String>,
    /// Regular expression, tested for validity, that the statement's text must fit.
    pub text: Option<String>,
    /// Its name on the page.
    pub name: Option<String>,
    /// The category its time is summed up under.
    pub category: Option<String>,
}

/// Reads `[[queries]]`.
pub(super) fn read_queries(tables: &[Table<'_, '_>]) -> Result<Vec<QueryRule>> {
    let rule = |table: &Table<'_, '_>| {
        let rule = QueryRule {
            hash: table.text("hash")?,
            text: table.regex("text")?,
            name: table.text("name")?,
            category: table.text("category")?,
        };
        if rule.hash.is_none() && rule.text.is_none() {
            return Err(table.fault("`hash` or `text` is missing"));
        }
        if rule.name.is_none() && rule.category.is_none() {
            return Err(table.fault("`name` or `category` is missing"));
        }
        Ok(rule)
    };
    tables.iter().map(rule).collect()
}
