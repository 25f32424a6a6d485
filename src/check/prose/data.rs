//! What the data says of failures: groups of populations and their seconds.

use std::collections::BTreeMap;

use crate::model::{Evidence, Phase, Population, PopulationOrigin, Window};

/// Populations that words may mean together.
#[derive(Debug, Clone)]
pub(super) struct Group<'a> {
    /// What the words called them, `request timeouts`.
    pub(super) name: String,
    /// The populations; none when the run has none of that cause.
    pub(super) members: Vec<&'a Population>,
}

impl<'a> Group<'a> {
    /// How many failures.
    pub(super) fn count(&self) -> u64 {
        self.members.iter().map(|p| p.count).fold(0, u64::saturating_add)
    }

    /// First to last second; `None` when not recorded for all of them.
    pub(super) fn span(&self) -> Option<Window> {
        let spans: Option<Vec<Window>> = self.members.iter().map(|p| span(p)).collect();
        let mut spans = spans?.into_iter();
        let first = spans.next()?;
        Some(spans.fold(first, |all, w| all.widened_to(w.start).widened_to(w.end)))
    }

    /// The whole span and each burst of several: what one window in the text may mean.
    pub(super) fn windows(&self) -> Vec<Window> {
        let bursts = self.members.iter().flat_map(|p| &p.bursts);
        let bursts = bursts.map(|b| Window { start: b.start.unix_seconds(), end: b.end.unix_seconds() });
        self.span().into_iter().chain(bursts).collect()
    }

    /// Failures by second since the epoch; `None` when they are not all kept by the second.
    pub(super) fn seconds(&self, evidence: &Evidence) -> Option<BTreeMap<i64, u64>> {
        let series = evidence.series.as_ref()?;
        let start = series.start?.unix_seconds();
        let mut seconds = BTreeMap::new();
        for population in &self.members {
            for (offset, count) in series.failed.get(&population.id)? {
                let sum: &mut u64 = seconds.entry(start.saturating_add(*offset)).or_insert(0);
                *sum = sum.saturating_add(*count);
            }
        }
        Some(seconds)
    }

    /// The readings of the words: all of them together, then each alone.
    pub(super) fn readings(&self) -> Vec<Group<'a>> {
        let one = |p: &&'a Population| Group { name: self.name.clone(), members: vec![*p] };
        let singles = if self.members.len() > 1 { self.members.iter().map(one).collect() } else { Vec::new() };
        std::iter::once(self.clone()).chain(singles).collect()
    }
}

/// A population's first and last second.
pub(super) fn span(population: &Population) -> Option<Window> {
    Some(Window { start: population.first?.unix_seconds(), end: population.last?.unix_seconds() })
}

/// All populations; none when they are not known.
pub(super) fn populations(evidence: &Evidence) -> &[Population] {
    evidence.populations.as_deref().unwrap_or_default()
}

/// True when the populations are all there is: they come from raw output, or nothing failed.
pub(super) fn complete(evidence: &Evidence) -> bool {
    let raw = |p: &Population| p.origin == PopulationOrigin::Raw;
    let none_failed = evidence.requests.as_ref().is_some_and(|r| r.run.failed == Some(0));
    match evidence.populations.as_deref() {
        Some([]) => none_failed,
        Some(populations) => populations.iter().all(raw),
        None => none_failed,
    }
}

/// True for what may count as part of the test.
pub(super) fn of_test(population: &Population) -> bool {
    matches!(population.phase, Phase::Test | Phase::Unknown)
}

/// Sum of the counts within a window, both ends included.
pub(super) fn within(seconds: &BTreeMap<i64, u64>, window: Window) -> u64 {
    if window.start > window.end {
        0
    } else {
        seconds.range(window.start..=window.end).map(|(_, n)| *n).fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::prose::testing::{block_only, two_causes};

    #[test]
    fn groups_know_their_count_span_and_seconds() {
        let evidence = two_causes();
        let members: Vec<&Population> = populations(&evidence).iter().collect();
        let all = Group { name: "failed requests".to_owned(), members };
        let span = all.span().unwrap();
        assert_eq!((all.count(), span.end - span.start), (52, 535 - 120));
        let seconds = all.seconds(&evidence).unwrap();
        assert_eq!(within(&seconds, Window { start: span.start, end: span.start + 4 }), 10);
        assert_eq!(within(&seconds, Window { start: span.end, end: span.start }), 0, "ends before it begins");
        assert_eq!(all.readings().len(), 3);
    }

    #[test]
    fn populations_are_all_there_is_only_with_raw_output_or_no_failure() {
        assert!(complete(&two_causes()) && !complete(&block_only()));
        let mut none_failed = block_only();
        none_failed.requests = none_failed.requests.map(|mut r| {
            r.run.failed = Some(0);
            r
        });
        assert!(complete(&none_failed));
        let none = Group { name: String::new(), members: Vec::new() };
        assert_eq!((none.span(), none.count()), (None, 0));
    }
}
