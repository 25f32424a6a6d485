//! The outcome of a run by the methodology's flowchart, and the figures that decide it.
//!
//! The rule stands here, below everything else, because evidence is judged by it as well as what a page says.

use serde::{Deserialize, Serialize};

use super::{Evidence, RequestCount};

/// When a resource counts as exhausted, or failures as critical; percentages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeThresholds {
    /// Median CPU of the database from which it is saturated.
    pub database_cpu_percent: f64,
    /// Median CPU of the containers from which they are saturated.
    pub container_cpu_percent: f64,
    /// Median CPU of the load generator from which it is the limit.
    pub client_cpu_percent: f64,
    /// Share of query time spent in statements that wait for locks from which locks are the limit.
    pub lock_share_percent: f64,
    /// Share of failed requests from which the tests end.
    pub critical_failed_percent: f64,
    /// Gain over the baseline below which scaling no longer helps.
    pub least_gain_percent: f64,
}

impl Default for OutcomeThresholds {
    fn default() -> Self {
        OutcomeThresholds {
            database_cpu_percent: 85.0,
            container_cpu_percent: 85.0,
            client_cpu_percent: 85.0,
            lock_share_percent: 30.0,
            critical_failed_percent: 5.0,
            least_gain_percent: 5.0,
        }
    }
}

/// What is known of a run that its outcome depends on; fractions unless a name says otherwise. Absent is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeFigures {
    /// Median CPU of the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_cpu: Option<f64>,
    /// Median CPU of the containers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container_cpu: Option<f64>,
    /// Median CPU of the load generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_cpu: Option<f64>,
    /// Share of query time in statements that wait for advisory locks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_share: Option<LockShare>,
    /// Share of failed requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_share: Option<f64>,
    /// Iterations that never started, for want of a VU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_iterations: Option<u64>,
    /// VUs of the plan that never ran; 0 when they all did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_vus: Option<u64>,
    /// Gain in iterations per second over the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// Iterations per second of the baseline, k6's own rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_per_second: Option<f64>,
}

/// A share of query time, with what it is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockShare {
    /// The share.
    pub share: f64,
    /// Its denominator: execution time of all statements, or of the first few.
    pub of: LockShareOf,
}

/// What a lock share is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockShareOf {
    /// The execution time of all statements.
    AllStatements,
    /// The execution time of the statements a page lists.
    ListedStatements,
}

/// The outcomes of the methodology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeVerdict {
    /// A resource ran out: give it more of that.
    Scale,
    /// Something else limits; scaling is not blocked.
    LogAndScale,
    /// Scaling no longer helps, or a critical error.
    Terminate,
    /// The figures that would decide are not known.
    NotEnoughEvidence,
}

/// A resource that ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// The database's CPU.
    Database,
    /// The containers' CPU.
    Containers,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeRule {
    /// So many requests failed that the rest says nothing.
    CriticalFailures,
    /// The baseline was hardly beaten.
    NoGain,
    /// Statements wait for locks: more hardware lets them wait faster.
    LockWaits,
    /// The load generator's own CPU ran out.
    LoadGenerator,
    /// CPU ran out.
    Saturation,
    /// Nothing ran out, and iterations never started or VUs never ran: the load was less than planned.
    ShortOfLoad,
    /// Neither database nor containers ran out of CPU.
    NothingExhausted,
    /// Neither can be told.
    Missing,
}

/// An outcome with what decided it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The outcome.
    pub verdict: OutcomeVerdict,
    /// The rule that decided.
    pub rule: OutcomeRule,
    /// Resources that ran out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<Resource>,
    /// The figures.
    pub figures: OutcomeFigures,
    /// The thresholds they were held against.
    pub thresholds: OutcomeThresholds,
}

impl OutcomeFigures {
    /// What k6 itself knows of a run: failures, iterations that never started, VUs that never ran.
    pub fn of_run(evidence: &Evidence) -> Self {
        let run = evidence.requests.as_ref().map(|requests| requests.run);
        let share = |run: RequestCount| (run.total > 0).then(|| run.failed.map(|n| n as f64 / run.total as f64))?;
        OutcomeFigures {
            failed_share: run.and_then(share),
            dropped_iterations: evidence.iterations.dropped,
            missing_vus: missing_vus(evidence),
            ..OutcomeFigures::default()
        }
    }

    /// The same with the gain of `per_second` over a baseline's rate; both are k6's own, over the whole run.
    pub fn over_baseline(self, per_second: f64, baseline: f64) -> Self {
        let gain = (baseline > 0.0).then(|| per_second / baseline - 1.0);
        OutcomeFigures { gain, baseline_per_second: gain.map(|_| baseline), ..self }
    }

