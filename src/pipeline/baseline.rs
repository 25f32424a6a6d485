//! What runs are compared with: k6's rates of pages that were published before.

use std::collections::BTreeMap;
use std::path::Path;

use super::checking::load_pages;
use crate::config::Config;
use crate::derive::Baseline;
use crate::ingest::source::Meter;
use crate::model::{Fault, Result};

/// k6's iterations per second by target, of the pages `[outcome] baseline` names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BaselineRates(BTreeMap<String, f64>);

impl BaselineRates {
    /// Reads the rates from the evidence beside each page, else from the k6 output on it.
    ///
    /// # Errors
    ///
    /// Fails when there is no page with a rate, when one cannot be read, and when two are of one target.
    pub fn read(pages: &Path, config: &Config) -> Result<Self> {
        let place = || config.place().field("key `baseline` in `[outcome]`");
        // read without the project file: that of the older pages may have been another
        let subjects = load_pages(pages, None, &Meter::default()).map_err(|fault| Fault {
            place: Some(place()),
            message: fault.to_string(),
            hint: fault.hint,
        })?;
        let mut rates = BTreeMap::new();
        for subject in subjects {
            let evidence = subject.truth.evidence;
            let Some(rate) = evidence.k6.iterations.and_then(|iterations| iterations.per_second) else { continue };
            let target = subject.target.unwrap_or(evidence.target);
            if rates.insert(target.clone(), rate).is_some() {
                let message = format!("expected the pages of one version, found two of `{target}`");
                return Err(Fault::at(place(), message).hint("name the folder of one version, such as `../v4.17.1`"));
            }
        }
        match rates.is_empty() {
            true => {
                let message = format!("expected pages with k6's output in `{}`, found none", pages.display());
                Err(Fault::at(place(), message)
                    .hint("name the folder of the older version's pages, or leave the key out"))
            }
            false => Ok(BaselineRates(rates)),
        }
    }

    /// What a run of this target is compared with.
    pub(super) fn of(&self, target: &str) -> Baseline {
        self.0.get(target).map_or(Baseline::Unknown, |rate| Baseline::PerSecond(*rate))
    }
}
