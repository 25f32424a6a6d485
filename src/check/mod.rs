//! Published text back into claims.

mod finding;
pub mod page;
pub mod prose;

pub use finding::{Judgement, Severity, Verdict};
