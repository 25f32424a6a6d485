//! Text from evidence: one file per output. Touches no files.

pub mod k6_block;
