//! k6's machine-readable summaries: `--summary-export`, the data of `handleSummary()`, `--new-machine-readable-summary`.
//!
//! One file per shape. The three disagree on words: `passes` of a rate counts samples that were *not zero* (for
//! `http_req_failed` those are the failed requests), and a threshold is `true` when *crossed* in an export but `ok: true` when
//! *held* in `handleSummary` data.

mod export;
mod handle_summary;
mod machine_readable;
mod node;
pub mod secrets;

use std::path::Path;

use serde_json::Value;

use crate::model::{CheckCount, Declaration, EndSummary, Fault, Figures, Place, Result, SummaryOrigin, Threshold};
use node::Node;

/// Tells which summary a JSON document is, by its content; `None` when it is none.
pub fn recognise(value: &Value) -> Option<SummaryOrigin> {
    let results = value.get("results").and_then(|results| results.get("metrics"));
    if results.is_some_and(Value::is_array) {
        return Some(SummaryOrigin::MachineReadable);
    }
    let metrics = value.get("metrics")?.as_object()?;
    let nested = |metric: &Value| metric.get("values").is_some_and(Value::is_object);
    if metrics.values().any(nested) || metrics.is_empty() && value.get("state").is_some() {
        return Some(SummaryOrigin::HandleSummary);
    }
    let flat = |metric: &Value| metric.as_object().is_some_and(|fields| fields.values().any(Value::is_number));
    let is_export = metrics.values().any(flat) || metrics.is_empty() && value.get("root_group").is_some();
    is_export.then_some(SummaryOrigin::Export)
}

/// Reads any of the three summaries; `file` is named in faults.
///
/// Figures are stated in full (`step` 0) and keep their own unit; `null`, which JavaScript makes of what is not finite, is a
/// figure without a value. Values of `setup_data` are never kept: [`EndSummary::secrets`] lists its path, and that of whatever
/// else looks like a secret; in names of metrics and checks a secret is masked.
///
/// # Errors
///
/// When the document is no summary, or a field is missing or not of the expected type; the fault names file and field.
pub fn read(value: &Value, file: &Path) -> Result<EndSummary> {
    let Some(origin) = recognise(value) else {
        let message = "expected a k6 summary (an object with `metrics` or `results.metrics`), found other JSON";
        return Err(Fault::at(Place::file(file), message));
    };
    let root = Node::root(value, file);
    let parts = match origin {
        SummaryOrigin::MachineReadable => machine_readable::read(&root)?,
        SummaryOrigin::HandleSummary => handle_summary::read(&root)?,
        _ => export::read(&root)?,
    };
    let mut summary = EndSummary {
        origin,
        metrics: indexmap::IndexMap::new(),
        checks: parts.checks,
        run_seconds: parts.run_seconds,
        k6_version: parts.k6_version,
        secrets: secrets::paths(value),
    };
    for (name, figures) in parts.metrics {
        summary.metrics.insert(secrets::mask(&name), figures);
    }
    for check in &mut summary.checks {
        check.name = secrets::mask(&check.name);
        check.group = check.group.as_deref().map(secrets::mask);
    }
    Ok(summary)
}

/// The metrics' types as the document states them. An export states none: its figures show the kind, nothing shows the unit.
pub fn declarations(value: &Value) -> Vec<Declaration> {
    let metrics: Vec<(&str, &Value)> = match recognise(value) {
        Some(SummaryOrigin::HandleSummary) => handle_summary::metrics(value).collect(),
        Some(SummaryOrigin::MachineReadable) => machine_readable::metrics(value).collect(),
        _ => Vec::new(),
    };
    let declaration = |(name, metric): (&str, &Value)| {
        let word = |key: &str| metric.get(key).and_then(Value::as_str);
        let kind = node::kind(word("type")?)?;
        Some(Declaration { name: name.to_owned(), kind, contains: node::contains(word("contains")?)? })
    };
    // a submetric is of its parent's type
    metrics.into_iter().filter(|(name, _)| !name.contains('{')).filter_map(declaration).collect()
}

/// The verdicts on thresholds, in the order found. No shape states the deciding value with them; the new machine-readable
/// summary has no thresholds at all.
pub fn thresholds(value: &Value) -> Vec<Threshold> {
    let held: fn(&Value) -> Option<bool> = match recognise(value) {
        Some(SummaryOrigin::Export) => |crossed| crossed.as_bool().map(|crossed| !crossed),
        Some(SummaryOrigin::HandleSummary) => |verdict| verdict.get("ok")?.as_bool(),
        _ => return Vec::new(),
    };
    let metrics = value.get("metrics").and_then(Value::as_object).into_iter().flatten();
    let mut found = Vec::new();
    for (name, metric) in metrics {
        for (source, verdict) in metric.get("thresholds").and_then(Value::as_object).into_iter().flatten() {
            if let Some(held) = held(verdict) {
                found.push(Threshold { metric: secrets::mask(name), source: source.clone(), value: None, held });
            }
        }
    }
    found
}

/// What each shape gives.
#[derive(Debug, Default)]
struct Parts {
    metrics: Vec<(String, Figures)>,
    checks: Vec<CheckCount>,
    run_seconds: Option<f64>,
    k6_version: Option<String>,
}

#[cfg(test)]
mod tests;
