//! What k6 itself said of the run: duration, plan, rate, how it ended.

use super::observations::Observations;
use crate::model::{
    CountRate, EndSummary, Figures, K6, Printed, RunSecondsBasis, ScenarioEnd, Stat, SummaryOrigin, TerminalLog, Window,
};

/// Longest a run may take beyond plan and graceful stop when setup and teardown are not known: 5 % and two minutes.
const UNKNOWN_SHARE: f64 = 0.05;
const UNKNOWN_SECONDS: f64 = 120.0;

/// The sources of a run besides its raw output.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    /// The terminal log.
    pub log: Option<&'a TerminalLog>,
    /// Machine-readable summaries of this run, one of each origin, the most telling first.
    pub summaries: &'a [EndSummary],
}

impl<'a> Said<'a> {
    /// Every summary, the exact ones first.
    pub fn summaries(self) -> impl Iterator<Item = &'a EndSummary> {
        self.summaries.iter().chain(self.log.and_then(|log| log.summary.as_ref()))
    }

    fn figures(self, name: &str) -> impl Iterator<Item = &'a Figures> {
        self.summaries().filter_map(move |summary| summary.metrics.get(name))
    }
}

/// The `k6` section, but for the summary text.
pub fn k6(said: Said<'_>, seen: Option<&Observations>, window: Option<Window>, iterations: Option<u64>) -> K6 {
    let (run_seconds, run_seconds_basis) = run_seconds(said, seen).unzip();
    let planned_seconds = said.log.and_then(planned_seconds);
    K6 {
        version: version(said),
        vus_max: vus_max(said, seen),
        planned_vus: None,
        run_seconds,
        run_seconds_basis,
        planned_duration: planned_seconds.map(plan_text),
        planned_seconds,
        completed: said.log.and_then(|log| completed(log, run_seconds, planned_seconds, outside_seconds(seen, window))),
        exit_code: said.log.and_then(|log| log.stamps.get("exit")?.trim().parse().ok()),
        scenarios: said.log.map(scenarios).unwrap_or_default(),
        iterations: own_iterations(said, seen, iterations, run_seconds),
        summary_text: None,
    }
}

fn version(said: Said<'_>) -> Option<String> {
    let from_summary = said.summaries.iter().find_map(|s| s.k6_version.as_deref());
    let from_log = said.log.and_then(|log| {
        log.k6_version.as_deref().or_else(|| log.stamps.get("k6_version").or(log.stamps.get("k6")).map(String::as_str))
    });
    let bare = from_summary.or(from_log)?.trim().trim_start_matches('v');
    is_version(bare).then(|| format!("v{bare}"))
}

/// `2.1.0`, `1.0.0-rc1`; a stamp may hold anything.
fn is_version(text: &str) -> bool {
    let begins = text.split_once('.').is_some_and(|(major, _)| major.bytes().all(|b| b.is_ascii_digit()));
    begins && !text.starts_with('.') && text.bytes().all(|b| b.is_ascii_alphanumeric() || b".-+_".contains(&b))
}

fn vus_max(said: Said<'_>, seen: Option<&Observations>) -> Option<u64> {
    let raw = seen.and_then(|seen| seen.metric("vus_max").or(seen.metric("vus"))).map(|metric| metric.max);
    let stated = || {
        said.figures("vus_max").find_map(|figures| match figures {
            Figures::Gauge { value, max, .. } => max.as_ref().unwrap_or(value).value,
            _ => None,
        })
    };
    let printed = || said.log.and_then(|log| log.running.as_ref().map(|running| running.vus as f64));
    raw.or_else(stated).or_else(printed).map(|vus| vus.max(0.0) as u64)
}

/// The denominator of every rate, from the most exact source there is.
fn run_seconds(said: Said<'_>, seen: Option<&Observations>) -> Option<(f64, RunSecondsBasis)> {
    let exact = said.summaries.iter().find_map(|s| s.run_seconds).map(|s| (s, RunSecondsBasis::Summary));
    let rate = || {
        let summary = said.log?.summary.as_ref()?;
        Some((by_largest_counter(summary)?, RunSecondsBasis::PrintedRate))
    };
    let line = || said.log?.running.as_ref().map(|running| (running.seconds, RunSecondsBasis::RunningLine));
    let samples = || {
        let (first, last) = seen?.span()?;
        let nanos = last.unix_nanos() - first.unix_nanos();
        let whole_seconds = [first, last].iter().all(|time| *time == time.floor_to_second());
        // stamps of whole seconds are cut off: the last second counts as well
        let seconds = nanos as f64 / 1e9 + if whole_seconds { 1.0 } else { 0.0 };
        (seconds > 0.0).then_some((seconds, RunSecondsBasis::Samples))
    };
    exact.or_else(rate).or_else(line).or_else(samples)
}

/// A printed rate has six decimals: the largest counter gives the smallest error.
fn by_largest_counter(summary: &EndSummary) -> Option<f64> {
    let counters = summary.metrics.iter().filter_map(|(name, figures)| match figures {
        // sizes are printed to two digits only
        Figures::Counter { count, per_second } if !name.starts_with("data_") => {
            Some((count.value?, per_second.as_ref()?.value.filter(|rate| *rate > 0.0)?))
        }
        _ => None,
    });
    counters.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(count, rate)| count / rate)
}

