//! Walks two JSON values of one shape.

use serde_json::Value;

/// Leaves that are not compared.
pub struct Except {
    /// Keys and indices joined by `/`; `*` stands for any part of one, `**` for any number of them.
    pub path: &'static str,
    #[expect(dead_code, reason = "read by people")]
    pub why: &'static str,
    /// How many there are.
    pub values: usize,
}

/// What a walk over every leaf found.
#[derive(Default)]
pub struct Walk<'e> {
    /// Leaves that agree.
    pub compared: usize,
    /// Leaves of each exception.
    pub excepted: Vec<(&'e str, usize)>,
    /// Leaves that do not agree: path, wanted, found.
    pub differ: Vec<(String, Value, Value)>,
}

impl<'e> Walk<'e> {
    /// Compares every leaf of `wanted` with what stands at its place in `found`.
    pub fn of(wanted: &Value, found: &Value, except: &'e [Except]) -> Self {
        let mut walk = Walk { excepted: except.iter().map(|except| (except.path, 0)).collect(), ..Walk::default() };
        for (path, wanted) in leaves(wanted) {
            let whole = path.join("/");
            if let Some(at) = except.iter().position(|except| matches(except.path, &whole)) {
                walk.excepted[at].1 += 1;
                continue;
            }
            let found = path.iter().try_fold(found, |value, name| at(value, name)).cloned().unwrap_or_default();
            match same(wanted, &found) {
                true => walk.compared += 1,
                false => walk.differ.push((whole, wanted.clone(), found)),
            }
        }
        walk
    }
}

fn at<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    }
}

/// Every value that holds no other, with the way to it. An empty list is a value.
pub fn leaves(value: &Value) -> Vec<(Vec<String>, &Value)> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(fields) if !fields.is_empty() => fields.iter().map(|(k, v)| (k.clone(), v)).collect(),
        Value::Array(items) if !items.is_empty() => items.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect(),
        leaf => return vec![(Vec::new(), leaf)],
    };
    let within = |(name, part)| {
        leaves(part).into_iter().map(move |(path, leaf)| ([vec![String::clone(&name)], path].concat(), leaf))
    };
    parts.into_iter().flat_map(within).collect()
}

/// Every number in a value.
pub fn numbers(value: &Value) -> Vec<f64> {
    leaves(value).into_iter().filter_map(|(_, leaf)| leaf.as_f64()).collect()
}

/// Equal, numbers to the digits the truth is rounded to.
fn same(wanted: &Value, found: &Value) -> bool {
    match (wanted.as_f64(), found.as_f64()) {
        (Some(wanted), Some(found)) => near(found, wanted, 1e-8),
        _ => wanted == found,
    }
}

/// Equal within a share of the value; small values to the millionth.
pub fn near(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= (b.abs() * share).max(1e-6)
}

/// True for a path, its parts joined by `/`, that a pattern of [`Except`] is about.
pub fn matches(pattern: &str, path: &str) -> bool {
    fits(&pattern.split('/').collect::<Vec<_>>(), &path.split('/').collect::<Vec<_>>())
}

fn fits(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) if fits(rest, path) => true,
        (Some((&"**", _)), Some((_, path))) => fits(pattern, path),
        (Some((part, rest)), Some((name, path))) => part_fits(part, name) && fits(rest, path),
        _ => false,
    }
}

fn part_fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => {
            name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
        }
    }
}
