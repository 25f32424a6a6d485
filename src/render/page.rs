use std::path::Path;

use indexmap::{IndexMap, IndexSet};

use super::input::{PageInput, Template, k6_summary};
use super::{markdown, mdx, template_jinja, template_plain};
use crate::config::PageKind;
use crate::model::{Generated, Place, Result};
use crate::notation::{front_matter, table};
use crate::rows::Labels;

/// Text of the template of pages without one of their own.
pub const BUILT_IN: &str = include_str!("../../templates/page.mdx");

/// A finished page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedPage {
    /// The whole text, ending in one line end.
    pub text: String,
    /// Cells as they stand on the page, by label, in order; empty for a row nobody could fill.
    pub rows: IndexMap<String, String>,
    /// Usual labels of the rows a project file gave another, by that other one.
    pub labels: IndexMap<String, String>,
    /// Text by section: `intro`, `k6 output`, `chart import`.
    pub sections: IndexMap<String, String>,
    /// Fields this tool sets: `title`, `sidebar_label`.
    pub front_matter: IndexMap<String, String>,
    /// What the template itself puts on the page: the text without any of the above.
    pub frame: String,
    /// Labels of the template's rows nobody could fill, and places still to be written by hand.
    pub unfilled: Vec<String>,
}

impl RenderedPage {
    /// What evidence remembers of the page: `by` is the program that made it.
    pub fn remembered(&self, by: String, fingerprint: impl Fn(&[u8]) -> String) -> Generated {
        Generated {
            by,
            page: fingerprint(self.text.as_bytes()),
            template: Some(fingerprint(self.frame.as_bytes())),
            rows: self.rows.clone(),
            labels: self.labels.clone(),
            sections: self.sections.clone(),
            front_matter: self.front_matter.clone(),
        }
    }
}

/// Writes a page through its template.
///
/// A template with `{{ … }}` or `{% … %}` of this tool's names is a Jinja one, any other is filled by row label.
///
/// # Errors
///
/// Fails on a template that cannot work, with its path and line, and when the page would not compile as MDX, shows text that
/// would be evaluated, or has a broken table.
pub fn render(input: &PageInput<'_>) -> Result<RenderedPage> {
    let template = input.template.unwrap_or(Template { path: Path::new("(built-in template)"), text: BUILT_IN });
    let crlf = template.text.contains("\r\n");
    let source = template.text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let filled = if template_jinja::is_jinja(&source) {
        template_jinja::fill(input, template.path, &source)?
    } else {
        template_plain::fill(input, template.path, &source)?
    };
    let mut text = front_matter::complete(&filled.text, &front_matter_fields(input));
    text.truncate(text.trim_end().len());
    text.push('\n');
    let place = Place::file(input.path);
    let mut unfilled = filled.unfilled;
    mdx::verify(&place, &text, &source)?;
    if input.kind == PageKind::Markdown {
        text = markdown::without_mdx(&text, input.picture)?;
        mdx::verify_markdown(&place, &text)?;
    }
    if input.show_picture && input.picture.is_some_and(|path| !text.contains(path)) {
        unfilled.push("picture".to_owned());
    }
    let rows = rows_of(&text, input);
    let renamed = input.rules.rename.iter().filter(|(_, new)| rows.contains_key(*new));
    let labels = renamed.map(|(usual, new)| (new.clone(), usual.clone())).collect();
    let front = front_matter::read(&text).fields;
    let set = |(key, _): (&str, &str)| Some((key.to_owned(), front.get(key)?.0.clone()));
    let front_matter = front_matter_fields(input).into_iter().filter_map(set).collect();
    let sections = sections_of(&text, input);
    let frame = frame(&text, &sections, input);
    if crlf {
        text = text.replace('\n', "\r\n");
    }
    // a row and its section may both be missing for the same reason
    let unfilled = unfilled.into_iter().collect::<IndexSet<_>>().into_iter().collect();
    Ok(RenderedPage { text, rows, labels, sections, front_matter, frame, unfilled })
}

/// Tells whether a template can work, before there is anything to fill it with.
///
/// # Errors
///
/// Fails on Jinja that does not parse, and on a plain template that would not compile, has a broken table or no known row.
pub fn check_template(template: Template<'_>, product: &str) -> Result<()> {
    let source = template.text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    if template_jinja::is_jinja(&source) {
        return template_jinja::check(template.path, &source);
    }
    template_plain::check(template.path, &source, product)
}

fn front_matter_fields<'a>(input: &PageInput<'a>) -> [(&'static str, &'a str); 2] {
    [("title", input.title), ("sidebar_label", input.words)]
}

fn labels<'a>(input: &PageInput<'a>) -> Labels<'a> {
    Labels::new(input.product, input.rules.rename.iter().map(|(usual, new)| (new, usual)))
}

/// The page without front matter, rows of the metric table and sections.
fn frame(text: &str, sections: &IndexMap<String, String>, input: &PageInput<'_>) -> String {
    let body = front_matter::read(text).length;
    let table = labels(input).table(text, |_| false).map_or(body..body, |table| table.range);
    let parts = [text.get(body..table.start), text.get(table.end..)];
    let mut frame = parts.map(Option::unwrap_or_default).join("\n");
    for section in sections.values() {
        frame = frame.replacen(section.as_str(), "", 1);
    }
    // a fence is as long as the block in it needs
    frame.replace('`', "")
}

/// The rows as the finished page has them: what is remembered must be what stands there, whatever the template did. Of two
/// with one label the first counts.
fn rows_of(text: &str, input: &PageInput<'_>) -> IndexMap<String, String> {
    let cells = labels(input).table(text, |_| false).map(|table| table.rows).unwrap_or_default();
    let mut rows = IndexMap::new();
    for cells in cells.iter().skip(1) {
        let mut raw = cells.iter().filter_map(|cell| text.get(cell.clone()));
        if let Some((label, value)) = raw.next().zip(raw.next()) {
            rows.entry(table::shown(label)).or_insert_with(|| value.to_owned());
        }
    }
    rows
}

fn sections_of(text: &str, input: &PageInput<'_>) -> IndexMap<String, String> {
    let mut sections = IndexMap::new();
    if !input.intro.is_empty() && text.contains(input.intro) {
        sections.insert("intro".to_owned(), input.intro.to_owned());
    }
    if let Some(summary) = k6_summary(input.evidence).filter(|summary| text.contains(summary.as_str())) {
        sections.insert("k6 output".to_owned(), summary);
    }
    if let Some(import) = text.lines().find(|line| is_chart_import(line)) {
        sections.insert("chart import".to_owned(), import.to_owned());
    }
    sections
}

/// True for the line that imports a page's chart data.
pub fn is_chart_import(line: &str) -> bool {
    let statement = line.trim_end().trim_end_matches(';');
    statement.starts_with("import ") && statement.trim_end_matches(['"', '\'']).ends_with(".json")
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
