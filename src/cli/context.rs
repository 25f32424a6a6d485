//! `context`: the JSON a template sees.

use super::args::{ContextArgs, Shared};
use super::exit::Outcome;
use super::paths::need_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::ingest::source::Meter;
use crate::pipeline::{RunFiles, Settings, Site, TargetFrom, reduce, run_folders};

/// Prints the context of one target's page.
pub fn run(args: &ContextArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let config = need_config(shared.config.as_deref(), &args.sweep)?;
    // nothing is written: any folder serves
    let site = Site::open(&config, Some(&args.sweep))?;
    let settings = Settings::with_baseline(&config)?;
    let folders = run_folders(&args.sweep, std::slice::from_ref(&args.target))?;
    let paths: Vec<_> = folders.into_iter().map(|folder| folder.path).collect();
    let files = RunFiles::collect(&paths)?;
    let meter = Meter::default();
    let reduced = with_bar(ui, files.bytes(), &meter, || reduce(&files, &TargetFrom::Folder, &settings, &meter))?;
    ui.data(&format!("{:#}\n", site.context(&reduced.evidence, &reduced.chart)?))?;
    Ok(Outcome::Done)
}
