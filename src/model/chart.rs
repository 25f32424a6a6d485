use super::Time;

/// One row of a page's chart data (`output.json`): the quantiles of one metric within one second.
///
/// A type of its own, so that per-second quantiles can never be taken for those of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartRow {
    /// Name of the trend.
    pub metric: String,
    /// The second.
    pub time: Time,
    /// Median in milliseconds.
    pub p50: f64,
    /// 95th percentile in milliseconds.
    pub p95: f64,
    /// 99th percentile in milliseconds.
    pub p99: f64,
}
