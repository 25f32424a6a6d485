//! An existing page and a newly rendered one: what will stand there.

use serde_json::Value;

use super::merge::{Forced, Merged, Piece, PieceKind, Sides, State, merge};
use crate::model::Generated;
use crate::render::{RenderedPage, mdx};

/// A page that is about to be written, or to stay.
#[derive(Debug, Clone, Copy)]
pub struct Meeting<'a> {
    /// The page on disk; `None` when there is none.
    pub existing: Option<&'a str>,
    /// What is generated now.
    pub new: &'a RenderedPage,
    /// What was generated before, if anything remembers that.
    pub base: Option<&'a Generated>,
    /// The product's name.
    pub product: &'a str,
    /// Pieces to overwrite.
    pub forced: &'a Forced,
    /// Whether the page has to compile as MDX.
    pub is_mdx: bool,
}

/// Decides what a page will say.
///
/// A page that is byte for byte what was generated before becomes what is generated now, template and all; any other is
/// merged piece by piece, and without evidence of what was generated whatever differs counts as a person's work. A merge that
/// would break a sound page is not made: the page stays, as a conflict.
pub fn reconcile(meeting: &Meeting<'_>) -> Merged {
    let Meeting { existing, new, base, product, forced, is_mdx } = *meeting;
    let Some(page) = existing.filter(|page| *page != new.text) else {
        return Merged { text: new.text.clone(), ..Merged::default() };
    };
    if base.is_some_and(|base| base.page == fingerprint(page.as_bytes())) {
        return Merged { text: new.text.clone(), ..Merged::default() };
    }
    let merged = merge(&Sides { page, base, new, product, forced });
    match is_mdx.then(|| broken(page, &merged.text)).flatten() {
        None => merged,
        Some(problem) => {
            let piece = Piece {
                kind: PieceKind::Page,
                name: problem,
                state: State::Conflict,
                line: None,
                page: None,
                before: None,
                generated: None,
            };
            Merged { text: page.to_owned(), pieces: vec![piece], ..merged }
        }
    }
}

/// What keeps the merged page from compiling and did not keep the page.
fn broken(page: &str, merged: &str) -> Option<String> {
    let problems = if page == merged { Vec::new() } else { mdx::problems(merged) };
    let before: Vec<String> = if problems.is_empty() { Vec::new() } else { messages(page) };
    problems.into_iter().map(|problem| problem.message).find(|message| !before.contains(message))
}

fn messages(page: &str) -> Vec<String> {
    mdx::problems(page).into_iter().map(|problem| problem.message).collect()
}

/// Fingerprint of a page's bytes, kept in the evidence as `generated.page`.
pub fn fingerprint(bytes: &[u8]) -> String {
    format!("xxh3:{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}

/// What an `evidence.json` remembers of its page; `None` when it remembers nothing or cannot be read, which makes the page a
/// person's.
///
/// Only this part is read: evidence of an older version serves as well.
pub fn remembered(evidence: &[u8]) -> Option<Generated> {
    let mut value: Value = serde_json::from_slice(evidence).ok()?;
    serde_json::from_value(value.get_mut("generated")?.take()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reconciled(existing: Option<&str>, new: &str, base: Option<&str>) -> Merged {
        let new = RenderedPage { text: new.to_owned(), ..RenderedPage::default() };
        let base = base.map(|page| Generated { page: fingerprint(page.as_bytes()), ..Generated::default() });
        let (base, forced) = (base.as_ref(), Forced::default());
        reconcile(&Meeting { existing, new: &new, base, product: "Shop", forced: &forced, is_mdx: true })
    }

    #[test]
    fn a_page_nobody_touched_becomes_what_is_generated_whole() {
        for (existing, base) in [(None, None), (Some("new"), None), (Some("old"), Some("old"))] {
            assert_eq!(reconciled(existing, "new", base).text, "new");
        }
    }

    #[test]
    fn any_other_page_is_not_replaced() {
        assert_eq!(reconciled(Some("old "), "new", Some("old")).text, "old ");
        assert_eq!(reconciled(Some("old"), "new", None).text, "old");
    }

    #[test]
    fn a_merge_that_would_break_a_sound_page_is_a_conflict() {
        let row = |value: &str| format!("| a | b |\n|---|---|\n| VUs | {value} |\n");
        let page = |text: String| {
            let rows = indexmap::IndexMap::from([("VUs".to_owned(), "x".to_owned())]);
            RenderedPage { text, rows, ..RenderedPage::default() }
        };
        let base = Generated { rows: [("VUs".to_owned(), "200".to_owned())].into(), ..Generated::default() };
        let (new, existing, forced) = (page(row("{x")), row("200"), Forced::default());
        let meeting = Meeting {
            existing: Some(&existing),
            new: &new,
            base: Some(&base),
            product: "Shop",
            forced: &forced,
            is_mdx: true,
        };
        let merged = reconcile(&meeting);
        assert_eq!(merged.text, existing);
        assert_eq!(merged.pieces[0].state, State::Conflict);
        assert_eq!(reconcile(&Meeting { is_mdx: false, ..meeting }).text, row("{x"));
    }

    #[test]
    fn evidence_without_a_page_remembers_nothing() {
        assert_eq!(remembered(b"{}"), None);
        assert_eq!(remembered(b"not json"), None);
        let generated = remembered(br#"{"schema":"older","generated":{"by":"x","page":"xxh3:1","rows":{"VUs":"1"}}}"#);
        assert_eq!(generated.map(|g| (g.page, g.rows.len())), Some(("xxh3:1".to_owned(), 1)));
    }
}
