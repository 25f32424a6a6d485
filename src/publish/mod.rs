//! Puts rendered text in place: merged with what people wrote, and safely.

mod disk;
mod markers;
pub mod merge;
mod owned;
mod reconcile;

pub use disk::{Change, FileSet, Output, Recovered, Staged, change, interrupted, stage, stage_over};
pub use markers::{Comments, Slot, Wanted, slot};
pub use owned::{holds_nothing, write_owned};
pub use reconcile::{Meeting, fingerprint, reconcile, remembered};
