//! What a picture says in words: headings, keys, causes, and the description for those who do not see it.

use super::cpu::Cpu;
use super::data::{Cause, Latency};
use super::downsample::Point;
use crate::model::{Evidence, Percentile, Phase, Population, Shape, Time, TrendStats, Window};
use crate::notation::{count, duration, per_second, percent, time};
use crate::rows::cause_in_words;

/// Quantiles of a line each, with the names of their classes.
pub(super) const QUANTILES: [(Percentile, &str); 3] =
    [(Percentile::P50, "q0"), (Percentile::P95, "q1"), (Percentile::P99, "q2")];

/// `2026-08-27 13:41:19 to 14:11:30 UTC`; the date twice when it changes, a single second once.
pub(super) fn span(window: Window) -> String {
    let (Some(start), Some(end)) = (Time::from_unix_seconds(window.start), Time::from_unix_seconds(window.end)) else {
        return String::new();
    };
    if start == end {
        return time::write(start);
    }
    let date = |time: Time| time.to_utc().date_naive();
    let last = if date(start) == date(end) { time::clock(end) + " UTC" } else { time::write(end) };
    format!("{} to {last}", time::write(start).trim_end_matches(" UTC"))
}

/// `200 VUs · 34,399 iterations · no failed requests`, as far as it is known.
pub(super) fn load(evidence: &Evidence) -> String {
    let vus = evidence.k6.vus_max.map(|n| format!("{} VUs", count::write(n)));
    let iterations = evidence.iterations.complete.or(evidence.k6.iterations.map(|i| i.count));
    let iterations = iterations.map(|n| format!("{} iterations", count::write(n)));
    let clean = failed(evidence).filter(|(failed, _)| *failed == 0).map(|_| "no failed requests".to_owned());
    [vus, iterations, clean].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Failed and all requests of the run; `None` when not known.
pub(super) fn failed(evidence: &Evidence) -> Option<(u64, u64)> {
    let run = evidence.requests.as_ref()?.run;
    Some((run.failed?, run.total))
}

/// `225 of 171,987 requests failed (0.13%)`.
pub(super) fn failed_share((failed, total): (u64, u64)) -> String {
    let (part, all, share) = (count::write(failed), count::write(total), percent::prose(failed, total));
    format!("{part} of {all} requests failed ({share})")
}

/// A trend's figure with its name, `p95 10.23s`; the name alone when the figure is not known.
pub(super) fn figure(stats: Option<&TrendStats>, quantile: Percentile) -> String {
    match stats.and_then(|stats| stats.percentiles.get(&quantile)) {
        Some(ms) => format!("{quantile} {}", duration::write(*ms)),
        None => quantile.to_string(),
    }
}

/// What the figures beside the names of quantiles are of.
pub(super) fn phase_of_figures(evidence: &Evidence) -> &'static str {
    match evidence.trends.values().any(|trend| trend.test.is_some()) {
        true => "whole test phase",
        false => "whole run",
    }
}

/// The figures of a trend that belong to what is drawn: those of the test phase where it can be told.
pub(super) fn stats<'a>(evidence: &'a Evidence, metric: &str) -> Option<&'a TrendStats> {
    let trend = evidence.trends.get(metric)?;
    Some(trend.test.as_ref().unwrap_or(&trend.run))
}

/// `19 a second over the whole run`; `None` when not known.
pub(super) fn throughput(evidence: &Evidence) -> Option<String> {
    let rate = evidence.k6.iterations.and_then(|iterations| iterations.per_second)?;
    Some(format!("{} a second over the whole run", per_second::throughput(rate)))
}

/// One cause of failures: `(1) 50 HTTP 503, burst 17:01:13 to 17:01:16, backend restart`.
pub(super) fn cause(cause: &Cause<'_>, window: Window) -> String {
    match cause.populations.as_slice() {
        [population] => one_cause(population, window),
        several => {
            let failures = several.iter().map(|p| p.count).fold(0, u64::saturating_add);
            format!("{} further causes: {} failures", several.len(), count::write(failures))
        }
    }
}

fn one_cause(population: &Population, window: Window) -> String {
    let head = format!("({}) {} {}", population.id, count::write(population.count), cause_in_words(population));
    let parts = [Some(head), when(population, window), population.label.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn when(population: &Population, window: Window) -> Option<String> {
    match population.phase {
        Phase::Setup => return Some("in setup".to_owned()),
        Phase::Teardown => return Some("in teardown".to_owned()),
        _ => {}
    }
    let (Some(first), Some(last)) = (population.first, population.last) else {
        return Some("at times not recorded".to_owned());
    };
    let days = window.seconds() > 86_400;
    let moment = |t: Time| if days { time::write(t).replace(" UTC", "") } else { time::clock(t) };
    let span = match first.unix_seconds() == last.unix_seconds() {
        true => format!("at {}", moment(first)),
        false => format!("{} to {}", moment(first), moment(last)),
    };
    Some(match population.shape.filter(|_| population.count > 1) {
        Some(Shape::Burst) => format!("burst {span}"),
        Some(Shape::Bursts) => format!("{} bursts {span}", population.bursts.len()),
        Some(Shape::Sustained) => format!("sustained {span}"),
        Some(Shape::Scattered) => format!("scattered {span}"),
        _ => span,
    })
}

/// Says of a line which seconds its highest values are.
pub(super) fn peak(name: &str, points: &[Point], written: impl Fn(f64) -> String) -> String {
    match points.iter().max_by(|a, b| a.value.total_cmp(&b.value)) {
        Some(peak) => {
            let at = Time::from_unix_seconds(peak.second).map(time::clock).unwrap_or_default();
            format!("{name}: highest second {} at {at} UTC", written(peak.value))
        }
        None => name.to_owned(),
    }
}

/// The picture in sentences.
pub(super) fn description(
    evidence: &Evidence,
    window: Window,
    latencies: &[Latency],
    causes: &[Cause<'_>],
    cpu: &[Cpu<'_>],
) -> String {
    let mut sentences = vec![span(window), load(evidence)];
    for latency in latencies {
        let stats = stats(evidence, &latency.metric);
        let figures: Vec<String> = QUANTILES.iter().map(|(quantile, _)| figure(stats, *quantile)).collect();
        let peak = latency.quantiles.last().map(|p99| peak("p99", p99, duration::write)).unwrap_or_default();
        sentences.push(format!(
            "{}: {} over the {}; {peak}",
            latency.metric,
            figures.join(", "),
            phase_of_figures(evidence)
        ));
    }
    sentences.extend(throughput(evidence).map(|rate| format!("Iterations: {rate}")));
    if let Some(failed) = failed(evidence).filter(|(failed, _)| *failed > 0) {
        sentences.push(failed_share(failed));
    }
    sentences.extend(causes.iter().map(|one| cause(one, window)));
    sentences.extend(cpu.iter().map(Cpu::sentence));
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(". ") + "."
}
