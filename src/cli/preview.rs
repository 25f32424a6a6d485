//! `preview`: pages as readers will see them, in a folder or in a browser.

use std::path::{Component, Path, PathBuf};

use super::args::{PreviewArgs, Shared};
use super::exit::Outcome;
use super::paths::{load_config, need_config};
use super::publish::{prepare, problems, read_sweep};
use super::serve::Server;
use super::ui::Ui;
use crate::config::Config;
use crate::ingest::source::Meter;
use crate::model::{Fault, Place, Result};
use crate::pipeline::{Preview, Settings, Site, is_sweep, pages_below, preview};
use crate::publish::{holds_nothing, interrupted, stage, write_owned};

/// Where a preview goes when neither a folder nor a server is asked for.
const FOLDER: &str = "preview";

/// Renders the pages, writes or serves them, and prints where they are.
pub fn run(args: &PreviewArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let out = args.out.clone().or_else(|| (!args.serve).then(|| PathBuf::from(FOLDER)));
    if let Some(out) = &out {
        refuse_foreign(out)?;
    }
    let config = load_config(shared.config.as_deref(), &args.path)?;
    let rendered = match (&config, pages_below(&args.path)?.is_empty()) {
        // notes that lie beside the runs are no pages
        (Some(config), is_bare) if is_bare || is_sweep(&args.path)? => of_sweep(&args.path, config, ui)?,
        (_, false) => preview(&args.path, config.as_ref(), &Meter::default())?,
        (_, true) => of_sweep(&args.path, &need_config(shared.config.as_deref(), &args.path)?, ui)?,
    };
    if let Some(out) = &out {
        let waits = || ui.note(&format!("{}: waiting for another preview to end", out.display()));
        write_owned(out, &rendered.files, waits)?;
        ui.data(&format!("{}\n", out.join("index.html").display()))?;
    }
    if args.serve {
        let server = Server::open(rendered.files).map_err(|e| Fault::new(format!("cannot open a port: {e}")))?;
        let address = server.address().map_err(|e| Fault::new(format!("cannot tell the port: {e}")))?;
        ui.data(&format!("http://{address}/\n"))?;
        ui.note("serving until the program is ended (Ctrl+C)");
        server.run();
    }
    Ok(Outcome::Done)
}

/// A folder that holds something else is not written into.
fn refuse_foreign(out: &Path) -> Result<()> {
    let is_preview = || {
        let index = std::fs::read_to_string(out.join("index.html")).unwrap_or_default();
        crate::render::preview::is_preview(&index)
    };
    match holds_nothing(out)? || is_preview() {
        true => Ok(()),
        false => {
            Err(Fault::at(Place::file(out), "expected an empty folder or an earlier preview, found something else")
                .hint("choose another folder with `--out`"))
        }
    }
}

/// The pages of a sweep as `publish` would leave them: where they stand already, with what people wrote on them.
fn of_sweep(sweep: &Path, config: &Config, ui: &Ui) -> Result<Preview> {
    let folder = tempfile::tempdir().map_err(|e| Fault::new(format!("cannot make a temporary folder: {e}")))?;
    let shown = Site::open(config, Some(folder.path()))?;
    // without `out` in the project file nothing says where the pages stand, and they are shown as new ones
    let published = Site::open(config, config.pages.out.as_deref().or(Some(folder.path())))?;
    if interrupted(published.out()) {
        ui.note(&format!("{}: an interrupted publish is to be finished here: publish", published.out().display()));
    }
    let (folders, reduced) = read_sweep(sweep, &[], &Settings::with_baseline(config)?, ui)?;
    let pages = prepare(&[], &folders, reduced, config, &published)?;
    problems(&pages, ui);
    for page in &pages {
        let file = below(folder.path(), &shown.files(&page.target)?.page);
        let texts = [
            (file.with_file_name("output.json"), &page.run.chart),
            (file.with_file_name("evidence.json"), &page.run.evidence),
            (file, &page.merged.text),
        ];
        for (path, text) in texts {
            stage(&path, text.as_bytes())?.commit()?;
        }
    }
    preview(folder.path(), Some(config), &Meter::default())
}

/// A page's place below a folder, also where the project file's `path` leads out of it.
fn below(folder: &Path, page: &Path) -> PathBuf {
    let parts = page.strip_prefix(folder).unwrap_or(page).components();
    folder.join(parts.filter(|part| matches!(part, Component::Normal(_))).collect::<PathBuf>())
}
