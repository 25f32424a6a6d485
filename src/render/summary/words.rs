//! Sentences about goals and about what makes runs incomparable.

use crate::model::{Difference, DifferingValue, GoalResult, Remark, Scope, SweepFigure};
use crate::notation::table::shown;
use crate::notation::{column, count, duration, escape, number, per_second};

/// Most names a sentence lists.
const MOST_NAMES: usize = 5;

/// Longest value a sentence quotes, in characters; longer ones are only told apart.
const LONGEST_VALUE: usize = 60;

/// `login reached 1076/s against 1000/s: met, 7.6% above`.
pub fn goal(result: &GoalResult, scope: Scope) -> String {
    let goal = &result.goal;
    let (name, limit) = (escape::cell(&goal.target), result.limit().unwrap_or_default());
    let of = match goal.figure {
        SweepFigure::IterationsPerSecond => String::new(),
        SweepFigure::Latency(stat) => format!("{} ", column::name(crate::model::SweepColumn::Latency(stat))),
    };
    let phase = if scope == Scope::Test { " in the test phase" } else { "" };
    let stated = match &goal.link {
        Some(link) => format!("[{}]({})", quantity(goal.figure, limit), destination(link)),
        None => quantity(goal.figure, limit),
    };
    let (Some(reached), Some(met)) = (result.reached, result.met()) else {
        return format!("{name} {of}against {stated}: not measured");
    };
    let shown = distinct(goal.figure, reached, limit);
    let verdict = if met { "met" } else { "not met" };
    format!("{name} reached {of}{shown}{phase} against {stated}: {verdict}{}", by_how_much(reached, limit))
}

fn quantity(figure: SweepFigure, value: f64) -> String {
    match figure {
        SweepFigure::IterationsPerSecond => per_second::throughput(value) + "/s",
        SweepFigure::Latency(_) => duration::write(value),
    }
}

/// The figure in its usual digits; in more when it would read like the limit it is not.
fn distinct(figure: SweepFigure, reached: f64, limit: f64) -> String {
    let usual = quantity(figure, reached);
    if reached == limit || usual != quantity(figure, limit) {
        return usual;
    }
    match figure {
        SweepFigure::IterationsPerSecond => per_second::write(reached),
        SweepFigure::Latency(_) => number::write(reached) + "ms",
    }
}

/// `, 7.6% above`; nothing at the limit itself, or when the limit is 0.
fn by_how_much(reached: f64, limit: f64) -> String {
    if limit == 0.0 || reached == limit {
        return String::new();
    }
    let percent = (reached - limit).abs() / limit * 100.0;
    let direction = if reached > limit { "above" } else { "below" };
    match number::to_fixed(percent, 1).as_str() {
        "0.0" => format!(", less than 0.1% {direction}"),
        percent => format!(", {percent}% {direction}"),
    }
}

/// A link's destination that can end neither the link nor the line.
fn destination(link: &str) -> String {
    let escaped = |c: char| match c {
        '(' => "%28".to_owned(),
        ')' => "%29".to_owned(),
        '<' => "%3C".to_owned(),
        '>' => "%3E".to_owned(),
        '{' => "%7B".to_owned(),
        '}' => "%7D".to_owned(),
        '|' => "%7C".to_owned(),
        '\\' => "%5C".to_owned(),
        c if c.is_whitespace() || c.is_control() => "%20".to_owned(),
        c => c.to_string(),
    };
    link.trim().chars().map(escaped).collect()
}

/// A remark as a sentence; `runs` is the number of runs in the table.
pub fn remark(remark: &Remark, runs: usize) -> String {
    match remark {
        Remark::NoFigures { targets } => format!("Nothing is known of the figures of {}.", names(targets)),
        Remark::SameOutput { targets } => {
            format!("{} have the same k6 output: it can be that of one of them only.", names(targets))
        }
        Remark::NotAsPlanned { target, ran_seconds, planned_seconds, interrupted } => {
            not_as_planned(target, *ran_seconds, *planned_seconds, *interrupted)
        }
        Remark::Overlap { first, second } => {
            format!("{} and {} ran at the same time: on one system they disturb each other.", cell(first), cell(second))
        }
        Remark::Differs { what, groups } => differs(what, groups, runs),
        Remark::Recomputed { targets } => {
            format!("k6 printed no summary for {}: the figures were computed from raw output.", names(targets))
        }
    }
}

fn not_as_planned(target: &str, ran: Option<f64>, planned: Option<f64>, interrupted: Option<u64>) -> String {
    let mut details = Vec::new();
    if let Some(ran) = ran {
        let planned = planned.map(|planned| format!(" of {} planned", duration::prose(planned.round())));
        details.push(format!("it ran {}{}", duration::prose(ran.round()), planned.unwrap_or_default()));
    }
    match interrupted {
        Some(0) | None => {}
        Some(1) => details.push("1 iteration was interrupted".to_owned()),
        Some(n) => details.push(format!("{} iterations were interrupted", count::write(n))),
    }
    let details = if details.is_empty() { String::new() } else { format!(": {}", details.join(", ")) };
    format!("{} did not end as planned{details}.", cell(target))
}

fn differs(what: &Difference, groups: &[(DifferingValue, Vec<String>)], runs: usize) -> String {
    let subject = match what {
        Difference::Vus => "VUs differ".to_owned(),
        Difference::K6Version => "k6 versions differ".to_owned(),
        Difference::PlannedDuration => "Planned durations differ".to_owned(),
        Difference::Fact(label) => format!("{} differs", cell(label)),
    };
    let short = groups.iter().all(|(value, _)| written(value).chars().count() <= LONGEST_VALUE);
    let parts = groups.iter().enumerate().map(|(at, (value, targets))| {
        let value = match (short, at) {
            (true, _) => written(value),
            (false, 0) => "one text".to_owned(),
            (false, _) => "another".to_owned(),
        };
        let whose =
            if at == 0 && targets.len() > 1 { format!("{} of {runs} runs", targets.len()) } else { names(targets) };
        format!("{value} for {whose}")
    });
    format!("{subject}: {}.", parts.collect::<Vec<_>>().join(", "))
}

fn written(value: &DifferingValue) -> String {
    match value {
        DifferingValue::Vus(vus) => vus.to_string(),
        DifferingValue::Seconds(seconds) => duration::prose(*seconds),
        DifferingValue::Text(markdown) => cell(&shown(markdown)),
        DifferingValue::Absent => "not stated".to_owned(),
    }
}

fn cell(text: &str) -> String {
    escape::cell(text)
}

/// `a`, `a and b`, `a, b, c, d, e and 3 others`.
fn names(targets: &[String]) -> String {
    let mut names: Vec<String> = targets.iter().take(MOST_NAMES).map(|target| cell(target)).collect();
    match targets.len() - names.len() {
        0 => {}
        1 => names.push("1 other".to_owned()),
        n => names.push(format!("{n} others")),
    }
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}
