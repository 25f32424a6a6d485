//! Published pages as readers will see them, with what is to be said of them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::checking::{CheckInput, Checked, check, named};
use super::published::pages_below;
use super::summary::{SummaryInput, summary};
use super::sweep_text::line;
use crate::check::{Chart, Judgement, Severity, Subject};
use crate::config::Config;
use crate::ingest::source::Meter;
use crate::model::{ChartRow, Evidence, Fault, Place, Result, Scope, SweepLine};
use crate::render::picture::{self, FILE_NAME, SweepRun};
use crate::render::preview::{
    IndexEntry, Links, PreviewPage, Remark, Weight, edited_rows, preview_index, preview_page,
};
use crate::render::summary_notes;

/// Folder of the pages within a preview: none of them can be taken for the index.
const PAGES: &str = "pages";
const SWEEP_PICTURE: &str = "sweep.svg";

/// A preview: files of one folder, which work wherever it lies.
#[derive(Debug, Clone, Default)]
pub struct Preview {
    /// Path below the folder, with `/`, and content.
    pub files: Vec<(String, String)>,
}

/// One page with everything that goes into its HTML.
struct Prepared {
    file: String,
    text: String,
    target: String,
    version: Option<String>,
    link: String,
    picture: Option<String>,
    line: SweepLine,
    evidence: Evidence,
    chart: Vec<ChartRow>,
    remarks: Vec<Remark>,
    edited: Vec<(u64, String)>,
}

impl Prepared {
    /// False for a page of which another version is known.
    fn is_of(&self, version: &str) -> bool {
        self.version.as_deref().is_none_or(|own| own == version)
    }
}

/// Renders the pages below a folder, or one page, with the findings of [`check`] and an index.
///
/// # Errors
///
/// As [`check`]. A page that cannot be read as text is shown as far as it can be.
pub fn preview(pages: &Path, config: Option<&Config>, meter: &Meter) -> Result<Preview> {
    let given = [pages.to_path_buf()];
    let checked = check(&CheckInput { pages: &given, evidence: None, against: None, table: None, config }, meter)?;
    let root = if pages.is_dir() { pages } else { pages.parent().unwrap_or(Path::new("")) };
    let mut prepared = Vec::new();
    let paths = pages_below(pages)?;
    for path in &paths {
        let link = format!("{PAGES}/{}", named(&html_name(path.strip_prefix(root).unwrap_or(path), path, &paths)));
        prepared.push(prepare(path, link, root, &checked, config)?);
    }
    if prepared.is_empty() {
        return Err(Fault::at(Place::file(pages), "expected pages, found none")
            .hint("pages end in `.mdx` or `.md`; names that begin with `_` are templates and partials"));
    }
    // the fastest first, as the index has them
    prepared.sort_by(|a, b| a.version.cmp(&b.version).then(rate(b).total_cmp(&rate(a))).then(a.target.cmp(&b.target)));
    let links = prepared.iter().map(|page| (page.file.clone(), page.link.clone())).collect();
    let mut files: Vec<(String, String)> = prepared.iter().flat_map(|page| page_files(page, &links)).collect();
    let input = SummaryInput { path: pages, version: None, scope: Scope::Run, config };
    // pages of several versions, or of none, have no summary
    let notes = summary(&input, meter).map(|sweep| summary_notes(&sweep.table)).unwrap_or_default();
    files.extend(index_files(&title(pages, config, &prepared), &prepared, &notes));
    Ok(Preview { files })
}

/// The name of a page's HTML file: of pages that differ in their extensions only, each keeps its own.
fn html_name(below: &Path, path: &Path, all: &[PathBuf]) -> PathBuf {
    let of_same_name = |other: &&PathBuf| other.with_extension("") == path.with_extension("");
    match all.iter().filter(of_same_name).count() > 1 {
        true => PathBuf::from(format!("{}.html", below.display())),
        false => below.with_extension("html"),
    }
}

fn prepare(path: &Path, link: String, root: &Path, checked: &Checked, config: Option<&Config>) -> Result<Prepared> {
    let file = named(path);
    let bytes = std::fs::read(path).map_err(|e| Fault::io(path, "read", e))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let subject = checked.subjects.iter().find(|subject| subject.file == file);
    let evidence = subject.map(|subject| subject.truth.evidence.clone()).unwrap_or_default();
    let chart = subject.map(chart_rows).unwrap_or_default();
    let target = subject.and_then(|subject| subject.target.clone()).unwrap_or_else(|| evidence.target.clone());
    let product = config.map(|config| config.product.as_str());
    let target = if target.is_empty() { stem(path) } else { target };
    Ok(Prepared {
        link,
        picture: picture::latency(&evidence, &chart),
        remarks: checked
            .judgements
            .iter()
            .filter(|(of, j)| *of == file && j.is_finding())
            .map(|(_, j)| remark(j, root, &checked.subjects))
            .collect(),
        edited: evidence.generated.as_ref().map(|written| edited_rows(&text, written, product)).unwrap_or_default(),
        version: subject.and_then(|subject| subject.version.clone()),
        file: below(&file, root).to_owned(),
        line: subject.map(|subject| line(subject, Scope::Run)).unwrap_or_default(),
        text,
        target,
        evidence,
        chart,
    })
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn chart_rows(subject: &Subject) -> Vec<ChartRow> {
    match &subject.chart {
        Chart::Rows(rows) => rows.clone(),
        _ => Vec::new(),
    }
}

/// A finding as a note beside its words, which therefore says neither row nor words again.
fn remark(judgement: &Judgement, root: &Path, subjects: &[Subject]) -> Remark {
    let Judgement { line, column, row, claim, stated, data, source, explanation, severity, .. } = judgement;
    let said = match (data, source) {
        (Some(data), Some(source)) => format!("{source} says {data}; "),
        (Some(data), None) => format!("the data says {data}; "),
        _ => String::new(),
    };
    let weight = match severity {
        Some(Severity::Error) => Weight::Error,
        Some(Severity::Warning) => Weight::Warning,
        Some(Severity::Note) | None => Weight::Note,
    };
    let about = if stated.is_empty() { format!("{row}, ") } else { String::new() };
    let text = short(
        format!("{about}{claim}: {said}{explanation}"),
        root,
        subjects.iter().map(|subject| subject.file.as_str()),
    );
    Remark { line: *line, column: *column, stated: stated.clone(), weight, text }
}

/// A text that names pages by their paths within the folder that is shown: where it lies on a machine concerns no reader.
///
/// Whole names only: the folder's own may be a word of the data, as in `GET /v4/users`.
fn short<'a>(text: String, root: &Path, pages: impl Iterator<Item = &'a str>) -> String {
    if !text.contains(&named(root)) {
        return text;
    }
    pages.fold(text, |text, page| text.replace(page, below(page, root)))
}

