//! What looks like a secret in JSON: where it stands, never what it is.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// What stands in place of a secret.
const MASK: &str = "[secret]";

/// Paths listed at most, so that a hostile document cannot fill the memory with them.
const MOST_PATHS: usize = 100;

/// Tokens that are secret wherever they stand: JSON web tokens, bearer tokens.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*|(?i:\bbearer)(?:\s|%20|\+)+[A-Za-z0-9._~+/-]{8,}=*")
        .expect("a constant")
});

/// Named values in a URL, a header or a tag: `access_token=…`, `Authorization: …`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let names = "authorization|(?:set-)?cookie|(?:access|id|refresh|session)_?token|token|api_?key|password|client_secret|secret";
    Regex::new(&format!(r#"(?i)\b(?P<name>{names})(?P<sign>\s?[=:]\s?)(?P<value>[^\s&;,"'`{{}}()<>]{{6,}})"#))
        .expect("a constant")
});

/// Keys whose text is secret whatever it looks like.
static KEY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:authorization|(?:set-)?cookies?|.*(?:token|password|secret|api_?key))$").expect("a constant")
});

/// The paths, as `setup_data.token` or `list[2]`, of everything in the document that looks like a secret.
///
/// `setup_data` itself is always listed when it is there: it holds whatever `setup()` returned, usually a login. At most 100 paths,
/// in the order of the document.
pub fn paths(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if value.get("setup_data").is_some_and(|data| !data.is_null()) {
        found.push("setup_data".to_owned());
    }
    walk(value, "", &mut found);
    found.truncate(MOST_PATHS);
    found
}

/// The text with every secret in it replaced by `[secret]`.
pub fn mask(text: &str) -> String {
    let text = TOKEN.replace_all(text, MASK);
    NAMED.replace_all(&text, format!("${{name}}${{sign}}{MASK}")).into_owned()
}

/// A path one step longer; the key may itself hold a secret.
pub(super) fn join(path: &str, key: &str) -> String {
    let key = mask(key);
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
    if found.len() >= MOST_PATHS {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = join(path, key);
                let named = KEY.is_match(key) && value.as_str().is_some_and(|text| !text.is_empty());
                if named || is_secret(key) || value.as_str().is_some_and(|text| text_holds_secret(&path, text)) {
                    found.push(path.clone());
                }
                walk(value, &path, found);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let path = format!("{path}[{i}]");
                if item.as_str().is_some_and(is_secret) {
                    found.push(path.clone());
                }
                walk(item, &path, found);
            }
        }
        _ => {}
    }
}

/// The script's whole source stands in one shape: code that names a token holds none, so only a literal one counts there.
fn text_holds_secret(path: &str, text: &str) -> bool {
    if path == "config.script" { TOKEN.is_match(text) } else { is_secret(text) }
}

fn is_secret(text: &str) -> bool {
    TOKEN.is_match(text) || NAMED.is_match(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_masked_and_the_rest_stays() {
        for (text, masked) in [
            ("GET /x?access_token=abcdef123&b=1", "GET /x?access_token=[secret]&b=1"),
            ("Authorization: Bearer abcdefgh.ijkl", "Authorization: [secret]"),
            ("x{url:http://h/?t=eyJhbGciOiJIUzI1NiJ9.e30.x-_y}", "x{url:http://h/?t=[secret]}"),
            ("token status ok", "token status ok"),
            ("access token created", "access token created"),
            ("login_ui_token_duration", "login_ui_token_duration"),
            ("bearer of bad news", "bearer of bad news"),
        ] {
            assert_eq!(mask(text), masked);
        }
    }

    #[test]
    fn paths_name_the_place_and_never_the_value() {
        let document = json!({
            "setup_data": {"token": "eyJhbGciOiJub25lIn0.e30.", "n": 3},
            "list": ["fine", "Bearer abcdefghijkl"],
            "metrics": {"http_reqs{url:http://h/?token=hunter2hunter2}": {"count": 1, "rate": 1.0}},
            "config": {"script": "headers: { Authorization: `Bearer ${token}` }, token: res.json().token"},
        });
        let expected = ["setup_data", "setup_data.token", "list[1]", "metrics.http_reqs{url:http://h/?token=[secret]}"];
        assert_eq!(paths(&document), expected);
    }

    #[test]
    fn the_number_of_paths_is_bounded() {
        let many: Vec<_> = (0..500).map(|_| json!({"password": "hunter2"})).collect();
        assert_eq!(paths(&json!(many)).len(), MOST_PATHS);
    }
}
