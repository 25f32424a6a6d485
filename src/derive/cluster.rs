//! How failures lie in time.

use std::collections::BTreeMap;

use crate::model::{Burst, PerMinute, Shape, Time, Window};

/// The thresholds of `[errors]`; the defaults are those of the contract.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// A new cluster begins after a gap longer than this many seconds or [`Thresholds::gap_share`] of the window, whichever is longer.
    pub gap_seconds: f64,
    /// The same as a share of the window, 0 to 1.
    pub gap_share: f64,
    /// Longest burst as a share of the window.
    pub burst_share: f64,
    /// Fewest failures of a cluster that counts among several bursts.
    pub burst_failures: u64,
    /// Share of the failures that several bursts must hold together.
    pub bursts_hold: f64,
    /// Share of the window's minutes with failures from which on they are sustained.
    pub sustained_share: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            gap_seconds: 10.0,
            gap_share: 0.02,
            burst_share: 1.0 / 3.0,
            burst_failures: 5,
            bursts_hold: 0.9,
            sustained_share: 2.0 / 3.0,
        }
    }
}

/// Windows shorter than this are cut into tenths instead of minutes.
const MINUTES_FROM_SECONDS: u64 = 600;

/// Clusters of one population, and what they make of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lie {
    /// The shape.
    pub shape: Shape,
    /// The clusters, in order of time.
    pub clusters: Vec<Burst>,
    /// Those that make it `burst` or `bursts`; empty for any other shape.
    pub bursts: Vec<Burst>,
    /// Counts per minute of the window; `None` when every failure lies outside it.
    pub per_minute: Option<PerMinute>,
}

/// Cuts failures into clusters and names their shape.
///
/// `by_second` maps seconds since the epoch to counts above zero. Returns `None` without failures.
pub fn lie(by_second: &BTreeMap<i64, u64>, window: Window, thresholds: &Thresholds) -> Option<Lie> {
    let clusters = clusters(by_second, window, thresholds);
    let total: u64 = by_second.values().sum();
    if clusters.is_empty() || total == 0 {
        return None;
    }
    let (shape, bursts) = shape(&clusters, total, by_second, window, thresholds);
    Some(Lie { shape, clusters, bursts, per_minute: per_minute(by_second, window) })
}

fn clusters(by_second: &BTreeMap<i64, u64>, window: Window, thresholds: &Thresholds) -> Vec<Burst> {
    let gap = thresholds.gap_seconds.max(thresholds.gap_share * window.seconds() as f64);
    let mut clusters: Vec<(i64, i64, u64)> = Vec::new();
    for (&second, &count) in by_second {
        match clusters.last_mut() {
            Some((_, end, sum)) if (second - *end) as f64 <= gap => (*end, *sum) = (second, *sum + count),
            _ => clusters.push((second, second, count)),
        }
    }
    clusters
        .into_iter()
        .filter_map(|(start, end, count)| {
            let time = Time::from_unix_seconds;
            Some(Burst { start: time(start)?, end: time(end)?, count })
        })
        .collect()
}

fn shape(
    clusters: &[Burst],
    total: u64,
    by_second: &BTreeMap<i64, u64>,
    window: Window,
    thresholds: &Thresholds,
) -> (Shape, Vec<Burst>) {
    let short = |c: &Burst| {
        let seconds = c.end.unix_seconds() - c.start.unix_seconds() + 1;
        seconds as f64 <= thresholds.burst_share * window.seconds() as f64
    };
    if let [only] = clusters
        && short(only)
    {
        return (Shape::Burst, vec![*only]);
    }
    let large = |c: &&Burst| short(c) && c.count >= thresholds.burst_failures;
    let bursts: Vec<Burst> = clusters.iter().filter(large).copied().collect();
    let held: u64 = bursts.iter().map(|c| c.count).sum();
    if bursts.len() >= 2 && held as f64 >= thresholds.bursts_hold * total as f64 {
        return (Shape::Bursts, bursts);
    }
    let (touched, all) = parts_touched(by_second, window);
    match touched as f64 >= thresholds.sustained_share * all as f64 {
        true => (Shape::Sustained, Vec::new()),
        false => (Shape::Scattered, Vec::new()),
    }
}

