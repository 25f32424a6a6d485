use std::fs;
use std::path::PathBuf;

use indexmap::IndexMap;

use super::safe_name;
use super::table::{Entry, Table};
use crate::model::{Fault, Result};

/// Something only people know: Markdown by a trusted author, or a file that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactValue {
    /// The text itself.
    Text(String),
    /// A file, resolved against the project file: Markdown, or JSON such as a capture of feature flags.
    File(PathBuf),
}

impl FactValue {
    /// The fact's text without surrounding space; reads the file if it is one.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read as UTF-8.
    pub fn text(&self) -> Result<String> {
        let text = match self {
            FactValue::Text(text) => text.clone(),
            FactValue::File(path) => fs::read_to_string(path).map_err(|e| Fault::io(path, "read the fact", e))?,
        };
        Ok(text.trim().to_owned())
    }

    fn read(entry: &Entry<'_, '_>) -> Result<Self> {
        if !entry.is_table() {
            return entry
                .text()
                .map(FactValue::Text)
                .map_err(|fault| fault.hint("write a text in quotes, or `{ file = \"...\" }`"));
        }
        let table = entry.table("facts", "fact")?;
        Ok(FactValue::File(entry.folder().join(table.required_text("file")?)))
    }
}

/// What is particular to one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// VUs the data must agree with.
    pub vus: Option<u64>,
    /// Line of the project file that states them.
    pub vus_line: Option<u64>,
    /// How the target reads in titles; its name with spaces when absent.
    pub words: Option<String>,
    /// Facts that stand in place of the sweep's.
    pub facts: IndexMap<String, FactValue>,
}

/// Reads `[facts]`; the order is the one written.
pub(super) fn read(table: Option<&Table<'_, '_>>) -> Result<IndexMap<String, FactValue>> {
    let Some(table) = table else { return Ok(IndexMap::new()) };
    let fact = |(label, entry): (&str, Entry<'_, '_>)| {
        if label.trim().is_empty() {
            return Err(entry.fault("expected a row label, found an empty one"));
        }
        Ok((label.to_owned(), FactValue::read(&entry)?))
    };
    table.entries().map(fact).collect()
}

/// Reads every `[targets.NAME]`.
pub(super) fn read_targets(table: Option<&Table<'_, '_>>) -> Result<IndexMap<String, Target>> {
    let Some(table) = table else { return Ok(IndexMap::new()) };
    let target = |(name, entry): (&str, Entry<'_, '_>)| {
        safe_name(name).map_err(|fault| entry.fault(fault.message))?;
        let table = entry.table(&format!("targets.{name}"), "targets.NAME")?;
        let target = Target {
            vus: table.whole("vus")?,
            vus_line: table.line("vus"),
            words: table.text("words")?,
            facts: read(table.free_table("facts")?.as_ref())?,
        };
        Ok((name.to_owned(), target))
    };
    table.entries().map(target).collect()
}
