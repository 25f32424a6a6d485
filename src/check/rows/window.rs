use std::sync::LazyLock;

use chrono::{NaiveDate, NaiveTime};
use regex::Regex;

use super::{Judgement, PageRow, Subject};
use crate::check::files::bulk_start;
use crate::check::finding::Claim;
use crate::model::{Time, WindowBasis};
use crate::notation::{duration, time};

/// A time without seconds may lie this long after the first sample (before the last): people note it by hand.
pub(in crate::check) const LATE_SECONDS: i64 = 60;
/// And this long before the first sample (after the last): `setup()` runs before, `teardown()` after.
pub(in crate::check) const EARLY_SECONDS: i64 = 90;
/// The window may reach this much and an iteration beyond the chart's rows.
const OUTSIDE_SECONDS: f64 = 5.0;
const DAY_SECONDS: i64 = 86_400;

/// What is meant for a moment, whether there is such a one or not (`27:00:59`, the 31st of November).
static MOMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\d{1,4}[-.]\d{1,2}[-.]\d{1,4}[ T])?\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:UTC|GMT|Z))?$")
        .expect("a constant")
});

/// Which end of the window a row states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

/// A moment as a page may state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Stated {
    /// To the second.
    Second(Time),
    /// Date and time of day without seconds.
    Minute(Time),
    /// A time of day in UTC, in seconds.
    Clock(i64),
    /// A time of day that names no time zone.
    Zoneless(i64),
}

/// Start or end of the test, against the window and the chart data's first or last row.
pub(super) fn judge(subject: &Subject, row: &PageRow, edge: Edge) -> Judgement {
    let what = match edge {
        Edge::Start => "first second of the test phase",
        Edge::End => "last second of the test phase",
    };
    let claim = Claim::of_row(row, "window", what);
    let candidates = candidates(subject, edge);
    let Some((first, source, which)) = candidates.first() else {
        if read(&row.text).is_none() && MOMENT.is_match(&row.text) {
            return claim.wrong("none", "the calendar and the clock", "there is no such moment");
        }
        return claim.unverifiable("output.json or evidence.json", "no data there says when the test ran");
    };
    let stated = match read(&row.text) {
        Some(stated) => stated,
        None if MOMENT.is_match(&row.text) => {
            return claim.wrong(time::write(*first), source, format!("there is no such moment; {which} is another"));
        }
        None => {
            return claim
                .unverifiable("a time such as `2026-08-27 13:41:19 UTC`", "the value does not read as one time");
        }
    };
    if let Some((moment, source, which)) = candidates.iter().find(|(moment, ..)| fits(stated, *moment, edge)) {
        return claim.holds(time::write(*moment), source, format!("matches {which}"));
    }
    let how = format!("{}, against {which}", distance(stated, *first));
    if subject.truth.recorded.is_none() && may_lie_outside(subject, stated, *first, edge) {
        let why = format!("{how}, which holds samples of its trends only: a request may have ended outside them");
        return claim.unverifiable("evidence.json", why);
    }
    if matches!(stated, Stated::Zoneless(_)) {
        return claim.unverifiable("a time with its zone, `UTC`", format!("names no time zone; {how}"));
    }
    claim.wrong(time::write(*first), source, how)
}

/// A moment, its source, and which moment of it.
type Candidate = (Time, String, &'static str);

/// Every moment the row may state, the one to report first.
fn candidates(subject: &Subject, edge: Edge) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    if let (Some(window), Some(recorded)) = (subject.truth.evidence.window, &subject.truth.recorded)
        && window.basis != WindowBasis::Chart
    {
        let (moment, which) = match edge {
            Edge::Start => (window.start, "the start of the recorded window"),
            Edge::End => (window.end, "the end of the recorded window"),
        };
        candidates.push((moment.floor_to_second(), recorded.clone(), which));
    }
    if let Some((first, last)) = subject.chart.span() {
        let chart = || "output.json".to_owned();
        if edge == Edge::End {
            candidates.push((last.floor_to_second(), chart(), "the last row of the chart data"));
            return candidates;
        }
        // leaked setup samples are no part of the test, but a page may have taken them for it
        let bulk = bulk_start(subject.chart_rows());
        candidates.extend(bulk.map(|start| (start, chart(), "the first row of the test phase in the chart data")));
        candidates.push((first.floor_to_second(), chart(), "the first row of the chart data"));
    }
    candidates
}

fn fits(stated: Stated, moment: Time, edge: Edge) -> bool {
    let late = |seconds: i64| match edge {
        Edge::Start => (-EARLY_SECONDS..=LATE_SECONDS).contains(&seconds),
        Edge::End => (-LATE_SECONDS..=EARLY_SECONDS).contains(&seconds),
    };
    match stated {
        Stated::Second(time) => time.unix_seconds() == moment.unix_seconds(),
        Stated::Minute(time) => late(time.unix_seconds() - moment.unix_seconds()),
        Stated::Clock(clock) | Stated::Zoneless(clock) => late(around_midnight(clock, moment)),
    }
}

