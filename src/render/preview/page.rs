//! One page as HTML.

use super::body::{self, Beside};
use super::document::document;
use super::inline::link;
use super::{Links, Remark, Weight};
use crate::notation::{count, front_matter};
use crate::render::xml::escaped;

/// A published page with what is said of it.
#[derive(Debug, Clone, Copy)]
pub struct PreviewPage<'a> {
    /// Its file, as the user knows it.
    pub file: &'a str,
    /// Its text, MDX or Markdown.
    pub text: &'a str,
    /// What is called when the page has no title.
    pub target: &'a str,
    /// Name of the picture beside the HTML file; `None` when nothing can be drawn.
    pub picture: Option<&'a str>,
    /// What `check` found.
    pub remarks: &'a [Remark],
    /// Lines of rows that a person wrote or changed, with what to say of each.
    pub edited: &'a [(u64, String)],
    /// The pages it may lead to.
    pub links: Links<'a>,
}

/// Writes a page as a whole HTML document.
///
/// The picture stands in place of the chart component. Whatever the page holds, its text is shown and nothing of it runs
/// or is loaded.
pub fn preview_page(page: &PreviewPage<'_>) -> String {
    let title = front_matter::read(page.text).fields.get("title").map(|(title, _)| title.clone());
    let title = title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| page.target.to_owned());
    let text = page.text.replace("\r\n", "\n");
    let beside = Beside { remarks: page.remarks, edited: page.edited, chart: &chart(page), links: page.links };
    let content = body::html(text.trim_start_matches('\u{feff}'), &beside);
    let main = format!(
        "<h1>{}</h1>\n<p class=\"about\">{} · {}</p>\n<article class=\"page\">\n{content}</article>\n",
        escaped(&title),
        escaped(page.file),
        escaped(&sums(page.remarks, page.edited.len())),
    );
    document(&title, &format!("<a href=\"{}index.html\">All pages</a>", escaped(page.links.up)), &main)
}

fn chart(page: &PreviewPage<'_>) -> String {
    match page.picture {
        Some(picture) => {
            let target = escaped(page.target);
            format!(
                "<img src=\"{}\" alt=\"Latencies of {target} over time; the figures stand in the k6 output\">\n",
                link(picture)
            )
        }
        None => "<p class=\"empty\">no data for the chart</p>\n".to_owned(),
    }
}

/// `2 errors, 1 warning, 0 notes; 3 rows edited by hand`, or `nothing found`.
pub(super) fn sums(remarks: &[Remark], edited: usize) -> String {
    let of = |weight| remarks.iter().filter(|remark| remark.weight == weight).count();
    let found = match remarks.is_empty() {
        true => "nothing found".to_owned(),
        false => {
            let kinds = [(Weight::Error, "error"), (Weight::Warning, "warning"), (Weight::Note, "note")];
            kinds.map(|(weight, name)| count::of(of(weight), name)).join(", ")
        }
    };
    match edited {
        0 => found,
        rows => format!("{found}; {} edited by hand", count::of(rows, "row")),
    }
}