/// The path of a page within the folder that is shown.
fn below<'a>(file: &'a str, root: &Path) -> &'a str {
    Path::new(file).strip_prefix(root).ok().and_then(Path::to_str).unwrap_or(file)
}

/// HTML files by the pages they show.
type LinksByPage = BTreeMap<String, String>;

fn page_files(page: &Prepared, links: &LinksByPage) -> Vec<(String, String)> {
    let up = "../".repeat(page.link.matches('/').count());
    let picture = picture_path(page);
    let name = picture.rsplit('/').next().unwrap_or_default().to_owned();
    let html = preview_page(&PreviewPage {
        file: &page.file,
        text: &page.text,
        target: &page.target,
        picture: page.picture.as_ref().map(|_| name.as_str()),
        remarks: &page.remarks,
        edited: &page.edited,
        links: Links { page: &page.file, up: &up, pages: Some(links) },
    });
    let svg = page.picture.as_ref().map(|svg| (picture, svg.clone()));
    std::iter::once((page.link.clone(), html)).chain(svg).collect()
}

/// Where a page's picture lies: several pages of one folder have one each.
fn picture_path(page: &Prepared) -> String {
    let (folder, name) = page.link.rsplit_once('/').unwrap_or_default();
    match name {
        "index.html" => format!("{folder}/{FILE_NAME}"),
        _ => format!("{folder}/{}.{FILE_NAME}", name.trim_end_matches(".html")),
    }
}

fn index_files(title: &str, pages: &[Prepared], notes: &str) -> Vec<(String, String)> {
    let mut of_name: HashMap<_, usize> = HashMap::new();
    pages.iter().for_each(|page| *of_name.entry((&page.target, &page.version)).or_default() += 1);
    let is_one_of_several = |page: &Prepared| of_name.get(&(&page.target, &page.version)).is_some_and(|n| *n > 1);
    let entries: Vec<IndexEntry<'_>> = pages.iter().map(|page| entry(page, is_one_of_several(page))).collect();
    let one_version = pages.windows(2).all(|pair| matches!(pair, [a, b] if a.version == b.version));
    let runs: Vec<SweepRun<'_>> =
        pages.iter().map(|page| SweepRun { evidence: &page.evidence, chart: &page.chart }).collect();
    let picture = if one_version && pages.len() > 1 { picture::sweep(title, &runs) } else { None };
    let index = preview_index(title, &entries, notes, picture.as_ref().map(|_| SWEEP_PICTURE));
    let picture = picture.map(|svg| (SWEEP_PICTURE.to_owned(), svg));
    std::iter::once(("index.html".to_owned(), index)).chain(picture).collect()
}

/// Iterations per second; those of which it is not known come last.
fn rate(page: &Prepared) -> f64 {
    page.line.iterations_per_second.unwrap_or(-1.0)
}

fn entry(page: &Prepared, is_one_of_several: bool) -> IndexEntry<'_> {
    IndexEntry {
        link: &page.link,
        name: &page.target,
        version: page.version.as_deref(),
        file: is_one_of_several.then_some(page.file.as_str()),
        line: &page.line,
        remarks: &page.remarks,
        edited: page.edited.len(),
    }
}

/// The product, with its version where all pages are of that one; without a project file the folder's name.
fn title(folder: &Path, config: Option<&Config>, pages: &[Prepared]) -> String {
    match config {
        Some(Config { product, version, .. }) if pages.iter().all(|page| page.is_of(version)) => {
            format!("{product} {version}")
        }
        Some(config) => config.product.clone(),
        None => {
            let absolute = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
            absolute.file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_lose_the_path_of_their_folder() {
        let said = |text: &str, root: &str, page| short(text.to_owned(), Path::new(root), [page].into_iter());
        let page = "v4/search/index.mdx";
        assert_eq!(said("v4/search/index.mdx says GET /v4/users", "v4", page), "search/index.mdx says GET /v4/users");
        assert_eq!(said("v4/search/index.mdx, line 3", "v4/", page), "search/index.mdx, line 3");
        assert_eq!(said("on v4/users", "v4", page), "on v4/users");
        assert_eq!(said("/data/v4/a.mdx", "/data/v4", "/data/v4/a.mdx"), "a.mdx");
        assert_eq!(said("./a.mdx, ./b", ".", "./a.mdx"), "a.mdx, ./b");
    }
}
