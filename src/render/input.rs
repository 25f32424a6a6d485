//! What pages are written from, and what every kind of template needs.

use std::path::Path;

use super::mdx;
use crate::config::PageKind;
use crate::model::{Evidence, Fault, Place, Result};
use crate::notation::escape;
use crate::rows::{Row, RowRules};

/// Everything a page is written from.
#[derive(Debug, Clone, Copy)]
pub struct PageInput<'a> {
    /// Where the page will stand; for messages.
    pub path: &'a Path,
    /// What it is written as.
    pub kind: PageKind,
    /// The product's name.
    pub product: &'a str,
    /// The version under test.
    pub version: &'a str,
    /// The target's name.
    pub target: &'a str,
    /// The target as titles have it.
    pub words: &'a str,
    /// Title of the page.
    pub title: &'a str,
    /// First paragraph of the page.
    pub intro: &'a str,
    /// What is known of the run.
    pub evidence: &'a Evidence,
    /// The rows that have a value, in their usual order.
    pub rows: &'a [Row],
    /// Which of them the page shows, and how.
    pub rules: &'a RowRules,
    /// The template; `None` for the built-in one.
    pub template: Option<Template<'a>>,
    /// Path of the run's picture, relative to the page; `None` when there is nothing to draw.
    ///
    /// Templates may show it; in plain Markdown, which has no chart, it stands in the chart's place.
    pub picture: Option<&'a str>,
    /// True when the project asks for it on the page.
    pub show_picture: bool,
}

/// A page template.
#[derive(Debug, Clone, Copy)]
pub struct Template<'a> {
    /// Its file, for messages.
    pub path: &'a Path,
    /// Its text.
    pub text: &'a str,
}

/// What a template made of the input, before it becomes a page.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub text: String,
    pub unfilled: Vec<String>,
}

/// The k6 summary as it stands within a code block.
pub(super) fn k6_summary(evidence: &Evidence) -> Option<String> {
    let text = escape::code(evidence.k6.summary_text.as_deref()?);
    (!text.trim().is_empty()).then_some(text)
}

/// The picture as an image of Markdown.
pub(super) fn picture(path: &str) -> String {
    format!("![Latencies over time]({path})")
}

/// Refuses a template with its first problem of a kind that would spoil every page.
pub(super) fn sound_template(path: &Path, source: &str) -> Result<()> {
    let spoils = |p: &mdx::Problem| p.kind != mdx::ProblemKind::Expression;
    match mdx::problems(source).into_iter().find(spoils) {
        None => Ok(()),
        Some(problem) => Err(Fault::at(Place::file(path).line(problem.line), problem.message)
            .hint("correct the template; every page made from it would have the same fault")),
    }
}
