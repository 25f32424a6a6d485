//! Distributions of Cloud Monitoring.

use serde_json::Value;

use super::json::{count, field, list, number};
use crate::model::Distribution;

/// Reads a `distributionValue`; `{}` is one without samples.
///
/// When the counts of its buckets do not sum up to the count of samples, count and mean are kept and the histogram is
/// dropped. `None` when a number cannot be read.
pub(super) fn read(value: &Value) -> Option<Distribution> {
    let all = count(value, "count")?;
    let mean = field(value, "mean").map_or(Some(0.0), number)?;
    let plain = Distribution { count: all, mean, range: range(value), ..Distribution::default() };
    let Some(options) = field(value, "bucketOptions") else { return Some(plain) };
    let mut counts = Vec::new();
    for bucket in list(value, "bucketCounts") {
        counts.push(match bucket {
            Value::String(text) => text.parse::<u64>().ok()?,
            other => other.as_u64()?,
        });
    }
    let (bounds, all_buckets) = bounds(options, counts.len())?;
    // more buckets than the options allow are a damaged export
    let total = counts.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    if counts.is_empty() || counts.len() as u64 > all_buckets || total != Some(all) {
        return Some(plain);
    }
    Some(Distribution { bounds, counts, ..plain })
}

/// Smallest and largest sample where they were sent; either is left out when it is zero.
fn range(value: &Value) -> Option<(f64, f64)> {
    let range = field(value, "range")?;
    let end = |name: &str| field(range, name).map_or(Some(0.0), number).filter(|end| end.is_finite());
    let (min, max) = (end("min")?, end("max")?);
    (min <= max).then_some((min, max))
}

/// The first finite bounds between buckets, ascending, as many as `wanted` buckets need, and the number of all buckets.
///
/// Trailing buckets without samples are not sent, and not laid out either: a damaged file could ask for billions. `None` for
/// options that are none.
fn bounds(options: &Value, wanted: usize) -> Option<(Vec<f64>, u64)> {
    let (bounds, finite): (Vec<f64>, u64) = if let Some(linear) = field(options, "linearBuckets") {
        let width = number(field(linear, "width")?)?;
        let offset = field(linear, "offset").map_or(Some(0.0), number)?;
        let finite = count(linear, "numFiniteBuckets")?.checked_add(1)?;
        (first(finite, wanted).map(|i| offset + width * f64::from(i)).collect(), finite)
    } else if let Some(exponential) = field(options, "exponentialBuckets") {
        let (growth, scale) = (number(field(exponential, "growthFactor")?)?, number(field(exponential, "scale")?)?);
        let finite = count(exponential, "numFiniteBuckets")?.checked_add(1)?;
        (first(finite, wanted).map(|i| scale * growth.powf(f64::from(i))).collect(), finite)
    } else {
        let explicit = field(options, "explicitBuckets")?;
        let all = list(explicit, "bounds").count() as u64;
        (list(explicit, "bounds").take(wanted).map(number).collect::<Option<_>>()?, all)
    };
    let ascending = bounds.windows(2).all(|pair| matches!(pair, [low, high] if low < high));
    (finite > 0 && ascending && bounds.iter().all(|bound| bound.is_finite()))
        .then_some((bounds, finite.checked_add(1)?))
}

/// Numbers of the first bounds.
fn first(all: u64, wanted: usize) -> impl Iterator<Item = u32> {
    0..u32::try_from(all.min(wanted as u64)).unwrap_or(u32::MAX)
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
        let bounds = |options: Value| bounds(&options, 4);
        let linear = json!({"linearBuckets": {"numFiniteBuckets": 3, "width": 0.5}});
        assert_eq!(bounds(linear), Some((vec![0.0, 0.5, 1.0, 1.5], 5)));
        let exponential = json!({"exponentialBuckets": {"numFiniteBuckets": 2, "growthFactor": 2, "scale": 1}});
        assert_eq!(bounds(exponential), Some((vec![1.0, 2.0, 4.0], 4)));
        assert_eq!(bounds(json!({"explicitBuckets": {"bounds": [10]}})), Some((vec![10.0], 2)));
        let billions = json!({"linearBuckets": {"numFiniteBuckets": "99999999999", "width": 1}});
        assert_eq!(bounds(billions).map(|(bounds, _)| bounds.len()), Some(4), "only what the counts need");
        for broken in
            [json!({}), json!({"explicitBuckets": {"bounds": [2, 1]}}), json!({"explicitBuckets": {"bounds": []}})]
        {
            assert_eq!(bounds(broken.clone()), None, "{broken}");
        }
    }

    #[test]
    fn counts_that_do_not_sum_up_cost_the_histogram_only() {
        let options = json!({"explicitBuckets": {"bounds": [1, 2]}});
        let sound = read(&json!({"count": "3", "mean": 1.5, "bucketOptions": options, "bucketCounts": ["1", "2"]}));
        assert_eq!(sound.map(|d| (d.counts, d.bounds)), Some((vec![1, 2], vec![1.0, 2.0])));
        let wrong = read(&json!({"count": "9", "mean": 1.5, "bucketOptions": options, "bucketCounts": ["1", "2"]}));
        assert_eq!(wrong, Some(Distribution { count: 9, mean: 1.5, ..Distribution::default() }));
        let long =
            read(&json!({"count": "4", "bucketOptions": options, "bucketCounts": ["1", "1", "1", "1"]})).unwrap();
        assert!(long.counts.is_empty());
    }
}
