//! How a quantity is written on a page and read back; the two are inverses.
//!
//! One file per kind. Each has k6's own form (the rules of `summary.js`, unchanged since v0.33), where pages differ from it a
//! prose form, and a `read` that gives back the value with the size of its last digit as [`Printed`].

pub mod column;
pub mod count;
pub mod duration;
pub mod escape;
pub mod failed;
pub mod flow;
pub mod front_matter;
pub mod latency;
pub mod number;
pub mod per_second;
pub mod percent;
pub mod place;
pub mod size;
pub mod stat;
pub mod table;
pub mod time;
pub mod utilisation;

use crate::model::Printed;

/// True when `value` may be what `printed` says: it lies less than one last digit away.
///
/// Wide enough for both of k6's habits, truncating (durations, percentages) and rounding (rates, sizes). A figure stated in full
/// (`step` 0) admits what agrees to twelve digits, because sums depend on their order. A figure without a value admits nothing.
pub fn admits(printed: &Printed, value: f64) -> bool {
    let Some(stated) = printed.value else { return false };
    // the text is decimal, so the value read from it is off by an ulp or two
    let slack = stated.abs().max(value.abs()) * if printed.step == 0.0 { 1e-12 } else { 1e-15 };
    (stated - value).abs() < printed.step + slack || stated == value
}
