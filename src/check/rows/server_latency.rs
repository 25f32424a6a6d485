use std::sync::LazyLock;

use regex::Regex;

use super::{Judgement, Severity, Subject};
use crate::check::finding::Claim;
use crate::model::{Percentile, Stat};
use crate::notation::duration;
use crate::rows::RowId;

/// A server-side median may lie this far above the client's before the two cannot be of the same requests.
const MOST: f64 = 1.25;

static SERVER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)server-side[^\n]*?latency p50 (?P<p50>[\d.]+\s?[a-zµμ]+)").expect("a constant"));

/// The server's median latency against the client's, which contains it. Other percentiles are not compared: a cloud's are
/// interpolated within wide buckets.
pub(super) fn judge(subject: &Subject) -> Option<Judgement> {
    let row = subject.page.row(RowId::ProductMetrics)?;
    let words = SERVER.captures(&row.text)?.name("p50")?;
    let server = duration::read(words.as_str())?.value?;
    let client = *subject.truth.evidence.trends.get("http_req_duration")?.run.percentiles.get(&Percentile::P50)?;
    let claim = Claim::of_words(row, "server-latency", "server-side median latency", words.start(), words.as_str());
    let source = subject.figure_from("http_req_duration");
    let data =
        subject.printed("http_req_duration", Stat::P(Percentile::P50)).unwrap_or_else(|| duration::write(client));
    Some(if server <= client * MOST {
        claim.holds(data, &source, "not above the client's median")
    } else {
        let how = "the server's median is above the client's, which contains it: the two are not of the same requests";
        claim.contradicted(Severity::Warning, format!("client p50 {data}"), &source, how)
    })
}
