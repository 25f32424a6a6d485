//! One table from the evidence of a sweep's runs.

mod goals;
mod line;
mod remarks;

pub use line::line as sweep_line;

use indexmap::IndexMap;

use super::digest::sweep_digest;
use crate::model::{
    EndSummary, Evidence, Goal, OutcomeFigures, OutcomeVerdict, Resource, Scope, SweepLine, SweepTable,
};

/// One run as a sweep sees it.
#[derive(Debug, Clone, Copy)]
pub struct SweepRun<'a> {
    /// What is known of it.
    pub evidence: &'a Evidence,
    /// The summary k6 printed, read: the source of figures that only print knows.
    pub printed: Option<&'a EndSummary>,
    /// Its k6 output as it was printed or published.
    pub block: Option<&'a str>,
    /// What a person says of its set-up, by label: Markdown.
    pub facts: &'a IndexMap<String, String>,
    /// What is stated of its outcome.
    pub stated: Option<&'a Stated>,
}

/// What the page of a run, or the project file, states of its outcome: a person may know better than the evidence, and an older
/// page is all there is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stated {
    /// The verdict, and the resources that ran out by it.
    pub outcome: Option<(OutcomeVerdict, Vec<Resource>)>,
    /// Figures of the page's rows.
    pub figures: OutcomeFigures,
}

/// Puts the runs of one version into a table, fastest first.
pub fn sweep_table(runs: &[SweepRun<'_>], version: Option<&str>, scope: Scope, goals: &[Goal]) -> SweepTable {
    let mut lines: Vec<SweepLine> = runs.iter().map(|run| line::line(run, scope)).collect();
    lines.sort_by(|a, b| rate(b).total_cmp(&rate(a)).then_with(|| a.target.cmp(&b.target)));
    SweepTable {
        version: version.map(str::to_owned),
        scope,
        usual_vus: usual_vus(&lines),
        goals: goals::results(goals, &lines),
        monitoring: sweep_digest(runs),
        remarks: remarks::remarks(runs, &lines),
        lines,
    }
}

/// For sorting: a run without a rate stands behind those with one, also behind one of zero.
fn rate(line: &SweepLine) -> f64 {
    line.iterations_per_second.unwrap_or(f64::NEG_INFINITY)
}

/// The most frequent number of VUs, the larger of two as frequent.
fn usual_vus(lines: &[SweepLine]) -> Option<u64> {
    let with = |vus: u64| lines.iter().filter(|line| line.vus == Some(vus)).count();
    lines.iter().filter_map(|line| line.vus).max_by_key(|vus| (with(*vus), *vus))
}

#[cfg(test)]
mod tests;