    /// The outcome where nothing decides.
    pub fn undecided(self) -> Outcome {
        Outcome {
            verdict: OutcomeVerdict::NotEnoughEvidence,
            rule: OutcomeRule::Missing,
            resources: Vec::new(),
            figures: self,
            thresholds: OutcomeThresholds::default(),
        }
    }

    /// True for a share that reaches a limit in percent; 57 % of a double is a hair less than 57.
    pub fn reaches(share: f64, percent: f64) -> bool {
        share * 100.0 >= percent - 1e-9
    }

    /// Decides the outcome: the first rule that fits, in the order of [`OutcomeRule`].
    ///
    /// Failures come first, for figures of a run that fails say little. Waiting for locks comes before saturation: the CPU
    /// that waits and retries is not what limits. Iterations that never started and VUs that never ran count only where nothing
    /// is known to have run out: a saturated system keeps the VUs busy. A figure that is not known fits no rule.
    pub fn decide(self, thresholds: OutcomeThresholds) -> Outcome {
        let from = |share: Option<f64>, percent: f64| share.is_some_and(|share| Self::reaches(share, percent));
        let mut resources = Vec::new();
        if from(self.database_cpu, thresholds.database_cpu_percent) {
            resources.push(Resource::Database);
        }
        if from(self.container_cpu, thresholds.container_cpu_percent) {
            resources.push(Resource::Containers);
        }
        let client_saturated = from(self.client_cpu, thresholds.client_cpu_percent);
        let some = |n: Option<u64>| n.is_some_and(|n| n > 0);
        let short_of_load = some(self.dropped_iterations) || some(self.missing_vus);
        let both_known = self.database_cpu.is_some() && self.container_cpu.is_some();
        let (verdict, rule) = if from(self.failed_share, thresholds.critical_failed_percent) {
            (OutcomeVerdict::Terminate, OutcomeRule::CriticalFailures)
        } else if self.gain.is_some_and(|gain| !Self::reaches(gain, thresholds.least_gain_percent)) {
            (OutcomeVerdict::Terminate, OutcomeRule::NoGain)
        } else if from(self.lock_share.map(|lock| lock.share), thresholds.lock_share_percent) {
            (OutcomeVerdict::LogAndScale, OutcomeRule::LockWaits)
        } else if client_saturated {
            (OutcomeVerdict::LogAndScale, OutcomeRule::LoadGenerator)
        } else if !resources.is_empty() {
            (OutcomeVerdict::Scale, OutcomeRule::Saturation)
        } else if short_of_load && both_known {
            (OutcomeVerdict::LogAndScale, OutcomeRule::ShortOfLoad)
        } else if both_known {
            (OutcomeVerdict::LogAndScale, OutcomeRule::NothingExhausted)
        } else {
            (OutcomeVerdict::NotEnoughEvidence, OutcomeRule::Missing)
        };
        Outcome { verdict, rule, resources, figures: self, thresholds }
    }
}

