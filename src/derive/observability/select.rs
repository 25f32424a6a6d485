//! One set of figures for each quantity, where several exports have it.

use std::collections::BTreeMap;

use super::bucket::{Bucket, Period, Span, period};
use super::combine::combined;
use super::figures::figures;
use super::group::Group;
use crate::model::{Alignment, Measure, Quantity, QuantityFigures, Warning};

/// Medians of two exports of one metric may lie this far apart: they were aligned at different times.
const SAME: f64 = 0.02;

/// An export that covers this much less of the window than another is no match for it.
pub(super) const WORSE: f64 = 0.8;

/// One export's figures.
struct Candidate {
    figures: QuantityFigures,
    metric: String,
    preference: usize,
    /// Series it was put together from.
    parts: usize,
    buckets: Vec<Bucket>,
}

/// The figures of every quantity, and the values of the database's CPU they were taken from.
pub(super) fn quantities(
    groups: &[Group],
    window: Span,
    warnings: &mut Vec<Warning>,
) -> (BTreeMap<Measure, QuantityFigures>, Vec<Bucket>) {
    let mut candidates: BTreeMap<Measure, Vec<Candidate>> = BTreeMap::new();
    for group in groups {
        let period = period_of(group, groups);
        match combined(group, period.nanos, window) {
            Ok(buckets) => {
                for (measure, figures) in figures(group, &buckets, period, window) {
                    let (metric, preference) = (group.metric().to_owned(), group.preference());
                    let parts = group.series.len();
                    let candidate = Candidate { figures, metric, preference, parts, buckets: buckets.clone() };
                    candidates.entry(measure).or_default().push(candidate);
                }
            }
            Err(why) => {
                let message = format!("{}: `{}`: {why}: left out", group.file, group.metric());
                warnings.push(Warning::new("cloud-ambiguous", message));
            }
        }
    }
    let (mut chosen, mut cpu) = (BTreeMap::new(), Vec::new());
    for (measure, candidates) in candidates {
        let Some(best) = best(&measure, candidates, warnings) else { continue };
        let speaks = best.figures.speaks_for_the_window();
        if best.figures.incomplete || !speaks {
            let share = best.figures.coverage * 100.0;
            let (source, metric) = (&best.figures.source, &best.metric);
            let message = match best.figures.period_assumed {
                true => format!(
                    "{source}: `{metric}` has a lone point, and nothing tells for how long it speaks: in no row"
                ),
                false => {
                    let end = if speaks { "" } else { ": too little for a row" };
                    format!("{source}: `{metric}` covers {share:.0}% of the run's window{end}")
                }
            };
            warnings.push(Warning::new("cloud-incomplete", message));
        }
        if measure == Measure::of(Quantity::DatabaseCpu) {
            cpu = best.buckets;
        }
        chosen.insert(measure, best.figures);
    }
    refuse_crossed(&mut chosen, warnings);
    (chosen, cpu)
}

/// The period of a group: its own, and of a lone point that of the others in its file, which were asked for together.
pub(super) fn period_of(group: &Group, groups: &[Group]) -> Period {
    let of_file = groups.iter().filter(|other| other.file == group.file).flat_map(|other| &other.series);
    match period(group.series.iter()) {
        own if !own.assumed => own,
        _ => period(of_file),
    }
}

/// The best export; none when two of the same metric contradict each other.
fn best(measure: &Measure, mut candidates: Vec<Candidate>, warnings: &mut Vec<Warning>) -> Option<Candidate> {
    if let Some(empty) = candidates.first().filter(|_| candidates.iter().all(|candidate| candidate.figures.n == 0)) {
        let (file, metric) = (&empty.figures.source, &empty.metric);
        let message = format!("{file}: `{metric}` has no number for a whole period within the run's window: left out");
        warnings.push(Warning::new("cloud-incomplete", message));
    }
    candidates.retain(|candidate| candidate.figures.n > 0);
    let distribution = |c: &Candidate| c.figures.alignment == Alignment::Distribution;
    let most = candidates.iter().map(|c| c.figures.coverage).fold(0.0, f64::max);
    candidates.retain(|candidate| candidate.figures.coverage >= most * WORSE);
    candidates.sort_by(|a, b| {
        let rank = |c: &Candidate| (c.figures.incomplete, !distribution(c), c.preference.max(1));
        let coverage = b.figures.coverage.total_cmp(&a.figures.coverage);
        // of a breakdown a filter may have left parts out
        let whole = a.parts.cmp(&b.parts);
        rank(a).cmp(&rank(b)).then(coverage).then(whole).then_with(|| a.figures.source.cmp(&b.figures.source))
    });
    let (first, others) = candidates.split_first()?;
    // a table only has a label of its own: it is held against the metric that is meant first, not against its relatives
    let preferred = candidates.iter().map(|candidate| candidate.preference).filter(|rank| *rank > 0).min();
    let may_be_labelled = |candidate: &Candidate| candidate.preference == 0 || Some(candidate.preference) == preferred;
    let comparable = |other: &&Candidate| {
        let same_metric = other.metric == first.metric || may_be_labelled(other) && may_be_labelled(first);
        same_metric && distribution(other) == distribution(first)
    };
    let medians_differ = |other: &&Candidate| {
        first.figures.median.zip(other.figures.median).is_some_and(|(one, other)| differ(one, other))
    };
    if let Some(other) = others.iter().filter(comparable).find(medians_differ) {
        let message = format!(
            "`{measure}` has a median of {:.4} in {} and of {:.4} in {}: left out",
            first.figures.median.unwrap_or_default(),
            first.figures.source,
            other.figures.median.unwrap_or_default(),
            other.figures.source
        );
        warnings.push(Warning::new("cloud-contradiction", message));
        return None;
    }
    candidates.into_iter().next()
}

/// True for figures of two exports that cannot be of the same thing.
pub(super) fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > SAME * a.abs().max(b.abs())
}

/// Leaves out percentiles that cannot be what their files' names say: a median above the 99th percentile.
fn refuse_crossed(chosen: &mut BTreeMap<Measure, QuantityFigures>, warnings: &mut Vec<Warning>) {
    let crossed: Vec<Quantity> = chosen
        .iter()
        .zip(chosen.iter().skip(1))
        .filter(|((low, a), (high, b))| {
            low.quantity == high.quantity
                && low.percentile.is_some()
                && a.median.zip(b.median).is_some_and(|(low, high)| low > high)
        })
        .map(|((measure, _), _)| measure.quantity)
        .collect();
    for quantity in crossed {
        let files: Vec<&str> =
            chosen.iter().filter(|(m, _)| m.quantity == quantity).map(|(_, f)| f.source.as_str()).collect();
        let message = format!(
            "`{}`: a lower percentile lies above a higher one in {}: left out",
            quantity.name(),
            files.join(", ")
        );
        warnings.push(Warning::new("cloud-contradiction", message));
        chosen.retain(|measure, _| measure.quantity != quantity);
    }
}
