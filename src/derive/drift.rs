//! Whether a trend moved while the test ran.

use std::ops::Range;

use super::quantile::Selection;
use crate::model::{Drift, Window};

const FIVE_MINUTES: i64 = 300;

/// Medians of the first and the last five minutes of the window; `None` under ten minutes, or when either is empty.
pub fn drift<'a>(by_second: impl Iterator<Item = (i64, &'a [f64])> + Clone, window: Window) -> Option<Drift> {
    if window.seconds() < 2 * FIVE_MINUTES as u64 {
        return None;
    }
    let median = |seconds: Range<i64>| {
        let inside = by_second.clone().filter(|(second, _)| seconds.contains(second)).map(|(_, values)| values);
        let n = inside.clone().map(<[f64]>::len).sum();
        Selection::of(n, inside.flatten().copied()).quantile(0.5)
    };
    let first5min_p50 = median(window.start..window.start + FIVE_MINUTES)?;
    let last5min_p50 = median(window.end + 1 - FIVE_MINUTES..window.end + 1)?;
    let ratio = (first5min_p50 > 0.0).then(|| last5min_p50 / first5min_p50);
    Some(Drift { first5min_p50, last5min_p50, ratio })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_compares_the_first_and_last_five_minutes() {
        let window = Window { start: 100, end: 699 };
        let rising: Vec<(i64, Vec<f64>)> = (100..700).map(|s| (s, vec![if s < 400 { 10.0 } else { 25.0 }])).collect();
        let drift = drift(rising.iter().map(|(s, v)| (*s, v.as_slice())), window).unwrap();
        assert_eq!((drift.first5min_p50, drift.last5min_p50, drift.ratio), (10.0, 25.0, Some(2.5)));
    }

    #[test]
    fn drift_needs_ten_minutes() {
        assert_eq!(drift([(0, &[1.0][..])].into_iter(), Window { start: 0, end: 598 }), None);
    }
}
