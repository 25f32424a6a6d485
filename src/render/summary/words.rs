//! Sentences about goals and about what makes runs incomparable.

use crate::model::{Difference, DifferingValue, GoalResult, Remark, Scope, SweepColumn, SweepFigure, UnplannedEnd};
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
        SweepFigure::Latency(stat) => format!("{} ", column::name(SweepColumn::Latency(stat))),
    };
    let phase = if scope == Scope::Test { " in the test phase" } else { "" };
    let stated = match &goal.link {
        Some(link) => format!("[{}]({})", quantity(goal.figure, limit), destination(link)),
        None => quantity(goal.figure, limit),
    };
    let (Some(reached), Some(met)) = (result.reached, result.met()) else {
        return format!("{name} {of}against {stated}: not measured");
    };
    let shown = result.printed.clone().unwrap_or_else(|| distinct(goal.figure, reached, limit));
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

/// What stands below a table that was cut: how many runs it shows, and where the others are.
pub fn shortened(shown: usize, runs: usize, notes: bool, full_table: Option<&str>) -> String {
    let left_out = if notes { "" } else { ", without goals and remarks" };
    let full = match full_table {
        Some(link) => format!("see the [full table]({})", destination(link)),
        None => "`sweepdoc summary` prints the full table".to_owned(),
    };
    format!("Shortened to fit: {shown} of {runs} runs, the fastest{left_out}; {full}.\n")
}

/// The picture of all runs as an image; `None` without one, and where its place depends on a version nobody knows.
pub fn picture(version: Option<&str>, place: Option<&str>) -> Option<String> {
    const VERSION: &str = "{version}";
    let place = match (place?, version) {
        (place, Some(version)) => place.replace(VERSION, version),
        (place, None) if place.contains(VERSION) => return None,
        (place, None) => place.to_owned(),
    };
    let words = "Latencies, iterations and failed requests of every target over time";
    Some(format!("![{words}]({})\n", destination(&place)))
}

/// A remark as sentences; `runs` is the number of runs in the table.
pub fn remark(remark: &Remark, runs: usize) -> Vec<String> {
    vec![match remark {
        Remark::NoFigures { targets } => format!("Nothing is known of the figures of {}.", names(targets)),
        Remark::SameOutput { targets } => {
            format!("{} have the same k6 output: it can be that of one of them only.", names(targets))
        }
        Remark::NotAsPlanned { runs } => return not_as_planned(runs),
        Remark::Overlap { pairs } => {
            let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("{} with {}", cell(a), cell(b))).collect();
            format!("Runs at the same time disturb each other on one system: {}.", listed(&pairs))
        }
        Remark::Differs { what, groups } => differs(what, groups, runs),
        Remark::Recomputed { targets } => {
            format!("k6 printed no summary for {}: the figures were computed from raw output.", names(targets))
        }
    }]
}

/// One sentence for each run, the last for those there is no room for.
fn not_as_planned(runs: &[UnplannedEnd]) -> Vec<String> {
    let (told, others) = runs.split_at(runs.len().min(MOST_NAMES));
    let mut sentences: Vec<String> = told.iter().map(unplanned_end).collect();
    if !others.is_empty() {
        sentences.push(format!("Of the other runs {} did not end as planned.", others.len()));
    }
    sentences
}

