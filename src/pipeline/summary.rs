//! A sweep's table from published pages, from evidence or from raw output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::checking::load_pages;
use super::exports::{Runs, unclaimed_exports};
use super::files::RunFiles;
use super::settings::Settings;
use super::sweep::{RunFolder, compare_runs, reduce_all, run_folders};
use crate::check::Subject;
use crate::config::Config;
use crate::derive::{Stated, SweepRun, sweep_table};
use crate::ingest::source::Meter;
use crate::ingest::terminal;
use crate::model::{Evidence, Fault, Goal, Place, Result, Scope, SweepTable, Warning};
use crate::rows::{Origin, RowId, find, outcome_figures, stated_outcome};

/// What to make a table of.
#[derive(Debug, Clone, Copy)]
pub struct SummaryInput<'a> {
    /// A folder of published pages, a page, or the folder of a sweep.
    pub path: &'a Path,
    /// The version, where there are pages of several.
    pub version: Option<&'a str>,
    /// What the figures are about.
    pub scope: Scope,
    /// The project file, if there is one.
    pub config: Option<&'a Config>,
}

/// A sweep's table, and what is not in it.
#[derive(Debug, Clone)]
pub struct Summarised {
    /// The table.
    pub table: SweepTable,
    /// Folders of the sweep that are no run.
    pub left_out: Vec<LeftOut>,
    /// Exports of the sweep that are of none of its runs.
    pub warnings: Vec<Warning>,
}

/// A folder that holds no file of a k6 run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The folder.
    pub folder: PathBuf,
    /// Number of its files.
    pub files: usize,
}

/// One run with what its line is made from.
#[derive(Debug)]
struct Known {
    version: Option<String>,
    evidence: Evidence,
    block: Option<String>,
    facts: IndexMap<String, String>,
    stated: Stated,
}

/// Makes the table: of the pages below the path when there are any with figures or rows of a run, else of its run folders.
///
/// # Errors
///
/// Fails when neither is there, when a page or a run cannot be read, when two runs share a file, and when the pages are of
/// several versions and none of them was chosen.
pub fn summary(input: &SummaryInput<'_>, meter: &Meter) -> Result<Summarised> {
    let (mut known, mut left_out, mut warnings) = (of_pages(input, meter)?, Vec::new(), Vec::new());
    if known.is_empty() {
        (known, left_out, warnings) = of_sweep(input, meter)?;
    }
    let version = chosen_version(&known, input)?;
    known.retain(|run| run.version == version);
    refuse_twins(&known, input.path)?;
    let printed: Vec<_> = known
        .iter()
        .map(|run| run.evidence.k6.summary_text.as_deref().and_then(|t| terminal::read(t).summary))
        .collect();
    let runs: Vec<SweepRun<'_>> = known
        .iter()
        .zip(&printed)
        .map(|(run, printed)| SweepRun {
            evidence: &run.evidence,
            printed: printed.as_ref(),
            block: run.block.as_deref(),
            facts: &run.facts,
            stated: Some(&run.stated),
        })
        .collect();
    let goals: &[Goal] = input.config.map_or(&[], |config| &config.goals);
    Ok(Summarised { table: sweep_table(&runs, version.as_deref(), input.scope, goals), left_out, warnings })
}

fn of_pages(input: &SummaryInput<'_>, meter: &Meter) -> Result<Vec<Known>> {
    let of_a_run = |subject: &Subject| {
        subject.block.is_some() || subject.truth.recorded.is_some() || !subject.page.rows.is_empty()
    };
    let pages = load_pages(input.path, input.config, meter)?;
    let product = Product::of(input.config, &pages);
    let known = pages.into_iter().filter(of_a_run).map(|subject| of_page(subject, &product));
    // a site whose paths do not name the version holds the pages of one, the project's
    let version = input.config.map(|config| config.version.clone());
    Ok(known.map(|run| Known { version: run.version.or_else(|| version.clone()), ..run }).collect())
}

fn of_page(subject: Subject, product: &Product) -> Known {
    let stated = |id: RowId| subject.page.row(id).map(|row| row.text.trim().to_owned()).filter(|text| !text.is_empty());
    let mut evidence = subject.truth.evidence.clone();
    if evidence.target.is_empty() {
        evidence.target = stated(RowId::ExecutedTest).unwrap_or_else(|| subject.file.clone());
    }
    evidence.k6.vus_max = evidence.k6.vus_max.or_else(|| subject.stated_vus());
    // no block says it, and it is no figure
    evidence.k6.version = evidence.k6.version.or_else(|| stated(RowId::K6Version));
    Known {
        version: subject.version.clone(),
        // the output the figures come from: a recorded run's own, whatever stands on the page
        block: match (&subject.truth.recorded, &subject.block) {
            (None, Some(block)) => Some(block.text.clone()),
            _ => evidence.k6.summary_text.clone(),
        },
        facts: subject.page.rows.iter().filter_map(|row| named_fact(&row.label, &row.raw, product)).collect(),
        stated: Stated {
            outcome: subject.page.row(RowId::Outcome).and_then(|row| stated_outcome(&row.text)),
            figures: outcome_figures(|id| subject.page.row(id).map(|row| row.text.as_str())),
        },
        evidence,
    }
}

/// The product in the labels of rows.
#[derive(Debug)]
struct Product {
    /// As the project file has it: only rows with this name are about the product.
    given: Option<String>,
    /// The name to show, one for all pages: they differ in how they write it.
    shown: String,
}

