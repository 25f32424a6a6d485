//! Entries of pages in a site's sidebar file.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use crate::model::{Fault, Place, Result};

/// Adds a page to a sidebar file (nested groups of `title` and `pages`), keeping every other byte.
///
/// `entry` is the page as the file names pages, `benchmarks/v4/user_info/index`; `group` the title of its group, the version.
/// The group is made beside those of other versions when it is missing. Groups kept in order stay so. A file that has the entry
/// comes back unchanged.
///
/// # Errors
///
/// Fails on invalid JSON, and when no group holds pages of the same kind and none is called by their first folder.
pub fn insert(path: &Path, text: &str, entry: &str, group: &str) -> Result<String> {
    let root = parse(path, text)?;
    if root.holds(entry) {
        return Ok(text.to_owned());
    }
    let kind = entry.split('/').next().unwrap_or(entry);
    let home = root.home(&format!("{kind}/")).or_else(|| root.titled(kind)).ok_or_else(|| {
        Fault::at(
            Place::file(path),
            format!("no group holds pages that begin with `{kind}/` and none is called `{kind}`"),
        )
        .hint(format!("add `{{ \"title\": \"{kind}\", \"pages\": [] }}` where the pages belong"))
    })?;
    let item = Value::from(entry).to_string();
    Ok(match home.group(group) {
        Some(pages) => with_item(text, pages, &item, Some(entry)),
        None if home.is_flat() => with_item(text, home, &item, Some(entry)),
        None => with_item(text, home, &new_group(text, home, entry, group), None),
    })
}

/// A JSON value with its place in the text.
#[derive(Debug)]
struct Node {
    range: Range<usize>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Text(String),
    /// Keys with their ranges, and values.
    Object(Vec<(String, Range<usize>, Node)>),
    Array(Vec<Node>),
    Other,
}

impl Node {
    fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Object(fields) => fields.iter().find(|(name, _, _)| name == key).map(|(_, _, node)| node),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The list of pages of a group.
    fn pages(&self) -> Option<&Node> {
        self.get("pages").filter(|pages| matches!(pages.kind, Kind::Array(_)))
    }

    fn holds(&self, entry: &str) -> bool {
        let below = self.pages().is_some_and(|pages| pages.holds(entry));
        below || self.items().iter().any(|item| item.text() == Some(entry) || item.holds(entry))
    }

    /// The list whose groups, or which itself, holds pages that begin so; the first one.
    fn home(&self, prefix: &str) -> Option<&Node> {
        let list = self.pages().unwrap_or(self);
        let begins = |node: &Node| node.text().is_some_and(|text| text.starts_with(prefix));
        let in_groups = list.items().iter().filter_map(Node::pages).any(|pages| pages.items().iter().any(begins));
        if in_groups || list.items().iter().any(begins) {
            return Some(list);
        }
        list.items().iter().find_map(|item| item.home(prefix))
    }

    /// The list of the group with this title, letter case aside.
    fn titled(&self, title: &str) -> Option<&Node> {
        let list = self.pages().unwrap_or(self);
        let named =
            |item: &&Node| item.get("title").and_then(Node::text).is_some_and(|t| t.eq_ignore_ascii_case(title));
        let found = list.items().iter().find(named).and_then(Node::pages);
        found.or_else(|| list.items().iter().find_map(|item| item.titled(title)))
    }

    /// The pages of the group with exactly this title among the list's items.
    fn group(&self, title: &str) -> Option<&Node> {
        self.items().iter().find(|item| item.get("title").and_then(Node::text) == Some(title)).and_then(Node::pages)
    }

    /// True for a list that has pages of its own and no groups.
    fn is_flat(&self) -> bool {
        !self.items().is_empty() && self.items().iter().all(|item| item.text().is_some())
    }
}

/// The text with one item more in the list: where the order of its texts puts `sorted_as`, else at the end.
fn with_item(text: &str, list: &Node, item: &str, sorted_as: Option<&str>) -> String {
    let items = list.items();
    let mut out = text.to_owned();
    let Some(last) = items.last() else {
        let inside = list.range.start + 1..list.range.end.saturating_sub(1);
        let (open, close) = gaps_of_empty(text, list);
        out.replace_range(inside, &format!("{open}{item}{close}"));
        return out;
    };
    let texts: Vec<&str> = items.iter().filter_map(Node::text).collect();
    let ordered = texts.len() == items.len() && texts.is_sorted();
    let later = |entry| items.iter().enumerate().find(|(_, i)| i.text().is_some_and(|text| text > entry));
    match sorted_as.filter(|_| ordered).and_then(later) {
        Some((at, next)) => {
            let gap = gap_before(text, list, at);
            out.insert_str(next.range.start, &format!("{item},{gap}"));
        }
        None => {
            let gap = gap_before(text, list, items.len() - 1);
            out.insert_str(last.range.end, &format!(",{gap}{item}"));
        }
    }
    out
}

