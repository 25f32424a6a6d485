use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use regex::Regex;
use serde_json::Value;

use super::context::context;
use super::input::{Filled, PageInput, k6_summary};
use crate::model::{Fault, Place, Result};
use crate::notation::escape;
use crate::rows::{KnownRow, Row, find};

/// Largest edit distance of a name that is suggested for an unknown one.
const NEAR: usize = 3;

/// True for a template in Jinja's syntax. `{{ … }}` around anything but a name is JSX, as in `style={{ color: "red" }}`.
pub(super) fn is_jinja(source: &str) -> bool {
    static MARK: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\{%|\{\{-?\s*[A-Za-z_][\w.]*\s*(\(|\[|\||-?\}\})").ok());
    MARK.as_ref().is_some_and(|mark| mark.is_match(source))
}

/// Fills a Jinja template.
///
/// # Errors
///
/// Fails on a syntax error and on a name or row that does not exist, with the template's path, line and text there.
pub(super) fn fill(input: &PageInput<'_>, path: &Path, source: &str) -> Result<Filled> {
    let context = context(input)?;
    let source = with_room_for(&k6_summary(input.evidence).unwrap_or_default(), source);
    let unfilled = Arc::new(Mutex::new(Vec::new()));
    let name = path.display().to_string();
    let mut env = environment(input, Arc::clone(&unfilled)).map_err(|e| fault(path, &source, &context, &e))?;
    env.add_template(&name, &source).map_err(|e| fault(path, &source, &context, &e))?;
    let text = env
        .get_template(&name)
        .and_then(|template| template.render(engine_value(&context)))
        .map_err(|e| fault(path, &source, &context, &e))?;
    let unfilled = std::mem::take(&mut *unfilled.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Filled { text, unfilled })
}

/// Tells whether a Jinja template parses; names are looked up when it is filled.
///
/// # Errors
///
/// Fails on a syntax error, with the template's path, line and text there.
pub(super) fn check(path: &Path, source: &str) -> Result<()> {
    let mut env = Environment::new();
    let outcome = syntax().map(|syntax| env.set_syntax(syntax)).and_then(|()| env.add_template("template", source));
    outcome.map_err(|e| fault(path, source, &Value::Null, &e))
}

fn syntax() -> std::result::Result<SyntaxConfig, Error> {
    SyntaxConfig::builder().keep_trailing_newline(true).build()
}

fn environment(
    input: &PageInput<'_>,
    unfilled: Arc<Mutex<Vec<String>>>,
) -> std::result::Result<Environment<'static>, Error> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_debug(true);
    env.set_auto_escape_callback(|_| minijinja::AutoEscape::None); // every text of the context is escaped already
    env.set_syntax(syntax()?);
    let rows: Vec<Row> = input.rows.to_vec();
    let product = input.product.to_owned();
    env.add_function("row", move |label: String| match cell(&rows, &label, &product) {
        Cell::Filled(cell) => Ok(cell.to_owned()),
        Cell::Empty => {
            unfilled.lock().unwrap_or_else(PoisonError::into_inner).push(label);
            Ok(String::new())
        }
        Cell::NoRow => Err(Error::new(ErrorKind::InvalidOperation, format!("no row is called `{label}`"))),
    });
    Ok(env)
}

/// What the page knows of a label.
pub(super) enum Cell<'a> {
    Filled(&'a str),
    /// A known row without a value.
    Empty,
    NoRow,
}

/// Looks a label up among the rows that have a value.
pub(super) fn cell<'a>(rows: &'a [Row], label: &str, product: &str) -> Cell<'a> {
    let known: Option<&KnownRow> = find(label, Some(product));
    let same = |row: &&Row| match known {
        Some(known) => row.id == Some(known.id),
        None => row.label.trim().eq_ignore_ascii_case(label.trim()),
    };
    match (rows.iter().find(same), known) {
        (Some(row), _) => Cell::Filled(&row.cell),
        (None, Some(_)) => Cell::Empty,
        (None, None) => Cell::NoRow,
    }
}

