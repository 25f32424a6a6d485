use crate::model::{Contains, Declaration, EndSummary, Figures, Kind, Printed};
use crate::notation::{duration, size};

/// The metrics' types as a printed summary shows them: the kind by the shape of a line, the unit by that of its values.
///
/// Submetrics are of their parent's type and not listed. The three `checks_*` lines of k6 v0.58 on are no metrics: they stand for
/// the rate `checks`, which is not listed there either.
pub fn declarations(summary: &EndSummary) -> Vec<Declaration> {
    let own = summary.metrics.iter().filter(|(name, _)| !name.contains('{') && !name.starts_with("checks"));
    own.map(|(name, figures)| {
        let (kind, contains) = shown(figures);
        Declaration { name: name.clone(), kind, contains }
    })
    .collect()
}

fn shown(figures: &Figures) -> (Kind, Contains) {
    match figures {
        Figures::Trend(line) => (Kind::Trend, unit(line.values())),
        Figures::Counter { count, .. } => (Kind::Counter, unit([count])),
        Figures::Gauge { value, min, max } => (Kind::Gauge, unit([value].into_iter().chain(min).chain(max))),
        Figures::Rate { .. } => (Kind::Rate, Contains::Default),
    }
}

fn unit<'a>(values: impl IntoIterator<Item = &'a Printed>) -> Contains {
    let units = values.into_iter().find_map(|printed| {
        let time = duration::read(&printed.text).map(|_| Contains::Time);
        time.or_else(|| size::read(&printed.text).map(|_| Contains::Data))
    });
    units.unwrap_or(Contains::Default)
}