/// White space before an item of a list.
fn gap_before<'a>(text: &'a str, list: &Node, at: usize) -> &'a str {
    let start = match at.checked_sub(1).and_then(|before| list.items().get(before)) {
        Some(before) => before.range.end,
        None => list.range.start + 1,
    };
    let end = list.items().get(at).map_or(start, |item| item.range.start);
    text.get(start..end).unwrap_or_default().trim_start_matches(',')
}

/// White space around the first item of a list that is empty so far: one level below the line the list stands on.
fn gaps_of_empty(text: &str, list: &Node) -> (String, String) {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if !text.contains('\n') {
        return (String::new(), String::new());
    }
    let line_start = text.get(..list.range.start).and_then(|t| t.rfind('\n')).map_or(0, |newline| newline + 1);
    let indent = |line: &str| line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect::<String>();
    let own = indent(text.get(line_start..).unwrap_or_default());
    let unit = text.lines().map(indent).find(|i| !i.is_empty()).unwrap_or_else(|| "  ".to_owned());
    (format!("{newline}{own}{unit}"), format!("{newline}{own}"))
}

/// A group with one page, laid out as the last group of the list; on one line when there is none to follow.
fn new_group(text: &str, list: &Node, entry: &str, title: &str) -> String {
    let (entry, title) = (Value::from(entry), Value::from(title));
    let sibling = list.items().iter().rev().find_map(|group| Layout::of(text, group));
    let Some(layout) = sibling else { return format!("{{ \"title\": {title}, \"pages\": [{entry}] }}") };
    let Layout { field, colon, page, after_page, end } = layout;
    format!("{{{field}\"title\"{colon}{title},{field}\"pages\"{colon}[{page}{entry}{after_page}]{end}}}")
}

/// The white space of a group.
struct Layout<'a> {
    /// Before each field.
    field: &'a str,
    /// Between a field's name and its value.
    colon: &'a str,
    /// Before the first page.
    page: &'a str,
    /// After the last page.
    after_page: &'a str,
    /// Before the closing brace.
    end: &'a str,
}

impl<'a> Layout<'a> {
    fn of(text: &'a str, group: &Node) -> Option<Self> {
        let Kind::Object(fields) = &group.kind else { return None };
        let pages = group.pages()?;
        let (_, first_key, first) = fields.first()?;
        let (_, _, last) = fields.last()?;
        let (first_page, last_page) = (pages.items().first()?, pages.items().last()?);
        Some(Layout {
            field: text.get(group.range.start + 1..first_key.start)?,
            colon: text.get(first_key.end..first.range.start)?,
            page: text.get(pages.range.start + 1..first_page.range.start)?,
            after_page: text.get(last_page.range.end..pages.range.end - 1)?,
            end: text.get(last.range.end..group.range.end - 1)?,
        })
    }
}

fn parse(path: &Path, text: &str) -> Result<Node> {
    // serde_json judges the text; the reader below may then take its form for granted
    if let Err(e) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
        return Err(Fault::at(Place::file(path).line(e.line() as u64), format!("invalid JSON: {e}")));
    }
    let mut reader = Reader { text, at: text.len() - text.trim_start_matches('\u{feff}').len() };
    reader.value().ok_or_else(|| Fault::at(Place::file(path), "expected a JSON object or list"))
}

