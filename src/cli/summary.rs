//! `summary`: the sweep's table, printed or kept up to date within a text.

use std::io::Read;
use std::path::Path;

use super::args::{ScopeArg, Shared, SummaryArgs, SummaryFormat};
use super::exit::Outcome;
use super::paths::load_config;
use super::progress::with_bar;
use super::ui::Ui;
use crate::config::{Config, PageKind, Summary, summary_columns};
use crate::ingest::source::Meter;
use crate::model::{Fault, Place, Result, Scope, SweepTable};
use crate::pipeline::{LeftOut, SummaryInput, summary};
use crate::publish::{Change, Comments, Slot, Wanted, slot, stage_over};
use crate::render::{Fitted, Markdown, summary_csv, summary_fitted, summary_json, summary_markdown};

/// Longest text of a pull request or comment. What is refused beyond it are code points; UTF-16 units, counted here, are never
/// fewer.
const GITHUB_LIMIT: usize = 65_536;

/// Largest text that is read: a thousand times what a pull request can hold would be a mistake.
const TEXT_LIMIT: u64 = 16 << 20;

/// Makes the table and prints it, or puts it into a text.
pub fn run(args: &SummaryArgs, shared: &Shared, ui: &Ui) -> anyhow::Result<Outcome> {
    let config = load_config(shared.config.as_deref(), &args.path)?;
    let settings = settings(args, config.as_ref())?;
    // before the work: a text with broken markers needs a person first
    let text = args.update.as_deref().map(|file| Text::read(file, args)).transpose()?;
    if let Some(text) = &text {
        text.slot(args.release.as_deref())?;
    }
    let table = table(args, config.as_ref(), ui)?;
    match text {
        Some(text) => text.update(&table, &settings, args.check, ui),
        None => {
            ui.data(&printed(args.format, &table, &settings))?;
            Ok(Outcome::Done)
        }
    }
}

fn settings(args: &SummaryArgs, config: Option<&Config>) -> Result<Summary> {
    let mut settings = config.map(|config| config.summary.clone()).unwrap_or_default();
    if let Some(names) = &args.columns {
        settings.columns =
            summary_columns(names.split(',')).map_err(|problem| Fault::new(format!("`--columns`: {problem}")))?;
    }
    settings.full_table = args.full_table.clone().or(settings.full_table);
    Ok(settings)
}

fn table(args: &SummaryArgs, config: Option<&Config>, ui: &Ui) -> Result<SweepTable> {
    let scope = match args.scope {
        ScopeArg::Run => Scope::Run,
        ScopeArg::Test => Scope::Test,
    };
    let input = SummaryInput { path: &args.path, version: args.release.as_deref(), scope, config };
    let meter = Meter::default();
    let summarised = with_bar(ui, 0, &meter, || summary(&input, &meter))?;
    for LeftOut { folder, files } in &summarised.left_out {
        ui.note(&format!("{}: left out: none of its {files} files is of a k6 run", folder.display()));
    }
    for warning in &summarised.warnings {
        ui.warning(&args.path.display().to_string(), warning);
    }
    Ok(summarised.table)
}

fn printed(format: SummaryFormat, table: &SweepTable, settings: &Summary) -> String {
    let columns = &settings.columns;
    match format {
        SummaryFormat::Markdown => summary_markdown(table, markdown(PageKind::Markdown, settings)),
        SummaryFormat::Json => summary_json(table),
        SummaryFormat::Csv => summary_csv(table, columns),
    }
}

fn markdown(kind: PageKind, settings: &Summary) -> Markdown<'_> {
    Markdown { kind, columns: &settings.columns, picture: settings.picture.as_deref() }
}

/// The text that holds the table.
struct Text<'a> {
    file: &'a Path,
    content: String,
    /// Name of the block; `None` for that of the table's version.
    block: Option<&'a str>,
    /// Most characters it may have with the table.
    limit: Option<usize>,
}

