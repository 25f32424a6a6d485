//! What is secret or telling in a text, and what stands in its place.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::screen::{Screened, has_run, is_enclosed};

/// One kind of thing that may not be published.
pub(super) struct Rule {
    needs: Needs,
    /// Compiled when some text has what it needs: all of them would take longer than reading a short file.
    pattern: LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>,
    with: With,
}

/// What every text that the pattern fits (and changes) has; looked for in lower case.
enum Needs {
    /// One of these.
    AnyOf(&'static [&'static str]),
    /// Something of this shape.
    Shape(fn(&str) -> bool),
}

/// What stands in the place of a match.
enum With {
    /// A text in which `$1` is the first group.
    Text(&'static str),
    /// Whatever the function makes of the match.
    Call(fn(&Captures<'_>) -> String),
}

impl Rule {
    /// Replaces every match.
    pub fn apply(&self, text: &mut Screened) {
        if text.is_screened() && !self.needs.are_met_by(text.lower()) {
            return;
        }
        self.apply_unscreened(text);
    }

    /// As [`Rule::apply`], without asking first whether a match is possible.
    pub(super) fn apply_unscreened(&self, text: &mut Screened) {
        if self.pattern.is_match(text.as_str()) {
            let new = match self.with {
                With::Text(with) => self.pattern.replace_all(text.as_str(), with).into_owned(),
                With::Call(with) => self.pattern.replace_all(text.as_str(), with).into_owned(),
            };
            text.set(new);
        }
    }
}

impl Needs {
    fn are_met_by(&self, lower: &str) -> bool {
        match self {
            Needs::AnyOf(words) => words.iter().any(|word| lower.contains(word)),
            Needs::Shape(has) => has(lower),
        }
    }
}

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

/// The last parts of names that are hosts' wherever they stand.
const ENDINGS: [&str; 104] = [
    "com",
    "net",
    "org",
    "io",
    "dev",
    "app",
    "run",
    "cloud",
    "internal",
    "intranet",
    "local",
    "localdomain",
    "corp",
    "lan",
    "home",
    "invalid",
    "test",
    "example",
    "arpa",
    "info",
    "biz",
    "tech",
    "online",
    "site",
    "ai",
    "co",
    "edu",
    "gov",
    "mil",
    "int",
    "pro",
    "me",
    "tv",
    "cc",
    "gg",
    "sh",
    "ly",
    "xyz",
    "systems",
    "services",
    "software",
    "solutions",
    "network",
    "zone",
    "host",
    "hosting",
    "company",
    "digital",
    "global",
    "group",
    "page",
    "world",
    "studio",
    "agency",
    "team",
    "works",
    "tools",
    "ch",
    "de",
    "at",
    "eu",
    "uk",
    "us",
    "fr",
    "nl",
    "it",
    "es",
    "se",
    "no",
    "dk",
    "fi",
    "pl",
    "cz",
    "sk",
    "hu",
    "ro",
    "bg",
    "gr",
    "ie",
    "be",
    "lu",
    "pt",
    "lt",
    "lv",
    "ee",
    "ca",
    "au",
    "nz",
    "jp",
    "kr",
    "cn",
    "hk",
    "tw",
    "sg",
    "in",
    "br",
    "mx",
    "ar",
    "cl",
    "za",
    "tr",
    "il",
    "ru",
    "ua",
];

/// Every rule, in the order they apply: what a later one would take apart comes first.
pub(super) static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    use Needs::{AnyOf, Shape};
    let rule =
        |needs, rule: &'static str, with| Rule { needs, pattern: LazyLock::new(Box::new(|| pattern(rule))), with };
    let text = |needs, pattern, with| rule(needs, pattern, With::Text(with));
    let call = |needs, pattern, with| rule(needs, pattern, With::Call(with));
    vec![
        // secrets
        text(AnyOf(&["-----begin"]), r"(?s)-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|\z)", "{key}"),
        text(AnyOf(&["eyj"]), r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*", "{token}"),
        text(
            AnyOf(&[
                "ghp_",
                "gho_",
                "ghu_",
                "ghs_",
                "ghr_",
                "github_pat_",
                "glpat-",
                "xox",
                "sk-",
                "hvs.",
                "ya29.",
                "aiza",
                "akia",
                "npm_",
                "dckr_pat_",
            ]),
            r"\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|hvs\.|ya29\.|AIza|AKIA|npm_|dckr_pat_)[\w.-]{10,}",
            "{token}",
        ),
        text(AnyOf(&["bearer"]), r"\bBearer((?:\s|%20|\+)+)[\w.~+/=-]{3,}", "Bearer$1{token}"),
        call(AnyOf(&["bearer", "basic"]), r"(?i)\b(bearer|basic)((?:\s|%20|\+)+)([\w.~+/=-]{6,})", authorization),
        // the whole rest of a header: it has several parts, some perhaps already replaced
        text(
            AnyOf(&["authorization", "cookie"]),
            r#"(?i)\b((?:proxy-)?authorization|(?:set-)?cookies?)(\\?["']?\s*[:=]\s*)(?:[^\n{}]|\{[a-z]*\})*(?:[^\s{}]|\{[a-z]*\})"#,
            "$1$2{redacted}",
        ),
        call(
            AnyOf(&[
                "x-amz-",
                "key",
                "token",
                "secret",
                "pass",
                "credential",
                "pwd",
                "jwt",
                "assertion",
                "pw",
                "signature",
                "sessionid",
                "sessid",
                "csrf",
                "xsrf",
            ]),
            r#"(?i)\b(x-api-key|x-amz-[a-z-]+|(?:private|access|api)[_-]?key(?:[_-]?id)?|[a-z_-]*(?:token|secret|password|passwd|passphrase|credentials?)|pwd|jwt|[a-z_]*assertion|pw|signature|jsessionid|phpsessid|[cx]srf)(\\?["']?\s*[:=]\s*\\?["']?)([^\s&,;"'\\{}(\[][^\s&,;"'\\}]*)"#,
            named_secret,
        ),
        text(AnyOf(&["pass="]), r#"(?i)\bpass=[^\s&,;"'\\{}(\[][^\s&,;"'\\}]*"#, "pass={redacted}"),
        text(AnyOf(&["@"]), r#"\b[\w.+-]+:[^\s:@/"'{}]+@[\w.-]+(?::\d+)?"#, "{credentials}"),
        text(AnyOf(&["unix"]), r#"\b(unix(?:gram|packet)?)(:|\s+)[/@][^\s"'():,;|<>]+"#, "$1$2{path}"),
        text(
            AnyOf(&["session", "sid=", "sig=", "nonce=", "auth="]),
            r#"(?i)\b(session(?:[_-]?id)?|sid|sig|nonce|auth)=[^\s&,;"'\\{}(\[][^\s&,;"'\\}]*"#,
            "$1={redacted}",
        ),
        text(AnyOf(&["?"]), r#"(/[\w.~%{}:@!$*+,;=-]*)\?[\w.%\[\]-]+=[^\s"'<>|})]*"#, "$1"),
        call(
            Shape(|text| has_run(text, 40, |c| c.is_ascii_alphanumeric() || c == '_' || c == '-')),
            r"\b[A-Za-z0-9_-]{40,}\b",
            opaque,
        ),
        // machines and accounts
        call(
            AnyOf(&["/"]),
            r#"(^|[\s"'(=:,\[`])(?:file://)?((?:/(?:home|Users|root|var|etc|opt|tmp|mnt|srv|usr|private|Volumes|builds|workspace)\b(?:/[^\s"'():,;|<>/]*)+|(?:/[\w.@+-]+)+/[\w.-]+\.(?:js|ts|mjs|cjs)\b))"#,
            file_name,
        ),
        call(AnyOf(&[":\\"]), r#"()\b([A-Za-z]:\\+(?:[^\s"'\\:|<>]+\\+)*[^\s"'\\:|<>]*)"#, file_name),
        text(
            AnyOf(&[
                "projects/",
                "instances/",
                "databases/",
                "locations/",
                "clusters/",
                "namespaces/",
                "subscriptions/",
                "resourcegroups/",
            ]),
            r"\b(projects|instances|databases|locations|clusters|namespaces|subscriptions|resourceGroups)/[A-Za-z0-9][\w.-]*",
            "$1/{id}",
        ),
        text(
            AnyOf(&[
                "project",
                "instance",
                "database",
                "db",
                "cluster",
                "node",
                "pod",
                "account",
                "tenant",
                "subscription",
            ]),
            r#"(?i)\b((?:project|instance|database|db|cluster|node|pod|account|tenant|subscription)[_-]?(?:id|name|number))(\\?["']?\s*[:=]\s*\\?["']?)[^\s&,;"'\\{}(\[][^\s&,;"'\\}]*"#,
            "$1$2{redacted}",
        ),
        text(
            AnyOf(&["host=", "name=", "server=", "database=", "user=", "project=", "instance=", "node=", "pod="]),
            r#"\b(host|hostname|server|dbname|database|user|username|project|instance|node|pod)=[^\s&,;"'\\{}(\[][^\s&,;"'\\}]*"#,
            "$1={redacted}",
        ),
        text(
            Shape(|text| is_enclosed(text, ':', 1..=usize::MAX, |c| c.is_alphanumeric() || c == '-')),
            r"\b[a-z][a-z0-9-]{4,}:[a-z]+-[a-z]+\d+:[a-z][a-z0-9-]+\b",
            "{instance}",
        ),
        text(AnyOf(&["arn:"]), r#"\barn:[\w-]+:[^\s"']+"#, "{instance}"),
        text(AnyOf(&["i-", "gke-", "ip-"]), r"\b(?:i-[0-9a-f]{8,17}|gke-[a-z0-9-]+|ip(?:-\d{1,3}){4})\b", "{instance}"),
        text(
            Shape(|text| is_enclosed(text, '-', 8..=10, |c| c.is_ascii_hexdigit())),
            r"\b[a-z][a-z0-9-]*-[0-9a-f]{8,10}-[a-z0-9]{5}\b",
            "{instance}",
        ),
        // addresses
        text(AnyOf(&["@"]), r"\b[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\b", "{email}"),
        text(
            Shape(|text| is_enclosed(text, '.', 1..=3, char::is_numeric)),
            r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b",
            "{address}",
        ),
        text(AnyOf(&["["]), r"\[[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F.]*(?:%\w+)?\](?::\d+)?", "{address}"),
        text(
            Shape(|text| is_enclosed(text, ':', 1..=4, |c| c.is_ascii_hexdigit())),
            r"\b[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){7}\b",
            "{address}",
        ),
        call(
            AnyOf(&["::"]),
            r"\b(?:[0-9a-fA-F]{1,4}:)+(?::[0-9a-fA-F]{1,4})+\b(?:%\w+)?|\b(?:[0-9a-fA-F]{1,4}:){2,7}:(?:%\w+)?",
            short_ipv6,
        ),
        call(
            Shape(has_ending),
            r"(?i)\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|dev|app|run|cloud|internal|intranet|local|localdomain|corp|lan|home|invalid|test|example|arpa|info|biz|tech|online|site|ai|co|edu|gov|mil|int|pro|me|tv|cc|gg|sh|ly|xyz|systems|services|software|solutions|network|zone|host|hosting|company|digital|global|group|page|world|studio|agency|team|works|tools|ch|de|at|eu|uk|us|fr|nl|it|es|se|no|dk|fi|pl|cz|sk|hu|ro|bg|gr|ie|be|lu|pt|lt|lv|ee|ca|au|nz|jp|kr|cn|hk|tw|sg|in|br|mx|ar|cl|za|tr|il|ru|ua)\b(?::\d+)?(\.(?:js|ts|mjs|cjs|json)\b)?",
            host,
        ),
        call(AnyOf(&["-"]), r"\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.){2,}([a-z]{2,})\b(?::\d+)?", dotted_name),
        text(AnyOf(&["localhost:"]), r"(?i)\blocalhost:\d+\b", "{address}"),
        text(
            Shape(|text| text.split(':').skip(1).any(|rest| rest.starts_with(char::is_numeric))),
            r#"(^|[\s"'(=@/\[`])[a-z][a-z0-9-]{1,62}:\d{4,5}\b"#,
            "${1}{address}",
        ),
        // what identifies one thing among many
        text(
            Shape(|text| is_enclosed(text, '-', 4..=4, |c| c.is_ascii_hexdigit())),
            r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b",
            "{id}",
        ),
        text(Shape(|text| has_run(text, 15, char::is_numeric)), r"\b\d{15,}\b", "{id}"),
    ]
});

/// A name of letters after a dot that is one of [`ENDINGS`], whatever comes next.
fn has_ending(lower: &str) -> bool {
    let begins = |part: &str| {
        let end = part.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
        ENDINGS.contains(&&part[..end])
    };
    lower.split('.').skip(1).any(begins)
}

fn group<'t>(found: &Captures<'t>, index: usize) -> &'t str {
    found.get(index).map_or("", |group| group.as_str())
}

fn whole(found: &Captures<'_>) -> String {
    group(found, 0).to_owned()
}

/// `basic authentication` is a word of its own, `Basic dXNlcjpwYXNz` is a credential.
fn authorization(found: &Captures<'_>) -> String {
    match group(found, 3).bytes().all(|b| b.is_ascii_lowercase()) {
        true => whole(found),
        false => format!("{}{}{{token}}", group(found, 1), group(found, 2)),
    }
}

/// `token: valid` is a sentence of a check's name, `token: s3cr3t` and `token=valid` are not.
fn named_secret(found: &Captures<'_>) -> String {
    let (separator, value) = (group(found, 2), group(found, 3));
    let word = value.len() < 8
        && value.bytes().all(|b| b.is_ascii_alphabetic())
        && value.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    let in_prose = separator.trim() == ":" && separator.ends_with(' ');
    match word && in_prose {
        true => whole(found),
        false => format!("{}{separator}{{redacted}}", group(found, 1)),
    }
}

/// A long run of mixed letters and digits is a key of some kind; a long name is not.
fn opaque(found: &Captures<'_>) -> String {
    let has = |kind: fn(&u8) -> bool| group(found, 0).as_bytes().iter().any(kind);
    match has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) {
        true => "{token}".to_owned(),
        false => whole(found),
    }
}

/// A file keeps its name and loses its folders; of a folder nothing is kept.
fn file_name(found: &Captures<'_>) -> String {
    let path = group(found, 2);
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept = if last.trim_matches('.').contains('.') { last } else { "{path}" };
    format!("{}{kept}", group(found, 1))
}

/// Groups of a script may look like an address, `add::bad`; without a digit it is none.
fn short_ipv6(found: &Captures<'_>) -> String {
    match group(found, 0).bytes().any(|b| b.is_ascii_digit()) {
        true => "{address}".to_owned(),
        false => whole(found),
    }
}

/// Domains of metrics' names, before `.googleapis.com`: the same for everybody.
const METRIC_DOMAINS: [&str; 6] = ["run", "cloudsql", "dbinsights", "custom", "workload", "external"];

/// `login.test.js` is a script, `run.googleapis.com` begins the name of a metric.
fn host(found: &Captures<'_>) -> String {
    let vendor = found.get(0).and_then(|name| name.as_str().strip_suffix(".googleapis.com"));
    let is_metrics = vendor.is_some_and(|name| METRIC_DOMAINS.contains(&name));
    if is_metrics || found.get(1).is_some() { whole(found) } else { "{host}".to_owned() }
}

/// A dotted name of three and more parts is a machine's when a part has a hyphen, unless it ends as files do;
/// `response.body.id` is a field.
fn dotted_name(found: &Captures<'_>) -> String {
    const FILES: [&str; 17] = [
        "js", "ts", "mjs", "cjs", "json", "ndjson", "csv", "gz", "zst", "log", "txt", "html", "md", "mdx", "yaml",
        "yml", "proto",
    ];
    match group(found, 0).contains('-') && !FILES.contains(&group(found, 1)) {
        true => "{host}".to_owned(),
        false => whole(found),
    }
}