/// Reads valid JSON into nodes with ranges. Depth is bounded: serde_json refuses deeper nesting before.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn value(&mut self) -> Option<Node> {
        let first = self.peek()?;
        let start = self.at;
        let kind = match first {
            b'{' => Kind::Object(self.list(b'}', |reader| {
                let (name, range) = reader.string()?;
                reader.peek().filter(|c| *c == b':')?;
                reader.at += 1;
                Some((name, range, reader.value()?))
            })?),
            b'[' => Kind::Array(self.list(b']', Reader::value)?),
            b'"' => Kind::Text(self.string()?.0),
            _ => {
                let rest = self.text.get(self.at..)?;
                self.at += rest.find([',', ']', '}', ' ', '\t', '\r', '\n']).unwrap_or(rest.len());
                Kind::Other
            }
        };
        Some(Node { range: start..self.at, kind })
    }

    fn list<T>(&mut self, close: u8, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        self.at += 1;
        while self.peek()? != close {
            items.push(item(self)?);
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(items)
    }

    fn string(&mut self) -> Option<(String, Range<usize>)> {
        self.peek().filter(|c| *c == b'"')?;
        let start = self.at;
        let mut escaped = false;
        let length = self.text.get(start + 1..)?.bytes().position(|b| {
            let end = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            end
        })?;
        self.at = start + length + 2;
        let range = start..self.at;
        Some((serde_json::from_str(self.text.get(range.clone())?).ok()?, range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDEBAR: &str = r#"{
  "root": true,
  "pages": [
    "introduction",
    { "title": "Other", "pages": ["x/y", "z"] },
    {
      "title": "Benchmarks",
      "pages": [
        {
          "title": "v4",
          "pages": [
            "benchmarks/v4/add_session/index",
            "benchmarks/v4/user_info/index"
          ]
        }
      ]
    }
  ]
}
"#;

    fn added(text: &str, entry: &str, group: &str) -> String {
        insert(Path::new("_meta.json"), text, entry, group).unwrap()
    }

    #[test]
    fn an_entry_goes_into_its_versions_group_in_order() {
        let text = added(SIDEBAR, "benchmarks/v4/introspect/index", "v4");
        let expected = SIDEBAR.replace(
            "            \"benchmarks/v4/user_info",
            "            \"benchmarks/v4/introspect/index\",\n            \"benchmarks/v4/user_info",
        );
        assert_eq!(text, expected);
        let last = added(SIDEBAR, "benchmarks/v4/zzz/index", "v4");
        let expected = SIDEBAR.replace(
            "\"benchmarks/v4/user_info/index\"\n",
            "\"benchmarks/v4/user_info/index\",\n            \"benchmarks/v4/zzz/index\"\n",
        );
        assert_eq!(last, expected);
    }

    #[test]
    fn a_new_version_gets_a_group_laid_out_like_its_neighbour() {
        let text = added(SIDEBAR, "benchmarks/v5/introspect/index", "v5");
        let group = "        },\n        {\n          \"title\": \"v5\",\n          \"pages\": [\n            \"benchmarks/v5/introspect/index\"\n          ]\n        }\n      ]";
        assert_eq!(text, SIDEBAR.replace("        }\n      ]", group));
    }

    #[test]
    fn adding_twice_changes_nothing() {
        let once = added(SIDEBAR, "benchmarks/v5/introspect/index", "v5");
        assert_eq!(added(&once, "benchmarks/v5/introspect/index", "v5"), once);
        assert_eq!(added(SIDEBAR, "benchmarks/v4/user_info/index", "v4"), SIDEBAR);
    }

    #[test]
    fn windows_line_ends_and_inline_lists_keep_their_form() {
        let windows = SIDEBAR.replace('\n', "\r\n");
        let text = added(&windows, "benchmarks/v5/introspect/index", "v5");
        assert_eq!(text, added(SIDEBAR, "benchmarks/v5/introspect/index", "v5").replace('\n', "\r\n"));
        let inline = r#"{"pages":[{"title":"v4","pages":["b/v4/a/index"]}]}"#;
        assert_eq!(
            added(inline, "b/v4/c/index", "v4"),
            r#"{"pages":[{"title":"v4","pages":["b/v4/a/index","b/v4/c/index"]}]}"#
        );
        assert_eq!(
            added(inline, "b/v5/c/index", "v5"),
            r#"{"pages":[{"title":"v4","pages":["b/v4/a/index"]},{"title":"v5","pages":["b/v5/c/index"]}]}"#
        );
        let spaced = r#"{ "pages": [ "b/a/index", "b/c/index" ] }"#;
        assert_eq!(added(spaced, "b/b/index", "v1"), r#"{ "pages": [ "b/a/index", "b/b/index", "b/c/index" ] }"#);
    }

    #[test]
    fn the_first_page_goes_into_the_group_called_like_its_folder() {
        let text = "{\n  \"pages\": [\n    {\n      \"title\": \"Benchmarks\",\n      \"pages\": []\n    }\n  ]\n}";
        assert_eq!(
            added(text, "benchmarks/v1/a/index", "v1"),
            "{\n  \"pages\": [\n    {\n      \"title\": \"Benchmarks\",\n      \"pages\": [\n        { \"title\": \"v1\", \"pages\": [\"benchmarks/v1/a/index\"] }\n      ]\n    }\n  ]\n}"
        );
    }

    #[test]
    fn an_unknown_shape_and_invalid_json_are_refused() {
        let fault = insert(Path::new("m.json"), "{\"pages\": [\"a\"]}", "benchmarks/v1/a/index", "v1").unwrap_err();
        assert_eq!(
            fault.to_string(),
            "m.json: no group holds pages that begin with `benchmarks/` and none is called `benchmarks`"
        );
        let fault = insert(Path::new("m.json"), "{\n\"pages\": [\n", "b/a", "v1").unwrap_err();
        assert!(
            fault.to_string().starts_with("m.json:3: invalid JSON: ") || fault.to_string().starts_with("m.json:2: "),
            "{fault}"
        );
    }

    #[test]
    fn the_real_sidebar_takes_entries_and_stays_valid() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/real-pages/_meta.json");
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let known = added(&text, "benchmarks/v4/user_info/index", "v4");
        assert_eq!(known, text);
        let new = added(&text, "benchmarks/v4.17.1/manipulate_user/index", "v4.17.1");
        let value: Value = serde_json::from_str(&new).unwrap();
        let groups = value["pages"].as_array().unwrap().last().unwrap()["pages"].as_array().unwrap();
        assert_eq!(groups.last().unwrap()["title"], "v4.17.1");
        assert_eq!(new.lines().count(), text.lines().count() + 6);
    }
}
