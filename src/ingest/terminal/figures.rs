use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;

use crate::model::{Figures, Printed};
use crate::notation::{duration, number, per_second, percent, size, stat};

/// The mark before a check, a threshold or (in the legacy layout) a metric with thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Pass,
    Fail,
    /// Lost in a code page: the line below tells.
    Unknown,
}

/// Splits a line that begins with a mark; `None` for any other.
pub(super) fn mark(text: &str) -> Option<(Mark, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (sign, rest) = text.split_at(end);
    let mark = match sign {
        "✓" | "√" | "✔" => Mark::Pass,
        "✗" | "×" | "✘" => Mark::Fail,
        _ if !sign.is_empty() && sign.chars().all(|c| matches!(c, '?' | '\u{fffd}')) => Mark::Unknown,
        _ => return None,
    };
    Some((mark, rest.trim()))
}

/// What a summary's line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name<'a> {
    Metric(&'a str),
    /// What stands between the braces, a submetric of the metric above.
    Submetric(&'a str),
}

/// Names as k6 checks them today, and for older versions any word; the dots may have been collapsed or lost.
static METRIC: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\{\s*(?P<tags>.*?)\s*\}|(?P<name>[\p{L}_][\p{L}\p{N}_]*))\s*[.…]*\s*:\s+(?P<value>\S.*)$")
        .expect("a constant")
});

/// Reads a metric's line, `http_reqs......: 374     30.323623/s`; `None` when it is not one or its figures make no sense.
pub(super) fn metric(text: &str) -> Option<(Name<'_>, Figures)> {
    let captures = METRIC.captures(text.trim())?;
    let name = match (captures.name("name"), captures.name("tags")) {
        (Some(name), _) => Name::Metric(name.as_str()),
        (None, tags) => Name::Submetric(tags?.as_str()),
    };
    Some((name, figures(captures.name("value")?.as_str())?))
}

/// Reads the figures behind the colon. Columns are told by their words, never by their position.
fn figures(text: &str) -> Option<Figures> {
    let words = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [share, rest @ ..] if share.ends_with('%') => rate(share, rest),
        [first, ..] if first.contains('=') => trend(&words),
        [count, rate] if rate.ends_with("/s") => {
            Some(Figures::Counter { count: printed(count)?, per_second: Some(printed(rate)?) })
        }
        [value, min, max] => {
            let extreme = |word: &str, label: &str| printed(word.strip_prefix(label)?);
            let (min, max) = (Some(extreme(min, "min=")?), Some(extreme(max, "max=")?));
            Some(Figures::Gauge { value: printed(value)?, min, max })
        }
        _ => None,
    }
}

/// Words, with a size's unit joined to its number.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let unit = word.strip_suffix("/s").unwrap_or(word);
        let is_unit = size::read(&format!("1 {unit}")).is_some();
        match words.last_mut() {
            Some(number) if is_unit => {
                number.push(' ');
                number.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

fn trend(words: &[&str]) -> Option<Figures> {
    let mut line = IndexMap::new();
    for word in words {
        let (name, value) = word.split_once('=')?;
        line.insert(stat::read(name)?, printed(value)?);
    }
    Some(Figures::Trend(line))
}

/// `403 out of 711`, or up to v0.53 `✓ 403      ✗ 308`: in both the first number counts the samples that were not zero.
fn rate(share: &str, words: &[&str]) -> Option<Figures> {
    let (nonzero, total) = match words {
        [nonzero, "out", "of", total] => (nonzero.parse().ok()?, total.parse().ok()?),
        [pass, nonzero, fail, zero] if mark(pass).is_some() && mark(fail).is_some() => {
            let (nonzero, zero): (u64, u64) = (nonzero.parse().ok()?, zero.parse().ok()?);
            (nonzero, nonzero.checked_add(zero)?)
        }
        _ => return None,
    };
    Some(Figures::Rate { nonzero, total, share: Some(percent::read(share)?) })
}

/// One printed value in any notation, with the step k6's notation implies.
fn printed(text: &str) -> Option<Printed> {
    let per_second = text.strip_suffix("/s");
    let bare = per_second.unwrap_or(text);
    let value = duration::read_k6(bare)
        .or_else(|| size::read(bare))
        .or_else(|| percent::read(bare))
        .or_else(|| number::read_k6(per_second::read(bare)?.text.as_str()))?;
    Some(Printed { text: text.to_owned(), ..value })
}

static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<arrow>\S{1,3})\s+\d+%\s+\S+\s+\S+\s+(\d+)\s+/\s+\S+\s+(\d+)$").expect("a constant")
});

