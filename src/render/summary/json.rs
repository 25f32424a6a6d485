//! The table as JSON: every figure there is, whatever the columns.

use serde_json::{Map, Value, json};

use super::csv::scope;
use super::words;
use crate::model::{
    DigestRange, GoalResult, OutcomeTargets, QueryTotals, Remark, SweepColumn, SweepDigest, SweepFigure, SweepLine,
    SweepTable,
};
use crate::notation::column;

/// Writes the whole table after `docs/summary.md`; what is not known is left out.
pub fn summary_json(table: &SweepTable) -> String {
    let remark =
        |remark: &Remark| json!({"kind": kind(remark), "text": words::remark(remark, table.lines.len()).join(" ")});
    let mut value = json!({
        "schema": "sweepdoc/summary/1",
        "version": table.version,
        "scope": scope(table.scope),
        "usual_vus": table.usual_vus,
        "lines": table.lines.iter().map(line).collect::<Vec<_>>(),
        "goals": table.goals.iter().map(goal).collect::<Vec<_>>(),
        "monitoring": monitoring(&table.monitoring),
        "remarks": table.remarks.iter().map(remark).collect::<Vec<_>>(),
    });
    remove_nulls(&mut value);
    format!("{value:#}\n")
}

/// What monitoring says of the sweep; null when it says nothing.
fn monitoring(digest: &SweepDigest) -> Value {
    let range = |range: &DigestRange| json!({"quantity": range.quantity, "min": range.range.0, "max": range.range.1, "targets": range.targets});
    let queries = |queries: &QueryTotals| {
        json!({"runs": queries.runs, "total_seconds": queries.total_seconds,
               "advisory_seconds": queries.advisory_seconds, "categories": queries.categories})
    };
    let outcome = |outcome: &OutcomeTargets| json!({"verdict": outcome.verdict, "resources": outcome.resources, "targets": outcome.targets});
    if digest.ranges.is_empty() && digest.queries.is_none() && digest.outcomes.is_empty() {
        return Value::Null;
    }
    json!({
        "ranges": digest.ranges.iter().map(range).collect::<Vec<_>>(),
        "queries": digest.queries.as_ref().map(queries),
        "outcomes": digest.outcomes.iter().map(outcome).collect::<Vec<_>>(),
    })
}

fn line(line: &SweepLine) -> Value {
    let latency: Map<String, Value> = line
        .latency
        .iter()
        .map(|(stat, latency)| (column::name(SweepColumn::Latency(*stat)), json!(latency.ms)))
        .collect();
    json!({
        "target": line.target,
        "vus": line.vus,
        "iterations": line.iterations,
        "iterations_per_second": line.iterations_per_second,
        "http_req_duration_ms": if latency.is_empty() { Value::Null } else { Value::Object(latency) },
        "requests": line.requests,
        "checks": line.checks.map(|(failed, total)| json!({"total": total, "failed": failed})),
    })
}

fn goal(result: &GoalResult) -> Value {
    let goal = &result.goal;
    let metric = match goal.figure {
        SweepFigure::IterationsPerSecond => SweepColumn::IterationsPerSecond,
        SweepFigure::Latency(stat) => SweepColumn::Latency(stat),
    };
    json!({
        "target": goal.target,
        "metric": column::name(metric),
        "at_least": goal.at_least,
        "at_most": goal.at_most,
        "reached": result.reached,
        "met": result.met(),
        "link": goal.link,
    })
}

fn kind(remark: &Remark) -> &'static str {
    match remark {
        Remark::NoFigures { .. } => "no-figures",
        Remark::SameOutput { .. } => "same-output",
        Remark::NotAsPlanned { .. } => "not-as-planned",
        Remark::Overlap { .. } => "overlap",
        Remark::Differs { .. } => "differs",
        Remark::Recomputed { .. } => "recomputed",
    }
}

/// Absent, not null: the same as in `evidence.json`.
fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(remove_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}
