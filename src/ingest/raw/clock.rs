//! Times of rows: nearly always that of the row before.

use super::starts_with;
use crate::model::Time;

/// Reads times, remembering the last one by its text.
#[derive(Debug)]
pub struct Clock<F> {
    text: Vec<u8>,
    time: Time,
    parse: F,
}

/// Longest time there is: `2026-11-30T15:17:47.123456789+01:00`.
const LONGEST: usize = 40;

impl<F: Fn(&str) -> Option<Time>> Clock<F> {
    /// A clock that reads what it has not just seen with `parse`.
    pub fn new(parse: F) -> Self {
        Clock { text: Vec::new(), time: Time::from_unix_nanos(0), parse }
    }

    /// True when the text is a time.
    pub fn reads(&self, text: &str) -> bool {
        (self.parse)(text).is_some()
    }

    /// The time that stands at the beginning of `text`, up to `end`, and what follows `end`; `None` when it is none.
    #[inline]
    pub fn at_start<'t>(&mut self, text: &'t [u8], end: u8) -> Option<(Time, &'t [u8])> {
        if starts_with(text, &self.text)
            && let Some([found, rest @ ..]) = text.get(self.text.len()..)
            && *found == end
            && !self.text.is_empty()
        {
            return Some((self.time, rest));
        }
        let head = text.get(..LONGEST).unwrap_or(text);
        let (stamp, rest) = text.split_at_checked(memchr::memchr(end, head)?)?;
        self.time = (self.parse)(std::str::from_utf8(stamp).ok()?)?;
        self.text.clear();
        self.text.extend_from_slice(stamp);
        Some((self.time, rest.get(1..)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_parsed_once() {
        let calls = std::cell::Cell::new(0);
        let mut clock = Clock::new(|text: &str| {
            calls.set(calls.get() + 1);
            Time::from_unix_seconds(text.parse().ok()?)
        });
        let at = |second| Time::from_unix_seconds(second).unwrap();
        assert_eq!(clock.at_start(b"17,x", b','), Some((at(17), &b"x"[..])));
        assert_eq!(clock.at_start(b"17,y", b','), Some((at(17), &b"y"[..])));
        assert_eq!(calls.get(), 1);
        assert_eq!(clock.at_start(b"170,y", b','), Some((at(170), &b"y"[..])));
        assert_eq!(clock.at_start(b"", b','), None);
        assert_eq!(clock.at_start(b"x,", b','), None);
        assert_eq!(clock.at_start(b"170,", b','), Some((at(170), &b""[..])));
    }
}