/// Lengthens the fences around `{{ k6_summary }}` so that no line of the summary can close the block.
fn with_room_for(summary: &str, source: &str) -> String {
    let fence = escape::fence(summary);
    if fence.len() <= 3 {
        return source.to_owned();
    }
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let inside: Vec<usize> =
        (0..lines.len()).filter(|&i| lines.get(i).is_some_and(|l| l.contains("k6_summary"))).collect();
    for at in inside {
        let is_fence = |line: &String| line.trim_start().starts_with("```");
        let opening = lines.iter().take(at).rposition(is_fence);
        let closing = lines.iter().skip(at + 1).position(is_fence).map(|after| at + 1 + after);
        for index in [opening, closing].into_iter().flatten() {
            if let Some(line) = lines.get_mut(index) {
                let rest = line.trim_start().trim_start_matches('`').to_owned();
                *line = format!("{fence}{rest}");
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Turns the engine's error into a place, what is wrong there, the template's own text and the name that was meant.
fn fault(path: &Path, source: &str, context: &Value, error: &Error) -> Fault {
    let error = innermost(error);
    let line = error.line();
    let place = line.map_or_else(|| Place::file(path), |line| Place::file(path).line(line as u64));
    let excerpt = line.and_then(|line| source.lines().nth(line - 1)).map(str::trim).unwrap_or_default();
    let named = error.range().and_then(|range| source.get(range)).map(str::trim);
    if let (ErrorKind::UndefinedError, Some(name)) = (error.kind(), named) {
        let message = format!("`{name}` is not defined in `{excerpt}`");
        let list = "run the `context` command to list every name";
        return Fault::at(place, message).hint(match near(name, context) {
            Some(near) => format!("did you mean `{near}`? {list}"),
            None => list.to_owned(),
        });
    }
    let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    let fault = Fault::at(place, format!("{detail} in `{excerpt}`"));
    match near_row(&detail, context) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}

/// The context as the engine's own value; leaves are texts and truth values, see [`context`].
fn engine_value(value: &Value) -> minijinja::Value {
    match value {
        Value::Null => minijinja::Value::UNDEFINED,
        Value::Bool(flag) => (*flag).into(),
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => number.to_string().into(),
        Value::Array(items) => items.iter().map(engine_value).collect(),
        Value::Object(fields) => {
            minijinja::Value::from_pairs(fields.iter().map(|(key, value)| (key.as_str(), engine_value(value))))
        }
    }
}

fn innermost(error: &Error) -> &Error {
    let mut error = error;
    while let Some(source) = std::error::Error::source(error).and_then(|s| s.downcast_ref::<Error>()) {
        error = source;
    }
    error
}

/// The nearest name beside the part of a path that does not exist, as a whole path.
fn near(path: &str, context: &Value) -> Option<String> {
    let mut here = context;
    let mut walked = String::new();
    for part in path.split('.').map(str::trim) {
        if let Some(next) = here.get(part) {
            here = next;
            walked.push_str(part);
            walked.push('.');
            continue;
        }
        let names = here.as_object()?.keys();
        let (distance, name) = names.map(|name| (strsim::osa_distance(name, part), name)).min()?;
        return (distance <= NEAR).then(|| format!("{walked}{name}"));
    }
    None
}

fn near_row(detail: &str, context: &Value) -> Option<String> {
    let wanted = detail.strip_prefix("no row is called `")?.strip_suffix('`')?.to_lowercase();
    let product = context.get("product").and_then(Value::as_str).unwrap_or_default();
    let known = crate::rows::KNOWN.iter().map(|row| row.label_for(product));
    let own = context.get("rows").and_then(Value::as_array).into_iter().flatten();
    let own = own.filter_map(|row| row.get("label")?.as_str().map(str::to_owned));
    let labels = known.chain(own).map(|label| (strsim::osa_distance(&label.to_lowercase(), &wanted), label));
    labels.min().filter(|(distance, _)| *distance <= NEAR).map(|(_, label)| label)
}