impl Product {
    fn given(name: &str) -> Self {
        Product { given: Some(name.to_owned()), shown: name.to_owned() }
    }

    /// That of the project file, else the name most labels have, the first of equals.
    fn of(config: Option<&Config>, pages: &[Subject]) -> Self {
        if let Some(config) = config {
            return Product::given(&config.product);
        }
        let mut times: IndexMap<&str, usize> = IndexMap::new();
        for row in pages.iter().flat_map(|subject| &subject.page.rows) {
            if let Some(name) = find(&row.label, None).and_then(|known| known.product_in(&row.label)) {
                *times.entry(name).or_default() += 1;
            }
        }
        let most = times.into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most });
        Product { given: None, shown: most.map_or_else(|| "product".to_owned(), |(name, _)| name.to_owned()) }
    }
}

/// A fact that says what the run was made with, under its usual label.
fn named_fact(label: &str, text: &str, product: &Product) -> Option<(String, String)> {
    let known = find(label, product.given.as_deref());
    // what a run is compared with and what it is for is meant to differ
    let of_the_run = known.is_none_or(|row| {
        row.origin == Origin::Fact && !matches!(row.id, RowId::Baseline | RowId::Purpose)
            || row.id == RowId::ProductVersion
    });
    let label = known.map_or_else(|| label.to_owned(), |row| row.label_for(&product.shown));
    (of_the_run && !text.trim().is_empty()).then(|| (label, text.trim().to_owned()))
}

fn of_sweep(input: &SummaryInput<'_>, meter: &Meter) -> Result<(Vec<Known>, Vec<LeftOut>, Vec<Warning>)> {
    let settings = input.config.map(Settings::with_baseline).transpose()?.unwrap_or_default();
    let (mut runs, mut left_out) = (Vec::new(), Vec::new());
    for folder in run_folders(input.path, &[])? {
        let files = RunFiles::gather(std::slice::from_ref(&folder.path))?;
        match files.used.is_empty() {
            true => left_out.push(LeftOut { folder: folder.path, files: files.ignored.len() }),
            false => runs.push((folder, files)),
        }
    }
    if runs.is_empty() {
        let message = "expected published pages or a folder with k6 output for each run, found none";
        return Err(Fault::at(Place::file(input.path), message)
            .hint("`sweepdoc inspect` says what the files there were recognised as"));
    }
    let mut reduced = reduce_all(&runs, &settings, meter)?;
    let folders: Vec<RunFolder> = runs.into_iter().map(|(folder, _)| folder).collect();
    compare_runs(&folders, &mut reduced)?;
    let warnings = unclaimed_exports(input.path, Runs::All(&reduced), &settings)?;
    let known = reduced.into_iter().map(|run| {
        Ok(Known {
            version: input.config.map(|config| config.version.clone()),
            block: run.evidence.k6.summary_text.clone(),
            facts: facts_of_project(input.config, &run.evidence.target)?,
            stated: stated_by_project(input.config, &run.evidence.target)?,
            evidence: run.evidence,
        })
    });
    Ok((known.collect::<Result<_>>()?, left_out, warnings))
}

fn facts_of_project(config: Option<&Config>, target: &str) -> Result<IndexMap<String, String>> {
    let Some(config) = config else { return Ok(IndexMap::new()) };
    let facts = config.facts_for(target)?;
    let product = Product::given(&config.product);
    Ok(facts.iter().filter_map(|(label, text)| named_fact(label, text, &product)).collect())
}

/// The verdict a person states as a fact; it is the one the page will have.
fn stated_by_project(config: Option<&Config>, target: &str) -> Result<Stated> {
    let Some(config) = config else { return Ok(Stated::default()) };
    let is_outcome = |label: &str| find(label, Some(&config.product)).is_some_and(|row| row.id == RowId::Outcome);
    let facts = config.facts_for(target)?;
    let fact = facts.iter().find(|(label, _)| is_outcome(label));
    let outcome = fact.and_then(|(_, text)| stated_outcome(text));
    Ok(Stated { outcome, ..Stated::default() })
}

/// The one version of the runs, or the one that was asked for.
fn chosen_version(known: &[Known], input: &SummaryInput<'_>) -> Result<Option<String>> {
    let versions: BTreeSet<&Option<String>> = known.iter().map(|run| &run.version).collect();
    let list = || {
        let name = |version: &&Option<String>| match version {
            Some(version) => format!("`{version}`"),
            None => "runs without a version".to_owned(),
        };
        versions.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    match input.version {
        Some(wanted) => {
            let found = versions.iter().find(|version| version.as_deref() == Some(wanted));
            found.map(|version| (*version).clone()).ok_or_else(|| {
                Fault::at(Place::file(input.path), format!("expected runs of version `{wanted}`, found {}", list()))
            })
        }
        None if versions.len() > 1 => {
            let message = format!("expected the runs of one version, found {}", list());
            Err(Fault::at(Place::file(input.path), message)
                .hint("name the folder of one version, or choose with `--release`"))
        }
        None => Ok(versions.first().and_then(|version| (*version).clone())),
    }
}

/// A table has one line for each target.
fn refuse_twins(known: &[Known], path: &Path) -> Result<()> {
    let mut seen = BTreeSet::new();
    match known.iter().find(|run| !seen.insert(&run.evidence.target)) {
        None => Ok(()),
        Some(run) => {
            let message = format!("expected one page for each target, found two for `{}`", run.evidence.target);
            Err(Fault::at(Place::file(path), message).hint("name a folder that holds the pages of one sweep"))
        }
    }
}
