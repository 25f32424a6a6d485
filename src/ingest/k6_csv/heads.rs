//! What a row begins with: the name of a metric and a time, nearly always compared in one step.

use super::time_format::TimeFormat;
use crate::ingest::raw::names::{Named, Names};
use crate::ingest::raw::{Beginnings, Begun, Clock, after_decimal, decimal};
use crate::model::{MetricId, Sink, Time};

/// Reads the beginnings of rows. The rows of a metric begin alike for as long as the second lasts, and which metric comes next is
/// hardly ever a surprise.
pub(super) struct Heads<F> {
    names: Names,
    clock: Clock<F>,
    /// The last beginning of each metric, by its place among the names.
    last: Vec<Option<Last>>,
}

/// Name, time and value of a row are separated by it.
const SEPARATOR: u8 = b',';

/// A metric, a time, and what follows the comma behind them.
type Head<'t> = (Named, Time, &'t [u8]);

impl Heads<()> {
    /// Nothing read yet, of a file with such times.
    pub fn new(format: TimeFormat) -> Heads<impl Fn(&str) -> Option<Time>> {
        let clock = Clock::new(SEPARATOR, move |text: &str| format.parse(text).ok());
        Heads { names: Names::new(SEPARATOR), clock, last: Vec::new() }
    }
}

impl<F: Fn(&str) -> Option<Time>> Beginnings for Heads<F> {
    #[inline(always)]
    fn at_start<'t>(&mut self, row: &'t [u8]) -> Option<Begun<'t>> {
        match self.head(row) {
            Some(head) => {
                self.names.advance();
                begun(head)
            }
            None => begun(self.unexpected(row)?),
        }
    }

    #[inline(always)]
    fn expected<'t>(&self, row: &'t [u8]) -> Option<Begun<'t>> {
        begun(self.head(row)?)
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.names.advance();
    }
}

/// The value behind a head; 0 when nobody looks at it.
#[inline(always)]
fn begun((metric, time, rest): Head<'_>) -> Option<Begun<'_>> {
    let (value, rest) = match metric.reads_values {
        true => decimal(rest)?,
        false => (0.0, after_decimal(rest)?),
    };
    Some(Begun { metric: metric.id, time, value, rest })
}

impl<F: Fn(&str) -> Option<Time>> Heads<F> {
    /// The head of a row if it is just as that of the expected metric was the last time.
    #[inline(always)]
    fn head<'t>(&self, row: &'t [u8]) -> Option<Head<'t>> {
        self.last.get(self.names.next())?.as_ref()?.strip(row)
    }

    /// Any head; `None` when the metric is not known yet or the time is none.
    #[inline(never)]
    fn unexpected<'t>(&mut self, row: &'t [u8]) -> Option<Head<'t>> {
        let guess = self.names.guess(row);
        if let Some(head) = self.last.get(guess).and_then(|last| last.as_ref()?.strip(row)) {
            self.names.came(guess);
            return Some(head);
        }
        let (metric, rest) = self.names.at_start(row)?;
        let (time, rest) = self.clock.at_start(rest)?;
        let place = self.names.last();
        if place >= self.last.len() {
            self.last.resize_with(place + 1, || None);
        }
        *self.last.get_mut(place)? = Last::new(row.get(..row.len() - rest.len())?, metric, time);
        Some((metric, time, rest))
    }

    /// The time that is this text; `None` when it is none.
    pub fn time(&mut self, text: &str) -> Option<Time> {
        let (time, _) = self.clock.at_start([text.as_bytes(), &[SEPARATOR]].concat().as_slice())?;
        Some(time)
    }

    /// Whether this text is a time.
    pub fn is_time(&self, text: &str) -> bool {
        self.clock.reads(text)
    }

    /// The metric of this name, from the sink when it is new.
    pub fn metric(&mut self, name: &str, sink: &mut dyn Sink) -> MetricId {
        self.names.of(name, sink)
    }
}

/// Longest beginning compared in one step; `http_req_tls_handshaking` and a Unix time have 36 bytes.
const LONGEST: usize = 48;

/// A beginning seen before, as words: comparing all of them takes no branch.
#[derive(Debug)]
struct Last {
    /// Its bytes, and zeros behind them.
    words: [u64; LONGEST / 8],
    /// Ones where it has bytes.
    mask: [u64; LONGEST / 8],
    length: usize,
    metric: Named,
    time: Time,
}

impl Last {
    /// `None` when the text is too long.
    fn new(text: &[u8], metric: Named, time: Time) -> Option<Self> {
        let (mut bytes, mut mask) = ([0; LONGEST], [0; LONGEST]);
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        mask.get_mut(..text.len())?.fill(u8::MAX);
        Some(Last { words: words(&bytes), mask: words(&mask), length: text.len(), metric, time })
    }

    /// What follows it in a row; `None` in a row that begins otherwise, or ends too soon to tell in one step.
    #[inline(always)]
    fn strip<'t>(&self, row: &'t [u8]) -> Option<Head<'t>> {
        let row_words = words(row.first_chunk()?);
        let mut differences = 0;
        for ((word, mask), found) in self.words.iter().zip(self.mask).zip(row_words) {
            differences |= (word ^ found) & mask;
        }
        if differences != 0 {
            return None;
        }
        Some((self.metric, self.time, row.get(self.length..)?))
    }
}

#[inline(always)]
fn words(bytes: &[u8; LONGEST]) -> [u64; LONGEST / 8] {
    let mut words = [0; LONGEST / 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_ne_bytes(*bytes);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::raw::names::tests::Numbers;

    #[test]
    fn every_row_has_its_own_metric_and_time() {
        let mut heads = Heads::new(TimeFormat::Seconds);
        let mut sink = Numbers(0);
        let names: Vec<String> = (1..60).map(|n| "metric_".repeat(9).chars().take(n).collect()).collect();
        for name in &names {
            assert!(heads.at_start(format!("{name},1754310780,1.5,a").as_bytes()).is_none());
            heads.metric(name, &mut sink);
        }
        // each time for all metrics, then each metric at all times; the rest of a row is long, short or nothing
        let times = [1_754_310_780, 1_754_310_781, 1_754_310_790, 1_754_310_780];
        let by_time = times.into_iter().flat_map(|time| (0..names.len()).map(move |metric| (metric, time)));
        let by_metric = (0..names.len()).flat_map(|metric| times.into_iter().map(move |time| (metric, time)));
        for (metric, time) in by_time.chain(by_metric) {
            for rest in [",,,true,,::setup,GET,https://example.com/with/a/long/path", ",", ""] {
                let row = format!("{},{time},1.500000{rest}", names[metric]);
                let read =
                    heads.at_start(row.as_bytes()).map(|begun| (begun.metric, begun.time, begun.value, begun.rest));
                let expected = (MetricId(metric + 1), Time::from_unix_seconds(time).unwrap(), 1.5, rest.as_bytes());
                assert_eq!(read, Some(expected), "{row}");
            }
        }
        for row in ["metric,17543107801,1", "metric,x,1", "metric,", "metric", "", "metricx,1754310780,1"] {
            assert!(heads.at_start(row.as_bytes()).is_none(), "{row}");
        }
    }
}
