//! Metric names a reader has met, with the numbers its sink gave them.

use std::collections::HashMap;

use super::starts_with;
use crate::model::{MetricId, Sink};

/// Names remembered; k6 itself registers its metrics, and only a broken file has more.
const REMEMBERED: usize = 50_000;

/// Finds a metric by its name. k6 writes the metrics of a request in a fixed order: the one that came next last time is tried
/// first.
#[derive(Debug, Default)]
pub struct Names {
    known: Vec<Known>,
    index: HashMap<Box<[u8]>, usize>,
    last: usize,
}

#[derive(Debug)]
struct Known {
    name: Box<[u8]>,
    id: MetricId,
    next: usize,
}

impl Names {
    /// The number of a metric, from the sink when it is new.
    pub fn of(&mut self, name: &str, sink: &mut dyn Sink) -> MetricId {
        if let Some(index) = self.index.get(name.as_bytes()) {
            return self.known.get(*index).map_or(MetricId(usize::MAX), |known| known.id);
        }
        let id = sink.metric(name);
        if self.known.len() < REMEMBERED {
            self.index.insert(name.as_bytes().into(), self.known.len());
            self.known.push(Known { name: name.as_bytes().into(), id, next: 0 });
        }
        id
    }

    /// The metric whose name stands at the beginning of `text`, up to `end`: its number, and what follows `end`.
    ///
    /// `None` when there is no `end`, or the name is not known yet.
    #[inline]
    pub fn at_start<'t>(&mut self, text: &'t [u8], end: u8) -> Option<(MetricId, &'t [u8])> {
        let likely = self.known.get(self.last).map_or(0, |known| known.next);
        if let Some(known) = self.known.get(likely)
            && starts_with(text, &known.name)
            && let Some([found, rest @ ..]) = text.get(known.name.len()..)
            && *found == end
        {
            self.last = likely;
            return Some((known.id, rest));
        }
        let (name, rest) = text.split_at_checked(memchr::memchr(end, text)?)?;
        let index = *self.index.get(name)?;
        if let Some(last) = self.known.get_mut(self.last) {
            last.next = index;
        }
        self.last = index;
        Some((self.known.get(index)?.id, rest.get(1..)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Declaration, Place, Sample};

    struct Numbers(usize);

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
        let (mut names, mut sink) = (Names::default(), Numbers(10));
        assert_eq!(names.at_start(b"vus,1", b','), None);
        assert_eq!(names.of("vus", &mut sink), MetricId(11));
        assert_eq!(names.of("vus_max", &mut sink), MetricId(12));
        assert_eq!(names.of("vus", &mut sink), MetricId(11));
        for _ in 0..2 {
            assert_eq!(names.at_start(b"vus,1", b','), Some((MetricId(11), &b"1"[..])));
            assert_eq!(names.at_start(b"vus_max,2", b','), Some((MetricId(12), &b"2"[..])));
            assert_eq!(names.at_start(b"vus_m,2", b','), None);
            assert_eq!(names.at_start(b"vus", b','), None);
        }
    }
}
