//! Why a request failed.

use super::normalise::Normaliser;
use crate::model::{CauseKind, Tags};

/// What tells one population of failures from another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cause {
    /// HTTP status; `None` without a response or when it was not recorded.
    pub status: Option<u16>,
    /// k6's error code.
    pub error_code: Option<u16>,
    /// k6's error text, normalised; empty for HTTP statuses.
    pub error: String,
}

impl Cause {
    /// The cause a failed request's tags state. 4xx and 5xx have an empty error text: status and code belong to the key.
    pub fn of(tags: &Tags<'_>, normaliser: &mut Normaliser) -> Self {
        let number = |tag: Option<&str>| tag.and_then(|text| text.parse().ok()).filter(|n: &u16| *n > 0);
        let error_code = number(tags.get("error_code"));
        let from_code = error_code.filter(|code| (1400..1600).contains(code)).map(|code| code - 1000);
        Cause {
            status: number(tags.get("status")).or(from_code),
            error_code,
            error: normaliser.error(tags.get("error").unwrap_or_default()),
        }
    }

    /// The cause that takes what no longer fits when a file has hundreds of them.
    pub fn other() -> Self {
        Cause { status: None, error_code: None, error: "other causes".to_owned() }
    }

    /// The class of a cause, by code where there is one, else by status, else by k6's own words for it.
    ///
    /// Source: `lib/netext/httpext/error_codes.go`.
    pub fn kind(&self) -> CauseKind {
        match self.error_code {
            Some(1050) => CauseKind::RequestTimeout,
            Some(1211) => CauseKind::ConnectTimeout,
            Some(1210..=1213) => CauseKind::Connect,
            Some(1220) => CauseKind::ConnectionReset,
            Some(1010 | 1200..=1202) => CauseKind::Network,
            Some(1110 | 1111) => CauseKind::Blocked,
            Some(1100..=1109) => CauseKind::Dns,
            Some(1300..=1399) => CauseKind::Tls,
            Some(1400..=1599) => CauseKind::HttpStatus,
            Some(1600..=1699) => CauseKind::Http2,
            Some(1701) => CauseKind::Content,
            Some(_) => CauseKind::Unknown,
            None if self.status.is_some() => CauseKind::HttpStatus,
            None => by_text(&self.error),
        }
    }
}

/// A cause the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCause {
    /// HTTP status it has.
    pub status: Option<u16>,
    /// k6's error code it has.
    pub error_code: Option<u16>,
    /// Words its error text holds.
    pub error: Option<String>,
    /// Whether the text the configuration looks for was seen in the run's log; `None` when it looks for none.
    pub seen_in_log: Option<bool>,
    /// What to call it.
    pub label: String,
}

impl NamedCause {
    pub(super) fn fits(&self, cause: &Cause) -> bool {
        self.status.is_none_or(|status| cause.status == Some(status))
            && self.error_code.is_none_or(|code| cause.error_code == Some(code))
            && self.error.as_ref().is_none_or(|words| cause.error.contains(words.as_str()))
            && self.seen_in_log != Some(false)
    }
}

fn by_text(error: &str) -> CauseKind {
    if error.contains("dial") && error.contains("i/o timeout") {
        return CauseKind::ConnectTimeout; // Go names the address between the two
    }
    const WORDS: [(&str, CauseKind); 10] = [
        ("request timeout", CauseKind::RequestTimeout),
        ("connection reset by peer", CauseKind::ConnectionReset),
        ("lookup", CauseKind::Dns),
        ("no such host", CauseKind::Dns),
        ("connection refused", CauseKind::Connect),
        ("dial", CauseKind::Connect),
        ("x509", CauseKind::Tls),
        ("tls:", CauseKind::Tls),
        ("http2:", CauseKind::Http2),
        ("broken pipe", CauseKind::Network),
    ];
    WORDS.iter().find(|(words, _)| error.contains(words)).map_or(CauseKind::Unknown, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_status_is_told_from_the_code_when_the_status_tag_is_off() {
        let tags = Tags { error_code: Some("1503"), ..Tags::default() };
        let cause = Cause::of(&tags, &mut Normaliser::default());
        assert_eq!((cause.status, cause.kind()), (Some(503), CauseKind::HttpStatus));
    }

    #[test]
    fn status_zero_is_no_status() {
        let tags =
            Tags { status: Some("0"), error_code: Some("1050"), error: Some("request timeout"), ..Tags::default() };
        let cause = Cause::of(&tags, &mut Normaliser::default());
        assert_eq!((cause.status, cause.kind()), (None, CauseKind::RequestTimeout));
    }

    #[test]
    fn the_text_decides_when_there_is_neither_code_nor_status() {
        let tags = Tags { error: Some("lookup: no such host"), ..Tags::default() };
        assert_eq!(Cause::of(&tags, &mut Normaliser::default()).kind(), CauseKind::Dns);
    }

    #[test]
    fn texts_without_the_words_k6_puts_before_them_are_known() {
        for (text, kind) in [
            ("connect: connection refused", CauseKind::Connect),
            ("no such host", CauseKind::Dns),
            ("dial tcp 10.1.2.3:443: i/o timeout", CauseKind::ConnectTimeout),
            ("dial: i/o timeout", CauseKind::ConnectTimeout),
            ("EOF", CauseKind::Unknown),
        ] {
            let tags = Tags { error: Some(text), ..Tags::default() };
            assert_eq!(Cause::of(&tags, &mut Normaliser::default()).kind(), kind, "{text}");
        }
    }
}
