use serde_json::{Map, Value, json};

use super::input::{PageInput, k6_summary, picture};
use crate::model::{Fault, Result};
use crate::notation::escape;
use crate::rows::{KNOWN, Row, arrange, only_where_asked};

/// What a template sees, every leaf a finished text: escaped, in the page's notation.
///
/// Every known row stands under its name (`test_start`), empty when it has no value; `rows` lists those the page shows.
/// `evidence` is the evidence file with its leaves as text, without series, summary and what was last written.
///
/// # Errors
///
/// As [`arrange`].
pub fn context(input: &PageInput<'_>) -> Result<Value> {
    let mut context = Map::new();
    for known in KNOWN {
        let cell = input.rows.iter().find(|row| row.id == Some(known.id)).map_or("", |row| &row.cell);
        context.insert(known.id.name(), cell.into());
    }
    for (name, text) in [
        ("product", escape::cell(input.product)),
        ("version", escape::cell(input.version)),
        ("target", escape::cell(input.target)),
        ("words", escape::cell(input.words)),
        ("title", escape::cell(input.title)),
        ("intro", input.intro.to_owned()),
    ] {
        context.insert(name.to_owned(), text.into());
    }
    let summary = k6_summary(input.evidence);
    let block = summary.as_ref().map(|text| escape::fenced(text, "bash"));
    context.insert("k6_summary".to_owned(), summary.unwrap_or_default().into());
    context.insert("k6_block".to_owned(), block.unwrap_or_default().into());
    context.insert("picture".to_owned(), input.picture.map(picture).unwrap_or_default().into());
    context.insert("show_picture".to_owned(), (input.show_picture && input.picture.is_some()).into());
    let listed = input.rows.iter().filter(|row| !only_where_asked(row, input.evidence)).cloned().collect();
    let rows = arrange(listed, input.rules, input.product)?;
    context.insert("rows".to_owned(), rows.iter().map(as_json).collect());
    context.insert("evidence".to_owned(), evidence(input)?);
    Ok(Value::Object(context))
}

fn as_json(row: &Row) -> Value {
    json!({ "label": escape::cell(&row.label), "value": row.cell })
}

fn evidence(input: &PageInput<'_>) -> Result<Value> {
    let broken = |e: serde_json::Error| Fault::new(format!("evidence cannot be written as JSON: {e}"));
    let mut evidence = serde_json::to_value(input.evidence).map_err(broken)?;
    if let Value::Object(fields) = &mut evidence {
        fields.retain(|key, _| key != "series" && key != "generated");
        if let Some(Value::Object(k6)) = fields.get_mut("k6") {
            k6.shift_remove("summary_text");
        }
    }
    Ok(as_texts(evidence))
}

/// Numbers and texts become texts for a page; truth values stay, for conditions.
fn as_texts(value: Value) -> Value {
    match value {
        Value::String(text) => escape::cell(&text).into(),
        Value::Number(number) => number.to_string().into(),
        Value::Array(items) => items.into_iter().map(as_texts).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, as_texts(value))).collect(),
        other => other,
    }
}
