//! Puts the evidence of one run together.

use std::borrow::Cow;

use super::builtin::builtin;
use super::cause::NamedCause;
use super::checks;
use super::cluster::Thresholds;
use super::crosscheck::crosscheck;
use super::figures::{percentiles_wanted, stated_statistics};
use super::identity::stamped_span;
use super::kinds::StatedKinds;
use super::observability::{FoundExport, QueryName, observability};
use super::observations::Observations;
use super::outcome;
use super::phase::Class;
use super::populations::{self, Located, Naming};
use super::redact::Redactor;
use super::run::{self, Said};
use super::series::series;
use super::throughput;
use super::trends::metrics;
use super::warnings;
use crate::model::{
    ChartRow, Contains, Counter, Declaration, EVIDENCE_SCHEMA, EndSummary, Evidence, EvidenceWindow, ExceptionCount,
    FigureSource, Figures, Gauge, Iterations, OutcomeThresholds, OutcomeVerdict, Phase, Rate, RequestCount, Requests,
    ScenarioLine, TerminalLog, Threshold, Time, Trend, Warning, Window, WindowBasis,
};

/// Everything known of one run.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// What it tested.
    pub target: &'a str,
    /// Its raw output, all load generators pooled.
    pub seen: Option<&'a Observations>,
    /// Its terminal log.
    pub log: Option<&'a TerminalLog>,
    /// Its machine-readable summaries, one per load generator.
    pub summaries: &'a [EndSummary],
    /// Thresholds of its log and summaries.
    pub limits: &'a [Threshold],
    /// Types of metrics its summaries state.
    pub declarations: &'a [Declaration],
    /// Its chart data, when that is all there is of its samples.
    pub chart: &'a [ChartRow],
    /// Thresholds of shapes.
    pub thresholds: &'a Thresholds,
    /// Named causes.
    pub causes: &'a [NamedCause],
    /// What monitoring exported of it.
    pub monitoring: Monitoring<'a>,
    /// Keeps identity out of every text.
    pub redactor: &'a Redactor,
}

impl<'a> Inputs<'a> {
    /// A run of which nothing is known yet; a caller adds what it has.
    pub fn of(target: &'a str, thresholds: &'a Thresholds, redactor: &'a Redactor) -> Self {
        Inputs {
            target,
            seen: None,
            log: None,
            summaries: &[],
            limits: &[],
            declarations: &[],
            chart: &[],
            thresholds,
            causes: &[],
            monitoring: Monitoring::default(),
            redactor,
        }
    }
}

/// Exports of monitoring, and what turns them into figures.
#[derive(Clone, Copy, Default)]
pub struct Monitoring<'a> {
    /// The exports.
    pub exports: &'a [FoundExport],
    /// Names and categories of database statements.
    pub queries: &'a [QueryName],
    /// When a resource counts as exhausted.
    pub outcome: OutcomeThresholds,
    /// What the run is compared with.
    pub baseline: Baseline,
}

/// The rate a run is compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Baseline {
    /// Nothing was named.
    #[default]
    NotAsked,
    /// Something was named, and it has no rate for this target.
    Unknown,
    /// k6's own iterations per second, over the whole run.
    PerSecond(f64),
}

impl Inputs<'_> {
    /// True when several load generators were pooled.
    fn is_distributed(&self) -> bool {
        self.seen.is_some_and(|seen| seen.generators() > 1)
    }
}

/// What the log of one load generator says of all of them: the plan and how long it took, but no figures.
fn of_all(log: &TerminalLog) -> TerminalLog {
    TerminalLog {
        scenarios: log.scenarios.iter().map(|s| ScenarioLine { vus_max: None, ..s.clone() }).collect(),
        ends: log.ends.clone(),
        running: log.running.clone(),
        stamps: log.stamps.clone(),
        k6_version: log.k6_version.clone(),
        several_runs: log.several_runs,
        lines: log.lines,
        ..TerminalLog::default()
    }
}

