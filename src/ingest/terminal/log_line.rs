use std::sync::LazyLock;

use regex::Regex;

use crate::model::Time;

/// One entry of k6's own log, whatever its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogLine {
    pub level: Level,
    pub message: String,
    /// Absent on a terminal, which prints whole seconds since the start instead.
    pub time: Option<Time>,
    fields: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Warning,
    Error,
    /// Any other: of no interest here.
    Other,
}

impl Level {
    fn named(name: &str) -> Self {
        match name {
            "warning" | "warn" | "WARN" => Level::Warning,
            "error" | "ERRO" => Level::Error,
            _ => Level::Other,
        }
    }
}

impl LogLine {
    /// The value of a field, `error` or `source`.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// On a terminal the fields of an exception stand behind the last line of its stack trace.
    pub fn take_fields_of_stack_frame(&mut self, text: &str) {
        let (_, fields) = split_fields(text);
        self.fields.extend(fields);
    }
}

/// The level on a terminal, `WARN[0006] `, and what follows.
static TERMINAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(TRAC|DEBU|INFO|WARN|ERRO|FATA|PANI)\[\d+\] +(.*)$").expect("a constant"));

/// Where the fields behind a message may begin.
static FIELD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\s[A-Za-z_][\w.]*=").expect("a constant"));

/// Places tried as the beginning of the fields, so that a hostile line costs no more than that many passes.
const MOST_FIELD_STARTS: usize = 32;

/// Reads a line of k6's log in any of its formats: logfmt, a terminal's, JSON. `None` for any other line.
pub(super) fn parse(text: &str) -> Option<LogLine> {
    if text.starts_with('{') {
        from_json(text)
    } else if text.starts_with("time=") || text.starts_with("level=") {
        from_fields(fields(text)?)
    } else {
        let captures = TERMINAL.captures(text)?;
        let (message, fields) = split_fields(captures.get(2)?.as_str());
        let level = Level::named(captures.get(1)?.as_str());
        Some(LogLine { level, message: message.trim_end().to_owned(), time: None, fields })
    }
}

/// True for a line of a stack trace: indented `at default (file:///script.js:42:35(20))`.
pub(super) fn is_stack_frame(text: &str) -> bool {
    text.starts_with([' ', '\t']) && text.trim_start().starts_with("at ") && text.contains('(')
}

fn from_json(text: &str) -> Option<LogLine> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    let text_of = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    from_fields(object.into_iter().map(|(key, value)| (key, text_of(value))).collect())
}

fn from_fields(mut fields: Vec<(String, String)>) -> Option<LogLine> {
    let mut take = |key: &str| fields.iter().position(|(k, _)| k == key).map(|i| fields.remove(i).1);
    let level = take("level")?;
    let message = take("msg")?;
    let time = take("time").and_then(|time| Time::parse_rfc3339(&time));
    Some(LogLine { level: Level::named(&level), message, time, fields })
}

/// The message and the `key=value` fields behind it.
fn split_fields(text: &str) -> (&str, Vec<(String, String)>) {
    let starts = FIELD.find_iter(text).take(MOST_FIELD_STARTS).map(|found| found.start());
    for start in starts {
        let (message, rest) = text.split_at(start);
        if let Some(fields) = fields(rest) {
            return (message, fields);
        }
    }
    (text, Vec::new())
}

/// All of `text` as `key=value` with bare or quoted values; `None` when any of it is not that.
fn fields(text: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=')?;
        if key.is_empty() || key.contains(char::is_whitespace) {
            return None;
        }
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => unquote(quoted)?,
            None => {
                let end = after.find(char::is_whitespace).unwrap_or(after.len());
                let (value, after) = after.split_at(end);
                (value.to_owned(), after)
            }
        };
        found.push((key.to_owned(), value));
        rest = after.trim_start();
    }
    Some(found)
}

/// The text up to the closing quote, with Go's escapes undone, and what follows the quote; `None` without a closing quote.
fn unquote(quoted: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut chars = quoted.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Some((text, quoted.get(i + 1..)?)),
            '\\' => match chars.next()?.1 {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'x' => text.push(escaped(&mut chars, 2)),
                'u' => text.push(escaped(&mut chars, 4)),
                'U' => text.push(escaped(&mut chars, 8)),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    None
}

fn escaped(chars: &mut std::str::CharIndices<'_>, digits: usize) -> char {
    let hex: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
    u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_formats_say_the_same() {
        let texts = [
            r#"time="2026-11-30T15:13:50Z" level=warning msg="Request Failed" error="Get \"http://h/x\": request timeout""#,
            r#"WARN[0006] Request Failed                                error="Get \"http://h/x\": request timeout""#,
            r#"{"error":"Get \"http://h/x\": request timeout","level":"warning","msg":"Request Failed","time":"2026-11-30T15:13:50Z"}"#,
        ];
        for text in texts {
            let entry = parse(text).unwrap();
            assert_eq!(entry.level, Level::Warning, "{text}");
            assert_eq!(entry.message, "Request Failed");
            assert_eq!(entry.field("error"), Some(r#"Get "http://h/x": request timeout"#));
            let time = entry.time.map(|t| t.to_string());
            assert!(time.as_deref().is_none_or(|t| t == "2026-11-30T15:13:50Z"));
            assert_eq!(time.is_none(), text.starts_with("WARN"));
        }
    }

    #[test]
    fn an_equals_sign_in_a_message_is_no_field() {
        let entry = parse("INFO[0001] a = b and c=d, so there    source=console").unwrap();
        assert_eq!(entry.message, "a = b and c=d, so there");
        assert_eq!(entry.field("source"), Some("console"));
    }

    #[test]
    fn other_lines_are_no_log_lines() {
        for text in [
            "time=5",
            r#"{"metric":"http_reqs"}"#,
            "{ expected_response:true }...: avg=1ms",
            "WARN no",
            r#"time="x level="#,
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
