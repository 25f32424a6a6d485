//! The rows of a page's chart: quantiles of each second.

use std::collections::BTreeMap;

use super::kinds::StatedKinds;
use super::observations::{Metric, Observations};
use super::quantile::Selection;
use crate::model::{ChartRow, Declaration, EndSummary, Kind, Phase, Time};

/// Per-second p50, p95 and p99 of the custom time trends of the test phase, by time, then metric; of `http_req_duration`
/// only if there is no custom one. Seconds without samples are absent.
///
/// When phases cannot be told, all samples count.
pub fn chart_rows(seen: &Observations, declarations: &[Declaration], summaries: &[&EndSummary]) -> Vec<ChartRow> {
    let kinds = StatedKinds::new(declarations, summaries.iter().copied());
    let is_time_trend = |metric: &&Metric| {
        let kind = kinds.of(metric);
        kind.kind == Kind::Trend && kind.time == Some(true)
    };
    let custom = seen.metrics.iter().filter(|m| m.n > 0 && super::builtin::builtin(&m.name).is_none());
    let mut trends: Vec<&Metric> = custom.filter(is_time_trend).collect();
    trends.sort_by_key(|metric| &metric.name);
    let mut rows: Vec<ChartRow> = trends.into_iter().flat_map(|metric| rows_of(seen, metric)).collect();
    if rows.is_empty() {
        rows = seen.metric("http_req_duration").map(|metric| rows_of(seen, metric)).unwrap_or_default();
    }
    // rows of the same second stay in order of metric
    rows.sort_by_key(|row| row.time);
    // they are held when the values of their run are gone
    rows.shrink_to_fit();
    rows
}

fn rows_of(seen: &Observations, metric: &Metric) -> Vec<ChartRow> {
    let mut by_second: BTreeMap<i64, Vec<&[f64]>> = BTreeMap::new();
    for ((class, _), values) in &metric.cells {
        if matches!(seen.phases.resolve(*class), Phase::Test | Phase::Unknown) {
            for (second, values) in values.iter().filter(|(_, values)| !values.is_empty()) {
                by_second.entry(second).or_default().push(values);
            }
        }
    }
    let mut selection = Selection::default();
    let row = |(second, values): (i64, Vec<&[f64]>)| {
        selection.refill(values.into_iter().flatten().copied());
        Some(ChartRow {
            metric: metric.name.clone(),
            time: Time::from_unix_seconds(second)?,
            p50: selection.quantile(0.5)?,
            p95: selection.quantile(0.95)?,
            p99: selection.quantile(0.99)?,
        })
    };
    by_second.into_iter().filter_map(row).collect()
}

/// Rows of existing chart data in our own order: by time, then metric, whichever way they came.
pub fn normalised_chart(mut rows: Vec<ChartRow>) -> Vec<ChartRow> {
    rows.sort_by(|a, b| a.time.cmp(&b.time).then_with(|| a.metric.cmp(&b.metric)));
    rows
}
