//! Quantities as a row writes them: the prose forms of [`crate::notation`] under the names rows use.

pub(crate) use crate::notation::count::write as count;
pub(crate) use crate::notation::per_second::throughput as iterations_per_second;
pub(crate) use crate::notation::percent::prose as percent_of;
pub(crate) use crate::notation::time::{clock, write as utc};

/// A length of time in whole seconds, `30min`, `42min 7s`, `1h 30min`, `55s`.
pub(crate) fn minutes(seconds: u64) -> String {
    crate::notation::duration::prose(seconds as f64)
}
