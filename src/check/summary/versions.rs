//! Which version of the pages a table or sentence is about, where pages of several are given.

use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Tag};
use regex::Regex;

use super::SweepPage;
use crate::notation::flow::Flow;

/// `v4`, `v4.17.1`, `4.17.1`.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bv\d+(?:[.+-]?\w+)*|\b\d+(?:\.\d+)+(?:[+-]\w+)*").expect("a constant"));
/// A comment such as those around a block that `summary` keeps.
static MARKER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"<!--[^>]*-->|\{/\*[^}]*\*/\}").expect("a constant"));

/// The versions of the pages and where a text names them.
pub(super) struct Versions<'a> {
    text: &'a str,
    /// Those of the pages, in their order.
    known: Vec<&'a str>,
    /// Headings and comments that name versions, in the order of the text.
    signs: Vec<Range<usize>>,
}

impl<'a> Versions<'a> {
    pub(super) fn of(text: &'a str, flow: &Flow, pages: &[SweepPage<'a>]) -> Self {
        let mut known: Vec<&str> = Vec::new();
        for version in pages.iter().filter_map(|page| page.version) {
            if !known.iter().any(|other| same(other, version)) {
                known.push(version);
            }
        }
        let headings = flow.events().filter(|(event, _)| matches!(event, Event::Start(Tag::Heading { .. })));
        let mut signs: Vec<Range<usize>> = headings.map(|(_, range)| range).collect();
        signs.extend(MARKER.find_iter(text).map(|found| found.range()));
        signs.sort_by_key(|range| range.start);
        let mut versions = Versions { text, known, signs };
        let naming: Vec<Range<usize>> =
            versions.signs.iter().filter(|range| versions.names_any((*range).clone())).cloned().collect();
        versions.signs = naming;
        versions
    }

    /// The version meant at a byte: that of the nearest heading or comment above which names one, else the only one of the
    /// pages that the text names; `None` when that does not tell.
    pub(super) fn at(&self, at: usize) -> Option<&'a str> {
        let above = self.signs.iter().rev().find(|sign| sign.end <= at).cloned();
        let mut named = self.known_in(above.unwrap_or(0..self.text.len())).into_iter();
        named.next().filter(|_| named.next().is_none())
    }

    /// The versions in words.
    pub(super) fn listed(&self) -> String {
        self.known.join(", ")
    }

    /// A number with a point may be any figure: then it has to be the version of a page.
    fn names_any(&self, range: Range<usize>) -> bool {
        let text = self.text.get(range.clone()).unwrap_or_default();
        VERSION.find_iter(text).any(|found| found.as_str().starts_with(['v', 'V'])) || !self.known_in(range).is_empty()
    }

    fn known_in(&self, range: Range<usize>) -> Vec<&'a str> {
        let text = self.text.get(range).unwrap_or_default();
        let named: Vec<&str> = VERSION.find_iter(text).map(|found| found.as_str()).collect();
        self.known.iter().filter(|known| named.iter().any(|named| same(named, known))).copied().collect()
    }
}

/// True for the same version, with or without its `v`.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.trim_start_matches(['v', 'V']).eq_ignore_ascii_case(other.trim_start_matches(['v', 'V']))
}
