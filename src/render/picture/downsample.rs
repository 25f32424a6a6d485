//! Fewer points that look the same: of each bucket of seconds the lowest and the highest value stay.

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

/// The lowest and the highest point of each bucket, in the order of time, cut into runs where whole buckets are empty.
///
/// `points` are in the order of time. With buckets of one second every point stays and each missing second is a gap.
pub(super) fn extremes(points: &[Point], bucket: i64) -> Vec<Vec<Point>> {
    let mut runs: Vec<Vec<Point>> = Vec::new();
    let mut previous: Option<i64> = None;
    let of = |point: &Point| point.second.div_euclid(bucket);
    for group in points.chunk_by(|a, b| of(a) == of(b)) {
        let Some(first) = group.first() else { continue };
        let continues = previous.is_some_and(|bucket| bucket.saturating_add(1) >= of(first));
        previous = Some(of(first));
        match runs.last_mut().filter(|_| continues) {
            Some(run) => run.extend(lowest_and_highest(group)),
            None => runs.push(lowest_and_highest(group)),
        }
    }
    runs
}

fn lowest_and_highest(group: &[Point]) -> Vec<Point> {
    let by_value = |a: &&Point, b: &&Point| a.value.total_cmp(&b.value);
    let (Some(low), Some(high)) = (group.iter().min_by(by_value), group.iter().max_by(by_value)) else {
        return Vec::new();
    };
    match low.second.cmp(&high.second) {
        std::cmp::Ordering::Less => vec![*low, *high],
        std::cmp::Ordering::Greater => vec![*high, *low],
        std::cmp::Ordering::Equal => vec![*high],
    }
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
        assert_eq!(extremes(&all, 1), vec![points(&[(10, 1.0), (11, 2.0)]), points(&[(13, 3.0)])]);
    }

    #[test]
    fn a_bucket_keeps_its_lowest_and_highest_point_where_they_were() {
        let all = points(&[(0, 5.0), (1, 9.0), (2, 1.0), (3, 4.0), (4, 4.0), (12, 7.0)]);
        assert_eq!(extremes(&all, 4), vec![points(&[(1, 9.0), (2, 1.0), (4, 4.0)]), points(&[(12, 7.0)])]);
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
            let kept: Vec<f64> = extremes(&all, bucket).concat().iter().map(|p| p.value).collect();
            let max = |v: &[f64]| v.iter().copied().fold(f64::MIN, f64::max);
            let min = |v: &[f64]| v.iter().copied().fold(f64::MAX, f64::min);
            prop_assert_eq!((min(&kept), max(&kept)), (min(&values), max(&values)));
            prop_assert!(kept.len() <= 2 * values.len().div_ceil(bucket as usize) + 2);
        }
    }
}
