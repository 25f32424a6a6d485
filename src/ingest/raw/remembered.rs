//! The ends of rows that were just seen: the nine rows of a request differ in name and value only.

use std::cell::OnceCell;

use super::names::Names;
use crate::model::{MetricId, Sample, Sink, Tags};

/// The end of a row, from behind its value to its line break, and the tags in it.
#[derive(Debug, Default)]
pub struct Entry<'c> {
    /// Its bytes; never empty.
    pub tail: &'c [u8],
    /// Line breaks in it.
    pub lines: u64,
    /// Its tags.
    pub tags: Tags<'c>,
}

impl Entry<'_> {
    #[inline(always)]
    fn begins(&self, text: &[u8]) -> bool {
        text.starts_with(self.tail) && !self.tail.is_empty()
    }
}

const SLOTS: usize = 64;

/// Room for the texts of rows that cannot be borrowed as they stand in the file.
pub struct Rewritten([OnceCell<String>; SLOTS]);

impl Rewritten {
    /// Nothing yet.
    pub fn new() -> Self {
        Rewritten([const { OnceCell::new() }; SLOTS])
    }

    /// Keeps a text as long as this lives; `None` when there is no room left.
    pub fn keep(&self, text: String) -> Option<&str> {
        self.0.iter().find(|cell| cell.get().is_none()).map(|cell| cell.get_or_init(|| text).as_str())
    }
}

/// Entries of one chunk of a file, one for each slot.
pub struct Remembered<'c> {
    entries: Vec<Entry<'c>>,
    /// Where the entry of each slot stands.
    slots: [Option<u8>; SLOTS],
}

impl<'c> Remembered<'c> {
    /// Nothing yet.
    pub fn new() -> Self {
        Remembered { entries: Vec::with_capacity(SLOTS), slots: [None; SLOTS] }
    }

    /// The entry that `text` begins with; `parse` makes it of a text that begins with none of those remembered.
    pub fn at_start(
        &mut self,
        metric: MetricId,
        text: &'c [u8],
        parse: impl FnOnce(&'c [u8], &mut Entry<'c>) -> Option<()>,
    ) -> Option<&Entry<'c>> {
        let index = self.in_slot(slot(metric, text))?;
        let entry = self.entries.get_mut(index)?;
        if !entry.begins(text) {
            // nothing begins with an entry that could not be parsed
            entry.tail = &[];
            parse(text, entry)?;
        }
        Some(entry)
    }

    fn in_slot(&mut self, slot: usize) -> Option<usize> {
        let index = self.slots.get_mut(slot)?;
        Some(usize::from(*index.get_or_insert_with(|| {
            self.entries.push(Entry::default());
            (self.entries.len() - 1) as u8
        })))
    }
}

/// Gives rows that differ from the one before in name and value only to a sink, as the nine rows of a request do, those that
/// begin in the first `limit` bytes of a text; returns how many bytes and how many rows those were.
///
/// `head` reads the beginning of a row whose metric is the expected one: that metric, the value, and the row's tail. `before`
/// is the row before, and `tail` its tail.
#[inline(always)]
pub fn repeats<'c>(
    text: &'c [u8],
    limit: usize,
    (before, tail): (&Sample<'_>, &[u8]),
    names: &mut Names,
    sink: &mut impl Sink,
    head: impl Fn(&Names, &'c [u8]) -> Option<(MetricId, f64, &'c [u8])>,
) -> (usize, u64) {
    let (mut taken, mut rows) = (0, 0);
    while taken < limit
        && let Some(row) = text.get(taken..)
        && let Some((metric, value, rest)) = head(names, row)
        && rest.starts_with(tail)
    {
        names.advance();
        sink.repeated(&Sample { metric, value, at: before.at + taken as u64, ..*before });
        taken += row.len() - rest.len() + tail.len();
        rows += 1;
    }
    (taken, rows)
}

/// Checks differ in their first bytes, trends in their metric.
fn slot(metric: MetricId, text: &[u8]) -> usize {
    let first = text.first_chunk::<9>().map_or(0, |[_, word @ ..]| u64::from_le_bytes(*word));
    let mixed = (first ^ (metric.0 as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 58) as usize
}
