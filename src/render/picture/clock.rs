//! The axis of time: which seconds are marked, and how they are written.

use super::label::{Density, Role};
use crate::model::{Time, Window};

/// Steps between marks up to a day, in seconds.
const STEPS: [i64; 18] =
    [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];
const DAY: i64 = 86_400;
/// Room between two marks beyond their texts, in font sizes.
const GAP: f64 = 2.0;

/// A marked second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClockTick {
    /// Since the epoch.
    pub second: i64,
    /// Its text, UTC.
    pub text: String,
}

/// The marks of a window drawn `room` units wide; round times of the UTC clock, as many as have room for their texts.
pub(super) fn ticks(window: Window, room: f64, density: Density) -> Vec<ClockTick> {
    let step = step(window, room, density);
    let first = window.start.div_euclid(step).saturating_mul(step);
    let from = if first < window.start { first.saturating_add(step) } else { first };
    let seconds = (0..).map_while(|i: i64| from.checked_add(i.checked_mul(step)?)).take_while(|s| *s <= window.end);
    seconds.filter_map(|second| Some(ClockTick { second, text: text(second, step)? })).collect()
}

fn step(window: Window, room: f64, density: Density) -> i64 {
    let size = Role::Muted.size(density);
    let fits = |step: &i64| {
        let widest = super::font::width(pattern(*step), size, false) + GAP * size;
        (window.seconds() as f64 / *step as f64) * widest <= room
    };
    let of_days = (1..).map_while(|n: i64| DAY.checked_mul(2i64.checked_pow(n.try_into().ok()?)?));
    STEPS.into_iter().chain(of_days).find(fits).unwrap_or(i64::MAX)
}

/// The widest text marks of a step can have.
fn pattern(step: i64) -> &'static str {
    match step {
        ..60 => "00:00:00",
        60..DAY => "00:00",
        _ => "0000-00-00",
    }
}

fn text(second: i64, step: i64) -> Option<String> {
    let format = match step {
        ..60 => "%H:%M:%S",
        60..DAY => "%H:%M",
        _ => "%Y-%m-%d",
    };
    Some(Time::from_unix_seconds(second)?.to_utc().format(format).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(start: &str, seconds: i64, density: Density) -> Vec<String> {
        let start = Time::parse_rfc3339(start).unwrap().unix_seconds();
        let window = Window { start, end: start + seconds - 1 };
        ticks(window, 690.0, density).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn marks_are_round_times_of_the_utc_clock() {
        let half_an_hour = texts("2026-08-27T13:41:19Z", 1_812, Density::Wide);
        assert_eq!(half_an_hour, ["13:45", "13:50", "13:55", "14:00", "14:05", "14:10"]);
        assert_eq!(
            texts("2026-08-27T13:41:19Z", 1_812, Density::Narrow),
            ["13:45", "13:50", "13:55", "14:00", "14:05", "14:10"]
        );
        let short = texts("2026-11-30T15:18:30Z", 77, Density::Narrow);
        assert_eq!(short, ["15:18:30", "15:19:00", "15:19:30"]);
    }

    #[test]
    fn a_second_has_one_mark_and_a_century_a_few() {
        assert_eq!(texts("2026-11-30T15:18:31Z", 1, Density::Wide), ["15:18:31"]);
        let century = texts("1970-01-01T00:00:00Z", 100 * 365 * 86_400, Density::Wide);
        assert!((1..10).contains(&century.len()), "{century:?}");
    }
}
