//! Figures of trends, counters, rates and gauges.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Percentile, Stat};

/// One trend.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// True when its values are milliseconds; absent when not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<bool>,
    /// True when neither a log nor a summary nor JSON output says that it is a trend: k6's CSV carries no types.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
    /// Where the figures come from.
    pub from: FigureSource,
    /// The whole run.
    pub run: TrendStats,
    /// The test phase; absent for a setup-only trend and when phases cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TrendStats>,
    /// First against last five minutes of the test phase; absent under ten minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
}

/// Where figures come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureSource {
    /// Computed from every sample.
    #[default]
    Raw,
    /// Stated in full by a machine-readable summary.
    Summary,
    /// Read back from a terminal log: known to the last printed digit only.
    Log,
}

/// Statistics of one trend over one phase; milliseconds for times.
///
/// Quantiles interpolate linearly between the two nearest ranks over n - 1, as k6 does (`metrics/sink.go`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrendStats {
    /// Number of values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u64>,
    /// Smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avg: Option<f64>,
    /// Percentiles, keys `p50` to `p99.9`.
    #[serde(flatten)]
    pub percentiles: BTreeMap<Percentile, f64>,
    /// Largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl TrendStats {
    /// One statistic by the name k6 has for it; `None` when it is not known.
    pub fn get(&self, stat: Stat) -> Option<f64> {
        match stat {
            Stat::Avg => self.avg,
            Stat::Min => self.min,
            Stat::Max => self.max,
            Stat::Med => self.percentiles.get(&Percentile::P50).copied(),
            Stat::Count => self.n.map(|n| n as f64),
            Stat::P(percentile) => self.percentiles.get(&percentile).copied(),
        }
    }
}

/// How a trend's median moved over the test phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    /// Median of the first five minutes.
    pub first5min_p50: f64,
    /// Median of the last five minutes.
    pub last5min_p50: f64,
    /// Last over first; absent when the first is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

/// A counter over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Sum of its values.
    pub sum: f64,
    /// True when only its values say that it is a counter.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// A rate metric over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Samples that were not zero.
    pub nonzero: u64,
    /// All samples.
    pub total: u64,
    /// True when only its values say that it is a rate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// A gauge over the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// Last value.
    pub last: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// True when only its values say that it is a gauge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}
