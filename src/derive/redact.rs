//! Keeps secrets and deployment identity out of everything that is published.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::model::{Fault, Result};

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern compiles")
}

/// A URL with scheme, up to a space or a character that ends one in prose.
pub(super) static URL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\b[a-z][a-z0-9+.-]*://(?:[^\s"'<>|\\^`{}\[\]]|\{[a-z]*\})+"#));

/// The path of a URL, without scheme, user, host, port, query and fragment; `/` when it has none.
pub(super) fn without_host(text: &str) -> String {
    URL.replace_all(text, |found: &Captures<'_>| {
        let rest = found[0].split_once("://").map_or("", |(_, rest)| rest);
        let path = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if path.is_empty() { "/".to_owned() } else { path.to_owned() }
    })
    .into_owned()
}

/// Rewrites texts from logs, tags and summaries before they reach anything published.
///
/// Takes out tokens, credentials and cookies; URLs lose scheme and host; host names, IP addresses, cloud projects and
/// instances become placeholders; script paths keep their file name only. Then the patterns of `[publish] redact` apply.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    own: Vec<Regex>,
}

static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let rules = [
        (r"eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)*", "{token}"),
        (r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}", "$1 {token}"),
        (
            r#"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api[_-]?key|[a-z_]*(?:token|secret|password|passwd))(\s*[:=]\s*)[^\s&,;"'{(\[][^\s&,;"']*"#,
            "$1$2{redacted}",
        ),
        (r"(?:file://)?(?:/[\w.@+-]+)+/([\w.-]+\.(?:js|ts|mjs|cjs))\b", "$1"),
        (r"\b(projects|instances|databases|locations|clusters|namespaces)/[a-z0-9][a-z0-9_.-]*", "$1/{id}"),
        (r"\b[a-z][a-z0-9-]{4,}:[a-z]+-[a-z]+\d+:[a-z][a-z0-9-]+\b", "{instance}"),
        (r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b", "{address}"),
        (r"\[[0-9a-fA-F]*:[0-9a-fA-F:.]*:[0-9a-fA-F.]*(?:%\w+)?\](?::\d+)?", "{address}"),
        (r"\b[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){7}\b", "{address}"),
        (r"(?i)\blocalhost:\d+\b", "{address}"),
        (
            r"(?i)\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|dev|app|run|cloud|internal|intranet|local|localdomain|corp|lan|home|invalid|test|example|arpa|info|biz|tech|online|site|ai|co|de|ch|at|eu|uk|us|fr|nl|it|es|se|no|dk|fi|pl|cz|ca|au|jp|in|br)(?::\d+)?\b",
            "{host}",
        ),
    ];
    rules.into_iter().map(|(rule, with)| (pattern(rule), with)).collect()
});

static SHORT_IPV6: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:[0-9a-fA-F]{1,4}:)+(?::[0-9a-fA-F]{1,4})+\b"));

impl Redactor {
    /// Adds patterns of the user's own (`[publish] redact`), regular expressions in the syntax of the `regex` crate.
    ///
    /// # Errors
    ///
    /// Fails on a pattern that is no regular expression, naming it.
    pub fn new(own: &[String]) -> Result<Self> {
        let compile = |text: &String| {
            Regex::new(text).map_err(|e| {
                let reason = e.to_string().lines().last().unwrap_or_default().trim().to_owned();
                Fault::new(format!("`[publish] redact`: `{text}` is no regular expression: {reason}"))
            })
        };
        Ok(Redactor { own: own.iter().map(compile).collect::<Result<_>>()? })
    }

    /// The text with everything secret or telling taken out; a text without any is returned as it is.
    pub fn text(&self, text: &str) -> String {
        let mut text = without_host(text);
        for (rule, with) in RULES.iter() {
            if rule.is_match(&text) {
                text = rule.replace_all(&text, *with).into_owned();
            }
        }
        let text = SHORT_IPV6.replace_all(&text, |found: &Captures<'_>| {
            // groups of a script may look like one: `add::bad`
            let is_address = found[0].bytes().any(|b| b.is_ascii_digit());
            if is_address { "{address}".to_owned() } else { found[0].to_owned() }
        });
        let mut text = text.into_owned();
        for rule in &self.own {
            text = rule.replace_all(&text, "{redacted}").into_owned();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str) -> String {
        Redactor::default().text(text)
    }

    #[test]
    fn secrets_and_hosts_do_not_survive() {
        let seeds = [
            "Get \"https://user:pw@api.acme.internal:8443/login?access_token=s3cr3t\": EOF",
            "Authorization: Bearer abcdef123456",
            "authorization=Basic dXNlcjpwYXNz",
            "cookie: session=0123456789abcdef",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "dial tcp 10.20.30.40:443: connect: refused",
            "peer [2001:db8::8a2e:370:7334]:443 and fe80::1ff:fe23:4567:890a",
            "projects/acme-prod-4711/instances/db-main",
            "acme-prod:europe-west6:db-main",
            "at /home/ann/load/tests/login.js:9:69",
            "file:///home/ann/load/tests/login.js:9:69(33)",
        ];
        let telling = [
            "acme",
            "pw@",
            "s3cr3t",
            "abcdef123456",
            "dXNlcjpwYXNz",
            "0123456789",
            "eyJ",
            "10.20",
            "2001:db8",
            "fe80",
            "db-main",
            "ann",
            "/home",
        ];
        for seed in seeds {
            let text = redacted(seed);
            for word in telling {
                assert!(!text.contains(word), "`{word}` left in `{text}`");
            }
        }
    }

    #[test]
    fn ordinary_texts_stay_as_they_are() {
        for text in [
            "token status ok",
            "access token created",
            "login shows password page",
            "::users::add::bad",
            "http_req_duration..............: min=14.56ms avg=2.09s p(99.9)=38.43s",
            "running (30m22.6s), 000/200 VUs, 34399 complete and 0 interrupted iterations",
            "default ✓ [ 100% ] 200 VUs  30m0s",
            "2026-08-27 13:41:19 UTC",
            "ok {status} <200> a|b",
            "ann@example",
            "k6 v2.1.0 (go1.27.3)",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn own_patterns_apply_and_bad_ones_are_named() {
        let own = Redactor::new(&["internal-[a-z0-9-]+".to_owned()]).unwrap();
        assert_eq!(own.text("pool internal-a-7 is full"), "pool {redacted} is full");
        let fault = Redactor::new(&["(".to_owned()]).unwrap_err();
        assert!(fault.message.contains("`(`"), "{fault}");
    }
}
