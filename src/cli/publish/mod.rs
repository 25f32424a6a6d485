//! `publish`: a sweep's files to finished pages, merged with what people wrote on them.

mod report;
mod sweep;

use std::path::{Path, PathBuf};

use super::args::{PublishArgs, Shared};
use super::exit::Outcome;
use super::paths::need_config;
use super::ui::Ui;
use crate::check::{Judgement, Severity};
use crate::config::{Config, PageKind};
use crate::model::{Fault, Generated, Place, Result, Warning};
use crate::pipeline::{Draft, PageFiles, Reduced, RenderedRun, RunFolder, Site, recheck};
use crate::publish::merge::{Forced, Merged, State, forced};
use crate::publish::{
    Change, FileSet, Meeting, Output, Recovered, change, fingerprint, interrupted, reconcile, remembered,
};
use sweep::{note_unknown_targets, read_sweep};

/// One run, rendered, and what stands where its page goes.
struct Rendered {
    target: String,
    files: PageFiles,
    run: RenderedRun,
    existing: Option<String>,
    base: Option<Generated>,
}

/// One run on its way to its page.
struct Published {
    target: String,
    files: PageFiles,
    run: RenderedRun,
    existing: Option<String>,
    merged: Merged,
    /// What people wrote on the page and the data does not bear out.
    findings: Vec<Judgement>,
    warnings: Vec<Warning>,
    ignored: Vec<(PathBuf, String)>,
}

/// Reads, derives, renders and merges everything before the first file is written.
pub fn run(args: &PublishArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let config = need_config(shared.config.as_deref(), &args.sweep)?;
    let site = Site::open(&config, args.out.as_deref())?;
    let writes = !args.check && !args.dry_run;
    if writes {
        refuse_unwritable(&site)?;
    }
    let (folders, reduced) = read_sweep(args, &config, ui)?;
    if args.target.is_empty() {
        note_unknown_targets(&config, &folders, ui);
    }
    // from here on the pages must not change under our hands, and what stands there must be whole
    let output = if writes { Some(open(&site, ui)?) } else { None };
    let unfinished = !writes && interrupted(site.out());
    if unfinished {
        ui.note(&format!("{}: an interrupted publish is to be finished here: publish again", site.out().display()));
    }
    // some runs alone are not the sweep
    let picture = if args.target.is_empty() { site.sweep_picture(&reduced)? } else { None };
    let published = prepare(args, &folders, reduced, &config, &site)?;
    report::problems(&published, ui);
    let sidebar = sidebar(&published, &site)?;
    let sets = sets(&published, sidebar.as_ref(), picture.as_ref());
    let outcome = match output {
        Some(output) => output.switch(&sets)?,
        None => foresee(&sets)?,
    };
    ui.data(&report::text(args, &published, &outcome))?;
    let drift = args.check && (unfinished || outcome.iter().any(|(_, change)| *change != Change::Nothing));
    Ok(if drift || published.iter().any(Published::needs_a_person) { Outcome::Findings } else { Outcome::Done })
}

/// Fails before gigabytes are read for nothing.
fn refuse_unwritable(site: &Site<'_>) -> Result<()> {
    let out = site.out();
    let probe = || std::fs::create_dir_all(out).and_then(|()| tempfile::tempfile_in(out));
    probe().map(|_| ()).map_err(|e| {
        Fault::io(out, "write into the output folder", e).hint("choose a folder that can be written to with `--out`")
    })
}

/// Renders every page, then merges each with what stands there: labels to force are judged by all pages together.
fn prepare(
    args: &PublishArgs,
    folders: &[RunFolder],
    reduced: Vec<Reduced>,
    config: &Config,
    site: &Site<'_>,
) -> Result<Vec<Published>> {
    let rendered =
        folders.iter().zip(&reduced).map(|(folder, run)| render(folder, run, site)).collect::<Result<Vec<_>>>()?;
    let pages = rendered.iter().map(|page| (&page.run.page, page.base.as_ref()));
    let forced = forced(&args.force_row, &config.product, pages)?;
    Ok(rendered.into_iter().zip(reduced).map(|(page, reduced)| page.merge(reduced, &forced, config)).collect())
}

