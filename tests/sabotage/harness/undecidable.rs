//! What no data can tell: the whole list. Every other change counts, and has to be reported on its row.
//!
//! The list is about pages and data, never about what `check` can read: a digit changed in any number that stands next to
//! its data is decidable.

use std::sync::LazyLock;

use regex::Regex;
use sweepdoc::notation::{duration, time};
use sweepdoc::rows::{KNOWN, Origin, RowId};

use super::changes::{Change, Way};
use super::figures::{Figure, Form};

/// What a page can be held against, its own k6 output aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Data {
    /// `evidence.json` lies beside it.
    pub evidence: bool,
    /// `output.json` lies beside it.
    pub chart: bool,
    /// The evidence holds what monitoring exported.
    pub monitoring: bool,
}

/// A change with what is known around it.
pub struct Context<'a> {
    pub change: &'a Change,
    pub figure: &'a Figure,
    /// The unchanged page.
    pub page: &'a str,
    /// The row before the figure.
    pub before: &'a str,
    /// The row after the figure and its unit.
    pub after: &'a str,
    pub data: Data,
    /// True for a figure that is reported on the unchanged page already.
    pub already_wrong: bool,
}

/// Why nothing can be said of some changes.
pub struct Undecidable {
    pub why: &'static str,
    applies: fn(&Context<'_>) -> bool,
}

/// The first reason that applies; `None` for a change that has to be found.
pub fn undecidable(context: &Context<'_>) -> Option<&'static str> {
    UNDECIDABLE.iter().find(|reason| (reason.applies)(context)).map(|reason| reason.why)
}

/// Every reason.
pub const UNDECIDABLE: &[Undecidable] = &[
    Undecidable {
        why: "a fact only people know, or a row of the author's own",
        applies: |c| match c.figure.id {
            None => true,
            Some(RowId::ProductVersion) => false,
            Some(id) => KNOWN.iter().any(|row| row.id == id && row.origin == Origin::Fact),
        },
    },
    Undecidable {
        why: "cloud metrics and queries without their exports",
        applies: |c| {
            let row = matches!(c.figure.id, Some(RowId::ProductMetrics | RowId::DatabaseMetrics | RowId::TopQueries));
            !c.data.monitoring && (row || is_prose(c) && CLOUD.is_match(&beside(c)))
        },
    },
    Undecidable {
        why: "wrong as it is published: another number is no more wrong, and may be the right one",
        applies: |c| c.already_wrong,
    },
    Undecidable {
        why: "k6's version without evidence: its output does not state it",
        applies: |c| c.figure.id == Some(RowId::K6Version) && !c.data.evidence,
    },
    Undecidable {
        why: "a time without seconds holds from 90 s before to 60 s after the first sample",
        applies: |c| is_edge(c) && c.figure.form == Form::Clock && minutes_moved(c).is_some_and(|moved| moved < 3),
    },
    Undecidable {
        why: "without evidence and chart data: from start to end it still lasts as long as k6 ran",
        applies: |c| !c.data.evidence && !c.data.chart && is_edge(c) && still_as_long(c),
    },
    Undecidable {
        why: "the time the run took, in other digits: as true as its plan",
        applies: |c| c.figure.id == Some(RowId::TestDuration) && is_time_taken(c),
    },
    Undecidable { why: "the rounded share of its two counts: as true as the one cut off", applies: is_rounded_share },
    Undecidable {
        why: "an absence that is true of more: a later `after`, an earlier `before`, a status there was none of",
        applies: |c| is_prose(c) && is_still_absent(c),
    },
    Undecidable {
        why: "said of another run or page, which is not there",
        applies: |c| is_prose(c) && OTHER_RUN.is_match(&clause(c)),
    },
    Undecidable {
        why: "without evidence: which statuses failed requests had",
        applies: |c| is_blind(c) && c.figure.form == Form::Status,
    },
    Undecidable {
        why: "without evidence: when failures happened, where no length, offset or other row says it too",
        applies: |c| is_blind(c) && (c.figure.form == Form::Clock && !is_said_twice(c) || PER_MINUTE.is_match(c.after)),
    },
    Undecidable {
        why: "without evidence: how long nothing failed",
        applies: |c| is_blind(c) && c.figure.form == Form::Length && c.before.ends_with("following "),
    },
    Undecidable {
        why: "without evidence: how many iterations an exception ended",
        applies: |c| is_blind(c) && ABORTED.is_match(c.before),
    },
    Undecidable {
        why: "a second more or less: whether a length counts both ends is left open",
        applies: |c| is_blind(c) && c.change.way == Way::OffByOne && c.figure.form == Form::Clock,
    },
];

/// What only a cloud's exports tell, in people's words.
static CLOUD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)query time|usage was|startup latency|\bcpu usage\b").expect("a fixed pattern"));
/// Words that turn a clause to another run.
static OTHER_RUN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bprevious\b|\bbefore commit\b|\bevery other target\b|\bseen on\b|\bat \d+ VUs the same\b")
        .expect("a fixed pattern")
});
static PER_MINUTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:[-–]\d+)? (?:per|a) minute").expect("a fixed pattern"));
static ABORTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"aborted \**$").expect("a fixed pattern"));

fn is_prose(c: &Context<'_>) -> bool {
    matches!(c.figure.id, Some(RowId::ObservedErrors | RowId::Outcome))
}

/// Prose on failures with nothing but k6's output to hold it against.
fn is_blind(c: &Context<'_>) -> bool {
    c.figure.id == Some(RowId::ObservedErrors) && !c.data.evidence
}

