use super::quoted::quoted;
use crate::model::{CauseKind, Population};
use crate::notation::escape;

/// A population's cause in words after its count, `HTTP 503`, `request timeouts`; nothing in it comes from data unescaped.
pub fn in_words(population: &Population) -> String {
    let one = population.count == 1;
    let plural = |word: &str| if one { word.to_owned() } else { format!("{word}s") };
    match population.kind {
        CauseKind::HttpStatus => http_status(population),
        CauseKind::RequestTimeout => plural("request timeout"),
        CauseKind::ConnectTimeout => plural("connect timeout"),
        CauseKind::Connect if population.error_code == Some(CONNECTION_REFUSED) => plural("refused connection"),
        CauseKind::Connect => plural("failed connection"),
        CauseKind::ConnectionReset => plural("connection reset"),
        CauseKind::Network => plural("network error"),
        CauseKind::Dns => plural("failed name lookup"),
        CauseKind::Blocked => format!("{} blocked by the script's own options", plural("request")),
        CauseKind::Tls => plural("TLS error"),
        CauseKind::Http2 => plural("HTTP/2 error"),
        CauseKind::Content => plural("unreadable response body").replace("bodys", "bodies"),
        CauseKind::Unknown => plural("failure") + " of unrecorded cause",
    }
}

/// k6's code for `connect: connection refused`.
const CONNECTION_REFUSED: u16 = 1212;

fn http_status(population: &Population) -> String {
    // k6's error code of a 4xx or 5xx is the status plus 1000, and survives a switched-off `status` tag
    let from_code = population.error_code.and_then(|code| code.checked_sub(1000)).filter(|s| (400..600).contains(s));
    match population.status.filter(|status| *status > 0).or(from_code) {
        Some(status) if status >= 400 => format!("HTTP {status}"),
        Some(status) => format!("unexpected HTTP {status}"),
        None => "unexpected HTTP status".to_owned(),
    }
}

/// What is known of the cause beyond the words: the project's own name for it, then k6's error text.
pub(super) fn remarks(population: &Population) -> String {
    let mut remarks = Vec::new();
    if let Some(label) = population.label.as_deref().filter(|label| !label.trim().is_empty()) {
        remarks.push(escape::fact(label));
    }
    let error = quoted(&population.error);
    let says_more = !matches!(population.kind, CauseKind::HttpStatus | CauseKind::RequestTimeout);
    if says_more && !error.is_empty() {
        remarks.push(format!("“{error}”"));
    }
    if population.error_code.is_some() && population.kind == CauseKind::Unknown && error.is_empty() {
        remarks.extend(population.error_code.map(|code| format!("k6 error code {code}")));
    }
    remarks.iter().map(|remark| format!(", {remark}")).collect()
}
