use super::Parts;
use super::node::Node;
use crate::model::{Figures, Result};

/// Reads a `--summary-export` file: flat metrics without types, told apart by their keys.
pub(super) fn read(root: &Node<'_>) -> Result<Parts> {
    let mut parts = Parts::default();
    for (name, metric) in root.field("metrics")?.entries()? {
        parts.metrics.push((name.to_owned(), figures(&metric)?));
    }
    if let Some(group) = root.get("root_group") {
        group.checks_of_group("", &mut parts.checks)?;
    }
    parts.run_seconds = run_seconds(&parts.metrics);
    Ok(parts)
}

/// A trend may have a `count` too, but never a `rate`.
fn figures(metric: &Node<'_>) -> Result<Figures> {
    if metric.get("passes").is_some() {
        metric.rate("value")
    } else if metric.get("count").is_some() && metric.get("rate").is_some() {
        metric.counter()
    } else if metric.get("value").is_some() {
        metric.gauge()
    } else {
        metric.trend()
    }
}

/// The file states no duration, but every counter's rate is its count over it: taken from the largest, first by name.
fn run_seconds(metrics: &[(String, Figures)]) -> Option<f64> {
    let mut best: Option<(f64, &str, f64)> = None;
    for (name, figures) in metrics {
        let Figures::Counter { count, per_second: Some(rate) } = figures else { continue };
        let (Some(count), Some(rate)) = (count.value, rate.value) else { continue };
        let better = best.is_none_or(|(most, first, _)| count > most || count == most && name.as_str() < first);
        if count > 0.0 && rate > 0.0 && better {
            best = Some((count, name, count / rate));
        }
    }
    best.map(|(_, _, seconds)| seconds)
}
