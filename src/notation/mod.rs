//! How a quantity is written on a page and read back; the two are inverses.

pub mod escape;
pub mod front_matter;
pub mod table;
