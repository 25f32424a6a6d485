//! The claims people wrote on a page, held against the data that is about to stand beside it.

use std::path::Path;

use super::checking::{as_configured, named, place, read_block};
use crate::check::page::Page;
use crate::check::{Chart, Judgement, Subject, Truth, judge_page};
use crate::config::Config;
use crate::derive;
use crate::model::{ChartRow, Evidence};

/// Judges a page as `check` will once it is written, in the order of its lines; the project's `[check]` applies.
pub fn recheck(path: &Path, text: &str, evidence: &Evidence, chart: &[ChartRow], config: &Config) -> Vec<Judgement> {
    let page = Page::read(text, Some(&config.product));
    let (target, version) = place(path);
    let subject = Subject {
        file: named(path),
        block: page.k6_block.as_ref().map(read_block),
        page,
        target,
        version,
        truth: Truth { evidence: evidence.clone(), recorded: Some("evidence.json".to_owned()) },
        chart: Chart::Rows(derive::normalised_chart(chart.to_vec())),
        copies: Vec::new(),
        older: None,
    };
    let mut judgements = judge_page(&subject);
    judgements.retain_mut(|judgement| as_configured(judgement, config));
    judgements
}
