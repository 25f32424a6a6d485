//! Writes what `k6 run --out csv=FILE` and `--out json=FILE` write, of any size, without k6.
//!
//! The same settings give the same bytes, and both forms hold the same samples. Nothing here is measured: it is made up so
//! that a reader meets everything that real files hold.

use std::fmt::Write as _;
use std::io::{self, Write};

/// What to write.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Another seed gives other values.
    pub seed: u64,
    /// Requests of the test phase.
    pub requests: u64,
    /// Length of the test phase in seconds.
    pub seconds: u64,
    /// Custom trends, one of which each request has.
    pub trends: u64,
    /// Share of requests that fail, in percent.
    pub failed_percent: u64,
    /// Distinct values of `url`; 0 for a new one with each request.
    pub urls: u64,
    /// Rows in a thousand whose texts hold commas, quotes or line breaks.
    pub quirks: u64,
    /// A tag with a comma on every row, so that every row has quotes.
    pub extra_tags: bool,
    /// Requests in a thousand that stand up to two seconds after their time.
    pub late: u64,
    /// How the CSV writes times.
    pub times: Times,
    /// Columns of the CSV besides the first three.
    pub columns: &'static [&'static str],
}

/// `K6_CSV_TIME_FORMAT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)] // each user of this module needs some
pub enum Times {
    /// Seconds since the epoch.
    Unix,
    /// Milliseconds.
    UnixMilli,
    /// Nanoseconds.
    UnixNano,
    /// RFC 3339, seconds, an hour ahead of UTC.
    Rfc3339,
    /// RFC 3339 with nanoseconds.
    Rfc3339Nano,
}

/// The columns of k6's default system tags.
pub const DEFAULT_COLUMNS: &[&str] = &[
    "check",
    "error",
    "error_code",
    "expected_response",
    "group",
    "method",
    "name",
    "proto",
    "scenario",
    "service",
    "status",
    "subproto",
    "tls_version",
    "url",
    "extra_tags",
    "metadata",
];

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            requests: 1_000,
            seconds: 60,
            trends: 4,
            failed_percent: 1,
            urls: 0,
            quirks: 0,
            extra_tags: false,
            late: 0,
            times: Times::Unix,
            columns: DEFAULT_COLUMNS,
        }
    }
}

/// 2026-11-30 15:10:00 UTC.
const START: u64 = 1_796_051_400;

const REQUEST_TRENDS: [&str; 7] = [
    "http_req_duration",
    "http_req_blocked",
    "http_req_connecting",
    "http_req_tls_handshaking",
    "http_req_sending",
    "http_req_waiting",
    "http_req_receiving",
];

/// Where rows go, in either form or both.
struct Output<'w> {
    csv: Option<&'w mut dyn Write>,
    json: Option<&'w mut dyn Write>,
    declared: std::collections::BTreeSet<String>,
    settings: Settings,
    text: String,
}

/// Writes the whole file in the forms that are wanted.
pub fn generate<'w>(
    settings: &Settings,
    csv: Option<&'w mut dyn Write>,
    json: Option<&'w mut dyn Write>,
) -> io::Result<()> {
    let mut out = Output { csv, json, declared: Default::default(), settings: settings.clone(), text: String::new() };
    out.header()?;
    let mut random = Random(settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let setup = Tags::default().with("group", "::setup");
    let first = START * 1_000_000_000 + 123_456_789;
    out.request(&mut random, first, &setup, "POST", "https://bench.example.net/setup", 0)?;
    for n in 0..settings.requests {
        let at = first + 1_000_000_000 + n * settings.seconds * 1_000_000_000 / settings.requests.max(1);
        if n * settings.seconds / settings.requests.max(1) != (n + 1) * settings.seconds / settings.requests.max(1) {
            out.sample("vus", "gauge", at, 50.0, &Tags::default())?;
            out.sample("vus_max", "gauge", at, 50.0, &Tags::default())?;
        }
        out.iteration(&mut random, n, at)?;
    }
    let teardown = Tags::default().with("group", "::teardown");
    let last = first + (settings.seconds + 2) * 1_000_000_000;
    out.request(&mut random, last, &teardown, "DELETE", "https://bench.example.net/teardown", 0)
}

/// Tags of one row, in order of name.
#[derive(Debug, Clone, Default)]
struct Tags(Vec<(&'static str, String)>);

impl Tags {
    fn with(mut self, key: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        match self.0.binary_search_by(|(k, _)| (*k).cmp(key)) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (key, value)),
        }
        self
    }
}

/// Xorshift: repeatable on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn per_mille(&mut self, n: u64) -> bool {
        self.below(1000) < n
    }

    /// Milliseconds with six decimals, most of them around `middle`.
    fn millis(&mut self, middle: u64) -> f64 {
        let spread = middle * 1_000_000;
        let nanos =
            spread / 2 + self.below(spread) + if self.below(50) == 0 { spread * (1 + self.below(8)) } else { 0 };
        nanos as f64 / 1e6
    }
}

