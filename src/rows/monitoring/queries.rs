//! `Top 3 most expensive database queries`: by execution time, waits marked, the share of lock waits with its denominator.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::figure::{Form, StatedFigure};
use crate::model::{Queries, Query};
use crate::notation::{escape, table};

/// Statements a page lists.
const TOP: usize = 3;

/// What every row of this kind ends with: a reader would take the sums for time on the clock.
const BASIS: &str = "Ranked by execution time, summed over all sessions: it can exceed the duration of the test.";

/// From here on the platform's own time is worth a line: less would be written as none.
const LEAST_PLATFORM_SECONDS: f64 = 0.5;

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?P<rank>\d+): (?P<name>.*?)(?P<wait> — lock wait)? \((?P<value>[\d,.]+ ?[a-zµμ]+)\)\s*$")
        .expect("a constant")
});
static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)advisory-lock (?:statements|wait): (?P<value><?[\d.]+%) of the (?P<of>execution time of all statements|database time)")
        .expect("a constant")
});

static PLATFORM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bwithout (?P<value>[\d,.]+ ?[a-zµμ]+) of the platform's own statements").expect("a constant")
});

/// The row's lines.
pub(super) fn lines(queries: &Queries) -> Vec<String> {
    let entry = |(index, query): (usize, &Query)| {
        let wait = if query.advisory_wait { " — **lock wait**" } else { "" };
        format!("{}: {}{wait} ({})", index + 1, name(query), Form::Seconds.write(query.seconds))
    };
    let mut lines: Vec<String> = queries.ranking.iter().take(TOP).enumerate().map(entry).collect();
    if let Some(share) = queries.advisory_share().filter(|share| *share > 0.0) {
        let share = escape::cell(&Form::Share.write(share));
        lines.push(format!("Advisory-lock statements: {share} of the execution time of all statements."));
    }
    if queries.platform_seconds >= LEAST_PLATFORM_SECONDS {
        lines.push(format!(
            "Without {} of the platform's own statements.",
            Form::Seconds.write(queries.platform_seconds)
        ));
    }
    lines.push(BASIS.to_owned());
    lines
}

/// The name with its code as code; nothing else in it is taken for Markdown.
fn name(query: &Query) -> String {
    let part = |(index, part): (usize, &str)| match index % 2 {
        0 => spaced(part),
        _ => code(part),
    };
    query.name.split('`').enumerate().map(part).collect()
}

/// Plain names as code; a text that code could not show as it is stays text.
fn code(part: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '(' | ')' | ',' | '=' | '*' | ' ');
    let shows = !part.trim().is_empty() && part.chars().all(plain);
    if shows { format!("`{}`", part.trim()) } else { escape::cell(part) }
}

/// Escaped, with the space at its ends that escaping takes away.
fn spaced(text: &str) -> String {
    let end = |at_end: bool| if at_end { " " } else { "" };
    let escaped = escape::cell(text);
    match escaped.is_empty() {
        true => end(!text.is_empty()).to_owned(),
        false => format!("{}{escaped}{}", end(text.starts_with(' ')), end(text.ends_with(' '))),
    }
}

/// Every figure the text states, held against the data.
pub(super) fn stated(text: &str, queries: &Queries) -> Vec<StatedFigure> {
    let mut stated: Vec<StatedFigure> = ENTRY.captures_iter(text).flat_map(|found| entry(&found, queries)).collect();
    if let Some(value) = SHARE.captures(text).and_then(|found| found.name("value")) {
        let claim = "share of advisory-lock statements in the execution time of all";
        stated.push(StatedFigure::of(claim, value, queries.advisory_share(), Form::Share));
    }
    if let Some(value) = PLATFORM.captures(text).and_then(|found| found.name("value")) {
        let claim = "execution time of the platform's own statements";
        stated.push(StatedFigure::of(claim, value, Some(queries.platform_seconds), Form::Seconds));
    }
    stated
}

/// The claims of one listed statement: one the data names by its name, one with a person's own name by its rank.
fn entry(found: &Captures<'_>, queries: &Queries) -> Vec<StatedFigure> {
    let parts = found.name("rank").zip(found.name("name")).zip(found.name("value"));
    let Some(((rank, stated_name), seconds)) = parts else { return Vec::new() };
    let has_name = |index: &usize| {
        queries.ranking.get(*index).is_some_and(|query| table::shown(&name(query)) == stated_name.as_str())
    };
    let by_rank = rank.as_str().parse::<usize>().ok().and_then(|rank| rank.checked_sub(1));
    // several statements may share a name: the one of that rank is meant then
    let named = by_rank.filter(has_name).or_else(|| (0..queries.ranking.len()).find(has_name));
    let Some((index, query)) = named.or(by_rank).and_then(|index| Some((index, queries.ranking.get(index)?))) else {
        return Vec::new();
    };
    let claim = format!("execution time of statement {}", index + 1);
    let mut claims = vec![StatedFigure::of(claim, seconds, Some(query.seconds), Form::Seconds)];
    if named.is_some() {
        let position = Some((index + 1).to_string());
        claims.push(StatedFigure::of_words("rank of a statement", rank, position, by_rank == Some(index)));
        let wait = found.name("wait");
        let words = if query.advisory_wait { "a lock wait" } else { "no lock wait" };
        let same = wait.is_some() == query.advisory_wait;
        let claim = format!("statement {} waits for a lock, or does not", index + 1);
        claims.push(StatedFigure::of_words(claim, wait.unwrap_or(stated_name), Some(words.to_owned()), same));
    }
    claims
}
