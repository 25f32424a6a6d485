//! From a series as a format has it to a series of a known quantity, or to the reason why not.

use std::collections::BTreeMap;

use super::quantities::{self, COUNTS_POINTS, Metric, MetricNames, Nature};
use crate::model::{Distribution, Measure, Point, PointValue, Quantity, SeriesKind, TimeSeries, Unit, Warning};

/// Fractions above this are percentages: a CPU may be a little above all of it, never twice.
const MOST_OF_A_FRACTION: f64 = 2.0;
/// Where an export comes from, and what its names mean.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The file, by its path relative to the run's folder.
    pub file: &'a str,
    /// What metrics measure.
    pub names: &'a MetricNames,
}

impl Reading<'_> {
    /// The file's name without folders and extensions.
    pub(super) fn stem(&self) -> &str {
        let name = self.file.rsplit('/').next().unwrap_or(self.file);
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// A warning about this file.
    pub(super) fn problem(&self, code: &str, message: impl AsRef<str>) -> Warning {
        Warning::new(code, format!("{}: {}", self.file, message.as_ref()))
    }
}

/// A series as a format has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    /// The metric's name; `None` in formats that state none.
    pub metric: Option<String>,
    pub labels: BTreeMap<String, String>,
    pub resource: BTreeMap<String, String>,
    /// What the format says a point is; `None` for formats that do not say, whose points are levels or aligned rates.
    pub kind: Option<SeriesKind>,
    /// True for whole numbers.
    pub whole: bool,
    pub unit: Option<String>,
    pub points: Vec<Point>,
    pub target: Option<String>,
}

/// The series of a known quantity, in its unit; `Ok(None)` for one that is known to be of no interest.
pub(super) fn admit(draft: Draft, reading: &Reading<'_>) -> Result<Option<TimeSeries>, Warning> {
    let name = draft.metric.clone().unwrap_or_else(|| reading.stem().to_owned());
    if COUNTS_POINTS.contains(&name.as_str()) {
        let why = format!("`{name}` counts the points of an export, not what happened: left out");
        return Err(reading.problem("cloud-ambiguous", why));
    }
    let (measure, scale, preference) = match (quantities::known(&name), reading.names.own(&name)) {
        (Some((rank, metric)), None) => {
            let other = |(key, value): &(&str, &str)| match draft.labels.get(*key) {
                Some(label) => label != value,
                // a filter may have taken the label away; of parts of a whole nobody knows which it left
                None => metric.nature != Nature::Distribution,
            };
            if metric.only.iter().any(other) {
                return Ok(None);
            }
            (measure(metric, &draft, reading)?, scale(metric, &draft, reading)?, rank + 1)
        }
        (_, Some(own)) => (own, named_scale(own.quantity, &draft, reading)?, 0),
        (None, None) => match reading.names.label(&name) {
            Some(measure) => (measure, named_scale(measure.quantity, &draft, reading)?, 0),
            None => {
                let shown = if draft.metric.is_some() { format!("`{name}`") } else { "what it measures".to_owned() };
                let why = format!("{shown} is not known: left out");
                return Err(reading.problem("cloud-unknown-metric", why));
            }
        },
    };
    let is_counted = measure.quantity.is_of_queries() || measure.quantity == Quantity::ContainerStartups;
    if is_counted && draft.kind.unwrap_or(SeriesKind::Level) == SeriesKind::Level {
        let why = format!("`{name}` is a level or a rate, expected what was counted in each period: left out");
        return Err(reading.problem("cloud-ambiguous", why));
    }
    let has_unit = draft.unit.as_deref().is_some_and(|unit| !unit.trim().is_empty());
    let is_named_only = preference == 0 && !has_unit && !quantities::is_script_label(&name);
    let points = draft.points.into_iter().map(|point| scaled(point, scale)).collect();
    let series = TimeSeries {
        measure,
        file: reading.file.to_owned(),
        metric: name,
        preference,
        labels: draft.labels,
        resource: draft.resource,
        kind: draft.kind.unwrap_or(SeriesKind::Level),
        points: in_order(points),
        target: draft.target,
    };
    plausible(&series, is_named_only, reading)?;
    Ok(Some(series))
}