impl Output<'_> {
    fn header(&mut self) -> io::Result<()> {
        let columns = self.settings.columns;
        match &mut self.csv {
            Some(csv) => writeln!(
                csv,
                "metric_name,timestamp,metric_value{}{}",
                if columns.is_empty() { "" } else { "," },
                columns.join(",")
            ),
            None => Ok(()),
        }
    }

    /// One request with its trend and check, and every third time the end of an iteration.
    fn iteration(&mut self, random: &mut Random, n: u64, at: u64) -> io::Result<()> {
        let at = if random.per_mille(self.settings.late) { at - random.below(2_000_000_000) } else { at };
        let base = Tags::default().with("group", "").with("scenario", "default");
        let id = match self.settings.urls {
            0 => n,
            urls => random.below(urls),
        };
        let step = n % self.settings.trends.max(1);
        let url = match random.per_mille(self.settings.quirks) {
            true => format!("https://bench.example.net/step{step}/search?q=\"a\",b&id={id}"),
            false => format!("https://bench.example.net/step{step}/users/{}?session={id}", id + 1000),
        };
        let failed = random.below(100) < self.settings.failed_percent;
        let kind = if failed { 1 + random.below(4) } else { 0 };
        self.request(random, at, &base, "GET", &url, kind)?;
        let value = random.millis(20 + step);
        self.sample(&format!("step_{step}_duration"), "trend", at, value, &base)?;
        let quirk = random.per_mille(self.settings.quirks);
        let name = if quirk { format!("step {step}, \"really\" ok") } else { format!("step {step} ok") };
        self.sample("checks", "rate", at, if failed { 0.0 } else { 1.0 }, &base.clone().with("check", name))?;
        if n % 3 == 2 {
            self.sample("data_sent", "counter", at, 1200.0, &base)?;
            self.sample("data_received", "counter", at, 34_567.0, &base)?;
            self.sample("iteration_duration", "trend", at, (value * 3e6).round() / 1e6, &base)?;
            self.sample("iterations", "counter", at, 1.0, &base)?;
        }
        Ok(())
    }

    fn request(
        &mut self,
        random: &mut Random,
        at: u64,
        base: &Tags,
        method: &str,
        url: &str,
        kind: u64,
    ) -> io::Result<()> {
        let quirk = random.per_mille(self.settings.quirks);
        let (status, code, error) = match kind {
            0 => ("200", "", ""),
            1 => ("503", "1503", ""),
            2 => ("0", "1050", "request timeout"),
            3 if quirk => ("0", "1000", "unexpected \"end\",\nof file"),
            3 => ("0", "1212", "dial: connection refused"),
            _ => ("429", "1429", ""),
        };
        let mut tags = base.clone().with("method", method).with("name", url).with("url", url).with("proto", "HTTP/2.0");
        tags = tags.with("status", status).with("tls_version", "tls1.3");
        tags = tags.with("expected_response", if kind == 0 { "true" } else { "false" });
        if kind != 0 {
            tags = tags.with("error_code", code).with("error", error);
        }
        self.sample("http_reqs", "counter", at, 1.0, &tags)?;
        for (n, name) in REQUEST_TRENDS.iter().enumerate() {
            let value = if kind == 2 && n == 0 { 60_000.0 } else { random.millis(2 + 20 * u64::from(n == 0)) };
            self.sample(name, "trend", at, if n == 2 { 0.0 } else { value }, &tags)?;
        }
        self.sample("http_req_failed", "rate", at, if kind == 0 { 0.0 } else { 1.0 }, &tags)
    }

    fn sample(&mut self, metric: &str, kind: &str, at: u64, value: f64, tags: &Tags) -> io::Result<()> {
        if self.csv.is_some() {
            self.csv_row(metric, at, value, tags)?;
        }
        if self.json.is_some() {
            self.json_line(metric, kind, at, value, tags)?;
        }
        Ok(())
    }

    fn csv_row(&mut self, metric: &str, at: u64, value: f64, tags: &Tags) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let _ = write!(text, "{metric},");
        push_time(&mut text, at, self.settings.times);
        let _ = write!(text, ",{value:.6}");
        for column in self.settings.columns {
            text.push(',');
            match (*column, tags.0.iter().find(|(key, _)| key == column)) {
                ("extra_tags", _) if self.settings.extra_tags && !tags.0.is_empty() => {
                    text.push_str("\"build=v4, rc 2&region=eu\"")
                }
                (_, Some((_, value))) => push_field(&mut text, value),
                _ => {}
            }
        }
        text.push('\n');
        let written = self.csv.as_mut().map_or(Ok(()), |csv| csv.write_all(text.as_bytes()));
        self.text = text;
        written
    }

    fn json_line(&mut self, metric: &str, kind: &str, at: u64, value: f64, tags: &Tags) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        if self.declared.insert(metric.to_owned()) {
            let contains = match metric {
                "data_sent" | "data_received" => "data",
                _ if kind == "trend" => "time",
                _ => "default",
            };
            let _ = writeln!(
                text,
                r#"{{"type":"Metric","data":{{"name":"{metric}","type":"{kind}","contains":"{contains}","thresholds":[],"submetrics":null}},"metric":"{metric}"}}"#
            );
        }
        let _ = write!(text, r#"{{"metric":"{metric}","type":"Point","data":{{"time":""#);
        push_time(&mut text, at, Times::Rfc3339Nano);
        let _ = write!(text, r#"","value":{value},"tags":{{"#);
        let extra = (self.settings.extra_tags && !tags.0.is_empty()).then(|| ("build", "v4, rc 2".to_owned()));
        for (n, (key, value)) in extra.iter().chain(&tags.0).enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = write!(text, r#"{}"{key}":"{value}""#, if n == 0 { "" } else { "," });
        }
        text.push_str("}}}\n");
        let written = self.json.as_mut().map_or(Ok(()), |json| json.write_all(text.as_bytes()));
        self.text = text;
        written
    }
}

