//! The fast reader of k6's CSV output; what it does not know it leaves to the plain one.

use std::io::Read;

use csv::{ByteRecord, ReaderBuilder, StringRecord};

use super::heads::Heads;
use super::layout::{Layout, REQUIRED};
use super::time_format::TimeFormat;
use crate::ingest::Tally;
use crate::ingest::raw::{
    Counts, Entry, Field, Is, Next, Part, Remembered, Rewritten, Rows, Split, Work, each_row, end_of_plain, split,
    unquoted, usual,
};
use crate::ingest::source::Meter;
use crate::model::{Sample, Sink, Tag, Tags, Time};

/// Reads a file written by k6; `None` when only the plain reader can read it.
pub fn read<S: Sink + Send>(work: &Work<'_>, new_sink: impl Fn() -> S + Sync) -> Option<(Vec<S>, Tally)> {
    let opening = Opening::of(work)?;
    let (layout, format) = (&opening.layout, opening.layout.format?);
    let (sinks, counts) = work.read(opening.start, opening.line, || CsvRows::new(layout, format), new_sink)?;
    let tally = Tally {
        rows: counts.rows,
        repeated_headers: 0,
        missing_tags: layout.missing_tags(),
        time_format: Some(format.words()),
    };
    Some((sinks, tally))
}

/// What the first two rows of a file tell.
struct Opening {
    layout: Layout,
    /// First byte of the first row below the header.
    start: u64,
    /// Its line.
    line: u64,
}

impl Opening {
    /// `None` without both rows, and when the header is none of k6's.
    fn of(work: &Work<'_>) -> Option<Self> {
        let content = work.source.open(&Meter::default()).ok()?;
        if content.had_mark() {
            return None;
        }
        let mut csv = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(content.take(1 << 20));
        let (mut header, mut first) = (ByteRecord::new(), ByteRecord::new());
        csv.read_byte_record(&mut header).ok()?;
        let (start, line) = (csv.position().byte(), csv.position().line());
        csv.read_byte_record(&mut first).ok()?;
        let mut layout = Layout::from_header(&header, &work.source.path, 1).ok()?;
        let in_order = header.iter().zip(REQUIRED).all(|(found, required)| found == required.as_bytes());
        layout.format = TimeFormat::of(std::str::from_utf8(first.get(1)?).ok()?);
        (in_order && header.len() >= REQUIRED.len()).then_some(Opening { layout, start, line })
    }
}

/// Rows of one file, below its header.
struct CsvRows<'l, F> {
    layout: &'l Layout,
    heads: Heads<F>,
    fields: Vec<Field>,
    needs_every_tag: bool,
    counts: Counts,
}

impl<'l> CsvRows<'l, ()> {
    fn new(layout: &'l Layout, format: TimeFormat) -> CsvRows<'l, impl Fn(&str) -> Option<Time> + use<>> {
        CsvRows {
            layout,
            heads: Heads::new(format),
            fields: Vec::new(),
            needs_every_tag: !layout.has_every_known_column(),
            counts: Counts::default(),
        }
    }
}

impl<'l, F: Fn(&str) -> Option<Time>> CsvRows<'l, F> {
    /// A row whose metric is known and whose number is written as k6 does, and the rows that repeat it: how many bytes they
    /// have. `None` for any other row.
    #[inline]
    fn usual<'c>(
        &mut self,
        text: &'c [u8],
        place: (u64, usize),
        remembered: &mut Remembered<'c>,
        rewritten: &'c Rewritten,
        sink: &mut impl Sink,
    ) -> Option<usize>
    where
        'l: 'c,
    {
        let (layout, fields, all) = (self.layout, &mut self.fields, self.needs_every_tag || sink.reads_other_tags());
        let parse = |tail, entry: &mut Entry<'c>| tail_of_row(tail, layout, fields, rewritten, all, entry);
        let taken = usual(text, place, &mut self.heads, remembered, end_of_plain, parse, sink)?;
        self.counts.rows += taken.rows;
        self.counts.lines += taken.lines;
        Some(taken.bytes)
    }

    /// Any row that k6 writes.
    fn any(&mut self, row: &[u8], at: u64, sink: &mut impl Sink) -> Next {
        let (length, lines) = match split(row, &mut self.fields) {
            Split::Row { length, lines, .. } => (length, lines),
            Split::Incomplete => return Next::Incomplete,
            Split::Odd => return Next::Odd,
        };
        match self.sample(row, at, sink) {
            Some(()) => {
                self.counts.rows += 1;
                self.counts.lines += lines;
                Next::Rows(length)
            }
            None => Next::Odd,
        }
    }

