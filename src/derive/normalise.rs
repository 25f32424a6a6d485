//! Takes out of texts what differs from request to request: hosts, ports, ids.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use regex::{Captures, Regex};

use super::redact::screen::{has_run, is_enclosed};
use super::redact::{Redactor, URL, without_host};

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

/// Distinct raw texts remembered.
const CACHED: usize = 4_096;

/// Longest error text kept; k6 repeats whole URLs and TLS certificates in some.
const LONGEST: usize = 300;

/// Normalises error texts and request names, remembering what it has seen.
///
/// Secrets go first: without its digits one would no longer be known for what it is.
#[derive(Debug, Default)]
pub struct Normaliser {
    redactor: Redactor,
    errors: HashMap<String, String, RandomState>,
    requests: HashMap<String, String, RandomState>,
    key: String,
}

impl Normaliser {
    /// One that takes out what this redactor does, then what differs from request to request.
    pub fn new(redactor: Redactor) -> Self {
        Normaliser { redactor, ..Normaliser::default() }
    }

    /// An error text without URLs, addresses, ids and line breaks, so that the failures of one cause read the same.
    pub fn error(&mut self, raw: &str) -> String {
        if raw.is_empty() {
            return String::new();
        }
        if let Some(known) = self.errors.get(raw) {
            return known.clone();
        }
        let normal = normalise(&self.redactor.text(&without_request(raw)));
        if self.errors.len() < CACHED {
            self.errors.insert(raw.to_owned(), normal.clone());
        }
        normal
    }

    /// A request's name for people, see [`request_name`].
    pub fn request(&mut self, method: &str, raw: &str) -> &str {
        // everything that may differ in the key but not in the name would make another entry for each request
        self.key.clear();
        self.key.push_str(method);
        self.key.push(' ');
        match self.redactor.has_own_patterns() {
            true => self.key.push_str(raw),
            false => push_shape(&mut self.key, raw),
        }
        if !self.requests.contains_key(&self.key) {
            if self.requests.len() >= CACHED {
                self.requests.clear();
            }
            self.requests.insert(self.key.clone(), request_name(method, &self.redactor.text(raw)));
        }
        self.requests.get(&self.key).map_or("", String::as_str)
    }
}

/// The part of a request's raw name that its normalised name depends on.
///
/// A URL loses its host and query before any rule looks at it, and no rule tells one digit from another: numbers of three
/// and more digits always become a placeholder.
fn push_shape(key: &mut String, raw: &str) {
    let mut rest = path_of_url(raw).unwrap_or(raw);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (digits, after) = digits.split_at(end);
        key.push_str(before);
        match digits.len() {
            0..=2 => key.push_str(digits),
            n => key.extend(std::iter::repeat_n('0', n)),
        }
        rest = after;
    }
    key.push_str(rest);
}

/// The path of a text that is an HTTP URL and nothing else; `None` for any other text.
fn path_of_url(raw: &str) -> Option<&str> {
    let rest = raw.strip_prefix("https://").or_else(|| raw.strip_prefix("http://"))?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~:/?#@!$&()*+,;=%".contains(&b);
    let (host, path) = rest.split_at_checked(rest.find(['/', '?', '#'])?)?;
    let path = path.split(['?', '#']).next()?;
    (!host.is_empty() && !path.is_empty() && !path.contains(':') && rest.bytes().all(plain)).then_some(path)
}

/// Go's HTTP client begins every error with `Get "https://…": `.
fn without_request(raw: &str) -> String {
    static QUOTED_REQUEST: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^[A-Z][a-z]+ "[^"]*": "#));
    let spaced = raw.split_whitespace().collect::<Vec<_>>().join(" ");
    if !spaced.contains('"') {
        return spaced;
    }
    QUOTED_REQUEST.replace(&spaced, "").into_owned()
}

