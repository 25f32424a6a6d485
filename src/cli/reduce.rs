//! `reduce`: raw output of one run to evidence and chart data.

use super::args::{ReduceArgs, Shared};
use super::exit::Outcome;
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::ingest::source::Meter;
use crate::model::Fault;
use crate::pipeline::{RunFiles, Settings, TargetFrom, reduce, timestamp};
use crate::publish::{FileSet, Output};
use crate::render::{chart_json, evidence_json};

/// Writes `evidence.json` and `output.json` into the output folder.
pub fn run(args: &ReduceArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let base = args.paths.iter().find(|path| path.as_os_str() != "-").cloned().unwrap_or_default();
    let config = load_config(shared.config.as_deref(), &base)?;
    let settings = match &config {
        Some(config) => Settings::with_baseline(config)?,
        None => Settings::default(),
    };
    let settings = Settings { all_trends: args.all_trends, sha256: args.sha256, ..settings };
    // fail before gigabytes are read
    std::fs::create_dir_all(&args.out).map_err(|e| {
        Fault::io(&args.out, "make the folder", e).hint("choose a folder that can be written to with `--out`")
    })?;
    let files = RunFiles::collect(&args.paths)?;
    let target = args.target.clone().map_or(TargetFrom::StampOrFolder, TargetFrom::Given);
    let meter = Meter::default();
    let reduced = with_bar(ui, files.bytes(), &meter, || reduce(&files, &target, &settings, &meter))?;
    for (path, reason) in &reduced.ignored {
        ui.detail(&format!("{}: left out: {reason}", path.display()));
    }
    for warning in &reduced.evidence.warnings {
        ui.warning(&reduced.evidence.target, warning);
    }
    let timestamp = config.as_ref().map(timestamp).unwrap_or_default();
    let chart = chart_json(&reduced.chart, timestamp);
    let evidence = evidence_json(&reduced.evidence);
    let names = [("output.json", &chart), ("evidence.json", &evidence)];
    let files = names.map(|(name, text)| (args.out.join(name), text.as_bytes())).to_vec();
    let waits = || ui.note(&format!("{}: waiting for another run to end", args.out.display()));
    let (output, _) = Output::open(&args.out, std::slice::from_ref(&args.out), waits)?;
    for (path, _) in output.switch(&[FileSet { name: &reduced.evidence.target, files, read: None }])? {
        ui.detail(&format!("wrote {}", path.display()));
    }
    Ok(Outcome::Done)
}
