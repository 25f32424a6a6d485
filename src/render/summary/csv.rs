//! The table as CSV: figures in full, an empty field for what is not known.

use crate::model::{Scope, SweepColumn, SweepLine, SweepTable};
use crate::notation::column;

/// Writes a heading and a line for each run: `version` and `scope` first, then the columns.
///
/// Latencies are milliseconds and say so in their name; failures stand with what they are counted of.
pub fn summary_csv(table: &SweepTable, columns: &[SweepColumn]) -> String {
    let mut fields: Vec<Field> = Vec::new();
    for field in columns.iter().flat_map(|column| fields_of(*column)) {
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    let own = |names: [&str; 2]| names.map(str::to_owned).into_iter();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let heading = own(["version", "scope"]).chain(fields.iter().map(|field| field.heading()));
    let mut written = writer.write_record(heading);
    for line in &table.lines {
        let version = table.version.as_deref().unwrap_or_default();
        let record = own([version, scope(table.scope)]).chain(fields.iter().map(|field| field.of(line)));
        written = written.and_then(|()| writer.write_record(record));
    }
    // records of equal length into memory: neither can fail
    written.ok().and_then(|()| writer.into_inner().ok()).and_then(|b| String::from_utf8(b).ok()).unwrap_or_default()
}

/// The word for a scope, as on the command line.
pub(super) fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Run => "run",
        Scope::Test => "test",
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Of(SweepColumn),
    Failed,
    FailedChecks,
    Checks,
}

fn fields_of(column: SweepColumn) -> Vec<Field> {
    match column {
        SweepColumn::FailedRequests => vec![Field::Failed, Field::Of(SweepColumn::Requests)],
        SweepColumn::FailedChecks => vec![Field::FailedChecks, Field::Checks],
        other => vec![Field::Of(other)],
    }
}

impl Field {
    fn heading(self) -> String {
        match self {
            Field::Of(SweepColumn::Latency(stat)) => column::name(SweepColumn::Latency(stat)) + "_ms",
            Field::Of(other) => column::name(other),
            Field::Failed => column::name(SweepColumn::FailedRequests),
            Field::FailedChecks => column::name(SweepColumn::FailedChecks),
            Field::Checks => "checks".to_owned(),
        }
    }

    fn of(self, line: &SweepLine) -> String {
        let text = |value: Option<u64>| value.map(|value| value.to_string());
        let value = match self {
            Field::Of(SweepColumn::Target) => Some(line.target.clone()),
            Field::Of(SweepColumn::Vus) => text(line.vus),
            Field::Of(SweepColumn::Iterations) => text(line.iterations),
            Field::Of(SweepColumn::IterationsPerSecond) => line.iterations_per_second.map(|rate| rate.to_string()),
            Field::Of(SweepColumn::Latency(stat)) => line.latency(stat).map(|latency| latency.ms.to_string()),
            Field::Of(SweepColumn::Requests) => text(line.requests.map(|requests| requests.total)),
            Field::Failed | Field::Of(SweepColumn::FailedRequests) => text(line.requests.and_then(|r| r.failed)),
            Field::FailedChecks | Field::Of(SweepColumn::FailedChecks) => text(line.checks.map(|(failed, _)| failed)),
            Field::Checks => text(line.checks.map(|(_, total)| total)),
        };
        value.unwrap_or_default()
    }
}
