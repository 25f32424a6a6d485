//! `inspect`: what is this file?

use super::args::InspectArgs;
use super::exit::Outcome;
use super::progress::with_bar;
use super::ui::Ui;
use crate::ingest::detect::FileKind;
use crate::ingest::source::Meter;
use crate::pipeline::{Inspected, inspect};

/// Prints a block for each file.
pub fn run(args: &InspectArgs, ui: &Ui) -> anyhow::Result<Outcome> {
    let meter = Meter::default();
    let total = args.paths.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|meta| meta.len()).sum();
    let found = with_bar(ui, total, &meter, || inspect(&args.paths, &meter))?;
    let text: String = found.iter().map(block).collect();
    ui.data(&text)?;
    Ok(Outcome::Done)
}

fn block(file: &Inspected) -> String {
    let Inspected { path, kind, bytes, rows, span, details, problems } = file;
    let mut text = format!("{}: {}, {bytes} bytes", path.display(), kind.word());
    if let Some(rows) = rows {
        let unit = if *kind == FileKind::Log { "lines" } else { "rows" };
        text.push_str(&format!(", {rows} {unit}"));
    }
    text.push('\n');
    if let Some((first, last)) = span {
        text.push_str(&format!("  span: {first} to {last}\n"));
    }
    for (key, value) in details {
        text.push_str(&format!("  {key}: {value}\n"));
    }
    for problem in problems {
        text.push_str(&format!("  problem: {problem}\n"));
    }
    text
}
