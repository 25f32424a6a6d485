use std::sync::LazyLock;

use regex::Regex;

/// Colours, cursor moves and window titles.
static ESCAPES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_=>])").expect("a constant")
});

/// The text as a pipe would have got it: no escape sequences, every kind of line end a `\n`, no other control characters.
///
/// A lone carriage return ends a line too: k6 redraws its progress with it.
pub(super) fn plain_text(text: &str) -> String {
    let text = ESCAPES.replace_all(text.trim_start_matches('\u{feff}'), "");
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => plain.push('\n'),
            '\n' | '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_redraws_and_line_ends_are_gone() {
        let tty =
            "\u{1b}[33mWARN\u{1b}[0m[0005] x\u{1b}[0K\r\n\r\u{1b}[J\u{1b}[3Arunning\rnext\u{7}\u{1b}]0;title\u{7}!";
        assert_eq!(plain_text(tty), "WARN[0005] x\n\nrunning\nnext!");
    }
}
