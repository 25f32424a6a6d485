//! Reads what published pages say that only people know, for the project file of the next sweep.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::published::pages_below;
use crate::check::page::{Page, facts_of};
use crate::model::{Fault, Place, Result};
use crate::render::ProjectFile;
use crate::rows::RowId;

/// One published page, as far as a project file cares.
struct Known {
    target: String,
    version: Option<String>,
    page: Page,
    facts: IndexMap<String, String>,
}

/// Reads product, version, title and facts back from the pages below a folder.
///
/// Facts that every page has in common become facts of the sweep, the others of their target. Rows that data knows and
/// judgements are left out: they would be stale in the next sweep.
///
/// # Errors
///
/// Fails when there is no page, when a page cannot be read, and when the pages are of several versions.
pub fn take_over(pages: &Path) -> Result<ProjectFile> {
    let known = pages_below(pages)?.iter().map(read).collect::<Result<Vec<_>>>()?;
    let known: Vec<Known> = known.into_iter().filter(|page| !page.page.rows.is_empty()).collect();
    let Some(first) = known.first() else {
        return Err(Fault::at(Place::file(pages), "expected published pages with a metric table, found none"));
    };
    if let Some(other) = known.iter().find(|page| page.version != first.version) {
        let name = |version: &Option<String>| version.clone().unwrap_or_else(|| "none".to_owned());
        return Err(Fault::at(
            Place::file(pages),
            format!("expected pages of one version, found `{}` and `{}`", name(&first.version), name(&other.version)),
        )
        .hint("name the folder of one version"));
    }
    let mut project = ProjectFile {
        product: product(&first.page),
        version: first.version.clone(),
        title: title(&known),
        k6_version: in_common(known.iter().map(|page| page.page.row(RowId::K6Version).map(|row| row.text.clone()))),
        ..ProjectFile::default()
    };
    for (label, value) in &first.facts {
        if known.iter().all(|page| page.facts.get(label) == Some(value)) {
            project.facts.insert(label.clone(), value.clone());
        }
    }
    for page in &known {
        let own = page.facts.iter().filter(|(label, _)| !project.facts.contains_key(*label));
        let own: IndexMap<String, String> = own.map(|(label, value)| (label.clone(), value.clone())).collect();
        let vus = page.page.row(RowId::Vus).and_then(|row| row.text.trim().parse().ok());
        project.targets.insert(page.target.clone(), (vus, own));
    }
    Ok(project)
}

fn read(path: &PathBuf) -> Result<Known> {
    let text = std::fs::read_to_string(path).map_err(|e| Fault::io(path, "read the page", e))?;
    let page = Page::read(&text, None);
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut folders = absolute.ancestors().skip(1).filter_map(|folder| folder.file_name());
    let mut folder = || folders.next().map(|name| name.to_string_lossy().into_owned());
    let (named_after, version) = (folder(), folder());
    let stated = page.row(RowId::ExecutedTest).map(|row| row.text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(Known {
        target: stated.or(named_after).unwrap_or_default(),
        version: version.filter(|name| name.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit())),
        facts: facts_of(&page),
        page,
    })
}

/// The words before ` location` or ` Version` in the labels of the product's own rows.
fn product(page: &Page) -> Option<String> {
    let labels = [(RowId::ProductLocation, "location"), (RowId::ProductVersion, "Version")];
    labels.into_iter().find_map(|(id, word)| {
        let label = &page.row(id)?.label;
        let cut = label.len().checked_sub(word.len())?;
        let (name, rest) = label.split_at_checked(cut)?;
        rest.eq_ignore_ascii_case(word).then(|| name.trim().to_owned()).filter(|name| !name.is_empty())
    })
}

/// The pattern most titles follow, when more than half of them follow one.
fn title(known: &[Known]) -> Option<String> {
    let mut patterns: BTreeMap<String, usize> = BTreeMap::new();
    for page in known {
        if let Some((title, _)) = page.page.front_matter.get("title") {
            let words = page.target.replace('_', " ");
            let mut pattern = title.replace(&words, "{words}");
            if let Some(version) = &page.version {
                pattern = pattern.replace(version.as_str(), "{version}");
            }
            *patterns.entry(pattern).or_default() += 1;
        }
    }
    let (pattern, count) = patterns.into_iter().max_by_key(|(_, count)| *count)?;
    (2 * count > known.len() && pattern.contains("{words}")).then_some(pattern)
}

fn in_common(mut texts: impl Iterator<Item = Option<String>>) -> Option<String> {
    let first = texts.next()??;
    texts.all(|text| text.as_ref() == Some(&first)).then_some(first)
}
