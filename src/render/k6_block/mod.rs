//! The end-of-test summary in k6's compact layout, written from evidence when k6 printed none.
//!
//! Dots and columns line up as in k6 v1.2 and later: the longest name gets three dots, all sections share their columns, and
//! the `checks_*` lines are padded on their own.

mod headings;
mod table;

use crate::model::{Checks, Evidence, FigureSource, Percentile, Stat, TrendStats};
use crate::notation::stat::{self, TrendNotation};
use crate::notation::{number, per_second, percent, size};
use headings::Heading;
use table::{Figures, Row};

pub use crate::model::RECOMPUTED;

/// Columns of a trend line in a recomputed block.
pub const COLUMNS: [Stat; 6] =
    [Stat::Min, Stat::Avg, Stat::Max, Stat::P(Percentile::P50), Stat::P(Percentile::P95), Stat::P(Percentile::P99)];

/// Writes the summary k6 would have printed, below a line that says it did not.
///
/// Whole-run figures in k6's notation. Values per second are there only when the run's duration is known, a statistic only when it
/// is; a custom trend is written as times only when it is known to be one. `None` when no trend comes from raw output.
pub fn recomputed(evidence: &Evidence) -> Option<String> {
    let from_raw = evidence.trends.values().any(|trend| trend.from == FigureSource::Raw);
    from_raw.then(|| format!("{RECOMPUTED}\n{}", compact(evidence, &COLUMNS)))
}

/// Writes the whole-run figures in k6's compact layout with the given trend columns, without a first line of its own.
pub fn compact(evidence: &Evidence, columns: &[Stat]) -> String {
    let mut paragraphs = vec!["  █ TOTAL RESULTS".to_owned()];
    if let Some(checks) = &evidence.checks {
        paragraphs.push(table::lines(&check_totals(checks, evidence.k6.run_seconds)));
        let list = check_list(checks);
        if !list.is_empty() {
            paragraphs.push(list);
        }
    }
    let mut rows = metrics(evidence, columns);
    rows.sort_by_cached_key(|(heading, name, _)| (*heading, headings::collation_key(name)));
    let width = table::Widths::of(rows.iter().map(|(_, _, row)| row));
    for section in rows.chunk_by(|a, b| a.0 == b.0) {
        let Some((heading, _, _)) = section.first() else { continue };
        let lines: Vec<String> = section.iter().map(|(_, _, row)| width.line(row)).collect();
        paragraphs.push(format!("    {}\n{}", heading.title(), lines.join("\n")));
    }
    paragraphs.join("\n\n")
}

/// The values of one trend line in the order and notation asked for, `None` where a statistic is not known.
///
/// To prove a printed line, take the order of its [`Stat`]s and [`TrendNotation::of_line`].
pub fn trend_line_values(stats: &TrendStats, columns: &[Stat], notation: TrendNotation) -> Vec<Option<String>> {
    let value = |stat: Stat| Some(notation.write(stat, stats.get(stat)?));
    columns.iter().map(|stat| value(*stat)).collect()
}

/// Every metric with its heading and full name, in no order.
fn metrics(evidence: &Evidence, columns: &[Stat]) -> Vec<(Heading, String, Row)> {
    let mut rows = Vec::new();
    let mut add = |name: &str, label: String, figures: Figures| {
        if let Some(heading) = Heading::of(name) {
            rows.push((heading, name.to_owned(), Row { label, figures }));
        }
    };
    for (name, trend) in &evidence.trends {
        let figures = trend_figures(&trend.run, columns, notation(name, trend.time));
        add(name, name.clone(), figures);
    }
    for (name, trend) in &evidence.submetrics {
        let (parent, tags) = name.split_once('{').unwrap_or((name, ""));
        let figures = trend_figures(&trend.run, columns, notation(parent, trend.time));
        add(name, format!("  {{ {} }}", tags.strip_suffix('}').unwrap_or(tags)), figures);
    }
    for (name, sum) in counters(evidence) {
        add(name, name.to_owned(), counter_figures(name, sum, evidence.k6.run_seconds));
    }
    for (name, nonzero, total) in rates(evidence) {
        add(name, name.to_owned(), rate_figures(nonzero, total));
    }
    for (name, gauge) in evidence.gauges.iter().filter(|(_, gauge)| !gauge.inferred) {
        let figures = [number::write(gauge.last), extreme("min", gauge.min), extreme("max", gauge.max)];
        add(name, name.clone(), Figures::Words(figures.to_vec()));
    }
    rows
}

