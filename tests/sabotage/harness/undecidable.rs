//! What no data can tell: the whole list. Every other change counts, and has to be reported on its row.
//!
//! The list is about pages and data, never about what `check` can read: a digit changed in any number that stands next to
//! its data is decidable.

use sweepdoc::rows::{KNOWN, Origin, RowId};

use super::changes::{Change, Way};
use super::figures::{Figure, Form};
use super::trial::Data;

/// A change with what is known around it.
pub struct Context<'a> {
    pub change: &'a Change,
    pub figure: &'a Figure,
    /// The row's text before the figure.
    pub before: &'a str,
    /// The row's text after the figure and its unit.
    pub after: &'a str,
    /// What lies beside the page.
    pub data: Data,
    /// True for a figure that is reported on the unchanged page already.
    pub already_wrong: bool,
}

/// Why nothing can be said of some changes.
pub struct Undecidable {
    pub why: &'static str,
    applies: fn(&Context<'_>) -> bool,
}

/// The first reason that applies; `None` for a change that has to be found.
pub fn undecidable(context: &Context<'_>) -> Option<&'static str> {
    UNDECIDABLE.iter().find(|reason| (reason.applies)(context)).map(|reason| reason.why)
}

/// Every reason, in words for whoever reads the figures.
pub const UNDECIDABLE: &[Undecidable] = &[
    Undecidable {
        why: "a fact only people know, or a row of the author's own",
        applies: |c| match c.figure.id {
            None => true,
            Some(RowId::ProductVersion) => false,
            Some(id) => KNOWN.iter().any(|row| row.id == id && row.origin == Origin::Fact),
        },
    },
    Undecidable {
        why: "cloud metrics and queries without their exports",
        applies: |c| {
            matches!(c.figure.id, Some(RowId::ProductMetrics | RowId::DatabaseMetrics | RowId::TopQueries))
        },
    },
    Undecidable {
        why: "wrong as it is published: another number is no more wrong, and may be the right one",
        applies: |c| c.already_wrong,
    },
    Undecidable {
        why: "a time without seconds holds from 90 s before to 60 s after the first sample",
        applies: |c| is_edge(c) && c.figure.form == Form::Clock && minutes_moved(c).is_some_and(|moved| moved < 3),
    },
];

fn is_edge(c: &Context<'_>) -> bool {
    matches!(c.figure.id, Some(RowId::TestStart | RowId::TestEnd))
}

/// Minutes between two times without seconds, the shorter way round.
fn minutes_moved(c: &Context<'_>) -> Option<u32> {
    let minutes = |words: &str| {
        let (hours, minutes) = words.split_once(':')?;
        Some(hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?)
    };
    let apart = minutes(&c.change.was)?.abs_diff(minutes(&c.change.is)?);
    Some(apart.min((24 * 60_u32).saturating_sub(apart)))
}
