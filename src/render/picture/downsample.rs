//! Fewer points that say the same: of each bucket of seconds the lowest and the highest value stay, and the median.

/// A value at a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// Seconds since the epoch.
    pub second: i64,
    /// The value, finite.
    pub value: f64,
}

/// Seconds a bucket spans when `seconds` are drawn with at most `most` buckets: at least 1.
pub(super) fn bucket_seconds(seconds: u64, most: u64) -> i64 {
    i64::try_from(seconds.div_ceil(most.max(1))).unwrap_or(i64::MAX).max(1)
}

/// What is kept of the seconds of a bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bucket {
    pub lowest: Point,
    pub highest: Point,
    /// The middle value, or half way between the two in the middle.
    pub median: f64,
    /// First and last second with a value.
    seconds: (i64, i64),
}

impl Bucket {
    fn of(points: &[Point]) -> Option<Self> {
        let mut by_value = points.to_vec();
        by_value.sort_by(|a, b| a.value.total_cmp(&b.value));
        let at = |i: usize| by_value.get(i).map(|point| point.value);
        let median = (at(by_value.len().checked_sub(1)? / 2)? + at(by_value.len() / 2)?) / 2.0;
        let seconds = (points.first()?.second, points.last()?.second);
        Some(Bucket { lowest: *by_value.first()?, highest: *by_value.last()?, median, seconds })
    }

    /// The moment half way through, in seconds since the epoch.
    pub(super) fn middle(&self) -> f64 {
        (self.seconds.0 as f64 + self.seconds.1 as f64 + 1.0) / 2.0
    }
}

/// The buckets that hold points, in the order of time, cut into runs where as many seconds as a bucket spans have none.
///
/// `points` are in the order of time. With buckets of one second every point stays and each missing second is a gap.
pub(super) fn buckets(points: &[Point], length: i64) -> Vec<Vec<Bucket>> {
    let mut runs: Vec<Vec<Bucket>> = Vec::new();
    let of = |point: &Point| point.second.div_euclid(length);
    for bucket in points.chunk_by(|a, b| of(a) == of(b)).filter_map(Bucket::of) {
        // where a gap lies must not depend on where buckets begin
        let continues = |run: &&mut Vec<Bucket>| {
            run.last().is_some_and(|last| bucket.seconds.0.saturating_sub(last.seconds.1) <= length)
        };
        match runs.last_mut().filter(continues) {
            Some(run) => run.push(bucket),
            None => runs.push(vec![bucket]),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points(values: &[(i64, f64)]) -> Vec<Point> {
        values.iter().map(|&(second, value)| Point { second, value }).collect()
    }

    #[test]
    fn with_buckets_of_a_second_every_point_stays_and_each_missing_second_is_a_gap() {
        let all = points(&[(10, 1.0), (11, 2.0), (13, 3.0)]);
        let runs = buckets(&all, 1);
        assert_eq!(runs.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        for (bucket, point) in runs.concat().iter().zip(&all) {
            assert_eq!((bucket.lowest, bucket.highest, bucket.median), (*point, *point, point.value));
            assert_eq!(bucket.middle(), point.second as f64 + 0.5);
        }
    }

    #[test]
    fn a_bucket_keeps_its_lowest_and_highest_point_where_they_were_and_its_median() {
        let all = points(&[(0, 5.0), (1, 9.0), (2, 1.0), (3, 4.0), (4, 4.0), (12, 7.0)]);
        let runs = buckets(&all, 4);
        let seen = |bucket: &Bucket| (bucket.lowest.second, bucket.highest.second, bucket.median, bucket.middle());
        let seen: Vec<Vec<_>> = runs.iter().map(|run| run.iter().map(seen).collect()).collect();
        // 1, 4, 5, 9: half way between 4 and 5
        assert_eq!(seen, [vec![(2, 1, 4.5, 2.0), (4, 4, 4.0, 4.5)], vec![(12, 12, 7.0, 12.5)]]);
    }

    #[test]
    fn a_gap_as_long_as_a_bucket_is_one_wherever_it_begins() {
        for begin in 20..28 {
            let gap = begin..begin + 8;
            let all: Vec<Point> =
                (0..60).filter(|s| !gap.contains(s)).map(|second| Point { second, value: 1.0 }).collect();
            assert_eq!(buckets(&all, 8).len(), 2, "{begin}");
            let shorter: Vec<Point> = (0..60)
                .filter(|s| !(begin..begin + 7).contains(s))
                .map(|second| Point { second, value: 1.0 })
                .collect();
            assert_eq!(buckets(&shorter, 8).len(), 1, "{begin}");
        }
    }

    #[test]
    fn buckets_are_as_long_as_their_number_asks() {
        let lengths: Vec<i64> = [1, 300, 301, 1800, 0].into_iter().map(|n| bucket_seconds(n, 300)).collect();
        assert_eq!(lengths, [1, 1, 2, 6, 1]);
    }

    proptest! {
        #[test]
        fn the_extremes_of_all_points_stay(values in prop::collection::vec(0.0..1e6f64, 1..400), bucket in 1..50i64) {
            let all: Vec<Point> = (0..).zip(&values).map(|(second, &value)| Point { second, value }).collect();
            let kept: Vec<f64> = buckets(&all, bucket).concat().iter().flat_map(|b| [b.lowest.value, b.highest.value]).collect();
            let max = |v: &[f64]| v.iter().copied().fold(f64::MIN, f64::max);
            let min = |v: &[f64]| v.iter().copied().fold(f64::MAX, f64::min);
            prop_assert_eq!((min(&kept), max(&kept)), (min(&values), max(&values)));
            let inside = |b: &Bucket| b.lowest.value <= b.median && b.median <= b.highest.value;
            prop_assert!(buckets(&all, bucket).concat().iter().all(inside));
            prop_assert!(kept.len() <= 2 * values.len().div_ceil(bucket as usize) + 2);
        }
    }
}