fn is_edge(c: &Context<'_>) -> bool {
    matches!(c.figure.id, Some(RowId::TestStart | RowId::TestEnd))
}

/// The words around a figure up to the next full stop, semicolon or colon.
fn clause(c: &Context<'_>) -> String {
    const MARKS: [&str; 4] = [". ", "; ", ": ", "<br/>"];
    let start = MARKS.iter().filter_map(|mark| c.before.rfind(mark).map(|at| at + mark.len())).max().unwrap_or(0);
    let end = MARKS.iter().filter_map(|mark| c.after.find(mark)).min().unwrap_or(c.after.len());
    format!("{}{}{}", &c.before[start..], c.change.was, &c.after[..end])
}

/// The words right beside a figure, so that what else its clause holds does not matter.
fn beside(c: &Context<'_>) -> String {
    let before: Vec<char> = c.before.chars().rev().take(26).collect();
    let after = c.after.chars().take(26);
    before.into_iter().rev().chain(c.change.was.chars()).chain(after).collect()
}

/// A window's start with its length before it or its offset after it, or its end with its length.
fn is_said_twice(c: &Context<'_>) -> bool {
    let near: String = c.before.chars().rev().take(60).collect::<String>().chars().rev().collect();
    let sentence = c.after.split(". ").next().unwrap_or_default();
    near.contains("-second") || c.before.ends_with("from ") && sentence.contains("into the run")
}

/// Minutes between two times without seconds, the shorter way round.
fn minutes_moved(c: &Context<'_>) -> Option<u32> {
    let minutes = |words: &str| {
        let (hours, minutes) = words.split_once(':')?;
        Some(hours.parse::<u32>().ok()? * 60 + minutes.parse::<u32>().ok()?)
    };
    let apart = minutes(&c.change.was)?.abs_diff(minutes(&c.change.is)?);
    Some(apart.min((24 * 60_u32).saturating_sub(apart)))
}

/// Seconds k6 says it ran, setup and teardown included.
fn run_seconds(page: &str) -> Option<f64> {
    static RUNNING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"running \((?:(\d+)h)?(?:(\d+)m)?(\d+(?:\.\d+)?)s\)").expect("a fixed pattern"));
    let found = RUNNING.captures_iter(page).last()?;
    let part = |group| found.get(group).map_or(Some(0.0), |m: regex::Match<'_>| m.as_str().parse::<f64>().ok());
    Some(part(1)? * 3600.0 + part(2)? * 60.0 + part(3)?)
}

/// Seconds a first second may lie after k6's own start, beside setup: to the first sample and from the last one.
const SLACK_SECONDS: f64 = 30.0;

fn still_as_long(c: &Context<'_>) -> bool {
    let stated = |label: &str| {
        let line = c.change.page.lines().find(|line| line.starts_with(&format!("| {label} ")))?;
        Some(time::read(line.split('|').nth(2)?.trim())?.unix_seconds())
    };
    let planned = || {
        let line = c.page.lines().find(|line| line.starts_with("| Test duration "))?;
        duration::read(line.split('|').nth(2)?.trim())?.value
    };
    let (Some(start), Some(end)) = (stated("Test start"), stated("Test end")) else { return false };
    let (Some(run), Some(plan)) = (run_seconds(c.page), planned()) else { return false };
    let lasts = (end - start) as f64;
    lasts <= run + 1.0 && lasts >= plan / 1000.0 - SLACK_SECONDS
}

fn is_still_absent(c: &Context<'_>) -> bool {
    static ABSENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bNo [^.;:]*?(?:(after|before) |HTTP )$").expect("a fixed pattern"));
    let Some(found) = ABSENT.captures(c.before) else { return false };
    // times of one form are in the order of their words
    match found.get(1).map(|word| word.as_str()) {
        Some("after") => c.change.is > c.change.was,
        Some(_) => c.change.is < c.change.was,
        None => c.figure.form == Form::Status,
    }
}

fn is_time_taken(c: &Context<'_>) -> bool {
    let number: String = c.change.is.chars().take_while(char::is_ascii_digit).collect();
    let unit = match c.change.is.trim_start_matches(|d: char| d.is_ascii_digit()).trim() {
        "min" | "m" => 60.0,
        "s" => 1.0,
        _ => return false,
    };
    let (Some(run), Ok(stated)) = (run_seconds(c.page), number.parse::<f64>()) else { return false };
    stated == (run / unit).round() || stated == (run / unit).floor()
}

/// `50 HTTP 503** (89.28% of 56)` and `225 of 171,987 requests failed (0.13%)`: the share, rounded instead of cut off.
fn is_rounded_share(c: &Context<'_>) -> bool {
    static TOTAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([\d,]+) of ([\d,]+) \w+ failed \(\\?<?$").expect("a fixed pattern"));
    static PART: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"([\d,]+) [A-Za-z][^(.]*\($").expect("a fixed pattern"));
    static WHOLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^ of ([\d,]+)").expect("a fixed pattern"));
    let number = |m: regex::Match<'_>| m.as_str().replace(',', "").parse::<f64>().ok();
    let of_total = || {
        let found = TOTAL.captures(c.before)?;
        number(found.get(1)?).zip(number(found.get(2)?))
    };
    let of_part = || number(PART.captures(c.before)?.get(1)?).zip(number(WHOLE.captures(c.after)?.get(1)?));
    let Some((part, whole)) = of_total().or_else(of_part) else { return false };
    let digits = c.change.is.trim_end_matches('%');
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    c.figure.form == Form::Share && format!("{:.decimals$}", part / whole * 100.0) == digits
}
