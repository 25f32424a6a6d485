//! Numbers, times and durations in every notation people write, each with the size of its last digit.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::Time;
use crate::notation::count;

/// Pattern of a count: digits with or without thousands separators, or a small number in words.
pub(super) const COUNT: &str =
    r"(?:\d{1,3}(?:,\d{3})+|\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a single)";

/// Pattern of a time of day, with or without seconds and date.
pub(super) const CLOCK: &str = r"(?:\d{4}-\d{2}-\d{2}[ t])?\d{1,2}:\d{2}(?::\d{2})?(?: ?z\b)?";

/// Pattern of a duration: `1m57s`, `55-second`, `1,658s`, `~28min`, `two minutes`, `2min 15s`.
pub(super) const DURATION: &str = concat!(
    r"(?:~ ?|\babout |\baround |\broughly |\bsome |\bnearly |\balmost |\bapproximately )?",
    r"(?:\b(?:(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)[ -]?(?:hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)",
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)[ -](?:hours?|minutes?|seconds?))",
    r"(?: and |, | )?|(?:\d+)(?:m|s)\b(?: and |, | )?){1,3}"
);

/// Pattern of a percentage.
pub(super) const PERCENT: &str = r"(?:~ ?|about |around |roughly )?<? ?\d+(?:\.\d+)? ?%";

/// A stated figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantity {
    /// Its value; seconds for durations, percent for shares.
    pub(super) value: f64,
    /// Size of the last digit written.
    pub(super) step: f64,
    /// True for `~` and its words: five percent either way.
    pub(super) approximate: bool,
}

/// What five percent either way means.
const APPROXIMATE: f64 = 0.05;

impl Quantity {
    /// True when the data's value, rounded or cut at the last digit, reads like this.
    pub(super) fn fits(&self, data: f64) -> bool {
        let slack = 1e-9 * data.abs().max(1.0);
        let rounded = (data - self.value).abs() <= self.step / 2.0 + slack;
        let cut = data - self.value > -slack && data - self.value < self.step - slack;
        let near = self.approximate && (data - self.value).abs() <= APPROXIMATE * data.abs().max(self.value.abs());
        rounded || cut && self.step > 0.0 || near
    }
}

/// Words for small numbers.
const WORDS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

fn word(text: &str) -> Option<u64> {
    match text {
        "no" | "none" => Some(0),
        "a single" | "a" => Some(1),
        "fifteen" => Some(15),
        "twenty" => Some(20),
        "thirty" => Some(30),
        _ => WORDS.iter().position(|w| *w == text).and_then(|n| u64::try_from(n).ok()),
    }
}

/// Reads a count, `171,987`, `225` or `two`; `None` for anything else.
pub(super) fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    count::read(text).or_else(|| word(text))
}

fn approximate(text: &str) -> bool {
    let text = text.trim_start();
    const SIGNS: [&str; 8] = ["~", "about ", "around ", "roughly ", "some ", "nearly ", "almost ", "approximately "];
    SIGNS.iter().any(|sign| text.starts_with(sign))
}

static DURATION_PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|[a-z]+)[ -]?(hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b|(\d+)([hms])")
        .expect("a fixed pattern")
});

/// Reads a duration in seconds; the step is that of its smallest part.
pub(super) fn duration(text: &str) -> Option<Quantity> {
    let mut value = None;
    let mut step = 0.0;
    for part in DURATION_PART.captures_iter(text) {
        let figure = part.get(1).or(part.get(3))?.as_str();
        let unit = match part.get(2).or(part.get(4))?.as_str().chars().next()? {
            'h' => 3600.0,
            'm' => 60.0,
            _ => 1.0,
        };
        let (number, decimals) = decimal(figure)?;
        value = Some(value.unwrap_or(0.0) + number * unit);
        step = unit * 10f64.powi(-decimals);
    }
    Some(Quantity { value: value?, step, approximate: approximate(text) })
}

fn decimal(text: &str) -> Option<(f64, i32)> {
    if let Some(whole) = number(text) {
        return Some((whole as f64, 0));
    }
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    Some((text.parse().ok()?, i32::try_from(decimals).ok()?))
}

/// A percentage of prose: its figure, and whether it says `<`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Percentage {
    /// In percent.
    pub(super) figure: Quantity,
    /// `<0.01%`.
    pub(super) below: bool,
}

