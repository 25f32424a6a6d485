//! Puts rendered text in place: what may be written, and safely.

mod judge;
mod write;

pub use judge::{Verdict, fingerprint, judge, remembered};
pub use write::{Change, Staged, stage};
