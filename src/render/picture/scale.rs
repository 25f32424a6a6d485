//! Scales of values: where a value lies between bottom and top, and which values are marked.

use crate::notation::{count, duration, number, utilisation};

/// What the values of a scale are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Milliseconds, marked as durations.
    Duration,
    /// Things, or things a second.
    Count,
    /// Fractions, marked in percent.
    Share,
}

/// A scale from `low` at the bottom to `high` at the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    step: f64,
    unit: Unit,
    log: bool,
}

/// A marked value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// The value.
    pub value: f64,
    /// Its text.
    pub text: String,
}

/// Intervals between the marks of a linear scale.
const INTERVALS: f64 = 4.0;
/// From this many times the typical value up a highest value would flatten everything else on a linear scale.
const WIDE_SPREAD: f64 = 10.0;
/// Most marks of a logarithmic scale.
const LOG_TICKS: usize = 5;

impl Scale {
    /// From 0 to a round number that is at least `max`.
    pub(super) fn linear(max: f64, unit: Unit) -> Self {
        let max = if max.is_finite() && max > 0.0 { max } else { 1.0 };
        let step = round_up(max / INTERVALS, unit);
        // there is no half of a request
        let step = if unit == Unit::Count && max >= 1.0 { step.max(1.0) } else { step };
        Scale { low: 0.0, high: step * (max / step).ceil(), step, unit, log: false }
    }

    /// From nothing to all of it, and to as much beyond as `max` asks: little more than all makes it little higher.
    pub(super) fn share(max: f64) -> Self {
        match max > 1.0 && max <= 1.25 {
            true => Scale { low: 0.0, high: 1.25, step: 0.25, unit: Unit::Share, log: false },
            false => Scale::linear(max.max(1.0), Unit::Share),
        }
    }

    /// For durations: logarithmic when the highest lies ten times or more above the typical one.
    ///
    /// `min` is the lowest value above 0, `typical` the median of the medians.
    pub(super) fn durations(min: f64, typical: f64, max: f64) -> Self {
        match typical > 0.0 && max / typical >= WIDE_SPREAD {
            true => Scale::log(min, max),
            false => Scale::linear(max, Unit::Duration),
        }
    }

    /// A logarithmic scale of durations that holds all from `min`, which lies above 0, to `max`.
    pub(super) fn log(min: f64, max: f64) -> Self {
        if !(min > 0.0 && max.is_finite() && max > min) {
            return Scale::linear(max, Unit::Duration);
        }
        let (low, high) = (round_end_below(min), round_end_above(max));
        Scale { low, high, step: 0.0, unit: Unit::Duration, log: true }
    }

    /// The texts of its lowest and its highest value, which need not be marked.
    pub(super) fn ends(&self) -> (String, String) {
        (self.text(self.low), self.text(self.high))
    }

    /// True for a logarithmic scale.
    pub(super) fn is_log(&self) -> bool {
        self.log
    }