/// As Go's `encoding/csv` does.
fn push_field(text: &mut String, value: &str) {
    match value.contains([',', '"', '\n']) {
        true => {
            let _ = write!(text, "\"{}\"", value.replace('"', "\"\""));
        }
        false => text.push_str(value),
    }
}

fn push_time(text: &mut String, at: u64, times: Times) {
    let (seconds, nanos) = (at / 1_000_000_000, at % 1_000_000_000);
    let of_day = (seconds + if times == Times::Rfc3339 { 3600 } else { 0 }) % 86_400;
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    let day = 30 + (seconds % 86_400 < START % 86_400) as u64; // no file is longer than a day
    let date = if day == 30 { "2026-11-30" } else { "2026-12-01" };
    let _ = match times {
        Times::Unix => write!(text, "{seconds}"),
        Times::UnixMilli => write!(text, "{}", at / 1_000_000),
        Times::UnixNano => write!(text, "{at}"),
        Times::Rfc3339 => write!(text, "{date}T{hour:02}:{minute:02}:{second:02}+01:00"),
        Times::Rfc3339Nano => {
            let fraction = format!("{nanos:09}");
            let fraction = fraction.trim_end_matches('0');
            let dot = if fraction.is_empty() { "" } else { "." };
            write!(text, "{date}T{hour:02}:{minute:02}:{second:02}{dot}{fraction}Z")
        }
    };
}
