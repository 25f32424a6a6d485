//! Columns of a sweep's table: their names in settings, their headings on a page.

use super::stat;
use crate::model::{Percentile, Scope, Stat, SweepColumn};

/// What stands behind the heading of a figure that is one of the test phase.
const TEST_PHASE: &str = " (test phase)";

/// Name and heading of every column that is no statistic.
const NAMED: [(SweepColumn, &str, &str); 7] = [
    (SweepColumn::Target, "target", "target"),
    (SweepColumn::Vus, "vus", "VUs"),
    (SweepColumn::IterationsPerSecond, "iterations_per_second", "iter/s"),
    (SweepColumn::Iterations, "iterations", "iterations"),
    (SweepColumn::Requests, "requests", "requests"),
    (SweepColumn::FailedRequests, "failed_requests", "failed requests"),
    (SweepColumn::FailedChecks, "failed_checks", "failed checks"),
];

/// The name settings have for a column: `iterations_per_second`, `p99.9`.
pub fn name(column: SweepColumn) -> String {
    match column {
        SweepColumn::Latency(stat) => statistic(stat),
        other => named(other).map(|(_, name, _)| *name).unwrap_or_default().to_owned(),
    }
}

/// The column of a name; `None` when no column is called so.
pub fn from_name(name: &str) -> Option<SweepColumn> {
    let known = NAMED.iter().find(|(_, known, _)| *known == name).map(|(column, ..)| *column);
    known.or_else(|| latency(name))
}

/// The names of all columns, for messages; percentiles are `pN`.
pub fn names() -> String {
    let named = NAMED.iter().map(|(_, name, _)| format!("`{name}`"));
    named.chain(["`avg`, `min`, `max`, `p95` or another percentile".to_owned()]).collect::<Vec<_>>().join(", ")
}

/// Writes a column's heading: `iter/s`, `p95`; of a figure of the test phase `p95 (test phase)`.
pub fn heading(column: SweepColumn, scope: Scope) -> String {
    let heading = match column {
        SweepColumn::Latency(stat) => statistic(stat),
        other => named(other).map(|(_, _, heading)| *heading).unwrap_or_default().to_owned(),
    };
    let is_figure = !matches!(column, SweepColumn::Target | SweepColumn::Vus);
    if is_figure && scope == Scope::Test { heading + TEST_PHASE } else { heading }
}

/// Reads a heading back, whatever its letter case; `None` when it is that of no column.
pub fn read(heading: &str) -> Option<(SweepColumn, Scope)> {
    let heading = heading.trim().to_lowercase();
    let (heading, scope) = match heading.strip_suffix(TEST_PHASE) {
        Some(heading) => (heading, Scope::Test),
        None => (heading.as_str(), Scope::Run),
    };
    let known = NAMED.iter().find(|(_, _, known)| known.to_lowercase() == heading).map(|(column, ..)| *column);
    known.or_else(|| latency(heading)).map(|column| (column, scope))
}

fn named(column: SweepColumn) -> Option<&'static (SweepColumn, &'static str, &'static str)> {
    NAMED.iter().find(|(known, ..)| *known == column)
}

fn latency(name: &str) -> Option<SweepColumn> {
    match stat::read(name)? {
        Stat::Count => None,
        Stat::Med => Some(SweepColumn::Latency(Stat::P(Percentile::P50))),
        stat => Some(SweepColumn::Latency(stat)),
    }
}

fn statistic(stat: Stat) -> String {
    match stat {
        Stat::P(percentile) => percentile.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_headings_read_back_in_both_scopes() {
        let percentile = |text: &str| SweepColumn::Latency(Stat::P(Percentile::parse(text).unwrap()));
        let statistics = [SweepColumn::Latency(Stat::Avg), percentile("50"), percentile("99.9")];
        for column in NAMED.iter().map(|(column, ..)| *column).chain(statistics) {
            assert_eq!(from_name(&name(column)), Some(column));
            assert_eq!(read(&heading(column, Scope::Run)), Some((column, Scope::Run)));
            if !matches!(column, SweepColumn::Target | SweepColumn::Vus) {
                assert_eq!(read(&heading(column, Scope::Test)), Some((column, Scope::Test)));
            }
        }
    }

    #[test]
    fn other_words_are_no_columns() {
        for word in ["", "p", "p101", "count", "latency", "iter/s"] {
            assert_eq!(from_name(word), None, "{word}");
        }
        assert_eq!(read("scenario"), None);
        assert_eq!(read("P95 (Test phase)"), Some((SweepColumn::Latency(Stat::P(Percentile::P95)), Scope::Test)));
        assert_eq!(from_name("med"), from_name("p50"));
    }
}
