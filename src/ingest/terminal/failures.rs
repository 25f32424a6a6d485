use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;

use super::log_line::{Level, LogLine};
use crate::ingest::summary_json::secrets;
use crate::model::{Exceptions, LogFailure, Time};

/// Texts of exceptions kept.
const MOST_EXCEPTION_TEXTS: usize = 10;

/// Failed requests and exceptions, added up over a log's entries.
#[derive(Debug, Default)]
pub(super) struct LogTally {
    failures: IndexMap<String, (u64, Option<(Time, Time)>)>,
    exceptions: IndexMap<String, u64>,
    outside_iterations: bool,
}

impl LogTally {
    pub fn add(&mut self, entry: &LogLine) {
        if entry.level == Level::Warning && entry.message == "Request Failed" {
            self.add_failure(entry);
        } else if ended_by_error(entry) {
            let in_iteration = entry.field("scenario").is_some() || entry.field("executor").is_some();
            if in_iteration {
                let first = entry.message.lines().next().unwrap_or_default();
                *self.exceptions.entry(without_addresses(first.trim())).or_default() += 1;
            } else {
                self.outside_iterations = true;
            }
        }
    }

    fn add_failure(&mut self, entry: &LogLine) {
        let error = cause(entry.field("error").unwrap_or_default());
        let (count, span) = self.failures.entry(error).or_insert((0, None));
        *count += 1;
        if let Some(time) = entry.time {
            let (first, last) = span.unwrap_or((time, time));
            *span = Some((first.min(time), last.max(time)));
        }
    }

    /// Both lists, most frequent first.
    pub fn finish(self) -> (Vec<LogFailure>, Exceptions) {
        let failures = self.failures.into_iter();
        let mut failures: Vec<_> = failures.map(|(error, (count, span))| LogFailure { error, count, span }).collect();
        failures.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.error.cmp(&b.error)));
        let count = self.exceptions.values().sum();
        let mut texts: Vec<_> = self.exceptions.into_iter().collect();
        texts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let texts = texts.into_iter().map(|(text, _)| text).take(MOST_EXCEPTION_TEXTS).collect();
        (failures, Exceptions { count, texts, outside_iterations: self.outside_iterations })
    }
}

/// True for an exception (or a rejected promise, which k6 logs without `source`) that ended an iteration, setup or teardown.
///
/// What the script itself writes with `console.error` has `source=console`; k6's verdict on thresholds and aborts has none of
/// these fields.
fn ended_by_error(entry: &LogLine) -> bool {
    let exception = entry.field("source") == Some("stacktrace") || entry.field("hint") == Some("script exception");
    let of_executor = entry.field("source").is_none() && entry.field("executor").is_some();
    entry.level == Level::Error && (exception || of_executor)
}

/// `Post "http://…": ` as Go's HTTP client prefixes every error.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"^[A-Z][A-Za-z]+ "[^"]*": "#).expect("a constant"));

/// `read tcp 127.0.0.1:45354->127.0.0.1:18086: `, and for names `lookup host on 192.0.2.53:53: `.
static OPERATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(dial|read|write) (?:tcp|udp|unix)[46]?(?: \S+)?: |^(lookup) \S+(?: on \S+)?: ").expect("a constant")
});

/// Addresses and names of machines, and what identifies one request.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r#"(?P<host>\b[a-z][a-z0-9+.-]*://[^\s"'<>]+"#,
        r"|\[[0-9a-f:]*:[0-9a-f:.]*\](?::\d+)?",
        r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b",
        r"|\b(?:[\w.+-]+@)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?\b)",
        r"|(?P<id>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b\d{5,}\b)",
        r"|(?P<stream>\b[Ss]tream ID \d+)",
    ];
    Regex::new(&parts.concat()).expect("a constant")
});

/// The error text without method, URL, addresses and ids: `connect: connection refused`, `lookup: no such host`.
fn cause(error: &str) -> String {
    let mut rest = REQUEST.replace(error.trim(), "").into_owned();
    let mut operation = None;
    while let Some(captures) = OPERATION.captures(&rest) {
        let end = captures.get(0).map_or(0, |m| m.end());
        operation = captures.get(1).or_else(|| captures.get(2)).map(|m| m.as_str().to_owned());
        rest = rest.get(end..).unwrap_or_default().to_owned();
    }
    // Go names the system call again, `read tcp …: read: connection reset by peer`; where it does not, the operation says more
    let names_call = ["connect: ", "read: ", "write: "].iter().any(|call| rest.starts_with(call));
    let text = match operation {
        Some(operation) if !names_call => format!("{operation}: {rest}"),
        _ => rest,
    };
    without_addresses(&text)
}

fn without_addresses(text: &str) -> String {
    // a secret first: it would no longer be known for one without its digits
    let masked = secrets::mask(text);
    let replaced = ADDRESS.replace_all(&masked, |found: &regex::Captures<'_>| {
        if found.name("host").is_some() {
            "{host}"
        } else if found.name("id").is_some() {
            "{id}"
        } else {
            "stream ID {id}"
        }
    });
    replaced.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_names_no_request_and_no_machine() {
        for (error, text) in [
            (r#"Post "http://127.0.0.1:18086/lock/1": request timeout"#, "request timeout"),
            (
                r#"Get "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused"#,
                "connect: connection refused",
            ),
            (
                r#"Get "http://h/": read tcp 127.0.0.1:45354->127.0.0.1:18086: read: connection reset by peer"#,
                "read: connection reset by peer",
            ),
            (r#"Get "http://no.invalid/": lookup no.invalid on 192.0.2.53:53: no such host"#, "lookup: no such host"),
            (r#"Get "https://h/": dial tcp: lookup no.invalid: no such host"#, "lookup: no such host"),
            (r#"Get "https://h/": dial tcp 192.0.2.1:443: i/o timeout"#, "dial: i/o timeout"),
            (r#"Get "https://h/": dial tcp [2001:db8::1]:443: i/o timeout"#, "dial: i/o timeout"),
            (r#"Get "https://h/": EOF"#, "EOF"),
            (
                r#"Get "https://h/": x509: certificate is valid for a.example.com, not b.example.com"#,
                "x509: certificate is valid for {host}, not {host}",
            ),
            (
                r#"Get "https://h/": stream error: stream ID 4711; INTERNAL_ERROR; received from peer"#,
                "stream error: stream ID {id}; INTERNAL_ERROR; received from peer",
            ),
            (
                r#"Get "https://h/": net/http: request canceled (Client.Timeout exceeded while awaiting headers)"#,
                "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
            ),
            ("", ""),
        ] {
            assert_eq!(cause(error), text);
        }
    }
}
