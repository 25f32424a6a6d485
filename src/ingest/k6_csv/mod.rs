//! k6 CSV output (`k6 run --out csv=FILE`), read the plain way: every file, every fault, one row after the other.
//!
//! `rows` reads what k6 itself writes several times as fast and leaves everything else to this reader.

mod heads;
mod layout;
pub(super) mod rows;
pub(super) mod time_format;

use std::io::Read;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder, StringRecord};

use super::Tally;
use super::raw::names::Names;
use super::source::{Content, Progress};
use crate::model::{Fault, Place, Result, Sample, Sink};
use layout::{Layout, REQUIRED};
use time_format::TimeFormat;

/// True when the text begins with a header of k6's CSV output.
pub fn is_header(line: &str) -> bool {
    let mut columns = line.trim_end().split(',').map(|c| c.trim_matches('"'));
    REQUIRED.iter().all(|required| columns.next() == Some(required))
}

/// Reads k6 CSV output and pushes each row into `sink`, in the order of the file.
///
/// Columns are found by header name; order and extra columns do not matter, and the header may come again where files
/// were concatenated. The first data row after a header tells how times are written: Unix seconds, milli-, micro- or
/// nanoseconds, or RFC 3339. Memory does not grow with the number of rows. A last line without its line break was cut
/// off and is skipped (k6 can stop in the middle of a number), as are values that are not finite; both are counted by
/// the sink.
///
/// # Errors
///
/// Fails on an unreadable file, a missing required column, a row whose number of columns is not the header's, a value
/// that is no number, a time outside the years 2000 to 2099, and a file without any data row.
pub fn read(content: Content, sink: &mut dyn Sink) -> Result<Tally> {
    let path = content.path().to_path_buf();
    Rows::new(content, &path)?.run(sink)
}

struct Rows<'p, R: Read> {
    csv: csv::Reader<R>,
    progress: Progress,
    path: &'p Path,
    tally: Tally,
    names: Names,
}

impl<'p> Rows<'p, Content> {
    fn new(content: Content, path: &'p Path) -> Result<Self> {
        let progress = content.progress();
        let csv =
            ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(256 << 10).from_reader(content);
        Ok(Rows { csv, progress, path, tally: Tally::default(), names: Names::new(b',') })
    }
}

impl<R: Read> Rows<'_, R> {
    /// Keeps one row back: only what follows tells whether a row was the last one, and so may have been cut.
    fn run(mut self, sink: &mut dyn Sink) -> Result<Tally> {
        let (mut held, mut next) = (ByteRecord::new(), ByteRecord::new());
        if !self.fetch(&mut held)? {
            return Err(Fault::at(Place::file(self.path), "expected k6 CSV output, found an empty file"));
        }
        let mut layout = Layout::from_header(&held, self.path, 1)?;
        self.tally.missing_tags = layout.missing_tags();
        let mut have = self.fetch(&mut held)?;
        while have {
            let more = self.fetch(&mut next)?;
            if !more && self.progress.last_byte() != Some(b'\n') {
                sink.skipped("cut last line", self.place(&held));
                break;
            }
            if held.get(0) == Some(REQUIRED[0].as_bytes()) {
                layout = Layout::from_header(&held, self.path, line_of(&held))?;
                self.tally.repeated_headers += 1;
            } else {
                self.row(&mut held, &mut layout, sink)?;
            }
            std::mem::swap(&mut held, &mut next);
            have = more;
        }
        if self.progress.truncated() {
            sink.truncated("compressed stream ends without its trailer");
        }
        if self.tally.rows == 0 {
            return Err(Fault::at(Place::file(self.path), "expected rows below the header, found none")
                .hint("a file with a header only is a run that never started"));
        }
        self.tally.time_format = layout.format.map(TimeFormat::words);
        Ok(self.tally)
    }

    fn fetch(&mut self, record: &mut ByteRecord) -> Result<bool> {
        self.progress.at_record(self.csv.position().byte());
        let line = self.csv.position().line();
        self.csv
            .read_byte_record(record)
            .map_err(|e| Fault::at(Place::file(self.path).line(line), format!("cannot read a row: {}", root_cause(&e))))
    }

    fn row(&mut self, record: &mut ByteRecord, layout: &mut Layout, sink: &mut dyn Sink) -> Result<()> {
        let place = || Place::file(self.path).line(line_of(record));
        if record.len() != layout.columns {
            return Err(Fault::at(
                place(),
                format!("expected {} columns as in the header, found {}", layout.columns, record.len()),
            )
            .hint("a spreadsheet or script may have changed the file; use k6's own output"));
        }
        let line = line_of(record);
        let text = match StringRecord::from_byte_record(std::mem::take(record)) {
            Ok(text) => text,
            Err(error) => StringRecord::from_byte_record_lossy(error.into_byte_record()),
        };
        let outcome = self.push(&text, line, layout, sink);
        *record = text.into_byte_record();
        outcome
    }

    fn push(&mut self, row: &StringRecord, line: u64, layout: &mut Layout, sink: &mut dyn Sink) -> Result<()> {
        let place = |column: &str| Place::file(self.path).line(line).field(format!("column `{column}`"));
        let at = |index: usize| row.get(index).unwrap_or_default();
        let stamp = at(layout.timestamp);
        let format = match layout.format {
            Some(format) => format,
            None => *layout.format.insert(TimeFormat::of(stamp).ok_or_else(|| {
                Fault::at(place("timestamp"), format!("expected a Unix or RFC 3339 time, found `{stamp}`"))
                    .hint("use the file as k6 wrote it: spreadsheets turn times into dates or `1.796E+09`")
            })?),
        };
        let time = format.parse(stamp).map_err(|message| {
            Fault::at(place("timestamp"), message)
                .hint("one file has times of one format (`K6_CSV_TIME_FORMAT`); were two files joined?")
        })?;
        let text = at(layout.value);
        let value: f64 = text.parse().ok().filter(|v: &f64| !v.is_nan()).ok_or_else(|| {
            let fault = Fault::at(place("metric_value"), format!("expected a number, found `{text}`"));
            match text.ends_with(['s', 'B']) {
                true => fault.hint("this looks like a terminal summary; leave it in the run folder as a `.log`"),
                false => fault.hint("a script or a full disk may have changed the file; use k6's own output"),
            }
        })?;
        if value.is_infinite() {
            sink.skipped("value is not finite", place("metric_value"));
            return Ok(());
        }
        let metric = self.names.of(at(layout.metric), sink);
        let at = row.position().map_or(0, csv::Position::byte);
        sink.sample(&Sample { metric, time, value, tags: &layout.tags(|column| row.get(column)), at });
        self.tally.rows += 1;
        Ok(())
    }

    fn place(&self, record: &ByteRecord) -> Place {
        Place::file(self.path).line(line_of(record))
    }
}

fn line_of(record: &ByteRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

fn root_cause(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Io(io) => io.to_string(),
        _ => error.to_string(),
    }
}
