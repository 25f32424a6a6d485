//! Entries of exported logs within the window.

use std::collections::{BTreeMap, BTreeSet};

use super::bucket::Span;
use super::group::FoundExport;
use crate::model::{LogEvent, LogExport, LogFigures, LogReport, Time};

/// What the entries report; `None` when no log was exported that has any entry at all: an empty export may come from a
/// filter that fits nothing.
pub(super) fn figures(exports: &[FoundExport], window: Span) -> Option<LogFigures> {
    let logs: Vec<&LogExport> =
        exports.iter().filter_map(|found| found.export.log.as_ref()).filter(|log| !log.entries.is_empty()).collect();
    let mut figures = LogFigures { cut: logs.iter().any(|log| log.at_limit), ..LogFigures::default() };
    for ((_, report), times_seen) in distinct(&logs, window) {
        let n = times_seen.entries();
        figures.entries += n;
        match report {
            LogReport::Request(status) => *figures.requests.entry(*status).or_default() += n,
            LogReport::Error => figures.errors += n,
            LogReport::Startup => figures.startups += n,
            LogReport::AdvisoryLockAcquired => figures.advisory_locks_acquired += n,
            LogReport::Other => {}
        }
    }
    (figures.entries > 0).then_some(figures)
}

/// How often an event stands in the files.
#[derive(Debug, Default)]
struct TimesSeen<'l> {
    /// Ids of its entries, over all files.
    ids: BTreeSet<&'l str>,
    /// Most entries of it in a single file, those without an id included.
    most_in_one_file: u64,
}

impl TimesSeen<'_> {
    /// Entries there were: two files may hold the same ones. Those without an id are counted in the file with most of them.
    fn entries(&self) -> u64 {
        self.most_in_one_file.max(self.ids.len() as u64)
    }
}

type Events<'l> = BTreeMap<(Time, &'l LogReport), TimesSeen<'l>>;

/// The events within the window, by time and what they report.
fn distinct<'l>(logs: &[&'l LogExport], window: Span) -> Events<'l> {
    let inside = |event: &&LogEvent| (window.start..=window.end).contains(&event.time.unix_nanos());
    let mut events: Events<'l> = BTreeMap::new();
    for log in logs {
        let mut in_file: BTreeMap<(Time, &LogReport), u64> = BTreeMap::new();
        for event in log.entries.iter().filter(inside) {
            let key = (event.time, &event.report);
            *in_file.entry(key).or_default() += 1;
            events.entry(key).or_default().ids.extend(event.id.as_deref());
        }
        for (key, n) in in_file {
            let seen = events.entry(key).or_default();
            seen.most_in_one_file = seen.most_in_one_file.max(n);
        }
    }
    events
}
