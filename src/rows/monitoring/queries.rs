//! `Top 3 most expensive database queries`: by execution time, waits marked, the share of lock waits with its denominator.

use std::sync::LazyLock;

use regex::Regex;

use super::figure::{Agreement, Form, StatedFigure, agreement};
use crate::model::{Queries, Query};
use crate::notation::{escape, table};

/// Statements a page lists.
const TOP: usize = 3;

/// What every row of this kind ends with: a reader would take the sums for time on the clock.
const BASIS: &str = "Ranked by execution time, summed over all sessions: it can exceed the duration of the test.";

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?P<rank>\d+): (?P<name>.*?)(?P<wait> — lock wait)? \((?P<value>[\d,]+) s\)\s*$")
        .expect("a constant")
});
static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)advisory-lock (?:statements|wait): (?P<value><?[\d.]+%) of the (?P<of>execution time of all statements|database time)")
        .expect("a constant")
});

/// The row's lines.
pub(super) fn lines(queries: &Queries) -> Vec<String> {
    let entry = |(index, query): (usize, &Query)| {
        let wait = if query.advisory_wait { " — **lock wait**" } else { "" };
        format!("{}: {}{wait} ({} s)", index + 1, name(query), Form::Whole.write(query.seconds))
    };
    let mut lines: Vec<String> = queries.ranking.iter().take(TOP).enumerate().map(entry).collect();
    if let Some(share) = queries.advisory_share().filter(|share| *share > 0.0) {
        let share = escape::cell(&Form::Share.write(share));
        lines.push(format!("Advisory-lock statements: {share} of the execution time of all statements."));
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
    let mut stated = Vec::new();
    for found in ENTRY.captures_iter(text) {
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        let Some(query) = part("rank").parse().ok().and_then(|rank: usize| queries.ranking.get(rank.checked_sub(1)?))
        else {
            continue;
        };
        let claim = format!("execution time of statement {}", part("rank"));
        stated.push(StatedFigure {
            claim,
            words: format!("{} s", part("value")),
            data: Some(format!("{} s", Form::Whole.write(query.seconds))),
            agreement: agreement(part("value"), Some(query.seconds), Form::Whole),
        });
        stated.extend(other_name(part("name"), query, queries));
        let waits = found.name("wait").is_some();
        if waits != query.advisory_wait && table::shown(&name(query)) == part("name") {
            let word = |waits: bool| if waits { "a lock wait" } else { "no lock wait" };
            stated.push(StatedFigure {
                claim: format!("statement {} waits for a lock", part("rank")),
                words: word(waits).to_owned(),
                data: Some(word(query.advisory_wait).to_owned()),
                agreement: Agreement::Differs,
            });
        }
    }
    if let Some(value) = SHARE.captures(text).and_then(|found| found.name("value")) {
        let share = queries.advisory_share();
        stated.push(StatedFigure {
            claim: "share of advisory-lock statements in the execution time of all".to_owned(),
            words: value.as_str().to_owned(),
            data: share.map(|share| Form::Share.write(share)),
            agreement: agreement(value.as_str(), share, Form::Share),
        });
    }
    stated
}

/// A statement at a rank that is another's; a name of a person's own is no claim.
fn other_name(name_on_page: &str, query: &Query, queries: &Queries) -> Option<StatedFigure> {
    let shown = |query: &Query| table::shown(&name(query));
    let is_other = queries.ranking.iter().any(|other| shown(other) == name_on_page) && shown(query) != name_on_page;
    is_other.then(|| StatedFigure {
        claim: "rank of a statement".to_owned(),
        words: name_on_page.to_owned(),
        data: Some(shown(query)),
        agreement: Agreement::Differs,
    })
}