fn render(folder: &RunFolder, reduced: &Reduced, site: &Site<'_>) -> Result<Rendered> {
    let files = site.files(&folder.target)?;
    let run = site.render(&reduced.evidence, &reduced.chart, fingerprint)?;
    let existing = read(&files.page)?.map(|bytes| text(&files.page, bytes)).transpose()?;
    let base = read(&files.evidence)?.as_deref().and_then(remembered);
    Ok(Rendered { target: folder.target.clone(), files, run, existing, base })
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::io(path, "read", e)),
    }
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| {
        Fault::at(Place::file(path), "expected a page in UTF-8, found other bytes")
            .hint("save it as UTF-8, or move it out of the way to have it generated anew")
    })
}

impl Rendered {
    fn merge(self, reduced: Reduced, forced: &Forced, config: &Config) -> Published {
        let Rendered { target, files, run, existing, base } = self;
        let merged = reconcile(&Meeting {
            existing: existing.as_deref(),
            new: &run.page,
            base: base.as_ref(),
            product: &config.product,
            forced,
            is_mdx: config.pages.kind() == PageKind::Mdx,
        });
        let Reduced { evidence, chart, ignored, .. } = reduced;
        let mut findings = Vec::new();
        if merged.text != run.page.text {
            let kept: Vec<u64> =
                merged.pieces.iter().filter(|p| p.state.is_a_persons()).filter_map(|p| p.line).collect();
            let draft = Draft { path: &files.page, text: &merged.text, generated: &run.page, kept: &kept };
            findings = recheck(&draft, &evidence, &chart, config);
            findings.retain(|judgement| judgement.severity >= Some(Severity::Warning));
        }
        Published { target, files, run, existing, merged, findings, warnings: evidence.warnings, ignored }
    }
}

impl Published {
    /// True when a person has to look at the page: something changed under their hands, or what they wrote does not hold.
    fn needs_a_person(&self) -> bool {
        self.merged.pieces.iter().any(|piece| piece.state == State::Conflict)
            || self.findings.iter().any(|finding| finding.severity == Some(Severity::Error))
    }
}

/// Locks the output folder and puts right what an interrupted publish left there.
fn open(site: &Site<'_>, ui: &Ui) -> Result<Output> {
    let waits = || ui.note(&format!("{}: waiting for another publish to end", site.out().display()));
    let (output, recovered) = Output::open(site.out(), &site.roots(), waits)?;
    for run in recovered {
        ui.note(&match run {
            Recovered::Finished(name) => format!("{name}: an interrupted publish was finished"),
            Recovered::Undone(name) => {
                format!("{name}: an interrupted publish was undone, for its page was edited since")
            }
        });
    }
    Ok(output)
}

/// The sidebar with entries for these pages, where the site keeps one.
fn sidebar(published: &[Published], site: &Site<'_>) -> Result<Option<(PathBuf, String)>> {
    let targets: Vec<&str> = published.iter().map(|page| page.target.as_str()).collect();
    site.sidebar(&targets)
}

/// What switches together: page, chart data, its copy, picture and evidence of each run; the sidebar and the picture of the
/// sweep by themselves.
fn sets<'a>(
    published: &'a [Published],
    sidebar: Option<&'a (PathBuf, String)>,
    sweep: Option<&'a (PathBuf, String)>,
) -> Vec<FileSet<'a>> {
    let of_page = |page: &'a Published| {
        let PageFiles { page: path, chart, evidence, mirror, picture } = &page.files;
        let charts = std::iter::once(chart).chain(mirror).map(|path| (path.clone(), page.run.chart.as_bytes()));
        let mut files = vec![(path.clone(), page.merged.text.as_bytes())];
        files.extend(charts);
        files.extend(page.run.picture.iter().map(|svg| (picture.clone(), svg.as_bytes())));
        files.push((evidence.clone(), page.run.evidence.as_bytes()));
        FileSet { name: &page.target, files, read: page.existing.as_deref().map(str::as_bytes) }
    };
    let alone = |name: &'static str, file: Option<&'a (PathBuf, String)>| {
        file.map(|(path, text)| FileSet { name, files: vec![(path.clone(), text.as_bytes())], read: None })
    };
    published.iter().map(of_page).chain(alone("sidebar", sidebar)).chain(alone("sweep picture", sweep)).collect()
}

/// What a write would do.
fn foresee(sets: &[FileSet<'_>]) -> Result<Vec<(PathBuf, Change)>> {
    let files = sets.iter().flat_map(|set| &set.files);
    files.map(|(path, content)| Ok((path.clone(), change(path, content)?))).collect()
}
