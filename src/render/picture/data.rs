//! What a picture of one run is drawn from: evidence and chart rows as points in time.

use std::collections::BTreeMap;

use super::downsample::Point;
use super::theme::CAUSES;
use crate::model::{ChartRow, Evidence, Population, Series, Shape, Window};

/// The quantiles of one trend, second by second.
#[derive(Debug, Clone, Default)]
pub(super) struct Latency {
    /// Name of the trend.
    pub metric: String,
    /// p50, p95 and p99 in milliseconds.
    pub quantiles: [Vec<Point>; 3],
}

/// Failed requests with one cause, or with all further ones.
#[derive(Debug, Clone)]
pub(super) struct Cause<'a> {
    /// The populations it holds: one, or the pooled rest.
    pub populations: Vec<&'a Population>,
    /// Failures by the second; a mean for a population that is kept by the minute.
    pub points: Vec<Point>,
    /// The populations that are kept by the minute.
    pub by_minute: Vec<u32>,
    /// First and last second of its bursts within the window; empty when they fill so much of it that a shade would say
    /// nothing.
    pub bursts: Vec<(i64, i64)>,
}

/// Part of the window that the bursts of a cause may fill to be shaded.
const SHADED: f64 = 1.0 / 3.0;
/// Bursts of a cause that are shaded at most.
const MOST_BURSTS: usize = 20;

/// The window of a run, widened to its chart rows; `None` without both.
pub(super) fn window(evidence: &Evidence, chart: &[ChartRow]) -> Option<Window> {
    let mut seconds = chart.iter().map(|row| row.time.unix_seconds());
    let stated = evidence.window.map(|window| window.window()).filter(|window| window.start <= window.end);
    let start = stated.or_else(|| seconds.next().map(|second| Window { start: second, end: second }))?;
    Some(seconds.fold(start, Window::widened_to))
}

/// The trends of the chart rows, by name.
pub(super) fn latencies(chart: &[ChartRow]) -> Vec<Latency> {
    let mut by_metric: BTreeMap<&str, Latency> = BTreeMap::new();
    for row in chart {
        let latency = by_metric.entry(&row.metric).or_default();
        let second = row.time.unix_seconds();
        for (points, value) in latency.quantiles.iter_mut().zip([row.p50, row.p95, row.p99]) {
            points.extend(value.is_finite().then_some(Point { second, value }));
        }
    }
    let mut latencies: Vec<Latency> = by_metric
        .into_iter()
        .map(|(metric, latency)| Latency { metric: metric.to_owned(), ..latency })
        .filter(|latency| latency.quantiles.iter().any(|points| !points.is_empty()))
        .collect();
    // rows come in the order of time as a rule; a file from elsewhere need not
    latencies.iter_mut().flat_map(|l| &mut l.quantiles).for_each(|points| points.sort_by_key(|p| p.second));
    latencies
}

/// Iterations that ended in each second; `None` when the evidence has no series.
pub(super) fn iterations(evidence: &Evidence) -> Option<Vec<Point>> {
    let series = evidence.series.as_ref()?;
    let start = series.start?.unix_seconds();
    let points: Vec<Point> =
        (start..).zip(&series.iterations).map(|(second, n)| Point { second, value: *n as f64 }).collect();
    (!points.is_empty()).then_some(points)
}

/// The causes of failed requests in the order of their numbers: the largest by themselves, all further ones pooled.
pub(super) fn causes(evidence: &Evidence, window: Window) -> Vec<Cause<'_>> {
    let populations = evidence.populations.as_deref().unwrap_or_default();
    let mut largest: Vec<&Population> = populations.iter().collect();
    largest.sort_by_key(|p| (std::cmp::Reverse(p.count), p.id));
    let own = if largest.len() <= CAUSES { largest.len() } else { CAUSES - 1 };
    let mut pooled = largest.split_off(own);
    largest.sort_by_key(|p| p.id);
    pooled.sort_by_key(|p| p.id);
    let groups = largest.into_iter().map(|p| vec![p]).chain((!pooled.is_empty()).then_some(pooled));
    groups.map(|populations| cause(populations, evidence.series.as_ref(), window)).collect()
}

/// All failed requests as one cause, without shades.
pub(super) fn all_failures(evidence: &Evidence, window: Window) -> Cause<'_> {
    let populations = evidence.populations.iter().flatten().collect();
    Cause { bursts: Vec::new(), ..cause(populations, evidence.series.as_ref(), window) }
}

fn cause<'a>(populations: Vec<&'a Population>, series: Option<&Series>, window: Window) -> Cause<'a> {
    let mut by_second: BTreeMap<i64, f64> = BTreeMap::new();
    for population in &populations {
        for point in series.map(|series| failures(series, population.id, window)).unwrap_or_default() {
            *by_second.entry(point.second).or_default() += point.value;
        }
    }
    let bursts = shaded(populations.iter().flat_map(|population| bursts(population)), window);
    let points = by_second.into_iter().map(|(second, value)| Point { second, value }).collect();
    let is_by_minute = |id: &u32| series.is_some_and(|series| series.per_minute.failed.contains_key(id));
    let by_minute = populations.iter().map(|population| population.id).filter(is_by_minute).collect();
    Cause { populations, points, by_minute, bursts }
}

/// Failures of one population within the window.
fn failures(series: &Series, id: u32, window: Window) -> Vec<Point> {
    let Some(start) = series.start.map(|start| start.unix_seconds()) else { return Vec::new() };
    let inside = |second: &i64| (window.start..=window.end).contains(second);
    let exact = series.failed.get(&id).into_iter().flatten();
    let exact = exact.filter_map(|(offset, n)| Some((start.checked_add(*offset)?, *n as f64)));
    let minutes = series.per_minute.failed.get(&id).into_iter().flatten();
    let minutes = minutes.filter_map(|(offset, n)| Some((start.checked_add(*offset)?, *n as f64)));
    // the last minute of a window may have fewer seconds
    let spread = minutes.flat_map(|(first, n)| {
        let seconds: Vec<i64> = (0..60).filter_map(|i| first.checked_add(i)).filter(inside).collect();
        let mean = n / seconds.len() as f64;
        seconds.into_iter().map(move |second| (second, mean))
    });
    exact.chain(spread).filter(|(s, _)| inside(s)).map(|(second, value)| Point { second, value }).collect()
}

/// The part of bursts that lies in the window, unless they are many or long.
fn shaded(bursts: impl Iterator<Item = (i64, i64)>, window: Window) -> Vec<(i64, i64)> {
    let inside = |(first, last): (i64, i64)| (first.max(window.start), last.min(window.end));
    let bursts: Vec<(i64, i64)> = bursts.map(inside).filter(|(first, last)| first <= last).collect();
    let seconds: i64 = bursts.iter().map(|(first, last)| last - first + 1).sum();
    let few = bursts.len() <= MOST_BURSTS && (seconds as f64) <= (window.seconds() as f64 * SHADED).max(1.0);
    if few { bursts } else { Vec::new() }
}

fn bursts(population: &Population) -> Vec<(i64, i64)> {
    match (population.shape, population.first, population.last) {
        (Some(Shape::Burst), Some(first), Some(last)) => vec![(first.unix_seconds(), last.unix_seconds())],
        (Some(Shape::Bursts), ..) => {
            population.bursts.iter().map(|b| (b.start.unix_seconds(), b.end.unix_seconds())).collect()
        }
        _ => Vec::new(),
    }
}
