//! Values as protobuf writes them in JSON, in camel case or, by client libraries, in snake case.

use serde_json::Value;

use crate::model::Time;

/// A field under its camel-case name, or the same in snake case.
pub(super) fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).or_else(|| value.get(snake(name).as_str())).filter(|found| !found.is_null())
}

pub(super) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    field(value, name)?.as_str()
}

/// The elements of a list; none when the field is absent.
pub(super) fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> + Clone {
    field(value, name).and_then(Value::as_array).into_iter().flatten()
}

fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 2);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// A number, written bare or, as 64-bit integers and what is not finite are, as text.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => number_text(text),
        _ => None,
    }
}

/// A number as text, with every spelling of what is not finite.
pub(super) fn number_text(text: &str) -> Option<f64> {
    match text.trim() {
        "NaN" => Some(f64::NAN),
        "Infinity" | "+Inf" | "Inf" => Some(f64::INFINITY),
        "-Infinity" | "-Inf" => Some(f64::NEG_INFINITY),
        // Rust would also read `infinity` and `nan` in any case: the systems do not write them
        text if text.bytes().any(|b| b.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// A whole number from 0; absent is 0, as protobuf leaves zeros out.
pub(super) fn count(value: &Value, name: &str) -> Option<u64> {
    match field(value, name) {
        None => Some(0),
        Some(Value::String(text)) => text.parse().ok(),
        Some(other) => other.as_u64(),
    }
}

/// RFC 3339 with any offset, or `{seconds, nanos}`.
pub(super) fn time(value: &Value) -> Option<Time> {
    match value {
        Value::String(text) => Time::parse_rfc3339(text),
        Value::Object(parts) => {
            let part = |name: &str| match parts.get(name) {
                None => Some(0),
                Some(Value::String(text)) => text.parse().ok(),
                Some(other) => other.as_i64(),
            };
            let seconds = part("seconds").filter(|_| parts.contains_key("seconds"))?;
            seconds.checked_mul(1_000_000_000)?.checked_add(part("nanos")?).map(Time::from_unix_nanos)
        }
        _ => None,
    }
}
