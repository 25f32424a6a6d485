//! Loads published pages with everything there is about their runs, and has them judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::RunFiles;
use super::published::pages_below;
use super::run::{TargetFrom, reduce};
use super::settings::Settings;
use super::sweep_text::{self, SweepText};
use crate::check::page::{Page, Part};
use crate::check::{
    Block, Chart, Copy, Fix, Judgement, Older, Severity, Subject, Truth, Verdict, fixes, judge_page, judge_together,
};
use crate::config::{Config, PageKind, Severity as Wanted};
use crate::derive::{self, Inputs};
use crate::ingest::source::Meter;
use crate::ingest::{chart_rows, terminal};
use crate::model::{ChartRow, EVIDENCE_SCHEMA, Evidence, Fault, Place, Result};
use crate::render::mdx::{self, ProblemKind};
use crate::rows::{RowId, find};

/// Largest page that is read; a published page has some ten kilobytes.
const PAGE_LIMIT: u64 = 4 << 20;

/// What to check, and against what.
#[derive(Debug, Clone, Copy)]
pub struct CheckInput<'a> {
    /// Pages and folders of pages.
    pub pages: &'a [PathBuf],
    /// Folder with raw output or evidence of the runs.
    pub evidence: Option<&'a Path>,
    /// Pages of an older version.
    pub against: Option<&'a Path>,
    /// A text about the sweep.
    pub table: Option<SweepText<'a>>,
    /// The project file, if there is one.
    pub config: Option<&'a Config>,
}

/// Every judged claim of the pages.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// Pages looked at.
    pub pages: u64,
    /// File and judgement, by file as given, then by line.
    pub judgements: Vec<(String, Judgement)>,
    /// The pages that could be read, with everything there is about their runs.
    pub subjects: Vec<Subject>,
    /// Pages with generated cells that are wrong.
    pub fixable: Vec<(PathBuf, Vec<Fix>)>,
}

/// Judges every claim of the pages. A page that cannot be read is a finding of its own; the others are still checked.
///
/// # Errors
///
/// Fails when there is no page, when a folder cannot be listed, and when raw output given as evidence cannot be reduced.
pub fn check(input: &CheckInput<'_>, meter: &Meter) -> Result<Checked> {
    let mut loader = Loader::new(input)?;
    let (mut paths, mut subjects) = (Vec::new(), Vec::new());
    for path in page_paths(input.pages)? {
        if let Some(subject) = loader.load(&path, meter)? {
            subjects.push(subject);
            paths.push(path);
        }
    }
    let mut judgements = loader.judgements;
    for subject in &subjects {
        judgements.extend(judge_page(subject).into_iter().map(|j| (subject.file.clone(), j)));
    }
    for (page, judgement) in judge_together(&subjects) {
        judgements.extend(subjects.get(page).map(|subject| (subject.file.clone(), judgement)));
    }
    let order: BTreeMap<String, usize> = loader.seen.iter().cloned().zip(0..).collect();
    judgements.sort_by_key(|(file, j)| (order.get(file).copied(), j.line, j.column));
    if let Some(table) = &input.table {
        let judged = sweep_text::judge(table, &subjects);
        judgements.extend(judged.into_iter().map(|judgement| (table.name.to_owned(), judgement)));
    }
    if let Some(config) = input.config {
        judgements.retain_mut(|(_, judgement)| as_configured(judgement, config));
    }
    let fixable = paths.into_iter().zip(&subjects).filter_map(|(path, subject)| {
        let own: Vec<&Judgement> =
            judgements.iter().filter(|(file, _)| *file == subject.file).map(|(_, judgement)| judgement).collect();
        let fixes = fixes(subject, &own);
        (!fixes.is_empty()).then_some((path, fixes))
    });
    Ok(Checked { pages: loader.seen.len() as u64, fixable: fixable.collect(), judgements, subjects })
}

/// The pages below a path, each with all there is about its run; none when there is no page.
///
/// # Errors
///
/// Fails on a path that cannot be listed, and on a page or an evidence beside one that cannot be read.
pub(super) fn load_pages(path: &Path, config: Option<&Config>, meter: &Meter) -> Result<Vec<Subject>> {
    let input = CheckInput { pages: &[], evidence: None, against: None, table: None, config };
    let mut loader = Loader::new(&input)?;
    let mut subjects = Vec::new();
    for page in pages_below(path)? {
        let subject = loader.load(&page, meter)?;
        let unreadable = loader.judgements.drain(..).find(|(_, j)| j.kind == "evidence" || subject.is_none());
        if let Some((_, judgement)) = unreadable {
            return Err(Fault::at(Place::file(&page), judgement.explanation));
        }
        subjects.extend(subject);
    }
    Ok(subjects)
}

