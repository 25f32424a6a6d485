//! The figures of one run, of the whole run or of its test phase.

use indexmap::IndexMap;

use super::SweepRun;
use crate::model::{EndSummary, FigureSource, Figures, Latency, Percentile, Scope, Stat, SweepLine, Trend};

/// The trend whose statistics a summary shows.
const LATENCY: &str = "http_req_duration";

/// The line of one run.
pub fn line(run: &SweepRun<'_>, scope: Scope) -> SweepLine {
    let evidence = run.evidence;
    let rates = match scope {
        Scope::Run => evidence.k6.iterations.map(|iterations| (iterations.count, iterations.per_second)),
        Scope::Test => evidence.test_phase.as_ref().map(|test| (test.iterations, Some(test.iterations_per_second))),
    };
    let requests = evidence.requests.as_ref();
    SweepLine {
        target: evidence.target.clone(),
        vus: evidence.k6.vus_max,
        iterations: rates.map(|(count, _)| count),
        iterations_per_second: rates.and_then(|(_, per_second)| per_second),
        latency: evidence.trends.get(LATENCY).map(|trend| latency(trend, run.printed, scope)).unwrap_or_default(),
        requests: match scope {
            Scope::Run => requests.map(|requests| requests.run),
            Scope::Test => requests.and_then(|requests| requests.test),
        },
        checks: evidence.checks.as_ref().filter(|_| scope == Scope::Run).map(|checks| (checks.failed, checks.total)),
    }
}

fn latency(trend: &Trend, printed: Option<&EndSummary>, scope: Scope) -> IndexMap<Stat, Latency> {
    let stats = match scope {
        Scope::Run => Some(&trend.run),
        Scope::Test => trend.test.as_ref(),
    };
    let Some(stats) = stats else { return IndexMap::new() };
    let ranks = stats.percentiles.keys().map(|percentile| Stat::P(*percentile));
    let known = [Stat::Avg, Stat::Min, Stat::Max].into_iter().chain(ranks);
    let only_print_knows = trend.from == FigureSource::Log;
    let value = |stat: Stat| {
        let printed = printed.filter(|_| only_print_knows).and_then(|summary| printed_text(summary, stat));
        Some((stat, Latency { ms: stats.get(stat)?, printed }))
    };
    known.filter_map(value).collect()
}

fn printed_text(summary: &EndSummary, stat: Stat) -> Option<String> {
    let Figures::Trend(line) = summary.metrics.get(LATENCY)? else { return None };
    let median = || line.get(&Stat::Med).filter(|_| stat == Stat::P(Percentile::P50));
    line.get(&stat).or_else(median).map(|printed| printed.text.clone())
}
