//! Figures of one quantity over the window.

use super::bucket::{Bucket, Period, Span};
use super::combine::whole_distribution;
use super::group::Group;
use super::percentile::percentile;
use super::series::series;
use crate::derive::quantile;
use crate::model::{
    Alignment, Measure, Percentile, PointValue, Quantity, QuantityFigures, QuantitySeries, SeriesKind, Side,
};

/// Percentiles that are taken of a distribution.
const PERCENTILES: [Percentile; 3] = [Percentile::P50, Percentile::P95, Percentile::P99];

/// The figures of a group: one set, or one for each percentile of a distribution.
pub(super) fn figures(
    group: &Group,
    buckets: &[Bucket],
    period: Period,
    window: Span,
) -> Vec<(Measure, QuantityFigures)> {
    let quantity = group.measure.quantity;
    let distributions = buckets.iter().any(|bucket| matches!(bucket.value, PointValue::Distribution(_)));
    let sum = |name: fn(&Bucket) -> Option<f64>| values(buckets, name);
    if !distributions {
        let kind = group.series.first().map_or(SeriesKind::Level, |series| series.kind);
        let per_second = kind != SeriesKind::Level && quantity.is_rate();
        let read: fn(&Bucket) -> Option<f64> = if per_second { rate } else { number };
        let values = sum(read);
        let mut figures = of(&values, buckets, period, window);
        figures.series = drawn(quantity, &values, period, window);
        figures.alignment = match kind {
            SeriesKind::Level => Alignment::Level,
            SeriesKind::Increase => Alignment::Increase,
            SeriesKind::RunningTotal => Alignment::RunningTotal,
        };
        if kind != SeriesKind::Level {
            add_totals(&mut figures, buckets, window, number);
        }
        return vec![(group.measure, labelled(figures, group))];
    }
    if quantity == Quantity::ContainerStartups {
        // what took how long does not matter: each sample is a start
        let mut figures = of(&sum(samples), buckets, period, window);
        figures.alignment = Alignment::Increase;
        add_totals(&mut figures, buckets, window, samples);
        return vec![(group.measure, labelled(figures, group))];
    }
    let whole = whole_distribution(buckets, window);
    let one = |wanted: Percentile| {
        let found = |bucket: &Bucket| match &bucket.value {
            PointValue::Distribution(distribution) => percentile(distribution, wanted),
            _ => None,
        };
        let values = values(buckets, |bucket| found(bucket).map(|found| found.value));
        let mut figures = of(&values, buckets, period, window);
        // of what fell into an open bucket only the one edge is known
        let inside = || buckets.iter().filter(|bucket| bucket.span.is_inside(window));
        let open = |side| inside().filter_map(found).any(|found| found.side == Some(side));
        figures.min = figures.min.filter(|_| !open(Side::Below));
        figures.max = figures.max.filter(|_| !open(Side::Above));
        figures.series = drawn(quantity, &values, period, window);
        figures.alignment = Alignment::Distribution;
        figures.overall = whole.as_ref().and_then(|whole| percentile(whole, wanted));
        figures.total = whole.as_ref().map(|whole| whole.count as f64);
        (Measure::at(quantity, wanted), labelled(figures, group))
    };
    PERCENTILES.into_iter().map(one).collect()
}

/// The values over time of what pictures draw; anything else would make the evidence large for nobody.
fn drawn(quantity: Quantity, values: &[(Span, f64)], period: Period, window: Span) -> Option<QuantitySeries> {
    match quantity {
        Quantity::DatabaseCpu | Quantity::ContainerCpu => series(values, period.nanos, window),
        _ => None,
    }
}

fn labelled(figures: QuantityFigures, group: &Group) -> QuantityFigures {
    let incomplete = figures.incomplete || group.partial;
    QuantityFigures { unit: group.measure.quantity.unit(), source: group.file.clone(), incomplete, ..figures }
}

pub(super) fn number(bucket: &Bucket) -> Option<f64> {
    match bucket.value {
        PointValue::Number(value) => Some(value),
        _ => None,
    }
}

