use std::sync::LazyLock;

use regex::Regex;

use crate::model::{RunningLine, ScenarioEnd, ScenarioLine};
use crate::notation::duration;

static RUNNING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:running|paused)\s+\(([^)]*)\),\s+\d+/(\d+)\s+VUs,\s+(\d+)\s+complete\s+and\s+(\d+)\s+interrupted\s+iterations")
        .expect("a constant")
});

/// Reads `running (30m22.6s), 000/200 VUs, 34399 complete and 0 interrupted iterations`; `None` for any other line.
pub(super) fn running(text: &str) -> Option<RunningLine> {
    let text = text.trim();
    let captures = RUNNING.captures(text)?;
    let count = |i| captures.get(i)?.as_str().parse().ok();
    Some(RunningLine {
        text: text.to_owned(),
        seconds: seconds(captures.get(1)?.as_str())?,
        vus: count(2)?,
        complete: count(3)?,
        interrupted: count(4)?,
    })
}

/// A name, a status, a percentage or bar in brackets, columns.
static PROGRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^([0-9A-Za-z_-]+(?:\.\.\.|…)?)\s+(?:(\S{1,3})\s+)?\[(?:\s*\d+%\s*|[=>\-\s]+)\](.*)$")
        .expect("a constant")
});

/// True for the progress of k6 itself, `Run       [ 100% ] setup()` and `Init      [   0% ] …`.
pub(super) fn is_stage(text: &str) -> bool {
    let Some(captures) = PROGRESS.captures(text.trim()) else { return false };
    let name = captures.get(1).map_or("", |m| m.as_str());
    let columns = captures.get(3).map_or("", |m| m.as_str());
    // a scenario may have these names too: its columns then end in a time
    matches!(name, "Run" | "Init") && columns_of(columns).1.is_none()
}

/// Reads a scenario's progress line, `default ✓ [ 100% ] 200 VUs  30m0s`; `None` for any other line.
pub(super) fn scenario_end(text: &str) -> Option<ScenarioEnd> {
    let text = text.trim();
    let captures = PROGRESS.captures(text)?;
    let ended_as_planned = match captures.get(2).map(|m| m.as_str()) {
        Some("✓" | "√" | "✔") => Some(true),
        Some("✗" | "×" | "✘") => Some(false),
        _ => None,
    };
    let (vus, planned_seconds) = columns_of(captures.get(3)?.as_str());
    let name = captures.get(1)?.as_str().to_owned();
    Some(ScenarioEnd { name, text: text.to_owned(), ended_as_planned, planned_seconds, vus })
}

/// VUs and planned seconds of progress columns such as `00/10 VUs  03.0s/12s  40.00 iters/s`: what follows each slash.
fn columns_of(columns: &str) -> (Option<u64>, Option<f64>) {
    let behind_slash = |word: &str| word.rsplit('/').next().map(str::to_owned);
    let words: Vec<&str> = columns.split_whitespace().collect();
    let vus_at = words.iter().position(|word| *word == "VUs");
    let vus = vus_at.and_then(|i| behind_slash(words.get(i.checked_sub(1)?)?)?.parse().ok());
    let planned = vus_at.and_then(|i| seconds(&behind_slash(words.get(i + 1)?)?));
    (vus, planned)
}

/// True for a line of the description k6 prints before it starts.
pub(super) fn is_description(text: &str) -> bool {
    is_run_start(text) || text.trim().starts_with("scenarios: (") || announcement(text).is_some()
}

/// True for `execution: local`, printed once at the start of each run.
pub(super) fn is_run_start(text: &str) -> bool {
    matches!(text.trim(), "execution: local" | "execution: cloud")
}

static ANNOUNCEMENT: LazyLock<Regex> = LazyLock::new(|| {
    let executors = [
        r"(?P<constant>\d+) looping VUs",
        r"Up to (?P<ramping>\d+) looping VUs",
        r"(?:Up to )?[\d.]+ iterations/s",
        r"\d+ iterations shared among (?P<shared>\d+) VUs",
        r"\d+ iterations for each of (?P<each>\d+) VUs",
        r"Externally controlled execution with \d+ VUs, (?P<external>\d+) max VUs",
    ];
    let executors = executors.join("|");
    Regex::new(&format!(r"^\*\s+(?P<name>[^\s:]+):\s+(?P<text>(?:{executors})(?: for (?P<planned>[0-9][\w.µ]*))?.*)$"))
        .expect("a constant")
});