fn unplanned_end(run: &UnplannedEnd) -> String {
    let mut details = Vec::new();
    if let Some(ran) = run.ran_seconds {
        let planned = run.planned_seconds.map(|planned| format!(" of {} planned", duration::prose(planned.round())));
        details.push(format!("it ran {}{}", duration::prose(ran.round()), planned.unwrap_or_default()));
    }
    match run.interrupted {
        Some(0) | None => {}
        Some(1) => details.push("1 iteration was interrupted".to_owned()),
        Some(n) => details.push(format!("{} iterations were interrupted", count::write(n))),
    }
    let details = if details.is_empty() { String::new() } else { format!(": {}", details.join(", ")) };
    format!("{} did not end as planned{details}.", cell(&run.target))
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

fn names(targets: &[String]) -> String {
    listed(&targets.iter().map(|target| cell(target)).collect::<Vec<_>>())
}

/// `a`, `a and b`, `a, b, c, d, e and 3 others`.
fn listed(items: &[String]) -> String {
    let mut shown: Vec<String> = items.iter().take(MOST_NAMES).cloned().collect();
    match items.len() - shown.len() {
        0 => {}
        1 => shown.push("1 other".to_owned()),
        n => shown.push(format!("{n} others")),
    }
    let last = shown.pop().unwrap_or_default();
    if shown.is_empty() { last } else { format!("{} and {last}", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Goal;

    fn texts(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lists_end_with_and_and_name_at_most_five() {
        assert_eq!(names(&texts(&["a"])), "a");
        assert_eq!(names(&texts(&["a", "b"])), "a and b");
        assert_eq!(names(&texts(&["a", "b", "c", "d", "e", "f"])), "a, b, c, d, e and 1 other");
        assert_eq!(names(&texts(&["a", "b", "c", "d", "e", "f", "g"])), "a, b, c, d, e and 2 others");
    }

    #[test]
    fn long_facts_are_told_apart_but_not_quoted() {
        let group = |text: &str, runs: &[&str]| (DifferingValue::Text(text.to_owned()), texts(runs));
        let long = "vCPU: 2<br/>".repeat(9);
        let differs = |first: &str| Remark::Differs {
            what: Difference::Fact("Database".to_owned()),
            groups: vec![
                group(first, &["a", "b"]),
                group("**psql** 17", &["c"]),
                (DifferingValue::Absent, texts(&["d"])),
            ],
        };
        assert_eq!(
            remark(&differs(&long), 4),
            ["Database differs: one text for 2 of 4 runs, another for c, another for d."]
        );
        let short = "Database differs: psql 16 for 2 of 4 runs, psql 17 for c, not stated for d.";
        assert_eq!(remark(&differs("psql 16"), 4), [short]);
    }

    #[test]
    fn many_runs_that_went_wrong_are_counted() {
        let end = |n: usize| UnplannedEnd {
            target: format!("t{n}"),
            ran_seconds: Some(2526.8),
            planned_seconds: Some(1800.0),
            interrupted: Some(1),
        };
        let sentences = remark(&Remark::NotAsPlanned { runs: (0..9).map(end).collect() }, 300);
        assert_eq!(sentences.len(), 6);
        let wanted = "t0 did not end as planned: it ran 42min 7s of 30min planned, 1 iteration was interrupted.";
        assert_eq!(sentences[0], wanted);
        assert_eq!(sentences[5], "Of the other runs 4 did not end as planned.");
        let pairs = (0..7).map(|n| (format!("a{n}"), format!("b{n}"))).collect();
        let overlap = remark(&Remark::Overlap { pairs }, 300);
        assert_eq!(
            overlap,
            [
                "Runs at the same time disturb each other on one system: a0 with b0, a1 with b1, a2 with b2, a3 with b3, a4 with b4 and 2 others."
            ]
        );
    }

    #[test]
    fn a_goal_exactly_reached_is_met_and_one_of_nothing_has_no_percentage() {
        let sentence = |limit: f64, reached: f64| {
            let goal = Goal {
                target: "login".to_owned(),
                figure: SweepFigure::IterationsPerSecond,
                at_least: Some(limit),
                at_most: None,
                link: None,
            };
            super::goal(&GoalResult { goal, reached: Some(reached), printed: None }, Scope::Run)
        };
        assert_eq!(sentence(1000.0, 1000.0), "login reached 1000/s against 1000/s: met");
        assert_eq!(sentence(1000.0, 1076.0), "login reached 1076/s against 1000/s: met, 7.6% above");
        assert_eq!(sentence(1000.0, 999.9), "login reached 999.9/s against 1000/s: not met, less than 0.1% below");
        assert_eq!(sentence(0.0, 5.0), "login reached 5.0/s against 0/s: met");
    }

    #[test]
    fn a_link_can_end_neither_the_link_nor_the_line() {
        assert_eq!(destination(" https://x.test/a (b)|{c}\n "), "https://x.test/a%20%28b%29%7C%7Bc%7D");
    }
}
