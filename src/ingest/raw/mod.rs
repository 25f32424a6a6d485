//! Raw k6 output, read as fast as the machine allows.
//!
//! Every format has two readers. The fast one knows the bytes that k6 itself writes, whatever the columns, times and quotes:
//! it works on several parts of a file at once (`units`) and looks at most bytes once. The plain one reads everything and
//! says what is wrong. What the fast reader does not know (line breaks of Windows, files joined together, a broken row)
//! makes it give up; the plain reader then reads the file from the start, so that faults read the same either way.

mod beginning;
mod clock;
mod feed;
mod fields;
pub(super) mod names;
mod number;
mod piped;
mod remembered;
mod units;
mod usual;

use super::source::{Compression, Meter, Source};
use super::{Tally, k6_csv, k6_json};
use crate::model::{Place, Result, Sink};

pub(super) use clock::Clock;
pub(super) use feed::{Next, Rows, each_row};
pub(super) use fields::{Field, Split, end_of_plain, split, unquoted};
pub(super) use number::{after_decimal, decimal};
pub(super) use remembered::{Entry, Is, Part, Remembered, Rewritten};
pub(super) use usual::{Beginnings, Begun, usual};

/// The two forms of k6's raw output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `--out csv`.
    Csv,
    /// `--out json`.
    Json,
}

/// How a raw file is read; what comes out is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// On up to so many threads, the plain way where need be.
    Fast {
        /// At least one.
        threads: usize,
        /// Bytes of a file that one thread takes at a time.
        unit: u64,
    },
    /// One row after the other, which is what the fast way is held against.
    Plain,
}

impl Reading {
    /// Bytes of a unit: enough that seams between units cost nothing, few enough that threads end together.
    pub const UNIT: u64 = 16 << 20;

    /// The fast way on so many threads.
    pub fn on(threads: usize) -> Self {
        Reading::Fast { threads: threads.max(1), unit: Reading::UNIT }
    }
}

impl Default for Reading {
    fn default() -> Self {
        Reading::on(std::thread::available_parallelism().map_or(1, usize::from).min(8))
    }
}

/// Gives every row of a raw file to sinks made by `new_sink`, and makes one of them with `join`.
///
/// `join` gets sinks that each saw a share of the rows. Where it returns `None`, for what came first counts, one sink gets
/// every row in order.
///
/// # Errors
///
/// Those of [`k6_csv::read`] and [`k6_json::read`].
pub fn read<S: Sink + Send>(
    source: &Source,
    format: Format,
    reading: Reading,
    meter: &Meter,
    new_sink: impl Fn() -> S + Sync,
    join: impl Fn(Vec<S>) -> Option<S>,
) -> Result<(S, Tally)> {
    if let Reading::Fast { threads, unit } = reading {
        let work = Work { source, meter, threads, unit };
        let read = match format {
            Format::Csv => k6_csv::rows::read(&work, &new_sink),
            Format::Json => k6_json::points::read(&work, &new_sink),
        };
        if let Some((shares, tally)) = read
            && let Some(sink) = join(shares)
        {
            return Ok((sink, tally));
        }
    }
    let mut sink = new_sink();
    let tally = read_plainly(source, format, meter, &mut sink)?;
    Ok((sink, tally))
}

/// Gives every row of a raw file to one sink, in order, the plain way. On a fault the sink has what stands before it.
///
/// # Errors
///
/// Those of [`k6_csv::read`] and [`k6_json::read`].
pub fn read_plainly(source: &Source, format: Format, meter: &Meter, sink: &mut dyn Sink) -> Result<Tally> {
    let content = source.open(meter)?;
    match format {
        Format::Csv => k6_csv::read(content, sink),
        Format::Json => k6_json::read(content, sink),
    }
}

/// A file to be read and what to read it with.
pub(super) struct Work<'a> {
    pub source: &'a Source,
    meter: &'a Meter,
    threads: usize,
    unit: u64,
}

/// What was read of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Samples given to a sink.
    pub rows: u64,
    /// Line breaks, those inside of quotes too.
    pub lines: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.rows += other.rows;
        self.lines += other.lines;
    }
}

impl Work<'_> {
    /// Reads all rows from byte `start` of the decompressed file on, which stands in line `line`; `None` when only the plain
    /// reader can.
    pub fn read<S: Sink + Send, R: Rows<S>>(
        &self,
        start: u64,
        line: u64,
        new_rows: impl Fn() -> R + Sync,
        new_sink: impl Fn() -> S + Sync,
    ) -> Option<(Vec<S>, Counts)> {
        let done = match self.source.compression().ok()? {
            Compression::None => units::read(self, start, new_rows, new_sink)?,
            Compression::Gzip | Compression::Zstd => piped::read(self, start, new_rows, new_sink)?,
        };
        let mut shares = done.sinks;
        let last = shares.last_mut()?;
        if done.is_cut {
            last.skipped("cut last line", Place::file(&self.source.path).line(line + done.counts.lines));
        }
        if done.is_truncated {
            last.truncated("compressed stream ends without its trailer");
        }
        (done.counts.rows > 0).then_some((shares, done.counts))
    }
}

/// A file that was read to its end.
struct Done<S> {
    sinks: Vec<S>,
    counts: Counts,
    /// The last line has no line break.
    is_cut: bool,
    /// A compressed stream ended early.
    is_truncated: bool,
}

#[cfg(test)]
mod tests;