static MAX_VUS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"maxVUs: (?:\d+-)?(\d+)").expect("a constant"));

/// Reads the announcement of a scenario, `* default: 20 looping VUs for 1m15s (gracefulStop: 30s)`; `None` for any other line.
pub(super) fn announcement(text: &str) -> Option<ScenarioLine> {
    let captures = ANNOUNCEMENT.captures(text.trim())?;
    let words = captures.name("text")?.as_str();
    let vus_max = ["constant", "ramping", "shared", "each", "external"]
        .iter()
        .find_map(|executor| captures.name(executor))
        .or_else(|| MAX_VUS.captures(words)?.get(1))
        .and_then(|vus| vus.as_str().parse().ok());
    Some(ScenarioLine {
        name: captures.name("name")?.as_str().to_owned(),
        text: words.to_owned(),
        vus_max,
        constant_vus: captures.name("constant").is_some(),
        planned_seconds: captures.name("planned").and_then(|planned| seconds(planned.as_str())),
        start_seconds: detail(words, "startTime: ").unwrap_or(0.0),
        graceful_stop_seconds: detail(words, "gracefulStop: ").unwrap_or(0.0),
    })
}

/// A duration among the details in parentheses.
fn detail(text: &str, label: &str) -> Option<f64> {
    let (_, after) = text.split_once(label)?;
    seconds(after.split([',', ')']).next()?)
}

/// Keys by which a line of stamps is known; whatever else stands on such a line is a stamp too.
const STAMP_KEYS: [&str; 8] = ["start_utc", "end_utc", "target", "vus", "duration", "exit", "k6_version", "k6"];

static STAMP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|\s)([a-z][a-z0-9_]*)=").expect("a constant"));

/// The stamps on a line, `start_utc=2026-11-30 15:18:29 UTC target=manipulate_user`: values may hold spaces and end where the
/// next key begins. Empty for a line that does not begin with a known key.
pub(super) fn stamps(text: &str) -> Vec<(&str, &str)> {
    let text = text.trim();
    let begins_with_known = text.split_once('=').is_some_and(|(key, _)| STAMP_KEYS.contains(&key));
    if !begins_with_known {
        return Vec::new();
    }
    let keys: Vec<_> = STAMP.captures_iter(text).filter_map(|found| Some((found.get(0)?, found.get(1)?))).collect();
    let ends = keys.iter().skip(1).map(|(whole, _)| whole.start()).chain([text.len()]);
    let pairs = keys.iter().zip(ends);
    pairs.filter_map(|((whole, key), end)| Some((key.as_str(), text.get(whole.end()..end)?.trim()))).collect()
}

static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s/\\])k6(?:\.exe)?\s+(v\d+\.\d+\.\d+[\w.+-]*)(?:\s+\(|\s*$)").expect("a constant")
});

/// The version in the output of `k6 version`, `k6 v2.1.0 (commit/devel, go1.27.3, linux/amd64)`; `None` for any other line.
pub(super) fn version_output(text: &str) -> Option<String> {
    VERSION.captures(text)?.get(1).map(|version| version.as_str().to_owned())
}

