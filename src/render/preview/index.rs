//! The list of all pages with the sweep's figures.

use super::body::Beside;
use super::document::document;
use super::inline::link as to;
use super::page::sums;
use super::{Remark, body, source};
use crate::model::{Evidence, Percentile};
use crate::notation::{count, duration, failed as failed_of, per_second};
use crate::render::xml::escaped;

/// One page of the index.
#[derive(Debug, Clone, Copy)]
pub struct IndexEntry<'a> {
    /// Path of its HTML file from the index.
    pub link: &'a str,
    /// What it is called there.
    pub name: &'a str,
    /// The version it belongs to; `None` when its place does not say.
    pub version: Option<&'a str>,
    /// What is known of the run.
    pub evidence: &'a Evidence,
    /// What `check` found.
    pub remarks: &'a [Remark],
    /// Rows that a person wrote or changed.
    pub edited: usize,
}

/// Writes the index as a whole HTML document: a table of the sweep in the order given, with a link to each page.
///
/// Figures are those of k6's whole run. `notes` is Markdown that stands below the table: goals, and what makes runs
/// incomparable. `picture` is the name of the sweep's picture beside the index.
pub fn preview_index(title: &str, entries: &[IndexEntry<'_>], notes: &str, picture: Option<&str>) -> String {
    let rows: String = entries.iter().map(row).collect();
    let picture = picture.map_or_else(String::new, |name| {
        format!("<h2>Over time</h2>\n<img src=\"{}\" alt=\"Latencies, iterations and failures of every target over time; the figures stand in the table above\">\n", to(name))
    });
    let main = format!(
        "<h1>{}</h1>\n<p class=\"about\">{} pages</p>\n<div class=\"table index\" tabindex=\"0\" role=\"region\" aria-label=\"Pages\"><table>\n\
         <thead><tr><th scope=\"col\">target</th><th scope=\"col\" class=\"right\">VUs</th><th scope=\"col\" class=\"right\">iter/s</th>\
         <th scope=\"col\" class=\"right\">p50</th><th scope=\"col\" class=\"right\">p95</th><th scope=\"col\" class=\"right\">p99</th>\
         <th scope=\"col\">failed requests</th><th scope=\"col\">check</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{}{picture}",
        escaped(title),
        entries.len(),
        body::html(&source::plain(notes), &Beside::default()),
    );
    document(title, "<span>Preview</span>", &main)
}

fn throughput(evidence: &Evidence) -> Option<f64> {
    evidence.k6.iterations.and_then(|iterations| iterations.per_second)
}

fn row(entry: &IndexEntry<'_>) -> String {
    let IndexEntry { link, name, version, evidence, remarks, edited } = entry;
    let quantile = |percentile| {
        let stats = &evidence.trends.get("http_req_duration")?.run;
        stats.percentiles.get(&percentile).map(|ms| duration::write(*ms))
    };
    let failed = evidence.requests.as_ref().and_then(|requests| Some((requests.run.failed?, requests.run.total)));
    let failed = failed.map(|(failed, total)| failed_of::write(failed, total));
    let figures = [
        evidence.k6.vus_max.map(count::write),
        throughput(evidence).map(per_second::throughput),
        quantile(Percentile::P50),
        quantile(Percentile::P95),
        quantile(Percentile::P99),
    ];
    let figures: String =
        figures.map(|figure| format!("<td class=\"right\">{}</td>", escaped(&figure.unwrap_or_default()))).concat();
    let version =
        version.map(|version| format!(" <span class=\"version\">{}</span>", escaped(version))).unwrap_or_default();
    format!(
        "<tr><th scope=\"row\"><a href=\"{}\">{}</a>{version}</th>{figures}<td>{}</td><td>{}</td></tr>\n",
        to(link),
        escaped(name),
        escaped(&failed.unwrap_or_default()),
        escaped(&sums(remarks, *edited)),
    )
}
