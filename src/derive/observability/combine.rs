//! Several series of one quantity as one.

use std::collections::BTreeMap;

use super::bucket::{Bucket, Span, buckets, overlap};
use super::group::Group;
use super::percentile::merged;
use crate::model::{Combination, Distribution, PointValue, SeriesKind};

/// The values of a group by the end of their span, oldest first; why not, when they cannot be combined.
///
/// Parts of a whole are summed before anything is looked at. A part without a value adds nothing to a count, and makes a
/// level unknown.
pub(super) fn combined(group: &Group, period: i64, window: Span) -> Result<Vec<Bucket>, &'static str> {
    let parts: Vec<Vec<Bucket>> = group.series.iter().map(|series| buckets(series, period, window)).collect();
    if let [only] = parts.as_slice() {
        if !alike(only) {
            return Err(UNLIKE);
        }
        return Ok(by_end(std::slice::from_ref(only)).into_values().filter_map(|mut at| at.pop().cloned()).collect());
    }
    let counted = group.series.iter().all(|series| series.kind != SeriesKind::Level);
    let together = by_end(&parts);
    let distributions =
        parts.iter().flatten().all(|bucket| matches!(bucket.value, PointValue::Distribution(_))) && counted;
    if distributions {
        let merge = |at: Vec<&Bucket>| {
            let span = at.first()?.span;
            let values = at.iter().filter_map(|bucket| match &bucket.value {
                PointValue::Distribution(distribution) => Some(distribution),
                _ => None,
            });
            merged(values).map(|whole| Bucket { span, value: PointValue::Distribution(whole) })
        };
        let all: Option<Vec<Bucket>> = together.into_values().map(merge).collect();
        let all = all.filter(|buckets| alike(buckets));
        return all.ok_or(UNLIKE);
    }
    if group.measure.percentile.is_some() {
        return Err("percentiles of several series cannot be combined");
    }
    if group.measure.quantity.combination() == Combination::Single {
        return Err("it has several series, which cannot be combined");
    }
    if counted && group.series.iter().any(|series| series.kind == SeriesKind::RunningTotal) {
        return Ok(summed_increases(together));
    }
    let summed = |at: Vec<&Bucket>| {
        let complete = counted || at.len() == parts.len();
        // a part that began to be counted within the period has a shorter span
        let span = at.iter().map(|bucket| bucket.span).min()?;
        let sum: Option<f64> = at.iter().map(|bucket| finite(bucket)).sum();
        complete.then(|| Bucket { span, value: sum.map_or(PointValue::NotFinite, PointValue::Number) })
    };
    let whole: Vec<Bucket> = together.into_values().filter_map(summed).collect();
    match overlap(&whole) {
        true => Err("its series were counted over different spans, each of which would be taken for the whole"),
        false => Ok(whole),
    }
}

/// The sums of what running totals grew by. Where one of them is no finite number the sum is known only together with that of
/// the next period: what the others grew by is added there.
fn summed_increases(together: BTreeMap<i64, Vec<&Bucket>>) -> Vec<Bucket> {
    let mut held: Option<(i64, f64)> = None;
    let sum = |(end, at): (i64, Vec<&Bucket>)| {
        let start = at.iter().map(|bucket| bucket.span.start).min()?;
        let known: f64 = at.iter().filter_map(|bucket| finite(bucket)).sum();
        let (from, sum) = held.map_or((start, known), |(from, sum)| (from.min(start), sum + known));
        if at.iter().any(|bucket| finite(bucket).is_none()) {
            held = Some((from, sum));
            return Some(Bucket { span: Span { start, end }, value: PointValue::NotFinite });
        }
        held = None;
        Some(Bucket { span: Span { start: from, end }, value: PointValue::Number(sum) })
    };
    together.into_iter().filter_map(sum).collect()
}

fn finite(bucket: &Bucket) -> Option<f64> {
    match bucket.value {
        PointValue::Number(value) => Some(value),
        _ => None,
    }
}

/// Why distributions are left out that cannot be added up.
const UNLIKE: &str = "its distributions count in different buckets";

/// True when all distributions with a histogram can be added up: then one percentile holds for all of their samples.
fn alike(buckets: &[Bucket]) -> bool {
    let with_histogram = buckets.iter().filter_map(|bucket| match &bucket.value {
        PointValue::Distribution(distribution) if !distribution.counts.is_empty() => Some(distribution),
        _ => None,
    });
    let mut with_histogram = with_histogram.peekable();
    with_histogram.peek().is_none() || merged(with_histogram).is_some()
}

fn by_end(parts: &[Vec<Bucket>]) -> BTreeMap<i64, Vec<&Bucket>> {
    let mut together: BTreeMap<i64, Vec<&Bucket>> = BTreeMap::new();
    for bucket in parts.iter().flatten() {
        together.entry(bucket.span.end).or_default().push(bucket);
    }
    together
}

/// All samples of the window; `None` for numbers and for distributions that cannot be added.
pub(super) fn whole_distribution(buckets: &[Bucket], window: Span) -> Option<Distribution> {
    let inside = buckets.iter().filter(|bucket| bucket.span.is_inside(window));
    let mut parts = Vec::new();
    for bucket in inside {
        match &bucket.value {
            PointValue::Distribution(distribution) => parts.push(distribution),
            _ => return None,
        }
    }
    merged(parts.into_iter())
}
