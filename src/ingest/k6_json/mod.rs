//! k6 JSON output (`k6 run --out json=FILE`), one object a line, read the plain way: every file, every fault.
//!
//! `points` reads what k6 itself writes several times as fast and leaves everything else to this reader.

pub(super) mod points;

use std::borrow::Cow;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::Tally;
use super::k6_csv::time_format::plausible;
use super::raw::names::Names;
use super::source::Content;
use crate::model::{Contains, Declaration, Fault, Kind, Place, Result, Sample, Sink, Tag, Tags, Time};

/// True when the line is one of k6's JSON output.
pub fn is_line(line: &[u8]) -> bool {
    serde_json::from_slice::<Line>(line).is_ok_and(|l| l.kind.0 == "Point" || l.kind.0 == "Metric")
}

/// Reads k6 JSON output and pushes each point into `sink`, in the order of the file; `Metric` lines become declarations.
///
/// Memory does not grow with the number of lines. A last line without its line break was cut off and is skipped.
///
/// # Errors
///
/// Fails on an unreadable file, a line that is not one of k6's objects, a time outside the years 2000 to 2099, and a
/// file without any point.
pub fn read(content: Content, sink: &mut dyn Sink) -> Result<Tally> {
    let path = content.path().to_path_buf();
    let progress = content.progress();
    let mut input = BufReader::with_capacity(256 << 10, content);
    let mut tally = Tally { time_format: Some("RFC 3339"), ..Tally::default() };
    let (mut line, mut number, mut offset, mut names) = (Vec::new(), 0, 0, Names::new(b'"'));
    loop {
        progress.at_record(offset);
        let at = offset;
        line.clear();
        offset += input.read_until(b'\n', &mut line).map_err(|e| Fault::io(&path, "read", e))? as u64;
        number += 1;
        if line.last().is_some_and(|last| *last != b'\n') {
            sink.skipped("cut last line", Place::file(&path).line(number));
            break;
        }
        match line.trim_ascii() {
            [] if line.is_empty() => break,
            [] => continue,
            text => tally.rows += push(text, Position { path: &path, number, at }, &mut names, sink)?,
        }
    }
    if progress.truncated() {
        sink.truncated("compressed stream ends without its trailer");
    }
    match tally.rows {
        0 => Err(Fault::at(Place::file(&path), "expected points of k6's JSON output, found none")
            .hint("a file without points is a run that never started")),
        _ => Ok(tally),
    }
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct Position<'p> {
    path: &'p Path,
    /// Counted from 1.
    number: u64,
    /// Its first byte.
    at: u64,
}

/// Returns how many points the line held: one, or none for a declaration.
fn push(text: &[u8], position: Position<'_>, names: &mut Names, sink: &mut dyn Sink) -> Result<u64> {
    let place = || Place::file(position.path).line(position.number);
    let line: Line = serde_json::from_slice(text).map_err(|e| {
        let message = e.to_string();
        let reason = message.split(" at line ").next().unwrap_or_default();
        Fault::at(place(), format!("expected a line of k6's JSON output, found at column {}: {reason}", e.column()))
            .hint("a line was cut or changed; only the last one may be: use the file as k6 wrote it")
    })?;
    let missing = |field: &str| {
        Fault::at(
            place().field(format!("field `data.{field}`")),
            format!("expected it on a `{}` line, found none", line.kind.0),
        )
    };
    match line.kind.0.as_ref() {
        "Point" => {
            let stamp = line.data.time.as_ref().ok_or_else(|| missing("time"))?;
            let at = || place().field("field `data.time`");
            let time = Time::parse_rfc3339(&stamp.0)
                .ok_or_else(|| Fault::at(at(), format!("expected an RFC 3339 time, found `{}`", stamp.0)))?;
            let time = plausible(time).map_err(|message| Fault::at(at(), message))?;
            let value = line.data.value.ok_or_else(|| missing("value"))?;
            let tags = tags(line.data.tags.0.iter().map(|(key, value)| (key.0.as_ref(), value.0.as_ref())));
            let metric = names.of(&line.metric.0, sink);
            sink.sample(&Sample { metric, time, value, tags: &tags, at: position.at });
            Ok(1)
        }
        "Metric" => {
            let kind = line.data.kind.as_ref().ok_or_else(|| missing("type"))?;
            let kind = match kind.0.as_ref() {
                "counter" => Kind::Counter,
                "gauge" => Kind::Gauge,
                "rate" => Kind::Rate,
                "trend" => Kind::Trend,
                other => {
                    let place = place().field("field `data.type`");
                    return Err(Fault::at(
                        place,
                        format!("expected `counter`, `gauge`, `rate` or `trend`, found `{other}`"),
                    ));
                }
            };
            let contains = match line.data.contains.as_ref().map(|c| c.0.as_ref()) {
                Some("time") => Contains::Time,
                Some("data") => Contains::Data,
                _ => Contains::Default,
            };
            sink.declare(Declaration { name: line.metric.0.into_owned(), kind, contains });
            Ok(0)
        }
        other => {
            Err(Fault::at(place().field("field `type`"), format!("expected `Point` or `Metric`, found `{other}`")))
        }
    }
}

fn tags<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Tags<'a> {
    let mut tags = Tags::default();
    pairs.for_each(|(key, value)| match Tag::named(key) {
        Some(tag) => *tags.field(tag) = Some(value),
        None => tags.others.push((key, value)),
    });
    tags
}

#[derive(serde::Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    metric: Text<'a>,
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    data: Data<'a>,
}

#[derive(serde::Deserialize)]
struct Data<'a> {
    #[serde(borrow, default)]
    time: Option<Text<'a>>,
    #[serde(default)]
    value: Option<f64>,
    #[serde(borrow, default)]
    tags: TagPairs<'a>,
    #[serde(rename = "type", borrow, default)]
    kind: Option<Text<'a>>,
    #[serde(borrow, default)]
    contains: Option<Text<'a>>,
}

/// A string that borrows from the line unless it holds escapes; serde does that for `Cow` in plain fields only.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> std::result::Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> std::result::Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

#[derive(Default)]
struct TagPairs<'a>(Vec<(Text<'a>, Text<'a>)>);

impl<'de: 'a, 'a> Deserialize<'de> for TagPairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct PairsVisitor;
        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = TagPairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of tags")
            }

            fn visit_unit<E: Error>(self) -> std::result::Result<TagPairs<'de>, E> {
                Ok(TagPairs::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<TagPairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(TagPairs(pairs))
            }
        }
        deserializer.deserialize_any(PairsVisitor)
    }
}
