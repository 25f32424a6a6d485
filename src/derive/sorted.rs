//! Order statistics of values that lie in several sorted groups, without putting them together.

use super::quantile::interpolated;
use super::sum::ExactSum;

/// Values in ascending order, and their sum.
#[derive(Debug, Clone, Default)]
pub struct Sorted {
    values: Vec<f64>,
    sum: ExactSum,
}

impl Sorted {
    /// Sorts values; none of them is NaN.
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let sum = ExactSum::of(&values);
        Sorted { values, sum }
    }
}

/// The values of several groups taken together; their order and grouping changes nothing.
pub struct Pool<'a>(Vec<&'a Sorted>);

impl<'a> Pool<'a> {
    /// Of these groups; empty ones count for nothing.
    pub fn new(groups: impl Iterator<Item = &'a Sorted>) -> Self {
        Pool(groups.filter(|group| !group.values.is_empty()).collect())
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|group| group.values.len()).sum()
    }

    /// The smallest value; `None` without values.
    pub fn min(&self) -> Option<f64> {
        self.0.iter().filter_map(|group| group.values.first()).copied().min_by(f64::total_cmp)
    }

    /// The largest value; `None` without values.
    pub fn max(&self) -> Option<f64> {
        self.0.iter().filter_map(|group| group.values.last()).copied().max_by(f64::total_cmp)
    }

    /// The mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        let mut sum = ExactSum::default();
        self.0.iter().for_each(|group| sum.merge(&group.sum));
        (self.len() > 0).then(|| sum.value() / self.len() as f64)
    }

    /// As [`quantile`](super::quantile()) of all values together.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        interpolated(self.len(), q, |rank| self.at(rank))
    }

    /// The value that has `rank` values before it.
    fn at(&self, rank: usize) -> Option<f64> {
        if let [only] = self.0.as_slice() {
            return only.values.get(rank).copied();
        }
        // the smallest key that more than `rank` values do not exceed, by halving the range of all keys
        let (mut low, mut high) = (key(self.min()?), key(self.max()?));
        while low < high {
            let middle = low + (high - low) / 2;
            let not_above = |group: &&Sorted| group.values.partition_point(|value| key(*value) <= middle);
            match self.0.iter().map(not_above).sum::<usize>() > rank {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        (rank < self.len()).then_some(value(low))
    }
}

/// A whole number for each value, in the same order as [`f64::total_cmp`] has them.
fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if value.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::super::quantile::quantile;
    use super::*;

    #[test]
    fn groups_have_the_quantiles_of_their_values_together() {
        let groups = [vec![5.0, -1.5, 3.25], vec![], vec![60_000.0, 0.0, 5.0, 5.0], vec![-0.25]].map(Sorted::new);
        let pool = Pool::new(groups.iter());
        let mut all: Vec<f64> = groups.iter().flat_map(|group| group.values.clone()).collect();
        all.sort_unstable_by(f64::total_cmp);
        for q in (0..=100).map(|q| f64::from(q) / 100.0) {
            assert_eq!(pool.quantile(q), quantile(&all, q), "{q}");
        }
        assert_eq!((pool.len(), pool.min(), pool.max()), (8, Some(-1.5), Some(60_000.0)));
        assert_eq!(pool.mean(), Some(60_016.5 / 8.0));
    }

    #[test]
    fn nothing_has_no_statistics() {
        let empty = Sorted::default();
        let pool = Pool::new([&empty].into_iter());
        assert_eq!((pool.len(), pool.min(), pool.max(), pool.mean(), pool.quantile(0.5)), (0, None, None, None, None));
    }
}
