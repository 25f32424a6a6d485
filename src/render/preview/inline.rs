//! Small pieces of HTML.

use super::{Remark, Weight};
use crate::render::xml::escaped;

/// A remark as a note; `index` is its number, by which its words lead to it. No heading's anchor has a dot.
pub(super) fn note(index: usize, remark: &Remark, marked: bool, with_line: bool) -> String {
    let word = remark.weight.word();
    let line = if with_line { format!("line {}: ", remark.line) } else { String::new() };
    let text = escaped(&remark.text);
    let about = if marked {
        format!(" <a href=\"#claim.{index}\" aria-label=\"to the words this {word} is about\">↑ words</a>")
    } else {
        String::new()
    };
    let symbol = match remark.weight {
        Weight::Error => "✗",
        Weight::Warning => "!",
        Weight::Note => "i",
    };
    format!(
        "<p class=\"{word}\" id=\"note.{index}\"><strong><span aria-hidden=\"true\">{symbol}</span> {word}</strong> {line}{text}{about}</p>"
    )
}

/// Text with its line ends, which a code block needs.
pub(super) fn escaped_text(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// `<br>` in any spelling.
pub(super) fn is_line_break(tag: &str) -> bool {
    let name = tag.trim().trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim();
    name.eq_ignore_ascii_case("br")
}

/// True for what leads to the web or writes a mail.
pub(super) fn is_web(to: &str) -> bool {
    let scheme = to.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https" | "mailto"))
}

/// The anchor sites give a heading.
pub(super) fn slug(title: &str) -> String {
    let kept: String =
        title.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect();
    kept.trim().replace(' ', "-")
}

/// A path of files as the target of a link.
pub(super) fn link(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/');
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_file_whatever_it_is_called() {
        assert_eq!(link("pages/v1.4.0/sign_in/index.html"), "pages/v1.4.0/sign_in/index.html");
        assert_eq!(link("a b#c?\"é%.html"), "a%20b%23c%3F%22%C3%A9%25.html");
    }
}
