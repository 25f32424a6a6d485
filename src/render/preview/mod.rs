//! Pages as readers will see them: HTML files that need no site, no network and no script.
//!
//! What `check` found stands beside the words it concerns, and rows a person corrected are marked. Every text of a page is
//! escaped; of HTML and MDX on it only line breaks have an effect, comments and the tags of components are left out.

mod body;
mod document;
mod edited;
mod index;
mod inline;
mod links;
mod marks;
mod page;

pub use document::is_preview;
pub use edited::edited_rows;
pub use index::{IndexEntry, preview_index};
pub use links::Links;
pub use page::{PreviewPage, preview_page};

/// Something said of words on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Line of the page, counted from 1.
    pub line: u64,
    /// Column of the first of the words, in characters, counted from 1.
    pub column: u64,
    /// The words; empty for a remark on the whole line or page.
    pub stated: String,
    /// How much it matters.
    pub weight: Weight,
    /// What is said.
    pub text: String,
}

/// How much a [`Remark`] matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A matter of form, or something that cannot be told.
    Note,
    /// One of two statements is wrong.
    Warning,
    /// The page is wrong.
    Error,
}

impl Weight {
    /// The word for it, which is also its class.
    pub fn word(self) -> &'static str {
        match self {
            Weight::Note => "note",
            Weight::Warning => "warning",
            Weight::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests;
