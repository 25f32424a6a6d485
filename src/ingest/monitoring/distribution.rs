//! Distributions of Cloud Monitoring.

use serde_json::Value;

use super::json::{count, field, list, number};
use crate::model::Distribution;

/// Most buckets that are laid out: the system allows two hundred, a damaged file could ask for billions.
const MOST_BUCKETS: u64 = 10_000;

/// Reads a `distributionValue`; `{}` is one without samples.
///
/// When the counts of its buckets do not sum up to the count of samples, count and mean are kept and the histogram is
/// dropped. `None` when a number cannot be read.
pub(super) fn read(value: &Value) -> Option<Distribution> {
    let all = count(value, "count")?;
    let mean = field(value, "mean").map_or(Some(0.0), number)?;
    let plain = Distribution { count: all, mean, ..Distribution::default() };
    let Some(options) = field(value, "bucketOptions") else { return Some(plain) };
    let bounds = bounds(options)?;
    let mut counts = Vec::with_capacity(bounds.len() + 1);
    for bucket in list(value, "bucketCounts") {
        counts.push(match bucket {
            Value::String(text) => text.parse::<u64>().ok()?,
            other => other.as_u64()?,
        });
    }
    // trailing zeros are cut; more buckets than the options allow are a damaged export
    let total = counts.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    if counts.len() > bounds.len() + 1 || total != Some(all) {
        return Some(plain);
    }
    counts.resize(bounds.len() + 1, 0);
    Some(Distribution { bounds, counts, ..plain })
}

/// The finite bounds between buckets, ascending; `None` for options that are none.
fn bounds(options: &Value) -> Option<Vec<f64>> {
    let finite = |shape: &Value| count(shape, "numFiniteBuckets").filter(|n| *n <= MOST_BUCKETS);
    let bounds: Vec<f64> = if let Some(linear) = field(options, "linearBuckets") {
        let width = number(field(linear, "width")?)?;
        let offset = field(linear, "offset").map_or(Some(0.0), number)?;
        (0..=finite(linear)?).map(|i| offset + width * i as f64).collect()
    } else if let Some(exponential) = field(options, "exponentialBuckets") {
        let (growth, scale) = (number(field(exponential, "growthFactor")?)?, number(field(exponential, "scale")?)?);
        (0..=finite(exponential)?).map(|i| scale * growth.powi(i as i32)).collect()
    } else {
        list(field(options, "explicitBuckets")?, "bounds").map(number).collect::<Option<_>>()?
    };
    let ascending = bounds.windows(2).all(|pair| matches!(pair, [low, high] if low < high));
    (ascending && !bounds.is_empty() && bounds.iter().all(|bound| bound.is_finite())).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_object_is_a_distribution_without_samples() {
        assert_eq!(read(&json!({})), Some(Distribution::default()));
    }

    #[test]
    fn every_kind_of_bucket_has_its_bounds() {
        let bounds = |options: Value| bounds(&options);
        let linear = json!({"linearBuckets": {"numFiniteBuckets": 3, "width": 0.5}});
        assert_eq!(bounds(linear), Some(vec![0.0, 0.5, 1.0, 1.5]));
        let exponential = json!({"exponentialBuckets": {"numFiniteBuckets": 2, "growthFactor": 2, "scale": 1}});
        assert_eq!(bounds(exponential), Some(vec![1.0, 2.0, 4.0]));
        assert_eq!(bounds(json!({"explicitBuckets": {"bounds": [10]}})), Some(vec![10.0]));
        for broken in [
            json!({}),
            json!({"explicitBuckets": {"bounds": [2, 1]}}),
            json!({"explicitBuckets": {"bounds": []}}),
            json!({"linearBuckets": {"numFiniteBuckets": "99999999999", "width": 1}}),
        ] {
            assert_eq!(bounds(broken.clone()), None, "{broken}");
        }
    }

    #[test]
    fn counts_that_do_not_sum_up_cost_the_histogram_only() {
        let options = json!({"explicitBuckets": {"bounds": [1, 2]}});
        let sound = read(&json!({"count": "3", "mean": 1.5, "bucketOptions": options, "bucketCounts": ["1", "2"]}));
        assert_eq!(sound.map(|d| d.counts), Some(vec![1, 2, 0]), "trailing zeros come back");
        let wrong = read(&json!({"count": "9", "mean": 1.5, "bucketOptions": options, "bucketCounts": ["1", "2"]}));
        assert_eq!(wrong, Some(Distribution { count: 9, mean: 1.5, ..Distribution::default() }));
        let long =
            read(&json!({"count": "4", "bucketOptions": options, "bucketCounts": ["1", "1", "1", "1"]})).unwrap();
        assert!(long.counts.is_empty());
    }
}
