//! How k6's CSV output writes times.

use crate::model::Time;

/// `K6_CSV_TIME_FORMAT`, told by the number of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeFormat {
    Seconds,
    Millis,
    Micros,
    Nanos,
    Rfc3339,
}

impl TimeFormat {
    pub fn of(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        match (digits, text.len()) {
            (true, 9..=11) => Some(TimeFormat::Seconds),
            (true, 12..=14) => Some(TimeFormat::Millis),
            (true, 15..=17) => Some(TimeFormat::Micros),
            (true, 18..=20) => Some(TimeFormat::Nanos),
            (true, _) => None,
            (false, _) => Time::parse_rfc3339(text).map(|_| TimeFormat::Rfc3339),
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            TimeFormat::Seconds => "Unix seconds",
            TimeFormat::Millis => "Unix milliseconds",
            TimeFormat::Micros => "Unix microseconds",
            TimeFormat::Nanos => "Unix nanoseconds",
            TimeFormat::Rfc3339 => "RFC 3339",
        }
    }

    pub fn parse(self, text: &str) -> std::result::Result<Time, String> {
        let scale = match self {
            TimeFormat::Seconds => 1_000_000_000,
            TimeFormat::Millis => 1_000_000,
            TimeFormat::Micros => 1_000,
            TimeFormat::Nanos => 1,
            TimeFormat::Rfc3339 => {
                let time = Time::parse_rfc3339(text);
                return time
                    .ok_or_else(|| format!("expected an RFC 3339 time as in the rows before, found `{text}`"))
                    .and_then(plausible);
            }
        };
        let number: i64 = text
            .parse()
            .map_err(|_| format!("expected a time in {} as in the rows before, found `{text}`", self.words()))?;
        match number.checked_mul(scale).map(Time::from_unix_nanos) {
            Some(time) => plausible(time),
            None => Err(absurd(number as f64 * scale as f64 / 1e9)),
        }
    }
}

/// Refuses times before 2000 and from 2100 on: a wrong unit turns this year into 1970 or 58884.
pub(in crate::ingest) fn plausible(time: Time) -> std::result::Result<Time, String> {
    const FROM: i64 = 946_684_800;
    const TO: i64 = 4_102_444_800;
    match (FROM..TO).contains(&time.unix_seconds()) {
        true => Ok(time),
        false => Err(absurd(time.unix_seconds() as f64)),
    }
}

fn absurd(seconds: f64) -> String {
    let year = 1970.0 + (seconds / 31_556_952.0).floor();
    format!("expected a time between the years 2000 and 2099, found one in the year {year}")
}
