//! Percentiles of distributions: interpolated within a bucket, merged by adding counts, never averaged.

use crate::model::{Distribution, Interpolated, Percentile, Side};

/// The value below which a share of the samples lie, interpolated linearly within its bucket as the monitoring system does.
///
/// The first bucket whose cumulative count reaches the rank has it. A bucket open to one side gives its finite edge and
/// says so, with the smallest or largest sample where that was exported: between the two nothing is known. `None` without samples or without a histogram.
pub(super) fn percentile(distribution: &Distribution, percentile: Percentile) -> Option<Interpolated> {
    let rank = percentile.fraction() * distribution.count as f64;
    let mut seen = 0u64;
    for (index, count) in distribution.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let upto = seen + count;
        if upto as f64 >= rank {
            let share = (rank - seen as f64) / *count as f64;
            return Some(within(distribution, index, share));
        }
        seen = upto;
    }
    None
}

fn within(distribution: &Distribution, index: usize, share: f64) -> Interpolated {
    let low = index.checked_sub(1).and_then(|i| distribution.bounds.get(i).copied());
    let high = distribution.bounds.get(index).copied();
    let (smallest, largest) = distribution.range.unzip();
    match (low, high) {
        (Some(low), Some(high)) => Interpolated { value: low + (high - low) * share, side: None, limit: None },
        (None, Some(high)) => {
            Interpolated { value: high, side: Some(Side::Below), limit: smallest.filter(|s| *s <= high) }
        }
        (Some(low), None) => Interpolated { value: low, side: Some(Side::Above), limit: largest.filter(|l| *l >= low) },
        // a histogram has at least one bound
        (None, None) => Interpolated { value: distribution.mean, side: None, limit: None },
    }
}

/// All samples of several distributions as one; `None` when they count in different buckets, or in none.
pub(super) fn merged<'a>(mut parts: impl Iterator<Item = &'a Distribution>) -> Option<Distribution> {
    let mut whole = parts.next()?.clone();
    for part in parts {
        whole = both(whole, part)?;
    }
    Some(whole)
}

fn both(a: Distribution, b: &Distribution) -> Option<Distribution> {
    // one without samples has no buckets of its own
    if b.count == 0 {
        return Some(a);
    }
    if a.count == 0 {
        return Some(b.clone());
    }
    if !same_buckets(&a, b) {
        return None;
    }
    let count = a.count.checked_add(b.count)?;
    let (long, short) = if a.counts.len() >= b.counts.len() { (&a, b) } else { (b, &a) };
    let also = short.counts.iter().copied().chain(std::iter::repeat(0));
    Some(Distribution {
        count,
        range: a.range.zip(b.range).map(|((a, b), (c, d))| (a.min(c), b.max(d))),
        mean: (a.mean * a.count as f64 + b.mean * b.count as f64) / count as f64,
        counts: long.counts.iter().zip(also).map(|(a, b)| a.saturating_add(b)).collect(),
        bounds: long.bounds.clone(),
    })
}

/// True when both count in the same buckets, as far as their bounds go: those behind the last sample are not kept.
fn same_buckets(a: &Distribution, b: &Distribution) -> bool {
    let (long, short) = if a.bounds.len() >= b.bounds.len() { (a, b) } else { (b, a) };
    let ends_open = short.counts.len() > short.bounds.len();
    let same_end = !ends_open || long.bounds.len() == short.bounds.len();
    !short.bounds.is_empty() && long.bounds.starts_with(&short.bounds) && same_end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explicit(bounds: &[f64], counts: &[u64]) -> Distribution {
        let count = counts.iter().sum();
        Distribution { count, mean: 1.0, bounds: bounds.to_vec(), counts: counts.to_vec(), range: None }
    }

    fn p(distribution: &Distribution, percent: &str) -> Option<(f64, Option<Side>)> {
        percentile(distribution, Percentile::parse(percent).unwrap()).map(|i| (i.value, i.side))
    }

    #[test]
    fn one_sample_is_interpolated_within_its_bucket() {
        // between 256 and 512: half of the way is 384, 95 % of it 499.2, 99 % of it 509.44
        let one = explicit(&[256.0, 512.0], &[0, 1, 0]);
        assert_eq!(p(&one, "50"), Some((384.0, None)));
        let near = |percent: &str, value: f64| (p(&one, percent).unwrap().0 - value).abs() < 1e-9;
        assert!(near("95", 499.2) && near("99", 509.44));
    }

    #[test]
    fn open_buckets_give_their_finite_edge_and_say_so() {
        let both_sides = explicit(&[10.0], &[1, 1]);
        assert_eq!(p(&both_sides, "50"), Some((10.0, Some(Side::Below))));
        assert_eq!(p(&both_sides, "95"), Some((10.0, Some(Side::Above))));
    }

    #[test]
    fn the_smallest_and_largest_sample_limit_what_an_open_bucket_leaves_open() {
        let ranged = Distribution { range: Some((2.0, 30.0)), ..explicit(&[10.0], &[1, 1]) };
        let limit = |distribution: &Distribution, share| percentile(distribution, share).and_then(|found| found.limit);
        assert_eq!(limit(&ranged, Percentile::P50), Some(2.0));
        assert_eq!(limit(&ranged, Percentile::P99), Some(30.0));
        assert_eq!(p(&ranged, "99"), Some((10.0, Some(Side::Above))));
        let damaged = Distribution { range: Some((2.0, 5.0)), ..ranged };
        assert_eq!(limit(&damaged, Percentile::P99), None, "a largest sample below the last bound");
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(p(&Distribution::default(), "50"), None);
        assert_eq!(
            p(&Distribution { count: 9, mean: 1.5, ..Distribution::default() }, "50"),
            None,
            "mean and count only"
        );
    }

    #[test]
    fn distributions_merge_by_adding_counts_of_equal_buckets() {
        let (a, b) = (explicit(&[1.0, 2.0], &[1, 2, 0]), explicit(&[1.0, 2.0], &[0, 1, 4]));
        let whole = merged([&a, &Distribution::default(), &b].into_iter()).unwrap();
        assert_eq!((whole.count, whole.counts), (8, vec![1, 3, 4]));
        let other = explicit(&[1.0, 3.0], &[0, 1, 0]);
        assert_eq!(merged([&a, &other].into_iter()), None);
        let short = explicit(&[1.0], &[5]);
        assert_eq!(merged([&short, &a].into_iter()).map(|whole| whole.counts), Some(vec![6, 2, 0]));
        let open = explicit(&[1.0], &[0, 5]);
        assert_eq!(merged([&open, &a].into_iter()), None, "its last bucket has no end");
    }
}