    /// Where a value lies, from 0 at the bottom to 1 at the top; what lies outside is put on the border.
    pub(super) fn position(&self, value: f64) -> f64 {
        let position = match self.log {
            true => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
            false => value / self.high,
        };
        if position.is_finite() { position.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The values to mark, from the lowest up.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let values = if self.log { self.log_values() } else { self.linear_values() };
        values.into_iter().map(|value| Tick { value, text: self.text(value) }).collect()
    }

    fn linear_values(&self) -> Vec<f64> {
        let last = (self.high / self.step).round() as u32;
        (0..=last).map(|i| f64::from(i) * self.step).collect()
    }

    fn log_values(&self) -> Vec<f64> {
        let inside = |value: &f64| *value >= self.low * (1.0 - 1e-9) && *value <= self.high * (1.0 + 1e-9);
        let decades: Vec<f64> = decades().filter(inside).collect();
        let every = decades.len().div_ceil(LOG_TICKS).max(1);
        let mut values: Vec<f64> = decades.into_iter().rev().step_by(every).collect();
        // the ends say where the scale begins and ends when no decade does
        let far = |from: f64| move |value: &f64| (value / from).ln().abs() > 0.5;
        for end in [self.low, self.high] {
            if values.iter().all(far(end)) {
                values.push(end);
            }
        }
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    fn text(&self, value: f64) -> String {
        match self.unit {
            Unit::Duration => short_duration(value),
            Unit::Count if value.fract() == 0.0 && value < 1e15 => count::write(value as u64),
            Unit::Count => number::write(value),
            Unit::Share => utilisation::write(value),
        }
    }
}

/// A round duration as k6 writes it, without the parts that are zero: `1m` for `1m0s`.
fn short_duration(ms: f64) -> String {
    let text = duration::write(ms);
    let text = text.strip_suffix("m0s").map_or(text.clone(), |minutes| format!("{minutes}m"));
    text.strip_suffix("h0m").map_or(text.clone(), |hours| format!("{hours}h"))
}

/// The smallest round step that is at least `step`.
fn round_up(step: f64, unit: Unit) -> f64 {
    const CLOCK_STEPS: [f64; 14] =
        [10e3, 15e3, 20e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 7200e3, 21_600e3, 86_400e3];
    match unit {
        Unit::Duration if step > 5e3 => {
            let clock = CLOCK_STEPS.into_iter().find(|candidate| *candidate >= step);
            clock.unwrap_or_else(|| round_up_one_two_five(step / 86_400e3) * 86_400e3)
        }
        _ => round_up_one_two_five(step),
    }
}

/// Round durations from a minute up, in milliseconds: tens of thousands of seconds are round to nobody.
const CLOCK_ENDS: [f64; 12] =
    [60e3, 120e3, 300e3, 600e3, 1200e3, 1800e3, 3600e3, 7200e3, 18_000e3, 36_000e3, 72_000e3, 86_400e3];

/// The lowest end of a logarithmic scale of durations that holds all up to `max`.
fn round_end_above(max: f64) -> f64 {
    let round = round_up_one_two_five(max);
    if round <= 50e3 {
        return round;
    }
    let days = || (max / 86_400e3).ceil() * 86_400e3;
    CLOCK_ENDS.into_iter().find(|end| *end >= max).unwrap_or_else(days)
}

/// The highest end of a logarithmic scale of durations that holds all from `min` up.
fn round_end_below(min: f64) -> f64 {
    CLOCK_ENDS.into_iter().rev().find(|end| *end <= min).unwrap_or_else(|| round_down_one_two_five(min))
}

fn round_up_one_two_five(value: f64) -> f64 {
    one_two_five(value, |candidate| candidate >= value * (1.0 - 1e-12)).unwrap_or(value)
}

fn round_down_one_two_five(value: f64) -> f64 {
    let below = one_two_five(value, |candidate| candidate > value * (1.0 + 1e-12));
    below.and_then(|above| one_two_five(above / 10.0, |candidate| candidate * 3.0 > above)).unwrap_or(value)
}

/// The first of 1, 2, 5, 10, 20 ... around a value that is wanted.
fn one_two_five(value: f64, wanted: impl Fn(f64) -> bool) -> Option<f64> {
    let exponent = value.log10().floor() as i32;
    let candidates = (exponent - 1..=exponent + 1).flat_map(|e| [1.0, 2.0, 5.0].map(|digit| power_of_ten(digit, e)));
    candidates.into_iter().find(|candidate| wanted(*candidate))
}

/// The double nearest to the decimal: a product with a power of ten can be an ulp off.
fn power_of_ten(digit: f64, exponent: i32) -> f64 {
    format!("{digit}e{exponent}").parse().unwrap_or(digit)
}

/// Round durations about ten times apart, in milliseconds.
fn decades() -> impl Iterator<Item = f64> {
    let decimal = (-6..=4).map(|exponent| power_of_ten(1.0, exponent));
    decimal.chain([60e3, 600e3, 3600e3, 36_000e3, 360_000e3, 3_600_000e3])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn a_linear_scale_ends_at_a_round_number_at_or_above_the_highest_value() {
        assert_eq!(texts(Scale::linear(173.0, Unit::Duration)), ["0s", "50ms", "100ms", "150ms", "200ms"]);
        assert_eq!(texts(Scale::linear(60_000.1, Unit::Duration)), ["0s", "20s", "40s", "1m", "1m20s"]);
        assert_eq!(texts(Scale::linear(4_000.0, Unit::Count)), ["0", "1,000", "2,000", "3,000", "4,000"]);
        assert_eq!(texts(Scale::linear(3.0, Unit::Count)), ["0", "1", "2", "3"]);
        assert_eq!(texts(Scale::linear(1.0, Unit::Count)), ["0", "1"]);
    }

    #[test]
    fn shares_are_seen_against_all_of_it() {
        for max in [0.0, 0.02, 1.0, f64::NAN] {
            assert_eq!(texts(Scale::share(max)), ["0%", "50%", "100%"], "{max}");
        }
        assert_eq!(texts(Scale::share(1.003)), ["0%", "25%", "50%", "75%", "100%", "125%"]);
        assert_eq!(texts(Scale::share(3.2)), ["0%", "100%", "200%", "300%", "400%"]);
    }

    #[test]
    fn nothing_to_measure_gives_a_scale_all_the_same() {
        for max in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Scale::linear(max, Unit::Count).position(1.0), 1.0, "{max}");
        }
    }

    #[test]
    fn one_timeout_of_a_minute_does_not_flatten_the_rest() {
        let scale = Scale::durations(12.0, 60.0, 60_000.0);
        assert!(scale.is_log());
        assert_eq!(texts(scale), ["10ms", "100ms", "1s", "10s", "1m"]);
        assert!(!Scale::durations(12.0, 60.0, 500.0).is_log());
        // without a value above zero there is no logarithm
        assert!(!Scale::durations(f64::INFINITY, 0.0, 1_000.0).is_log());
    }

    #[test]
    fn positions_rise_with_the_value_and_stay_inside() {
        for scale in [Scale::durations(12.0, 60.0, 60_000.0), Scale::linear(60_000.0, Unit::Duration)] {
            let at = |value| scale.position(value);
            assert!(at(0.0) == 0.0 && at(100.0) < at(1_000.0) && at(1_000.0) < at(60_000.0) && at(60_000.0) <= 1.0);
            assert_eq!(at(1e12), 1.0);
            assert_eq!(at(f64::NAN), 0.0);
        }
    }

    #[test]
    fn a_logarithmic_scale_of_minutes_ends_at_a_round_time() {
        let ends = |min, max| Scale::log(min, max).ends();
        for (max, end) in [(50_000.0, "50s"), (50_001.0, "1m"), (60_001.0, "2m"), (190e3, "5m"), (420e3, "10m")] {
            assert_eq!(ends(2_000.0, max), ("2s".to_owned(), end.to_owned()), "{max}");
        }
        assert_eq!(ends(70e3, 4_000e3), ("1m".to_owned(), "2h".to_owned()));
        // 50 s are too near to the mark of a minute to be marked, and the scale begins there all the same
        assert_eq!(ends(59e3, 200_000e3), ("50s".to_owned(), "72h".to_owned()));
    }

    #[test]
    fn a_logarithmic_scale_begins_just_below_the_lowest_value() {
        let scale = Scale::durations(23.0, 60.0, 4_000.0);
        assert_eq!((scale.low, scale.high), (20.0, 5_000.0));
        assert_eq!(Scale::durations(20.0, 60.0, 5_000.0).low, 20.0);
    }
}
