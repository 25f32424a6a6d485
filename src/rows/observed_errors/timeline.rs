use super::shown::Shown;
use super::words;
use crate::model::{Evidence, Phase, Population, PopulationOrigin, Time, Window};

/// When things happened in a run, for placing one population among the others.
pub(super) struct Timeline<'a> {
    window: Option<Window>,
    populations: &'a [Population],
    shown: &'a Shown<'a>,
    dated: bool,
    /// Every failed request of the run is in a population with times: only then does silence mean that nothing failed.
    all_placed: bool,
    cut_off: bool,
}

/// A population's first and last second.
#[derive(Clone, Copy)]
struct Span {
    first: i64,
    last: i64,
}

/// Another population of the run.
struct Other {
    id: u32,
    of_test: bool,
    span: Span,
}

fn span(population: &Population) -> Option<Span> {
    Some(Span { first: population.first?.unix_seconds(), last: population.last?.unix_seconds() })
}

const SECONDS_A_DAY: i64 = 86_400;

/// Shorter windows are not counted by the minute: that says nothing of when within them.
const FROM_SECONDS: u64 = 600;

impl<'a> Timeline<'a> {
    /// `explained` says that the populations hold every failed request of the run.
    pub(super) fn of(evidence: &'a Evidence, shown: &'a Shown<'a>, explained: bool) -> Self {
        let populations = evidence.populations.as_deref().unwrap_or_default();
        let window = evidence.window.map(|window| window.window());
        let day = |second: i64| second.div_euclid(SECONDS_A_DAY);
        let spans = || populations.iter().filter_map(span);
        let first = spans().map(|s| s.first).chain(window.map(|w| w.start)).min();
        let last = spans().map(|s| s.last).chain(window.map(|w| w.end)).max();
        // a time of day alone could mean two moments of a run that passes midnight
        let dated = first.map(day) != last.map(day);
        let all_placed = explained && populations.iter().all(|p| span(p).is_some());
        Timeline { window, populations, shown, dated, all_placed, cut_off: is_cut_off(evidence) }
    }

    /// A moment without its zone, which [`Timeline::interval`] adds once.
    fn moment(&self, time: Time) -> String {
        if self.dated { words::utc(time).replace(" UTC", "") } else { words::clock(time) }
    }

    /// `at 13:43:19 UTC` or `from 13:43:19 to 13:44:13 UTC`.
    pub(super) fn interval(&self, first: Time, last: Time) -> String {
        if first.unix_seconds() == last.unix_seconds() {
            format!("at {} UTC", self.moment(first))
        } else {
            format!("from {} to {} UTC", self.moment(first), self.moment(last))
        }
    }

    /// Where in the run a moment lies, `2min into the run`; `None` without a window.
    pub(super) fn position(&self, time: Time) -> Option<String> {
        let offset = time.unix_seconds() - self.window?.start;
        Some(match offset {
            0 => "in the first second of the run".to_owned(),
            1.. => format!("{} into the run", words::minutes(offset.unsigned_abs())),
            _ => format!("{} before the first sample of the test", words::minutes(offset.unsigned_abs())),
        })
    }

    /// Number of minutes of the window, the last perhaps shorter; `None` for one under ten minutes.
    pub(super) fn minutes(&self) -> Option<u64> {
        let seconds = self.window?.seconds();
        (seconds >= FROM_SECONDS).then(|| seconds.div_ceil(60))
    }

    /// True for the window's first second.
    pub(super) fn starts_at(&self, time: Time) -> bool {
        self.window.is_some_and(|window| window.start == time.unix_seconds())
    }

    /// Where in the run something that lasts began, `beginning 41s into the run`; `None` without a window.
    pub(super) fn beginning(&self, time: Time) -> Option<String> {
        self.position(time).map(|position| format!("beginning {position}"))
    }

    /// What came before a population of the test and what after it; `None` when it has no times.
    ///
    /// A log has no lines for HTTP statuses, so that nothing can be said of what else failed, or did not, at a time.
    pub(super) fn neighbours(&self, population: &Population) -> Option<String> {
        if population.origin == PopulationOrigin::Log || !is_of_test(population.phase) {
            return None;
        }
        let own = span(population)?;
        let others: Vec<Other> = self
            .populations
            .iter()
            .filter(|other| other.id != population.id)
            .filter_map(|p| Some(Other { id: p.id, of_test: is_of_test(p.phase), span: span(p)? }))
            .collect();
        let parts: Vec<String> = [self.before(own, &others), self.after(own, &others)].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The gap to the population that ended last before this one began, in whichever phase, or that there was none.
    fn before(&self, own: Span, others: &[Other]) -> Option<String> {
        if others.iter().all(|o| o.span.first > own.first) {
            return self.all_placed.then(|| "no failure before".to_owned());
        }
        let around = others.iter().find(|o| o.span.first <= own.first && o.span.last >= own.first);
        if let Some(around) = around {
            return Some(format!("while {} went on", self.shown.reference(around.id)));
        }
        let previous = others.iter().filter(|o| o.span.last < own.first).max_by_key(|o| o.span.last)?;
        let gap = words::minutes((own.first - previous.span.last).unsigned_abs());
        Some(format!("{gap} after the last of {}", self.shown.reference(previous.id)))
    }

    /// What followed up to the end of the window, which is that of the test: failures of teardown lie beyond it.
    fn after(&self, own: Span, others: &[Other]) -> Option<String> {
        let later = || others.iter().filter(|o| o.span.last > own.last);
        let end = match (self.cut_off, later().any(|o| !o.of_test)) {
            (true, _) => "to the end of the data",
            (false, true) => "to the end of the test",
            (false, false) => "to the end of the run",
        };
        let left = u64::try_from(self.window?.end - own.last).ok().filter(|left| *left > 0);
        let Some(left) = left else { return Some(format!("lasting {end}")) };
        let silent = self.all_placed && !later().any(|o| o.of_test);
        let whose = if silent { "no failure" } else { "none of this cause" };
        Some(match (self.cut_off, later().any(|o| !o.of_test)) {
            (true, _) => format!("{whose} {end}"),
            (false, true) => format!("{whose} in the remaining {} of the test", words::minutes(left)),
            (false, false) => format!("{whose} in the remaining {}", words::minutes(left)),
        })
    }
}

/// True for what may count as part of the test phase.
fn is_of_test(phase: Phase) -> bool {
    matches!(phase, Phase::Test | Phase::Unknown)
}

/// True when the data does not cover the whole run: it ends early, or rows of it could not be read.
fn is_cut_off(evidence: &Evidence) -> bool {
    evidence.warnings.iter().any(|warning| matches!(warning.code.as_str(), "truncated-input" | "skipped-rows"))
}
