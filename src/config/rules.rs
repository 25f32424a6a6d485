use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::table::{Entry, Table};
use crate::model::{CLAIM_KINDS, Fault, Goal, OutcomeThresholds, Result, SweepColumn, SweepFigure, VERDICTS};
use crate::notation::column;
use crate::rows::RowRules;

/// Reads `[rows]`.
pub(super) fn read_rows(table: Option<&Table<'_, '_>>) -> Result<RowRules> {
    let Some(table) = table else { return Ok(RowRules::default()) };
    let mut rename = IndexMap::new();
    if let Some(names) = table.free_table("rename")? {
        for (label, entry) in names.entries() {
            rename.insert(label.to_owned(), entry.text()?);
        }
    }
    Ok(RowRules { hide: table.texts("hide")?, rename, order: table.texts("order")? })
}

/// Reads every `[[goals]]`.
pub(super) fn read_goals(tables: &[Table<'_, '_>]) -> Result<Vec<Goal>> {
    let goal = |table: &Table<'_, '_>| {
        let (at_least, at_most) = (table.number("at_least")?, table.number("at_most")?);
        if at_least.is_none() && at_most.is_none() {
            return Err(table.fault("`at_least` or `at_most` is missing"));
        }
        Ok(Goal {
            target: table.required_text("target")?,
            figure: goal_figure(table)?,
            at_least,
            at_most,
            link: table.text("link")?,
        })
    };
    tables.iter().map(goal).collect()
}

fn goal_figure(table: &Table<'_, '_>) -> Result<SweepFigure> {
    let name = table.required_text("metric")?;
    match column::from_name(&name) {
        Some(SweepColumn::IterationsPerSecond) => Ok(SweepFigure::IterationsPerSecond),
        Some(SweepColumn::Latency(stat)) => Ok(SweepFigure::Latency(stat)),
        _ => {
            let expected = "`iterations_per_second`, `avg`, `min`, `max` or a percentile such as `p95`";
            Err(table.unfit("metric", &format!("expected {expected}, found `{}`", name.escape_debug())))
        }
    }
}

/// A cause of failures with a name of its own; every condition given must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// HTTP status of the response.
    pub status: Option<u16>,
    /// k6's error code.
    pub error_code: Option<u16>,
    /// Text within k6's error text.
    pub error: Option<String>,
    /// Text within a line of the run's log.
    pub log: Option<String>,
    /// Its name on the page: Markdown by a trusted author.
    pub label: String,
}

pub(super) fn read_causes(tables: &[Table<'_, '_>]) -> Result<Vec<Cause>> {
    let cause = |table: &Table<'_, '_>| {
        let cause = Cause {
            status: table.whole16("status")?,
            error_code: table.whole16("error_code")?,
            error: table.text("error")?,
            log: table.text("log")?,
            label: table.required_text("label")?,
        };
        if cause.status.is_none() && cause.error_code.is_none() && cause.error.is_none() && cause.log.is_none() {
            return Err(table.fault("`status`, `error_code`, `error` or `log` is missing"));
        }
        Ok(cause)
    };
    tables.iter().map(cause).collect()
}

/// How failures with one cause are grouped in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// A gap longer than this many seconds may end a cluster.
    pub gap_seconds: f64,
    /// A gap longer than this fraction of the window may end a cluster; the longer of the two counts.
    pub gap_fraction: f64,
    /// A burst spans at most this fraction of the window.
    pub burst_fraction: f64,
    /// A cluster of several bursts has at least this many failures.
    pub burst_count: u64,
    /// Several bursts together hold at least this fraction of the failures.
    pub bursts_share: f64,
    /// Sustained failures occur in at least this fraction of the window's minutes.
    pub sustained_fraction: f64,
}

impl Default for Errors {
    fn default() -> Self {
        Errors {
            gap_seconds: 10.0,
            gap_fraction: 0.02,
            burst_fraction: 1.0 / 3.0,
            burst_count: 5,
            bursts_share: 0.9,
            sustained_fraction: 2.0 / 3.0,
        }
    }
}

impl Errors {
    pub(super) fn read(table: Option<&Table<'_, '_>>) -> Result<Self> {
        let usual = Errors::default();
        let Some(table) = table else { return Ok(usual) };
        Ok(Errors {
            gap_seconds: table.number("gap_seconds")?.unwrap_or(usual.gap_seconds),
            gap_fraction: table.fraction("gap_fraction")?.unwrap_or(usual.gap_fraction),
            burst_fraction: table.fraction("burst_fraction")?.unwrap_or(usual.burst_fraction),
            burst_count: table.whole("burst_count")?.unwrap_or(usual.burst_count),
            bursts_share: table.fraction("bursts_share")?.unwrap_or(usual.bursts_share),
            sustained_fraction: table.fraction("sustained_fraction")?.unwrap_or(usual.sustained_fraction),
        })
    }
}

