//! The docs site a sweep is published to: where each file goes and what stands in it.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::run::{Reduced, by};
use crate::config::{ChartTimestamp, Config, Names, PageKind};
use crate::model::{ChartRow, Evidence, Fault, Place, Result};
use crate::render::picture::SweepRun;
use crate::render::{
    PageInput, RenderedPage, Template, Timestamp, chart_json, check_template, context, evidence_json, mdx, picture,
    render, sidebar,
};
use crate::rows::{Row, RowInput, build};

/// A project file and an output folder, with the template read and checked.
#[derive(Debug)]
pub struct Site<'a> {
    config: &'a Config,
    out: PathBuf,
    template: Option<(PathBuf, String)>,
}

/// The files of one run's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFiles {
    /// The page.
    pub page: PathBuf,
    /// Its chart data, beside it.
    pub chart: PathBuf,
    /// Its evidence, beside it.
    pub evidence: PathBuf,
    /// A second copy of the chart data.
    pub mirror: Option<PathBuf>,
    /// The run's picture, beside the page.
    pub picture: PathBuf,
}

/// One run's page and what goes with it, as text.
#[derive(Debug, Clone)]
pub struct RenderedRun {
    /// The page.
    pub page: RenderedPage,
    /// `output.json`.
    pub chart: String,
    /// `evidence.json`, with what was written on the page; `page_fingerprint` is that of the page's text.
    pub evidence: String,
    /// `latency.svg`; `None` when nothing of the run can be drawn over time.
    pub picture: Option<String>,
}