fn planned_seconds(log: &TerminalLog) -> Option<f64> {
    let announced: Option<Vec<f64>> =
        log.scenarios.iter().map(|s| Some(s.start_seconds + s.planned_seconds?)).collect();
    let longest = |seconds: Option<Vec<f64>>| seconds?.into_iter().max_by(f64::total_cmp);
    if !log.scenarios.is_empty() {
        return longest(announced);
    }
    // shared and per-VU iterations state the longest they may take, which is no plan
    let by_iterations = |text: &str| text.ends_with("shared iters") || text.ends_with("per VU");
    let planned = |end: &ScenarioEnd| end.planned_seconds.filter(|_| !by_iterations(end.text.trim_end()));
    longest(log.ends.iter().map(planned).collect())
}

/// Go's way of writing a duration, as k6 announces it: `30m0s`, `1m15s`, `12s`.
fn plan_text(seconds: f64) -> String {
    let whole = seconds.floor() as u64;
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    let rest = seconds - (whole / 60 * 60) as f64;
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, _) => format!("{minutes}m{rest}s"),
        _ => format!("{hours}h{minutes}m{rest}s"),
    }
}

/// Seconds from the first sample to the window and from the window to the last sample, rounded up; `None` without raw output.
fn outside_seconds(seen: Option<&Observations>, window: Option<Window>) -> Option<f64> {
    let (seen, window) = (seen?, window?);
    let first = seen.spans.iter().map(|(_, (first, _))| first.unix_seconds()).min()?;
    let last = seen.spans.iter().map(|(_, (_, last))| last.unix_seconds()).max()?;
    Some(((window.start - first) + (last - window.end) + 2) as f64)
}

fn completed(log: &TerminalLog, run_seconds: Option<f64>, planned: Option<f64>, outside: Option<f64>) -> Option<bool> {
    if log.ends.is_empty() {
        return None;
    }
    if log.ends.iter().any(|end| end.ended_as_planned != Some(true)) {
        return Some(false);
    }
    let Some((planned, run)) = planned.zip(run_seconds) else { return Some(true) };
    let graceful = log.scenarios.iter().map(|s| s.graceful_stop_seconds).fold(0.0, f64::max);
    let unknown = planned * UNKNOWN_SHARE + UNKNOWN_SECONDS;
    Some(run >= planned && run <= planned + outside.map_or(unknown, |outside| graceful + outside).max(graceful))
}

fn scenarios(log: &TerminalLog) -> Vec<String> {
    log.scenarios.iter().map(|scenario| format!("{}: {}", scenario.name, scenario.text)).collect()
}

/// Iterations and their rate as k6 itself states them. Of several load generators only what is true of all of them; of raw
/// output that was cut off never its own count over the time of the whole run.
fn own_iterations(
    said: Said<'_>,
    seen: Option<&Observations>,
    iterations: Option<u64>,
    run_seconds: Option<f64>,
) -> Option<CountRate> {
    let distributed = seen.is_some_and(|seen| seen.generators() > 1);
    let stated = |summary: &EndSummary| match summary.metrics.get("iterations")? {
        Figures::Counter { count, .. } if distributed && count.value != iterations.map(|n| n as f64) => None,
        Figures::Counter { count, per_second: Some(Printed { value: Some(rate), .. }) } => {
            Some(CountRate { count: count.value? as u64, per_second: Some(*rate), recomputed: false })
        }
        _ => None,
    };
    let in_log = said.log.and_then(|log| stated(log.summary.as_ref()?));
    if let Some(printed) = in_log.or_else(|| said.summaries.iter().find_map(stated)) {
        return Some(printed);
    }
    let over = |count: u64, seconds: Option<f64>| CountRate {
        count,
        per_second: seconds.filter(|seconds| *seconds > 0.0).map(|seconds| count as f64 / seconds),
        recomputed: true,
    };
    let line = said.log.and_then(|log| log.running.as_ref()).filter(|_| !distributed);
    match (line, seen.is_some_and(Observations::is_cut)) {
        (Some(line), true) => Some(over(line.complete, Some(line.seconds))),
        (None, true) => Some(over(iterations?, None)),
        (_, false) => Some(over(iterations?, run_seconds)),
    }
}

/// A counter's sum as the first summary that has it states it.
pub fn stated_count(said: Said<'_>, name: &str) -> Option<u64> {
    said.figures(name).find_map(|figures| match figures {
        Figures::Counter { count, .. } => count.value.map(|n| n as u64),
        _ => None,
    })
}

/// Samples that were not zero, out of how many, as the first summary that has the rate states it.
pub fn stated_rate(said: Said<'_>, name: &str) -> Option<(u64, u64)> {
    said.figures(name).find_map(|figures| match figures {
        Figures::Rate { nonzero, total, .. } => Some((*nonzero, *total)),
        _ => None,
    })
}

