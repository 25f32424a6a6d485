//! Text from evidence: one file per output. Touches no files.

mod chart_json;
mod context;
mod evidence_json;
mod input;
pub mod k6_block;
pub mod markdown;
pub mod mdx;
mod page;
pub mod picture;
pub mod preview;
mod project_file;
pub mod sidebar;
mod summary;
mod template_jinja;
mod template_plain;
mod xml;

pub use chart_json::{Timestamp, chart_json};
pub use context::context;
pub use evidence_json::evidence_json;
pub use input::{PageInput, Template};
pub use page::{BUILT_IN, RenderedPage, check_template, is_chart_import, render};
pub use project_file::{ProjectFile, project_file};
pub use summary::{
    Fitted, Markdown, NOT_KNOWN, summary_csv, summary_fitted, summary_json, summary_markdown, summary_notes,
};
