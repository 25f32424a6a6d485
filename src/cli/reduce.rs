//! `reduce`: raw output of one run to evidence and chart data.

use super::args::{ReduceArgs, Shared};
use super::exit::Outcome;
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::ingest::source::Meter;
use crate::model::Fault;
use crate::pipeline::{RunFiles, Settings, TargetFrom, reduce, timestamp};
use crate::publish::stage;
use crate::render::{chart_json, evidence_json};

/// Writes `evidence.json` and `output.json` into the output folder.
pub fn run(args: &ReduceArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let base = args.paths.iter().find(|path| path.as_os_str() != "-").cloned().unwrap_or_default();
    let config = load_config(shared.config.as_deref(), &base)?;
    let settings = match &config {
        Some(config) => Settings::of(config)?,
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
    let evidence = stage(&args.out.join("evidence.json"), evidence_json(&reduced.evidence).as_bytes())?;
    let chart = stage(&args.out.join("output.json"), chart_json(&reduced.chart, timestamp).as_bytes())?;
    for file in [chart, evidence] {
        let path = file.path().to_path_buf();
        file.commit()?;
        ui.detail(&format!("wrote {}", path.display()));
    }
    Ok(Outcome::Done)
}
