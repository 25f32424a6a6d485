//! What of the configuration changes the numbers.

use regex::Regex;

use super::baseline::BaselineRates;
use crate::config::Config;
use crate::derive::{FoundExport, Monitoring, NamedCause, QueryName, Redactor, Thresholds};
use crate::ingest::monitoring::MetricNames;
use crate::ingest::raw::Reading;
use crate::model::{Fault, OutcomeThresholds, Result};

/// Settings of a reduction; the default is that of a sweep without a project file.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Thresholds of shapes.
    pub thresholds: Thresholds,
    /// Named causes, each with the text it looks for in the log.
    pub causes: Vec<(NamedCause, Option<String>)>,
    /// What metrics measure.
    pub metrics: MetricNames,
    /// Names and categories of statements.
    pub queries: Vec<QueryName>,
    /// When a resource counts as exhausted.
    pub outcome: OutcomeThresholds,
    /// The rates the runs are compared with.
    pub baseline: Option<BaselineRates>,
    /// Keeps identity out of every text.
    pub redactor: Redactor,
    /// Keep every built-in trend.
    pub all_trends: bool,
    /// Hash whole files.
    pub sha256: bool,
    /// How raw files are read; changes nothing but the time it takes.
    pub reading: Reading,
}

impl Settings {
    /// The settings of a project file, without the baseline: its pages are read only for what an outcome is decided for.
    ///
    /// # Errors
    ///
    /// Fails on a redaction pattern that is no regular expression.
    pub fn of(config: &Config) -> Result<Self> {
        let errors = &config.errors;
        let cause = |cause: &crate::config::Cause| {
            let named = NamedCause {
                status: cause.status,
                error_code: cause.error_code,
                error: cause.error.clone(),
                seen_in_log: None,
                label: cause.label.clone(),
            };
            (named, cause.log.clone())
        };
        Ok(Settings {
            thresholds: Thresholds {
                gap_seconds: errors.gap_seconds,
                gap_share: errors.gap_fraction,
                burst_share: errors.burst_fraction,
                burst_failures: errors.burst_count,
                bursts_hold: errors.bursts_share,
                sustained_share: errors.sustained_fraction,
            },
            causes: config.causes.iter().map(cause).collect(),
            metrics: MetricNames::new(config.metrics.clone()),
            queries: config.queries.iter().map(query_name).collect::<Result<_>>()?,
            outcome: config.outcome,
            redactor: Redactor::new(&config.redact)?,
            ..Settings::default()
        })
    }

    /// The settings of a project file with the rates of the baseline it names, for runs whose outcome is decided.
    ///
    /// # Errors
    ///
    /// As [`Settings::of`], and when the baseline's pages cannot be read.
    pub fn with_baseline(config: &Config) -> Result<Self> {
        let baseline = config.baseline.as_deref().map(|pages| BaselineRates::read(pages, config)).transpose()?;
        Ok(Settings { baseline, ..Settings::of(config)? })
    }

    /// Exports with the settings that turn them into figures.
    pub(super) fn monitoring<'a>(&'a self, exports: &'a [FoundExport], target: &str) -> Monitoring<'a> {
        let baseline = self.baseline.as_ref().map(|rates| rates.of(target)).unwrap_or_default();
        Monitoring { exports, queries: &self.queries, outcome: self.outcome, baseline }
    }

    /// The named causes with what was seen in a log's text.
    pub(super) fn causes_in(&self, log_text: &str) -> Vec<NamedCause> {
        let with_log = |(cause, wanted): &(NamedCause, Option<String>)| NamedCause {
            seen_in_log: wanted.as_ref().map(|words| log_text.contains(words.as_str())),
            ..cause.clone()
        };
        self.causes.iter().map(with_log).collect()
    }

    /// Changes when any setting does that changes the evidence.
    pub(super) fn fingerprint(&self) -> String {
        let numbers = format!("{:?} {:?} {:?} {}", self.thresholds, self.causes, self.redactor, self.all_trends);
        let mut text = format!("{numbers} {:?} {:?} {:?}", self.metrics, self.queries, self.outcome);
        if let Some(baseline) = &self.baseline {
            text += &format!(" {baseline:?}");
        }
        format!("xxh3:{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
    }
}

fn query_name(name: &crate::config::QueryRule) -> Result<QueryName> {
    let text = name.text.as_deref().map(Regex::new).transpose();
    Ok(QueryName {
        hash: name.hash.clone(),
        text: text.map_err(|e| Fault::new(format!("`text` in `[[queries]]` is no regular expression: {e}")))?,
        name: name.name.clone(),
        category: name.category.clone(),
    })
}
