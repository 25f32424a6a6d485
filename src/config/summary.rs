use super::table::{Entry, Table};
use crate::model::{Result, SweepColumn, USUAL_COLUMNS};
use crate::notation::column;

/// How `summary` writes the sweep's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The columns, in order; the target is always among them.
    pub columns: Vec<SweepColumn>,
    /// Where the full table is to be found when a text has no room for it.
    pub full_table: Option<String>,
    /// Where the picture of all runs is, shown below the table; `{version}` stands for the table's.
    pub picture: Option<String>,
}

impl Default for Summary {
    fn default() -> Self {
        Summary { columns: USUAL_COLUMNS.to_vec(), full_table: None, picture: None }
    }
}

impl Summary {
    pub(super) fn read(table: Option<&Table<'_, '_>>) -> Result<Self> {
        let usual = Summary::default();
        let Some(table) = table else { return Ok(usual) };
        let columns = match table.get("columns") {
            None => usual.columns,
            Some(entry) => columns_of(&entry, &table.texts("columns")?)?,
        };
        Ok(Summary { columns, full_table: table.text("full_table")?, picture: table.text("picture")? })
    }
}

fn columns_of(entry: &Entry<'_, '_>, names: &[String]) -> Result<Vec<SweepColumn>> {
    summary_columns(names.iter().map(String::as_str)).map_err(|problem| entry.fault(problem))
}

/// Reads the names of columns; `target` comes first when it is not among them.
///
/// # Errors
///
/// Returns what is wrong, without a place: an unknown name, one that stands there twice, or none at all.
pub fn summary_columns<'a>(names: impl IntoIterator<Item = &'a str>) -> std::result::Result<Vec<SweepColumn>, String> {
    let mut columns: Vec<SweepColumn> = Vec::new();
    for name in names.into_iter().map(str::trim) {
        let known = column::from_name(name)
            .ok_or_else(|| format!("expected one of {}, found `{}`", column::names(), name.escape_debug()))?;
        if columns.contains(&known) {
            return Err(format!("expected each column once, found `{name}` twice"));
        }
        columns.push(known);
    }
    if columns.is_empty() {
        return Err("expected at least one column, found none".to_owned());
    }
    if !columns.contains(&SweepColumn::Target) {
        columns.insert(0, SweepColumn::Target);
    }
    Ok(columns)
}
