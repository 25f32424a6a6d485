//! Text from evidence: one file per output. Touches no files.

mod context;
pub mod markdown;
pub mod mdx;
mod page;
pub mod sidebar;
mod template_jinja;
mod template_plain;

pub use context::context;
pub use page::{BUILT_IN, PageInput, RenderedPage, Template, render};
