use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The result of everything that can fail on what a user handed in.
pub type Result<T> = std::result::Result<T, Fault>;

/// Where in the input a fault lies: a file, and where known a line (counted from 1) and a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it.
    pub file: PathBuf,
    /// Line in the (decompressed) file, counted from 1.
    pub line: Option<u64>,
    /// The column, key or field, with the word for it: ``column `metric_value` ``.
    pub field: Option<String>,
}

impl Place {
    /// A place that is a whole file.
    pub fn file(path: impl AsRef<Path>) -> Self {
        Place { file: path.as_ref().to_path_buf(), line: None, field: None }
    }

    /// The same file at `line`, counted from 1.
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same place, narrowed to a field such as ``column `metric_value` ``.
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": {field}")?;
        }
        Ok(())
    }
}

/// Something that stops the work: where, what was found and what was expected, and what to do about it.
///
/// Prints as `place: message`, lower case, without a final full stop; the hint is a line of its own that the binary prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where it lies; `None` for what no file holds (a bad argument).
    pub place: Option<Place>,
    /// What was expected and what was found, with values in backticks.
    pub message: String,
    /// What the user can do.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault at a place.
    pub fn at(place: Place, message: impl Into<String>) -> Self {
        Fault { place: Some(place), message: message.into(), hint: None }
    }

    /// A fault that lies in no file.
    pub fn new(message: impl Into<String>) -> Self {
        Fault { place: None, message: message.into(), hint: None }
    }

    /// Adds what the user can do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Wraps a failed file operation, so that the path is always in the message.
    pub fn io(path: impl AsRef<Path>, doing: &str, error: std::io::Error) -> Self {
        Fault::at(Place::file(path), format!("cannot {doing}: {error}"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Fault {}

/// Something worth knowing that did not stop the work; kept in the evidence and shown on stderr.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// A stable word for the kind, `high-cardinality`; the list stands in `docs/evidence.md`.
    pub code: String,
    /// One sentence with the figures.
    pub message: String,
}

impl Warning {
    /// A warning of the given kind.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Warning { code: code.to_owned(), message: message.into() }
    }
}