/// Several machine-readable summaries of one distributed run as one: counts, extremes and weighted means add up; a
/// percentile cannot be pooled and is left out.
///
/// Summaries of different origins are the same run written in two ways: each origin is pooled by itself, and the ones
/// that state more come first. Means need the number of values; where nothing states it they are left out as well.
pub fn pooled(summaries: &[EndSummary]) -> Vec<EndSummary> {
    let origins = [SummaryOrigin::HandleSummary, SummaryOrigin::MachineReadable, SummaryOrigin::Export];
    let of = |origin| summaries.iter().filter(|s| s.origin == origin).collect::<Vec<_>>();
    origins.into_iter().filter_map(|origin| pool(&of(origin))).collect()
}

fn pool(summaries: &[&EndSummary]) -> Option<EndSummary> {
    let (first, rest) = summaries.split_first()?;
    let mut pool: EndSummary = (*first).clone();
    for summary in rest {
        let counts = |name: &str| values_of(&pool, name).zip(values_of(summary, name));
        let weights: Vec<Option<(f64, f64)>> = summary.metrics.keys().map(|name| counts(name)).collect();
        for ((name, figures), weights) in summary.metrics.iter().zip(weights) {
            match pool.metrics.get_mut(name) {
                Some(mine) => pool_figures(mine, figures, weights),
                None => {
                    pool.metrics.insert(name.clone(), figures.clone());
                }
            }
        }
        for check in &summary.checks {
            match pool.checks.iter_mut().find(|mine| mine.name == check.name && mine.group == check.group) {
                Some(mine) => {
                    mine.passes = mine.passes.zip(check.passes).map(|(a, b)| a + b);
                    mine.fails = mine.fails.zip(check.fails).map(|(a, b)| a + b);
                }
                None => pool.checks.push(check.clone()),
            }
        }
        pool.run_seconds = pool.run_seconds.zip(summary.run_seconds).map(|(a, b)| a.max(b));
        pool.secrets.extend(summary.secrets.iter().cloned());
    }
    pool.origin = first.origin;
    Some(pool)
}

/// How many values a trend has: its `count`, or the counter that goes with it.
fn values_of(summary: &EndSummary, name: &str) -> Option<f64> {
    let counter = match name {
        "iteration_duration" => "iterations",
        _ if name.starts_with("http_req_") && !name.contains('{') => "http_reqs",
        _ => "",
    };
    let stated = match summary.metrics.get(name)? {
        Figures::Trend(stats) => stats.get(&Stat::Count).and_then(|printed| printed.value),
        _ => None,
    };
    stated.or_else(|| match summary.metrics.get(counter)? {
        Figures::Counter { count, .. } => count.value,
        _ => None,
    })
}

fn pool_figures(mine: &mut Figures, other: &Figures, weights: Option<(f64, f64)>) {
    let exact = |value: f64| Printed { text: value.to_string(), value: Some(value), step: 0.0 };
    let both = |a: &Printed, b: &Printed, with: fn(f64, f64) -> f64| Some(exact(with(a.value?, b.value?)));
    match (mine, other) {
        (Figures::Trend(a), Figures::Trend(b)) => {
            let pooled = a.iter().filter_map(|(stat, mine)| {
                let other = b.get(stat)?;
                let value = match stat {
                    Stat::Min => both(mine, other, f64::min)?,
                    Stat::Max => both(mine, other, f64::max)?,
                    Stat::Count => both(mine, other, |a, b| a + b)?,
                    Stat::Avg => {
                        let (n, m) = weights?;
                        exact((mine.value? * n + other.value? * m) / (n + m))
                    }
                    Stat::Med | Stat::P(_) => return None,
                };
                Some((*stat, value))
            });
            *a = pooled.collect();
        }
        (Figures::Counter { count, per_second }, Figures::Counter { count: n, per_second: rate }) => {
            if let Some(sum) = both(count, n, |a, b| a + b) {
                *count = sum;
            }
            *per_second = per_second.as_ref().zip(rate.as_ref()).and_then(|(a, b)| both(a, b, |a, b| a + b));
        }
        (Figures::Rate { nonzero, total, share }, Figures::Rate { nonzero: n, total: t, .. }) => {
            *nonzero += n;
            *total += t;
            *share = None;
        }
        (Figures::Gauge { value, min, max }, Figures::Gauge { value: v, min: low, max: high }) => {
            if let Some(sum) = both(value, v, |a, b| a + b) {
                *value = sum;
            }
            *min = min.as_ref().zip(low.as_ref()).and_then(|(a, b)| both(a, b, |a, b| a + b));
            *max = max.as_ref().zip(high.as_ref()).and_then(|(a, b)| both(a, b, |a, b| a + b));
        }
        _ => {}
    }
}

/// True when the log is that of the whole run (launch, progress or log lines), not only a pasted summary.
pub fn is_whole_log(log: &TerminalLog) -> bool {
    !log.scenarios.is_empty() || !log.stamps.is_empty()
}

/// What a summary from a terminal is known to: one digit; from JSON: everything.
pub fn is_exact(origin: SummaryOrigin) -> bool {
    !matches!(origin, SummaryOrigin::Terminal(_))
}
