//! Spans of time a value stands for, and which of them lie in the window.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{EvidenceWindow, Point, PointValue, SeriesKind, Time, TimeSeries};

const SECOND: f64 = 1e9;

/// The period when nothing shows it: the shortest the monitoring system aligns to.
const LEAST_PERIOD: i64 = 60_000_000_000;

/// Intervals are closed at both ends, so that a neighbour may begin a millisecond late.
const TOLERANCE: i64 = 2_000_000;

/// From this length on a period counts as inside when nearly all of it is: half an hour never fits exactly.
const LONG: i64 = 600_000_000_000;
const NEARLY_ALL: f64 = 0.99;

/// A span of time in nanoseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::derive) struct Span {
    pub start: i64,
    pub end: i64,
}

impl Span {
    /// From the first to the last second of a window.
    pub fn of(window: EvidenceWindow) -> Self {
        Span { start: window.start.unix_nanos(), end: window.end.unix_nanos() }
    }

    pub fn seconds(self) -> f64 {
        self.end.saturating_sub(self.start) as f64 / SECOND
    }

    /// The share of this span that lies in the other, 0 to 1.
    pub fn share_in(self, other: Span) -> f64 {
        let overlap = self.end.min(other.end).saturating_sub(self.start.max(other.start));
        match self.end.saturating_sub(self.start) {
            width if width > 0 => (overlap.max(0) as f64 / width as f64).min(1.0),
            _ => 0.0,
        }
    }

    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// True when it lies in the other; a long span when nearly all of it does.
    pub fn is_inside(self, other: Span) -> bool {
        let whole =
            self.start >= other.start.saturating_sub(TOLERANCE) && self.end <= other.end.saturating_add(TOLERANCE);
        whole || self.end.saturating_sub(self.start) >= LONG && self.share_in(other) >= NEARLY_ALL
    }
}

/// A value and the span it stands for.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::derive) struct Bucket {
    pub span: Span,
    pub value: PointValue,
}

/// The length of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Period {
    pub nanos: i64,
    /// True when nothing shows it: of a lone level nobody knows what it stands for.
    pub assumed: bool,
}

impl Period {
    /// The shortest gap at an end of the window that is missing data: a period, since less of one never fits. Half an hour could
    /// hide the half of a test.
    pub fn gap(self) -> i64 {
        if self.nanos < LONG { self.nanos } else { LEAST_PERIOD }
    }
}

/// The period of the series of one file: the smallest gap between the ends of neighbouring points, of increases their own span.
/// The request's own is not repeated in an answer.
pub(super) fn period<'a>(series: impl Iterator<Item = &'a TimeSeries> + Clone) -> Period {
    let increases = series.clone().filter(|series| series.kind == SeriesKind::Increase);
    let widths = increases.flat_map(|series| &series.points).filter_map(width);
    let pairs = series.flat_map(|series| series.points.windows(2).map(move |pair| (series.kind, pair)));
    let gaps = pairs.filter_map(|(kind, pair)| match pair {
        [a, b] => {
            let gap = Some(b.end.unix_nanos().saturating_sub(a.end.unix_nanos())).filter(|gap| *gap > 0)?;
            // neighbours begin a millisecond late; others are of another answer, or have one missing between them
            let own =
                width(b).filter(|own| kind == SeriesKind::Increase && own.abs_diff(gap) > TOLERANCE.unsigned_abs());
            Some(own.unwrap_or(gap))
        }
        _ => None,
    });
    match gaps.min().or_else(|| widths.min()) {
        Some(nanos) => Period { nanos, assumed: false },
        None => Period { nanos: LEAST_PERIOD, assumed: true },
    }
}

fn width(point: &Point) -> Option<i64> {
    let width = point.end.unix_nanos().saturating_sub(point.start?.unix_nanos());
    Some(width).filter(|width| *width > 0)
}

/// The longest stretch of time in the first spans that is not in the others, in nanoseconds.
pub(super) fn longest_uncovered(spans: &BTreeSet<Span>, others: &BTreeSet<Span>) -> i64 {
    let mut others = united(others).into_iter().peekable();
    let mut longest = 0;
    for span in united(spans) {
        let mut from = span.start;
        while let Some(other) = others.peek().filter(|other| other.start < span.end) {
            longest = longest.max(other.start.saturating_sub(from));
            from = from.max(other.end);
            if other.end >= span.end {
                break; // it may reach into the next one
            }
            others.next();
        }
        longest = longest.max(span.end.saturating_sub(from));
    }
    longest
}

/// Spans without overlaps: neighbours, and what lies a millisecond apart, are one.
pub(super) fn united(spans: &BTreeSet<Span>) -> Vec<Span> {
    let mut united: Vec<Span> = Vec::new();
    for span in spans {
        match united.last_mut() {
            Some(last) if span.start <= last.end.saturating_add(TOLERANCE) => last.end = last.end.max(span.end),
            _ => united.push(*span),
        }
    }
    united
}

/// The values of a series with their spans: a level stands for the period before it, a running total is turned into what
/// was added between two points. Of increases that overlap, each of which has the same events, one is taken for the window.
pub(super) fn buckets(series: &TimeSeries, period: i64, window: Span) -> Vec<Bucket> {
    match series.kind {
        SeriesKind::Level => {
            let level = |point: &Point| {
                let end = point.end.unix_nanos();
                Bucket { span: Span { start: end.saturating_sub(period), end }, value: point.value.clone() }
            };
            series.points.iter().map(level).collect()
        }
        SeriesKind::Increase => counted_once(series.points.iter().filter_map(whole_span).collect(), window),
        SeriesKind::RunningTotal => increases(&series.points),
    }
}

