use serde_json::Value;

use super::Parts;
use super::node::{self, Node};
use crate::model::{Figures, Kind, Result};

/// Reads a `--new-machine-readable-summary` file (k6 v1.5 on). It lists metrics in random order: they are sorted by name.
pub(super) fn read(root: &Node<'_>) -> Result<Parts> {
    let mut parts = Parts::default();
    let results = root.field("results")?;
    let mut metrics = results.field("metrics")?.items()?;
    if let Some(checks) = results.get("checks") {
        if let Some(list) = checks.get("metrics") {
            metrics.extend(list.items()?);
        }
        if let Some(list) = checks.get("results") {
            for check in list.items()? {
                parts.checks.push(check.check(None)?);
            }
        }
    }
    for metric in metrics {
        parts.metrics.push((metric.field("name")?.text()?.to_owned(), figures(&metric)?));
    }
    parts.metrics.sort_by(|a, b| a.0.cmp(&b.0));
    if let Some(duration) = root.get("config").and_then(|config| config.get("duration")) {
        parts.run_seconds = Some(duration.number()?);
    }
    let metadata = root.get("metadata");
    // files have snake case, the schema in k6's source camel case
    if let Some(version) = metadata.and_then(|data| data.get("k6_version").or_else(|| data.get("k6Version"))) {
        parts.k6_version = Some(format!("v{}", version.text()?.trim_start_matches('v')));
    }
    Ok(parts)
}

/// The metrics with their `type` and `contains`.
pub(super) fn metrics(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let metrics = value.get("results").and_then(|results| results.get("metrics")).and_then(Value::as_array);
    metrics.into_iter().flatten().filter_map(|metric| Some((metric.get("name")?.as_str()?, metric)))
}

fn figures(metric: &Node<'_>) -> Result<Figures> {
    let word = metric.field("type")?;
    let kind = node::kind(word.text()?).ok_or_else(|| word.expected("`counter`, `gauge`, `rate` or `trend`"))?;
    let values = metric.field("values")?;
    match kind {
        Kind::Counter => values.counter(),
        Kind::Gauge => values.gauge(),
        Kind::Trend => values.trend(),
        Kind::Rate => Ok(Figures::Rate {
            nonzero: values.field("matches")?.count()?,
            total: values.field("total")?.count()?,
            share: values.get("rate").map(|node| node.figure()).transpose()?,
        }),
    }
}