impl<'a> Site<'a> {
    /// Opens the site; fails before any work when the template is not usable.
    ///
    /// # Errors
    ///
    /// Fails without an output folder, and on a template that cannot be read or is not valid.
    pub fn open(config: &'a Config, out: Option<&Path>) -> Result<Self> {
        let out = out.map(Path::to_path_buf).or_else(|| config.pages.out.clone()).ok_or_else(|| {
            Fault::at(config.place(), "expected `out` in `[pages]` or `--out`, found neither")
                .hint("say where the pages go: `--out docs/benchmarks`")
        })?;
        let template = match &config.pages.template {
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|e| Fault::io(path, "read the template", e))?;
                check_template(Template { path, text: &text }, &config.product)?;
                Some((path.clone(), text))
            }
            None => None,
        };
        Ok(Site { config, out, template })
    }

    /// The output folder.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// The folders everything published lies below.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.config.pages.roots(&self.out)
    }

    /// Where a target's files go.
    ///
    /// # Errors
    ///
    /// Fails on a target whose name cannot be part of a path.
    pub fn files(&self, target: &str) -> Result<PageFiles> {
        let names = self.config.names(target)?;
        let pages = &self.config.pages;
        let page = pages.page(&self.out, &names);
        Ok(PageFiles {
            chart: page.with_file_name("output.json"),
            evidence: page.with_file_name("evidence.json"),
            mirror: pages.mirror(&self.out, &names),
            picture: page.with_file_name(picture::FILE_NAME),
            page,
        })
    }

    /// What a template sees for this run.
    ///
    /// # Errors
    ///
    /// As [`Site::render`], but for the template.
    pub fn context(&self, evidence: &Evidence, chart: &[ChartRow]) -> Result<Value> {
        self.with_input(evidence, picture::latency(evidence, chart).is_some(), context)
    }

    /// Renders a run's page, chart data, evidence and picture.
    ///
    /// # Errors
    ///
    /// Fails on facts that contradict the data or name no row, on a template error, and when the page would not compile.
    pub fn render(
        &self,
        evidence: &Evidence,
        chart: &[ChartRow],
        fingerprint: impl Fn(&[u8]) -> String,
    ) -> Result<RenderedRun> {
        let picture = picture::latency(evidence, chart);
        let page = self.with_input(evidence, picture.is_some(), render)?;
        let generated = page.remembered(by(), fingerprint);
        let evidence = Evidence { generated: Some(generated), ..evidence.clone() };
        let chart = chart_json(chart, timestamp(self.config));
        Ok(RenderedRun { page, chart, evidence: evidence_json(&evidence), picture })
    }

    fn with_input<T>(
        &self,
        evidence: &Evidence,
        drawn: bool,
        make: impl FnOnce(&PageInput<'_>) -> Result<T>,
    ) -> Result<T> {
        let target = evidence.target.as_str();
        let names = self.config.names(target)?;
        let rows = self.rows(evidence, &names)?;
        let path = self.config.pages.page(&self.out, &names);
        let link = format!("./{}", picture::FILE_NAME);
        make(&PageInput {
            path: &path,
            kind: self.config.pages.kind(),
            product: &names.product,
            version: &names.version,
            target,
            words: &names.words,
            title: &self.config.pages.title.fill(&names),
            intro: &self.config.pages.intro.fill(&names),
            evidence,
            rows: &rows,
            rules: &self.config.rows,
            template: self.template.as_ref().map(|(path, text)| Template { path, text }),
            picture: drawn.then_some(link.as_str()),
            show_picture: self.config.pages.picture,
        })
    }

    fn rows(&self, evidence: &Evidence, names: &Names) -> Result<Vec<Row>> {
        let facts = self.config.facts_for(&names.target)?;
        let target = self.config.targets.get(&names.target);
        let input = RowInput {
            evidence,
            product: &names.product,
            version: Some(&names.version),
            facts: &facts,
            expected_vus: target.and_then(|target| target.vus),
            baseline: None,
        };
        let contradicted = input.expected_vus.zip(evidence.k6.vus_max).is_some_and(|(stated, found)| stated != found);
        let line = target.and_then(|target| target.vus_line).filter(|_| contradicted);
        let place = Place { line, ..self.config.place() };
        let rows = build(&input).map_err(|fault| Fault { place: fault.place.or(Some(place)), ..fault })?;
        self.refuse_broken_facts(&rows)?;
        Ok(rows)
    }

    /// Facts are Markdown as written: one that would break every page is named as what it is, not as a line of a page.
    fn refuse_broken_facts(&self, rows: &[Row]) -> Result<()> {
        if self.config.pages.kind() != PageKind::Mdx {
            return Ok(());
        }
        for row in rows {
            let page = format!("| x | y |\n| :--- | :--- |\n| x | {} |\n", row.cell);
            if let Some(problem) = mdx::problems(&page).first() {
                let place = self.config.place().field(format!("row `{}`", row.label));
                return Err(Fault::at(place, format!("`{}`: {}", row.cell, problem.message))
                    .hint("write `\\<` and `\\{` in a fact where the character itself is meant"));
            }
        }
        Ok(())
    }

    /// The picture of all runs and where it goes; `None` when the project asks for none, or nothing can be drawn.
    ///
    /// # Errors
    ///
    /// Fails when the version cannot be part of a path.
    pub fn sweep_picture(&self, runs: &[Reduced]) -> Result<Option<(PathBuf, String)>> {
        let Some(first) = runs.first() else { return Ok(None) };
        let names = self.config.names(&first.evidence.target)?;
        let Some(path) = self.config.pages.sweep_picture(&self.out, &names) else { return Ok(None) };
        let title = format!("{} {}", self.config.product, self.config.version);
        let drawn: Vec<SweepRun<'_>> =
            runs.iter().map(|run| SweepRun { evidence: &run.evidence, chart: &run.chart }).collect();
        Ok(picture::sweep(&title, &drawn).map(|svg| (path, svg)))
    }

    /// The sidebar file and its text with entries for these pages; `None` when the site keeps none.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read, has an unknown shape, or does not stand above the pages.
    pub fn sidebar(&self, targets: &[&str]) -> Result<Option<(PathBuf, String)>> {
        let Some(path) = self.config.pages.sidebar(&self.out) else { return Ok(None) };
        let mut text = std::fs::read_to_string(&path).map_err(|e| Fault::io(&path, "read the sidebar", e))?;
        for target in targets {
            let names = self.config.names(target)?;
            let page = lexical(&self.config.pages.page(&self.out, &names));
            let folder = lexical(path.parent().unwrap_or(Path::new("")));
            let below = page.strip_prefix(&folder).map_err(|_| {
                Fault::at(Place::file(&path), format!("expected to stand above the page `{}`", page.display()))
                    .hint("set `sidebar` in `[pages]` to a file in a folder above `out`")
            })?;
            let parts: Vec<String> =
                below.with_extension("").components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
            text = sidebar::insert(&path, &text, &parts.join("/"), &names.version)?;
        }
        Ok(Some((path, text)))
    }
}

/// How the project writes its chart's times.
pub fn timestamp(config: &Config) -> Timestamp {
    match config.chart_timestamp {
        ChartTimestamp::Space => Timestamp::Space,
        ChartTimestamp::Rfc3339 => Timestamp::Rfc3339,
    }
}

/// An absolute path without `.` and `..`, by its text alone: the folders need not exist yet.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}
