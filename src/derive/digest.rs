//! What monitoring says of a sweep as a whole.

use crate::model::{
    DigestRange, Evidence, Outcome, OutcomeTargets, OutcomeThresholds, OutcomeVerdict, QueryTotals, SweepDigest,
};

/// Puts together what the runs of a sweep have in common; runs without monitoring count as targets only.
pub fn sweep_digest(runs: &[&Evidence]) -> SweepDigest {
    let outcomes = || runs.iter().filter_map(|run| run.outcome.as_ref());
    let thresholds = outcomes().next().map_or_else(OutcomeThresholds::default, |outcome| outcome.thresholds);
    let ranges =
        [("database_cpu", thresholds.database_cpu_percent), ("container_cpu_p50", thresholds.container_cpu_percent)];
    SweepDigest {
        targets: runs.len() as u64,
        ranges: ranges.into_iter().filter_map(|(quantity, percent)| range(runs, quantity, percent / 100.0)).collect(),
        queries: totals(runs),
        outcomes: by_outcome(runs),
    }
}

/// The range of a quantity's medians: of the targets that reach the threshold, when some do and some do not.
fn range(runs: &[&Evidence], quantity: &str, threshold: f64) -> Option<DigestRange> {
    let median = |run: &&Evidence| {
        let quantities = &run.observability.as_ref()?.quantities;
        let figures = quantities.get(quantity).filter(|figures| figures.speaks_for_the_window())?;
        figures.overall.map(|overall| overall.value).or(figures.median)
    };
    let known: Vec<f64> = runs.iter().filter_map(median).collect();
    let (reached, others): (Vec<f64>, Vec<f64>) = known.iter().partition(|median| **median >= threshold);
    let stated = if reached.is_empty() || others.is_empty() { known } else { reached };
    Some(DigestRange { quantity: quantity.to_owned(), range: hull(&stated)?, targets: stated.len() as u64 })
}

fn hull(values: &[f64]) -> Option<(f64, f64)> {
    values.iter().copied().reduce(f64::min).zip(values.iter().copied().reduce(f64::max))
}

fn totals(runs: &[&Evidence]) -> Option<QueryTotals> {
    let mut totals = QueryTotals::default();
    for queries in runs.iter().filter_map(|run| run.observability.as_ref()?.queries.as_ref()) {
        totals.runs += 1;
        totals.total_seconds += queries.total_seconds;
        totals.advisory_seconds += queries.advisory_seconds;
        for (category, seconds) in &queries.categories {
            *totals.categories.entry(category.clone()).or_default() += seconds;
        }
    }
    (totals.runs > 0).then_some(totals)
}

fn by_outcome(runs: &[&Evidence]) -> Vec<OutcomeTargets> {
    let mut groups: Vec<OutcomeTargets> = Vec::new();
    for run in runs {
        let Some(Outcome { verdict, resources, .. }) = &run.outcome else { continue };
        // what else ran out matters only where that is the verdict
        let resources = if *verdict == OutcomeVerdict::Scale { resources.clone() } else { Vec::new() };
        match groups.iter_mut().find(|group| group.verdict == *verdict && group.resources == resources) {
            Some(group) => group.targets.push(run.target.clone()),
            None => groups.push(OutcomeTargets { verdict: *verdict, resources, targets: vec![run.target.clone()] }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Alignment, Observability, OutcomeFigures, QuantityFigures, Queries, Resource, Unit};

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
            coverage: 1.0,
            left_out: 0,
            non_finite: 0,
            missing: 0,
            incomplete: false,
            alignment: Alignment::Level,
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
            advisory_seconds: seconds / 2.0,
            categories: [("locks".to_owned(), seconds / 2.0)].into(),
            ..Queries::default()
        });
        let figures = OutcomeFigures { database_cpu: cpu, ..OutcomeFigures::default() };
        let outcome = cpu.map(|_| figures.decide(OutcomeThresholds::default()));
        Evidence { target: target.into(), observability: Some(seen), outcome, ..Evidence::default() }
    }

    #[test]
    fn the_range_is_that_of_the_targets_that_ran_out() {
        let runs =
            [run("a", Some(0.86), None), run("b", Some(0.98), None), run("c", Some(0.41), None), run("d", None, None)];
        let digest = sweep_digest(&runs.iter().collect::<Vec<_>>());
        assert_eq!(digest.targets, 4);
        let range = digest.ranges.first().unwrap();
        assert_eq!((range.range, range.targets), ((0.86, 0.98), 2));
        let calm = sweep_digest(&[&runs[2]]);
        assert_eq!(calm.ranges.first().map(|range| (range.range, range.targets)), Some(((0.41, 0.41), 1)));
        assert!(sweep_digest(&[&runs[3]]).ranges.is_empty());
    }

    #[test]
    fn times_are_summed_and_outcomes_grouped() {
        let runs = [run("a", Some(0.9), Some(100.0)), run("b", Some(0.2), Some(50.0)), run("c", Some(0.95), None)];
        let digest = sweep_digest(&runs.iter().collect::<Vec<_>>());
        let queries = digest.queries.unwrap();
        assert_eq!((queries.runs, queries.total_seconds, queries.categories["locks"]), (2, 150.0, 75.0));
        let scale = OutcomeTargets {
            verdict: OutcomeVerdict::Scale,
            resources: vec![Resource::Database],
            targets: vec!["a".into(), "c".into()],
        };
        assert_eq!(digest.outcomes.first(), Some(&scale));
        assert_eq!(digest.outcomes.get(1).map(|group| group.verdict), Some(OutcomeVerdict::NotEnoughEvidence));
    }
}
