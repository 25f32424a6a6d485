//! `evidence.json`: readable in a diff, small on disk.

use serde_json::Value;

use crate::model::Evidence;

/// Longest object or list of objects that stays on one line.
const LINE: usize = 120;

/// Writes evidence as JSON: an object a line where it fits, series of numbers on one line, two spaces of indent.
pub fn evidence_json(evidence: &Evidence) -> String {
    // plain data with string keys: there is nothing that cannot be serialised
    let value = serde_json::to_value(evidence).unwrap_or(Value::Null);
    let mut text = String::new();
    write(&value, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let compact = value.to_string();
    match value {
        Value::Array(items) if !items.iter().any(Value::is_object) => text.push_str(&compact),
        Value::Array(_) | Value::Object(_) if compact.len() + 2 * depth <= LINE => text.push_str(&compact),
        Value::Array(items) => {
            let parts = items.iter().map(|item| (None, item));
            block('[', ']', parts, depth, text);
        }
        Value::Object(fields) => {
            let parts = fields.iter().map(|(key, item)| (Some(key), item));
            block('{', '}', parts, depth, text);
        }
        _ => text.push_str(&compact),
    }
}

fn block<'a>(
    open: char,
    close: char,
    parts: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    depth: usize,
    text: &mut String,
) {
    text.push(open);
    for (index, (key, item)) in parts.enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth + 1));
        if let Some(key) = key {
            text.push_str(&Value::from(key.as_str()).to_string());
            text.push_str(": ");
        }
        write(item, depth + 1, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
    text.push(close);
}
