//! Bytes in, [`crate::model`] types out: one file per input format, recognised by content.

pub mod chart_rows;
pub mod detect;
pub mod k6_csv;
pub mod k6_json;
pub mod monitoring;
pub mod raw;
pub mod source;
pub mod summary_json;
pub mod terminal;

/// What a reader of raw k6 output went through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Data rows or points given to the sink.
    pub rows: u64,
    /// Header lines after the first (concatenated files).
    pub repeated_headers: u64,
    /// What the file cannot tell: tags that were switched off, by k6's name for them.
    pub missing_tags: Vec<&'static str>,
    /// How times are written, for people: `seconds`, `RFC 3339`.
    pub time_format: Option<&'static str>,
}