fn seconds(text: &str) -> Option<f64> {
    Some(duration::read(text)?.value? / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_line_is_read_in_every_width_of_time() {
        for (time, seconds) in [("00.1s", 0.1), ("0m09.7s", 9.7), ("30m22.6s", 1822.6), ("1h0m30.2s", 3630.2)] {
            let line =
                running(&format!("running ({time}), 000/200 VUs, 12 complete and 3 interrupted iterations")).unwrap();
            assert_eq!((line.seconds, line.vus, line.complete, line.interrupted), (seconds, 200, 12, 3));
        }
        assert_eq!(running("running (soon), 1/1 VUs, 1 complete and 0 interrupted iterations"), None);
    }

    #[test]
    fn scenario_lines_of_every_executor_are_read() {
        for (text, planned, vus) in [
            ("default ✓ [ 100% ] 200 VUs  30m0s", Some(1800.0), Some(200)),
            ("default ✗ [  15% ] 3 VUs  03.0s/20s", Some(20.0), Some(3)),
            ("steady_rate ✓ [ 100% ] 00/10 VUs  12s  40.00 iters/s", Some(12.0), Some(10)),
            ("once ✓ [ 100% ] 1 VUs  00m00.2s/10m0s  1/1 shared iters", Some(600.0), Some(1)),
            ("default ✓ [======================================] 600 VUs  30m0s", Some(1800.0), Some(600)),
            ("climb       • [   0% ] waiting    2.0s", None, None),
            ("default   [   0% ]", None, None),
        ] {
            let end = scenario_end(text).unwrap();
            assert_eq!((end.planned_seconds, end.vus), (planned, vus), "{text}");
            let mark = if text.contains('✓') {
                Some(true)
            } else if text.contains('✗') {
                Some(false)
            } else {
                None
            };
            assert_eq!(end.ended_as_planned, mark);
        }
        assert_eq!(scenario_end("ramp × [ 83% ] 6/6 VUs  9s").unwrap().ended_as_planned, Some(false));
    }

    #[test]
    fn setup_progress_is_no_scenario() {
        assert!(is_stage("Run       [ 100% ] setup()"));
        assert!(is_stage("Init      [   0% ] 0/200 VUs initialized"));
        assert!(!is_stage("Run ✓ [ 100% ] 2 VUs  4s"));
    }

    #[test]
    fn announcements_of_every_executor_are_read() {
        for (text, vus_max, planned, constant) in [
            ("20 looping VUs for 1m15s (gracefulStop: 30s)", 20, Some(75.0), true),
            (
                "Up to 6 looping VUs for 9s over 2 stages (gracefulRampDown: 0s, exec: climb, startTime: 3s)",
                6,
                Some(9.0),
                false,
            ),
            ("40.00 iterations/s for 12s (maxVUs: 5-10, exec: steady, gracefulStop: 3s)", 10, Some(12.0), false),
            ("Up to 40.00 iterations/s for 1h0m0s over 3 stages (maxVUs: 10)", 10, Some(3600.0), false),
            ("1 iterations shared among 1 VUs (maxDuration: 10m0s, gracefulStop: 30s)", 1, None, false),
            ("10 iterations for each of 2 VUs (maxDuration: 10m0s, gracefulStop: 30s)", 2, None, false),
        ] {
            let line = announcement(&format!("   * a: {text}")).unwrap();
            assert_eq!((line.name.as_str(), line.text.as_str()), ("a", text));
            assert_eq!(
                (line.vus_max, line.planned_seconds, line.constant_vus),
                (Some(vus_max), planned, constant),
                "{text}"
            );
        }
        let late = announcement("* climb: Up to 6 looping VUs for 9s over 2 stages (startTime: 3s, gracefulStop: 5s)")
            .unwrap();
        assert_eq!((late.start_seconds, late.graceful_stop_seconds), (3.0, 5.0));
        assert_eq!(announcement("* a point of a list: really"), None);
    }

    #[test]
    fn a_stamp_ends_where_the_next_begins() {
        let line = "start_utc=2026-11-30 15:18:29 UTC target=manipulate_user vus=20 duration=75s host=bench-1";
        let pairs = stamps(line);
        assert_eq!(pairs.first(), Some(&("start_utc", "2026-11-30 15:18:29 UTC")));
        assert_eq!(pairs.get(1), Some(&("target", "manipulate_user")));
        assert_eq!(pairs.last(), Some(&("host", "bench-1")));
        assert_eq!(stamps("exit=-9"), [("exit", "-9")]);
        assert!(stamps("time=\"x\" level=error").is_empty());
    }

    #[test]
    fn the_output_of_k6_version_is_found() {
        assert_eq!(version_output("k6 v2.1.0 (commit/devel, go1.27.3, linux/amd64)").as_deref(), Some("v2.1.0"));
        assert_eq!(version_output("k6.exe v1.0.0-rc1 (go1.24.0, windows/amd64)").as_deref(), Some("v1.0.0-rc1"));
        assert_eq!(version_output("uses k6 v2.1.0 or later"), None);
    }
}
