//! `Database metrics during test`: CPU, memory, connections, transactions and disk operations.

use std::sync::LazyLock;

use super::figure::{Figure, Form, compiled};
use crate::model::Observability;

/// Every figure of the row.
pub(super) static FIGURES: [Figure; 7] = [
    Figure {
        claim: "median CPU of the database",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU: (?:p50 )?(?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("database_cpu"),
    },
    Figure {
        claim: "highest CPU of the database",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU:[^\n]*?(?P<value><?[\d.]+\s?%) peak")),
        form: Form::Share,
        data: |data| data.quantity("database_cpu")?.max,
    },
    Figure {
        claim: "median memory of the database",
        pattern: LazyLock::new(|| compiled(r"(?i)\bMemory: (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("database_memory"),
    },
    Figure {
        claim: "median connections of the database",
        pattern: LazyLock::new(|| compiled(r"(?i)\bConnections: (?P<value>[\d,]+)")),
        form: Form::Whole,
        data: |data| data.central("database_connections"),
    },
    Figure {
        claim: "median transactions a second",
        pattern: LazyLock::new(|| compiled(r"(?i)\bTransactions: (?P<value>[\d,]+)/s")),
        form: Form::Whole,
        data: |data| data.central("database_transactions"),
    },
    Figure {
        claim: "median disk reads a second",
        pattern: LazyLock::new(|| compiled(r"(?i)\bIOPS: [^\n]*?\bread (?P<value>[\d.,]*\d)")),
        form: Form::Rate,
        data: |data| data.central("database_read_operations"),
    },
    Figure {
        claim: "median disk writes a second",
        pattern: LazyLock::new(|| compiled(r"(?i)\bIOPS: [^\n]*?\bwrite (?P<value>[\d.,]*\d)")),
        form: Form::Rate,
        data: |data| data.central("database_write_operations"),
    },
];

/// The row's lines; empty when nothing of it is known.
pub(super) fn lines(data: &Observability) -> Vec<String> {
    let written = |name: &str, form: Form| data.central(name).map(|value| form.write(value));
    let cpu = written("database_cpu", Form::Share).map(|median| {
        let peak = data.quantity("database_cpu").and_then(|figures| figures.max);
        let peak = peak.map(|peak| format!(", {} peak", Form::Share.write(peak))).unwrap_or_default();
        format!("CPU: {median} median{peak}")
    });
    let disk = ["read", "write"].into_iter().filter_map(|what| {
        let rate = written(&format!("database_{what}_operations"), Form::Rate)?;
        Some(format!("{what} {rate}"))
    });
    let disk: Vec<String> = disk.collect();
    [
        cpu,
        written("database_memory", Form::Share).map(|share| format!("Memory: {share}")),
        written("database_connections", Form::Whole).map(|count| format!("Connections: {count}")),
        written("database_transactions", Form::Whole).map(|rate| format!("Transactions: {rate}/s")),
        (!disk.is_empty()).then(|| format!("IOPS: {}", disk.join(", "))),
    ]
    .into_iter()
    .flatten()
    .collect()
}
