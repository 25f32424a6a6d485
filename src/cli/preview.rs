//! `preview`: pages as readers will see them, in a folder or in a browser.

use std::path::{Path, PathBuf};

use super::args::{PreviewArgs, Shared};
use super::exit::Outcome;
use super::paths::{load_config, need_config};
use super::progress::with_bar;
use super::serve::Server;
use super::ui::Ui;
use crate::config::Config;
use crate::ingest::source::Meter;
use crate::model::{Fault, Place, Result};
use crate::pipeline::{Preview, RunFiles, Settings, Site, compare_runs, pages_below, preview, reduce_all, run_folders};
use crate::publish::{fingerprint, stage};

/// Where a preview goes when neither a folder nor a server is asked for.
const FOLDER: &str = "preview";

/// Renders the pages, writes or serves them, and prints where they are.
pub fn run(args: &PreviewArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let out = args.out.clone().or_else(|| (!args.serve).then(|| PathBuf::from(FOLDER)));
    if let Some(out) = &out {
        refuse_foreign(out)?;
    }
    let rendered = match pages_below(&args.path)?.is_empty() {
        false => {
            let config = load_config(shared.config.as_deref(), &args.path)?;
            preview(&args.path, config.as_ref(), &Meter::default())?
        }
        true => of_sweep(&args.path, &need_config(shared.config.as_deref(), &args.path)?, ui)?,
    };
    if let Some(out) = &out {
        write(out, &rendered)?;
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
    let mut inside = match std::fs::read_dir(out) {
        Ok(inside) => inside,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Fault::io(out, "look into the folder for the preview", e)),
    };
    let is_preview = || {
        let index = std::fs::read_to_string(out.join("index.html")).unwrap_or_default();
        crate::render::preview::is_preview(&index)
    };
    match inside.next().is_none() || is_preview() {
        true => Ok(()),
        false => {
            Err(Fault::at(Place::file(out), "expected an empty folder or an earlier preview, found something else")
                .hint("choose another folder with `--out`"))
        }
    }
}

fn write(out: &Path, preview: &Preview) -> Result<()> {
    let staged: Vec<_> =
        preview.files.iter().map(|(path, text)| stage(&out.join(path), text.as_bytes())).collect::<Result<_>>()?;
    staged.into_iter().try_for_each(|file| file.commit().map(|_| ()))
}

/// The pages a sweep would have, without publishing them anywhere.
fn of_sweep(sweep: &Path, config: &Config, ui: &Ui) -> Result<Preview> {
    let folder = tempfile::tempdir().map_err(|e| Fault::new(format!("cannot make a temporary folder: {e}")))?;
    let site = Site::open(config, Some(folder.path()))?;
    let mut runs = Vec::new();
    for run in run_folders(sweep, &[])? {
        let files = RunFiles::gather(std::slice::from_ref(&run.path))?;
        match files.used.is_empty() {
            true => ui.note(&format!("{}: left out: none of its files is of a k6 run", run.path.display())),
            false => runs.push((run, files)),
        }
    }
    let meter = Meter::default();
    let total = runs.iter().map(|(_, files)| files.bytes()).sum();
    let settings = Settings::with_baseline(config)?;
    let mut reduced = with_bar(ui, total, &meter, || reduce_all(&runs, &settings, &meter))?;
    let folders: Vec<_> = runs.into_iter().map(|(folder, _)| folder).collect();
    compare_runs(&folders, &mut reduced)?;
    for (run, reduced) in folders.iter().zip(&reduced) {
        let (files, rendered) =
            (site.files(&run.target)?, site.render(&reduced.evidence, &reduced.chart, fingerprint)?);
        for (path, text) in
            [(&files.page, &rendered.page.text), (&files.chart, &rendered.chart), (&files.evidence, &rendered.evidence)]
        {
            stage(path, text.as_bytes())?.commit()?;
        }
    }
    preview(folder.path(), Some(config), &meter)
}