/// Reads a percentage, `0.13%`, `~5 %`, `<0.01%`.
pub(super) fn percentage(text: &str) -> Option<Percentage> {
    let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let (value, decimals) = decimal(&digits)?;
    let figure = Quantity { value, step: 10f64.powi(-decimals), approximate: approximate(text) };
    Some(Percentage { figure, below: text.contains('<') })
}

/// A stated time: the first second it may mean, and how many seconds it leaves open (1 or 60).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    /// Seconds since the epoch.
    pub(super) second: i64,
    /// 1 with seconds, 60 without.
    pub(super) step: i64,
}

impl Clock {
    /// True when the moment lies in the stated second or minute.
    pub(super) fn holds(&self, second: i64) -> bool {
        (self.second..self.second + self.step).contains(&second)
    }

    /// The last second it may mean.
    pub(super) fn last(&self) -> i64 {
        self.second + self.step - 1
    }
}

const DAY: i64 = 86_400;

/// Reads a time of day; without a date it is the one nearest after `not_before`, an hour of grace aside.
pub(super) fn clock(text: &str, not_before: i64) -> Option<Clock> {
    let text = text.trim().trim_end_matches('z').trim_end();
    let (date, time) = text.split_at(text.rfind([' ', 't']).map_or(0, |at| at + 1));
    let mut parts = time.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = match parts.next() {
        Some(seconds) => Some(seconds?),
        None => None,
    };
    if hours > 23 || minutes > 59 || seconds.is_some_and(|s| s > 59) {
        return None;
    }
    let of_day = hours * 3600 + minutes * 60 + seconds.unwrap_or(0);
    let step = if seconds.is_some() { 1 } else { 60 };
    if !date.is_empty() {
        let midnight = Time::parse_rfc3339(&format!("{}T00:00:00Z", date.trim_end_matches([' ', 't'])))?;
        return Some(Clock { second: midnight.unix_seconds() + of_day, step });
    }
    let earliest = not_before - 3600;
    let same_day = earliest.div_euclid(DAY) * DAY + of_day;
    let second = if same_day < earliest { same_day + DAY } else { same_day };
    Some(Clock { second, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<(f64, f64, bool)> {
        duration(text).map(|q| (q.value, q.step, q.approximate))
    }

    #[test]
    fn durations_are_read_in_every_notation() {
        for (text, value, step, approximate) in [
            ("1m57s", 117.0, 1.0, false),
            ("55-second", 55.0, 1.0, false),
            ("1,658s", 1658.0, 1.0, false),
            ("~28min", 1680.0, 60.0, true),
            ("two minutes", 120.0, 60.0, false),
            ("2min 15s", 135.0, 1.0, false),
            ("1h 30min", 5400.0, 60.0, false),
            ("about 2.5 minutes", 150.0, 6.0, true),
        ] {
            assert_eq!(seconds(text), Some((value, step, approximate)), "{text}");
        }
        assert_eq!(seconds("many minutes"), None);
        assert_eq!(seconds(""), None);
    }

    #[test]
    fn a_figure_fits_what_rounds_or_cuts_to_it() {
        let minutes = duration("25 minutes").unwrap();
        assert!(minutes.fits(1475.0) && minutes.fits(1529.0), "24:35 and 25:29");
        assert!(!minutes.fits(1460.0) && !minutes.fits(1560.0));
        assert!(!duration("1,658s").unwrap().fits(1649.0));
        assert!(duration("~28min").unwrap().fits(1649.0));
    }

    #[test]
    fn percentages_and_counts_are_read() {
        assert_eq!(percentage("<0.01%").map(|p| (p.figure.value, p.below)), Some((0.01, true)));
        assert_eq!(percentage("1.20%").map(|p| (p.figure.value, p.figure.step)), Some((1.2, 0.01)));
        assert_eq!(number("171,987"), Some(171_987));
        assert_eq!(number("twelve"), Some(12));
        assert_eq!(number("many"), None);
    }

    #[test]
    fn times_without_a_date_lie_in_the_run() {
        let start = Time::parse_rfc3339("2026-08-27T23:41:19Z").unwrap().unix_seconds();
        let at = |text: &str| clock(text, start).map(|c| (c.second - start, c.step));
        assert_eq!(at("23:43:19"), Some((120, 1)));
        assert_eq!(at("00:10"), Some((1721, 60)));
        assert_eq!(at("2026-08-27 23:43"), Some((101, 60)));
        for text in ["24:00", "12:60", "12:30:61", "x:y", "2026-02-31 10:00"] {
            assert_eq!(clock(text, start), None, "{text}");
        }
    }
}
