//! Front matter of a page: the fields between two lines `---` at its very beginning.

use indexmap::IndexMap;

/// The front matter of a page, read line by line: nested YAML stays text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Top-level fields in order, quotes resolved, with their lines counted from 1.
    pub fields: IndexMap<String, (String, u64)>,
    /// Bytes of the page it takes, both `---` lines and the line end after them included; 0 when there is none.
    pub length: usize,
}

/// Reads a page's front matter; empty when it does not begin with a `---` line or that is never closed.
pub fn read(page: &str) -> FrontMatter {
    let mut front = FrontMatter::default();
    let mut at = 0;
    for (index, line) in page.split_inclusive('\n').enumerate() {
        at += line.len();
        let text = line.trim_end();
        if index == 0 {
            if text.trim_start_matches('\u{feff}') != "---" {
                return FrontMatter::default();
            }
        } else if text == "---" {
            front.length = at;
            return front;
        } else if let Some((key, value)) = field(text) {
            front.fields.insert(key.to_owned(), (value, index as u64 + 1));
        }
    }
    FrontMatter::default()
}

fn field(line: &str) -> Option<(&str, String)> {
    let (key, value) = line.split_once(':')?;
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (plain && (value.is_empty() || value.starts_with(' '))).then(|| (key, unquoted(value.trim())))
}

fn unquoted(value: &str) -> String {
    if let Some(inner) = value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')) {
        return inner.replace("''", "'");
    }
    if value.starts_with('"') {
        // what we write ourselves is JSON, which is YAML's double-quoted style for every text
        return serde_json::from_str(value).unwrap_or_else(|_| value.trim_matches('"').to_owned());
    }
    value.to_owned()
}

/// Writes a text as a YAML scalar: plain where that reads back as the same text, else double-quoted.
pub fn scalar(text: &str) -> String {
    let first = text.chars().next().is_some_and(char::is_alphabetic);
    let safe = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '.' | '-' | '/' | '(' | ')' | '+');
    let word = text.to_ascii_lowercase();
    let keyword = matches!(word.as_str(), "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n");
    if first && !keyword && text.trim() == text && text.chars().all(safe) {
        return text.to_owned();
    }
    serde_json::Value::from(text).to_string()
}

/// Adds fields to a page's front matter where they are missing, empty or still say `TODO`; other fields stay as they are.
///
/// A page without front matter gets one. Line ends follow the page's first.
pub fn complete(page: &str, fields: &[(&str, &str)]) -> String {
    let front = read(page);
    let newline = if page.split_inclusive('\n').next().is_some_and(|l| l.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let open = |key: &str| front.fields.get(key).is_none_or(|(v, _)| v.is_empty() || v.contains("TODO"));
    let missing: Vec<&(&str, &str)> = fields.iter().filter(|(key, _)| open(key)).collect();
    if missing.is_empty() {
        return page.to_owned();
    }
    let (head, body) = page.split_at(front.length);
    let stays = |line: &&str| !missing.iter().any(|(key, _)| field(line.trim_end()).is_some_and(|(k, _)| k == *key));
    let mut out = format!("---{newline}");
    for (key, value) in &missing {
        out.push_str(&format!("{key}: {}{newline}", scalar(value)));
    }
    if front.length == 0 {
        out.push_str(&format!("---{newline}{newline}"));
        out.push_str(body.trim_start_matches('\u{feff}').trim_start_matches(['\r', '\n']));
    } else {
        out.extend(head.split_inclusive('\n').skip(1).filter(stays));
        out.push_str(body);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(page: &str) -> Vec<(String, String, u64)> {
        read(page).fields.into_iter().map(|(k, (v, line))| (k, v, line)).collect()
    }

    #[test]
    fn fields_are_read_with_their_lines() {
        let page = "---\ntitle: a b v4.17.1\nsidebar_label: \"x: y\"\n# comment\nother: 'it''s'\n---\n\ntext";
        let expected = [("title", "a b v4.17.1", 2), ("sidebar_label", "x: y", 3), ("other", "it's", 5)];
        assert_eq!(fields(page), expected.map(|(k, v, l)| (k.to_owned(), v.to_owned(), l)));
        assert_eq!(&page[read(page).length..], "\ntext");
    }

    #[test]
    fn a_page_without_or_with_unclosed_front_matter_has_none() {
        for page in ["", "text", "---\ntitle: x\n", "\n---\ntitle: x\n---\n"] {
            assert_eq!(read(page), FrontMatter::default(), "{page:?}");
        }
    }

    #[test]
    fn scalars_read_back_as_the_same_text() {
        for (text, written) in [
            ("manipulate user benchmark of zitadel v4.17.1", "manipulate user benchmark of zitadel v4.17.1"),
            ("a: b", "\"a: b\""),
            ("true", "\"true\""),
            ("4", "\"4\""),
            ("# x", "\"# x\""),
            ("", "\"\""),
            ("{x} \"q\"\n---", "\"{x} \\\"q\\\"\\n---\""),
        ] {
            assert_eq!(scalar(text), written);
            assert_eq!(fields(&format!("---\nt: {written}\n---\n"))[0].1, text);
        }
    }

    #[test]
    fn missing_fields_are_added_and_others_stay() {
        assert_eq!(
            complete("import x\n\ntext\n", &[("title", "t"), ("sidebar_label", "s")]),
            "---\ntitle: t\nsidebar_label: s\n---\n\nimport x\n\ntext\n"
        );
        assert_eq!(
            complete("---\r\nauthor: me\r\ntitle: TODO\r\n---\r\ntext", &[("title", "t")]),
            "---\r\ntitle: t\r\nauthor: me\r\n---\r\ntext"
        );
        let own = "---\ntitle: own\n---\ntext";
        assert_eq!(complete(own, &[("title", "t")]), own);
    }
}
