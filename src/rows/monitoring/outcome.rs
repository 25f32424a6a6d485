//! `flowchart outcome`: the verdict, the rule that decided, and the figures it was decided by.

use std::sync::LazyLock;

use regex::Regex;

use super::figure::{Form, StatedFigure, compiled};
use crate::model::{LockShareOf, Outcome, OutcomeFigures, OutcomeRule, OutcomeThresholds, OutcomeVerdict, Resource};
use crate::notation::table::shown;
use crate::notation::{count, escape, number, per_second};

/// The verdict in the methodology's words.
pub(crate) fn verdict_words(outcome: &Outcome) -> String {
    words(outcome.verdict, &outcome.resources)
}

pub(super) fn words(verdict: OutcomeVerdict, resources: &[Resource]) -> String {
    match verdict {
        OutcomeVerdict::Scale => {
            let name = |resource: &Resource| match resource {
                Resource::Database => "database",
                Resource::Containers => "containers",
            };
            match resources {
                [] => "Scale".to_owned(),
                resources => format!("Scale ({})", resources.iter().map(name).collect::<Vec<_>>().join(", ")),
            }
        }
        OutcomeVerdict::LogAndScale => "Log potential issue and scale".to_owned(),
        OutcomeVerdict::Terminate => "Terminate".to_owned(),
        OutcomeVerdict::NotEnoughEvidence => "Not enough evidence".to_owned(),
    }
}

/// The cell.
pub(super) fn cell(outcome: &Outcome) -> String {
    let text = format!("**{}.** {} {}", verdict_words(outcome), reason(outcome), figures(outcome));
    text.trim().to_owned()
}

fn reason(outcome: &Outcome) -> String {
    let OutcomeThresholds {
        database_cpu_percent,
        container_cpu_percent,
        client_cpu_percent,
        lock_share_percent,
        critical_failed_percent,
        least_gain_percent,
    } = outcome.thresholds;
    let percent = |value: f64| format!("{}%", number::shortest(value, 2));
    match outcome.rule {
        OutcomeRule::CriticalFailures => {
            format!("Failed requests are critical from {} on.", percent(critical_failed_percent))
        }
        OutcomeRule::NoGain => format!("A gain under {} over the baseline ends scaling.", percent(least_gain_percent)),
        OutcomeRule::LockWaits => {
            format!("Locks limit from {} of the query time on, before hardware does.", percent(lock_share_percent))
        }
        OutcomeRule::LoadGenerator => {
            format!("The load generator limits from a median CPU of {} on.", percent(client_cpu_percent))
        }
        OutcomeRule::Saturation => {
            let (database, containers) = (percent(database_cpu_percent), percent(container_cpu_percent));
            match outcome.resources.as_slice() {
                [Resource::Database] => format!("The database is saturated from a median CPU of {database} on."),
                [Resource::Containers] => format!("Containers are saturated from a median CPU of {containers} on."),
                _ => format!(
                    "The database is saturated from a median CPU of {database} on, containers from {containers}."
                ),
            }
        }
        OutcomeRule::ShortOfLoad => "Nothing ran out, and the load was less than planned: VUs were missing.".to_owned(),
        OutcomeRule::NothingExhausted => {
            let (database, containers) = (percent(database_cpu_percent), percent(container_cpu_percent));
            format!(
                "Nothing ran out: the database is saturated from a median CPU of {database} on, containers from {containers}."
            )
        }
        OutcomeRule::Missing => "The CPU of database and containers would decide.".to_owned(),
    }
}