impl<'a> Text<'a> {
    fn read(file: &'a Path, args: &'a SummaryArgs) -> Result<Self> {
        let is_stdin = file.as_os_str() == "-";
        let mut bytes = Vec::new();
        let read = match is_stdin {
            true => std::io::stdin().lock().take(TEXT_LIMIT + 1).read_to_end(&mut bytes),
            false => std::fs::File::open(file).and_then(|text| text.take(TEXT_LIMIT + 1).read_to_end(&mut bytes)),
        };
        let length = read.map_err(|e| Fault::io(file, "read the text to update", e))?;
        if length as u64 > TEXT_LIMIT {
            let message = format!("expected a text of at most {} MiB, found a longer one", TEXT_LIMIT >> 20);
            return Err(Fault::at(Place::file(file), message));
        }
        let content = String::from_utf8(bytes).map_err(|e| {
            let valid = e.utf8_error().valid_up_to();
            let line = e.as_bytes().iter().take(valid).filter(|&&b| b == b'\n').count() as u64 + 1;
            Fault::at(Place::file(file).line(line), "expected UTF-8, found other bytes")
        })?;
        let limit = args.max_chars.or(is_stdin.then_some(GITHUB_LIMIT));
        Ok(Text { file, content, block: args.block.as_deref(), limit })
    }

    fn kind(&self) -> PageKind {
        PageKind::of(self.file).unwrap_or(PageKind::Markdown)
    }

    fn slot(&self, version: Option<&str>) -> Result<Slot<'_>> {
        let comments = match self.kind() {
            PageKind::Mdx => Comments::Mdx,
            PageKind::Markdown => Comments::Html,
        };
        let wanted = self.block.map_or(Wanted::OfVersion(version), Wanted::Named);
        slot(&self.content, self.file, comments, wanted)
    }

    fn update(&self, table: &SweepTable, settings: &Summary, check: bool, ui: &Ui) -> anyhow::Result<Outcome> {
        let slot = self.slot(table.version.as_deref())?;
        let markdown = markdown(self.kind(), settings);
        let fits = |content: &str| self.limit.is_none_or(|limit| length(&slot.with(content)) <= limit);
        let fitted = summary_fitted(table, markdown, settings.full_table.as_deref(), fits);
        let Some(Fitted { text, lines }) = fitted else { return Err(self.no_room(length(&slot.with(""))).into()) };
        if lines < table.lines.len() {
            let (file, runs) = (self.file.display(), table.lines.len());
            ui.note(&format!(
                "{file}: the table is shortened to {lines} of {runs} runs, the text has no room for more"
            ));
        }
        let new = slot.with(&text);
        if check {
            return Ok(self.judge(&new, slot.is_new(), ui));
        }
        if self.file.as_os_str() == "-" {
            ui.data(&new)?;
        } else {
            self.write(&new, ui)?;
        }
        Ok(Outcome::Done)
    }

    fn judge(&self, new: &str, is_new: bool, ui: &Ui) -> Outcome {
        if new == self.content {
            return Outcome::Done;
        }
        let what = if is_new { "has no table of the sweep yet" } else { "has a table that is out of date" };
        let hint = "run the same command without `--check`";
        ui.conflict(&self.file.display().to_string(), what, hint);
        Outcome::Findings
    }

    fn write(&self, new: &str, ui: &Ui) -> anyhow::Result<()> {
        // a link stays a link: what it points to is replaced
        let path = self.file.canonicalize().unwrap_or_else(|_| self.file.to_path_buf());
        let state = match stage_over(&path, self.content.as_bytes(), new.as_bytes())?.commit()? {
            Change::Nothing => "unchanged",
            Change::Create | Change::Replace => "updated",
        };
        ui.data(&format!("{state} {}\n", self.file.display()))
    }

    fn no_room(&self, without_table: usize) -> Fault {
        let limit = self.limit.unwrap_or_default();
        let message =
            format!("expected at most {limit} characters, found {without_table} without the table: it has no room");
        Fault::at(Place::file(self.file), message).hint("shorten the text around the table, which is left as it is")
    }
}

/// The longer of the two ways to count characters: as UTF-16 units.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}
