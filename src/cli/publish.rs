//! `publish`: a sweep's files to finished pages.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::args::{PublishArgs, Shared, TextOrJson};
use super::exit::Outcome;
use super::paths::need_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::config::Config;
use crate::ingest::source::Meter;
use crate::model::{Fault, Place, Result};
use crate::pipeline::{
    PageFiles, Reduced, RenderedRun, RunFiles, RunFolder, Settings, Site, compare_runs, reduce_all, run_folders,
};
use crate::publish::{Change, Staged, Verdict, fingerprint, judge, remembered, stage};

/// One run on its way to its page.
struct Published {
    target: String,
    files: PageFiles,
    run: RenderedRun,
    verdict: Verdict,
    warnings: Vec<crate::model::Warning>,
    ignored: Vec<(PathBuf, String)>,
}

/// Reads, derives, renders and judges everything before the first file is written.
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
    // some runs alone are not the sweep
    let picture = if args.target.is_empty() { site.sweep_picture(&reduced)? } else { None };
    let mut published = Vec::new();
    for (folder, reduced) in folders.iter().zip(reduced) {
        published.push(prepare(folder, &reduced, &site)?);
    }
    report_problems(&published, ui);
    let outcome = if writes { write(&published, picture, &site)? } else { foresee(&published, picture, &site)? };
    print(args, &published, &outcome, ui)?;
    let edited = published.iter().any(|page| page.verdict == Verdict::Edited);
    let drift = args.check && outcome.iter().any(|(_, change)| *change != Change::Nothing);
    Ok(if edited || drift { Outcome::Findings } else { Outcome::Done })
}

/// A misspelt `[targets.NAME]` would silently lose its facts and its VUs.
fn note_unknown_targets(config: &Config, folders: &[RunFolder], ui: &Ui) {
    for name in config.targets.keys().filter(|name| folders.iter().all(|folder| folder.target != **name)) {
        let known: Vec<&str> = folders.iter().map(|folder| folder.target.as_str()).collect();
        ui.note(&format!(
            "{}: `[targets.{name}]` is no run of this sweep, which has {}",
            config.path.display(),
            known.join(", ")
        ));
    }
}

/// Fails before gigabytes are read for nothing.
fn refuse_unwritable(site: &Site<'_>) -> Result<()> {
    let out = site.out();
    let probe = || std::fs::create_dir_all(out).and_then(|()| tempfile::tempfile_in(out));
    probe().map(|_| ()).map_err(|e| {
        Fault::io(out, "write into the output folder", e).hint("choose a folder that can be written to with `--out`")
    })
}

fn read_sweep(args: &PublishArgs, config: &Config, ui: &Ui) -> Result<(Vec<RunFolder>, Vec<Reduced>)> {
    let settings = Settings { sha256: args.sha256, ..Settings::of(config)? };
    let (mut runs, mut left_out, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
    for folder in run_folders(&args.sweep, &args.target)? {
        let files = RunFiles::gather(std::slice::from_ref(&folder.path))?;
        if !files.used.is_empty() {
            runs.push((folder, files));
        } else {
            let short = format!(
                "{}: left out: none of its {} files is of a k6 run",
                folder.path.display(),
                files.ignored.len()
            );
            damaged.extend(files.ignored.iter().filter(|(_, reason)| is_damage(reason)).cloned());
            left_out.push((short, files.nothing_usable(std::slice::from_ref(&folder.path))));
        }
    }
    refuse_damaged(&damaged)?;
    // a folder asked for by name must be a run; else one without any of its files may be something of the sweep's own
    let nothing_left = runs.is_empty() || !args.target.is_empty();
    if let Some((_, fault)) = left_out.first().filter(|_| nothing_left) {
        return Err(fault.clone());
    }
    for (short, fault) in &left_out {
        ui.note(short);
        ui.detail(&fault.message);
    }
    let meter = Meter::default();
    let total = runs.iter().map(|(_, files)| files.bytes()).sum();
    let mut reduced = with_bar(ui, total, &meter, || reduce_all(&runs, &settings, &meter))?;
    let folders: Vec<RunFolder> = runs.into_iter().map(|(folder, _)| folder).collect();
    compare_runs(&folders, &mut reduced)?;
    Ok((folders, reduced))
}

/// What a load test leaves when it could not write: not the mark of a folder that is something else.
fn is_damage(reason: &str) -> bool {
    matches!(reason, "empty file" | "binary file")
}

/// Refuses a folder with nothing usable in it but what looks like lost output.
fn refuse_damaged(damaged: &[(PathBuf, String)]) -> Result<()> {
    match damaged.first() {
        Some((path, reason)) => {
            Err(Fault::at(Place::file(path), format!("expected k6 output, a log or a summary, found {reason}"))
                .hint("take the run's folder out of the sweep, or put its output into it"))
        }
        None => Ok(()),
    }
}

fn prepare(folder: &RunFolder, reduced: &Reduced, site: &Site<'_>) -> Result<Published> {
    let files = site.files(&folder.target)?;
    let run = site.render(&reduced.evidence, &reduced.chart, fingerprint)?;
    let existing = read(&files.page)?;
    let known = read(&files.evidence)?.as_deref().and_then(remembered);
    let verdict = judge(existing.as_deref(), &run.page.text, known.as_deref());
    let warnings = reduced.evidence.warnings.clone();
    let ignored = reduced.ignored.clone();
    Ok(Published { target: folder.target.clone(), files, run, verdict, warnings, ignored })
}

fn read(path: &PathBuf) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::io(path, "read", e)),
    }
}