/// Every page below the paths, each once.
fn page_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut pages: Vec<PathBuf> = Vec::new();
    for path in paths {
        std::fs::metadata(path).map_err(|e| Fault::io(path, "read", e))?;
        let below = pages_below(path)?;
        // a file that was named is a page whatever it is called
        let below = if below.is_empty() && path.is_file() { vec![path.clone()] } else { below };
        pages.extend(below.into_iter().filter(|page| !pages.contains(page)).collect::<Vec<_>>());
    }
    match pages.is_empty() {
        true => Err(Fault::at(Place::file(paths.first().cloned().unwrap_or_default()), "expected pages, found none")
            .hint("pages end in `.mdx` or `.md`; names that begin with `_` are templates and partials")),
        false => Ok(pages),
    }
}

/// Applies the project's `[check]`; false for what it leaves alone.
pub(super) fn as_configured(judgement: &mut Judgement, config: &Config) -> bool {
    let product = Some(config.product.as_str());
    let same_row = |label: &String| match (find(label, product), find(&judgement.row, product)) {
        (Some(a), Some(b)) => a.id == b.id,
        _ => label.eq_ignore_ascii_case(&judgement.row),
    };
    if config.check.ignore.iter().any(same_row) {
        return false;
    }
    judgement.tolerate(config.check.tolerance_percent);
    let severity = &config.check.severity;
    match severity.get(&judgement.kind).or_else(|| severity.get(judgement.verdict.word())) {
        Some(_) if !judgement.is_finding() => true,
        Some(Wanted::Off) => false,
        Some(Wanted::Error) => set(judgement, Severity::Error),
        Some(Wanted::Warning) => set(judgement, Severity::Warning),
        Some(Wanted::Note) => set(judgement, Severity::Note),
        None => true,
    }
}

fn set(judgement: &mut Judgement, severity: Severity) -> bool {
    judgement.severity = Some(severity);
    true
}

/// Reads pages and what lies beside them.
struct Loader<'a> {
    input: &'a CheckInput<'a>,
    settings: Settings,
    older: BTreeMap<String, Older>,
    seen: Vec<String>,
    /// What is said of pages before anything on them is judged.
    judgements: Vec<(String, Judgement)>,
}

impl<'a> Loader<'a> {
    fn new(input: &'a CheckInput<'a>) -> Result<Self> {
        // an outcome is decided only for runs that are reduced here
        let of = if input.evidence.is_some() { Settings::with_baseline } else { Settings::of };
        let settings = input.config.map(of).transpose()?.unwrap_or_default();
        let mut loader = Loader { input, settings, older: BTreeMap::new(), seen: Vec::new(), judgements: Vec::new() };
        if let Some(older) = input.against {
            for path in pages_below(older)? {
                let Some(subject) = loader.load(&path, &Meter::default())? else { continue };
                let target = subject.target.clone().unwrap_or_else(|| subject.truth.evidence.target.clone());
                let Subject { file, version, truth, .. } = subject;
                loader.older.insert(target, Older { file, version, evidence: truth.evidence });
            }
            // the older pages only serve as data
            (loader.seen, loader.judgements) = (Vec::new(), Vec::new());
        }
        Ok(loader)
    }

    fn load(&mut self, path: &Path, meter: &Meter) -> Result<Option<Subject>> {
        let file = named(path);
        self.seen.push(file.clone());
        let text = match page_text(path) {
            Ok(text) => text,
            Err(why) => {
                self.problem(&file, (1, 1), "page", "", why);
                return Ok(None);
            }
        };
        self.form(&file, path, &text);
        let product = self.input.config.map(|config| config.product.as_str());
        // a page written for another product is still read: labels are then told by their form
        let page = Page::read(&text, product);
        let page = if page.rows.is_empty() { Page::read(&text, None) } else { page };
        self.table(&file, path, &page);
        let (target, version) = place(path);
        let block = page.k6_block.as_ref().map(read_block);
        let chart_path = chart_path(path, &page);
        let chart = read_chart(&chart_path);
        let stated = page.row(RowId::ExecutedTest).map(|row| row.text.trim().to_owned());
        let name = target.clone().or(stated).unwrap_or_default();
        let beside = self.beside(path, &file);
        let generated = beside.as_ref().and_then(|evidence| evidence.generated.clone());
        let truth = match self.recorded(beside, &name, version.as_deref(), meter)? {
            Some(truth) => truth,
            None => Truth { evidence: self.own(&name, block.as_ref(), &chart), recorded: None },
        };
        let older = self.older.get(&name).cloned();
        let copies = self.copies(&name, &chart_path);
        let thresholds = self.input.config.map(|config| config.outcome);
        Ok(Some(Subject { file, page, target, version, truth, block, chart, copies, older, generated, thresholds }))
    }

