//! Every page of a sweep as it will stand: rendered, and merged with what people wrote.

use std::path::{Path, PathBuf};

use crate::check::{Judgement, Severity};
use crate::config::{Config, PageKind};
use crate::model::{Fault, Generated, Place, Result, Warning};
use crate::pipeline::{Draft, PageFiles, Reduced, RenderedRun, RunFolder, Site, recheck};
use crate::publish::merge::{Forced, Merged, State, forced};
use crate::publish::{Meeting, fingerprint, reconcile, remembered};
use crate::render::picture;

/// One run, rendered, and what stands where its page goes.
struct Rendered {
    target: String,
    files: PageFiles,
    run: RenderedRun,
    existing: Option<String>,
    base: Option<Generated>,
    /// True when a picture of an earlier run stands there and none of this one takes its place.
    stale_picture: bool,
}

/// One run on its way to its page.
pub(in crate::cli) struct Published {
    pub target: String,
    pub files: PageFiles,
    pub run: RenderedRun,
    pub existing: Option<String>,
    pub merged: Merged,
    /// What people wrote on the page and the data does not bear out.
    pub findings: Vec<Judgement>,
    pub warnings: Vec<Warning>,
    pub ignored: Vec<(PathBuf, String)>,
    /// The picture beside the page, drawn by the program of an earlier run, where nothing can be drawn of this one.
    pub stale_picture: Option<Stale>,
}

/// What becomes of a picture that is no longer the run's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Stale {
    /// Nothing shows it: it goes.
    Unused,
    /// The page shows it: without it a site might not build.
    Shown,
}

/// Renders every page, then merges each with what stands there: labels to force are judged by all pages together.
///
/// # Errors
///
/// Fails when a page cannot be rendered, when what stands there cannot be read, and on a label to force that names nothing.
pub(in crate::cli) fn prepare(
    force_rows: &[String],
    folders: &[RunFolder],
    reduced: Vec<Reduced>,
    config: &Config,
    site: &Site<'_>,
) -> Result<Vec<Published>> {
    let rendered =
        folders.iter().zip(&reduced).map(|(folder, run)| render(folder, run, site)).collect::<Result<Vec<_>>>()?;
    let pages = rendered.iter().map(|page| (&page.run.page, page.base.as_ref()));
    let forced = forced(force_rows, &config.product, pages)?;
    Ok(rendered.into_iter().zip(reduced).map(|(page, reduced)| page.merge(reduced, &forced, config)).collect())
}

fn render(folder: &RunFolder, reduced: &Reduced, site: &Site<'_>) -> Result<Rendered> {
    let files = site.files(&folder.target)?;
    let run = site.render(&reduced.evidence, &reduced.chart, fingerprint)?;
    let existing = read(&files.page)?.map(|bytes| text(&files.page, bytes)).transpose()?;
    let base = read(&files.evidence)?.as_deref().and_then(remembered);
    let is_stale = |bytes: Vec<u8>| picture::is_latency(&String::from_utf8_lossy(&bytes));
    let stale_picture = run.picture.is_none() && read(&files.picture)?.is_some_and(is_stale);
    Ok(Rendered { target: folder.target.clone(), files, run, existing, base, stale_picture })
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Fault::io(path, "read", e)),
    }
}

fn text(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| {
        Fault::at(Place::file(path), "expected a page in UTF-8, found other bytes")
            .hint("save it as UTF-8, or move it out of the way to have it generated anew")
    })
}

impl Rendered {
    fn merge(self, reduced: Reduced, forced: &Forced, config: &Config) -> Published {
        let Rendered { target, files, run, existing, base, stale_picture } = self;
        let merged = reconcile(&Meeting {
            existing: existing.as_deref(),
            new: &run.page,
            base: base.as_ref(),
            product: &config.product,
            forced,
            is_mdx: config.pages.kind() == PageKind::Mdx,
        });
        let Reduced { evidence, chart, ignored, .. } = reduced;
        let mut findings = Vec::new();
        if merged.text != run.page.text {
            let kept: Vec<u64> =
                merged.pieces.iter().filter(|p| p.state.is_a_persons()).filter_map(|p| p.line).collect();
            let draft = Draft { path: &files.page, text: &merged.text, generated: &run.page, kept: &kept };
            findings = recheck(&draft, &evidence, &chart, config);
            findings.retain(|judgement| judgement.severity >= Some(Severity::Warning));
        }
        let stale_picture = stale_picture.then(|| match merged.text.contains(picture::FILE_NAME) {
            true => Stale::Shown,
            false => Stale::Unused,
        });
        let warnings = evidence.warnings;
        Published { target, files, run, existing, merged, findings, warnings, ignored, stale_picture }
    }
}

impl Published {
    /// True when a person has to look at the page: something changed under their hands, or what they wrote does not hold.
    pub(super) fn needs_a_person(&self) -> bool {
        self.merged.pieces.iter().any(|piece| piece.state == State::Conflict)
            || self.findings.iter().any(|finding| finding.severity == Some(Severity::Error))
    }
}