/// The window spans every metric of the test phase, the chart its trends only: those are recorded when a step or a whole
/// iteration has ended, so that the window may open earlier and close later.
fn may_lie_outside(subject: &Subject, stated: Stated, moment: Time, edge: Edge) -> bool {
    let Stated::Second(stated) = stated else { return false };
    let iteration_ms = subject.truth.evidence.trends.get("iteration_duration").and_then(|trend| trend.run.avg);
    let slack = OUTSIDE_SECONDS + iteration_ms.unwrap_or(0.0) / 1000.0;
    let outwards = match edge {
        Edge::Start => moment.unix_seconds() - stated.unix_seconds(),
        Edge::End => stated.unix_seconds() - moment.unix_seconds(),
    };
    (0.0..=slack).contains(&(outwards as f64))
}

/// Seconds from a moment's time of day to another, the shorter way round.
fn around_midnight(clock: i64, moment: Time) -> i64 {
    let difference = (clock - moment.unix_seconds()).rem_euclid(DAY_SECONDS);
    if difference > DAY_SECONDS / 2 { difference - DAY_SECONDS } else { difference }
}

/// `1h 33s too late, as local time labelled UTC would be`.
fn distance(stated: Stated, moment: Time) -> String {
    let seconds = match stated {
        Stated::Second(time) | Stated::Minute(time) => time.unix_seconds() - moment.unix_seconds(),
        Stated::Clock(clock) | Stated::Zoneless(clock) => around_midnight(clock, moment),
    };
    let side = if seconds > 0 { "late" } else { "early" };
    let length = duration::prose(seconds.unsigned_abs() as f64);
    let from_hour = (seconds.unsigned_abs() + 90) % 3600;
    let zone = match seconds.unsigned_abs() >= 3500 && seconds.unsigned_abs() < 14 * 3600 && from_hour <= 180 {
        true => ", as local time labelled UTC would be",
        false => "",
    };
    format!("stated {length} too {side}{zone}")
}

/// Reads the moment of a row, its remark about the launcher's clock aside.
pub(in crate::check) fn read(text: &str) -> Option<Stated> {
    let text = text.split_once(" (").map_or(text, |(moment, _)| moment).trim();
    if let Some(moment) = time::read(text) {
        return Some(Stated::Second(moment.floor_to_second()));
    }
    let utc = text.strip_suffix("UTC").or_else(|| text.strip_suffix("GMT")).or_else(|| text.strip_suffix('Z'));
    let local = utc.unwrap_or(text).trim();
    if let Some(seconds) = clock(local) {
        return Some(if utc.is_some() { Stated::Clock(seconds) } else { Stated::Zoneless(seconds) });
    }
    let (date, time_of_day) = local.split_once([' ', 'T'])?;
    let seconds = clock(time_of_day.trim())?;
    let date = ["%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y"].iter().find_map(|f| NaiveDate::parse_from_str(date, f).ok())?;
    let midnight = date.and_hms_opt(0, 0, 0)?.and_utc().timestamp();
    let moment = Time::from_unix_seconds(midnight + seconds)?;
    let to_the_second = time_of_day.matches(':').count() == 2;
    Some(match (utc, to_the_second) {
        (None, _) => Stated::Zoneless(seconds),
        (Some(_), true) => Stated::Second(moment),
        (Some(_), false) => Stated::Minute(moment),
    })
}

fn clock(text: &str) -> Option<i64> {
    let time = ["%H:%M:%S", "%H:%M"].iter().find_map(|format| NaiveTime::parse_from_str(text, format).ok())?;
    Some((time - NaiveTime::MIN).num_seconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time::parse_rfc3339(text).unwrap()
    }

    #[test]
    fn moments_are_read_in_every_form_seen() {
        assert_eq!(read("2026-08-27 13:41:19 UTC"), Some(Stated::Second(at("2026-08-27T13:41:19Z"))));
        assert_eq!(read("2026-08-27 13:41:19 UTC (launcher's clock)"), read("2026-08-27T13:41:19Z"));
        assert_eq!(read("22-10-2024 16:20 UTC"), Some(Stated::Minute(at("2024-10-22T16:20:00Z"))));
        assert_eq!(read("06:43 UTC"), Some(Stated::Clock(6 * 3600 + 43 * 60)));
        assert_eq!(read("06:43"), Some(Stated::Zoneless(6 * 3600 + 43 * 60)));
        assert_eq!(read("around noon"), None);
    }

    #[test]
    fn a_bare_clock_time_may_be_a_minute_late_and_a_minute_and_a_half_early() {
        let first = at("2025-07-30T00:00:30Z");
        let fits = |text: &str| fits(read(text).unwrap(), first, Edge::Start);
        assert!(fits("00:01 UTC") && fits("00:00 UTC") && fits("23:59 UTC"));
        assert!(!fits("00:02 UTC") && !fits("23:58 UTC"));
    }

    #[test]
    fn a_moment_to_the_second_has_to_match_to_the_second() {
        let first = at("2025-07-30T10:32:26Z");
        assert!(fits(read("2025-07-30 10:32:26 UTC").unwrap(), first, Edge::Start));
        assert!(!fits(read("2025-07-30 10:32:27 UTC").unwrap(), first, Edge::Start));
    }

    #[test]
    fn an_hour_off_is_named_for_what_it_is() {
        let first = at("2025-07-30T10:32:26Z");
        assert!(distance(read("11:31 UTC").unwrap(), first).ends_with("labelled UTC would be"));
        assert_eq!(distance(read("10:42 UTC").unwrap(), first), "stated 9min 34s too late");
    }
}
