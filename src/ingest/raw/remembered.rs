//! The ends of rows that were just seen: the nine rows of a request differ in name and value only.

use std::cell::OnceCell;
use std::ops::Range;

use crate::model::{MetricId, Tag, Tags};

/// The end of a row, from behind its value to its line break, and the tags in it.
#[derive(Debug, Default)]
pub struct Entry<'c> {
    /// Its bytes; empty when nothing is remembered.
    pub tail: &'c [u8],
    /// Line breaks in it.
    pub lines: u64,
    /// Its tags.
    pub tags: Tags<'c>,
    /// The texts in it that may be others in another row, in order; none when they cannot be told.
    pub parts: Vec<Part>,
    /// How many of the last rows with it were not followed by one that repeats it.
    alone: u8,
}

/// A text in the end of a row.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    start: u32,
    end: u32,
    is: Is,
}

/// What a text in the end of a row is.
#[derive(Debug, Clone, Copy)]
pub enum Is {
    /// The value of a tag.
    Value(Tag),
    /// Something nobody looks at.
    Ignored,
    /// Something that decides about several tags.
    Several,
}

impl Part {
    /// One that stands in a tail; 32 bits do for rows of up to 4 MiB.
    #[inline]
    pub fn new(range: Range<usize>, is: Is) -> Self {
        Part { start: range.start as u32, end: range.end as u32, is }
    }

    fn moved(self, by: usize) -> Self {
        Part { start: self.start.wrapping_add(by as u32), end: self.end.wrapping_add(by as u32), ..self }
    }
}

impl<'c> Entry<'c> {
    /// Makes it the entry that `text` begins with, if that differs in some parts only; else it has to be parsed anew.
    ///
    /// `end_of` finds the byte that ends a part at the beginning of a text.
    fn adapt(&mut self, text: &'c [u8], end_of: impl Fn(&[u8]) -> Option<usize>) -> Option<()> {
        let (old, mut at, mut moved) = (self.tail, 0, 0);
        if text.starts_with(old) {
            return (!old.is_empty()).then_some(());
        }
        let mut last = "";
        let mut parts = self.parts.iter_mut();
        loop {
            // `at` counts in the old text; the new one is further by `moved`
            at += common(old.get(at..)?, text.get(at.wrapping_add(moved)..)?);
            if at == old.len() {
                break;
            }
            let part = loop {
                let part = parts.next()?;
                match (part.end as usize) < at {
                    true => *part = part.moved(moved),
                    false => break part,
                }
            };
            let (start, end) = (part.start as usize, part.end as usize);
            let (new, ends) = (text.get(start.wrapping_add(moved)..)?, old.get(end)?);
            let value = match new.strip_prefix(last.as_bytes()) {
                // the name of a request is its URL unless a script says otherwise
                Some([next, ..]) if next == ends && !last.is_empty() => last,
                _ => std::str::from_utf8(new.get(..end_of(new)?)?).ok()?,
            };
            let length = value.len();
            if start > at || new.get(length) != Some(ends) {
                return None;
            }
            last = value;
            match part.is {
                Is::Value(tag) => *self.tags.field(tag) = Some(value),
                Is::Ignored => {}
                Is::Several => return None,
            }
            let start = start.wrapping_add(moved);
            *part = Part::new(start..start + length, part.is);
            (at, moved) = (end, (start + length).wrapping_sub(end));
        }
        if moved != 0 {
            parts.for_each(|part| *part = part.moved(moved));
        }
        self.tail = text.get(..at.wrapping_add(moved))?;
        Some(())
    }

    /// Whether the next row is likely to repeat this one: checks, for one, come alone, and looking costs as much as reading.
    #[inline]
    pub fn is_likely_to_repeat(&self) -> bool {
        self.alone < OFTEN || self.alone.is_multiple_of(AGAIN)
    }

    /// Takes note of how many rows repeated it; none when nobody looked.
    #[inline]
    pub fn was_repeated(&mut self, rows: u64) {
        self.alone = if rows > 0 { 0 } else { self.alone.wrapping_add(1) };
    }
}

/// Rows that came alone until the next one is not looked at any more, but for one in so many.
const OFTEN: u8 = 4;
const AGAIN: u8 = 16;

/// How many bytes two texts begin with alike.
#[inline]
fn common(a: &[u8], b: &[u8]) -> usize {
    let blocks = 32 * alike(a.as_chunks::<32>().0, b.as_chunks::<32>().0);
    let (a, b) = (a.get(blocks..).unwrap_or_default(), b.get(blocks..).unwrap_or_default());
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    for ((a, b), before) in words.zip((blocks..).step_by(8)) {
        let differences = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differences != 0 {
            return before + (differences.trailing_zeros() / 8) as usize;
        }
    }
    let rest = a.len().min(b.len()) / 8 * 8;
    blocks + rest + alike(a.get(rest..).unwrap_or_default(), b.get(rest..).unwrap_or_default())
}

#[inline]
fn alike<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Texts that can be rewritten in one chunk.
const MOST_REWRITTEN: usize = 64;

/// Room for the texts of rows that cannot be borrowed as they stand in the file.
pub struct Rewritten([OnceCell<String>; MOST_REWRITTEN]);

impl Rewritten {
    /// Nothing yet.
    pub fn new() -> Self {
        Rewritten([const { OnceCell::new() }; MOST_REWRITTEN])
    }

    /// Keeps a text as long as this lives; `None` when there is no room left.
    pub fn keep(&self, text: String) -> Option<&str> {
        self.0.iter().find(|cell| cell.get().is_none()).map(|cell| cell.get_or_init(|| text).as_str())
    }
}

/// Some twenty metrics and as many checks: two of them hardly ever share one.
const SLOTS: usize = 256;

/// Entries of one chunk of a file, one for each slot.
pub struct Remembered<'c> {
    entries: Vec<Entry<'c>>,
    /// Where the entry of each slot stands.
    slots: [Option<u8>; SLOTS],
}

impl<'c> Remembered<'c> {
    /// Nothing yet.
    pub fn new() -> Self {
        Remembered { entries: Vec::with_capacity(SLOTS / 4), slots: [None; SLOTS] }
    }

    /// The entry that `text` begins with; `parse` makes it of a text that is not like any of those remembered. `end_of` finds the
    /// byte that ends a part of an entry.
    pub fn at_start(
        &mut self,
        metric: MetricId,
        text: &'c [u8],
        end_of: impl Fn(&[u8]) -> Option<usize>,
        parse: impl FnOnce(&'c [u8], &mut Entry<'c>) -> Option<()>,
    ) -> Option<&mut Entry<'c>> {
        let index = self.in_slot(slot(metric, text))?;
        let entry = self.entries.get_mut(index)?;
        if entry.adapt(text, end_of).is_none() {
            // nothing begins with an entry that could not be parsed
            entry.tail = &[];
            entry.parts.clear();
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

/// Checks differ in their first bytes, trends in their metric.
fn slot(metric: MetricId, text: &[u8]) -> usize {
    let first = text.first_chunk::<9>().map_or(0, |[_, word @ ..]| u64::from_le_bytes(*word));
    let mixed = (first ^ (metric.0 as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
}
