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
pub(super) fn interpolated(n: usize, q: f64, at: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let rank = q.clamp(0.0, 1.0) * n.checked_sub(1)? as f64;
    let low = at(rank.floor() as usize)?;
    let high = at(rank.ceil() as usize)?;
    Some(low + (high - low) * (rank - rank.floor()))
}

/// The median of values in any order, which it changes; `None` without values.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    let n = values.len();
    let (below, upper, _) = (n > 0).then(|| values.select_nth_unstable_by(n / 2, f64::total_cmp))?;
    let lower = below.iter().copied().max_by(f64::total_cmp);
    interpolated(n, 0.5, |rank| if rank == n / 2 { Some(*upper) } else { lower })
}

#[cfg(test)]
mod tests {
    use super::{median, quantile};

    #[test]
    fn the_median_is_the_quantile_in_the_middle() {
        for values in [vec![], vec![3.0], vec![5.0, 1.0], vec![9.0, 1.0, 4.0], vec![2.0, 8.0, 1.0, 9.0, 9.0, 0.5]] {
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            assert_eq!(median(&mut values.clone()), quantile(&sorted, 0.5), "{values:?}");
        }
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
