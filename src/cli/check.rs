//! `check`: every claim of published pages against the data.

use std::io::Read;
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
use crate::model::{Fault, Place, Result};
use crate::notation::count;
use crate::pipeline::{CheckInput, Checked, FixedPage, SweepText, check, fixed_pages};
use crate::publish::{Staged, interrupted, stage_over};

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
    let table = args.table.as_deref().map(read_table).transpose()?;
    let input = CheckInput {
        pages: &args.pages,
        evidence: args.evidence.as_deref(),
        against: args.against.as_deref(),
        table: table.as_ref().map(|(name, text)| SweepText { name, text }),
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

/// Largest text that is read: a pull request's has at most 65,536 characters.
const TABLE_LIMIT: u64 = 4 << 20;

/// The name and the text of a file, or of standard input.
fn read_table(path: &Path) -> Result<(String, String)> {
    let mut bytes = Vec::new();
    let input: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(std::fs::File::open(path).map_err(|e| Fault::io(path, "read", e))?),
    };
    input.take(TABLE_LIMIT + 1).read_to_end(&mut bytes).map_err(|e| Fault::io(path, "read", e))?;
    let refused = |what: String| Fault::at(Place::file(path), what);
    if bytes.len() as u64 > TABLE_LIMIT {
        return Err(refused(format!("expected a text of at most {} MiB, found more", TABLE_LIMIT >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused("expected UTF-8, found other bytes".to_owned()))?;
    Ok((path.to_string_lossy().replace('\\', "/"), text))
}

/// Writes wrong cells anew, all pages or none that cannot be written; true when there were any.
fn fix(checked: &Checked, ui: &Ui) -> anyhow::Result<bool> {
    let fixed = fixed_pages(checked)?;
    if fixed.is_empty() {
        ui.note("nothing to fix: no generated cell is wrong");
        return Ok(false);
    }
    let stage = |page: &FixedPage| stage_over(&page.path, page.before.as_bytes(), page.after.as_bytes());
    let staged: Vec<Staged> = fixed.iter().map(stage).collect::<Result<_>>()?;
    for (page, staged) in fixed.iter().zip(staged) {
        staged.commit()?;
        ui.note(unified(&page.path, &page.before, &page.after).trim_end());
    }
    ui.note(&format!("fixed {}", count::of(fixed.len(), "page")));
    Ok(true)
}

/// The difference between two texts of a file, as `diff -u` shows it.
fn unified(path: &Path, before: &str, after: &str) -> String {
    let name = path.display().to_string();
    TextDiff::from_lines(before, after).unified_diff().context_radius(1).header(&name, &name).to_string()
}
