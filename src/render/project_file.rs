//! A `sweepdoc.toml` to start from.

use indexmap::IndexMap;

/// What is known for a new project file; every part may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectFile {
    /// Name of the product under test.
    pub product: Option<String>,
    /// Version under test.
    pub version: Option<String>,
    /// Folder the pages go to, relative to the file.
    pub out: Option<String>,
    /// Pattern of titles; `None` for the default.
    pub title: Option<String>,
    /// k6's version as pages state it; only noted, for the data of the new sweep decides.
    pub k6_version: Option<String>,
    /// Facts of every run.
    pub facts: IndexMap<String, String>,
    /// VUs and particular facts by target.
    pub targets: IndexMap<String, (Option<u64>, IndexMap<String, String>)>,
}

/// Writes the project file. What is not known stands there as a comment, so that `publish` asks for it.
pub fn project_file(project: &ProjectFile) -> String {
    let ProjectFile { product, version, out, title, k6_version, facts, targets } = project;
    let mut text =
        String::from("# What `sweepdoc publish` needs to know of this sweep; `docs/config.md` lists every key.\n");
    text.push_str(&known_or_comment("product", product.as_deref(), "name of the product under test, required"));
    text.push_str(&known_or_comment("version", version.as_deref(), "version under test, required"));
    text.push_str("\n[pages]\n");
    text.push_str(&known_or_comment(
        "out",
        out.as_deref(),
        "folder the pages go to, relative to this file; or `--out`",
    ));
    if let Some(title) = title {
        text.push_str(&format!("title = {}\n", quoted(title)));
    }
    text.push_str("\n[facts]  # by row label: what only people know\n");
    if let Some(k6_version) = k6_version {
        let pair = format!("{} = {}", quoted("k6 version"), quoted(k6_version));
        text.push_str(&format!("# {pair}  # only if neither the log nor a summary says it\n"));
    }
    facts.iter().for_each(|(label, value)| text.push_str(&format!("{} = {}\n", quoted(label), quoted(value))));
    if facts.is_empty() {
        text.push_str("# \"Client location\" = \"...\"\n");
    }
    for (target, (vus, facts)) in targets {
        text.push_str(&format!("\n[targets.{}]\n", quoted(target)));
        vus.iter().for_each(|vus| text.push_str(&format!("vus = {vus}\n")));
        if !facts.is_empty() {
            let pairs: Vec<String> = facts.iter().map(|(k, v)| format!("{} = {}", quoted(k), quoted(v))).collect();
            text.push_str(&format!("facts = {{ {} }}\n", pairs.join(", ")));
        }
    }
    text
}

fn known_or_comment(key: &str, value: Option<&str>, meaning: &str) -> String {
    match value {
        Some(value) => format!("{key} = {}\n", quoted(value)),
        None => format!("# {key} = \"...\"  # {meaning}\n"),
    }
}

/// A basic string of TOML on one line; JSON's escapes are a part of TOML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::{Config, FactValue};

    #[test]
    fn what_is_written_reads_back_as_the_same_facts() {
        let hostile = "type: \"psql\" \\ `x`\tversion\n{file}";
        let project = ProjectFile {
            product: Some("Shop".into()),
            version: Some("v1".into()),
            facts: [("Client location".into(), "US1".into()), ("Database".into(), hostile.into())].into(),
            targets: [("a b".into(), (Some(7), [("Purpose".into(), "x".into())].into()))].into(),
            ..ProjectFile::default()
        };
        let config = Config::parse(Path::new("sweepdoc.toml"), &project_file(&project)).unwrap();
        assert_eq!((config.product.as_str(), config.version.as_str()), ("Shop", "v1"));
        assert_eq!(config.facts["Database"], FactValue::Text(hostile.into()));
        assert_eq!(config.targets["a b"].vus, Some(7));
        assert_eq!(config.targets["a b"].facts["Purpose"], FactValue::Text("x".into()));
    }

    #[test]
    fn an_unknown_product_is_asked_for_and_not_invented() {
        let text = project_file(&ProjectFile::default());
        let fault = Config::parse(Path::new("sweepdoc.toml"), &text).unwrap_err();
        assert!(fault.to_string().contains("`product`"), "{fault}");
    }
}
