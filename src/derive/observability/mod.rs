//! What monitoring says of a run: exports cut to its window, aligned, combined and counted.

mod autovacuum;
mod bucket;
mod combine;
mod figures;
mod group;
mod log;
mod percentile;
mod queries;
mod select;
mod series;
mod sql;

use std::collections::BTreeMap;

use bucket::Span;
pub use group::FoundExport;
use group::Group;
pub use queries::{QueryName, RankedQuery, Ranking, rank};
pub use sql::is_advisory_wait;

use crate::model::{
    EvidenceWindow, Measure, Observability, Point, Quantity, QuantityFigures, Queries, SeriesKind, Time, TimeSeries,
    Warning,
};

/// Derives what the exports say of a run's window, with what is worth knowing about them. `None` when they say nothing.
pub fn observability(
    exports: &[FoundExport],
    target: &str,
    window: EvidenceWindow,
    names: &[QueryName],
) -> (Option<Observability>, Vec<Warning>) {
    let window = Span::of(window);
    let mut warnings: Vec<Warning> = exports.iter().flat_map(|found| found.export.problems.clone()).collect();
    warnings.extend(exports.iter().filter_map(|found| autovacuum::of_another_target(found, target)));
    let groups = group::groups(exports, target, &mut warnings);
    let groups = group::of_one_system(of_this_window(groups, window, &mut warnings), &mut warnings);
    let (of_queries, groups): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| group.measure.quantity.is_of_queries());
    let (quantities, cpu) = select::quantities(&groups, window, &mut warnings);
    let queries = queries::queries(&of_queries, window, names, &mut warnings);
    let (requests_by_class, requests_by_class_incomplete) = requests_by_class(&groups, window);
    warnings.extend(queries.iter().filter_map(|queries| too_busy(queries, &quantities)));
    let is_short = |queries: &&Queries| queries.incomplete || !queries.speak_for_the_window();
    warnings.extend(queries.iter().filter(is_short).map(too_short));
    let observability = Observability {
        quantities: quantities.into_iter().map(|(measure, figures)| (measure.to_string(), figures)).collect(),
        requests_by_class,
        requests_by_class_incomplete,
        queries,
        autovacuum: autovacuum::figures(exports, target, window, &cpu),
        log: log::figures(exports, window),
    };
    warnings.sort();
    warnings.dedup();
    ((observability != Observability::default()).then_some(observability), warnings)
}

/// Statements that were not measured over all of the window.
fn too_short(queries: &Queries) -> Warning {
    let (source, share) = (&queries.source, queries.coverage * 100.0);
    let end = if queries.speak_for_the_window() { "" } else { ": too little for a row" };
    Warning::new("cloud-incomplete", format!("{source}: statements cover {share:.0}% of the run's window{end}"))
}

/// Sessions busy at once for each connection that are still believed: parallel workers have none of their own.
const BUSY_PER_CONNECTION: f64 = 2.0;

/// More sessions busy at once than there were connections: periods counted twice, or two instances in one export.
fn too_busy(queries: &Queries, quantities: &BTreeMap<Measure, QuantityFigures>) -> Option<Warning> {
    let connections = quantities.get(&Measure::of(Quantity::DatabaseConnections))?.max?;
    let busy = queries.average_active_sessions;
    (busy > connections * BUSY_PER_CONNECTION).then(|| {
        let message = format!(
            "{}: statements keep {busy:.0} sessions busy on average, expected at most the {connections:.0} connections there were",
            queries.source
        );
        Warning::new("cloud-implausible", message)
    })
}

/// The groups with a point that speaks of the window; an export of another time is worth a warning where it is of this run: its
/// own, or one that names it.
fn of_this_window(groups: Vec<Group>, window: Span, warnings: &mut Vec<Warning>) -> Vec<Group> {
    let (mut kept, mut elsewhere) = (Vec::new(), BTreeMap::new());
    for group in groups {
        let period = bucket::period(group.series.iter());
        let spans = || group.series.iter().flat_map(|series| bucket::buckets(series, period.nanos, window));
        if spans().any(|bucket| bucket.span.overlaps(window)) {
            match group.series.iter().any(|series| has_two_values(series, period.nanos, window)) {
                true => warnings.push(two_values(&group)),
                false => kept.push(group),
            }
        } else if let Some(first) = group.series.iter().find_map(|series| series.points.first()) {
            let names_the_run = group.series.iter().any(|series| series.target.is_some());
            if !group.shared || names_the_run {
                elsewhere.entry(group.file.clone()).or_insert(first.end);
            }
        }
    }
    for (file, first) in elsewhere {
        let message = format!("{file}: no point lies within the run's window, the first is of {first}: left out");
        warnings.push(Warning::new("cloud-other-time", message));
    }
    kept
}

/// True when a series has two values for one period of the window: several series of which nothing tells which is which, or one
/// that was exported twice and has changed.
fn has_two_values(series: &TimeSeries, period: i64, window: Span) -> bool {
    let span = |point: &Point| {
        let end = point.end.unix_nanos();
        let start = point.start.filter(|_| series.kind == SeriesKind::Increase).map(Time::unix_nanos);
        Span { start: start.unwrap_or(end.saturating_sub(period)), end }
    };
    series.points.windows(2).any(|pair| match pair {
        [a, b] => (a.start, a.end) == (b.start, b.end) && a.value != b.value && span(a).is_inside(window),
        _ => false,
    })
}

fn two_values(group: &Group) -> Warning {
    let (file, metric) = (&group.file, group.metric());
    let message = format!("{file}: `{metric}` has two values for one moment, and no label tells them apart: left out");
    Warning::new("cloud-ambiguous", message)
}

/// Answered requests within the window by class of their status, and whether parts of the window are missing from them.
fn requests_by_class(groups: &[Group], window: Span) -> (BTreeMap<String, u64>, bool) {
    let (mut best, mut incomplete): (BTreeMap<String, u64>, bool) = (BTreeMap::new(), false);
    for group in groups.iter().filter(|group| group.measure.quantity == Quantity::ServerRequests) {
        let mut classes: BTreeMap<String, u64> = BTreeMap::new();
        for series in group.series.iter().filter(|series| series.kind == SeriesKind::Increase) {
            let Some(class) = series.labels.get("response_code_class") else { continue };
            let inside = bucket::buckets(series, 0, window).into_iter().filter(|bucket| bucket.span.is_inside(window));
            let sum: f64 = inside.filter_map(|bucket| figures::number(&bucket)).sum();
            let count = classes.entry(class.clone()).or_default();
            *count = count.saturating_add(sum as u64);
        }
        // of several exports the fullest: they count the same requests
        let all = |classes: &BTreeMap<String, u64>| classes.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
        if all(&classes) > all(&best) {
            (best, incomplete) = (classes, !is_whole(group, groups, window));
        }
    }
    (best, incomplete)
}

/// True when nothing of the window is missing from a group.
fn is_whole(group: &Group, groups: &[Group], window: Span) -> bool {
    let period = select::period_of(group, groups);
    let Ok(buckets) = combine::combined(group, period.nanos, window) else { return false };
    figures::figures(group, &buckets, period, window).iter().all(|(_, figures)| figures.is_whole())
}
