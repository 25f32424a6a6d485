//! k6 CSV output (`k6 run --out csv=FILE`).

use std::io::Read;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder, StringRecord};

use super::Tally;
use super::source::{Content, Progress};
use crate::model::{Fault, Place, Result, Sample, Sink, Tags, Time};

/// The first three columns of every version; the rest may be any subset.
const REQUIRED: [&str; 3] = ["metric_name", "timestamp", "metric_value"];

/// Tags whose absence limits what can be told, reported in [`Tally::missing_tags`].
const TELLING: [&str; 8] = ["check", "error", "error_code", "expected_response", "group", "name", "scenario", "status"];

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
}

impl<'p> Rows<'p, Content> {
    fn new(content: Content, path: &'p Path) -> Result<Self> {
        let progress = content.progress();
        let csv =
            ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(256 << 10).from_reader(content);
        Ok(Rows { csv, progress, path, tally: Tally::default() })
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
        let mut others = Vec::new();
        let tags = layout.tags(row, &mut others);
        sink.sample(&Sample { metric: at(layout.metric), time, value, tags: Tags { others: &others, ..tags } });
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

/// Where the columns of the current header stand, and how its times are written.
struct Layout {
    columns: usize,
    metric: usize,
    timestamp: usize,
    value: usize,
    check: Option<usize>,
    error: Option<usize>,
    error_code: Option<usize>,
    expected_response: Option<usize>,
    group: Option<usize>,
    method: Option<usize>,
    name: Option<usize>,
    scenario: Option<usize>,
    status: Option<usize>,
    url: Option<usize>,
    extra_tags: Option<usize>,
    /// Columns of other system tags (`proto`, `ip`), by name.
    others: Vec<(String, usize)>,
    format: Option<TimeFormat>,
}

impl Layout {
    fn from_header(header: &ByteRecord, path: &Path, line: u64) -> Result<Self> {
        let names: Vec<String> = header.iter().map(|f| String::from_utf8_lossy(f).into_owned()).collect();
        let find = |name: &str| names.iter().position(|n| n == name);
        let need = |name: &str| {
            find(name).ok_or_else(|| {
                Fault::at(
                    Place::file(path).line(line),
                    format!("expected a column `{name}` in the header, found `{}`", names.join(",")),
                )
                .hint(match names.join("").contains(';') {
                    true => "columns separated by `;` were written by a spreadsheet: use the file as k6 wrote it",
                    false => "this is not the output of `k6 run --out csv=FILE`",
                })
            })
        };
        let named = [
            "metric_name",
            "timestamp",
            "metric_value",
            "check",
            "error",
            "error_code",
            "expected_response",
            "group",
            "method",
            "name",
            "scenario",
            "status",
            "url",
            "extra_tags",
            "metadata",
        ];
        let others = names
            .iter()
            .enumerate()
            .filter(|(_, name)| !named.contains(&name.as_str()))
            .map(|(index, name)| (name.clone(), index))
            .collect();
        Ok(Layout {
            columns: names.len(),
            metric: need("metric_name")?,
            timestamp: need("timestamp")?,
            value: need("metric_value")?,
            check: find("check"),
            error: find("error"),
            error_code: find("error_code"),
            expected_response: find("expected_response"),
            group: find("group"),
            method: find("method"),
            name: find("name"),
            scenario: find("scenario"),
            status: find("status"),
            url: find("url"),
            extra_tags: find("extra_tags"),
            others,
            format: None,
        })
    }

    fn missing_tags(&self) -> Vec<&'static str> {
        let columns = [
            self.check,
            self.error,
            self.error_code,
            self.expected_response,
            self.group,
            self.name,
            self.scenario,
            self.status,
        ];
        TELLING.into_iter().zip(columns).filter(|(_, column)| column.is_none()).map(|(name, _)| name).collect()
    }

    fn tags<'r>(&'r self, row: &'r StringRecord, others: &mut Vec<(&'r str, &'r str)>) -> Tags<'r> {
        let get = |column: Option<usize>| column.and_then(|index| row.get(index));
        for (name, index) in &self.others {
            if let Some(value) = row.get(*index).filter(|value| !value.is_empty()) {
                others.push((name, value));
            }
        }
        // k6 joins these without escaping: a `&` inside a value cannot be told from the next tag
        let extra = get(self.extra_tags).filter(|text| !text.is_empty());
        others.extend(extra.into_iter().flat_map(|text| text.split('&')).filter_map(|pair| pair.split_once('=')));
        Tags {
            check: get(self.check),
            error: get(self.error),
            error_code: get(self.error_code),
            expected_response: get(self.expected_response),
            group: get(self.group),
            method: get(self.method),
            name: get(self.name),
            scenario: get(self.scenario),
            status: get(self.status),
            url: get(self.url),
            others: &[],
        }
    }
}

/// `K6_CSV_TIME_FORMAT`, told by the number of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeFormat {
    Seconds,
    Millis,
    Micros,
    Nanos,
    Rfc3339,
}

impl TimeFormat {
    fn of(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        match (digits, text.len()) {
            (true, 9..=11) => Some(TimeFormat::Seconds),
            (true, 12..=14) => Some(TimeFormat::Millis),
            (true, 15..=17) => Some(TimeFormat::Micros),
            (true, 18..=20) => Some(TimeFormat::Nanos),
            (true, _) => None,
            (false, _) => Time::parse_rfc3339(text).map(|_| TimeFormat::Rfc3339),
        }
    }

    fn words(self) -> &'static str {
        match self {
            TimeFormat::Seconds => "Unix seconds",
            TimeFormat::Millis => "Unix milliseconds",
            TimeFormat::Micros => "Unix microseconds",
            TimeFormat::Nanos => "Unix nanoseconds",
            TimeFormat::Rfc3339 => "RFC 3339",
        }
    }

    fn parse(self, text: &str) -> std::result::Result<Time, String> {
        let scale = match self {
            TimeFormat::Seconds => 1_000_000_000,
            TimeFormat::Millis => 1_000_000,
            TimeFormat::Micros => 1_000,
            TimeFormat::Nanos => 1,
            TimeFormat::Rfc3339 => {
                let time = Time::parse_rfc3339(text);
                return time
                    .ok_or_else(|| format!("expected an RFC 3339 time as in the rows before, found `{text}`"))
                    .and_then(plausible);
            }
        };
        let number: i64 = text
            .parse()
            .map_err(|_| format!("expected a time in {} as in the rows before, found `{text}`", self.words()))?;
        match number.checked_mul(scale).map(Time::from_unix_nanos) {
            Some(time) => plausible(time),
            None => Err(absurd(number as f64 * scale as f64 / 1e9)),
        }
    }
}

/// Refuses times before 2000 and from 2100 on: a wrong unit turns this year into 1970 or 58884.
pub(super) fn plausible(time: Time) -> std::result::Result<Time, String> {
    const FROM: i64 = 946_684_800;
    const TO: i64 = 4_102_444_800;
    match (FROM..TO).contains(&time.unix_seconds()) {
        true => Ok(time),
        false => Err(absurd(time.unix_seconds() as f64)),
    }
}

fn absurd(seconds: f64) -> String {
    let year = 1970.0 + (seconds / 31_556_952.0).floor();
    format!("expected a time between the years 2000 and 2099, found one in the year {year}")
}