    /// A page of a run has one table of its figures.
    fn table(&mut self, file: &str, path: &Path, page: &Page) {
        // pages about something else need none
        let of_a_run = page.k6_block.is_some()
            || page.chart_import.is_some()
            || ["evidence.json", "output.json"].iter().any(|name| path.with_file_name(name).exists());
        match page.rows.first() {
            None if of_a_run => {
                let why = "expected a table with rows such as `Test start`, found none".to_owned();
                self.problem(file, (1, 1), "page", "", why);
            }
            None => {}
            Some(first) => {
                for line in &page.more_tables {
                    let why = format!(
                        "expected one table of the run's figures, found another besides that on line {}; it is not checked",
                        first.line
                    );
                    self.problem(file, (*line, 1), "page", "", why);
                }
            }
        }
    }

    /// Something that keeps a page, or a part of it, from being checked.
    fn problem(&mut self, file: &str, (line, column): (u64, u64), kind: &str, stated: &str, explanation: String) {
        let judgement = Judgement {
            line,
            column,
            row: "page".to_owned(),
            kind: kind.to_owned(),
            claim: "a page that can be checked".to_owned(),
            stated: stated.to_owned(),
            data: None,
            source: None,
            verdict: Verdict::Unverifiable,
            severity: Some(Severity::Warning),
            explanation,
        };
        self.judgements.push((file.to_owned(), judgement));
    }

    /// Form that breaks readers. An expression outside the text may be the author's own component: it is left alone.
    fn form(&mut self, file: &str, path: &Path, text: &str) {
        let is_mdx = PageKind::of(path) == Some(PageKind::Mdx);
        for problem in mdx::problems(text) {
            if problem.kind == ProblemKind::Table || is_mdx && problem.kind == ProblemKind::Syntax {
                self.problem(file, (problem.line, problem.column), "form", "", problem.message);
            }
        }
    }

    /// The evidence beside a page.
    fn beside(&mut self, page: &Path, file: &str) -> Option<Evidence> {
        match read_evidence(&page.with_file_name("evidence.json")) {
            Ok(evidence) => evidence,
            Err(why) => {
                self.problem(file, (1, 1), "evidence", "evidence.json", why);
                None
            }
        }
    }

    /// Evidence that was recorded with the run: what `--evidence` names, else that beside the page.
    fn recorded(
        &self,
        beside: Option<Evidence>,
        target: &str,
        version: Option<&str>,
        meter: &Meter,
    ) -> Result<Option<Truth>> {
        if let Some(folder) = self.input.evidence
            && let Some(run) = run_folder(folder, target, version)
        {
            let files = RunFiles::gather(std::slice::from_ref(&run))?;
            if !files.used.is_empty() {
                let named_target = TargetFrom::Given(target.to_owned());
                let reduced = reduce(&files, &named_target, &self.settings, meter)?;
                return Ok(Some(Truth { evidence: reduced.evidence, recorded: Some(named(&run)) }));
            }
        }
        Ok(beside.map(|evidence| Truth { evidence, recorded: Some("evidence.json".to_owned()) }))
    }

    /// What the page's own block and chart data say of the run.
    fn own(&self, target: &str, block: Option<&Block>, chart: &Chart) -> Evidence {
        let log = block.map(|block| &block.log);
        let declarations: Vec<_> =
            log.and_then(|log| log.summary.as_ref()).map(terminal::declarations).unwrap_or_default();
        let rows: &[ChartRow] = if let Chart::Rows(rows) = chart { rows } else { &[] };
        derive::evidence(&Inputs {
            log,
            declarations: &declarations,
            limits: log.map_or(&[], |log| log.thresholds.as_slice()),
            chart: rows,
            ..Inputs::of(target, &self.settings.thresholds, &self.settings.redactor)
        })
    }

