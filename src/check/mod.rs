//! Published text back into claims.

mod finding;
pub mod page;

pub use finding::{Judgement, Severity, Verdict};
