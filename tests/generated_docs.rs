//! The parts of the documentation that are made from the code. `SWEEPDOC_BLESS=1` renews them.

use serde_json::{Value, json};
use support::docs::{Scratch, blessing, document, expect, first_column, with_section};
use sweepdoc::config::KEYS;
use sweepdoc::rows::{KNOWN, Origin};

mod support;

/// Renews or checks one generated section of a document.
fn expect_section(name: &str, section: &str, content: &str) {
    expect(name, &with_section(&document(name), section, content));
}

fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let rule: Vec<String> = head.iter().map(|_| "---".to_owned()).collect();
    let rows: String = rows.into_iter().map(|row| line(&row)).collect();
    format!("{}{}{rows}", line(&head), line(&rule))
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

#[test]
fn command_line_reference_is_that_of_the_help_texts() {
    expect("docs/cli.md", &sweepdoc::cli::reference());
}

#[test]
fn table_of_configuration_keys_is_that_of_the_reader() {
    let mut text = String::new();
    for name in KEYS.iter().map(|key| key.table).collect::<indexmap::IndexSet<_>>() {
        let heading = match name {
            "" => "Top level".to_owned(),
            "fact" => "`{ file = \"...\" }`, the value of a fact".to_owned(),
            "goals" | "causes" => format!("`[[{name}]]`"),
            _ => format!("`[{name}]`"),
        };
        let keys = KEYS.iter().filter(|key| key.table == name);
        let row = |key: &sweepdoc::config::Key| {
            vec![code(key.name), key.kind.to_owned(), code(key.default), key.meaning.to_owned()]
        };
        text.push_str(&format!("### {heading}\n\n{}\n", table(&["key", "value", "default", "meaning"], keys.map(row))));
    }
    expect_section("docs/config.md", "keys", &text);
}

#[test]
fn table_of_rows_is_that_of_the_code() {
    let origin = |origin| match origin {
        Origin::Data => "data",
        Origin::Fact => "fact",
        Origin::Judgement => "judgement",
    };
    let rows = KNOWN.iter().map(|row| {
        let aliases = row.aliases.iter().map(|alias| code(alias)).collect::<Vec<_>>().join(", ");
        vec![row.label.to_owned(), code(&row.id.name()), origin(row.origin).to_owned(), aliases]
    });
    let text = table(&["label", "name in templates", "comes from", "also read as"], rows);
    expect_section("docs/rows.md", "rows", &text);
}

#[test]
fn words_of_the_documented_grammar_are_those_of_the_code() {
    let document = document("docs/rows.md");
    let grammar = document.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rows/observed_errors");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let code: String =
        files.filter(|f| !f.ends_with("tests.rs")).map(|f| std::fs::read_to_string(f).unwrap()).collect();
    let literal = regex::Regex::new("\"([^\"]+)\"").unwrap();
    let placeholder = regex::Regex::new(r"[(*]*\b[A-Z]+\b[)*%]*|HH:MM:SS|[“”…]").unwrap();
    let mut words = 0;
    for text in literal.captures_iter(grammar).map(|found| found[1].to_owned()) {
        let fragments = placeholder.split(&text).map(|part| part.trim_matches([' ', ',', ';', ':', '.', '(']));
        for fragment in fragments.filter(|fragment| fragment.len() > 2) {
            assert!(code.contains(fragment), "`{fragment}` of {text:?} is not in the code");
            words += 1;
        }
    }
    assert!(words > 30, "{words}");
}

/// How a value of the schema is called in words.
fn kind(schema: &Value, value: &Value) -> String {
    if let Some(reference) = value["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        let target = &schema["$defs"][name];
        return match target["title"].as_str() {
            Some(title) => format!("[object](#{})", anchor(title)),
            None => format!("[{name}](#{name})"),
        };
    }
    if let Some(words) = value["enum"].as_array() {
        return words.iter().map(|word| code(word.as_str().unwrap())).collect::<Vec<_>>().join(", ");
    }
    if let Some(constant) = value.get("const") {
        return code(&constant.to_string().replace('"', ""));
    }
    if let Some([either, Value::String(null)]) = value["type"].as_array().map(Vec::as_slice) {
        return format!("{} or {}", kind(schema, &json!({"type": either})), code(null));
    }
    match value["type"].as_str() {
        Some("array") => format!("list of {}", kind(schema, &value["items"])),
        Some("object") => format!("{} by name", kind(schema, &value["additionalProperties"])),
        Some("integer") => "whole number".to_owned(),
        Some("string") => "text".to_owned(),
        Some("boolean") => "`true` or `false`".to_owned(),
        Some(other) => other.to_owned(),
        None => panic!("{value} has no type"),
    }
}

