use super::words;
use crate::model::{Evidence, Phase, Population, Time, Window};

/// When things happened in a run, for placing one population among the others.
pub(super) struct Timeline<'a> {
    window: Option<Window>,
    populations: &'a [Population],
    dated: bool,
}

/// A population's first and last second.
#[derive(Clone, Copy)]
struct Span {
    first: i64,
    last: i64,
}

fn span(population: &Population) -> Option<Span> {
    Some(Span { first: population.first?.unix_seconds(), last: population.last?.unix_seconds() })
}

const SECONDS_A_DAY: i64 = 86_400;

/// Shorter windows are not counted by the minute: that says nothing of when within them.
const FROM_SECONDS: u64 = 600;

impl<'a> Timeline<'a> {
    pub(super) fn of(evidence: &Evidence, populations: &'a [Population]) -> Self {
        let window = evidence.window.map(|window| window.window());
        let day = |second: i64| second.div_euclid(SECONDS_A_DAY);
        let spans = || populations.iter().filter_map(span);
        let first = spans().map(|s| s.first).chain(window.map(|w| w.start)).min();
        let last = spans().map(|s| s.last).chain(window.map(|w| w.end)).max();
        // a time of day alone could mean two moments of a run that passes midnight
        let dated = first.map(day) != last.map(day);
        Timeline { window, populations, dated }
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

    /// What came before a population and what after it, as a sentence; `None` when it stands among others or has no times.
    pub(super) fn neighbours(&self, population: &Population) -> Option<String> {
        let own = span(population)?;
        let others: Vec<(u32, Span)> = self
            .populations
            .iter()
            .filter(|other| other.id != population.id && is_of_test(other.phase))
            .filter_map(|other| Some((other.id, span(other)?)))
            .collect();
        let parts: Vec<String> = [before(own, &others), self.after(own, &others)].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn after(&self, own: Span, others: &[(u32, Span)]) -> Option<String> {
        let left = u64::try_from(self.window?.end - own.last).ok().filter(|left| *left > 0);
        let Some(left) = left else { return Some("lasting to the end of the run".to_owned()) };
        let whose = if others.iter().any(|(_, o)| o.last > own.last) { "none of this cause" } else { "no failure" };
        Some(format!("{whose} in the remaining {}", words::minutes(left)))
    }
}

/// The gap to the population that ended last before this one began, or that there was none.
fn before(own: Span, others: &[(u32, Span)]) -> Option<String> {
    if others.iter().all(|(_, o)| o.first > own.first) {
        return Some("no failure before".to_owned());
    }
    let around = others.iter().find(|(_, o)| o.first <= own.first && o.last >= own.first);
    if let Some((id, _)) = around {
        return Some(format!("while ({id}) went on"));
    }
    let (id, previous) = others.iter().filter(|(_, o)| o.last < own.first).max_by_key(|(_, o)| o.last)?;
    Some(format!("{} after the last of ({id})", words::minutes((own.first - previous.last).unsigned_abs())))
}

/// True for what may count as part of the test phase.
pub(super) fn is_of_test(phase: Phase) -> bool {
    matches!(phase, Phase::Test | Phase::Unknown)
}