/// Sums by name. Where the evidence has them only as facts of the run, they are taken from there.
fn counters(evidence: &Evidence) -> Vec<(&str, f64)> {
    let run = evidence.requests.as_ref().map(|requests| requests.run);
    let iterations = evidence.k6.iterations.map(|i| i.count).or(evidence.iterations.complete);
    let facts = [
        ("http_reqs", run.map(|run| run.total)),
        ("iterations", iterations),
        ("dropped_iterations", evidence.iterations.dropped.filter(|n| *n > 0)),
    ];
    let missing = facts.into_iter().filter(|(name, _)| !evidence.counters.contains_key(*name));
    let missing = missing.filter_map(|(name, count)| Some((name, count? as f64)));
    // a kind told by values alone is a guess, and a guess is not what k6 would have printed
    let stated = evidence.counters.iter().filter(|(_, counter)| !counter.inferred);
    stated.map(|(name, counter)| (name.as_str(), counter.sum)).chain(missing).collect()
}

/// Shares by name, as counts.
fn rates(evidence: &Evidence) -> Vec<(&str, u64, u64)> {
    const FAILED: &str = "http_req_failed";
    let run = evidence.requests.as_ref().map(|requests| requests.run);
    let failed = run.and_then(|run| Some((FAILED, run.failed?, run.total)));
    let failed = failed.filter(|_| !evidence.rates.contains_key(FAILED));
    let stated = evidence.rates.iter().filter(|(_, rate)| !rate.inferred);
    let rates = stated.map(|(name, rate)| (name.as_str(), rate.nonzero, rate.total));
    rates.chain(failed).collect()
}

/// Built-in trends are times; a custom one only when something says so.
fn notation(name: &str, time: Option<bool>) -> TrendNotation {
    let is_time = time.unwrap_or_else(|| Heading::of(name) != Some(Heading::Custom));
    if is_time { TrendNotation::Time } else { TrendNotation::Plain }
}

fn trend_figures(stats: &TrendStats, columns: &[Stat], notation: TrendNotation) -> Figures {
    let values = trend_line_values(stats, columns, notation);
    let named = columns.iter().zip(values).map(|(column, value)| Some(format!("{}={}", stat::write(*column), value?)));
    Figures::Columns(named.collect())
}

fn counter_figures(name: &str, sum: f64, run_seconds: Option<f64>) -> Figures {
    let is_data = Heading::of(name) == Some(Heading::Network);
    let rate = run_seconds.filter(|seconds| *seconds > 0.0).map(|seconds| sum / seconds);
    let (sum, rate) = if is_data {
        (size::write(sum), rate.map(|rate| size::write(rate) + "/s"))
    } else {
        (number::write(sum), rate.map(per_second::write))
    };
    Figures::Words([sum].into_iter().chain(rate).collect())
}

fn rate_figures(nonzero: u64, total: u64) -> Figures {
    Figures::Words(vec![percent::write(nonzero, total), format!("{nonzero} out of {total}")])
}

fn extreme(label: &str, value: f64) -> String {
    format!("{label}={}", number::write(value))
}

fn check_totals(checks: &Checks, run_seconds: Option<f64>) -> Vec<Row> {
    let row = |label: &str, figures| Row { label: label.to_owned(), figures };
    let passed = checks.total.saturating_sub(checks.failed);
    vec![
        row("checks_total", counter_figures("checks_total", checks.total as f64, run_seconds)),
        row("checks_succeeded", rate_figures(passed, checks.total)),
        row("checks_failed", rate_figures(checks.failed, checks.total)),
    ]
}

/// The checks by name; those without a name (the tag was switched off) are in the totals only, as in k6's own list.
fn check_list(checks: &Checks) -> String {
    let mut lines = Vec::new();
    for check in &checks.by_name {
        let Some(name) = &check.name else { continue };
        // one line each, whatever the script called it
        let name = name.replace(['\n', '\r'], " ");
        lines.push(format!("    {} {name}", if check.fails == 0 { '✓' } else { '✗' }));
        if let (Some(passes), true) = (check.passes, check.fails > 0) {
            let whole = percent::whole(passes, check.fails).unwrap_or(0);
            lines.push(format!("      ↳  {whole}% — ✓ {passes} / ✗ {}", check.fails));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
