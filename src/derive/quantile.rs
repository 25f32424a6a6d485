//! Quantiles of values, exact and without sorting them all.

/// Returns the value below which a fraction `q` of the samples lie.
///
/// `sorted` is ascending; `q` is a fraction in `0.0..=1.0`, not a percentage, and is clamped to it. Interpolates linearly
/// between neighbouring ranks over `n - 1`, as k6 does for its end-of-test summary (`metrics/sink.go`), so the two agree to
/// the last bit.
///
/// Returns `None` when there are no samples.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    interpolated(sorted.len(), q, |rank| sorted.get(rank).copied())
}

/// The same for `n` values of which `at` gives the one that has so many before it.
fn interpolated(n: usize, q: f64, mut at: impl FnMut(usize) -> Option<f64>) -> Option<f64> {
    let rank = q.clamp(0.0, 1.0) * n.checked_sub(1)? as f64;
    let low = at(rank.floor() as usize)?;
    let high = at(rank.ceil() as usize)?;
    Some(low + (high - low) * (rank - rank.floor()))
}

/// Values in any order of which a few quantiles are wanted: only what lies near them is put in order.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Whole numbers in the order of the values: those compare faster.
    keys: Vec<i64>,
    /// The ranks whose keys are where they belong, ascending; smaller keys stand before each of them, greater ones behind it.
    placed: Vec<usize>,
}

impl Selection {
    /// Of these values, about `n` of them.
    pub fn of(n: usize, values: impl Iterator<Item = f64>) -> Self {
        let mut all = Selection { keys: Vec::with_capacity(n), placed: Vec::new() };
        all.refill(values);
        all
    }

    /// Of other values, in the same memory.
    pub fn refill(&mut self, values: impl Iterator<Item = f64>) {
        self.keys.clear();
        self.placed.clear();
        // `extend` would ask the groups of a flattened iterator for its size again and again
        values.for_each(|value| self.keys.push(key(value)));
    }

    /// As [`quantile`](quantile()).
    pub fn quantile(&mut self, q: f64) -> Option<f64> {
        self.quantile_with(&[], q)
    }

    /// The quantile of all values and some more, best few, in the order of [`keys_in_order`].
    pub fn quantile_with(&mut self, more: &[i64], q: f64) -> Option<f64> {
        interpolated(self.keys.len() + more.len(), q, |rank| self.at_with(more, rank).map(value))
    }

    /// The key that has `rank` keys before it, of all and some more in order.
    fn at_with(&mut self, more: &[i64], rank: usize) -> Option<i64> {
        // how many of the others come before it: at least those for which there are too few here
        let (mut low, mut high) = (rank.saturating_sub(self.keys.len()), rank.min(more.len()));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.at(rank - middle - 1)? > *more.get(middle)? {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let (here, there) = (self.at(rank - low), more.get(low).copied());
        here.into_iter().chain(there).min()
    }

    /// The key that has `rank` keys before it.
    fn at(&mut self, rank: usize) -> Option<i64> {
        let after = match self.placed.binary_search(&rank) {
            Ok(_) => return self.keys.get(rank).copied(),
            Err(after) => after,
        };
        let start = after.checked_sub(1).and_then(|before| self.placed.get(before)).map_or(0, |before| before + 1);
        let end = self.placed.get(after).copied().unwrap_or(self.keys.len());
        let between = self.keys.get_mut(start..end).filter(|between| rank - start < between.len())?;
        let found = *between.select_nth_unstable(rank - start).1;
        self.placed.insert(after, rank);
        Some(found)
    }
}

/// The keys of all values of some selections in ascending order, for [`Selection::quantile_with`].
pub(super) fn keys_in_order<'s>(selections: impl Iterator<Item = &'s Selection>) -> Vec<i64> {
    let mut keys: Vec<i64> = selections.flat_map(|selection| &selection.keys).copied().collect();
    keys.sort_unstable();
    keys
}

/// A whole number for each value, in the same order as [`f64::total_cmp`] has them.
fn key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

fn value(key: i64) -> f64 {
    f64::from_bits((key ^ (((key >> 63) as u64) >> 1) as i64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values in no order, some of them twice.
    fn mixed(n: u64) -> Vec<f64> {
        (0..n).map(|i| (i * 7919 % 101) as f64 * 0.75 - 20.0).collect()
    }

    #[test]
    fn selected_quantiles_are_those_of_sorted_values() {
        for n in [0, 1, 2, 3, 4, 7, 50, 101, 500] {
            let mut sorted = mixed(n);
            sorted.sort_by(f64::total_cmp);
            let fractions: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0).collect();
            let expected: Vec<Option<f64>> = fractions.iter().map(|q| quantile(&sorted, *q)).collect();
            let mut ascending = Selection::of(0, mixed(n).into_iter());
            assert_eq!(fractions.iter().map(|q| ascending.quantile(*q)).collect::<Vec<_>>(), expected, "{n}");
            let mut descending = Selection::of(0, mixed(n).into_iter());
            let backwards = fractions.iter().rev().map(|q| descending.quantile(*q));
            assert_eq!(backwards.collect::<Vec<_>>(), expected.iter().rev().copied().collect::<Vec<_>>(), "{n}");
        }
    }

    #[test]
    fn values_may_come_in_two_parts() {
        for (n, split) in [(0, 0), (1, 0), (1, 1), (2, 1), (7, 2), (50, 3), (101, 60), (300, 299), (300, 300)] {
            let mut sorted = mixed(n);
            sorted.sort_by(f64::total_cmp);
            let (here, there) = (mixed(n).split_off(split), mixed(n)[..split].to_vec());
            let (mut selection, more) =
                (Selection::of(0, here.into_iter()), keys_in_order([Selection::of(0, there.into_iter())].iter()));
            for q in (0..=40).map(|i| f64::from(i) / 40.0) {
                assert_eq!(selection.quantile_with(&more, q), quantile(&sorted, q), "{n} {split} {q}");
            }
        }
    }

    #[test]
    fn memory_is_used_again_for_other_values() {
        let mut selection = Selection::of(3, [3.0, 1.0, 2.0].into_iter());
        assert_eq!(selection.quantile(1.0), Some(3.0));
        selection.refill([5.0].into_iter());
        assert_eq!((selection.quantile(0.0), selection.quantile(1.0)), (Some(5.0), Some(5.0)));
    }

    #[test]
    fn keys_are_in_the_order_of_their_values() {
        let values = [f64::MIN, -60_002.5, -1.0, -1e-300, -0.0, 0.0, 5e-324, 0.25, 1.0, 60_002.5, f64::MAX];
        assert!(values.is_sorted_by(|a, b| key(*a) < key(*b)));
        values.iter().for_each(|v| assert_eq!(value(key(*v)).to_bits(), v.to_bits()));
    }

    #[test]
    fn quantile_of_no_samples_is_absent_not_zero() {
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn quantile_of_one_sample_is_that_sample() {
        assert_eq!(quantile(&[7.5], 0.0), Some(7.5));
        assert_eq!(quantile(&[7.5], 0.99), Some(7.5));
    }

    #[test]
    fn quantile_interpolates_over_n_minus_one() {
        // NumPy: numpy.percentile([1, 2, 4, 8], 95) == 7.4
        let p95 = quantile(&[1.0, 2.0, 4.0, 8.0], 0.95).unwrap();
        assert!((p95 - 7.4).abs() < 1e-12);
        assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 0.5), Some(3.0));
    }

    #[test]
    fn quantile_of_infinite_neighbours_stays_a_number() {
        assert_eq!(quantile(&[1.0, 2.0], 1.0), Some(2.0));
    }
}
