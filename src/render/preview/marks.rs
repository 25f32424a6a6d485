//! Which characters of a page a remark is about.

use std::collections::BTreeMap;

use super::{Remark, Weight};

/// The remarks of a page with the bytes where their words begin.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    remarks: &'a [Remark],
    /// Numbers of the remarks on each line.
    by_line: BTreeMap<u64, Vec<usize>>,
    /// Remarks whose words are still to come, the next one last: the byte where they begin and how many characters they have.
    ahead: Vec<Words>,
    /// Those whose words are under way, with the characters still to be marked.
    open: Vec<Words>,
    /// True once a remark's words have been found.
    found: Vec<bool>,
}

/// The words of a remark.
#[derive(Debug, Clone, Copy)]
struct Words {
    /// The number of the remark.
    index: usize,
    start: usize,
    left: usize,
}

/// A stretch of text under at most one mark.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The text.
    pub text: String,
    /// The remark it is marked for, and whether this is the first piece of it.
    pub mark: Option<(usize, bool)>,
}

impl<'a> Marks<'a> {
    /// Looks up where the words of each remark begin.
    pub(super) fn of(page: &str, remarks: &'a [Remark]) -> Self {
        let lines: Vec<usize> =
            std::iter::once(0).chain(page.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
        let start = |remark: &Remark| {
            let line = lines.get(usize::try_from(remark.line).ok()?.checked_sub(1)?)?;
            let column = usize::try_from(remark.column).ok()?.checked_sub(1)?;
            let within = page.get(*line..)?.char_indices().nth(column).map(|(at, _)| at)?;
            Some((line + within, remark.stated.chars().count()))
        };
        let words = |(index, remark)| start(remark).map(|(start, left)| Words { index, start, left });
        let mut ahead: Vec<Words> =
            remarks.iter().enumerate().filter_map(words).filter(|words| words.left > 0).collect();
        ahead.sort_by_key(|words| std::cmp::Reverse((words.start, words.index)));
        let mut by_line: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        remarks.iter().enumerate().for_each(|(index, remark)| by_line.entry(remark.line).or_default().push(index));
        Marks { remarks, by_line, ahead, open: Vec::new(), found: vec![false; remarks.len()] }
    }

    /// Cuts a text that stands at a byte of the page into pieces.
    pub(super) fn cut(&mut self, text: &str, at: usize) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut at = at;
        for c in text.chars() {
            let mark = self.mark_at(at);
            let mark = mark.map(|index| {
                let first = self.found.get_mut(index).is_some_and(|found| !std::mem::replace(found, true));
                (index, first)
            });
            let same = |piece: &&mut Piece| piece.mark.map(|m| m.0) == mark.map(|m| m.0);
            match pieces.last_mut().filter(same) {
                Some(piece) => piece.text.push(c),
                None => pieces.push(Piece { text: c.to_string(), mark }),
            }
            at += c.len_utf8();
        }
        pieces
    }

    /// Counts a line break as the one character it is in the words of a remark.
    pub(super) fn line_break(&mut self, at: usize) {
        self.mark_at(at);
    }

    /// The remark whose words are under way at a byte: of several the weightiest.
    fn mark_at(&mut self, at: usize) -> Option<usize> {
        while let Some(words) = self.ahead.pop_if(|words| words.start <= at) {
            self.open.push(words);
        }
        let weight = |words: &Words| self.remarks.get(words.index).map(|remark| remark.weight);
        let best = self.open.iter().rev().max_by_key(|words| weight(words)).map(|words| words.index);
        self.open.iter_mut().for_each(|words| words.left -= 1);
        self.open.retain(|words| words.left > 0);
        best
    }

    /// Ends every mark under way: words do not go on in the next cell or block.
    pub(super) fn close_before(&mut self, at: usize) {
        self.open.retain(|words| words.start >= at);
        while self.ahead.pop_if(|words| words.start < at).is_some() {}
    }

    /// The remarks of some lines, with their numbers.
    pub(super) fn of_lines(&self, lines: std::ops::RangeInclusive<u64>) -> Vec<(usize, &'a Remark)> {
        let numbers = self.by_line.range(lines).flat_map(|(_, numbers)| numbers);
        numbers.filter_map(|index| Some((*index, self.remarks.get(*index)?))).collect()
    }

    /// True when a remark's words have been marked.
    pub(super) fn is_marked(&self, index: usize) -> bool {
        self.found.get(index).copied().unwrap_or_default()
    }

    /// Weight of a remark.
    pub(super) fn weight(&self, index: usize) -> Weight {
        self.remarks.get(index).map_or(Weight::Note, |remark| remark.weight)
    }
}