    fn copies(&self, target: &str, chart: &Path) -> Vec<Copy> {
        let Some(config) = self.input.config else { return Vec::new() };
        let mirror = config.pages.out.as_ref().zip(config.names(target).ok());
        let Some(mirror) = mirror.and_then(|(out, names)| config.pages.mirror(out, &names)) else { return Vec::new() };
        let own = std::fs::read(chart).ok();
        let same = own.and_then(|own| Some(own == std::fs::read(&mirror).ok()?));
        vec![Copy { path: named(&mirror), same }]
    }
}

/// A path as findings name it, the same on every system.
pub(super) fn named(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn page_text(path: &Path) -> std::result::Result<String, String> {
    let bytes = std::fs::metadata(path).map_err(|e| format!("cannot read: {e}"))?.len();
    if bytes > PAGE_LIMIT {
        return Err(format!("expected a page of at most {} MiB, found {bytes} bytes", PAGE_LIMIT >> 20));
    }
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read: {e}"))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.utf8_error().valid_up_to();
        let line = e.as_bytes().iter().take(valid).filter(|&&b| b == b'\n').count() + 1;
        format!("expected UTF-8, found other bytes on line {line}")
    })
}

/// Target and version a page's place stands for: `v4/oidc_session/index.mdx`, or `v4/oidc_session.md`.
pub(super) fn place(path: &Path) -> (Option<String>, Option<String>) {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let stem = absolute.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folders: Vec<String> = absolute
        .ancestors()
        .skip(1)
        .filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()))
        .collect();
    let is_version = |name: &&String| {
        name.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit()) && !name.contains(' ')
    };
    let in_folder = stem == "index" || stem == "page";
    let version = folders.get(usize::from(in_folder)).filter(is_version).cloned();
    // without a version's folder above it a folder may be called anything
    let target = version.as_ref().and(if in_folder { folders.first().cloned() } else { Some(stem) });
    (target, version)
}

pub(super) fn read_block(part: &Part) -> Block {
    Block { text: part.text.clone(), line: part.line, log: terminal::read(&part.text) }
}

/// The file the page imports, else `output.json` beside it.
fn chart_path(page: &Path, read: &Page) -> PathBuf {
    let import = read.chart_import.as_ref().map(|part| part.text.as_str());
    let relative = import.filter(|path| path.starts_with("./") && !path.contains(".."));
    page.with_file_name(relative.map_or("output.json", |path| path.trim_start_matches("./")))
}

fn read_chart(path: &Path) -> Chart {
    match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Chart::Missing,
        Err(e) => Chart::Unreadable(format!("cannot read: {e}")),
        Ok(text) => match chart_rows::read(&text, path) {
            Ok(rows) => Chart::Rows(derive::normalised_chart(rows)),
            Err(fault) => {
                let line = fault.place.as_ref().and_then(|place| place.line);
                let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
                Chart::Unreadable(format!("{line}{}", fault.message))
            }
        },
    }
}

/// `None` when there is no such file.
fn read_evidence(path: &Path) -> std::result::Result<Option<Evidence>, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(format!("evidence.json: cannot read: {e}")),
    };
    let schema = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|value| value.get("schema")?.as_str().map(str::to_owned));
    match schema {
        Some(schema) if schema == EVIDENCE_SCHEMA => {
            serde_json::from_str(&text).map(Some).map_err(|e| format!("evidence.json: line {}: {e}", e.line()))
        }
        Some(schema) => Err(format!("evidence.json: expected schema `{EVIDENCE_SCHEMA}`, found `{schema}`")),
        None => Err("evidence.json: expected evidence of a run, found something else".to_owned()),
    }
}

/// Where the data of a run lies below a folder: `DIR/target`, `DIR/version/target`, or the folder of one run itself.
fn run_folder(folder: &Path, target: &str, version: Option<&str>) -> Option<PathBuf> {
    let safe = crate::config::safe_name(target).ok()?;
    let below = [Some(folder.join(safe)), version.map(|version| folder.join(version).join(safe))];
    let own = || (folder.file_name().is_some_and(|name| name == safe)).then(|| folder.to_path_buf());
    below.into_iter().flatten().find(|path| path.is_dir()).or_else(own)
}