/// Computes the evidence of one run; sources and what was written on the page are added by the caller.
///
/// Raw output decides; what it does not say comes from the summaries, then from the log. With no input at all every part
/// is absent.
pub fn evidence(inputs: &Inputs<'_>) -> Evidence {
    let log = inputs.log.map(|log| if inputs.is_distributed() { Cow::Owned(of_all(log)) } else { Cow::Borrowed(log) });
    let inputs = &Inputs { log: log.as_deref(), ..*inputs };
    let pooled = run::pooled(inputs.summaries);
    let said = Said { log: inputs.log, summaries: &pooled };
    let window = window(inputs);
    let mut evidence = Evidence {
        schema: EVIDENCE_SCHEMA.to_owned(),
        target: inputs.target.to_owned(),
        window,
        iterations: iterations(inputs, said),
        ..Evidence::default()
    };
    let window = window.map(EvidenceWindow::window);
    evidence.k6 = run::k6(said, inputs.seen, window, evidence.iterations.complete);
    evidence.k6.summary_text = inputs.log.and_then(|log| log.summary_text.clone());
    fill_from_summaries(&mut evidence, said, inputs);
    match inputs.seen {
        Some(seen) => fill_from_raw(&mut evidence, seen, said, window, inputs),
        None => {
            let failed = evidence.requests.as_ref().and_then(|requests| requests.run.failed);
            evidence.populations = populations_without_raw(failed, window, inputs);
        }
    }
    let constant_vus = constant_vus(inputs.log, evidence.k6.vus_max);
    evidence.k6.planned_vus = constant_vus;
    evidence.test_phase = evidence.iterations.complete.and_then(|iterations| {
        let whole = !inputs.seen.is_some_and(Observations::is_cut);
        // the launcher's clock runs before setup and after teardown: nothing can be divided by it
        let window = window.filter(|_| evidence.window.is_some_and(|w| w.basis != WindowBasis::Stamps));
        let run =
            throughput::Run { k6: &evidence.k6, window, iterations, whole, constant_vus, trends: &evidence.trends };
        throughput::test_phase(&run)
    });
    evidence.warnings = inputs.seen.map(|seen| warnings::of_observations(seen, &evidence)).unwrap_or_default();
    let more = more_warnings(&evidence, said, inputs);
    evidence.warnings.extend(more);
    observe(&mut evidence, &inputs.monitoring);
    evidence = inputs.redactor.evidence(evidence);
    evidence.warnings.sort();
    evidence.warnings.dedup();
    evidence
}

/// Adds what monitoring says of the run's window, in place of what was known of it, and decides the outcome.
///
/// Without monitoring there is an outcome only where k6's figures or the baseline decide: that nobody looked is no evidence
/// that there is not enough of it.
pub fn observe(evidence: &mut Evidence, monitoring: &Monitoring<'_>) {
    if !monitoring.exports.is_empty() {
        observe_exports(evidence, monitoring);
    }
    evidence.warnings.retain(|warning| warning.code != "no-baseline");
    let baseline = match monitoring.baseline {
        Baseline::NotAsked => None,
        Baseline::PerSecond(rate) => Some(rate),
        Baseline::Unknown => {
            let message = "the baseline has no page with k6's iterations per second of this target: no gain is known";
            evidence.warnings.push(Warning::new("no-baseline", message));
            None
        }
    };
    let outcome = outcome::figures(evidence, baseline).decide(monitoring.outcome);
    let decided = outcome.verdict != OutcomeVerdict::NotEnoughEvidence;
    evidence.outcome = (evidence.observability.is_some() || decided).then_some(outcome);
}

/// Cuts exports to the window. Without a window nothing can be cut to it. A launcher's clock is wider than the test, and is no
/// window either.
fn observe_exports(evidence: &mut Evidence, monitoring: &Monitoring<'_>) {
    let Monitoring { exports, queries, .. } = *monitoring;
    match evidence.window.filter(|window| window.basis != WindowBasis::Stamps) {
        Some(window) => {
            let (observability, warnings) = observability(exports, &evidence.target, window, queries);
            evidence.observability = observability;
            evidence.warnings.retain(|warning| !warning.code.starts_with("cloud-"));
            evidence.warnings.extend(warnings);
        }
        None => {
            let message = "exports of monitoring are left out: nothing tells the window of the test phase";
            evidence.warnings.push(Warning::new("cloud-no-window", message));
        }
    }
}

