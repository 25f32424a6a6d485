use super::quoted::quoted;
use super::timeline::Timeline;
use super::{causes, escaped_percent, words};
use crate::model::{Burst, NamedCount, PerMinute, Phase, Population, PopulationOrigin, Shape};

/// Most requests named for one population; more are counted.
const NAMED_REQUESTS: usize = 3;

/// One population: `(1) **150 HTTP 503** (66.66% of 225): one burst …`.
///
/// `failed` is the number of failed requests its share is of; without one it has no share.
pub(super) fn clause(population: &Population, failed: Option<u64>, timeline: &Timeline<'_>) -> String {
    let share = failed
        .map(|failed| format!(" ({} of {})", escaped_percent(population.count, failed), words::count(failed)))
        .unwrap_or_default();
    let head = format!(
        "({}) **{} {}**{share}{}",
        population.id,
        words::count(population.count),
        causes::in_words(population),
        causes::remarks(population)
    );
    let details: Vec<String> = [
        phase(population.phase).map(str::to_owned),
        Some(times(population, timeline)),
        requests(&population.requests, population.count),
        timeline.neighbours(population),
    ]
    .into_iter()
    .flatten()
    .collect();
    let origin = if population.origin == PopulationOrigin::Log { " Known from the log's lines only." } else { "" };
    format!("{head}: {}.{origin}", details.join("; "))
}

/// Which part of the script it was, unless it was the test itself.
fn phase(phase: Phase) -> Option<&'static str> {
    match phase {
        Phase::Test | Phase::Unknown => None,
        Phase::Setup => Some("in setup, before the test"),
        Phase::Teardown => Some("in teardown, after the test"),
        Phase::Outside => Some("in setup or teardown, outside the test"),
    }
}

/// Says once that phases could not be told apart, if that is so.
pub(super) fn phase_remark(populations: &[Population]) -> Option<String> {
    let unknown = populations.iter().any(|p| p.phase == Phase::Unknown && p.origin == PopulationOrigin::Raw);
    unknown.then(|| "Setup and teardown could not be told from the test.".to_owned())
}

/// When, how long, how dense and how far into the run.
fn times(population: &Population, timeline: &Timeline<'_>) -> String {
    let (Some(first), Some(last)) = (population.first, population.last) else {
        return "at times not recorded".to_owned();
    };
    let whole = Burst { start: first, end: last, count: population.count };
    if population.count == 1 {
        return joined(&[timeline.interval(first, last)], timeline.position(first));
    }
    match population.shape {
        Some(Shape::Burst) => format!("one burst of {}", burst(&whole, timeline)),
        Some(Shape::Bursts) => bursts(population, timeline),
        Some(Shape::Sustained) => sustained(population, &whole, timeline),
        Some(Shape::Scattered) => scattered(population, &whole, timeline),
        None => burst(&whole, timeline),
    }
}

/// `55s from 13:43:19 to 13:44:13 UTC, 2min into the run`.
fn burst(burst: &Burst, timeline: &Timeline<'_>) -> String {
    let length = words::minutes(seconds(burst));
    let lasts = burst.end.unix_seconds() > burst.start.unix_seconds();
    let at_the_start = lasts && timeline.starts_at(burst.start);
    let position = if at_the_start { timeline.beginning(burst.start) } else { timeline.position(burst.start) };
    joined(&[format!("{length} {}", timeline.interval(burst.start, burst.end))], position)
}

/// Whole seconds, both ends counted.
fn seconds(burst: &Burst) -> u64 {
    u64::try_from(burst.end.unix_seconds() - burst.start.unix_seconds()).unwrap_or_default() + 1
}

fn bursts(population: &Population, timeline: &Timeline<'_>) -> String {
    let each = |b: &Burst| format!("{} in {}", words::count(b.count), burst(b, timeline));
    let list = population.bursts.iter().map(each).collect::<Vec<_>>().join("; ");
    let held: u64 = population.bursts.iter().map(|b| b.count).fold(0, u64::saturating_add);
    let outside = match population.count.saturating_sub(held) {
        0 => String::new(),
        n => format!("; {} outside them", words::count(n)),
    };
    format!("{} bursts: {list}{outside}", population.bursts.len())
}

fn sustained(population: &Population, whole: &Burst, timeline: &Timeline<'_>) -> String {
    let range = population.per_minute.filter(|_| timeline.minutes().is_some()).map(|m| match m.min == m.max {
        true => format!("{} a minute", words::count(m.max)),
        false => format!("{} to {} a minute", words::count(m.min), words::count(m.max)),
    });
    let span = format!("sustained {}", timeline.interval(whole.start, whole.end));
    let parts: Vec<String> =
        [Some(span), minutes(population.per_minute, timeline), range].into_iter().flatten().collect();
    joined(&parts, timeline.beginning(whole.start))
}

fn scattered(population: &Population, whole: &Burst, timeline: &Timeline<'_>) -> String {
    let span = format!("scattered {}", timeline.interval(whole.start, whole.end));
    let parts: Vec<String> = [Some(span), minutes(population.per_minute, timeline)].into_iter().flatten().collect();
    joined(&parts, timeline.beginning(whole.start))
}

/// `in 28 of 31 minutes`.
fn minutes(per_minute: Option<PerMinute>, timeline: &Timeline<'_>) -> Option<String> {
    let with = per_minute?.minutes_with_failures;
    Some(match timeline.minutes()? {
        all if all == with => format!("in every one of {all} minutes"),
        all => format!("in {with} of {all} minutes"),
    })
}

fn joined(parts: &[String], last: Option<String>) -> String {
    parts.iter().cloned().chain(last).collect::<Vec<_>>().join(", ")
}

/// Which requests failed: all of one name, each of a few, or the most frequent of many.
fn requests(requests: &[NamedCount], count: u64) -> Option<String> {
    let (first, more) = requests.split_first()?;
    let named: u64 = requests.iter().map(|r| r.count).fold(0, u64::saturating_add);
    let each = |r: &NamedCount| format!("{} ({})", quoted(&r.name), words::count(r.count));
    if more.is_empty() && named == count {
        let all = if count == 1 { "" } else { "all " };
        return Some(format!("{all}on {}", quoted(&first.name)));
    }
    if requests.len() <= NAMED_REQUESTS && named == count {
        return Some(format!("on {}", requests.iter().map(each).collect::<Vec<_>>().join(", ")));
    }
    Some(format!("most on {}", each(first)))
}
