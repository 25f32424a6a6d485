//! The list of all pages with the sweep's figures.

use super::body::Beside;
use super::document::document;
use super::inline::link as to;
use super::page::sums;
use super::{Remark, body, source};
use crate::model::{Percentile, Stat, SweepColumn, SweepLine};
use crate::render::summary::figure;
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
    /// The run's figures, those of a summary.
    pub line: &'a SweepLine,
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

fn row(entry: &IndexEntry<'_>) -> String {
    const NUMBERS: [SweepColumn; 5] = [
        SweepColumn::Vus,
        SweepColumn::IterationsPerSecond,
        SweepColumn::Latency(Stat::P(Percentile::P50)),
        SweepColumn::Latency(Stat::P(Percentile::P95)),
        SweepColumn::Latency(Stat::P(Percentile::P99)),
    ];
    let IndexEntry { link, name, version, line, remarks, edited } = entry;
    let text = |column| escaped(&figure(line, column).unwrap_or_default());
    let figures: String = NUMBERS.map(|column| format!("<td class=\"right\">{}</td>", text(column))).concat();
    let version =
        version.map(|version| format!(" <span class=\"version\">{}</span>", escaped(version))).unwrap_or_default();
    format!(
        "<tr><th scope=\"row\"><a href=\"{}\">{}</a>{version}</th>{figures}<td>{}</td><td>{}</td></tr>\n",
        to(link),
        escaped(name),
        text(SweepColumn::FailedRequests),
        escaped(&sums(remarks, *edited)),
    )
}