/// Every known figure, in one sentence.
fn figures(outcome: &Outcome) -> String {
    let OutcomeThresholds {
        database_cpu_percent, container_cpu_percent, client_cpu_percent, lock_share_percent, ..
    } = outcome.thresholds;
    let share = |value: f64, limit: f64| escape::cell(&share_beside(value, limit));
    let OutcomeFigures {
        database_cpu,
        container_cpu,
        client_cpu,
        lock_share,
        failed_share,
        dropped_iterations,
        missing_vus,
        gain,
        baseline_per_second,
    } = &outcome.figures;
    let lock = lock_share.map(|lock| {
        let of = match lock.of {
            LockShareOf::AllStatements => "all statements",
            LockShareOf::ListedStatements => "the listed statements",
        };
        format!("advisory-lock statements {} of the execution time of {of}", share(lock.share, lock_share_percent))
    });
    let parts: Vec<String> = [
        database_cpu.map(|cpu| format!("database CPU {} median", share(cpu, database_cpu_percent))),
        container_cpu.map(|cpu| format!("container CPU {} median", share(cpu, container_cpu_percent))),
        client_cpu.map(|cpu| format!("load generator CPU {} median", share(cpu, client_cpu_percent))),
        lock,
        failed_share.map(|failed| format!("failed requests {}", escape::cell(&failed_words(failed)))),
        dropped_iterations.filter(|n| *n > 0).map(|n| format!("{} iterations never started", count::write(n))),
        missing_vus.filter(|n| *n > 0).map(|n| format!("{} VUs never ran", count::write(n))),
        gain.zip(*baseline_per_second).map(|(gain, baseline)| {
            format!("gain {} over the baseline's {}/s", gain_words(gain), per_second::throughput(baseline))
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { String::new() } else { format!("Figures: {}.", parts.join(", ")) }
}

/// Whole percent; where that would round up to a limit that is not reached, cut off behind two decimals.
fn share_beside(share: f64, limit_percent: f64) -> String {
    let reached = |share: f64| OutcomeFigures::reaches(share, limit_percent);
    match reached((share * 100.0).round() / 100.0) && !reached(share) {
        true => format!("{}%", number::shortest(number::truncate(share * 100.0, 2), 2)),
        false => Form::Share.write(share),
    }
}

/// Two decimals, cut off, as shares of counts are written everywhere.
fn failed_words(share: f64) -> String {
    let percent = number::to_fixed(number::truncate(share * 100.0, 2), 2);
    if share > 0.0 && percent == "0.00" { "<0.01%".to_owned() } else { format!("{percent}%") }
}

/// One decimal, with its sign where it is a loss.
fn gain_words(gain: f64) -> String {
    format!("{}%", number::shortest(gain * 100.0, 1))
}

/// Verdicts as pages word them, the surest words first.
static VERDICTS: LazyLock<Vec<(Regex, OutcomeVerdict)>> = LazyLock::new(|| {
    [
        (r"(?i)^\W*not enough evidence\b", OutcomeVerdict::NotEnoughEvidence),
        (r"(?i)^\W*(?:log )?potential issues?\b", OutcomeVerdict::LogAndScale),
        (r"(?i)^\W*(?:terminate|halt tests|stop)\b", OutcomeVerdict::Terminate),
        (r"(?i)^\W*scale\b", OutcomeVerdict::Scale),
    ]
    .into_iter()
    .map(|(pattern, verdict)| (Regex::new(pattern).expect("a constant"), verdict))
    .collect()
});

/// The verdict a cell begins with, and its words; `None` for other words.
pub(crate) fn read_verdict(text: &str) -> Option<(OutcomeVerdict, &str)> {
    VERDICTS.iter().find_map(|(pattern, verdict)| {
        let found = pattern.find(text)?;
        Some((*verdict, found.as_str().trim_matches(|c: char| !c.is_alphanumeric())))
    })
}

/// The verdict a cell begins with and the resources it names behind it: `Scale (database)`.
pub(crate) fn stated_outcome(cell: &str) -> Option<(OutcomeVerdict, Vec<Resource>)> {
    let text = shown(cell);
    let (verdict, _) = read_verdict(&text)?;
    let named = SCALED.captures(&text).and_then(|found| found.get(1)).map_or("", |named| named.as_str()).to_lowercase();
    let all = [(Resource::Database, "database"), (Resource::Containers, "containers")];
    Some((verdict, all.into_iter().filter(|(_, name)| named.contains(name)).map(|(resource, _)| resource).collect()))
}

static SCALED: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)^\W*scale \(([^)]*)\)"));

/// A share of the sentence, and where it comes from.
struct Share {
    claim: &'static str,
    pattern: LazyLock<Regex>,
    data: fn(&OutcomeFigures) -> Option<f64>,
}

static SHARES: [Share; 4] = [
    Share {
        claim: "median CPU of the database",
        pattern: LazyLock::new(|| compiled(r"(?i)\bdatabase CPU (?P<value><?[\d.]+%)")),
        data: |figures| figures.database_cpu,
    },
    Share {
        claim: "median CPU of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bcontainer CPU (?P<value><?[\d.]+%)")),
        data: |figures| figures.container_cpu,
    },
    Share {
        claim: "median CPU of the load generator",
        pattern: LazyLock::new(|| compiled(r"(?i)\bload generator CPU (?P<value><?[\d.]+%)")),
        data: |figures| figures.client_cpu,
    },
    Share {
        claim: "share of advisory-lock statements in the execution time of all",
        pattern: LazyLock::new(|| {
            compiled(r"(?i)advisory-lock statements (?P<value><?[\d.]+%) of the execution time of all statements")
        }),
        data: |figures| figures.lock_share.filter(|lock| lock.of == LockShareOf::AllStatements).map(|lock| lock.share),
    },
];

