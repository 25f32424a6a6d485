use serde_json::{Map, Value};

use super::words::utc;
use super::{RowId, RowInput};
use crate::model::{Fault, Result, Time};
use crate::notation::escape;

/// The feature flags as a page lists them, when the fact is JSON; `None` leaves a fact in Markdown as it is.
///
/// A capture has `flags` (each with `name`, `value` and `source`), `capturedAt` and optionally `sequence` and `changedAt`.
/// Any other JSON object is shown as `name: value` lines.
///
/// # Errors
///
/// Fails on a capture without a readable `capturedAt`, with a flag that has no name or value, and on one taken after the
/// test began: it says nothing of the run.
pub(super) fn feature_flags(input: &RowInput<'_>) -> Result<Option<String>> {
    let Some(Value::Object(capture)) = input.fact(RowId::FeatureFlags).and_then(|text| serde_json::from_str(text).ok())
    else {
        return Ok(None);
    };
    let Some(Value::Array(flags)) = capture.get("flags") else {
        let lines: Vec<String> =
            capture.iter().map(|(name, value)| format!("{}: {}", escape::cell(name), plain(value))).collect();
        return Ok(Some(lines.join("<br/>")));
    };
    let flags = flags.iter().map(Flag::read).collect::<Result<Vec<_>>>()?;
    let mut lines = Vec::new();
    // flags with a list go last, or the list's end could not be told from the next flag
    let (lists, single): (Vec<&Flag>, Vec<&Flag>) =
        flags.iter().filter(|f| f.enabled()).partition(|f| f.value.is_array());
    push_line(&mut lines, "Enabled", single.into_iter().chain(lists).map(Flag::as_enabled));
    push_line(&mut lines, "Disabled", flags.iter().filter(|f| !f.enabled()).map(Flag::as_disabled));
    lines.push(captured(&capture, input.evidence.window.map(|window| window.start))?);
    Ok(Some(lines.join("<br/>")))
}

fn push_line(lines: &mut Vec<String>, title: &str, flags: impl Iterator<Item = String>) {
    let flags: Vec<String> = flags.collect();
    if !flags.is_empty() {
        lines.push(format!("{title}: {}", flags.join(", ")));
    }
}

struct Flag<'a> {
    name: &'a str,
    value: &'a Value,
    source: Option<&'a str>,
}

impl<'a> Flag<'a> {
    fn read(flag: &'a Value) -> Result<Self> {
        let name = flag.get("name").and_then(Value::as_str);
        let (Some(name), Some(value)) = (name, flag.get("value")) else {
            return Err(Fault::new("capture of feature flags: expected `name` and `value` in every flag"));
        };
        Ok(Flag { name, value, source: flag.get("source").and_then(Value::as_str) })
    }

    fn enabled(&self) -> bool {
        match self.value {
            Value::Bool(on) => *on,
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            _ => true,
        }
    }

    fn as_enabled(&self) -> String {
        let source = self.source.map(|s| format!(" ({})", escape::cell(s))).unwrap_or_default();
        let value = if self.value == &Value::Bool(true) { String::new() } else { format!(": {}", plain(self.value)) };
        format!("{}{source}{value}", escape::cell(self.name))
    }

    fn as_disabled(&self) -> String {
        // switched off on purpose or never switched on: only the source tells
        match self.source.filter(|source| *source != "default") {
            Some(source) => format!("{} (explicitly false at {})", escape::cell(self.name), escape::cell(source)),
            None => escape::cell(self.name),
        }
    }
}

