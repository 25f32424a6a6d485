//! What monitoring says of a sweep as a whole.

use super::sweep::SweepRun;
use crate::model::{
    DigestRange, OutcomeFigures, OutcomeTargets, OutcomeThresholds, OutcomeVerdict, QueryTotals, Resource, SweepDigest,
};

/// Puts together what the runs of a sweep have in common; runs without monitoring count as targets only.
pub(super) fn sweep_digest(runs: &[SweepRun<'_>]) -> SweepDigest {
    let outcomes = || runs.iter().filter_map(|run| run.evidence.outcome.as_ref());
    let thresholds = outcomes().next().map_or_else(OutcomeThresholds::default, |outcome| outcome.thresholds);
    let ranges =
        [("database_cpu", thresholds.database_cpu_percent), ("container_cpu_p50", thresholds.container_cpu_percent)];
    SweepDigest {
        targets: runs.len() as u64,
        ranges: ranges.into_iter().filter_map(|(quantity, percent)| range(runs, quantity, percent)).collect(),
        queries: totals(runs),
        outcomes: by_outcome(runs),
    }
}

/// The range of a quantity's medians: of the targets that reach the threshold, when some do and some do not.
fn range(runs: &[SweepRun<'_>], quantity: &str, percent: f64) -> Option<DigestRange> {
    let measured = |run: &SweepRun<'_>| run.evidence.observability.as_ref()?.central(quantity);
    let stated = |run: &SweepRun<'_>| match quantity {
        "database_cpu" => run.stated?.figures.database_cpu,
        _ => run.stated?.figures.container_cpu,
    };
    let median = |run: &SweepRun<'_>| measured(run).or_else(|| stated(run));
    let known: Vec<f64> = runs.iter().filter_map(median).collect();
    let (reached, others): (Vec<f64>, Vec<f64>) =
        known.iter().partition(|median| OutcomeFigures::reaches(**median, percent));
    let stated = if reached.is_empty() || others.is_empty() { known } else { reached };
    Some(DigestRange { quantity: quantity.to_owned(), range: hull(&stated)?, targets: stated.len() as u64 })
}

fn hull(values: &[f64]) -> Option<(f64, f64)> {
    values.iter().copied().reduce(f64::min).zip(values.iter().copied().reduce(f64::max))
}

fn totals(runs: &[SweepRun<'_>]) -> Option<QueryTotals> {
    let mut totals = QueryTotals::default();
    for queries in runs.iter().filter_map(|run| run.evidence.observability.as_ref()?.whole_queries()) {
        totals.runs += 1;
        totals.total_seconds += queries.total_seconds;
        totals.advisory_seconds += queries.advisory_seconds;
        for (category, seconds) in &queries.categories {
            *totals.categories.entry(category.clone()).or_default() += seconds;
        }
    }
    (totals.runs > 0).then_some(totals)
}

/// Every run has an outcome: the one its page or a person states, the recorded one, else that there is not enough evidence.
/// When that is all there is to say of any of them, nothing is.
fn by_outcome(runs: &[SweepRun<'_>]) -> Vec<OutcomeTargets> {
    let mut groups: Vec<OutcomeTargets> = Vec::new();
    for run in runs {
        let (verdict, resources) = outcome(run);
        match groups.iter_mut().find(|group| group.verdict == verdict && group.resources == resources) {
            Some(group) => group.targets.push(run.evidence.target.clone()),
            None => groups.push(OutcomeTargets { verdict, resources, targets: vec![run.evidence.target.clone()] }),
        }
    }
    let nobody_looked = runs.iter().all(|run| run.evidence.outcome.is_none());
    let undecided = groups.iter().all(|group| group.verdict == OutcomeVerdict::NotEnoughEvidence);
    if nobody_looked && undecided { Vec::new() } else { groups }
}

/// What else ran out matters only where that is the verdict.
fn outcome(run: &SweepRun<'_>) -> (OutcomeVerdict, Vec<Resource>) {
    let recorded = run.evidence.outcome.as_ref().map(|outcome| (outcome.verdict, outcome.resources.clone()));
    match run.stated.and_then(|stated| stated.outcome.clone()).or(recorded) {
        Some((OutcomeVerdict::Scale, resources)) => (OutcomeVerdict::Scale, resources),
        Some((verdict, _)) => (verdict, Vec::new()),
        None => (OutcomeVerdict::NotEnoughEvidence, Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::sweep::Stated;
    use crate::model::{Alignment, Evidence, Observability, OutcomeFigures, QuantityFigures, Queries, Unit};
    use indexmap::IndexMap;

    fn figures(median: f64) -> QuantityFigures {
        QuantityFigures {
            unit: Unit::Fraction,
            n: 1,
            median: Some(median),
            mean: None,
            min: None,
            max: None,
            last: None,
            total: None,
            total_with_edges: None,
            overall: None,
            period_seconds: 60.0,
            period_assumed: false,
            coverage: 1.0,
            left_out: 0,
            non_finite: 0,
            missing: 0,
            incomplete: false,
            alignment: Alignment::Level,
            series: None,
            source: String::new(),
        }
    }

    fn run(target: &str, cpu: Option<f64>, queries: Option<f64>) -> Evidence {
        let mut seen = Observability::default();
        if let Some(cpu) = cpu {
            seen.quantities.insert("database_cpu".into(), figures(cpu));
        }
        seen.queries = queries.map(|seconds| Queries {
            total_seconds: seconds,
            coverage: 1.0,
            advisory_seconds: seconds / 2.0,
            categories: [("locks".to_owned(), seconds / 2.0)].into(),
            ..Queries::default()
        });
        let figures = OutcomeFigures { database_cpu: cpu, ..OutcomeFigures::default() };
        let outcome = cpu.map(|_| figures.decide(OutcomeThresholds::default()));
        Evidence { target: target.into(), observability: Some(seen), outcome, ..Evidence::default() }
    }

    /// The digest of runs, with what their pages state.
    fn digest(runs: &[(Evidence, Stated)]) -> SweepDigest {
        let facts = IndexMap::new();
        let runs: Vec<SweepRun<'_>> = runs
            .iter()
            .map(|(evidence, stated)| SweepRun {
                evidence,
                printed: None,
                block: None,
                facts: &facts,
                stated: Some(stated),
            })
            .collect();
        sweep_digest(&runs)
    }

    fn unstated(runs: impl IntoIterator<Item = Evidence>) -> SweepDigest {
        digest(&runs.into_iter().map(|run| (run, Stated::default())).collect::<Vec<_>>())
    }

    #[test]
    fn the_range_is_that_of_the_targets_that_ran_out() {
        let runs = || {
            [run("a", Some(0.86), None), run("b", Some(0.98), None), run("c", Some(0.41), None), run("d", None, None)]
        };
        let digest = unstated(runs());
        assert_eq!(digest.targets, 4);
        let range = digest.ranges.first().unwrap();
        assert_eq!((range.range, range.targets), ((0.86, 0.98), 2));
        let calm = unstated(runs().into_iter().skip(2).take(1));
        assert_eq!(calm.ranges.first().map(|range| (range.range, range.targets)), Some(((0.41, 0.41), 1)));
        let nothing = unstated(runs().into_iter().skip(3));
        assert!(nothing.ranges.is_empty() && nothing.outcomes.is_empty(), "nobody looked");
    }

    #[test]
    fn times_are_summed_and_outcomes_grouped() {
        let digest =
            unstated([run("a", Some(0.9), Some(100.0)), run("b", None, Some(50.0)), run("c", Some(0.95), None)]);
        let queries = digest.queries.unwrap();
        assert_eq!((queries.runs, queries.total_seconds, queries.categories["locks"]), (2, 150.0, 75.0));
        let group = |verdict, resources: &[Resource], targets: &[&str]| OutcomeTargets {
            verdict,
            resources: resources.to_vec(),
            targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        };
        let expected = [
            group(OutcomeVerdict::Scale, &[Resource::Database], &["a", "c"]),
            group(OutcomeVerdict::NotEnoughEvidence, &[], &["b"]),
        ];
        assert_eq!(digest.outcomes, expected);
    }

    #[test]
    fn what_a_page_states_comes_before_the_rule_and_in_place_of_what_is_not_known() {
        let terminate = Stated { outcome: Some((OutcomeVerdict::Terminate, Vec::new())), ..Stated::default() };
        let figures = OutcomeFigures { database_cpu: Some(0.97), ..OutcomeFigures::default() };
        let digest = digest(&[
            (run("a", Some(0.9), None), terminate.clone()),
            (run("b", None, None), Stated { figures, ..terminate }),
        ]);
        assert_eq!(digest.outcomes.len(), 1);
        assert_eq!(digest.outcomes[0].targets, ["a", "b"]);
        assert_eq!(digest.ranges[0].range, (0.9, 0.97));
    }
}
