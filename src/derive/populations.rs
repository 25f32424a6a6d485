//! Failed requests grouped by cause, then looked at over time.

use std::collections::{BTreeMap, HashMap};

use super::cause::{Cause, NamedCause};
use super::cluster::{Lie, Thresholds, lie};
use super::normalise::Normaliser;
use super::observations::{Failures, Observations};
use super::redact::Redactor;
use crate::model::{LogFailure, NamedCount, Phase, Population, PopulationOrigin, Time, Window};

/// A population with what the evidence does not keep: its counts by second and all of its clusters.
#[derive(Debug)]
pub struct Located {
    /// What goes into the evidence.
    pub population: Population,
    /// Failures by second since the epoch.
    pub by_second: BTreeMap<i64, u64>,
    /// Clusters, whatever the shape; empty outside the test phase.
    pub clusters: Vec<(i64, i64)>,
}

impl Located {
    /// First and last second of each cluster; outside the test phase, which has none, of the whole population.
    pub fn windows(&self) -> impl Iterator<Item = (i64, i64)> {
        let whole = self.by_second.keys().next().copied().zip(self.by_second.keys().next_back().copied());
        self.clusters.iter().copied().chain(whole.filter(|_| self.clusters.is_empty()))
    }
}

/// Settings that shape populations.
pub struct Naming<'a> {
    /// Thresholds of shapes.
    pub thresholds: &'a Thresholds,
    /// Causes named in the configuration.
    pub causes: &'a [NamedCause],
}

/// Populations of the whole run, the test phase first, then by count; their counts sum to the run's failed requests.
pub fn populations(seen: &Observations, window: Option<Window>, naming: &Naming<'_>) -> Vec<Located> {
    let mut grouped: BTreeMap<(Phase, Cause), Failures> = BTreeMap::new();
    for ((class, cause), failures) in &seen.failures {
        let group = grouped.entry((seen.phases.resolve(*class), cause.clone())).or_default();
        group.count += failures.count;
        failures.by_second.iter().for_each(|(second, n)| *group.by_second.entry(*second).or_default() += n);
        for (name, n) in &failures.requests {
            *group.requests.entry(name.clone()).or_default() += n;
        }
    }
    let mut groups: Vec<((Phase, Cause), Failures)> = grouped.into_iter().collect();
    groups.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(b.1.count.cmp(&a.1.count)).then(a.0.1.cmp(&b.0.1)));
    let total: u64 = groups.iter().map(|(_, failures)| failures.count).sum();
    let number = |(index, ((phase, cause), failures)): (usize, ((Phase, Cause), Failures))| {
        locate(index as u32 + 1, phase, cause, failures, total, window, naming)
    };
    groups.into_iter().enumerate().map(number).collect()
}

fn locate(
    id: u32,
    phase: Phase,
    cause: Cause,
    failures: Failures,
    total: u64,
    window: Option<Window>,
    naming: &Naming<'_>,
) -> Located {
    let in_window = matches!(phase, Phase::Test | Phase::Unknown);
    let lie: Option<Lie> =
        window.filter(|_| in_window).and_then(|window| lie(&failures.by_second, window, naming.thresholds));
    let second = |s: Option<&i64>| s.copied().and_then(Time::from_unix_seconds);
    let first = second(failures.by_second.keys().next());
    let shape = lie.as_ref().map(|lie| lie.shape);
    let clusters = lie.as_ref().map(|lie| lie.clusters.clone()).unwrap_or_default();
    let population = Population {
        id,
        phase,
        origin: PopulationOrigin::Raw,
        kind: cause.kind(),
        status: cause.status,
        error_code: cause.error_code,
        label: naming.causes.iter().find(|named| named.fits(&cause)).map(|named| named.label.clone()),
        error: cause.error,
        count: failures.count,
        share: failures.count as f64 / total as f64,
        first,
        last: second(failures.by_second.keys().next_back()),
        first_offset_seconds: window.and_then(|window| Some(first?.unix_seconds() - window.start)),
        shape,
        bursts: lie.as_ref().map(|lie| lie.bursts.clone()).unwrap_or_default(),
        per_minute: lie.and_then(|lie| lie.per_minute),
        requests: most_frequent(failures.requests),
    };
    let clusters = clusters.iter().map(|c| (c.start.unix_seconds(), c.end.unix_seconds())).collect();
    Located { population, by_second: failures.by_second, clusters }
}

fn most_frequent<S>(names: HashMap<String, u64, S>) -> Vec<NamedCount> {
    let mut names: Vec<NamedCount> = names.into_iter().map(|(name, count)| NamedCount { name, count }).collect();
    names.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    names.truncate(10);
    names
}

/// Populations from the `Request Failed` lines of a log, when there is no raw output. HTTP statuses leave no such lines,
/// so that the counts may sum to less than the run's failed requests.
pub fn from_log(
    failures: &[LogFailure],
    failed: Option<u64>,
    window: Option<Window>,
    redactor: &Redactor,
) -> Vec<Population> {
    let logged: u64 = failures.iter().map(|f| f.count).sum();
    let total = failed.unwrap_or(logged).max(logged);
    let mut sorted: Vec<&LogFailure> = failures.iter().collect();
    sorted.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.error.cmp(&b.error)));
    let mut normaliser = Normaliser::new(redactor.clone());
    let population = |(index, failure): (usize, &LogFailure)| {
        // a log's texts are Go's own, with hosts and paths that k6's short texts never have
        let cause = Cause { status: None, error_code: None, error: normaliser.error(&failure.error) };
        Population {
            id: index as u32 + 1,
            phase: Phase::Unknown,
            origin: PopulationOrigin::Log,
            kind: cause.kind(),
            status: None,
            error_code: None,
            error: cause.error,
            label: None,
            count: failure.count,
            share: failure.count as f64 / total as f64,
            first: failure.span.map(|(first, _)| first),
            last: failure.span.map(|(_, last)| last),
            first_offset_seconds: window.and_then(|w| Some(failure.span?.0.unix_seconds() - w.start)),
            shape: None,
            bursts: Vec::new(),
            per_minute: None,
            requests: Vec::new(),
        }
    };
    sorted.into_iter().enumerate().map(population).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_sockets_of_a_log_s_errors_are_taken_out() {
        let failure = |error: &str| LogFailure { error: error.to_owned(), count: 1, span: None };
        let failures = [
            failure("x509: certificate is valid for api.prod.acme.zone, not shop.acme.consulting"),
            failure("dial unix /var/run/acme/secret.sock: connect: no such file"),
            failure("request timeout"),
        ];
        let populations = from_log(&failures, Some(3), None, &Redactor::default());
        let texts: Vec<&str> = populations.iter().map(|p| p.error.as_str()).collect();
        assert!(texts.contains(&"request timeout"), "{texts:?}");
        assert!(!texts.iter().any(|text| text.contains("acme")), "{texts:?}");
    }
}
