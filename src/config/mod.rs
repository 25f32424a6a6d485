//! The project file `sweepdoc.toml`, strict about unknown keys.
//!
//! Every key with its default and meaning stands in [`KEYS`]; the reader takes its valid keys from there.

mod facts;
mod metrics;
mod names;
mod pages;
mod reference;
mod rules;
mod summary;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use toml::de::DeTable;

use crate::model::{Fault, Goal, Measure, OutcomeThresholds, Place, Result};
use crate::rows::RowRules;
use table::{Source, Table};

pub use facts::{FactValue, Target};
pub use metrics::QueryRule;
pub use names::{Names, Pattern, safe_name};
pub use pages::{PageKind, Pages};
pub use reference::{KEYS, Key};
pub use rules::{Cause, ChartTimestamp, Check, Errors, Severity};
pub use summary::{Summary, summary_columns};

/// Name of the project file.
pub const FILE_NAME: &str = "sweepdoc.toml";

/// A sweep's project file, read and checked; paths are resolved against its own folder.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file it was read from, as the user named it.
    pub path: PathBuf,
    /// What was tested, `ZITADEL`.
    pub product: String,
    /// The version under test, `v4.17.1`.
    pub version: String,
    /// Where pages go and how they are named.
    pub pages: Pages,
    /// Facts of every run by row label, in the order written.
    pub facts: IndexMap<String, FactValue>,
    /// Which rows a page shows, and how.
    pub rows: RowRules,
    /// What is particular to single targets, in the order written.
    pub targets: IndexMap<String, Target>,
    /// What a target has to reach.
    pub goals: Vec<Goal>,
    /// Causes of failures with a name of their own.
    pub causes: Vec<Cause>,
    /// What metrics of monitoring measure, by their name, label or the name of their file.
    pub metrics: BTreeMap<String, Measure>,
    /// Names and categories of database statements.
    pub queries: Vec<QueryRule>,
    /// How failures are grouped in time.
    pub errors: Errors,
    /// When a resource counts as exhausted.
    pub outcome: OutcomeThresholds,
    /// Published pages whose rates a gain is over.
    pub baseline: Option<PathBuf>,
    /// What `check` leaves alone or judges otherwise.
    pub check: Check,
    /// How `summary` writes the sweep's table.
    pub summary: Summary,
    /// How chart data writes its times.
    pub chart_timestamp: ChartTimestamp,
    /// Patterns (regular expressions, tested for validity) whose matches never reach a published file.
    pub redact: Vec<String>,
}

impl Config {
    /// Reads and checks a project file.
    ///
    /// # Errors
    ///
    /// Fails on an unreadable file, on invalid TOML, on an unknown key, a value of the wrong type or out of range, and when
    /// `product` or `version` is missing; each names the line.
    pub fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|e| Fault::io(path, "read", e))?;
        Config::parse(path, &text)
    }

    /// Looks for [`FILE_NAME`] in `start`, then in its parents; `None` when there is none up to the root.
    pub fn find(start: &Path) -> Option<PathBuf> {
        let absolute = std::path::absolute(start).ok()?;
        // the path stays as short as the user would write it when the file lies in the folder itself
        let direct = start.join(FILE_NAME);
        if direct.is_file() {
            return Some(direct);
        }
        absolute.ancestors().skip(1).map(|dir| dir.join(FILE_NAME)).find(|file| file.is_file())
    }

    /// Reads a project file's text; `path` is for messages and for resolving relative paths.
    ///
    /// # Errors
    ///
    /// As [`Config::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let source = Source::new(path, text);
        let document = DeTable::parse(text.trim_start_matches('\u{feff}')).map_err(|e| source.syntax_error(&e))?;
        let root = Table::root(&source, document.get_ref())?;
        let mut redact = Vec::new();
        if let Some(publish) = root.table("publish", "publish")? {
            redact = publish.patterns("redact")?;
        }
        Ok(Config {
            path: path.to_path_buf(),
            product: root.required_text("product")?,
            version: root.required_text("version")?,
            pages: Pages::read(root.table("pages", "pages")?.as_ref(), source.folder())?,
            facts: facts::read(root.free_table("facts")?.as_ref())?,
            rows: rules::read_rows(root.table("rows", "rows")?.as_ref())?,
            targets: facts::read_targets(root.free_table("targets")?.as_ref())?,
            goals: rules::read_goals(&root.tables("goals")?)?,
            causes: rules::read_causes(&root.tables("causes")?)?,
            metrics: metrics::read_metrics(root.free_table("metrics")?.as_ref())?,
            queries: metrics::read_queries(&root.tables("queries")?)?,
            errors: Errors::read(root.table("errors", "errors")?.as_ref())?,
            outcome: rules::read_outcome(root.table("outcome", "outcome")?.as_ref())?,
            baseline: rules::read_baseline(root.table("outcome", "outcome")?.as_ref(), source.folder())?,
            check: Check::read(root.table("check", "check")?.as_ref())?,
            summary: Summary::read(root.table("summary", "summary")?.as_ref())?,
            chart_timestamp: ChartTimestamp::read(root.table("chart", "chart")?.as_ref())?,
            redact,
        })
    }

    /// What the patterns of paths and titles are filled with for one target.
    ///
    /// # Errors
    ///
    /// Fails when the target's name cannot be part of a path, see [`safe_name`].
    pub fn names(&self, target: &str) -> Result<Names> {
        let target = safe_name(target)?;
        safe_name(&self.version).map_err(|fault| Fault {
            place: Some(self.place().field("key `version`")),
            message: fault.message.replace("target name", "version"),
            hint: Some("a version is a name such as `v4.17.1`; folders belong into `path` of `[pages]`".to_owned()),
        })?;
        let words = self.targets.get(target).and_then(|t| t.words.clone());
        Ok(Names {
            product: self.product.clone(),
            version: self.version.clone(),
            target: target.to_owned(),
            words: words.unwrap_or_else(|| target.replace('_', " ")),
        })
    }

    /// The facts of one target as text: the sweep's, those of the target in their place, fact files read.
    ///
    /// A label overrides one that differs in case only. Empty when there are none.
    ///
    /// # Errors
    ///
    /// Fails when a fact file cannot be read; names the file.
    pub fn facts_for(&self, target: &str) -> Result<IndexMap<String, String>> {
        let mut values: IndexMap<&str, &FactValue> = self.facts.iter().map(|(k, v)| (k.as_str(), v)).collect();
        for (label, value) in self.targets.get(target).into_iter().flat_map(|t| &t.facts) {
            match values.iter_mut().find(|(known, _)| known.to_lowercase() == label.to_lowercase()) {
                Some((_, known)) => *known = value,
                None => {
                    values.insert(label, value);
                }
            }
        }
        values.into_iter().map(|(label, value)| Ok((label.to_owned(), value.text()?))).collect()
    }

    /// The place of a key that is wrong for a reason only others can see, such as a fact the data contradicts.
    pub fn place(&self) -> Place {
        Place::file(&self.path)
    }
}

#[cfg(test)]
mod tests;
