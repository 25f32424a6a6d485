//! A file on several threads: each takes the next unit of it until there is none.
//!
//! A unit's rows are those that begin in it. Where its first one begins has to be guessed, for a line break may stand inside
//! of quotes; once all is read, each unit has to begin exactly where the one before it ended, else nothing counts.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};

use super::feed::{Feed, First, Rows};
use super::{Counts, Done, Work};
use crate::ingest::source::Meter;
use crate::model::Sink;

/// The rows of one unit.
#[derive(Debug, Clone, Copy)]
struct Unit {
    /// First byte of its first row.
    start: u64,
    /// The byte after its last row.
    end: u64,
    is_cut: bool,
    /// No row begins in it: it lies in the last row of the file.
    is_empty: bool,
    counts: Counts,
}

/// Reads a file that is not compressed; `None` when only the plain reader can.
pub fn read<S: Sink + Send, R: Rows<S>>(
    work: &Work<'_>,
    start: u64,
    new_rows: impl Fn() -> R + Sync,
    new_sink: impl Fn() -> S + Sync,
) -> Option<Done<S>> {
    let rest = work.source.bytes.saturating_sub(start).max(1);
    let read = |unit| joined(on_threads(work, &Plan::new(start, rest, unit), &new_rows, &new_sink)?, start);
    let several = work.threads > 1 && !work.source.is_one_handle() && rest > work.unit;
    // after a wrong guess anything may be found
    several.then(|| read(work.unit)).flatten().or_else(|| read(rest))
}

/// How a file is cut into units, and which one is next.
struct Plan {
    start: u64,
    unit: u64,
    units: u64,
    next: AtomicU64,
}

impl Plan {
    fn new(start: u64, bytes: u64, unit: u64) -> Self {
        Plan { start, unit, units: bytes.div_ceil(unit), next: AtomicU64::new(0) }
    }

    /// First byte of the next unit and of the one after it; the last unit ends where the file does, should it have grown.
    fn take(&self) -> Option<(u64, u64)> {
        let unit = self.next.fetch_add(1, Ordering::Relaxed);
        let until = if unit + 1 == self.units { u64::MAX } else { self.start + (unit + 1) * self.unit };
        (unit < self.units).then_some((self.start + unit * self.unit, until))
    }

    fn give_up(&self) {
        self.next.store(self.units, Ordering::Relaxed);
    }
}

fn on_threads<S: Sink + Send, R: Rows<S>>(
    work: &Work<'_>,
    plan: &Plan,
    new_rows: &(impl Fn() -> R + Sync),
    new_sink: &(impl Fn() -> S + Sync),
) -> Option<Vec<(S, Vec<Unit>)>> {
    let run = || {
        let read = thread(work, plan, new_rows, new_sink);
        if read.is_none() {
            plan.give_up();
        }
        read
    };
    match (work.threads as u64).min(plan.units) {
        0 | 1 => Some(vec![run()?]),
        threads => std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
            running.into_iter().map(|thread| thread.join().ok()?).collect()
        }),
    }
}

/// Reads units until there are no more.
fn thread<S: Sink, R: Rows<S>>(
    work: &Work<'_>,
    plan: &Plan,
    new_rows: &impl Fn() -> R,
    new_sink: &impl Fn() -> S,
) -> Option<(S, Vec<Unit>)> {
    let (mut sink, mut rows, mut units, mut buffer) = (new_sink(), new_rows(), Vec::new(), Vec::new());
    while let Some((from, until)) = plan.take() {
        // the line break before the unit tells that a row begins with it
        let is_first = from == plan.start;
        let at = if is_first { from } else { from - 1 };
        let mut feed = Feed::new(Metered::open(work, at)?, at, buffer);
        let first = if is_first { First::At(from) } else { feed.skip_to_first_row(&rows)? };
        units.push(match first {
            First::At(start) => {
                let fed = feed.rows(&mut rows, until, &mut sink)?;
                Unit { start, end: fed.end, is_cut: fed.is_cut, is_empty: false, counts: rows.take_counts() }
            }
            First::Nowhere(end) => Unit { start: end, end, is_cut: false, is_empty: true, counts: Counts::default() },
        });
        buffer = feed.into_buffer();
    }
    Some((sink, units))
}

/// `None` when a unit did not begin where the one before it ended.
fn joined<S>(threads: Vec<(S, Vec<Unit>)>, start: u64) -> Option<Done<S>> {
    let (sinks, units): (Vec<S>, Vec<Vec<Unit>>) = threads.into_iter().unzip();
    let mut units: Vec<Unit> = units.into_iter().flatten().collect();
    units.sort_by_key(|unit| (unit.start, unit.end, unit.is_empty));
    let (mut at, mut counts, mut is_cut) = (start, Counts::default(), false);
    for unit in units {
        // a row that was cut off goes to the end of the file
        if unit.is_empty && is_cut {
            continue;
        }
        if unit.start != at || is_cut {
            return None;
        }
        at = unit.end;
        is_cut = unit.is_cut;
        counts.add(unit.counts);
    }
    Some(Done { sinks, counts, is_cut, is_truncated: false })
}

/// A file from some byte on, counted by the meter.
struct Metered<'m> {
    file: File,
    meter: &'m Meter,
}

impl<'m> Metered<'m> {
    fn open(work: &Work<'m>, at: u64) -> Option<Self> {
        let mut file = work.source.file().ok()?;
        file.seek(SeekFrom::Start(at)).ok()?;
        Some(Metered { file, meter: work.meter })
    }
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(buffer)?;
        self.meter.add(n as u64);
        Ok(n)
    }
}