/// Reads the line below a failed check, `↳  98% — ✓ 3383 / ✗ 48`, as passes and fails; `None` for any other line.
pub(super) fn check_counts(text: &str) -> Option<(u64, u64)> {
    let captures = COUNTS.captures(text.trim())?;
    // a check can be called `98% — ✓ 3 / ✗ 4`: its line begins with a mark, not with the arrow
    let arrow = captures.name("arrow")?.as_str();
    let is_check = matches!(mark(arrow), Some((Mark::Pass | Mark::Fail, _)));
    let count = |i| captures.get(i)?.as_str().parse().ok();
    if is_check { None } else { Some((count(2)?, count(3)?)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Percentile, Stat};

    #[test]
    fn a_rate_counts_what_is_not_zero_in_every_spelling() {
        for text in ["56.68% ✓ 403      ✗ 308", "56.68% 403 out of 711", "56.68% √ 403 × 308", "56.68% ? 403 ? 308"]
        {
            let line = format!("http_req_failed................: {text}");
            let (name, figures) = metric(&line).unwrap();
            assert_eq!(name, Name::Metric("http_req_failed"));
            let Figures::Rate { nonzero, total, share } = figures else { panic!("{figures:?}") };
            assert_eq!((nonzero, total), (403, 711));
            assert_eq!(share.map(|s| s.text).as_deref(), Some("56.68%"));
        }
    }

    #[test]
    fn dots_and_spaces_may_be_collapsed() {
        for text in [
            "http_reqs......................: 374     30.323623/s",
            "http_reqs.: 374 30.323623/s",
            "http_reqs…: 374 30.323623/s",
            "http_reqs: 374 30.323623/s",
        ] {
            let Some((_, Figures::Counter { count, per_second })) = metric(text) else { panic!("{text}") };
            assert_eq!(count.value, Some(374.0));
            assert_eq!(per_second.and_then(|p| p.value), Some(30.323623));
        }
        let (name, _) = metric("{ expected_response:true }...: avg=300.35ms").unwrap();
        assert_eq!(name, Name::Submetric("expected_response:true"));
    }

    #[test]
    fn sizes_and_gauges_are_told_apart() {
        let Some((_, Figures::Counter { count, per_second })) = metric("data_sent......: 36 kB   2.9 kB/s") else {
            panic!()
        };
        assert_eq!((count.text.as_str(), count.value, count.step), ("36 kB", Some(36_000.0), 1000.0));
        assert_eq!(per_second.map(|p| (p.text, p.value)), Some(("2.9 kB/s".to_owned(), Some(2900.0))));
        let Some((_, Figures::Gauge { value, min, max })) =
            metric("queue_depth....: 3.450923 min=0.016118   max=9.976717")
        else {
            panic!()
        };
        let texts = [Some(value), min, max].map(|p| p.unwrap().text);
        assert_eq!(texts, ["3.450923", "0.016118", "9.976717"]);
    }

    #[test]
    fn a_trend_keeps_the_order_of_its_columns() {
        let Some((_, Figures::Trend(line))) = metric("x_duration...: min=14.56ms p(99.9)=1m0s count=370 avg=2.09s")
        else {
            panic!()
        };
        let expected = [Stat::Min, Stat::P(Percentile::P99_9), Stat::Count, Stat::Avg];
        assert_eq!(line.keys().copied().collect::<Vec<_>>(), expected);
        assert_eq!(line.get(&Stat::Avg).map(|p| (p.value, p.step)), Some((Some(2090.0), 10.0)));
    }

    #[test]
    fn lines_without_figures_are_no_metrics() {
        for text in [
            "execution: local",
            "output: csv (run.csv)",
            "script: x.js",
            "done: 5",
            "http_reqs...: many",
            "a b...: 1 2/s",
        ] {
            assert_eq!(metric(text), None, "{text}");
        }
    }

    #[test]
    fn counts_below_a_check_are_read_after_any_arrow() {
        assert_eq!(check_counts("      ↳  98% — ✓ 3383 / ✗ 48"), Some((3383, 48)));
        assert_eq!(check_counts("?  98% ? ? 3383 / ? 48"), Some((3383, 48)));
        assert_eq!(check_counts("✓ 98% — ✓ 3 / ✗ 4"), None);
    }
}
