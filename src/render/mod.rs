//! Text from evidence: one file per output. Touches no files.

pub mod mdx;