/// Reads the thresholds of `[outcome]`.
pub(super) fn read_outcome(table: Option<&Table<'_, '_>>) -> Result<OutcomeThresholds> {
    let usual = OutcomeThresholds::default();
    let Some(table) = table else { return Ok(usual) };
    let percent = |key: &str, usual: f64| table.number(key).map(|n| n.unwrap_or(usual));
    Ok(OutcomeThresholds {
        database_cpu_percent: large_percent(table, "database_cpu_percent", usual.database_cpu_percent)?,
        container_cpu_percent: large_percent(table, "container_cpu_percent", usual.container_cpu_percent)?,
        client_cpu_percent: large_percent(table, "client_cpu_percent", usual.client_cpu_percent)?,
        lock_share_percent: large_percent(table, "lock_share_percent", usual.lock_share_percent)?,
        critical_failed_percent: percent("critical_failed_percent", usual.critical_failed_percent)?,
        least_gain_percent: percent("least_gain_percent", usual.least_gain_percent)?,
    })
}

/// A percentage that is never as small as 1 %: so small a number is a fraction by mistake, and every run would reach it.
fn large_percent(table: &Table<'_, '_>, key: &str, usual: f64) -> Result<f64> {
    match table.number(key)? {
        None => Ok(usual),
        Some(percent) if percent > 1.0 => Ok(percent),
        Some(fraction) => {
            let message = format!("expected a percentage above 1, found {fraction}");
            Err(table.unfit(key, &message).hint("85 % is written `85`, not `0.85`"))
        }
    }
}

/// Reads `baseline` of `[outcome]`: a folder of published pages, relative to the project file.
pub(super) fn read_baseline(table: Option<&Table<'_, '_>>, folder: &Path) -> Result<Option<PathBuf>> {
    let path = table.map(|table| table.text("baseline")).transpose()?.flatten();
    Ok(path.map(|path| folder.join(path)))
}

/// How much a kind of finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Fails the check.
    Error,
    /// Fails a strict check.
    Warning,
    /// Never fails a check.
    Note,
    /// Not reported.
    Off,
}

/// What `check` leaves alone or judges otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Check {
    /// Row labels no claim is taken from.
    pub ignore: Vec<String>,
    /// Severity by kind of finding, instead of the usual one.
    pub severity: IndexMap<String, Severity>,
    /// How far a stated number may lie from the data, in percent of it, beyond what its printed digits allow.
    pub tolerance_percent: f64,
}

impl Check {
    pub(super) fn read(table: Option<&Table<'_, '_>>) -> Result<Self> {
        const WORDS: [(&str, Severity); 4] = [
            ("error", Severity::Error),
            ("warning", Severity::Warning),
            ("note", Severity::Note),
            ("off", Severity::Off),
        ];
        let Some(table) = table else { return Ok(Check::default()) };
        let mut severity = IndexMap::new();
        if let Some(kinds) = table.free_table("severity")? {
            for (kind, entry) in kinds.entries() {
                if !CLAIM_KINDS.contains(&kind) && !VERDICTS.contains(&kind) {
                    return Err(unknown_kind(&entry));
                }
                severity.insert(kind.to_owned(), entry.choice(&WORDS)?);
            }
        }
        let tolerance_percent = table.number("tolerance")?.unwrap_or_default();
        Ok(Check { ignore: table.texts("ignore")?, severity, tolerance_percent })
    }
}

fn unknown_kind(entry: &Entry<'_, '_>) -> Fault {
    let list = CLAIM_KINDS.iter().chain(&VERDICTS).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    entry.fault(format!("no kind of claim and no verdict, expected one of {list}"))
}

/// How chart data writes its times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChartTimestamp {
    /// `2026-08-27 13:41:19+00`, as the pages have it.
    #[default]
    Space,
    /// `2026-08-27T13:41:19Z`.
    Rfc3339,
}

impl ChartTimestamp {
    pub(super) fn read(table: Option<&Table<'_, '_>>) -> Result<Self> {
        const WORDS: [(&str, ChartTimestamp); 2] =
            [("space", ChartTimestamp::Space), ("rfc3339", ChartTimestamp::Rfc3339)];
        let Some(table) = table else { return Ok(ChartTimestamp::default()) };
        Ok(table.choice("timestamp", &WORDS)?.unwrap_or_default())
    }
}
