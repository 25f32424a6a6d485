//! The fast reader of k6's JSON output; what it does not know it leaves to the plain one.

use super::{Position, is_known, push, set};
use crate::ingest::Tally;
use crate::ingest::k6_csv::time_format::plausible;
use crate::ingest::raw::names::Names;
use crate::ingest::raw::{Clock, Counts, Entry, Next, Remembered, Rows, Work, decimal, each_row};
use crate::model::{Sample, Sink, Tags, Time};

/// Reads a file written by k6; `None` when only the plain reader can read it.
pub fn read<S: Sink + Send>(work: &Work<'_>, new_sink: impl Fn() -> S + Sync) -> Option<(Vec<S>, Tally)> {
    if work.source.open(&Default::default()).ok()?.had_mark() {
        return None;
    }
    let (sinks, counts) = work.read(0, 1, JsonLines::new, new_sink)?;
    let tally = Tally { rows: counts.rows, time_format: Some("RFC 3339"), ..Tally::default() };
    Some((sinks, tally))
}

/// Lines of one file.
struct JsonLines<F> {
    names: Names,
    clock: Clock<F>,
    counts: Counts,
    /// The time of the point before, when its tags are those found last.
    before: Option<Time>,
}

impl JsonLines<()> {
    fn new() -> JsonLines<impl Fn(&str) -> Option<Time>> {
        let parse = |text: &str| Time::parse_rfc3339(text).and_then(|time| plausible(time).ok());
        JsonLines { names: Names::default(), clock: Clock::new(parse), counts: Counts::default(), before: None }
    }
}

impl<F: Fn(&str) -> Option<Time>> JsonLines<F> {
    /// A point of a known metric in exactly k6's shape; `None` for any other line.
    #[inline]
    fn usual<'c>(
        &mut self,
        line: &'c [u8],
        at: u64,
        remembered: &mut Remembered<'c>,
        sink: &mut impl Sink,
    ) -> Option<usize> {
        let rest = line.strip_prefix(br#"{"metric":""#)?;
        let (metric, rest) = self.names.at_start(rest, b'"')?;
        let rest = rest.strip_prefix(br#","type":"Point","data":{"time":""#)?;
        let (time, rest) = self.clock.at_start(rest, b'"')?;
        let rest = rest.strip_prefix(br#","value":"#)?;
        let (value, tail) = json_decimal(rest)?;
        let all = sink.reads_other_tags();
        let before = self.before.take();
        let (entry, repeats) = remembered.at_start(metric, tail, |tail| tail_of_line(tail, all))?;
        let sample = Sample { metric, time, value, tags: &entry.tags, at };
        match repeats && before == Some(time) {
            true => sink.repeated(&sample),
            false => sink.sample(&sample),
        }
        self.before = Some(time);
        self.counts.rows += 1;
        self.counts.lines += 1;
        Some(line.len() - tail.len() + entry.tail.len())
    }

    /// Any line of k6's output.
    fn any(&mut self, line: &[u8], at: u64, sink: &mut impl Sink) -> Next {
        let Some(end) = memchr::memchr(b'\n', line) else { return Next::Incomplete };
        self.before = None;
        let text = line.get(..end).unwrap_or_default();
        // faults are the plain reader's to tell: here it does not matter where the line stands
        match push(text, Position { path: "".as_ref(), number: 0, at }, &mut self.names, sink) {
            Ok(points) => {
                self.counts.rows += points;
                self.counts.lines += 1;
                Next::Row(end + 1)
            }
            Err(_) => Next::Odd,
        }
    }
}

impl<S: Sink, F: Fn(&str) -> Option<Time>> Rows<S> for JsonLines<F> {
    fn chunk(&mut self, chunk: &[u8], at: u64, until: u64, sink: &mut S) -> Option<usize> {
        let mut remembered = Remembered::new();
        self.before = None;
        each_row(chunk, at, until, |line, at| match self.usual(line, at, &mut remembered, sink) {
            Some(length) => Next::Row(length),
            None => self.any(line, at, sink),
        })
    }

    /// JSON never breaks a line inside of a text.
    fn first_row(&self, text: &[u8]) -> Option<usize> {
        memchr::memchr(b'\n', text).map(|end| end + 1)
    }

    fn take_counts(&mut self) -> Counts {
        std::mem::take(&mut self.counts)
    }
}

/// JSON has no numbers with a leading zero.
#[inline]
fn json_decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    match text {
        [b'0', b'0'..=b'9', ..] | [b'-', b'0', b'0'..=b'9', ..] => None,
        _ => decimal(text),
    }
}

/// The end of a line, from behind its value on; `None` when it is not whole, or not in k6's shape.
fn tail_of_line(text: &[u8], all: bool) -> Option<Entry<'_>> {
    let text = text.get(..=memchr::memchr(b'\n', text)?)?;
    let line = std::str::from_utf8(text).ok()?.strip_suffix("}}\n")?;
    let escaped = line.bytes().fold(false, |found, byte| found | (byte < b' ') | (byte == b'\\'));
    if escaped {
        return None;
    }
    let mut tags = Tags::default();
    let rest = object(line.strip_prefix(",\"tags\":")?, |key, value| {
        if all || is_known(key) {
            set(&mut tags, key, value);
        }
    })?;
    if !rest.is_empty() {
        // `vu` and `iter` stand there; they are no tags
        let rest = object(rest.strip_prefix(",\"metadata\":")?, |_, _| {})?;
        if !rest.is_empty() {
            return None;
        }
    }
    Some(Entry { tail: text, lines: 1, tags })
}

/// Gives each pair of an object of texts without escapes to `pair`; returns what follows the object.
fn object<'t>(text: &'t str, mut pair: impl FnMut(&'t str, &'t str)) -> Option<&'t str> {
    let mut rest = text.strip_prefix('{')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some(rest);
    }
    loop {
        let (key, after) = up_to_quote(rest.strip_prefix('"')?)?;
        let (value, after) = up_to_quote(after.strip_prefix(":\"")?)?;
        pair(key, value);
        rest = match after.split_at_checked(1)? {
            (",", rest) => rest,
            ("}", rest) => return Some(rest),
            _ => return None,
        };
    }
}

/// What stands before the next quote and behind it.
fn up_to_quote(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = text.split_at_checked(memchr::memchr(b'"', text.as_bytes())?)?;
    Some((before, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_metadata_end_a_line() {
        let line = b",\"tags\":{\"group\":\"\",\"name\":\"a b\"},\"metadata\":{\"vu\":\"1\"}}}\n{";
        let entry = tail_of_line(line, true).unwrap();
        assert_eq!((entry.tags.group, entry.tags.name, entry.tail.len()), (Some(""), Some("a b"), line.len() - 1));
        assert!(tail_of_line(b",\"tags\":{}}}\n", true).is_some());
    }

    #[test]
    fn any_other_shape_is_left_to_a_json_parser() {
        for line in [
            ",\"tags\":{}}}",
            ",\"tags\":{} }}\n",
            ",\"tags\":{\"a\":\"\\u0026\"}}}\n",
            ",\"tags\":{\"a\":\"\t\"}}}\n",
            ",\"tags\":{\"a\":1}}}\n",
            ",\"tags\":{\"a\":\"b\",}}}\n",
            ",\"tags\":null}}\n",
            ",\"tags\":{}}}}\n",
            "}}\n",
        ] {
            assert!(tail_of_line(line.as_bytes(), true).is_none(), "{line}");
        }
        for number in ["01", "-01", "1", "-", ""] {
            let left = json_decimal(number.as_bytes()).is_none();
            assert_eq!(left, number != "1", "{number}");
        }
    }
}
