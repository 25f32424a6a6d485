//! The fast reader of k6's JSON output; what it does not know it leaves to the plain one.

use super::{Position, push};
use crate::ingest::Tally;
use crate::ingest::k6_csv::time_format::plausible;
use crate::ingest::raw::names::{Named, Names};
use crate::ingest::raw::{
    Beginnings, Begun, Clock, Counts, Entry, Is, Next, Part, Remembered, Rows, Work, after_decimal, decimal, each_row,
    usual,
};
use crate::model::{Sink, Tag, Tags, Time};

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
    beginnings: PointBeginnings<F>,
    counts: Counts,
}

/// Reads points up to their values.
struct PointBeginnings<F> {
    names: Names,
    clock: Clock<F>,
}

impl JsonLines<()> {
    fn new() -> JsonLines<impl Fn(&str) -> Option<Time>> {
        let parse = |text: &str| Time::parse_rfc3339(text).and_then(|time| plausible(time).ok());
        let beginnings = PointBeginnings { names: Names::new(b'"'), clock: Clock::new(b'"', parse) };
        JsonLines { beginnings, counts: Counts::default() }
    }
}

impl<F: Fn(&str) -> Option<Time>> Beginnings for PointBeginnings<F> {
    #[inline(always)]
    fn at_start<'t>(&mut self, line: &'t [u8]) -> Option<Begun<'t>> {
        let (metric, rest) = self.names.at_start(line.strip_prefix(METRIC)?)?;
        let (time, rest) = self.clock.at_start(rest.strip_prefix(TIME)?)?;
        let (value, rest) = value_of(metric, rest)?;
        Some(Begun { metric: metric.id, time, value, rest })
    }

    #[inline(always)]
    fn expected<'t>(&self, line: &'t [u8]) -> Option<Begun<'t>> {
        let (metric, rest) = self.names.expected(line.strip_prefix(METRIC)?)?;
        let (time, rest) = self.clock.same(rest.strip_prefix(TIME)?)?;
        let (value, rest) = value_of(metric, rest)?;
        Some(Begun { metric: metric.id, time, value, rest })
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.names.advance();
    }
}

impl<F: Fn(&str) -> Option<Time>> JsonLines<F> {
    /// A point of a known metric in exactly k6's shape, and the points that repeat it: how many bytes they have. `None` for any
    /// other line.
    #[inline]
    fn usual<'c>(
        &mut self,
        text: &'c [u8],
        place: (u64, usize),
        remembered: &mut Remembered<'c>,
        sink: &mut impl Sink,
    ) -> Option<usize> {
        let all = sink.reads_other_tags();
        let parse = |tail, entry: &mut Entry<'c>| tail_of_line(tail, all, entry);
        let taken = usual(text, place, &mut self.beginnings, remembered, end_of_text, parse, sink)?;
        self.counts.rows += taken.rows;
        self.counts.lines += taken.lines;
        Some(taken.bytes)
    }

    /// Any line of k6's output.
    fn any(&mut self, line: &[u8], at: u64, sink: &mut impl Sink) -> Next {
        let Some(end) = memchr::memchr(b'\n', line) else { return Next::Incomplete };
        let text = line.get(..end).unwrap_or_default();
        // faults are the plain reader's to tell: here it does not matter where the line stands
        match push(text, Position { path: "".as_ref(), number: 0, at }, &mut self.beginnings.names, sink) {
            Ok(points) => {
                self.counts.rows += points;
                self.counts.lines += 1;
                Next::Rows(end + 1)
            }
            Err(_) => Next::Odd,
        }
    }
}