fn window(inputs: &Inputs<'_>) -> Option<EvidenceWindow> {
    let at = |window: Window, basis| {
        Some(EvidenceWindow {
            start: Time::from_unix_seconds(window.start)?,
            end: Time::from_unix_seconds(window.end)?,
            basis,
        })
    };
    if let Some(seen) = inputs.seen {
        let wanted = if seen.phases.known() { Phase::Test } else { Phase::Unknown };
        let basis = if seen.phases.known() { WindowBasis::Test } else { WindowBasis::Run };
        let spans = seen.spans.iter().filter(|(class, _)| seen.phases.resolve(*class) == wanted);
        return at(hull(spans.flat_map(|(_, (first, last))| [*first, *last]))?, basis);
    }
    if let Some(window) = hull(inputs.chart.iter().map(|row| row.time)) {
        return at(window, WindowBasis::Chart);
    }
    let (start, end) = inputs.log.and_then(stamped_span)?;
    at(hull([start, end].into_iter())?, WindowBasis::Stamps)
}

fn hull(times: impl Iterator<Item = Time>) -> Option<Window> {
    times.map(Time::unix_seconds).fold(None, |window: Option<Window>, second| {
        Some(window.map_or(Window { start: second, end: second }, |window| window.widened_to(second)))
    })
}

fn iterations(inputs: &Inputs<'_>, said: Said<'_>) -> Iterations {
    let sum = |name: &str| inputs.seen.and_then(|seen| seen.metric(name)).map(|metric| metric.sum() as u64);
    let log = inputs.log.filter(|_| !inputs.is_distributed());
    let line = log.and_then(|log| log.running.as_ref());
    let raw = inputs.seen.map(|_| sum("iterations").unwrap_or(0));
    let complete = raw.or_else(|| run::stated_count(said, "iterations")).or(line.map(|line| line.complete));
    let known = inputs.seen.is_some() || said.summaries().next().is_some();
    Iterations {
        complete,
        interrupted: interrupted(inputs.seen, log),
        dropped: sum("dropped_iterations")
            .or_else(|| run::stated_count(said, "dropped_iterations"))
            .or(known.then_some(0)),
        exceptions: log.filter(|log| run::is_whole_log(log)).map(|log| ExceptionCount {
            count: log.exceptions.count,
            texts: log.exceptions.texts.clone(),
            outside_iterations: log.exceptions.outside_iterations,
        }),
    }
}

/// Iterations that were cut off: what the log of a run that came to its end says, else what the samples say.
///
/// A killed k6 leaves a last progress line that counts nothing of what was in flight. Every iteration, complete or not,
/// sends data once at its end, and only complete ones are counted; but not after `test.abort()`, which only a log shows,
/// not in a file that was cut off, and not when setup and teardown, which send data too, cannot be told apart.
fn interrupted(seen: Option<&Observations>, log: Option<&TerminalLog>) -> Option<u64> {
    let log = log?;
    let ended = log.summary.is_some() || log.ends.iter().any(|end| end.ended_as_planned.is_some());
    if let Some(line) = log.running.as_ref().filter(|_| ended) {
        return Some(line.interrupted);
    }
    let seen = seen.filter(|seen| ended && seen.phases.known() && !seen.is_cut())?;
    let ended = seen.metric("data_sent")?.count(|class| seen.phases.resolve(class) == Phase::Test);
    ended.checked_sub(seen.metric("iterations").map_or(0, |metric| metric.n))
}