/// Which quantity and percentile a known metric's series is of, judged by what its points are.
fn measure(metric: &Metric, draft: &Draft, reading: &Reading<'_>) -> Result<Measure, Warning> {
    let refuse = |code: &str, why: &str| Err(reading.problem(code, format!("`{}` {why}: left out", metric.name)));
    let distributions = draft.points.iter().any(|point| matches!(point.value, PointValue::Distribution(_)));
    let kind = draft.kind.unwrap_or(SeriesKind::Level);
    let plain = Measure::of(metric.quantity);
    match (metric.nature, kind) {
        (Nature::Distribution, SeriesKind::RunningTotal) => {
            refuse("cloud-ambiguous", "is a running total of a distribution, expected one for each period")
        }
        (Nature::Distribution, _) if distributions => Ok(plain),
        (Nature::Distribution, _) if metric.quantity == Quantity::ContainerStartups => {
            refuse("cloud-ambiguous", "without its distribution counts points, not starts")
        }
        (Nature::Distribution, _) => {
            let stated = quantities::stated_percentile(reading.stem());
            let labelled = || reading.names.label(reading.stem()).filter(|m| m.quantity == metric.quantity);
            match stated.map(|percentile| Measure::at(metric.quantity, percentile)).or_else(labelled) {
                Some(measure) => Ok(measure),
                None => refuse(
                    "cloud-ambiguous",
                    "is one number a period, and the file's name does not say which percentile (`..._p99`)",
                ),
            }
        }
        _ if distributions => refuse("cloud-ambiguous", "is a distribution, expected numbers"),
        (Nature::Level, SeriesKind::Level) => Ok(plain),
        (Nature::Level, _) => refuse("cloud-ambiguous", "is an increase, expected a level"),
        (Nature::Counter, SeriesKind::Increase | SeriesKind::RunningTotal) => Ok(plain),
        (Nature::Counter, SeriesKind::Level) if draft.kind.is_none() => Ok(plain),
        (Nature::Counter, SeriesKind::Level) if draft.whole || !metric.quantity.is_rate() => {
            refuse("cloud-ambiguous", "was aligned to whole numbers or to a rate, which says nothing of its total")
        }
        (Nature::Counter, SeriesKind::Level) => Ok(plain),
    }
}

/// The factor from the series' unit to the quantity's.
fn scale(metric: &Metric, draft: &Draft, reading: &Reading<'_>) -> Result<f64, Warning> {
    let Some(unit) = draft.unit.as_deref().filter(|unit| !unit.is_empty()) else {
        return Ok(metric.units.first().map_or(1.0, |(_, scale)| *scale));
    };
    metric.units.iter().find(|(known, _)| *known == unit).map(|(_, scale)| *scale).ok_or_else(|| {
        let known: Vec<String> = metric.units.iter().map(|(known, _)| format!("`{known}`")).collect();
        let why = format!("`{}` in `{unit}`, expected {}: left out", metric.name, known.join(" or "));
        reading.problem("cloud-unit", why)
    })
}

/// The factor for a series that only has a name.
fn named_scale(quantity: Quantity, draft: &Draft, reading: &Reading<'_>) -> Result<f64, Warning> {
    let Some(unit) = draft.unit.as_deref().map(str::trim).filter(|unit| !unit.is_empty()) else { return Ok(1.0) };
    let counted = matches!(draft.kind, Some(SeriesKind::Increase | SeriesKind::RunningTotal));
    let known: &[(&str, f64)] = match quantity.unit() {
        // what was counted in a period becomes a rate by its seconds
        Unit::PerSecond if counted => &[("1", 1.0), ("s", 1.0)],
        Unit::BytesPerSecond if counted => &[("By", 1.0)],
        Unit::Fraction => &[("fraction", 1.0), ("10^2.%", 1.0), ("1", 1.0), ("%", 0.01), ("percent", 0.01)],
        Unit::Count => &[("count", 1.0), ("1", 1.0)],
        Unit::PerSecond => &[("1/s", 1.0), ("per_second", 1.0), ("/s", 1.0), ("s/s", 1.0), ("1/min", 1.0 / 60.0)],
        Unit::BytesPerSecond => &[("By/s", 1.0), ("B/s", 1.0), ("bytes/s", 1.0)],
        Unit::Milliseconds => &[("ms", 1.0), ("s", 1000.0), ("us", 0.001)],
        Unit::Seconds => &[("s", 1.0), ("ms", 0.001), ("us", 1e-6), ("us{CPU}", 1e-6)],
    };
    known.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("`{name}`")).collect();
        let why = format!("`{}` in `{unit}`, expected one of {}: left out", quantity.name(), names.join(", "));
        reading.problem("cloud-unit", why)
    })
}

