//! Entries of exported logs within the window.

use super::bucket::Span;
use super::group::FoundExport;
use crate::model::{LogEvent, LogFigures, LogReport};

/// What the entries report; `None` when no log was exported that has any entry at all: an empty export may come from a
/// filter that fits nothing.
pub(super) fn figures(exports: &[FoundExport], window: Span) -> Option<LogFigures> {
    let logs = || exports.iter().filter_map(|found| found.export.log.as_ref()).filter(|log| !log.entries.is_empty());
    let mut figures = LogFigures { cut: logs().any(|log| log.at_limit), ..LogFigures::default() };
    let inside = |event: &&LogEvent| (window.start..=window.end).contains(&event.time.unix_nanos());
    for event in logs().flat_map(|log| &log.entries).filter(inside) {
        figures.entries += 1;
        match event.report {
            LogReport::Request(status) => *figures.requests.entry(status).or_default() += 1,
            LogReport::Error => figures.errors += 1,
            LogReport::Startup => figures.startups += 1,
            LogReport::AdvisoryLockAcquired => figures.advisory_locks_acquired += 1,
            LogReport::Other => {}
        }
    }
    (figures.entries > 0).then_some(figures)
}