/// Figures the summaries state, the exact ones first; raw output overrides them later.
fn fill_from_summaries(evidence: &mut Evidence, said: Said<'_>, inputs: &Inputs<'_>) {
    let kinds = StatedKinds::new(inputs.declarations, said.summaries());
    for summary in said.summaries() {
        let from = if run::is_exact(summary.origin) { FigureSource::Summary } else { FigureSource::Log };
        for (name, figures) in &summary.metrics {
            let name = name.clone();
            match figures {
                Figures::Trend(stats) => {
                    let parent = name.split('{').next().unwrap_or_default();
                    let trend = Trend {
                        time: kinds
                            .is_time(&name)
                            .or(kinds.is_time(parent))
                            .or(builtin(parent).map(|(_, c)| c == Contains::Time)),
                        from,
                        run: stated_statistics(stats),
                        ..Trend::default()
                    };
                    let into = if name.contains('{') { &mut evidence.submetrics } else { &mut evidence.trends };
                    into.entry(name).or_insert(trend);
                }
                Figures::Counter { count, .. } => {
                    if let Some(sum) = count.value.filter(|_| name != "checks_total") {
                        evidence.counters.entry(name).or_insert(Counter { sum, inferred: false });
                    }
                }
                Figures::Rate { nonzero, total, .. } => {
                    if !matches!(name.as_str(), "checks" | "checks_succeeded" | "checks_failed") {
                        let rate = Rate { nonzero: *nonzero, total: *total, inferred: false };
                        evidence.rates.entry(name).or_insert(rate);
                    }
                }
                Figures::Gauge { value, min, max } => {
                    let bound = |p: &Option<crate::model::Printed>| p.as_ref().and_then(|p| p.value);
                    if let Some(((last, min), max)) = value.value.zip(bound(min)).zip(bound(max)) {
                        evidence.gauges.entry(name).or_insert(Gauge { last, min, max, inferred: false });
                    }
                }
            }
        }
        if evidence.checks.is_none() {
            evidence.checks = checks::stated(summary, inputs.redactor);
        }
    }
    evidence.requests = run::stated_count(said, "http_reqs").map(|total| Requests {
        run: RequestCount { total, failed: run::stated_rate(said, "http_req_failed").map(|(failed, _)| failed) },
        test: None,
    });
}

fn fill_from_raw(
    evidence: &mut Evidence,
    seen: &Observations,
    said: Said<'_>,
    window: Option<Window>,
    inputs: &Inputs<'_>,
) {
    let kinds = StatedKinds::new(inputs.declarations, said.summaries());
    let figures = metrics(seen, &kinds, window, &percentiles_wanted(said.summaries(), inputs.limits));
    // what raw output holds replaces what was printed; what was not kept of it stays as printed
    evidence.trends.extend(figures.trends);
    evidence.submetrics.extend(figures.submetrics);
    evidence.counters.extend(figures.counters);
    evidence.rates.extend(figures.rates);
    evidence.gauges.extend(figures.gauges);
    for name in evidence.counters.keys().chain(evidence.rates.keys()).chain(evidence.gauges.keys()) {
        evidence.trends.remove(name);
    }
    evidence.requests = requests(seen);
    let naming = Naming { thresholds: inputs.thresholds, causes: inputs.causes };
    let located = populations::populations(seen, window, &naming);
    evidence.checks = checks::checks(seen, &located, inputs.redactor);
    evidence.series = window.map(|window| series(seen, window, &located, inputs.redactor));
    let failures_known = evidence.requests.as_ref().is_some_and(|requests| requests.run.failed.is_some());
    evidence.populations = failures_known.then(|| located.into_iter().map(|l: Located| l.population).collect());
}

fn requests(seen: &Observations) -> Option<Requests> {
    let all = seen.metric("http_reqs")?;
    let failed = seen.metric("http_req_failed");
    let in_test = |class: Class| seen.phases.resolve(class) == Phase::Test;
    let failed_in = |pick: &dyn Fn(Class) -> bool| -> u64 {
        seen.failures.iter().filter(|((class, _), _)| pick(*class)).map(|(_, failures)| failures.count).sum()
    };
    let test = seen
        .phases
        .known()
        .then(|| RequestCount { total: all.sum_of(in_test) as u64, failed: failed.map(|_| failed_in(&in_test)) });
    Some(Requests {
        run: RequestCount { total: all.sum() as u64, failed: failed.map(|_| failed_in(&|_| true)) },
        test: test.filter(|_| seen.spans.classes().any(in_test)),
    })
}

