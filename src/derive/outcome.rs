//! The figures of a run that decide its outcome.

use crate::model::{Evidence, LockShare, LockShareOf, OutcomeFigures};

/// What the evidence knows of what decides an outcome; what it does not know is absent.
///
/// Medians over the window, as the rows of a page have them. The lock share is that of statements that take an advisory lock
/// and wait for it, in the execution time of all statements. `baseline` is k6's rate of the run it is compared with.
pub(super) fn figures(evidence: &Evidence, baseline: Option<f64>) -> OutcomeFigures {
    let observability = evidence.observability.as_ref();
    // of a percentile in an open bucket only a bound is known, which decides nothing
    let is_bound = |name: &str| observability?.quantity(name)?.overall?.side;
    let central = |name: &str| observability?.central(name).filter(|_| is_bound(name).is_none());
    let lock_share = observability.and_then(|seen| seen.whole_queries()?.advisory_share());
    let figures = OutcomeFigures {
        database_cpu: central("database_cpu"),
        container_cpu: central("container_cpu_p50"),
        client_cpu: central("client_cpu"),
        lock_share: lock_share.map(|share| LockShare { share, of: LockShareOf::AllStatements }),
        ..OutcomeFigures::of_run(evidence)
    };
    let rate = evidence.k6.iterations.and_then(|iterations| iterations.per_second);
    match rate.zip(baseline) {
        Some((rate, baseline)) => figures.over_baseline(rate, baseline),
        None => figures,
    }
}