/// Times a factor. One that is a power of ten moves the decimal point, so that 43.8 % become 0.438 and not 0.43799999999999994;
/// any other below 1 is divided by.
pub(super) fn times(value: f64, scale: f64) -> f64 {
    let exponent = scale.log10().round();
    match (scale.log10() - exponent).abs() < 1e-9 && value.is_finite() {
        // a value's shortest decimals are those of the export
        true => format!("{value}e{exponent}").parse().unwrap_or(value * scale),
        false if scale < 1.0 => value / (1.0 / scale).round(),
        false => value * scale,
    }
}

fn scaled(point: Point, scale: f64) -> Point {
    let value = match point.value {
        PointValue::Number(value) if value.is_finite() => PointValue::Number(times(value, scale)),
        PointValue::Number(_) | PointValue::NotFinite => PointValue::NotFinite,
        PointValue::Distribution(distribution) => PointValue::Distribution(Distribution {
            mean: times(distribution.mean, scale),
            range: distribution.range.map(|(min, max)| (times(min, scale), times(max, scale))),
            bounds: distribution.bounds.iter().map(|bound| times(*bound, scale)).collect(),
            ..distribution
        }),
    };
    Point { value, ..point }
}

/// Oldest first, exact duplicates dropped.
fn in_order(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by_key(|point| (point.end, point.start));
    points.dedup_by(|a, b| a.end == b.end && a.start == b.start && a.value == b.value);
    points
}

/// Refuses what cannot be true of the quantity: 97 where 0.97 is meant, less than nothing.
///
/// Where neither a unit nor a system's own name of the metric tells (`is_named_only`), a share that is above 1 most of the time is
/// refused too: 1.5 is rather 1.5 % than half again as much as there is.
fn plausible(series: &TimeSeries, is_named_only: bool, reading: &Reading<'_>) -> Result<(), Warning> {
    let numbers = || {
        series.points.iter().filter_map(|point| match point.value {
            PointValue::Number(value) => Some(value),
            _ => None,
        })
    };
    let fraction = series.measure.quantity.unit() == Unit::Fraction;
    let fits = |value: f64| value >= 0.0 && (!fraction || value <= MOST_OF_A_FRACTION);
    let above = |value: &f64| *value > 1.0;
    let is_percent = || fraction && is_named_only && 2 * numbers().filter(above).count() > numbers().count();
    let wrong = numbers().find(|value| !fits(*value));
    match wrong.or_else(|| numbers().find(above).filter(|_| is_percent())) {
        None => Ok(()),
        Some(value) => {
            let expected = match (fraction, wrong) {
                (true, None) => "a unit, or a fraction from 0 to 1",
                (true, Some(_)) => "a fraction from 0 to 1 (0.97, not 97)",
                (false, _) => "a number from 0",
            };
            let why = format!("`{}`: expected {expected}, found {value}: left out", series.metric);
            Err(reading.problem("cloud-implausible", why))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn a_power_of_ten_moves_the_decimal_point_of_what_the_export_says() {
        assert_eq!(
            [43.8, 36.7, 95.0, 0.1, 33.3].map(|percent| times(percent, 0.01)),
            [0.438, 0.367, 0.95, 0.001, 0.333]
        );
        assert_eq!((times(1.1, 1000.0), times(7.0, 1e-6), times(0.3, 1.0)), (1100.0, 0.000_007, 0.3));
        assert_eq!((times(90.0, 1.0 / 60.0), times(0.0, 0.01)), (1.5, 0.0));
        assert!(times(f64::NAN, 0.01).is_nan() && times(f64::INFINITY, 0.01).is_infinite());
        assert_eq!(times(1.7e308, 0.01), 1.7e306);
    }
}
