//! Findings in the forms `check` prints.

mod github;
mod json;
mod text;

pub use github::github;
pub use json::json;
pub use text::{finding, text};

use crate::check::Judgement;
use crate::pipeline::Checked;

/// What a report lists: everything, or only what does not hold.
fn listed(checked: &Checked, all: bool) -> impl Iterator<Item = (&str, &Judgement)> {
    let wanted = move |judgement: &Judgement| all || judgement.is_finding();
    checked.judgements.iter().filter(move |(_, j)| wanted(j)).map(|(file, judgement)| (file.as_str(), judgement))
}

/// A verdict or severity as findings spell it.
fn word(value: impl serde::Serialize) -> String {
    // plain enums serialise to strings and cannot fail
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