/// Every figure the text states, held against those the outcome was decided by.
pub(super) fn stated(text: &str, outcome: &Outcome) -> Vec<StatedFigure> {
    let mut stated = Vec::new();
    for Share { claim, pattern, data } in &SHARES {
        let Some(value) = pattern.captures(text).and_then(|found| found.name("value")) else { continue };
        stated.push(StatedFigure::of(*claim, value, data(&outcome.figures), Form::Share));
    }
    let figures = &outcome.figures;
    let percent = |limit: f64| format!("{}%", number::shortest(limit, 2));
    let limit = limit(outcome).map(percent);
    let container_limit = Some(percent(outcome.thresholds.container_cpu_percent));
    for (claim, pattern, known) in [
        ("share of failed requests", &FAILED, figures.failed_share.map(failed_words)),
        ("iterations that never started", &DROPPED, figures.dropped_iterations.map(count::write)),
        ("VUs that never ran", &MISSING_VUS, figures.missing_vus.map(count::write)),
        ("gain over the baseline", &GAIN, figures.gain.map(gain_words)),
        ("iterations per second of the baseline", &BASELINE, figures.baseline_per_second.map(per_second::throughput)),
        ("threshold of the rule that decided", &LIMIT, limit),
        ("threshold of the containers", &CONTAINER_LIMIT, container_limit),
    ] {
        if let Some(value) = pattern.captures(text).and_then(|found| found.name("value")) {
            let same = known.as_deref() == Some(value.as_str());
            stated.push(StatedFigure::of_words(claim, value, known, same));
        }
    }
    stated
}

static DROPPED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bfigures:[^\n]*?\b(?P<value>[\d,]+) iterations never started").expect("a constant")
});
static MISSING_VUS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bfigures:[^\n]*?\b(?P<value>[\d,]+) VUs never ran").expect("a constant"));
static GAIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bfigures:[^\n]*?\bgain (?P<value>-?[\d.]+%) over the baseline").expect("a constant")
});
static BASELINE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bover the baseline's (?P<value>[\d.]+)/s").expect("a constant"));

static FAILED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bfigures:[^\n]*\bfailed requests (?P<value><?[\d.]+%)").expect("a constant"));
static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:limits? from|critical from|saturated from|gain under) (?:a median CPU of )?(?P<value>[\d.]+%)",
    )
    .expect("a constant")
});
static CONTAINER_LIMIT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i) on, containers from (?P<value>[\d.]+%)").expect("a constant"));

/// The threshold a reason names first.
fn limit(outcome: &Outcome) -> Option<f64> {
    let thresholds = outcome.thresholds;
    match outcome.rule {
        OutcomeRule::CriticalFailures => Some(thresholds.critical_failed_percent),
        OutcomeRule::NoGain => Some(thresholds.least_gain_percent),
        OutcomeRule::LockWaits => Some(thresholds.lock_share_percent),
        OutcomeRule::Saturation if outcome.resources == [Resource::Containers] => {
            Some(thresholds.container_cpu_percent)
        }
        OutcomeRule::Saturation | OutcomeRule::NothingExhausted => Some(thresholds.database_cpu_percent),
        OutcomeRule::LoadGenerator => Some(thresholds.client_cpu_percent),
        OutcomeRule::ShortOfLoad | OutcomeRule::Missing => None,
    }
}
