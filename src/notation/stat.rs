//! Names of trend statistics, and a statistic's value in the notation of its line.

use indexmap::IndexMap;

use super::duration::{self, TimeUnit};
use super::{number, size};
use crate::model::{EndSummary, Figures, Percentile, Printed, Stat};

/// Writes a statistic's name as k6's `--summary-trend-stats` spells it: `avg`, `p(99.9)`.
pub fn write(stat: Stat) -> String {
    stat.to_string()
}

/// Reads a statistic's name, `p(99.9)` and also `p99.9`; `None` for any other word.
pub fn read(name: &str) -> Option<Stat> {
    Some(match name {
        "avg" => Stat::Avg,
        "min" => Stat::Min,
        "med" => Stat::Med,
        "max" => Stat::Max,
        "count" => Stat::Count,
        _ => {
            let rank = name.strip_prefix('p')?;
            let bare = rank.strip_prefix('(').and_then(|r| r.strip_suffix(')')).unwrap_or(rank);
            Stat::P(Percentile::parse(bare)?)
        }
    })
}

/// How the values of a trend line are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrendNotation {
    /// Milliseconds in k6's own form.
    Time,
    /// Milliseconds in a fixed unit.
    FixedTime(TimeUnit),
    /// Bytes.
    Data,
    /// Plain numbers.
    Plain,
}

impl TrendNotation {
    /// The notation of a printed line; `fixed` is what [`fixed_time_unit`] says of its summary.
    pub fn of_line(line: &IndexMap<Stat, Printed>, fixed: Option<TimeUnit>) -> Self {
        let values = || line.iter().filter(|(stat, _)| **stat != Stat::Count).map(|(_, printed)| printed.text.as_str());
        if values().any(|text| duration::read(text).is_some()) {
            fixed.map_or(TrendNotation::Time, TrendNotation::FixedTime)
        } else if values().any(|text| size::read(text).is_some()) {
            TrendNotation::Data
        } else {
            TrendNotation::Plain
        }
    }

    /// Writes one statistic's value; a count is an integer without unit in every notation.
    pub fn write(self, stat: Stat, value: f64) -> String {
        match self {
            _ if stat == Stat::Count => number::write(value),
            TrendNotation::Time => duration::write(value),
            TrendNotation::FixedTime(unit) => duration::write_fixed(value, unit),
            TrendNotation::Data => size::write(value),
            TrendNotation::Plain => number::write(value),
        }
    }
}

/// The unit a summary was printed in under `--summary-time-unit`; `None` in k6's own form.
///
/// Known by every time of the summary having the same unit and exactly two decimals, which k6's own form cannot have for long:
/// it cuts zeros and changes units.
pub fn fixed_time_unit(summary: &EndSummary) -> Option<TimeUnit> {
    let trends = summary.metrics.values().filter_map(|figures| match figures {
        Figures::Trend(line) => Some(line),
        _ => None,
    });
    let mut times = trends.flat_map(|line| line.values()).filter(|p| duration::read(&p.text).is_some());
    let unit = unit_with_two_decimals(&times.next()?.text)?;
    times.all(|p| unit_with_two_decimals(&p.text) == Some(unit)).then_some(unit)
}

fn unit_with_two_decimals(text: &str) -> Option<TimeUnit> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, suffix) = text.split_at(split);
    let unit = match suffix {
        "s" => TimeUnit::Seconds,
        "ms" => TimeUnit::Milliseconds,
        "us" | "µs" | "μs" => TimeUnit::Microseconds,
        _ => return None,
    };
    (number::decimals_of(number)? == 2).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statistic_reads_back_from_its_name() {
        for name in ["avg", "min", "med", "max", "count", "p(50)", "p(99.9)", "p(99.99)"] {
            assert_eq!(read(name).map(write).as_deref(), Some(name));
        }
        assert_eq!(read("p95"), Some(Stat::P(Percentile::P95)));
        for name in ["", "p", "p()", "p(x)", "p(101)", "mean", "p(95"] {
            assert_eq!(read(name), None, "{name}");
        }
    }

    #[test]
    fn a_line_is_plain_when_no_value_has_a_unit() {
        let line = |text: &str| {
            let printed = Printed { text: text.to_owned(), value: None, step: 0.0 };
            TrendNotation::of_line(&IndexMap::from([(Stat::Avg, printed)]), None)
        };
        assert_eq!(line("319.37931"), TrendNotation::Plain);
        assert_eq!(line("319.37ms"), TrendNotation::Time);
        assert_eq!(line("1.2 kB"), TrendNotation::Data);
    }
}
