//! The ends of rows that were just seen: the nine rows of a request differ in name and value only.

use std::cell::OnceCell;

use crate::model::{MetricId, Tags};

/// The end of a row, from behind its value to its line break, and the tags in it.
pub struct Entry<'c> {
    /// Its bytes.
    pub tail: &'c [u8],
    /// Line breaks in it.
    pub lines: u64,
    /// Its tags.
    pub tags: Tags<'c>,
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

/// Entries of one chunk of a file, one for each metric and beginning.
pub struct Remembered<'c> {
    slots: Vec<Option<Entry<'c>>>,
    last: usize,
}

impl<'c> Remembered<'c> {
    /// Nothing yet.
    pub fn new() -> Self {
        Remembered { slots: std::iter::repeat_with(|| None).take(SLOTS).collect(), last: 0 }
    }

    /// The entry that `text` begins with, and whether it is the one found before; `parse` makes it of a text that begins with none of those remembered.
    #[inline]
    pub fn at_start(
        &mut self,
        metric: MetricId,
        text: &'c [u8],
        parse: impl FnOnce(&'c [u8]) -> Option<Entry<'c>>,
    ) -> Option<(&Entry<'c>, bool)> {
        let fits = |slot: Option<&Option<Entry<'c>>>| matches!(slot, Some(Some(entry)) if text.starts_with(entry.tail));
        let repeats = fits(self.slots.get(self.last));
        if !repeats {
            self.last = slot(metric, text);
            if !fits(self.slots.get(self.last)) {
                *self.slots.get_mut(self.last)? = Some(parse(text)?);
            }
        }
        Some((self.slots.get(self.last)?.as_ref()?, repeats))
    }
}

/// Checks differ in their first bytes, trends in their metric.
fn slot(metric: MetricId, text: &[u8]) -> usize {
    let first = text.first_chunk::<9>().map_or(0, |[_, word @ ..]| u64::from_le_bytes(*word));
    let mixed = (first ^ (metric.0 as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 58) as usize
}
