//! The columns of k6's CSV output, which depend on the run's system tags.

use std::path::Path;

use csv::ByteRecord;

use super::time_format::TimeFormat;
use crate::model::{Fault, Place, Result, Tag, Tags};

/// The first three columns of every version; the rest may be any subset.
pub(super) const REQUIRED: [&str; 3] = ["metric_name", "timestamp", "metric_value"];

/// Tags whose absence limits what can be told, reported in [`Tally::missing_tags`](crate::ingest::Tally::missing_tags).
const TELLING: [&str; 8] = ["check", "error", "error_code", "expected_response", "group", "name", "scenario", "status"];

/// Where the columns of the current header stand, and how its times are written.
pub(super) struct Layout {
    pub columns: usize,
    pub metric: usize,
    pub timestamp: usize,
    pub value: usize,
    pub check: Option<usize>,
    pub error: Option<usize>,
    pub error_code: Option<usize>,
    pub expected_response: Option<usize>,
    pub group: Option<usize>,
    pub method: Option<usize>,
    pub name: Option<usize>,
    pub scenario: Option<usize>,
    pub status: Option<usize>,
    pub url: Option<usize>,
    pub extra_tags: Option<usize>,
    /// Columns of other system tags (`proto`, `ip`), by name.
    pub others: Vec<(String, usize)>,
    /// By column: the tag that it holds, if that has a field of its own in [`Tags`].
    pub known: Vec<Option<Tag>>,
    pub format: Option<TimeFormat>,
}

impl Layout {
    pub fn from_header(header: &ByteRecord, path: &Path, line: u64) -> Result<Self> {
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
        let known =
            names.iter().enumerate().map(|(column, name)| Tag::named(name).filter(|_| find(name) == Some(column)));
        let known = known.collect();
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
            known,
            format: None,
        })
    }

    pub fn missing_tags(&self) -> Vec<&'static str> {
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

    /// The tags of a row whose fields `field` gives by column.
    pub fn tags<'r>(&'r self, field: impl Fn(usize) -> Option<&'r str>) -> Tags<'r> {
        Tags { others: self.other_tags(&field), ..self.known_tags(&field) }
    }

    fn other_tags<'r>(&'r self, field: impl Fn(usize) -> Option<&'r str>) -> Vec<(&'r str, &'r str)> {
        let mut others: Vec<(&str, &str)> = Vec::new();
        for (name, index) in &self.others {
            if let Some(value) = field(*index).filter(|value| !value.is_empty()) {
                others.push((name, value));
            }
        }
        // k6 joins these without escaping: a `&` inside a value cannot be told from the next tag
        let extra = self.extra_tags.and_then(field).filter(|text| !text.is_empty());
        others.extend(extra.into_iter().flat_map(|text| text.split('&')).filter_map(|pair| pair.split_once('=')));
        others
    }

    /// True when every tag with a field of its own in [`Tags`] has a column; a tag without one may stand in `extra_tags`.
    pub fn has_every_known_column(&self) -> bool {
        self.missing_tags().is_empty() && self.method.is_some() && self.url.is_some()
    }

    /// Those tags that have a field of their own in [`Tags`].
    pub fn known_tags<'r>(&self, field: impl Fn(usize) -> Option<&'r str>) -> Tags<'r> {
        let mut tags = Tags::default();
        for (column, tag) in self.known.iter().enumerate() {
            if let Some(tag) = tag {
                *tags.field(*tag) = field(column);
            }
        }
        tags
    }
}
