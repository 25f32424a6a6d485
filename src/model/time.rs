use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A moment in UTC with nanosecond resolution, as nanoseconds since the Unix epoch.
///
/// Covers 1970 to 2262. Serialises as RFC 3339 with `Z`, whole seconds where there is no fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// From whole seconds since the epoch; `None` beyond the range of nanoseconds in 64 bits.
    pub fn from_unix_seconds(seconds: i64) -> Option<Self> {
        seconds.checked_mul(1_000_000_000).map(Time)
    }

    /// From nanoseconds since the epoch.
    pub fn from_unix_nanos(nanos: i64) -> Self {
        Time(nanos)
    }

    /// Reads RFC 3339 with any offset; `None` when the text is not that.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok()?.timestamp_nanos_opt().map(Time)
    }

    /// The second it lies in, floored, since the epoch.
    pub fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000_000)
    }

    /// Nanoseconds since the epoch.
    pub fn unix_nanos(self) -> i64 {
        self.0
    }

    /// The same moment without its fraction of a second.
    pub fn floor_to_second(self) -> Self {
        Time(self.0 - self.0.rem_euclid(1_000_000_000))
    }

    /// The moment as chrono knows it.
    pub fn to_utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_nanos(self.0)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_utc().to_rfc3339_opts(SecondsFormat::AutoSi, true))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Time::parse_rfc3339(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not an RFC 3339 time")))
    }
}

/// An inclusive span of UTC seconds, from the first to the last test-phase sample of any metric.
///
/// `vus` samples never open or close it. A run of one second has `start == end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// First second, since the epoch.
    pub start: i64,
    /// Last second, since the epoch; never before `start`.
    pub end: i64,
}

impl Window {
    /// Whole seconds, both ends counted.
    pub fn seconds(self) -> u64 {
        (self.end - self.start) as u64 + 1
    }

    /// True when the two share a second.
    pub fn overlaps(self, other: Window) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// The smallest window that holds this one and `second`.
    pub fn widened_to(self, second: i64) -> Window {
        Window { start: self.start.min(second), end: self.end.max(second) }
    }
}
