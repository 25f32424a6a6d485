//! What of the configuration changes the numbers.

use crate::config::Config;
use crate::derive::{NamedCause, Redactor, Thresholds};
use crate::ingest::raw::Reading;
use crate::model::Result;

/// Settings of a reduction; the default is that of a sweep without a project file.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Thresholds of shapes.
    pub thresholds: Thresholds,
    /// Named causes, each with the text it looks for in the log.
    pub causes: Vec<(NamedCause, Option<String>)>,
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
    /// The settings of a project file.
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
            redactor: Redactor::new(&config.redact)?,
            ..Settings::default()
        })
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
        let text = format!("{:?} {:?} {:?} {}", self.thresholds, self.causes, self.redactor, self.all_trends);
        format!("xxh3:{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
    }
}
