//! `check`: every claim of published pages against the data.

use std::path::Path;

use super::args::{CheckArgs, FindingsFormat, Shared};
use super::exit::Outcome;
use super::findings::{github, json, text};
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::check::Severity;
use crate::ingest::source::Meter;
use crate::pipeline::{CheckInput, check};
use crate::publish::interrupted;

/// Prints the findings; they decide the exit code.
pub fn run(args: &CheckArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let start = args.pages.first().map_or(Path::new("."), |path| path.as_path());
    let config = load_config(shared.config.as_deref(), start)?;
    for path in args.pages.iter().filter(|path| interrupted(path)) {
        ui.note(&format!(
            "{}: an interrupted publish left page, chart data and evidence of different runs: publish again to finish it",
            path.display()
        ));
    }
    let input = CheckInput {
        pages: &args.pages,
        evidence: args.evidence.as_deref(),
        against: args.against.as_deref(),
        config: config.as_ref(),
    };
    let meter = Meter::default();
    let checked = with_bar(ui, 0, &meter, || check(&input, &meter))?;
    ui.data(&match args.format {
        FindingsFormat::Text => text(&checked, args.all),
        FindingsFormat::Json => json(&checked, args.all),
        FindingsFormat::Github => github(&checked, args.all),
    })?;
    let worst = checked.judgements.iter().filter_map(|(_, judgement)| judgement.severity).max();
    let limit = if args.strict { Severity::Warning } else { Severity::Error };
    Ok(if worst >= Some(limit) { Outcome::Findings } else { Outcome::Done })
}
