//! Faults that were reported in public or found in published pages, each with the right value.
//!
//! The line above a test names the case and where it was reported; inputs are our own.

#[path = "../support/mod.rs"]
mod support;

mod distributed;
mod errors;
mod identity;
mod logs;
mod raw;
mod shared_files;
mod summaries;
mod throughput;
mod times;
