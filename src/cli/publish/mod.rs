//! `publish`: a sweep's files to finished pages, merged with what people wrote on them.

mod plan;
mod report;
mod sweep;

use std::path::PathBuf;

use super::args::{PublishArgs, Shared};
use super::exit::Outcome;
use super::paths::need_config;
use super::ui::Ui;
use crate::model::{Fault, Result};
use crate::pipeline::{PageFiles, Settings, Site};
use crate::publish::{Change, FileSet, Output, Recovered, change, interrupted};
pub(super) use plan::prepare;
use plan::{Published, Stale};
pub(super) use report::problems;
use sweep::note_unknown_targets;
pub(super) use sweep::read_sweep;

/// Reads, derives, renders and merges everything before the first file is written.
pub fn run(args: &PublishArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let config = need_config(shared.config.as_deref(), &args.sweep)?;
    let site = Site::open(&config, args.out.as_deref())?;
    let writes = !args.check && !args.dry_run;
    if writes {
        refuse_unwritable(&site)?;
    }
    let settings = Settings { sha256: args.sha256, ..Settings::with_baseline(&config)? };
    let (folders, reduced) = read_sweep(&args.sweep, &args.target, &settings, ui)?;
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
    let published = prepare(&args.force_row, &folders, reduced, &config, &site)?;
    problems(&published, ui);
    let sidebar = sidebar(&published, &site)?;
    let sets = sets(&published, sidebar.as_ref(), picture.as_ref());
    let outcome = match &output {
        Some(output) => output.switch(&sets)?,
        None => foresee(&sets)?,
    };
    let stale = unused_pictures(&published);
    if let Some(output) = &output {
        stale.iter().try_for_each(|picture| output.remove(picture))?;
    }
    ui.data(&report::text(args, &published, &outcome))?;
    let drift =
        args.check && (unfinished || !stale.is_empty() || outcome.iter().any(|(_, change)| *change != Change::Nothing));
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

/// Pictures of earlier runs that no page shows.
fn unused_pictures(published: &[Published]) -> Vec<&PathBuf> {
    let unused = published.iter().filter(|page| page.stale_picture == Some(Stale::Unused));
    unused.map(|page| &page.files.picture).collect()
}

/// What a write would do.
fn foresee(sets: &[FileSet<'_>]) -> Result<Vec<(PathBuf, Change)>> {
    let files = sets.iter().flat_map(|set| &set.files);
    files.map(|(path, content)| Ok((path.clone(), change(path, content)?))).collect()
}
