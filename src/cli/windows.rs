//! `windows`: each run's window, for collecting metrics of the same minutes.

use serde_json::json;

use super::args::{Shared, TextOrJson, WindowsArgs};
use super::exit::Outcome;
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::ingest::source::Meter;
use crate::model::{Fault, Place, Result, Time, Window};
use crate::pipeline::{RunFiles, Settings, TargetFrom, published_windows, reduce, run_folders};

/// Prints a line for each run, in order of time.
pub fn run(args: &WindowsArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let mut windows = match published_windows(&args.path)? {
        pages if !pages.is_empty() => pages,
        _ => of_sweep(args, shared, ui)?,
    };
    windows.sort_by_key(|(target, window)| (window.start, target.clone()));
    let pad = i64::from(args.pad);
    let widened = windows.into_iter().filter_map(|(target, window)| {
        let at = Time::from_unix_seconds;
        Some((target, at(window.start - pad)?, at(window.end + pad)?))
    });
    let text = match args.format {
        TextOrJson::Text => widened.map(|(target, start, end)| format!("{target}|{start}|{end}\n")).collect(),
        TextOrJson::Json => {
            let list: Vec<_> =
                widened.map(|(target, start, end)| json!({"target": target, "start": start, "end": end})).collect();
            format!("{:#}\n", json!(list))
        }
    };
    ui.data(&text)?;
    Ok(Outcome::Done)
}

fn of_sweep(args: &WindowsArgs, shared: &Shared, ui: &Ui) -> Result<Vec<(String, Window)>> {
    let settings = match load_config(shared.config.as_deref(), &args.path)? {
        // evidence of an earlier reduction is used where its settings are the same; a window needs no baseline
        Some(config) => Settings::with_baseline(&config).or_else(|_| Settings::of(&config))?,
        None => Settings::default(),
    };
    let mut windows = Vec::new();
    for folder in run_folders(&args.path, &[])? {
        let files = RunFiles::gather(std::slice::from_ref(&folder.path))?;
        if files.used.is_empty() {
            let (path, all) = (folder.path.display(), files.ignored.len());
            ui.note(&format!("{path}: left out: none of its {all} files is of a k6 run"));
            continue;
        }
        let meter = Meter::default();
        let reduced = with_bar(ui, files.bytes(), &meter, || reduce(&files, &TargetFrom::Folder, &settings, &meter))?;
        match reduced.evidence.window {
            Some(window) => windows.push((folder.target, window.window())),
            None => ui.note(&format!("{}: left out: nothing in it gives a window", folder.path.display())),
        }
    }
    match windows.is_empty() {
        true => Err(Fault::at(
            Place::file(&args.path),
            "expected published pages or a folder with k6 output for each run, found none",
        )
        .hint("`sweepdoc inspect` says what the files there were recognised as")),
        false => Ok(windows),
    }
}
