//! Whole rows out of a stream of bytes, in one buffer that is used again and again.

use std::io::{self, Read};

/// Small enough to stay in a core's own cache: half the time of reading a large file is the copy into the buffer.
pub const BUFFER: usize = 256 << 10;

/// Longest row; a longer one is left to the plain reader, which has a larger limit.
const LONGEST_ROW: usize = 4 << 20;

/// What a reader of rows made of the bytes at the beginning of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Rows of so many bytes together.
    Rows(usize),
    /// Part of a row.
    Incomplete,
    /// Something only the plain reader can judge.
    Odd,
}

/// Reads rows of one format and gives them to a sink.
pub trait Rows<S> {
    /// Reads the rows at the beginning of `chunk`, whose first byte is byte `at` of the file: all complete ones that begin
    /// before byte `until`. Returns how many bytes it took; `None` when only the plain reader can judge them.
    fn chunk(&mut self, chunk: &[u8], at: u64, until: u64, sink: &mut S) -> Option<usize>;

    /// The first byte in `text` that looks like the first of a row and comes after a line break.
    fn first_row(&self, text: &[u8]) -> Option<usize>;

    /// What was read since this was last asked.
    fn take_counts(&mut self) -> super::Counts;
}

/// Reads the rows at the beginning of a chunk; what [`Rows::chunk`] is made of.
///
/// `next` takes rows from the beginning of a text whose place in the file it is given, one or several; all have to begin
/// in the first bytes of the text, as many as it is given.
#[inline]
pub fn each_row<'c>(
    chunk: &'c [u8],
    at: u64,
    until: u64,
    mut next: impl FnMut(&'c [u8], u64, usize) -> Next,
) -> Option<usize> {
    let limit = until.saturating_sub(at).min(chunk.len() as u64) as usize;
    let mut taken = 0;
    while taken < limit {
        match next(chunk.get(taken..)?, at + taken as u64, limit - taken) {
            Next::Rows(length) => taken += length,
            Next::Incomplete => break,
            Next::Odd => return None,
        }
    }
    Some(taken)
}

/// Where reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fed {
    /// The first byte that no row read so far holds.
    pub end: u64,
    /// True when the input ended in the middle of a row.
    pub is_cut: bool,
}

/// Where the first row of a unit begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// At this byte.
    At(u64),
    /// None begins before the file ends, at this byte.
    Nowhere(u64),
}

/// A buffer with the bytes of `input` that no row was made of yet.
pub struct Feed<R> {
    input: R,
    buffer: Vec<u8>,
    filled: usize,
    /// Place of the buffer's first byte in the file.
    at: u64,
}

impl<R: Read> Feed<R> {
    /// Nothing read yet; the next byte of `input` is byte `at` of the file.
    pub fn new(input: R, at: u64, buffer: Vec<u8>) -> Self {
        Feed { input, buffer, filled: 0, at }
    }

    /// Gives back the buffer for the next input.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// Gives every row that begins before byte `until` to the sink. `None` when only the plain reader can read the file.
    pub fn rows<S>(&mut self, rows: &mut impl Rows<S>, until: u64, sink: &mut S) -> Option<Fed> {
        loop {
            let chunk = self.buffer.get(..self.filled)?;
            let taken = rows.chunk(chunk, self.at, until, sink)?;
            self.skip(taken);
            if self.at >= until {
                return Some(Fed { end: self.at, is_cut: false });
            }
            if !self.fill().ok()? {
                let rest = self.buffer.get(..self.filled)?;
                // a quote that was never closed, or a row that is too long
                if rest.ends_with(b"\n") || rest.len() >= LONGEST_ROW {
                    return None;
                }
                return Some(Fed { end: self.at, is_cut: !rest.is_empty() });
            }
        }
    }

    /// Skips to where a row begins. `None` when none does in a whole buffer.
    pub fn skip_to_first_row<S>(&mut self, rows: &impl Rows<S>) -> Option<First> {
        while self.filled < self.buffer.len().max(BUFFER) {
            if !self.fill().ok()? {
                break;
            }
        }
        let text = self.buffer.get(..self.filled)?;
        match rows.first_row(text) {
            Some(first) => {
                self.skip(first);
                Some(First::At(self.at))
            }
            None if self.filled < self.buffer.len() => Some(First::Nowhere(self.at + self.filled as u64)),
            None => None,
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.buffer.copy_within(bytes..self.filled, 0);
        self.filled -= bytes;
        self.at += bytes as u64;
    }

    /// Reads more; false at the end of the input, and when a row is too long.
    fn fill(&mut self) -> io::Result<bool> {
        if self.filled == self.buffer.len() {
            if self.filled >= LONGEST_ROW {
                return Ok(false);
            }
            self.buffer.resize((2 * self.filled).clamp(BUFFER, LONGEST_ROW), 0);
        }
        let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
        let n = loop {
            match self.input.read(room) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                read => break read?,
            }
        };
        self.filled += n;
        Ok(n > 0)
    }
}
