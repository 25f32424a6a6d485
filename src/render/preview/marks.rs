//! Which characters of a page a remark is about.

use super::{Remark, Weight};

/// The remarks of a page with the bytes where their words begin.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    remarks: &'a [Remark],
    /// Byte of the page and characters still to be marked, by remark.
    open: Vec<(usize, usize)>,
    /// True once a remark's words have been found.
    found: Vec<bool>,
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
        let open = remarks.iter().map(|remark| start(remark).unwrap_or((usize::MAX, 0))).collect();
        Marks { remarks, open, found: vec![false; remarks.len()] }
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
        let mut best: Option<usize> = None;
        for (index, (start, left)) in self.open.iter_mut().enumerate() {
            if *start > at || *left == 0 {
                continue;
            }
            *left -= 1;
            let weight = |i: usize| self.remarks.get(i).map(|remark| remark.weight);
            if best.is_none_or(|best| weight(best) < weight(index)) {
                best = Some(index);
            }
        }
        best
    }

    /// Ends every mark under way: words do not go on in the next cell or block.
    pub(super) fn close_before(&mut self, at: usize) {
        self.open.iter_mut().filter(|(start, _)| *start < at).for_each(|(_, left)| *left = 0);
    }

    /// The remarks of some lines, with their numbers.
    pub(super) fn of_lines(&self, lines: std::ops::RangeInclusive<u64>) -> Vec<(usize, &'a Remark)> {
        self.remarks.iter().enumerate().filter(|(_, remark)| lines.contains(&remark.line)).collect()
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
