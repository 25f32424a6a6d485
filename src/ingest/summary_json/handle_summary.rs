use serde_json::Value;

use super::Parts;
use super::node::{self, Node};
use crate::model::{Figures, Kind, Result};

/// Reads what a script's `handleSummary(data)` saved of `data`.
pub(super) fn read(root: &Node<'_>) -> Result<Parts> {
    let mut parts = Parts::default();
    for (name, metric) in root.field("metrics")?.entries()? {
        parts.metrics.push((name.to_owned(), figures(&metric)?));
    }
    // a script may save a part of the data only
    if let Some(group) = root.get("root_group") {
        group.checks_of_group("", &mut parts.checks)?;
    }
    if let Some(duration) = root.get("state").and_then(|state| state.get("testRunDurationMs")) {
        parts.run_seconds = Some(duration.number()? / 1000.0);
    }
    Ok(parts)
}

/// The metrics with their `type` and `contains`.
pub(super) fn metrics(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let metrics = value.get("metrics").and_then(Value::as_object).into_iter().flatten();
    metrics.map(|(name, metric)| (name.as_str(), metric))
}

fn figures(metric: &Node<'_>) -> Result<Figures> {
    let word = metric.field("type")?;
    let kind = node::kind(word.text()?).ok_or_else(|| word.expected("`counter`, `gauge`, `rate` or `trend`"))?;
    let values = metric.field("values")?;
    match kind {
        Kind::Counter => values.counter(),
        Kind::Gauge => values.gauge(),
        Kind::Rate => values.rate("rate"),
        Kind::Trend => values.trend(),
    }
}
