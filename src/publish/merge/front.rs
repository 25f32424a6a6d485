//! Front matter fields.

use std::ops::Range;

use super::text::line_of;
use super::{Fate, PieceKind, Sides, State, Texts, Work, decide, same};
use crate::notation::front_matter::{FrontMatter, read, scalar};

pub(super) fn merge(sides: &Sides<'_>, work: &mut Work) {
    let front = read(sides.page);
    for (name, new) in &sides.new.front_matter {
        let base = sides.base.map(|base| base.front_matter.get(name).map_or("", String::as_str));
        let forced = sides.forced.piece(name);
        let texts = Texts { ours: None, base, new: Some(new) };
        match field(sides.page, &front, name) {
            Some((value, range)) => {
                let texts = Texts { ours: Some(&value), ..texts };
                let at = Some(range.start);
                match decide(base, &value, new, same::line, forced) {
                    Fate::Same => {}
                    Fate::Keep(state) => work.note(PieceKind::FrontMatter, name, state, at, texts),
                    Fate::Replace(state) => {
                        let blank =
                            if range.is_empty() && sides.page.get(..range.start).is_some_and(|s| s.ends_with(':')) {
                                " "
                            } else {
                                ""
                            };
                        work.edits.replace(range, format!("{blank}{}", scalar(new)));
                        work.note(PieceKind::FrontMatter, name, state, at, texts);
                    }
                }
            }
            // a field the page never had is a new one; without front matter there is nowhere to put it
            None if front.length > 0 && (forced || base == Some("")) => {
                let first = line_of(sides.page, 0);
                let line_end = sides.page.get(first.clone()).map_or("\n", super::text::line_end);
                work.edits.replace(first.end..first.end, format!("{name}: {}{line_end}", scalar(new)));
                let state = if forced { State::Forced } else { State::Added };
                work.note(PieceKind::FrontMatter, name, state, Some(first.end), texts);
            }
            None => work.note(PieceKind::FrontMatter, name, State::Removed, None, texts),
        }
    }
}

/// A field's value and where it stands, quotes included.
fn field(page: &str, front: &FrontMatter, name: &str) -> Option<(String, Range<usize>)> {
    let (value, line) = front.fields.get(name)?;
    let before = usize::try_from(*line).ok()?.checked_sub(1)?;
    let start: usize = page.split_inclusive('\n').take(before).map(str::len).sum();
    let text = page.get(line_of(page, start))?;
    let colon = text.find(':')? + 1;
    let raw = text.get(colon..)?;
    let from = start + colon + (raw.len() - raw.trim_start_matches([' ', '\t']).len());
    let length = page.get(from..start + text.len())?.trim_end().len();
    Some((value.clone(), from..from + length))
}
