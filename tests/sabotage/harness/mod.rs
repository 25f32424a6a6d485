//! Changes the figures of published pages one at a time and tells which of the changes `check` reports.
//!
//! [`figures`] finds what can be changed, [`changes`] says how, [`undecidable`] is the list of what no data can tell, and
//! [`trial`] puts each changed page through the checking of the command.

#![allow(dead_code)] // the test and the example use different parts

pub mod changes;
pub mod figures;
pub mod rng;
pub mod tally;
pub mod trial;
pub mod undecidable;
