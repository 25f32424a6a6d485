//! The sweep's table as text: Markdown for people, CSV and JSON for programs.

mod csv;
mod fitted;
mod json;
mod markdown;
mod words;

pub use csv::summary_csv;
pub use fitted::{Fitted, summary_fitted};
pub use json::summary_json;
pub(super) use markdown::figure;
pub use markdown::{Markdown, NOT_KNOWN, summary_markdown, summary_notes};