/// Parts of the window (minutes, or tenths of a short one) with failures, and all of them.
fn parts_touched(by_second: &BTreeMap<i64, u64>, window: Window) -> (usize, u64) {
    let seconds = window.seconds();
    let (parts, part_of): (u64, Box<dyn Fn(u64) -> u64>) = match seconds < MINUTES_FROM_SECONDS {
        true => (10.min(seconds), Box::new(move |offset| offset * 10.min(seconds) / seconds)),
        false => (seconds.div_ceil(60), Box::new(|offset| offset / 60)),
    };
    let mut touched: Vec<u64> =
        by_second.range(window.start..=window.end).map(|(second, _)| part_of((second - window.start) as u64)).collect();
    touched.dedup();
    (touched.len(), parts)
}

fn per_minute(by_second: &BTreeMap<i64, u64>, window: Window) -> Option<PerMinute> {
    let mut minutes = vec![0; window.seconds().div_ceil(60) as usize];
    for (second, count) in by_second.range(window.start..=window.end) {
        if let Some(minute) = minutes.get_mut(((second - window.start) / 60) as usize) {
            *minute += count;
        }
    }
    let whole = (window.seconds() / 60).max(1) as usize;
    let minutes_with_failures = minutes.iter().filter(|n| **n > 0).count() as u64;
    let (min, max) = (minutes.iter().take(whole).min()?, minutes.iter().max()?);
    (minutes_with_failures > 0).then_some(PerMinute { min: *min, max: *max, minutes_with_failures })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { start: 0, end: 1799 };

    fn shape_of(points: impl IntoIterator<Item = (i64, u64)>) -> Shape {
        lie(&points.into_iter().collect(), WINDOW, &Thresholds::default()).unwrap().shape
    }

    #[test]
    fn no_failures_have_no_shape() {
        assert_eq!(lie(&BTreeMap::new(), WINDOW, &Thresholds::default()), None);
    }

    #[test]
    fn a_gap_above_two_percent_of_the_window_opens_a_new_cluster() {
        // 2 % of 1,800 s is 36 s
        let lie = lie(&[(100, 6), (136, 6), (173, 6)].into_iter().collect(), WINDOW, &Thresholds::default()).unwrap();
        assert_eq!(lie.clusters.iter().map(|c| c.count).collect::<Vec<_>>(), [12, 6]);
        assert_eq!(lie.shape, Shape::Bursts);
    }

    #[test]
    fn one_cluster_within_a_third_of_the_window_is_a_burst() {
        assert_eq!(shape_of((0..600).map(|s| (s, 1))), Shape::Burst);
        assert_eq!(shape_of((0..601).map(|s| (s, 1))), Shape::Scattered);
    }

    #[test]
    fn failures_in_two_thirds_of_the_minutes_are_sustained() {
        assert_eq!(shape_of((0..20).map(|m| (m * 60, 1))), Shape::Sustained);
        assert_eq!(shape_of((0..19).map(|m| (m * 60, 1))), Shape::Scattered);
    }

    #[test]
    fn small_clusters_are_no_bursts() {
        assert_eq!(shape_of([(10, 4), (500, 4), (900, 4)]), Shape::Scattered);
    }

    #[test]
    fn per_minute_counts_whole_minutes_for_the_minimum() {
        let window = Window { start: 1000, end: 1000 + 125 };
        let points = [(1000, 3), (1061, 5), (1121, 1)].into_iter().collect();
        assert_eq!(per_minute(&points, window), Some(PerMinute { min: 3, max: 5, minutes_with_failures: 3 }));
    }
}
