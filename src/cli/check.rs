//! `check`: every claim of published pages against the data.

use std::path::Path;

use similar::TextDiff;

use super::args::{CheckArgs, FindingsFormat, Shared};
use super::exit::Outcome;
use super::findings::{github, json, text};
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::check::Severity;
use crate::ingest::source::Meter;
use crate::model::Result;
use crate::pipeline::{CheckInput, Checked, check, fixed_pages};
use crate::publish::{Staged, stage};

/// Prints the findings; they decide the exit code.
pub fn run(args: &CheckArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let start = args.pages.first().map_or(Path::new("."), |path| path.as_path());
    let config = load_config(shared.config.as_deref(), start)?;
    let input = CheckInput {
        pages: &args.pages,
        evidence: args.evidence.as_deref(),
        against: args.against.as_deref(),
        config: config.as_ref(),
    };
    let meter = Meter::default();
    let mut checked = with_bar(ui, 0, &meter, || check(&input, &meter))?;
    if args.fix && fix(&checked, ui)? {
        checked = with_bar(ui, 0, &meter, || check(&input, &meter))?;
    }
    ui.data(&match args.format {
        FindingsFormat::Text => text(&checked, args.all),
        FindingsFormat::Json => json(&checked, args.all),
        FindingsFormat::Github => github(&checked, args.all),
    })?;
    let worst = checked.judgements.iter().filter_map(|(_, judgement)| judgement.severity).max();
    let limit = if args.strict { Severity::Warning } else { Severity::Error };
    Ok(if worst >= Some(limit) { Outcome::Findings } else { Outcome::Done })
}

/// Writes wrong cells anew, all pages or none that cannot be written; true when there were any.
fn fix(checked: &Checked, ui: &Ui) -> anyhow::Result<bool> {
    let fixed = fixed_pages(checked)?;
    if fixed.is_empty() {
        ui.note("nothing to fix: no generated cell is wrong");
        return Ok(false);
    }
    let staged: Vec<Staged> =
        fixed.iter().map(|page| stage(&page.path, page.after.as_bytes())).collect::<Result<_>>()?;
    for (page, staged) in fixed.iter().zip(staged) {
        staged.commit()?;
        ui.note(unified(&page.path, &page.before, &page.after).trim_end());
    }
    ui.note(&format!("fixed {} pages", fixed.len()));
    Ok(true)
}

/// The difference between two texts of a file, as `diff -u` shows it.
fn unified(path: &Path, before: &str, after: &str) -> String {
    let name = path.display().to_string();
    TextDiff::from_lines(before, after).unified_diff().context_radius(1).header(&name, &name).to_string()
}