fn whole_span(point: &Point) -> Option<Bucket> {
    let span = Span { start: point.start?.unix_nanos(), end: point.end.unix_nanos() };
    Some(Bucket { span, value: point.value.clone() })
}

/// Leaves out increases over a time that another one has: answers to two questions in one file, about two tests in a row or in
/// two lengths of period. The one of which more lies in the window stays, of equals the shorter one, then the later.
fn counted_once(mut all: Vec<Bucket>, window: Span) -> Vec<Bucket> {
    all.sort_by_key(|bucket| (bucket.span.end, bucket.span.start));
    if !overlap(&all) {
        return all;
    }
    let mut best: Vec<Span> = all.iter().map(|bucket| bucket.span).collect();
    best.sort_by(|a, b| {
        let rest = |span: &Span| (span.end.saturating_sub(span.start), Reverse(span.end));
        b.share_in(window).total_cmp(&a.share_in(window)).then_with(|| rest(a).cmp(&rest(b)))
    });
    let mut kept: BTreeMap<i64, i64> = BTreeMap::new();
    for Span { start, end } in best {
        let before = kept.range(..=start).next_back().is_none_or(|(_, before)| apart(*before, start));
        let after = kept.range(start..).next().is_none_or(|(after, _)| apart(end, *after));
        if before && after {
            kept.insert(start, end);
        }
    }
    all.retain(|bucket| kept.get(&bucket.span.start) == Some(&bucket.span.end));
    all
}

/// True when spans in order of their ends have more in common than a moment.
pub(super) fn overlap(all: &[Bucket]) -> bool {
    all.windows(2).any(|pair| matches!(pair, [a, b] if !apart(a.span.end, b.span.start)))
}

fn apart(end: i64, start: i64) -> bool {
    start >= end.saturating_sub(TOLERANCE)
}

/// What a running total grew by. It begins anew at zero when its start changes, or in damaged files when it falls: what it
/// counted before, after the last point, is lost. A total that is no finite number hides when within the two finite ones around
/// it they grew apart: it stands as such, and the increase after it is that of both periods.
fn increases(points: &[Point]) -> Vec<Bucket> {
    let mut buckets = Vec::with_capacity(points.len());
    let mut last: Option<(&Point, f64)> = None;
    let mut before: Option<Time> = None;
    for point in points {
        let previous = before.replace(point.end);
        let PointValue::Number(total) = point.value else {
            if let Some(start) = previous.or(point.start) {
                let span = Span { start: start.unix_nanos(), end: point.end.unix_nanos() };
                buckets.push(Bucket { span, value: PointValue::NotFinite });
            }
            continue;
        };
        let goes_on = last.filter(|(before, value)| before.start == point.start && total >= *value);
        let (start, increase) = match (goes_on, last) {
            (Some((before, value)), _) => (Some(before.end), total - value),
            // the same start with a smaller value: it began anew somewhere after the last point
            (None, Some((before, _))) if before.start == point.start => (Some(before.end), total),
            (None, _) => (point.start, total),
        };
        if let Some(start) = start {
            let span = Span { start: start.unix_nanos(), end: point.end.unix_nanos() };
            buckets.push(Bucket { span, value: PointValue::Number(increase) });
        }
        last = Some((point, total));
    }
    buckets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(of: &[(i64, i64)]) -> BTreeSet<Span> {
        of.iter().map(|(start, end)| Span { start: start * 1_000_000_000, end: end * 1_000_000_000 }).collect()
    }

    #[test]
    fn of_increases_that_overlap_one_counts() {
        let times = |of: &[(i64, i64)]| {
            let spans = of.iter().map(|(start, end)| Span { start: start * 1_000_000_000, end: end * 1_000_000_000 });
            let all = spans.map(|span| Bucket { span, value: PointValue::Number(1.0) }).collect();
            let window = Span { start: 100 * 1_000_000_000, end: 1_902 * 1_000_000_000 };
            let kept = counted_once(all, window);
            kept.iter().map(|b| (b.span.start / 1_000_000_000, b.span.end / 1_000_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(times(&[(160, 220), (100, 160)]), [(100, 160), (160, 220)], "neighbours");
        // the half hour of the test, and the one before the next test, which is nearly the same
        assert_eq!(times(&[(113, 1913), (101, 1901), (1913, 3713)]), [(101, 1901), (1913, 3713)]);
        // minutes and their sum
        assert_eq!(times(&[(100, 160), (160, 220), (100, 220)]), [(100, 160), (160, 220)]);
        assert_eq!(times(&[(100, 160), (130, 190), (160, 220)]), [(100, 160), (160, 220)], "two grids: some of one");
    }

    #[test]
    fn what_one_lacks_of_the_other_is_measured_by_its_longest_stretch() {
        for (one, other, seconds) in [
            (&[(0, 60), (60, 120)][..], &[(0, 120)][..], 0),
            (&[(0, 120)], &[(0, 60)], 60),
            (&[(0, 600)], &[(60, 120), (300, 360)], 240),
            (&[(0, 60), (120, 180)], &[(30, 150)], 30),
            (&[(0, 60), (120, 180)], &[(0, 600)], 0),
            (&[(100, 200)], &[(0, 50), (300, 400)], 100),
            (&[(0, 60)], &[], 60),
            (&[], &[(0, 60)], 0),
        ] {
            assert_eq!(longest_uncovered(&spans(one), &spans(other)), seconds * 1_000_000_000, "{one:?} {other:?}");
        }
    }
}