/// `None` when the causes are not known; `Some` and empty when nothing failed.
fn populations_without_raw(
    failed: Option<u64>,
    window: Option<Window>,
    inputs: &Inputs<'_>,
) -> Option<Vec<crate::model::Population>> {
    if failed == Some(0) {
        return Some(Vec::new());
    }
    let log = inputs.log.filter(|log| !log.failures.is_empty())?;
    Some(populations::from_log(&log.failures, failed, window, inputs.redactor))
}

/// The VUs of a run that is one scenario with a constant number of them.
fn constant_vus(log: Option<&TerminalLog>, vus_max: Option<u64>) -> Option<u64> {
    match log?.scenarios.as_slice() {
        [only] if only.constant_vus => only.vus_max.or(vus_max),
        _ => None,
    }
}

fn more_warnings(evidence: &Evidence, said: Said<'_>, inputs: &Inputs<'_>) -> Vec<Warning> {
    let mut all = warnings::of_evidence(evidence);
    if inputs.is_distributed() && said.log.is_some() {
        let message = "the log is that of one of several load generators: its figures are neither used nor compared";
        all.push(Warning::new("log-of-one-generator", message));
    }
    all.extend(crosscheck(evidence, Said { log: said.log.filter(|_| !inputs.is_distributed()), ..said }));
    if evidence.window.is_some_and(|w| w.basis == WindowBasis::Stamps) {
        let message = "the window is the launcher's own, start-up, setup and teardown included: there is neither raw output nor chart data";
        all.push(Warning::new("window-from-stamps", message));
    }
    if let Some(window) = evidence.window.filter(|w| w.basis == WindowBasis::Chart).map(EvidenceWindow::window)
        && let Some(run) = evidence.k6.run_seconds.filter(|run| *run > window.seconds() as f64 * 1.05 + 60.0)
    {
        let seconds = window.seconds();
        let message = format!("the chart data covers {seconds} s of a run of {run:.0} s: it ends before the run did");
        all.push(Warning::new("chart-shorter-than-run", message));
    }
    all.extend(foreign_chart(inputs));
    if inputs.log.is_some_and(|log| log.several_runs) {
        all.push(Warning::new("several-runs-in-log", "the log holds more than one run: the last one was read"));
    }
    if inputs.seen.is_none() && inputs.summaries.len() > pooled_origins(inputs.summaries) {
        let message =
            "percentiles of several load generators cannot be pooled from their summaries: only raw output gives them";
        all.push(Warning::new("percentiles-not-pooled", message));
    }
    for summary in inputs.summaries {
        for path in &summary.secrets {
            all.push(Warning::new(
                "secret-in-summary",
                format!("`{path}` of a summary file may hold a secret; it was not copied, but belongs out of the file"),
            ));
        }
    }
    all
}

/// Chart data and a log that share no trend are those of two runs.
fn foreign_chart(inputs: &Inputs<'_>) -> Option<Warning> {
    let summary = inputs.log?.summary.as_ref()?;
    let charted: std::collections::BTreeSet<&str> = inputs.chart.iter().map(|row| row.metric.as_str()).collect();
    let none_stands_there = !charted.is_empty() && charted.iter().all(|name| !summary.metrics.contains_key(*name));
    none_stands_there.then(|| {
        let names = charted.into_iter().collect::<Vec<_>>().join(", ");
        Warning::new("chart-of-another-run", format!("no trend of the chart data stands in the log: {names}"))
    })
}

/// How many of the summaries are of different origins: more summaries than that come from several load generators.
fn pooled_origins(summaries: &[EndSummary]) -> usize {
    let mut origins: Vec<_> = summaries.iter().map(|summary| summary.origin).collect();
    origins.sort_by_key(|origin| format!("{origin:?}"));
    origins.dedup();
    origins.len()
}