fn normalise(raw: &str) -> String {
    static ADDRESS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+(?:%\w+)?\])(:\d+)?"));
    // by shape: what is a host and what a field cannot be told, and no text of k6's own has a dotted name
    static DOTTED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)(?:\*\.)?\b[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.(?:[a-z][a-z0-9-]*|[a-z0-9-]*[a-z])\b\.?(?::\d+)*")
    });
    static NAME_AND_PORT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Za-z][\w-]*:\d{2,5}\b"));
    static PATH: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(^|[\s"'(=:,@\[`])(?:/[^\s"'():,;|<>/{}]+){2,}/?|(^|[\s"'(=,\[`])[A-Za-z]:\\[^\s"':,;|<>]*"#)
    });
    static LOOKUP: LazyLock<Regex> = LazyLock::new(|| pattern(r"lookup [^\s:]+(?: on \S+)?:"));
    static DIAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"dial (tcp|udp)[46]? [^\s:]+(?::\d+)?:"));
    static UUID: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"));
    static HEX: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:0x)?[0-9a-fA-F]*\d[0-9a-fA-F]{11,}\b"));
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(^|[^A-Za-z0-9_.])\d{3,}\b"));
    let text = replaced(raw.to_owned(), |text| text.contains("://"), &URL, "{url}");
    let text = replaced(text, |text| text.contains("lookup "), &LOOKUP, "lookup:");
    let text = replaced(text, |text| text.contains("dial "), &DIAL, "dial $1:");
    let is_address = |text: &str| text.contains('[') || is_enclosed(text, '.', 1..=3, char::is_numeric);
    let text = replaced(text, is_address, &ADDRESS, "{address}");
    let text = replaced(text, |text| text.contains(['/', '\\']), &PATH, "${1}${2}{path}");
    let text = replaced(text, |text| text.contains('.'), &DOTTED, dotted);
    let text = replaced(text, |text| text.contains(':'), &NAME_AND_PORT, "{address}");
    let text = replaced(text, |text| text.contains('-'), &UUID, "{id}");
    let text = replaced(text, |text| has_run(text, 12, char::is_alphanumeric), &HEX, "{id}");
    let text = replaced(text, |text| has_run(text, 3, char::is_numeric), &NUMBER, "${1}{n}");
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// Every match replaced. What each match has is looked for first: most texts have none of it, and a pattern takes longer to
/// compile than a short file to read.
fn replaced(
    text: String,
    may_match: impl Fn(&str) -> bool,
    pattern: &LazyLock<Regex>,
    with: impl regex::Replacer,
) -> String {
    if may_match(&text) { pattern.replace_all(&text, with).into_owned() } else { text }
}

/// A script and a position in it stay, `login.test.js:9:69`; every other dotted name is taken for a host.
fn dotted(found: &Captures<'_>) -> String {
    let name = found[0].split(':').next().unwrap_or_default();
    let script = [".js", ".ts", ".mjs", ".cjs"].iter().any(|ending| name.ends_with(ending));
    if script { found[0].to_owned() } else { "{host}".to_owned() }
}

/// A request's name for people: method, then the name without scheme, host, query and ids.
///
/// `GET` and `https://api.example.com/users/1234?x=1` give `GET /users/{id}`; a name that already begins with the method
/// is not given it twice. Names that are no URL keep their words and lose numbers of three and more digits.
pub fn request_name(method: &str, name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let (verb, rest) = match name.split_once(' ') {
        Some((verb, rest)) if verb == method && !method.is_empty() => (verb, rest.to_owned()),
        _ => (method, name),
    };
    let path = if rest.contains("://") && URL.is_match(&rest) { without_host(&rest) } else { rest };
    let path = without_query(&path);
    let parts: Vec<String> = path.split('/').map(segment).collect();
    let path: String = parts.join("/").chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if verb.is_empty() { path } else { format!("{verb} {path}") }
}

/// `GET /users?token=x` names a path even where a script put the verb into the name.
fn without_query(name: &str) -> String {
    static QUERY: LazyLock<Regex> = LazyLock::new(|| pattern(r"((?:^|\s)/[^\s?#]*)[?#]\S*"));
    if !name.contains(['?', '#']) {
        return name.to_owned();
    }
    QUERY.replace_all(name, "$1").into_owned()
}

fn segment(text: &str) -> String {
    const ID: &str =
        r"(?i)^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]*\d[0-9a-f]{11,}|[\w.~=-]*\d[\w.~=-]{19,})$";
    const NUMBER: &str = r"\d{3,}";
    // what digits and letters are in all scripts takes longer to compile than a small file takes to read
    static OF_ASCII: LazyLock<[Regex; 2]> = LazyLock::new(|| [ID, NUMBER].map(|text| pattern(&format!("(?-u){text}"))));
    static OF_ANY: LazyLock<[Regex; 2]> = LazyLock::new(|| [ID, NUMBER].map(pattern));
    if !text.contains(char::is_numeric) {
        return text.to_owned();
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return "{id}".to_owned();
    }
    let [id, number] = if text.is_ascii() { &*OF_ASCII } else { &*OF_ANY };
    match id.is_match(text) {
        true => "{id}".to_owned(),
        false => number.replace_all(text, "{id}").into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Normaliser::default().error(text)
    }

    #[test]
    fn k6_short_texts_stay_as_they_are() {
        for text in [
            "request timeout",
            "read: connection reset by peer",
            "dial: connection refused",
            "lookup: no such host",
            "dial: i/o timeout",
            "write: broken pipe",
            "x509: unknown authority",
            "tls: handshake failure",
            "http2: received GoAway with http2 ErrCode NO_ERROR",
            "http2: stream error: ENHANCE_YOUR_CALM",
            "TypeError: Cannot read property at login.test.js:9:69",
        ] {
            assert_eq!(error(text), text);
        }
    }

    #[test]
    fn hosts_ports_and_ids_are_taken_out_of_error_texts() {
        assert_eq!(
            error(
                r#"Get "https://api.internal:8443/u/1": dial tcp 10.1.2.3:8443: connect: cannot assign requested address"#
            ),
            "dial tcp: connect: cannot assign requested address"
        );
        assert_eq!(error("lookup db-7.internal on 192.0.2.53:53: no such host"), "lookup: no such host");
        assert_eq!(
            error("http2: server sent GOAWAY; LastStreamID=1999, ErrCode=NO_ERROR, debug=\"\""),
            "http2: server sent GOAWAY; LastStreamID={n}, ErrCode=NO_ERROR, debug=\"\""
        );
        assert_eq!(
            error("x509: certificate is valid for *.prod.acme.museum, not api.acme.museum"),
            "x509: certificate is valid for {host}, not {host}"
        );
        assert_eq!(
            error("x509: certificate is valid for api.prod.acme.zone; not zitadel-prod.acme.consulting"),
            "x509: certificate is valid for {host}; not {host}"
        );
        assert_eq!(error("dial postgres:5432 from pod_a.acme.Svc1"), "dial {address} from {host}");
        for text in [
            "dial unix /var/run/acme/secret.sock: connect: refused",
            "open /var/lib/acme/key.pem: denied",
            "open /acme/key: denied",
            r"open C:\acme\x.js",
            "connect ann:s3cr3t@acme",
        ] {
            let clean = error(text);
            assert!(!["acme", "secret", "s3cr3t"].iter().any(|word| clean.contains(word)), "{clean}");
        }
        assert_eq!(error("stream 8f14e45f-ceea-467f-9c9a-1b2c3d4e5f60\nfailed"), "stream {id} failed");
    }

    #[test]
    fn request_names_lose_host_query_and_ids() {
        assert_eq!(request_name("GET", "https://api.example.com:8443/users/1234?token=abc"), "GET /users/{id}");
        assert_eq!(request_name("POST", "POST /v2/users/human"), "POST /v2/users/human");
        assert_eq!(request_name("", "create user"), "create user");
        for letter in ['e', 'é'] {
            assert_eq!(
                request_name("GET", &format!("/{letter}1bcdefghijklmnopqrstu/{letter}")),
                format!("GET /{{id}}/{letter}")
            );
            assert_eq!(request_name("GET", &format!("/{letter}_1234_x")), format!("GET /{letter}_{{id}}_x"));
        }
        assert_eq!(request_name("DELETE", "http://127.0.0.1:18080/delete/2529"), "DELETE /delete/{id}");
        assert_eq!(request_name("GET", "/o/8f14e45f-ceea-467f-9c9a-1b2c3d4e5f60/x"), "GET /o/{id}/x");
        assert_eq!(request_name("GET", "http://localhost"), "GET /");
        assert_eq!(request_name("", "GET /reset?code=abc&state=x"), "GET /reset");
        assert_eq!(request_name("", "user created?"), "user created?");
    }

    /// Whatever is remembered under one key has one name.
    #[test]
    fn a_remembered_name_is_the_one_that_would_be_made_anew() {
        let templates = [
            "https://api.example.net/users/{}?session={}",
            "http://10.0.{}.7:8080/v{}/users",
            "https://h{}.example.net/{}",
            "https://api.example.net?x=/{}/{}",
            "https://api.example.net/a:{}/b#{}",
            "https://a/redirect/https://b{}/c/{}",
            "POST /v2/users/{}/{}",
            "user {} of {}",
            "/projects/p{}/i-{}abcdef",
            "https://a/2026-{}-01T{}:00:00Z",
            "/x/8f14e45f-ceea-467f-9c9a-{}2c3d4e5f6{}",
            "/t/eyJhbGciOiJIUzI1NiIsInR5{}.{}",
            "ip-10-0-{}-{}",
            "192.168.{}.{}",
            "/Ab{}cdefghijklmnopqrstuvwxyzabcdefghijklmnopqr{}",
        ];
        let numbers = ["1", "12", "123", "999", "2024", "1234567890123456", "007", ""];
        let mut normaliser = Normaliser::default();
        for template in templates {
            for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
                let raw = template.replacen("{}", a, 1).replacen("{}", b, 1);
                let anew = request_name("GET", &Redactor::default().text(&raw));
                assert_eq!(normaliser.request("GET", &raw), anew, "{raw}");
            }
        }
    }
}
