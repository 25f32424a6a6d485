use std::path::{Path, PathBuf};

use super::names::{Names, Pattern};
use super::table::Table;
use crate::model::Result;

/// Where pages go and how they are named.
#[derive(Debug, Clone)]
pub struct Pages {
    /// The output folder, resolved against the project file; `None` when `--out` has to say it.
    pub out: Option<PathBuf>,
    /// The page template, resolved against the project file; `None` for the built-in one.
    pub template: Option<PathBuf>,
    /// Path of a page below `out`.
    pub path: Pattern,
    /// Path of a second copy of the chart data, relative to `out`.
    pub mirror: Option<Pattern>,
    /// Path of the sidebar file, relative to `out`.
    pub sidebar: Option<PathBuf>,
    /// Title of a page.
    pub title: Pattern,
    /// First paragraph of a new page.
    pub intro: Pattern,
    /// True when pages show `latency.svg`.
    pub picture: bool,
    /// Path of the picture of all runs, relative to `out`.
    pub sweep_picture: Option<Pattern>,
}

/// What a page is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKind {
    /// MDX with an import and a chart component.
    Mdx,
    /// Plain Markdown.
    Markdown,
}

impl PageKind {
    /// Tells the kind from a page's file name; `None` for another extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "mdx" => Some(PageKind::Mdx),
            "md" => Some(PageKind::Markdown),
            _ => None,
        }
    }
}

impl Pages {
    pub(super) fn read(table: Option<&Table<'_, '_>>, folder: &Path) -> Result<Self> {
        let mut pages = Pages::default();
        let Some(table) = table else { return Ok(pages) };
        pages.out = table.text("out")?.map(|out| folder.join(out));
        pages.template = table.text("template")?.map(|template| folder.join(template));
        pages.mirror = table.pattern("mirror")?;
        pages.sidebar = table.text("sidebar")?.map(PathBuf::from);
        if let Some(path) = table.pattern("path")? {
            pages.path = path;
        }
        if let Some(title) = table.pattern("title")? {
            pages.title = title;
        }
        if let Some(intro) = table.pattern("intro")? {
            pages.intro = intro;
        }
        pages.picture = table.flag("picture")?.unwrap_or_default();
        pages.sweep_picture = table.pattern("sweep_picture")?;
        if let (Some(entry), Some(pattern)) = (table.get("sweep_picture"), &pages.sweep_picture)
            && (pattern.mentions("target") || pattern.mentions("words"))
        {
            return Err(entry.fault("expected one file for the whole sweep, found the name of a target in it"));
        }
        for (key, pattern) in [("path", Some(&pages.path)), ("mirror", pages.mirror.as_ref())] {
            if let (Some(entry), Some(pattern)) = (table.get(key), pattern)
                && !(pattern.mentions("target") || pattern.mentions("words"))
            {
                return Err(entry.fault("expected `{target}` in it, or every run would write the same file"));
            }
        }
        if let (Some(entry), None) = (table.get("path"), PageKind::of(&pages.path_for(&probe()))) {
            return Err(entry.fault("expected a page that ends in `.mdx` or `.md`"));
        }
        let folder = |target: &str| {
            let names = Names { target: target.to_owned(), words: target.to_owned(), ..probe() };
            pages.path_for(&names).parent().map(Path::to_path_buf)
        };
        if let (Some(entry), true) = (table.get("path"), folder("a") == folder("b")) {
            let message = "expected a folder for each target, such as `{version}/{target}/index.md`: chart data and evidence lie beside a page";
            return Err(entry.fault(message));
        }
        Ok(pages)
    }

    fn path_for(&self, names: &Names) -> PathBuf {
        PathBuf::from(self.path.fill(names))
    }

    /// Path of the target's page, given the output folder.
    pub fn page(&self, out: &Path, names: &Names) -> PathBuf {
        out.join(self.path_for(names))
    }

    /// Path of the second copy of the target's chart data, if one is asked for.
    pub fn mirror(&self, out: &Path, names: &Names) -> Option<PathBuf> {
        self.mirror.as_ref().map(|pattern| out.join(pattern.fill(names)))
    }

    /// Path of the picture of all runs, if one is asked for.
    pub fn sweep_picture(&self, out: &Path, names: &Names) -> Option<PathBuf> {
        self.sweep_picture.as_ref().map(|pattern| out.join(pattern.fill(names)))
    }

    /// The folders everything published lies below, given the output folder: those the project file itself names.
    pub fn roots(&self, out: &Path) -> Vec<PathBuf> {
        let below = |pattern: &Pattern| out.join(pattern.fixed_folder());
        let sidebar = self.sidebar(out).and_then(|path| path.parent().map(Path::to_path_buf));
        let further = [self.mirror.as_ref(), self.sweep_picture.as_ref()].into_iter().flatten();
        std::iter::once(&self.path).chain(further).map(below).chain(sidebar).collect()
    }

    /// Path of the sidebar file, if one is kept.
    pub fn sidebar(&self, out: &Path) -> Option<PathBuf> {
        self.sidebar.as_ref().map(|path| out.join(path))
    }

    /// What pages are written as.
    pub fn kind(&self) -> PageKind {
        PageKind::of(&self.path_for(&probe())).unwrap_or(PageKind::Mdx)
    }
}

/// Names that only serve to look at a pattern's own text.
fn probe() -> Names {
    let x = || "x".to_owned();
    Names { product: x(), version: x(), target: x(), words: x() }
}

impl Default for Pages {
    fn default() -> Self {
        // the texts are those of the reference, whose test reads them as patterns
        let pattern = |key| Pattern::parse(super::reference::default_of("pages", key)).unwrap_or_default();
        Pages {
            out: None,
            template: None,
            path: pattern("path"),
            mirror: None,
            sidebar: None,
            title: pattern("title"),
            intro: pattern("intro"),
            picture: false,
            sweep_picture: None,
        }
    }
}
