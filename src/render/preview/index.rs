//! The list of all pages with the sweep's figures.

use super::body::Beside;
use super::document::document;
use super::inline::link as to;
use super::page::sums;
use super::{Remark, body};
use crate::model::{Percentile, Stat, SweepColumn, SweepLine};
use crate::notation::count;
use crate::render::summary::figure;
use crate::render::xml::escaped;

/// Headings of the columns with the attribute of their class: numbers stand at the right.
const HEADINGS: [(&str, &str); 8] = [
    ("target", ""),
    ("VUs", RIGHT),
    ("iter/s", RIGHT),
    ("p50", RIGHT),
    ("p95", RIGHT),
    ("p99", RIGHT),
    ("failed requests", ""),
    ("check", ""),
];
const RIGHT: &str = " class=\"right\"";

/// One page of the index.
#[derive(Debug, Clone, Copy)]
pub struct IndexEntry<'a> {
    /// Path of its HTML file from the index.
    pub link: &'a str,
    /// What it is called there.
    pub name: &'a str,
    /// The version it belongs to; `None` when its place does not say.
    pub version: Option<&'a str>,
    /// Its file, where target and version do not tell it from another page.
    pub file: Option<&'a str>,
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
    let headings: String = HEADINGS
        .map(|(heading, class)| format!("<th role=\"columnheader\" scope=\"col\"{class}>{heading}</th>"))
        .concat();
    let main = format!(
        "<h1>{}</h1>\n<p class=\"about\">{} · figures of k6's whole run, percentiles of <code>http_req_duration</code></p>\n<div class=\"table index\" tabindex=\"0\" role=\"region\" aria-label=\"Pages\"><table role=\"table\">\n\
         <thead role=\"rowgroup\"><tr role=\"row\">{headings}</tr></thead>\n<tbody role=\"rowgroup\">\n{rows}</tbody></table></div>\n{}{picture}",
        escaped(title),
        count::of(entries.len(), "page"),
        body::html(notes, &Beside::default()),
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
    let IndexEntry { link, name, version, file, line, remarks, edited } = entry;
    let texts = NUMBERS.map(|column| figure(line, column).unwrap_or_default());
    let texts = texts
        .into_iter()
        .chain([figure(line, SweepColumn::FailedRequests).unwrap_or_default(), sums(remarks, *edited)]);
    // a narrow screen shows a row as a list of its cells, each with its heading
    let cells: String = HEADINGS
        .iter()
        .skip(1)
        .zip(texts)
        .map(|((heading, class), text)| {
            format!("<td role=\"cell\"{class} data-heading=\"{heading}\">{}</td>", escaped(&text))
        })
        .collect();
    let muted = |text: &str| format!(" <span class=\"version\">{}</span>", escaped(text));
    let more: String = [version, file].into_iter().flatten().map(|text| muted(text)).collect();
    format!(
        "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\"><a href=\"{}\">{}</a>{more}</th>{cells}</tr>\n",
        to(link),
        escaped(name),
    )
}