fn captured(capture: &Map<String, Value>, start: Option<Time>) -> Result<String> {
    let time = |key: &str| capture.get(key).and_then(Value::as_str).and_then(Time::parse_rfc3339);
    let Some(at) = time("capturedAt") else {
        return Err(Fault::new("capture of feature flags: expected an RFC 3339 time in `capturedAt`"));
    };
    if let Some(start) = start.filter(|start| at >= *start) {
        let message = format!("feature flags were captured at {}, after Test start {}", utc(at), utc(start));
        return Err(Fault::new(message).hint("capture the flags before the run, or state them as text"));
    }
    let mut details = vec![utc(at)];
    if let Some(sequence) = capture.get("sequence") {
        details.push(format!("sequence {}", plain(sequence)));
    }
    if let Some(changed) = time("changedAt") {
        details.push(format!("last changed {}", utc(changed)));
    }
    let when = if start.is_some() { "Captured before the run" } else { "Captured" };
    let (at, more) = details.split_first().map(|(at, more)| (at.as_str(), more.join(", "))).unwrap_or_default();
    Ok(if more.is_empty() { format!("{when} ({at})") } else { format!("{when} ({at}; {more})") })
}

/// A JSON value in words: lists joined by comma, texts without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => escape::cell(text),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => escape::cell(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;
    use crate::model::{Evidence, EvidenceWindow, WindowBasis};

    const CAPTURE: &str = r#"{"capturedAt": "2026-05-02T09:00:31Z", "sequence": 7, "changedAt": "2026-05-02T08:54:12Z", "flags": [
        {"name": "fastPath", "value": ["LIST_A", "LIST_B"], "source": "instance"},
        {"name": "login", "value": true, "source": "instance"},
        {"name": "oldUi", "value": false, "source": "instance"},
        {"name": "schema", "value": false, "source": "default"}]}"#;

    fn cell(fact: &str, start: Option<&str>) -> Result<Option<String>> {
        let window =
            start.and_then(Time::parse_rfc3339).map(|t| EvidenceWindow { start: t, end: t, basis: WindowBasis::Test });
        let evidence = Evidence { window, ..Evidence::default() };
        let facts = IndexMap::from([("X feature flags".to_owned(), fact.to_owned())]);
        feature_flags(&RowInput {
            evidence: &evidence,
            product: "X",
            version: None,
            facts: &facts,
            expected_vus: None,
            baseline: None,
        })
    }

    #[test]
    fn a_capture_lists_what_is_on_and_off_and_when_it_was_taken() {
        assert_eq!(
            cell(CAPTURE, Some("2026-05-02T09:10:00Z")).unwrap().unwrap(),
            "Enabled: login (instance), fastPath (instance): LIST_A, LIST_B<br/>\
             Disabled: oldUi (explicitly false at instance), schema<br/>\
             Captured before the run (2026-05-02 09:00:31 UTC; sequence 7, last changed 2026-05-02 08:54:12 UTC)"
        );
        assert!(cell(CAPTURE, None).unwrap().unwrap().contains("<br/>Captured (2026-05-02 09:00:31 UTC"));
    }

    #[test]
    fn a_capture_after_the_start_says_nothing_of_the_run() {
        let fault = cell(CAPTURE, Some("2026-05-02T08:00:00Z")).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "feature flags were captured at 2026-05-02 09:00:31 UTC, after Test start 2026-05-02 08:00:00 UTC"
        );
    }

    #[test]
    fn another_object_is_shown_line_by_line_and_text_is_left_alone() {
        let object = r#"{"webKey": true, "limit": 3, "mode": "a|b", "list": ["x", "y"]}"#;
        assert_eq!(
            cell(object, None).unwrap().as_deref(),
            Some("webKey: true<br/>limit: 3<br/>mode: a\\|b<br/>list: x, y")
        );
        assert_eq!(cell("webKey: **true**", None).unwrap(), None);
    }

    #[test]
    fn a_capture_without_its_time_or_a_flags_name_is_refused() {
        assert!(cell(r#"{"flags": []}"#, None).unwrap_err().to_string().contains("`capturedAt`"));
        let nameless = r#"{"capturedAt": "2026-05-02T09:00:31Z", "flags": [{"value": true}]}"#;
        assert!(cell(nameless, None).unwrap_err().to_string().contains("`name` and `value`"));
    }
}
