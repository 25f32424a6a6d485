//! Text from evidence: one file per output. Touches no files.

mod chart_json;
mod evidence_json;
pub mod k6_block;
pub mod mdx;

pub use chart_json::{Timestamp, chart_json};
pub use evidence_json::evidence_json;
