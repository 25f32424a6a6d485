//! Three-way merge of a page: what was last generated, what stands there, what is generated now.
//!
//! Only generated pieces are looked at: cells of the metric table, sections, front matter fields. A piece nobody touched is
//! replaced where it stands; one a person touched stays. Every byte outside such a piece is left as it is, whoever wrote it
//! and however a formatter laid it out. One file for each kind of piece; the rule itself is `decide`.

mod front;
mod labels;
mod rows;
mod same;
mod sections;
mod text;

pub use labels::{Forced, forced};

use serde::Serialize;

use super::fingerprint;
use crate::model::Generated;
use crate::render::RenderedPage;
use crate::rows::Labels;
use text::Edits;

/// The three sides of a merge.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    /// The page as it stands on disk.
    pub page: &'a str,
    /// What was last generated for it; `None` when nothing remembers that: then whatever differs is a person's.
    pub base: Option<&'a Generated>,
    /// The page as it is generated now.
    pub new: &'a RenderedPage,
    /// The product's name, for telling labels.
    pub product: &'a str,
    /// Pieces that are overwritten whoever wrote them.
    pub forced: &'a Forced,
}

/// A merged page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// Its text.
    pub text: String,
    /// Every piece that is not simply the same on all sides, in order of the page; those that are on no line last.
    pub pieces: Vec<Piece>,
    /// The template changed since, and what it puts around the pieces was left as it stands on the page.
    pub template_changed: bool,
}

/// One generated piece of a page and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Label of the row, name of the section or of the front matter field.
    pub name: String,
    /// What became of it.
    pub state: State,
    /// Line of the merged page it stands on, counted from 1; `None` when it does not stand there.
    pub line: Option<u64>,
    /// What stood on the page before.
    pub page: Option<String>,
    /// What was generated before; `None` when nothing was, or nothing remembers it.
    pub before: Option<String>,
    /// What is generated now.
    pub generated: Option<String>,
}

/// Kinds of generated pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceKind {
    /// A front matter field.
    FrontMatter,
    /// A row of the metric table.
    Row,
    /// A section.
    Section,
    /// The page as a whole.
    Page,
}

/// What became of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Untouched, and replaced by what is generated now.
    Updated,
    /// New, and put in at its place.
    Added,
    /// Untouched, no longer generated, and taken out.
    Dropped,
    /// Edited by hand and kept; what is generated has not changed since.
    Kept,
    /// Taken out by hand; it stays out.
    Removed,
    /// Edited by hand and kept, and what is generated changed too, or nothing tells whether it did.
    Conflict,
    /// Overwritten because that was asked for.
    Forced,
}

impl State {
    /// True where the page says what a person wrote, and something else is generated.
    pub fn is_a_persons(self) -> bool {
        matches!(self, State::Kept | State::Conflict)
    }
}

/// What to do with a piece that stands on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Same,
    Replace(State),
    Keep(State),
}

/// Whether two texts say the same, formatting aside.
type Same = fn(&str, &str) -> bool;

/// The rule of the merge: untouched is replaced, edited is kept, both changed is a conflict.
fn decide(base: Option<&str>, ours: &str, new: &str, same: Same, forced: bool) -> Fate {
    match base {
        _ if same(ours, new) => Fate::Same,
        _ if forced => Fate::Replace(State::Forced),
        Some(base) if same(ours, base) => Fate::Replace(State::Updated),
        Some(base) if same(base, new) => Fate::Keep(State::Kept),
        _ => Fate::Keep(State::Conflict),
    }
}

/// Merges a page. A merge of its own result changes nothing.
pub fn merge(sides: &Sides<'_>) -> Merged {
    let renamed = sides.base.iter().flat_map(|base| &base.labels).chain(&sides.new.labels);
    let labels = Labels::new(sides.product, renamed);
    let mut work = Work::default();
    front::merge(sides, &mut work);
    rows::merge(sides, &labels, &mut work);
    sections::merge(sides, &mut work);
    let remembered = sides.base.and_then(|base| base.template.as_ref());
    let template_changed = remembered.is_some_and(|frame| *frame != fingerprint(sides.new.frame.as_bytes()));
    Merged { template_changed, ..work.done(sides.page) }
}

/// What a merge has found so far.
#[derive(Debug, Default)]
struct Work {
    edits: Edits,
    /// Each piece with the byte of the old page it stands at.
    pieces: Vec<(Option<usize>, Piece)>,
}

/// The three texts of one piece.
#[derive(Debug, Clone, Copy, Default)]
struct Texts<'a> {
    ours: Option<&'a str>,
    base: Option<&'a str>,
    new: Option<&'a str>,
}

impl Work {
    fn note(&mut self, kind: PieceKind, name: &str, state: State, at: Option<usize>, texts: Texts<'_>) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let Texts { ours, base, new } = texts;
        let (page, before, generated) = (owned(ours), owned(base), owned(new));
        self.pieces.push((at, Piece { kind, name: name.to_owned(), state, line: None, page, before, generated }));
    }

    fn done(self, page: &str) -> Merged {
        let Work { edits, mut pieces } = self;
        pieces.sort_by_key(|(at, _)| (at.is_none(), *at));
        let text = edits.apply(page);
        let line = |at: usize| edits.moved(at).and_then(|at| text.get(..at)).map(text::line_number);
        let placed = |(at, piece): (Option<usize>, Piece)| Piece { line: at.and_then(line), ..piece };
        Merged { pieces: pieces.into_iter().map(placed).collect(), text, template_changed: false }
    }
}

#[cfg(test)]
mod tests;