/// The anchor a heading gets.
fn anchor(heading: &str) -> String {
    let kept: String =
        heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect();
    str::replace(&kept, " ", "-")
}

#[test]
fn fields_of_evidence_are_those_of_the_schema() {
    let schema: Value = serde_json::from_str(&document("docs/evidence.schema.json")).unwrap();
    let mut text = String::new();
    let defined = schema["$defs"].as_object().unwrap();
    let objects = std::iter::once(&schema).chain(defined.values().filter(|object| object["title"].is_string()));
    for object in objects {
        let required: Vec<&Value> = object["required"].as_array().into_iter().flatten().collect();
        let field = |(name, value): (&String, &Value)| {
            let always = if required.iter().any(|r| **r == **name) { "always" } else { "" };
            let meaning = value["description"].as_str().unwrap().to_owned();
            vec![code(name), kind(&schema, value), always.to_owned(), meaning]
        };
        let mut fields: Vec<Vec<String>> = object["properties"].as_object().unwrap().iter().map(field).collect();
        for value in object["patternProperties"].as_object().into_iter().flat_map(|patterns| patterns.values()) {
            let meaning = value["description"].as_str().unwrap().to_owned();
            fields.push(vec!["`p50` and so on".to_owned(), kind(&schema, value), String::new(), meaning]);
        }
        let (title, about) = (object["title"].as_str().unwrap(), object["description"].as_str().unwrap());
        let heading = title.split(", ").map(code).collect::<Vec<_>>().join(", ");
        text.push_str(&format!(
            "### {heading}\n\n{about}\n\n{}\n",
            table(&["field", "value", "there", "meaning"], fields)
        ));
    }
    for (name, value) in defined.iter().filter(|(_, value)| !value["title"].is_string()) {
        text.push_str(&format!("### `{name}`\n\n{}\n\n", value["description"].as_str().unwrap()));
    }
    expect_section("docs/evidence.md", "fields", &text);
}

#[test]
fn names_a_template_sees_are_those_of_the_context() {
    let scratch = Scratch::new();
    let context: Value = serde_json::from_str(&scratch.sweepdoc("context fixtures/sweep --target search")).unwrap();
    let of_rows: Vec<String> = KNOWN.iter().map(|row| row.id.name()).collect();
    let rows = KNOWN.iter().map(|row| vec![code(&row.id.name()), row.label.to_owned()]);
    expect_section("docs/template.md", "names of rows", &table(&["name", "row"], rows));
    let mut listed = first_column(&document("docs/template.md"), "### Names");
    listed.extend(of_rows);
    let mut names: Vec<&String> = context.as_object().unwrap().keys().collect();
    listed.sort();
    names.sort();
    assert_eq!(listed.iter().collect::<Vec<_>>(), names);
}

/// Rows of the README's excerpt.
const EXCERPT: [&str; 7] =
    ["Test start", "Test end", "Test duration", "VUs", "k6 version", "k6 Iterations per second", "Observed errors"];

#[test]
fn excerpt_of_the_readme_is_what_the_page_says() {
    let scratch = Scratch::new();
    scratch.sweepdoc("--quiet publish fixtures/sweep --out out");
    let page = scratch.read("out/v1.4.0/browse_catalog/index.mdx");
    let row = |label: &str| page.lines().find(|line| line.starts_with(&format!("| {label} |"))).unwrap().to_owned();
    let rows: Vec<String> = EXCERPT.iter().map(|label| row(label)).collect();
    expect_section("README.md", "rows of a page", &format!("| Metric | Value |\n| :--- | :--- |\n{}", rows.join("\n")));
}

#[test]
fn relative_links_lead_somewhere() {
    if blessing() {
        return; // documents are being rewritten
    }
    let link = regex::Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let fenced = regex::Regex::new(r"(?s)```.*?```|`[^`\n]*`").unwrap();
    let generated = regex::Regex::new(r"(?s)<!-- generated: rows of a page -->.*?<!-- /generated -->").unwrap();
    for name in support::docs::documents().into_iter().chain(["fixtures/README.md".into(), "e2e/README.md".into()]) {
        let text = document(&name);
        let text = fenced.replace_all(&text, "").into_owned();
        let text = generated.replace_all(&text, "");
        for target in link.captures_iter(&text).map(|found| found[1].to_owned()) {
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let folder = std::path::Path::new(&name).parent().unwrap();
            let file = if file.is_empty() { name.clone() } else { folder.join(file).display().to_string() };
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
            assert!(path.exists(), "{name}: `{target}` leads to no file");
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&path).unwrap();
                let headings = there.lines().filter(|line| line.starts_with('#'));
                let anchors: Vec<String> = headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect();
                assert!(anchors.iter().any(|a| a == heading), "{name}: `{target}` leads to no heading");
            }
        }
    }
}
