//! Puts rendered text in place: what may be written, and safely.

mod judge;
mod markers;
mod write;

pub use judge::{Verdict, fingerprint, judge, remembered};
pub use markers::{Comments, Slot, Wanted, slot};
pub use write::{Change, Staged, stage};
