//! Times of rows: nearly always that of the row before.

use super::beginning::Beginning;
use super::number::whole;
use crate::model::Time;

/// Reads times, remembering the last one by its text.
#[derive(Debug)]
pub struct Clock<F> {
    /// The last text and the byte behind it.
    text: Option<Beginning>,
    time: Time,
    second: Option<Second>,
    /// What follows a time in the file.
    end: u8,
    parse: F,
}

impl<F: Fn(&str) -> Option<Time>> Clock<F> {
    /// A clock for a file in which a time ends before the byte `end`; it reads what it has not just seen with `parse`.
    pub fn new(end: u8, parse: F) -> Self {
        Clock { text: None, time: Time::from_unix_nanos(0), second: None, end, parse }
    }

    /// True when the text is a time.
    pub fn reads(&self, text: &str) -> bool {
        (self.parse)(text).is_some()
    }

    /// The time that stands at the beginning of `text`, and what follows the byte behind it; `None` when it is none.
    #[inline(always)]
    pub fn at_start<'t>(&mut self, text: &'t [u8]) -> Option<(Time, &'t [u8])> {
        match self.same(text) {
            Some(read) => Some(read),
            None => self.another(text),
        }
    }

    /// The same, if it is the time read last.
    #[inline(always)]
    pub fn same<'t>(&self, text: &'t [u8]) -> Option<(Time, &'t [u8])> {
        self.text.as_ref()?.strip(text).map(|rest| (self.time, rest))
    }

    #[inline(never)]
    fn another<'t>(&mut self, text: &'t [u8]) -> Option<(Time, &'t [u8])> {
        let head = text.get(..LONGEST).unwrap_or(text);
        let end = memchr::memchr(self.end, head)?;
        let (stamp, rest) = text.split_at_checked(end)?;
        self.time = match self.second.as_ref().and_then(|second| second.of(stamp)) {
            Some(time) => time,
            None => {
                let stamp = std::str::from_utf8(stamp).ok()?;
                self.second = Second::that_of(stamp, &self.parse);
                (self.parse)(stamp)?
            }
        };
        let read = text.get(..=end)?;
        match &mut self.text {
            Some(last) => last.replace(read),
            None => self.text = Some(Beginning::new(read)),
        }
        Some((self.time, rest.get(1..)?))
    }
}

/// Longest time there is: `2026-11-30T15:17:47.123456789+01:00`.
const LONGEST: usize = 40;

/// A second as RFC 3339 writes it: JSON output has another fraction of it for each request.
#[derive(Debug)]
struct Second {
    /// `2025-08-04T12:33:00`.
    text: [u8; SECOND],
    /// `Z` or `+02:00`.
    zone: Vec<u8>,
    start: Time,
}

const SECOND: usize = 19;
const NANOSECOND_DIGITS: usize = 9;

impl Second {
    /// The second a time lies in; `None` for any other way of writing times.
    fn that_of(stamp: &str, parse: impl Fn(&str) -> Option<Time>) -> Option<Self> {
        let (text, rest) = stamp.split_at_checked(SECOND)?;
        let zone = rest.trim_start_matches(['.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let has_clock = text.as_bytes().get(10) == Some(&b'T') && !zone.is_empty();
        let start = parse(&[text, zone].concat()).filter(|_| has_clock)?;
        Some(Second { text: text.as_bytes().try_into().ok()?, zone: zone.into(), start })
    }

    /// The time of a text in this second: with a fraction of up to nine digits, in the same zone.
    #[inline]
    fn of(&self, stamp: &[u8]) -> Option<Time> {
        let (text, rest) = stamp.split_first_chunk::<SECOND>()?;
        let fraction = rest.strip_suffix(self.zone.as_slice()).filter(|_| self.text == *text)?;
        let digits = fraction.strip_prefix(b".").filter(|digits| (1..=NANOSECOND_DIGITS).contains(&digits.len()))?;
        let missing = NANOSECOND_DIGITS - digits.len();
        let nanos = whole(digits)? as i64 * 10i64.pow(missing as u32);
        Some(Time::from_unix_nanos(self.start.unix_nanos().checked_add(nanos)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn padded(text: &str) -> Vec<u8> {
        format!("{text}{}", "x".repeat(60)).into_bytes()
    }

    #[test]
    fn a_time_is_parsed_once() {
        let calls = std::cell::Cell::new(0);
        let mut clock = Clock::new(b',', |text: &str| {
            calls.set(calls.get() + 1);
            Time::from_unix_seconds(text.parse().ok()?)
        });
        let at = |second| Time::from_unix_seconds(second).unwrap();
        let mut time = |text: &str| clock.at_start(&padded(text)).map(|(time, rest)| (time, rest.len() - 60));
        assert_eq!(time("17,x"), Some((at(17), 1)));
        assert_eq!(time("17,yz"), Some((at(17), 2)));
        assert_eq!(calls.get(), 1);
        assert_eq!(time("170,y"), Some((at(170), 1)));
        assert_eq!(time(""), None);
        assert_eq!(time("x,"), None);
        assert_eq!(time("170,"), Some((at(170), 0)));
        assert_eq!(clock.at_start(b"170,"), Some((at(170), &b""[..])));
        assert_eq!(clock.at_start(b"170"), None);
    }

    #[test]
    fn fractions_of_a_second_are_what_a_full_parser_makes_of_them() {
        let mut clock = Clock::new(b'"', |text: &str| Time::parse_rfc3339(text));
        for text in [
            "2025-08-04T12:33:00.123456789Z",
            "2025-08-04T12:33:00.5Z",
            "2025-08-04T12:33:00Z",
            "2025-08-04T12:33:00.000000001Z",
            "2025-08-04T12:33:00.000000001+02:00",
            "2025-08-04T12:33:00.25+02:00",
            "2025-08-04T12:33:00.25-00:30",
            "2025-08-04T12:33:59.999999999Z",
            "2025-08-04T12:33:60.5Z",
            "2025-08-04T12:33:60.25Z",
            "2025-08-04T12:33:60.75Z",
            "2025-08-04T12:34:00.1234567891Z",
            "1969-12-31T23:59:59.75Z",
            "1969-12-31T23:59:59.25Z",
        ] {
            let read = clock.at_start(&padded(&format!("{text}\","))).map(|(time, _)| time);
            assert_eq!(read, Time::parse_rfc3339(text), "{text}");
        }
        for text in
            ["2025-08-04T12:33:00.Z", "2025-08-04T12:33:00.5", "2025-08-04T12:33:00.5xZ", "2025-08-04T12:33:00.5ZZ"]
        {
            assert!(clock.at_start(&padded("2025-08-04T12:33:00.25Z\"")).is_some());
            assert_eq!(clock.at_start(&padded(&format!("{text}\""))), None, "{text}");
        }
    }
}
