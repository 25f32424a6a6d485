//! Values over time in few equal steps, so that they can be drawn.

use super::bucket::Span;
use crate::model::{QuantitySeries, Time};

/// The values inside the window by equal steps; `None` without any.
///
/// Where steps are longer than a period the highest and the lowest value of each are kept, so that no extreme is lost.
pub(super) fn series(values: &[(Span, f64)], period: i64, window: Span) -> Option<QuantitySeries> {
    let inside: Vec<(Span, f64)> = values.iter().filter(|(span, _)| span.is_inside(window)).copied().collect();
    let start = inside.iter().map(|(span, _)| span.start).min()?;
    let last = inside.iter().map(|(span, _)| span.start).max()?;
    let index = |span: Span| nearest(span.start.saturating_sub(start), period.max(1));
    let periods = index(Span { start: last, end: last }) + 1;
    let together = periods.div_ceil(QuantitySeries::KEPT as u64).max(1);
    let mut steps: Vec<Option<(f64, f64)>> = vec![None; usize::try_from(periods.div_ceil(together)).ok()?];
    for (span, value) in inside {
        let Some(step) = usize::try_from(index(span) / together).ok().and_then(|i| steps.get_mut(i)) else { continue };
        *step = Some(step.map_or((value, value), |(low, high)| (value.min(low), value.max(high))));
    }
    let low = |step: &Option<(f64, f64)>| step.map(|(low, _)| low);
    Some(QuantitySeries {
        start: Time::from_unix_nanos(start),
        step_seconds: period as f64 / 1e9 * together as f64,
        highest: steps.iter().map(|step| step.map(|(_, high)| high)).collect(),
        lowest: if together > 1 { steps.iter().map(low).collect() } else { Vec::new() },
    })
}

/// Which period begins nearest to an offset: neighbours may begin a few milliseconds late.
fn nearest(offset: i64, period: i64) -> u64 {
    let whole = offset.max(0).saturating_add(period / 2) / period;
    whole.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn values(of: &[(i64, f64)], period: i64) -> Vec<(Span, f64)> {
        let span = |start: i64| Span { start: start * SECOND, end: (start + period) * SECOND };
        of.iter().map(|(start, value)| (span(*start), *value)).collect()
    }

    fn seconds(start: i64, end: i64) -> Span {
        Span { start: start * SECOND, end: end * SECOND }
    }

    #[test]
    fn each_period_inside_the_window_is_a_step_and_one_without_a_value_a_gap() {
        let all = values(&[(0, 0.1), (60, 0.2), (120, 0.3), (240, 0.4), (300, 0.5)], 60);
        let series = series(&all, 60 * SECOND, seconds(30, 330)).unwrap();
        assert_eq!((series.start.unix_seconds(), series.step_seconds), (60, 60.0));
        assert_eq!(series.highest, [Some(0.2), Some(0.3), None, Some(0.4)]);
        assert!(series.lowest.is_empty());
    }

    #[test]
    fn nothing_inside_the_window_is_no_series() {
        assert_eq!(series(&values(&[(0, 1.0)], 60), 60 * SECOND, seconds(30, 300)), None);
        assert_eq!(series(&[], 60 * SECOND, seconds(0, 60)), None);
    }

    #[test]
    fn more_periods_than_are_kept_share_steps_by_their_lowest_and_highest() {
        // 181 periods of 10 s: two to a step
        let all: Vec<(i64, f64)> = (0..181).map(|i| (i * 10, if i == 100 { 0.9 } else { 0.5 })).collect();
        let series = series(&values(&all, 10), 10 * SECOND, seconds(0, 1_810)).unwrap();
        assert_eq!((series.step_seconds, series.highest.len(), series.lowest.len()), (20.0, 91, 91));
        assert_eq!((series.highest[50], series.lowest[50]), (Some(0.9), Some(0.5)));
        assert_eq!((series.highest[90], series.lowest[90]), (Some(0.5), Some(0.5)));
    }

    #[test]
    fn a_period_of_a_nanosecond_is_survived() {
        let all = values(&[(0, 0.1), (1_800, 0.2)], 0);
        let series = series(&all, 1, seconds(0, 1_800)).unwrap();
        assert!(series.highest.len() <= QuantitySeries::KEPT);
        assert_eq!((series.highest.first(), series.highest.last()), (Some(&Some(0.1)), Some(&Some(0.2))));
    }

    proptest! {
        #[test]
        fn the_extremes_of_all_values_stay(of in prop::collection::vec(0.0..1.0f64, 1..900), period in 1..90i64) {
            let all: Vec<(i64, f64)> = (0..).zip(&of).map(|(i, value)| (i * period, *value)).collect();
            let end = period * of.len() as i64;
            let kept = series(&values(&all, period), period * SECOND, seconds(0, end)).unwrap();
            let extremes = |values: Vec<f64>| {
                (values.iter().copied().fold(1.0, f64::min), values.iter().copied().fold(0.0, f64::max))
            };
            let drawn: Vec<f64> = kept.highest.iter().chain(&kept.lowest).flatten().copied().collect();
            prop_assert_eq!(extremes(drawn), extremes(of));
            prop_assert!(kept.highest.len() <= QuantitySeries::KEPT);
        }
    }
}
