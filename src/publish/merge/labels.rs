//! The pieces a user asked to have overwritten.

use std::collections::BTreeSet;

use crate::model::{Fault, Generated, Result};
use crate::render::RenderedPage;
use crate::rows::Labels;

/// Pieces that are overwritten whoever wrote them.
#[derive(Debug, Clone, Default)]
pub struct Forced {
    /// As given.
    labels: Vec<String>,
}

/// Largest edit distance of a label that is suggested for an unknown one.
const NEAR: usize = 4;

/// Reads the labels of `--force-row` for these pages: rows under any of their names, sections, front matter fields.
///
/// # Errors
///
/// Fails on a label that none of the pages has, with those that are near it.
pub fn forced<'a>(
    labels: &[String],
    product: &str,
    pages: impl IntoIterator<Item = (&'a RenderedPage, Option<&'a Generated>)>,
) -> Result<Forced> {
    let (mut names, mut found) = (BTreeSet::new(), BTreeSet::new());
    for (new, base) in pages {
        let known = Labels::new(product, base.iter().flat_map(|base| &base.labels).chain(&new.labels));
        let rows: BTreeSet<&String> = new.rows.keys().chain(base.iter().flat_map(|base| base.rows.keys())).collect();
        let pieces: Vec<&String> = new.sections.keys().chain(new.front_matter.keys()).collect();
        let is_here = |label: &&String| {
            let key = known.key(label);
            rows.iter().any(|row| known.key(row) == key) || pieces.iter().any(|p| p.eq_ignore_ascii_case(label.trim()))
        };
        found.extend(labels.iter().filter(is_here));
        names.extend(rows.into_iter().chain(pieces));
    }
    match labels.iter().find(|label| !found.contains(label)) {
        None => Ok(Forced { labels: labels.to_vec() }),
        Some(label) => {
            Err(Fault::new(format!("`--force-row {label}`: no page has such a row")).hint(near(label, &names)))
        }
    }
}

fn near(label: &str, names: &BTreeSet<&String>) -> String {
    let label = label.trim().to_lowercase();
    let is_near = |name: &&&String| {
        let name = name.to_lowercase();
        strsim::osa_distance(&name, &label) <= NEAR || name.contains(&label)
    };
    let near: Vec<String> = names.iter().filter(is_near).map(|name| format!("`{name}`")).collect();
    let all = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if near.is_empty() { format!("there are {}", all()) } else { format!("did you mean {}?", near.join(" or ")) }
}

impl Forced {
    /// True for a row that was asked for under any of its names.
    pub(super) fn row(&self, key: &str, labels: &Labels<'_>) -> bool {
        self.labels.iter().any(|label| labels.key(label) == key)
    }

    /// True for a section or front matter field that was asked for.
    pub(super) fn piece(&self, name: &str) -> bool {
        self.labels.iter().any(|label| label.trim().eq_ignore_ascii_case(name))
    }
}