fn rate(bucket: &Bucket) -> Option<f64> {
    let seconds = bucket.span.seconds();
    number(bucket).filter(|_| seconds > 0.0).map(|value| value / seconds)
}

fn samples(bucket: &Bucket) -> Option<f64> {
    match &bucket.value {
        PointValue::Distribution(distribution) => Some(distribution.count as f64),
        _ => None,
    }
}

fn values(buckets: &[Bucket], read: impl Fn(&Bucket) -> Option<f64>) -> Vec<(Span, f64)> {
    buckets.iter().filter_map(|bucket| Some((bucket.span, read(bucket)?))).collect()
}

/// The statistics of the values inside the window, and how much of it they cover.
fn of(values: &[(Span, f64)], buckets: &[Bucket], period: Period, window: Span) -> QuantityFigures {
    let inside: Vec<(Span, f64)> = values.iter().filter(|(span, _)| span.is_inside(window)).copied().collect();
    let mut sorted: Vec<f64> = inside.iter().map(|(_, value)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    let present: Vec<Span> = buckets.iter().map(|bucket| bucket.span).filter(|span| span.is_inside(window)).collect();
    let covered: f64 = inside.iter().map(|(span, _)| span.seconds() * span.share_in(window)).sum();
    let not_finite = |bucket: &&Bucket| bucket.span.is_inside(window) && bucket.value == PointValue::NotFinite;
    QuantityFigures {
        unit: crate::model::Unit::Count,
        n: sorted.len() as u64,
        median: quantile(&sorted, 0.5),
        mean: (!sorted.is_empty()).then(|| sorted.iter().sum::<f64>() / sorted.len() as f64),
        min: sorted.first().copied(),
        max: sorted.last().copied(),
        last: inside.last().map(|(_, value)| *value),
        total: None,
        total_with_edges: None,
        overall: None,
        period_seconds: period.nanos as f64 / 1e9,
        period_assumed: period.assumed && !sorted.is_empty(),
        coverage: if window.seconds() > 0.0 { (covered / window.seconds()).min(1.0) } else { 0.0 },
        left_out: buckets.iter().filter(|b| b.span.overlaps(window) && !b.span.is_inside(window)).count() as u64,
        non_finite: buckets.iter().filter(not_finite).count() as u64,
        missing: missing(&present, period.nanos),
        incomplete: ends_short(&present, period.gap(), window),
        alignment: Alignment::Level,
        series: None,
        source: String::new(),
    }
}

/// Periods between the first and the last that have no point at all.
fn missing(present: &[Span], period: i64) -> u64 {
    let (Some(first), Some(last)) = (present.first(), present.last()) else { return 0 };
    let expected = last.end.saturating_sub(first.end) as f64 / period.max(1) as f64 + 1.0;
    (expected.round() as u64).saturating_sub(present.len() as u64)
}

/// True when a whole period or more is missing at either end of the window: exported too early, or cut.
fn ends_short(present: &[Span], gap: i64, window: Span) -> bool {
    match (present.first(), present.last()) {
        (Some(first), Some(last)) => {
            window.end.saturating_sub(last.end) >= gap || first.start.saturating_sub(window.start) >= gap
        }
        _ => true,
    }
}

fn add_totals(figures: &mut QuantityFigures, buckets: &[Bucket], window: Span, read: fn(&Bucket) -> Option<f64>) {
    let counted = values(buckets, read);
    if figures.n == 0 {
        return;
    }
    figures.total = Some(counted.iter().filter(|(span, _)| span.is_inside(window)).map(|(_, value)| value).sum());
    figures.total_with_edges = Some(with_edges(buckets, window, read));
}

/// What was counted in the window: periods across its edges by the share of them that lies inside, as if what they count had
/// come evenly.
pub(super) fn with_edges(buckets: &[Bucket], window: Span, read: fn(&Bucket) -> Option<f64>) -> f64 {
    let share = |bucket: &Bucket| {
        let value = read(bucket)?;
        Some(if bucket.span.is_inside(window) { value } else { value * bucket.span.share_in(window) })
    };
    buckets.iter().filter_map(share).sum()
}
