//! The rows that k6 writes most: of a known metric, their numbers written as k6 does, and the same tags as a row just seen.

use super::remembered::{Entry, Remembered};
use crate::model::{MetricId, Sample, Sink, Time};

/// A row whose beginning was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Begun<'t> {
    /// Its metric.
    pub metric: MetricId,
    /// Its time.
    pub time: Time,
    /// Its value; 0 of a metric whose values nobody looks at.
    pub value: f64,
    /// What follows the value: the end of the row and the rows behind it.
    pub rest: &'t [u8],
}

/// Reads the beginnings of rows, in the order in which metrics come.
pub trait Beginnings {
    /// The beginning of the row that a text begins with; `None` unless its metric is known and all is written as usual.
    fn at_start<'t>(&mut self, text: &'t [u8]) -> Option<Begun<'t>>;

    /// The same, only for the metric that is expected next.
    fn expected<'t>(&self, text: &'t [u8]) -> Option<Begun<'t>>;

    /// Takes note that the expected metric came.
    fn advance(&mut self);
}

/// What was read at the beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Bytes of all rows together.
    pub bytes: usize,
    pub rows: u64,
    pub lines: u64,
}

/// Gives the row that `text` begins with to a sink, and those behind it that differ from it in name and value only, as the nine rows
/// of a request do. The first one stands at byte `at` of the file; all begin in the first `limit` bytes of the text.
///
/// `None` when the first row is not a usual one. `end_of` and `parse` are those of [`Remembered::at_start`].
#[inline(always)]
pub fn usual<'c, S: Sink>(
    text: &'c [u8],
    (at, limit): (u64, usize),
    beginnings: &mut impl Beginnings,
    remembered: &mut Remembered<'c>,
    end_of: impl Fn(&[u8]) -> Option<usize>,
    parse: impl FnOnce(&'c [u8], &mut Entry<'c>) -> Option<()>,
    sink: &mut S,
) -> Option<Taken> {
    let Begun { metric, time, value, rest } = beginnings.at_start(text)?;
    let entry = remembered.at_start(metric, rest, end_of, parse)?;
    let first = Sample { metric, time, value, tags: &entry.tags, at };
    sink.sample(&first);
    let (mut bytes, mut rows) = (text.len() - rest.len() + entry.tail.len(), 1);
    if entry.is_likely_to_repeat() {
        while bytes < limit
            && let Some(row) = text.get(bytes..)
            && let Some(begun) = beginnings.expected(row)
            && begun.time == time
            && begun.rest.starts_with(entry.tail)
        {
            beginnings.advance();
            sink.repeated(&first, begun.metric, begun.value, at + bytes as u64);
            bytes += row.len() - begun.rest.len() + entry.tail.len();
            rows += 1;
        }
    }
    entry.was_repeated(rows - 1);
    Some(Taken { bytes, rows, lines: rows * entry.lines })
}
