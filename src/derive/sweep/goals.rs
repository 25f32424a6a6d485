//! What targets were to reach against what they reached.

use crate::model::{Goal, GoalResult, SweepFigure, SweepLine};

/// The result of each goal, in their order.
pub(super) fn results(goals: &[Goal], lines: &[SweepLine]) -> Vec<GoalResult> {
    let result = |goal: &Goal| {
        let line = lines.iter().find(|line| line.target == goal.target);
        let (reached, printed) = line.map_or((None, None), |line| figure(line, goal.figure));
        GoalResult { goal: goal.clone(), reached, printed }
    };
    goals.iter().map(result).collect()
}

/// A figure with its printed text, where there is one.
fn figure(line: &SweepLine, figure: SweepFigure) -> (Option<f64>, Option<String>) {
    match figure {
        SweepFigure::IterationsPerSecond => (line.iterations_per_second, None),
        SweepFigure::Latency(stat) => {
            let latency = line.latency(stat);
            (latency.map(|latency| latency.ms), latency.and_then(|latency| latency.printed.clone()))
        }
    }
}