/// VUs of a constant plan less the most that ran at once.
fn missing_vus(evidence: &Evidence) -> Option<u64> {
    let most = evidence.series.as_ref()?.vus.iter().copied().flatten().max()?;
    Some(evidence.k6.planned_vus?.saturating_sub(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{K6, Series};

    fn decided(figures: OutcomeFigures) -> (OutcomeVerdict, OutcomeRule, Vec<Resource>) {
        let outcome = figures.decide(OutcomeThresholds::default());
        (outcome.verdict, outcome.rule, outcome.resources)
    }

    fn cpu(database: f64, container: f64) -> OutcomeFigures {
        OutcomeFigures { database_cpu: Some(database), container_cpu: Some(container), ..OutcomeFigures::default() }
    }

    fn locks(share: f64) -> Option<LockShare> {
        Some(LockShare { share, of: LockShareOf::AllStatements })
    }

    #[test]
    fn what_ran_out_is_scaled() {
        use OutcomeVerdict::Scale;
        let by = OutcomeRule::Saturation;
        assert_eq!(decided(cpu(0.85, 0.2)), (Scale, by, vec![Resource::Database]));
        assert_eq!(decided(cpu(0.2, 0.9)), (Scale, by, vec![Resource::Containers]));
        assert_eq!(decided(cpu(0.9, 0.9)), (Scale, by, vec![Resource::Database, Resource::Containers]));
        let database = OutcomeFigures { database_cpu: Some(0.99), ..OutcomeFigures::default() };
        assert_eq!(decided(database), (Scale, by, vec![Resource::Database]), "the containers do not matter then");
    }

    #[test]
    fn a_share_that_is_the_limit_reaches_it_whatever_its_last_bit() {
        for percent in 1..=100 {
            let thresholds =
                OutcomeThresholds { database_cpu_percent: f64::from(percent), ..OutcomeThresholds::default() };
            let rule = |share: f64| cpu(share, 0.0).decide(thresholds).rule;
            assert_eq!(rule(f64::from(percent) / 100.0), OutcomeRule::Saturation, "{percent}");
            assert_eq!(rule(f64::from(percent) / 100.0 - 1e-6), OutcomeRule::NothingExhausted, "{percent}");
        }
    }

    #[test]
    fn locks_limit_before_a_saturated_database_does() {
        let figures = OutcomeFigures { lock_share: locks(0.51), ..cpu(0.97, 0.26) };
        assert_eq!(decided(figures).1, OutcomeRule::LockWaits);
        assert_eq!(decided(OutcomeFigures { lock_share: locks(0.29), ..figures }).1, OutcomeRule::Saturation);
    }

    #[test]
    fn failures_and_a_lost_gain_end_the_tests() {
        let failing = OutcomeFigures { failed_share: Some(0.05), lock_share: locks(0.9), ..cpu(0.9, 0.9) };
        assert_eq!(decided(failing).0, OutcomeVerdict::Terminate);
        let no_gain = OutcomeFigures { gain: Some(0.04), ..cpu(0.9, 0.2) };
        assert_eq!(decided(no_gain).1, OutcomeRule::NoGain);
        assert_eq!(decided(OutcomeFigures { gain: Some(0.05), ..cpu(0.9, 0.2) }).1, OutcomeRule::Saturation);
    }

    #[test]
    fn a_load_generator_at_its_end_is_an_issue_of_its_own() {
        let busy = OutcomeFigures { client_cpu: Some(0.95), ..cpu(0.3, 0.3) };
        assert_eq!(decided(busy).1, OutcomeRule::LoadGenerator);
        let dropped = OutcomeFigures { dropped_iterations: Some(7), ..cpu(0.3, 0.3) };
        assert_eq!(decided(dropped).1, OutcomeRule::ShortOfLoad);
        let saturated = OutcomeFigures { dropped_iterations: Some(7), ..cpu(0.9, 0.3) };
        assert_eq!(decided(saturated).1, OutcomeRule::Saturation, "the database kept the VUs busy");
        let on_time = OutcomeFigures { dropped_iterations: Some(0), missing_vus: Some(0), ..cpu(0.3, 0.3) };
        assert_eq!(decided(on_time).1, OutcomeRule::NothingExhausted);
        let short = OutcomeFigures { missing_vus: Some(3), ..cpu(0.3, 0.3) };
        assert_eq!(decided(short).1, OutcomeRule::ShortOfLoad);
        let unknown = OutcomeFigures { dropped_iterations: Some(7), database_cpu: Some(0.3), ..Default::default() };
        assert_eq!(decided(unknown).1, OutcomeRule::Missing, "the containers may have run out");
    }

    #[test]
    fn vus_are_missing_when_no_second_has_as_many_as_were_planned() {
        let run = |planned: Option<u64>, vus: &[Option<u64>]| {
            let series = Some(Series { vus: vus.to_vec(), ..Series::default() });
            let k6 = K6 { planned_vus: planned, ..K6::default() };
            OutcomeFigures::of_run(&Evidence { series, k6, ..Evidence::default() }).missing_vus
        };
        assert_eq!(run(Some(200), &[Some(190), None, Some(197)]), Some(3));
        assert_eq!(run(Some(200), &[Some(200), Some(0)]), Some(0), "they end one by one");
        assert_eq!(run(None, &[Some(10)]), None, "with a rate as plan VUs are a reserve");
        assert_eq!(run(Some(200), &[None]), None);
    }

    #[test]
    fn a_gain_is_relative_to_the_baseline() {
        let figures = OutcomeFigures::default().over_baseline(110.0, 100.0);
        assert!((figures.gain.unwrap() - 0.1).abs() < 1e-12);
        assert_eq!(figures.baseline_per_second, Some(100.0));
        assert_eq!(OutcomeFigures::default().over_baseline(1.0, 0.0), OutcomeFigures::default());
    }

    #[test]
    fn what_is_not_known_decides_nothing() {
        assert_eq!(decided(OutcomeFigures::default()).0, OutcomeVerdict::NotEnoughEvidence);
        let half = OutcomeFigures { container_cpu: Some(0.2), failed_share: Some(0.0), ..OutcomeFigures::default() };
        assert_eq!(decided(half).0, OutcomeVerdict::NotEnoughEvidence, "the database may have run out");
    }
}
