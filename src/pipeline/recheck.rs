//! The claims people wrote on a page, held against the data that is about to stand beside it.

use std::collections::BTreeSet;
use std::path::Path;

use super::checking::{as_configured, named, place, read_block};
use crate::check::page::Page;
use crate::check::{Chart, Judgement, Subject, Truth, judge_page};
use crate::config::Config;
use crate::derive;
use crate::model::{ChartRow, Evidence};
use crate::render::RenderedPage;

/// A page that is about to be written.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// Where it goes.
    pub path: &'a Path,
    /// What it will say.
    pub text: &'a str,
    /// What it would say without anybody's edits.
    pub generated: &'a RenderedPage,
    /// Lines of generated pieces that were edited by hand and kept.
    pub kept: &'a [u64],
}

/// Judges what people wrote on a page as `check` will once it is written, in the order of its lines; the
/// project's `[check]` applies.
pub fn recheck(draft: &Draft<'_>, evidence: &Evidence, chart: &[ChartRow], config: &Config) -> Vec<Judgement> {
    let page = Page::read(draft.text, Some(&config.product));
    let lines = draft.persons_lines(&page);
    let (target, version) = place(draft.path);
    let subject = Subject {
        file: named(draft.path),
        block: page.k6_block.as_ref().map(read_block),
        page,
        target,
        version,
        truth: Truth { evidence: evidence.clone(), recorded: Some("evidence.json".to_owned()) },
        chart: Chart::Rows(derive::normalised_chart(chart.to_vec())),
        copies: Vec::new(),
        older: None,
        generated: None,
        thresholds: Some(config.outcome),
    };
    let mut judgements = judge_page(&subject);
    judgements.retain(|judgement| lines.contains(&judgement.line));
    judgements.retain_mut(|judgement| as_configured(judgement, config));
    judgements
}

impl Draft<'_> {
    /// Lines a person wrote: kept ones, rows and passages of their own, and the whole of an edited k6 block.
    fn persons_lines(&self, page: &Page) -> BTreeSet<u64> {
        let mut lines: BTreeSet<u64> = self.kept.iter().copied().collect();
        let own = page.rows.iter().filter(|row| !self.generated.rows.contains_key(&row.label));
        lines.extend(own.map(|row| row.line));
        for passage in &page.passages {
            let text = self.text.get(passage.range.clone()).unwrap_or_default().trim();
            if !self.generated.text.contains(text) {
                lines.extend(passage.line..passage.line + text.lines().count() as u64);
            }
        }
        if let Some(block) = page.k6_block.as_ref().filter(|block| self.kept.contains(&block.line)) {
            lines.extend(block.line..block.line + block.text.lines().count() as u64);
        }
        lines
    }
}
