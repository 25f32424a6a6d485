//! Changed pages through the checking of the command.

use std::path::{Path, PathBuf};

use sweepdoc::check::{Judgement, Severity};
use sweepdoc::ingest::source::Meter;
use sweepdoc::pipeline::{CheckInput, check, pages_below};
use sweepdoc::rows::RowId;

use super::changes::{Change, changes};
use super::figures::{Figure, figures};
use super::rng::Rng;
use super::tally::Tally;
use super::undecidable::{Context, Data, undecidable};

/// Changes every page below a folder, one figure at a time; one change in `every` is tried.
///
/// # Errors
///
/// Fails when there are no pages and when files cannot be read or written.
pub fn of_folder(folder: &Path, every: u64) -> Result<Tally, String> {
    let mut pages: Vec<PathBuf> = pages_below(folder).map_err(|fault| fault.to_string())?;
    pages.sort();
    if pages.is_empty() {
        return Err(format!("{}: expected pages, found none", folder.display()));
    }
    let (even, odd): (Vec<_>, Vec<_>) = pages.iter().enumerate().partition(|(index, _)| index % 2 == 0);
    let half = |pages: Vec<(usize, &PathBuf)>| -> Result<Tally, String> {
        let mut tally = Tally::default();
        for (_, page) in pages {
            tally.add(of_page(page, every)?);
        }
        Ok(tally)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| half(odd));
        let mut tally = half(even)?;
        tally.add(other.join().map_err(|_| "a page made the checking panic".to_owned())??);
        Ok(tally)
    })
}

/// A page in a folder of its own that can be written over, with what lies beside it.
struct Stand {
    _folder: tempfile::TempDir,
    page: PathBuf,
}

impl Stand {
    fn of(page: &Path) -> std::io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let target = page.parent().unwrap_or(Path::new("."));
        let version = target.parent().and_then(Path::file_name).unwrap_or_default();
        let own = folder.path().join(version).join(target.file_name().unwrap_or_default());
        std::fs::create_dir_all(&own)?;
        for beside in ["output.json", "evidence.json"] {
            if target.join(beside).exists() {
                std::fs::copy(target.join(beside), own.join(beside))?;
            }
        }
        let page = own.join(page.file_name().unwrap_or_default());
        Ok(Stand { _folder: folder, page })
    }

    fn judged(&self, text: &str) -> Result<Vec<Judgement>, String> {
        std::fs::write(&self.page, text).map_err(|e| e.to_string())?;
        let input = CheckInput {
            pages: std::slice::from_ref(&self.page),
            evidence: None,
            against: None,
            table: None,
            config: None,
        };
        let checked = check(&input, &Meter::default()).map_err(|fault| fault.to_string())?;
        Ok(checked.judgements.into_iter().map(|(_, judgement)| judgement).collect())
    }
}

fn of_page(path: &Path, every: u64) -> Result<Tally, String> {
    let named = |e: String| format!("{}: {e}", path.display());
    let page = std::fs::read_to_string(path).map_err(|e| named(e.to_string()))?;
    let stand = Stand::of(path).map_err(|e| named(e.to_string()))?;
    let beside = |name: &str| stand.page.with_file_name(name).exists();
    let evidence = std::fs::read_to_string(stand.page.with_file_name("evidence.json")).unwrap_or_default();
    let data = Data {
        evidence: !evidence.is_empty(),
        chart: beside("output.json"),
        monitoring: evidence.contains("\n  \"observability\": {"),
    };
    let before = stand.judged(&page)?;
    let short = short_name(path);
    let mut tally = Tally { pages: 1, ..Tally::default() };
    tally.before = before.iter().filter(|j| is_reported(j)).map(|j| format!("{short}: {}", words(j))).collect();
    let figures = figures(&page);
    for change in changes(&page, &figures) {
        let Some(figure) = figures.get(change.figure) else { continue };
        if Rng::at(figure.range.start as u64 ^ change.way as u64).below(every) != 0 {
            continue;
        }
        let of_figure = before.iter().find(|j| covers(j, figure, &page));
        let context = context(&page, &change, figure, data, &before);
        if let Some(why) = undecidable(&context) {
            *tally.undecidable.entry(why).or_default() += 1;
            continue;
        }
        let found = stand
            .judged(&change.page)?
            .iter()
            .any(|j| is_reported(j) && is_about(j, figure) && !before.iter().any(|b| same(b, j)));
        let is_prose = is_prose(figure) && !before.iter().any(|j| j.line == figure.line && j.kind == "generated");
        tally.count(is_prose, of_figure.map_or("unread", |j| &j.kind), change.way, found);
        if !found {
            let (tail, head) = (last(context.before, 40), first(context.after, 30));
            tally.missed.push(format!("{short} `{}`: {tail}[{} -> {}]{head}", figure.label, change.was, change.is));
        }
    }
    Ok(tally)
}

fn context<'a>(page: &'a str, change: &'a Change, figure: &'a Figure, data: Data, before: &[Judgement]) -> Context<'a> {
    let line_start = page[..figure.range.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = page[figure.unit.end..].find('\n').map_or(page.len(), |at| figure.unit.end + at);
    let wrong = |j: &&Judgement| j.line == figure.line && j.row == figure.label && is_reported(j);
    // a row of one value is wrong as a whole; in prose it is the words that are
    let already_wrong = before.iter().filter(wrong).any(|j| !is_prose(figure) || covers(j, figure, page));
    Context {
        change,
        figure,
        page,
        before: &page[line_start..figure.range.start],
        after: &page[figure.unit.end..line_end],
        data,
        already_wrong,
    }
}

fn is_prose(figure: &Figure) -> bool {
    matches!(figure.id, Some(RowId::ObservedErrors | RowId::Outcome))
}

/// True on the figure's row. Start and end are one claim where only the time between them is known.
fn is_about(judgement: &Judgement, figure: &Figure) -> bool {
    let is_edge = matches!(figure.id, Some(RowId::TestStart | RowId::TestEnd));
    judgement.line == figure.line && judgement.row == figure.label || is_edge && judgement.kind == "span"
}

/// Errors and warnings; notes are no report.
fn is_reported(judgement: &Judgement) -> bool {
    judgement.severity >= Some(Severity::Warning)
}

/// True when the words a judgement is about hold the figure.
fn covers(judgement: &Judgement, figure: &Figure, page: &str) -> bool {
    let length = judgement.stated.chars().count() as u64;
    let own = page[figure.range.clone()].chars().count() as u64;
    judgement.line == figure.line
        && judgement.row == figure.label
        && judgement.column <= figure.column
        && figure.column + own <= judgement.column + length
}

/// True for one and the same complaint, wherever it now stands.
fn same(a: &Judgement, b: &Judgement) -> bool {
    (&a.row, &a.kind, &a.stated, &a.data, a.verdict) == (&b.row, &b.kind, &b.stated, &b.data, b.verdict)
}

fn words(judgement: &Judgement) -> String {
    let data = judgement.data.as_deref().unwrap_or_default();
    format!("{} `{}`: {}, data `{data}`", judgement.row, first(&judgement.stated, 60), judgement.kind)
}

fn short_name(page: &Path) -> String {
    let folders: Vec<_> = page.ancestors().skip(1).take(2).filter_map(Path::file_name).collect();
    folders.iter().rev().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn first(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn last(text: &str, most: usize) -> String {
    let skipped = text.chars().count().saturating_sub(most);
    text.chars().skip(skipped).collect()
}
