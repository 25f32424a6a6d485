//! Whether the files of one run belong together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::builtin::builtin;
use super::observations::{Metric, Observations};
use crate::model::{EndSummary, Fault, Figures, Place, Result, TerminalLog, Time};

/// Clocks of one machine differ by less; a log's stamps enclose the samples of its own run.
const SLACK_SECONDS: i64 = 5;

/// Refuses a raw file that is not the one the log speaks of: other trends, a window elsewhere, another number of VUs.
///
/// A Makefile once wrote one target's CSV under another target's name.
///
/// # Errors
///
/// Fails on each of these, naming both files.
pub fn check_identity(raw: (&Path, &Observations), log: (&Path, &TerminalLog)) -> Result<()> {
    same_trends(raw, log)?;
    same_time(raw, log)?;
    same_vus(raw, log)?;
    same_totals(raw, log)
}

fn fault(raw: &Path, log: &Path, message: String) -> Fault {
    Fault::at(Place::file(raw), format!("{message} ({})", log.display()))
        .hint("one of the two files belongs to another run: a launcher may have written it under the wrong name")
}

fn same_trends((raw, seen): (&Path, &Observations), (log, read): (&Path, &TerminalLog)) -> Result<()> {
    let Some(summary) = &read.summary else { return Ok(()) };
    let printed = custom_metrics(summary);
    let recorded: BTreeSet<&str> =
        seen.metrics.iter().filter(|m| m.n > 0 && builtin(&m.name).is_none()).map(|m| m.name.as_str()).collect();
    // k6 prints no custom metric whose name begins so
    let recorded_only: Vec<&str> = recorded
        .difference(&printed)
        .copied()
        .filter(|name| !name.starts_with("checks") && !name.starts_with("group_duration"))
        .collect();
    let printed_only: Vec<&str> = printed.difference(&recorded).copied().collect();
    match (recorded_only.first(), printed_only.first()) {
        (Some(ours), Some(theirs)) => Err(fault(
            raw,
            log,
            format!("expected the metrics of its log, `{theirs}` among them, found `{ours}` instead"),
        )),
        _ => Ok(()),
    }
}

fn custom_metrics(summary: &EndSummary) -> BTreeSet<&str> {
    let custom = |(name, figures): (&String, &Figures)| {
        let checks_line = matches!(name.as_str(), "checks_total" | "checks_succeeded" | "checks_failed");
        let plain = !name.contains('{') && builtin(name).is_none() && !checks_line;
        (plain && matches!(figures, Figures::Trend(_))).then_some(())
    };
    summary.metrics.iter().filter_map(|(name, figures)| custom((name, figures)).map(|()| name.as_str())).collect()
}

/// The time between the stamps of a log; `None` without both.
pub fn stamped_span(log: &TerminalLog) -> Option<(Time, Time)> {
    let time = |key: &str| {
        let text = log.stamps.get(key)?.trim();
        let rfc = text.trim_end_matches(" UTC").replacen(' ', "T", 1);
        Time::parse_rfc3339(text).or_else(|| Time::parse_rfc3339(&format!("{rfc}Z")))
    };
    Some((time("start_utc")?, time("end_utc")?))
}

fn same_time((raw, seen): (&Path, &Observations), (log, read): (&Path, &TerminalLog)) -> Result<()> {
    let (Some((first, last)), Some((start, end))) = (seen.span(), stamped_span(read)) else { return Ok(()) };
    let before = last.unix_seconds() < start.unix_seconds() - SLACK_SECONDS;
    let after = first.unix_seconds() > end.unix_seconds() + SLACK_SECONDS;
    match before || after {
        true => Err(fault(
            raw,
            log,
            format!("expected samples between the log's stamps {start} and {end}, found them from {first} to {last}"),
        )),
        false => Ok(()),
    }
}

/// A log whose iterations, requests and checks are all other numbers is that of another run, whatever its times say:
/// launchers run one target right after the other.
fn same_totals((raw, seen): (&Path, &Observations), (log, read): (&Path, &TerminalLog)) -> Result<()> {
    if seen.generators() > 1 || seen.is_cut() {
        return Ok(());
    }
    let recorded = |name: &str| seen.metric(name).map(Metric::sum);
    let printed = |name: &str| match read.summary.as_ref()?.metrics.get(name)? {
        Figures::Counter { count, .. } => count.value,
        _ => None,
    };
    let pairs = [
        ("iterations", recorded("iterations").zip(printed("iterations"))),
        ("http_reqs", recorded("http_reqs").zip(printed("http_reqs"))),
        ("checks", seen.metric("checks").map(|m| m.n as f64).zip(printed("checks_total"))),
    ];
    let known: Vec<_> = pairs.into_iter().filter_map(|(name, pair)| Some((name, pair?))).collect();
    match known.as_slice() {
        [(name, (ours, theirs)), _, ..] if known.iter().all(|(_, (a, b))| a != b) => Err(fault(
            raw,
            log,
            format!("expected the {theirs} {name} of its log, found {ours}, and every other total differs too"),
        )),
        _ => Ok(()),
    }
}

fn same_vus((raw, seen): (&Path, &Observations), (log, read): (&Path, &TerminalLog)) -> Result<()> {
    // a log speaks of its own load generator only
    if seen.generators() > 1 {
        return Ok(());
    }
    let recorded = seen.metric("vus_max").map(|metric| metric.max);
    let printed = read.summary.as_ref().and_then(|summary| match summary.metrics.get("vus_max")? {
        Figures::Gauge { value, max, .. } => max.as_ref().unwrap_or(value).value,
        _ => None,
    });
    match (recorded, printed) {
        (Some(ours), Some(theirs)) if ours != theirs => {
            Err(fault(raw, log, format!("expected the {theirs} VUs of its log, found {ours}")))
        }
        _ => Ok(()),
    }
}

/// Refuses raw files that cannot be load generators of one run: spans that do not overlap.
///
/// # Errors
///
/// Fails naming the two files.
pub fn check_pooling(files: &[(&Path, &Observations)]) -> Result<()> {
    for (index, (path, seen)) in files.iter().enumerate() {
        for (other_path, other) in files.iter().skip(index + 1) {
            let (Some((a, b)), Some((c, d))) = (seen.span(), other.span()) else { continue };
            if a > d || c > b {
                return Err(Fault::at(
                    Place::file(path),
                    format!(
                        "expected files of one distributed run to overlap in time, found {a} to {b} here and {c} to {d} in {}",
                        other_path.display()
                    ),
                )
                .hint("keep one run per folder"));
            }
        }
    }
    Ok(())
}

/// Refuses a CSV and a JSON output that do not hold the same samples.
///
/// # Errors
///
/// Fails naming both files and the first metric whose counts differ.
pub fn same_counts(csv: (&Path, &BTreeMap<String, u64>), json: (&Path, &BTreeMap<String, u64>)) -> Result<()> {
    let names: BTreeSet<&String> = csv.1.keys().chain(json.1.keys()).collect();
    for name in names {
        let (a, b) = (csv.1.get(name).copied().unwrap_or(0), json.1.get(name).copied().unwrap_or(0));
        if a != b {
            return Err(Fault::at(
                Place::file(csv.0),
                format!(
                    "expected the same samples as in {}, found {a} of `{name}` here and {b} there",
                    json.0.display()
                ),
            )
            .hint("a CSV and a JSON file in one folder must be one run written in two formats"));
        }
    }
    Ok(())
}
