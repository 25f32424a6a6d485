//! Throughput of the test phase, and the time nobody accounts for.

use std::collections::BTreeMap;

use crate::model::{K6, TestPhase, TestPhaseBasis, Trend, Window};

/// What throughput is computed from.
pub struct Run<'a> {
    /// k6's own view.
    pub k6: &'a K6,
    /// The window; `None` when there is none.
    pub window: Option<Window>,
    /// Complete iterations.
    pub iterations: u64,
    /// False when the raw output was cut off: it then covers less than the plan.
    pub whole: bool,
    /// VUs of a single scenario with constant VUs.
    pub constant_vus: Option<u64>,
    /// All trends.
    pub trends: &'a BTreeMap<String, Trend>,
}

/// Rates of the test phase: over the planned duration when the log states it and the run reached it, else over the
/// window's inclusive seconds. `None` without either.
pub fn test_phase(run: &Run<'_>) -> Option<TestPhase> {
    let planned = run.k6.planned_seconds.filter(|_| run.whole && run.k6.completed == Some(true));
    let (seconds, basis) = match (planned, run.window) {
        (Some(planned), _) => (planned, TestPhaseBasis::Plan),
        (None, Some(window)) => (window.seconds() as f64, TestPhaseBasis::Window),
        (None, None) => return None,
    };
    let iteration_ms = mean(run.trends, "iteration_duration").filter(|ms| *ms > 0.0);
    Some(TestPhase {
        seconds,
        basis,
        iterations: run.iterations,
        iterations_per_second: run.iterations as f64 / seconds,
        littles_law_per_second: run.constant_vus.zip(iteration_ms).map(|(vus, ms)| vus as f64 / (ms / 1000.0)),
        outside_requests_ms_per_iteration: iteration_ms.and_then(|ms| outside_requests(run, ms)),
        outside_steps_ms_per_iteration: iteration_ms.and_then(|ms| outside_steps(run, ms)),
    })
}

/// The test phase's mean; a log's figure where there is no other, for `iteration_duration` is of the test phase by nature.
fn mean(trends: &BTreeMap<String, Trend>, name: &str) -> Option<f64> {
    let trend = trends.get(name)?;
    trend.test.as_ref().unwrap_or(&trend.run).avg
}

fn outside_requests(run: &Run<'_>, iteration_ms: f64) -> Option<f64> {
    let requests = run.trends.get("http_req_duration")?.test.as_ref()?;
    if run.iterations == 0 {
        return None;
    }
    let summed = requests.avg? * requests.n? as f64 / run.iterations as f64;
    not_negative(iteration_ms - summed)
}

fn outside_steps(run: &Run<'_>, iteration_ms: f64) -> Option<f64> {
    let is_step = |(name, trend): &(&String, &Trend)| {
        super::builtin::builtin(name).is_none()
            && trend.time == Some(true)
            && trend.test.as_ref().is_some_and(|test| test.n == Some(run.iterations))
    };
    let steps: Vec<f64> = run.trends.iter().filter(is_step).filter_map(|(_, trend)| trend.test.as_ref()?.avg).collect();
    if steps.is_empty() {
        return None;
    }
    not_negative(iteration_ms - steps.iter().sum::<f64>())
}

/// Less than nothing outside means that the parts overlap (batched requests, a trend around others): then nothing is known.
fn not_negative(ms: f64) -> Option<f64> {
    (ms >= 0.0).then_some(ms)
}
