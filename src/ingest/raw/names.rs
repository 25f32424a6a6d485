//! Metric names a reader has met, with the numbers its sink gave them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::beginning::Beginning;
use crate::model::{MetricId, Sink};

/// Names remembered; k6 itself registers its metrics, and only a broken file has more.
const REMEMBERED: usize = 50_000;

/// Finds a metric by its name. k6 writes the metrics of a request in a fixed order: the one that came next last time is tried
/// first, then the last one that began alike.
#[derive(Debug)]
pub struct Names {
    known: Vec<Known>,
    index: HashMap<Box<[u8]>, usize, RandomState>,
    /// What follows a name in the file.
    end: u8,
    /// Metrics by what their names begin with.
    slots: [usize; SLOTS],
    last: usize,
    /// What came after the last one before.
    next: usize,
}

const SLOTS: usize = 256;

#[derive(Debug)]
struct Known {
    /// The name and what follows it.
    text: Beginning,
    found: Named,
    next: usize,
}

/// A metric as its sink knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// Its number.
    pub id: MetricId,
    /// Whether the sink looks at its values.
    pub reads_values: bool,
}

impl Names {
    /// None yet, of a file in which a name ends before the byte `end`.
    pub fn new(end: u8) -> Self {
        Names { known: Vec::new(), index: HashMap::default(), end, slots: [0; SLOTS], last: 0, next: 0 }
    }

    /// The number of a metric, from the sink when it is new.
    pub fn of(&mut self, name: &str, sink: &mut dyn Sink) -> MetricId {
        if let Some(index) = self.index.get(name.as_bytes()) {
            return self.known.get(*index).map_or(MetricId(usize::MAX), |known| known.found.id);
        }
        let id = sink.metric(name);
        if self.known.len() < REMEMBERED {
            self.index.insert(name.as_bytes().into(), self.known.len());
            let text = Beginning::new(&[name.as_bytes(), &[self.end]].concat());
            self.known.push(Known { text, found: Named { id, reads_values: sink.reads_values(id) }, next: 0 });
        }
        id
    }

    /// The metric whose name stands at the beginning of `text`, and what follows the byte behind the name.
    ///
    /// `None` when nothing ends the name, or when it is not known yet.
    #[inline(always)]
    pub fn at_start<'t>(&mut self, text: &'t [u8]) -> Option<(Named, &'t [u8])> {
        if let Some((found, rest)) = self.expected(text) {
            self.advance();
            return Some((found, rest));
        }
        self.unexpected(text)
    }

    /// Where the metric that came next last time stands among those known.
    #[inline(always)]
    pub fn next(&self) -> usize {
        self.next
    }

    /// Where the metric found last stands among those known.
    pub fn last(&self) -> usize {
        self.last
    }

    /// The metric at the beginning of `text` if it is the one that came next last time.
    #[inline(always)]
    pub fn expected<'t>(&self, text: &'t [u8]) -> Option<(Named, &'t [u8])> {
        let known = self.known.get(self.next)?;
        known.text.strip(text).map(|rest| (known.found, rest))
    }

    /// Takes note that the expected metric came.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.last = self.next;
        self.next = self.known.get(self.last).map_or(0, |known| known.next);
    }

    /// Where the last metric that began like `text` stands among those known.
    #[inline]
    pub fn guess(&self, text: &[u8]) -> usize {
        self.slots.get(slot(text)).copied().unwrap_or_default()
    }

    /// Takes note that a metric came which was not expected, by where it stands among those known.
    #[inline]
    pub fn came(&mut self, index: usize) {
        if let Some(last) = self.known.get_mut(self.last) {
            last.next = index;
        }
        self.next = index;
        self.advance();
    }

    #[inline(never)]
    fn unexpected<'t>(&mut self, text: &'t [u8]) -> Option<(Named, &'t [u8])> {
        let slot = slot(text);
        let guess = self.slots.get(slot).copied().filter(|guess| {
            let known = self.known.get(*guess);
            known.is_some_and(|known| known.text.strip(text).is_some())
        });
        let index = match guess {
            Some(index) => index,
            None => *self.index.get(text.get(..memchr::memchr(self.end, text)?)?)?,
        };
        *self.slots.get_mut(slot)? = index;
        self.came(index);
        let known = self.known.get(index)?;
        known.text.strip(text).map(|rest| (known.found, rest))
    }
}

/// Names that begin alike in 16 bytes share one.
#[inline]
fn slot(text: &[u8]) -> usize {
    let word =
        |at: usize| text.get(at..).and_then(|text| text.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word));
    let mixed = (word(0) ^ word(8).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
pub(in crate::ingest) mod tests {
    use super::*;
    use crate::model::{Declaration, Place, Sample};

    /// Numbers metrics from one above its own on, and takes nothing else in.
    pub struct Numbers(pub usize);

    impl Sink for Numbers {
        fn metric(&mut self, _: &str) -> MetricId {
            self.0 += 1;
            MetricId(self.0)
        }
        fn sample(&mut self, _: &Sample<'_>) {}
        fn declare(&mut self, _: Declaration) {}
        fn skipped(&mut self, _: &'static str, _: Place) {}
        fn truncated(&mut self, _: &'static str) {}
    }

    #[test]
    fn a_name_that_begins_another_is_not_taken_for_it() {
        let (mut names, mut sink) = (Names::new(b','), Numbers(10));
        assert_eq!(names.at_start(b"vus,1"), None);
        assert_eq!(names.of("vus", &mut sink), MetricId(11));
        assert_eq!(names.of("vus_max", &mut sink), MetricId(12));
        assert_eq!(names.of("vus", &mut sink), MetricId(11));
        for rest in ["1", "1,and so on"] {
            for _ in 0..2 {
                let mut found = |name: &str| {
                    let text = format!("{name},{rest}");
                    names.at_start(text.as_bytes()).map(|(found, after)| (found.id.0, after == rest.as_bytes()))
                };
                assert_eq!(found("vus"), Some((11, true)));
                assert_eq!(found("vus_max"), Some((12, true)));
                assert_eq!(found("vus_m"), None);
            }
        }
        assert_eq!(names.at_start(b"vus"), None);
    }

    #[test]
    fn names_of_any_length_and_number_are_found() {
        let (mut names, mut sink) = (Names::new(b'"'), Numbers(0));
        let all: Vec<String> = (0..600).map(|n| format!("{}_{n}", "metric_".repeat(n % 9))).collect();
        let ids: Vec<MetricId> = all.iter().map(|name| names.of(name, &mut sink)).collect();
        for round in 0..3 {
            for (name, id) in all.iter().zip(&ids).skip(round) {
                let text = format!("{name}\",\"type\":\"Point\",\"data\":{{\"time\":\"");
                assert_eq!(names.at_start(text.as_bytes()).map(|(found, _)| found.id), Some(*id), "{name}");
            }
        }
    }
}