    /// Gives the row that was just split to the sink; `None` when anything in it needs to be judged.
    fn sample(&mut self, row: &[u8], at: u64, sink: &mut impl Sink) -> Option<()> {
        if self.fields.len() != self.layout.columns {
            return None;
        }
        let mut record = ByteRecord::new();
        for field in &self.fields {
            let text = row.get(field.range())?;
            match text.contains(&b'"') {
                true => record.push_field(std::str::from_utf8(text).ok()?.replace("\"\"", "\"").as_bytes()),
                false => record.push_field(text),
            }
        }
        let record = StringRecord::from_byte_record(record).ok()?;
        let name = record.get(0).filter(|name| !name.is_empty() && *name != REQUIRED[0])?;
        let time = self.heads.time(record.get(1)?)?;
        let value: f64 = record.get(2)?.parse().ok().filter(|value: &f64| value.is_finite())?;
        let metric = self.heads.metric(name, sink);
        let tags = self.layout.tags(|column| record.get(column));
        sink.sample(&Sample { metric, time, value, tags: &tags, at });
        Some(())
    }
}

impl<S: Sink, F: Fn(&str) -> Option<Time>> Rows<S> for CsvRows<'_, F> {
    fn chunk(&mut self, chunk: &[u8], at: u64, until: u64, sink: &mut S) -> Option<usize> {
        let rewritten = Rewritten::new();
        let mut remembered = Remembered::new();
        each_row(chunk, at, until, |text, at, limit| {
            match self.usual(text, (at, limit), &mut remembered, &rewritten, sink) {
                Some(length) => Next::Rows(length),
                None => self.any(text, at, sink),
            }
        })
    }

    fn first_row(&self, text: &[u8]) -> Option<usize> {
        memchr::memchr_iter(b'\n', text).map(|end| end + 1).find(|start| self.looks_like_a_row(text.get(*start..)))
    }

    fn take_counts(&mut self) -> Counts {
        std::mem::take(&mut self.counts)
    }
}

impl<F: Fn(&str) -> Option<Time>> CsvRows<'_, F> {
    /// A name, a time of the file's format and a number; a line inside of a quoted text hardly ever begins so.
    fn looks_like_a_row(&self, text: Option<&[u8]>) -> bool {
        let beginning = || {
            let text = text?;
            let (name, rest) = text.split_at_checked(memchr::memchr(b',', text)?)?;
            let stamp = rest.get(1..)?;
            let stamp = stamp.get(..memchr::memchr(b',', stamp)?)?;
            let number = rest.get(stamp.len() + 2..)?;
            let number = number.get(..memchr::memchr2(b',', b'\n', number)?)?;
            Some((name, stamp, number))
        };
        beginning().is_some_and(|(name, stamp, number)| {
            !name.is_empty()
                && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
                && std::str::from_utf8(stamp).is_ok_and(|stamp| self.heads.is_time(stamp))
                && std::str::from_utf8(number).is_ok_and(|number| number.parse::<f64>().is_ok())
        })
    }
}

/// The end of a row, from the byte behind its value on; `None` when it is not whole, or has quotes and there is no room to rewrite it.
fn tail_of_row<'c>(
    text: &'c [u8],
    layout: &'c Layout,
    fields: &mut Vec<Field>,
    rewritten: &'c Rewritten,
    all: bool,
    entry: &mut Entry<'c>,
) -> Option<()> {
    if layout.columns == REQUIRED.len() {
        (entry.tail, entry.lines, entry.tags) = (text.get(..1).filter(|end| *end == b"\n")?, 1, Tags::default());
        return Some(());
    }
    let rest = text.strip_prefix(b",")?;
    let Split::Row { length, lines, has_doubled_quotes } = split(rest, fields) else { return None };
    if fields.len() + REQUIRED.len() != layout.columns {
        return None;
    }
    let row = std::str::from_utf8(rest.get(..length)?).ok()?;
    let row = if has_doubled_quotes { rewritten.keep(unquoted(row, fields)?)? } else { row };
    let field = |column: usize| {
        let field = fields.get(column.checked_sub(REQUIRED.len())?)?;
        row.get(field.range())
    };
    entry.tags = if all { layout.tags(field) } else { layout.known_tags(field) };
    // other texts may have other line breaks
    if !has_doubled_quotes && lines == 1 {
        // one byte further: the comma before the first of them belongs to the tail
        let part = |(field, known): (&Field, &Option<Tag>)| {
            let is = known.map_or(if all { Is::Several } else { Is::Ignored }, Is::Value);
            Part::new(field.range().start + 1..field.range().end + 1, is)
        };
        entry.parts.extend(fields.iter().zip(layout.known.iter().skip(REQUIRED.len())).map(part));
    }
    entry.lines = lines;
    entry.tail = text.get(..length + 1)?;
    Some(())
}
