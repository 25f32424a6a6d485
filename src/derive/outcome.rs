//! The figures of a run that decide its outcome.

use crate::model::{Evidence, LockShare, LockShareOf, Observability, OutcomeFigures};

/// What the evidence knows of what decides an outcome; what it does not know is absent.
///
/// Medians over the window, as the rows of a page have them. The lock share is that of statements that take an advisory lock
/// and wait for it, in the execution time of all statements.
pub(super) fn figures(evidence: &Evidence, observability: &Observability) -> OutcomeFigures {
    let central = |name: &str| {
        let figures = observability.quantities.get(name)?;
        figures.overall.map(|overall| overall.value).or(figures.median)
    };
    let lock_share = observability.queries.as_ref().and_then(|queries| queries.advisory_share());
    let failed = evidence.requests.as_ref().map(|requests| requests.run).and_then(|run| {
        let failed = run.failed?;
        (run.total > 0).then(|| failed as f64 / run.total as f64)
    });
    OutcomeFigures {
        database_cpu: central("database_cpu"),
        container_cpu: central("container_cpu_p50"),
        client_cpu: central("client_cpu"),
        lock_share: lock_share.map(|share| LockShare { share, of: LockShareOf::AllStatements }),
        failed_share: failed,
        dropped_iterations: evidence.iterations.dropped,
        gain: None,
    }
}
