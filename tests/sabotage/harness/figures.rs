//! Every number, time and share in the rows of a page, with its place.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use sweepdoc::check::page::{Page, PageRow};
use sweepdoc::rows::RowId;

/// What a figure is, as far as its form tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `13:43:19`, `19:37`.
    Clock,
    /// `2026-08-27`.
    Date,
    /// `0.13%`.
    Share,
    /// `55-second`, `30min`: the number, its unit aside.
    Length,
    /// `503` of `HTTP 503`.
    Status,
    /// Any other number.
    Count,
}

/// One figure of a row.
#[derive(Debug, Clone)]
pub struct Figure {
    pub form: Form,
    /// Where it stands in the page, its unit aside.
    pub range: Range<usize>,
    /// Where its unit stands; empty without one.
    pub unit: Range<usize>,
    /// Which row it is in.
    pub id: Option<RowId>,
    /// Label of that row as on the page.
    pub label: String,
    /// Line of the page.
    pub line: u64,
    /// Column of its first character.
    pub column: u64,
}

/// What has digits and is no figure: code, addresses, tags, versions and percentiles, hashes, marks of a list.
const NAMES: &str = r"`[^`]*`|\]\([^)]*\)|</?\w[^>]*>|https?://\S+|\bv\d[\w.]*|\bp\d{2}(?:\.\d+)?\b|\(\d\) |#\d+";

static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?P<name>{NAMES})|(?P<date>\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{2}}-\d{{2}}-\d{{4}}\b)|(?P<clock>\b\d{{1,2}}:\d{{2}}(?::\d{{2}})?)|HTTP (?P<status>\d{{3}})|(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<unit>%|[ -]?(?:hours?|minutes?|seconds?|min|ms|µs|h|m|s)\b)?"
    ))
    .expect("a fixed pattern")
});

/// The figures of every row of the page's metric table, in their order.
pub fn figures(page: &str) -> Vec<Figure> {
    let read = Page::read(page, None);
    read.rows.iter().flat_map(|row| of_row(page, row)).collect()
}

fn of_row(page: &str, row: &PageRow) -> Vec<Figure> {
    let Some(start) = offset(page, row.line, row.column) else { return Vec::new() };
    let figure = |found: regex::Captures<'_>| {
        let group = |name: &str| found.name(name).map(|m| m.range());
        let unit = group("unit").filter(|unit| !unit.is_empty());
        let is_share = unit.clone().is_some_and(|unit| &row.raw[unit] == "%");
        let (form, range) = [(Form::Date, "date"), (Form::Clock, "clock"), (Form::Status, "status")]
            .into_iter()
            .find_map(|(form, name)| Some((form, group(name)?)))
            .or_else(|| {
                let form = match (is_share, &unit) {
                    (true, _) => Form::Share,
                    (false, Some(_)) => Form::Length,
                    (false, None) => Form::Count,
                };
                Some((form, group("number")?))
            })?;
        if form != Form::Status && is_part_of_a_word(&row.raw, &range, unit.as_ref()) {
            return None;
        }
        let unit = unit.unwrap_or(range.end..range.end);
        let column = row.column + row.raw[..range.start].chars().count() as u64;
        Some(Figure {
            form,
            range: start + range.start..start + range.end,
            unit: start + unit.start..start + unit.end,
            id: row.id,
            label: row.label.clone(),
            line: row.line,
            column,
        })
    };
    FIGURE.captures_iter(&row.raw).filter_map(figure).collect()
}

/// True for the digits of `cdde3ab3e` and `n2-standard-8`.
fn is_part_of_a_word(raw: &str, range: &Range<usize>, unit: Option<&Range<usize>>) -> bool {
    let joins = |c: char| c.is_alphabetic() || c == '_';
    let mut before = raw[..range.start].chars().rev();
    let (last, one_more) = (before.next(), before.next());
    let after = raw[unit.map_or(range.end, |unit| unit.end)..].chars().next();
    // `24x` counts something
    let counts = after == Some('x');
    last.is_some_and(joins) || last == Some('-') && one_more.is_some_and(joins) || after.is_some_and(joins) && !counts
}

/// Byte offset of a line and column, both counted from 1.
fn offset(page: &str, line: u64, column: u64) -> Option<usize> {
    let before: usize = page.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let chars = page.get(before..)?.char_indices().nth(column as usize - 1)?;
    Some(before + chars.0)
}
