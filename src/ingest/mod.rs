//! Bytes in, [`crate::model`] types out: one file per input format, recognised by content.

pub mod summary_json;

pub mod terminal;
