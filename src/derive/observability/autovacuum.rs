//! Autovacuum runs within the window, and the database's CPU while they ran.

use std::collections::BTreeMap;

use super::bucket::{Bucket, Span};
use super::figures::number;
use super::group::{FoundExport, astray};
use crate::derive::quantile;
use crate::model::{Autovacuum, CpuFigures, Time, VacuumFigures, VacuumKind, VacuumRun, Warning};

/// Runs logged within the window; `None` when nothing was exported that could hold any.
pub(super) fn figures(exports: &[FoundExport], target: &str, window: Span, cpu: &[Bucket]) -> Option<Autovacuum> {
    let runs = distinct(exports, target);
    let logged = |run: &&VacuumRun| (window.start..=window.end).contains(&run.end.unix_nanos());
    if !runs.iter().any(|run| logged(&run)) {
        return None;
    }
    let of = |kind: VacuumKind| {
        let found: Vec<&VacuumRun> = runs.iter().filter(logged).filter(|run| run.kind == kind).collect();
        let seconds: Vec<f64> = found.iter().filter_map(|run| run.elapsed_seconds).collect();
        VacuumFigures {
            runs: found.len() as u64,
            timed: seconds.len() as u64,
            total_seconds: (!seconds.is_empty()).then(|| seconds.iter().sum()),
            longest_seconds: seconds.iter().copied().reduce(f64::max),
        }
    };
    let (with, without) = cpu_by_vacuum(&runs, window, cpu);
    Some(Autovacuum {
        vacuum: of(VacuumKind::Vacuum),
        analyze: of(VacuumKind::Analyze),
        database_cpu_with: with,
        database_cpu_without: without,
    })
}

/// A run's own table that is of another one alone.
pub(super) fn of_another_target(found: &FoundExport, target: &str) -> Option<Warning> {
    let mut runs = found.export.vacuums.iter().filter(|_| !found.shared).map(|run| run.target.as_deref());
    let first = runs.clone().next()?;
    runs.all(|named| named.is_some_and(|named| named != target)).then(|| astray(&found.file, target, first))
}

/// Every run once, in order of time: a log and a table of the same runs may both be there, but none stands in a file twice. A
/// duration that one has lost is taken from the other.
fn distinct(exports: &[FoundExport], target: &str) -> Vec<VacuumRun> {
    let mut runs: BTreeMap<(Time, VacuumKind), Vec<VacuumRun>> = BTreeMap::new();
    for found in exports {
        // how many of each moment this file has had so far
        let mut seen: BTreeMap<(Time, VacuumKind), usize> = BTreeMap::new();
        for run in &found.export.vacuums {
            if run.target.as_deref().is_some_and(|named| named != target) {
                continue;
            }
            let place = seen.entry((run.end, run.kind)).or_default();
            let known = runs.entry((run.end, run.kind)).or_default();
            match known.get_mut(*place) {
                Some(known) => {
                    known.elapsed_seconds = known.elapsed_seconds.or(run.elapsed_seconds);
                    known.table = known.table.take().or_else(|| run.table.clone());
                }
                None => known.push(run.clone()),
            }
            *place += 1;
        }
    }
    runs.into_values().flatten().collect()
}

/// The database's CPU in periods a vacuum ran in and in the others: a run lasted from its line's time less its duration.
///
/// Without durations nobody knows when they ran.
fn cpu_by_vacuum(runs: &[VacuumRun], window: Span, cpu: &[Bucket]) -> (Option<CpuFigures>, Option<CpuFigures>) {
    let vacuums = || runs.iter().filter(|run| run.kind == VacuumKind::Vacuum);
    let spans: Option<Vec<Span>> = vacuums()
        .map(|run| {
            let end = run.end.unix_nanos();
            run.elapsed_seconds.map(|seconds| Span { start: end.saturating_sub((seconds * 1e9) as i64), end })
        })
        .collect();
    let Some(spans) = spans else { return (None, None) };
    let inside = cpu.iter().filter(|bucket| bucket.span.is_inside(window));
    let (with, without): (Vec<&Bucket>, Vec<&Bucket>) =
        inside.partition(|bucket| spans.iter().any(|span| span.overlaps(bucket.span)));
    (median(&with), median(&without))
}

fn median(buckets: &[&Bucket]) -> Option<CpuFigures> {
    let mut values: Vec<f64> = buckets.iter().filter_map(|bucket| number(bucket)).collect();
    values.sort_by(f64::total_cmp);
    Some(CpuFigures { n: values.len() as u64, median: quantile(&values, 0.5)? })
}
