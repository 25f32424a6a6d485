//! What targets were to reach against what they reached.

use crate::model::{Goal, GoalResult, SweepFigure, SweepLine};

/// The result of each goal, in their order.
pub(super) fn results(goals: &[Goal], lines: &[SweepLine]) -> Vec<GoalResult> {
    let reached = |goal: &Goal| {
        let line = lines.iter().find(|line| line.target == goal.target)?;
        match goal.figure {
            SweepFigure::IterationsPerSecond => line.iterations_per_second,
            SweepFigure::Latency(stat) => line.latency(stat).map(|latency| latency.ms),
        }
    };
    goals.iter().map(|goal| GoalResult { goal: goal.clone(), reached: reached(goal) }).collect()
}
