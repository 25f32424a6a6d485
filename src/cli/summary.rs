//! `summary`: the sweep's table, printed or kept up to date within a text.

use super::args::{ScopeArg, Shared, SummaryArgs, SummaryFormat};
use super::exit::Outcome;
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::config::{Config, PageKind, Summary, summary_columns};
use crate::ingest::source::Meter;
use crate::model::{Fault, Result, Scope, SweepColumn, SweepTable};
use crate::pipeline::{SummaryInput, summary};
use crate::render::{Markdown, summary_csv, summary_json, summary_markdown};

/// Makes the table and prints it.
pub fn run(args: &SummaryArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let config = load_config(shared.config.as_deref(), &args.path)?;
    let settings = settings(args, config.as_ref())?;
    let table = table(args, config.as_ref(), ui)?;
    ui.data(&printed(args.format, &table, &settings.columns))?;
    Ok(Outcome::Done)
}

fn settings(args: &SummaryArgs, config: Option<&Config>) -> Result<Summary> {
    let mut settings = config.map(|config| config.summary.clone()).unwrap_or_default();
    if let Some(names) = &args.columns {
        settings.columns =
            summary_columns(names.split(',')).map_err(|problem| Fault::new(format!("`--columns`: {problem}")))?;
    }
    Ok(settings)
}

fn table(args: &SummaryArgs, config: Option<&Config>, ui: &Ui) -> Result<SweepTable> {
    let scope = match args.scope {
        ScopeArg::Run => Scope::Run,
        ScopeArg::Test => Scope::Test,
    };
    let input = SummaryInput { path: &args.path, version: args.release.as_deref(), scope, config };
    let meter = Meter::default();
    with_bar(ui, 0, &meter, || summary(&input, &meter))
}

fn printed(format: SummaryFormat, table: &SweepTable, columns: &[SweepColumn]) -> String {
    match format {
        SummaryFormat::Markdown => summary_markdown(table, Markdown { kind: PageKind::Markdown, columns }),
        SummaryFormat::Json => summary_json(table),
        SummaryFormat::Csv => summary_csv(table, columns),
    }
}
