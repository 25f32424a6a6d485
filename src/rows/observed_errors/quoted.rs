use crate::notation::escape;

/// Most characters shown of one text from servers and scripts: k6 repeats whole certificates in some.
const SHOWN_CHARACTERS: usize = 120;

/// A text from data ready for a cell: escaped, and cut with `…` where it is long.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", escape::cell(text.get(..end).unwrap_or(text).trim_end())),
        None => escape::cell(text),
    }
}
