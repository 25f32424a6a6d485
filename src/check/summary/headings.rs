use crate::model::{Percentile, Scope, Stat, SweepColumn};
use crate::notation::column;

/// What a column of a sweep's table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heading {
    /// Names of targets.
    Target,
    /// Figures of whole runs or test phases; times without a unit of their own have that of the heading.
    Figure(SweepColumn, Scope, Option<&'static str>),
}

/// Headings people write for columns that have another one in a summary of ours.
const ALIASES: [(&str, SweepColumn); 19] = [
    ("median", SweepColumn::Latency(Stat::P(Percentile::P50))),
    ("scenario", SweepColumn::Target),
    ("test", SweepColumn::Target),
    ("executed test", SweepColumn::Target),
    ("benchmark", SweepColumn::Target),
    ("vu", SweepColumn::Vus),
    ("virtual users", SweepColumn::Vus),
    ("it/s", SweepColumn::IterationsPerSecond),
    ("iters/s", SweepColumn::IterationsPerSecond),
    ("iterations/s", SweepColumn::IterationsPerSecond),
    ("iterations per second", SweepColumn::IterationsPerSecond),
    ("k6 iterations per second", SweepColumn::IterationsPerSecond),
    ("failed", SweepColumn::FailedRequests),
    ("failures", SweepColumn::FailedRequests),
    ("errors", SweepColumn::FailedRequests),
    ("error rate", SweepColumn::FailedRequests),
    ("request failures", SweepColumn::FailedRequests),
    ("http_req_failed", SweepColumn::FailedRequests),
    ("check failures", SweepColumn::FailedChecks),
];

/// Units a heading may state for its column.
const UNITS: [(&str, &str); 4] = [(" (ms)", "ms"), (" [ms]", "ms"), (" (s)", "s"), (" [s]", "s")];

impl Heading {
    /// Reads a heading; `None` when it is that of no known column.
    pub(super) fn read(heading: &str) -> Option<Self> {
        let heading = heading.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let unit = UNITS.iter().find(|(suffix, _)| heading.ends_with(suffix));
        let bare = unit.map_or(heading.as_str(), |(suffix, _)| heading.trim_end_matches(suffix));
        let alias = || ALIASES.iter().find(|(alias, _)| *alias == bare).map(|(_, column)| (*column, Scope::Run));
        match column::read(bare).or_else(alias)? {
            (SweepColumn::Target, _) => Some(Heading::Target),
            (column, scope) => Some(Heading::Figure(column, scope, unit.map(|(_, unit)| *unit))),
        }
    }
}
