//! Front matter fields.

use std::ops::Range;

use super::text::{line_end, line_of};
use super::{Fate, PieceKind, Sides, State, Texts, Work, decide, same};
use crate::notation::front_matter::{FrontMatter, read, scalar};

pub(super) fn merge(sides: &Sides<'_>, work: &mut Work) {
    let front = read(sides.page);
    for (name, new) in &sides.new.front_matter {
        let base = sides.base.map(|base| base.front_matter.get(name).map_or("", String::as_str));
        match field(sides.page, &front, name) {
            Some((value, range)) => {
                let texts = Texts { ours: Some(&value), base, new: Some(new) };
                present(sides, name, new, texts, range, work);
            }
            None => absent(sides, name, new, base, front.length > 0, work),
        }
    }
}

fn present(sides: &Sides<'_>, name: &str, new: &str, texts: Texts<'_>, range: Range<usize>, work: &mut Work) {
    let at = Some(range.start);
    let ours = texts.ours.unwrap_or_default();
    match decide(texts.base, ours, new, same::line, sides.forced.piece(name)) {
        Fate::Same => {}
        Fate::Keep(state) => work.note(PieceKind::FrontMatter, name, state, at, texts),
        Fate::Replace(state) => {
            // `title:` with nothing behind it
            let needs_blank = sides.page.get(..range.start).is_some_and(|before| before.ends_with(':'));
            work.edits.replace(range, format!("{}{}", if needs_blank { " " } else { "" }, scalar(new)));
            work.note(PieceKind::FrontMatter, name, state, at, texts);
        }
    }
}

/// A field the page never had is a new one and goes in first; without front matter there is nowhere to put it.
fn absent(sides: &Sides<'_>, name: &str, new: &str, base: Option<&str>, has_front: bool, work: &mut Work) {
    let texts = Texts { ours: None, base, new: Some(new) };
    let forced = sides.forced.piece(name);
    if !has_front || !forced && base != Some("") {
        return work.note(PieceKind::FrontMatter, name, State::Removed, None, texts);
    }
    let at = line_of(sides.page, 0).end;
    work.edits.replace(at..at, format!("{name}: {}{}", scalar(new), line_end(sides.page)));
    let state = if forced { State::Forced } else { State::Added };
    work.note(PieceKind::FrontMatter, name, state, Some(at), texts);
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