impl<S: Sink, F: Fn(&str) -> Option<Time>> Rows<S> for JsonLines<F> {
    fn chunk(&mut self, chunk: &[u8], at: u64, until: u64, sink: &mut S) -> Option<usize> {
        let mut remembered = Remembered::new();
        each_row(chunk, at, until, |text, at, limit| match self.usual(text, (at, limit), &mut remembered, sink) {
            Some(length) => Next::Rows(length),
            None => self.any(text, at, sink),
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

/// The beginning of a point, and what stands between its metric's name and its time, behind the quote of the former.
const METRIC: &[u8] = br#"{"metric":""#;
const TIME: &[u8] = br#","type":"Point","data":{"time":""#;
const VALUE: &[u8] = br#","value":"#;

/// The number at the beginning of the rest of a point, behind its time; 0 for one that nobody looks at.
#[inline(always)]
fn value_of(metric: Named, text: &[u8]) -> Option<(f64, &[u8])> {
    let text = text.strip_prefix(VALUE)?;
    match metric.reads_values {
        _ if has_leading_zero(text) => None,
        true => decimal(text),
        false => after_decimal(text).map(|rest| (0.0, rest)),
    }
}

/// JSON has no such numbers.
#[inline]
fn has_leading_zero(text: &[u8]) -> bool {
    matches!(text, [b'0', b'0'..=b'9', ..] | [b'-', b'0', b'0'..=b'9', ..])
}

/// The end of a line, from behind its value on; `None` when it is not whole, or not in k6's shape.
fn tail_of_line<'c>(text: &'c [u8], all: bool, entry: &mut Entry<'c>) -> Option<()> {
    let text = text.get(..=memchr::memchr(b'\n', text)?)?;
    let line = std::str::from_utf8(text).ok()?.strip_suffix("}}\n")?;
    let escaped = line.bytes().fold(false, |found, byte| found | (byte < b' ') | (byte == b'\\'));
    if escaped {
        return None;
    }
    entry.tags = Tags::default();
    let (tags, parts) = (&mut entry.tags, &mut entry.parts);
    let mut twice = false;
    let rest = object(line.strip_prefix(",\"tags\":")?, |key, value, rest| {
        let is = match Tag::named(key) {
            Some(tag) => {
                twice |= tags.field(tag).replace(value).is_some();
                Is::Value(tag)
            }
            None if all => {
                tags.others.push((key, value));
                Is::Several
            }
            None => Is::Ignored,
        };
        let end = line.len() - rest.len() - 1;
        parts.push(Part::new(end - value.len()..end, is));
    })?;
    if !rest.is_empty() {
        // `vu` and `iter` stand there; they are no tags
        let rest = object(rest.strip_prefix(",\"metadata\":")?, |_, value, rest| {
            let end = line.len() - rest.len() - 1;
            parts.push(Part::new(end - value.len()..end, Is::Ignored));
        })?;
        if !rest.is_empty() {
            return None;
        }
    }
    if twice {
        parts.clear();
    }
    (entry.tail, entry.lines) = (text, 1);
    Some(())
}

/// Gives each pair of an object of texts without escapes, and what follows its quote, to `pair`; returns what follows the object.
fn object<'t>(text: &'t str, mut pair: impl FnMut(&'t str, &'t str, &'t str)) -> Option<&'t str> {
    let mut rest = text.strip_prefix('{')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some(rest);
    }
    loop {
        let (key, after) = up_to_quote(rest.strip_prefix('"')?)?;
        let (value, after) = up_to_quote(after.strip_prefix(":\"")?)?;
        pair(key, value, after);
        rest = match after.split_at_checked(1)? {
            (",", rest) => rest,
            ("}", rest) => return Some(rest),
            _ => return None,
        };
    }
}

/// The first byte in a text that ends a value without escapes, or that no such value has.
#[inline]
fn end_of_text(text: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'"', b'\\', text)?;
    let controls = text.get(..end)?.iter().fold(false, |found, byte| found | (*byte < b' '));
    (!controls).then_some(end)
}

/// What stands before the next quote and behind it.
#[inline]
fn up_to_quote(text: &str) -> Option<(&str, &str)> {
    let end = match text.as_bytes().first_chunk() {
        // most keys and values are short
        Some(head) if quotes(*head) != 0 => (quotes(*head).trailing_zeros() / 8) as usize,
        _ => memchr::memchr(b'"', text.as_bytes())?,
    };
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// A bit (the highest of its byte) for the first of eight bytes that is a quote, and none below it.
#[inline]
fn quotes(bytes: [u8; 8]) -> u64 {
    let others = u64::from_le_bytes(bytes) ^ u64::from_ne_bytes([b'"'; 8]);
    others.wrapping_sub(u64::from_ne_bytes([1; 8])) & !others & u64::from_ne_bytes([0x80; 8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MetricId;

    #[test]
    fn tags_and_metadata_end_a_line() {
        let line = b",\"tags\":{\"group\":\"\",\"name\":\"a b\"},\"metadata\":{\"vu\":\"1\"}}}\n{";
        let mut entry = Entry::default();
        tail_of_line(line, true, &mut entry).unwrap();
        assert_eq!((entry.tags.group, entry.tags.name, entry.tail.len()), (Some(""), Some("a b"), line.len() - 1));
        assert!(tail_of_line(b",\"tags\":{}}}\n", true, &mut entry).is_some());
    }

    const AS_READ: Named = Named { id: MetricId(0), reads_values: true };

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
            assert!(tail_of_line(line.as_bytes(), true, &mut Entry::default()).is_none(), "{line}");
        }
        for number in ["01", "-01", "1", "-", ""] {
            let left = value_of(AS_READ, [VALUE, number.as_bytes()].concat().as_slice()).is_none();
            assert_eq!(left, number != "1", "{number}");
        }
    }
}