fn report_problems(published: &[Published], ui: &Ui) {
    for page in published {
        for (path, reason) in &page.ignored {
            ui.note(&format!("{}: left out: {reason}", path.display()));
        }
        for warning in &page.warnings {
            ui.warning(&page.target, warning);
        }
        if !page.run.page.unfilled.is_empty() {
            ui.note(&format!("{}: rows nobody could fill: {}", page.target, page.run.page.unfilled.join(", ")));
        }
        if page.verdict == Verdict::Edited {
            ui.conflict(
                &page.files.page.display().to_string(),
                "was written or edited by hand and differs from what would be generated; it and its data stay as they are",
                "to have it generated anew, move the page out of the way",
            );
        }
    }
}

/// Every file of the pages that may be written, page before evidence: a page is only ever older than what is remembered
/// of it when nobody has touched it.
fn wanted<'a>(
    published: &'a [Published],
    picture: Option<(PathBuf, String)>,
    site: &Site<'_>,
) -> Result<Vec<(PathBuf, std::borrow::Cow<'a, str>)>> {
    let mut files: Vec<(PathBuf, std::borrow::Cow<'a, str>)> = Vec::new();
    let free: Vec<&Published> = published.iter().filter(|page| page.verdict != Verdict::Edited).collect();
    for page in &free {
        let PageFiles { page: path, chart, evidence, mirror, picture } = &page.files;
        files.push((chart.clone(), page.run.chart.as_str().into()));
        files.extend(mirror.iter().map(|mirror| (mirror.clone(), page.run.chart.as_str().into())));
        files.extend(page.run.picture.iter().map(|svg| (picture.clone(), svg.as_str().into())));
        files.push((path.clone(), page.run.page.text.as_str().into()));
        files.push((evidence.clone(), page.run.evidence.as_str().into()));
    }
    let targets: Vec<&str> = free.iter().map(|page| page.target.as_str()).collect();
    if let Some((path, text)) = site.sidebar(&targets)? {
        files.push((path, text.into()));
    }
    files.extend(picture.map(|(path, svg)| (path, svg.into())));
    Ok(files)
}

fn write(
    published: &[Published],
    picture: Option<(PathBuf, String)>,
    site: &Site<'_>,
) -> Result<Vec<(PathBuf, Change)>> {
    let staged: Vec<Staged> = wanted(published, picture, site)?
        .iter()
        .map(|(path, text)| stage(path, text.as_bytes()))
        .collect::<Result<_>>()?;
    staged.into_iter().map(|file| Ok((file.path().to_path_buf(), file.commit()?))).collect()
}

/// What a write would do.
fn foresee(
    published: &[Published],
    picture: Option<(PathBuf, String)>,
    site: &Site<'_>,
) -> Result<Vec<(PathBuf, Change)>> {
    let change = |(path, text): (PathBuf, std::borrow::Cow<'_, str>)| {
        let change = match read(&path)? {
            None => Change::Create,
            Some(bytes) if bytes == text.as_bytes() => Change::Nothing,
            Some(_) => Change::Replace,
        };
        Ok((path, change))
    };
    wanted(published, picture, site)?.into_iter().map(change).collect()
}

fn print(args: &PublishArgs, published: &[Published], outcome: &[(PathBuf, Change)], ui: &Ui) -> anyhow::Result<()> {
    let change_of = |path: &PathBuf| outcome.iter().find(|(p, _)| p == path).map(|(_, change)| *change);
    let state = |page: &Published| match (page.verdict, change_of(&page.files.page)) {
        (Verdict::Edited, _) => "edited",
        (_, Some(Change::Create)) => "created",
        (_, Some(Change::Replace)) => "updated",
        _ => "unchanged",
    };
    let text = match args.format {
        TextOrJson::Text => {
            let future = if args.check || args.dry_run { "would be " } else { "" };
            let line = |page: &Published| match state(page) {
                state @ ("created" | "updated") => format!("{future}{state} {}\n", page.files.page.display()),
                state => format!("{state} {}\n", page.files.page.display()),
            };
            published.iter().map(line).collect()
        }
        TextOrJson::Json => {
            let page = |page: &Published| -> Value {
                json!({
                    "target": page.target,
                    "page": page.files.page,
                    "state": state(page),
                    "unfilled": page.run.page.unfilled,
                    "warnings": page.warnings,
                })
            };
            let pages: Vec<Value> = published.iter().map(page).collect();
            format!("{:#}\n", json!({"schema": "sweepdoc/publish/1", "pages": pages}))
        }
    };
    ui.data(&text)
}
