use super::{listed, word};
use crate::check::{Judgement, Severity};
use crate::pipeline::Checked;

/// The findings as workflow commands, which GitHub shows on the lines of the page.
pub fn github(checked: &Checked, all: bool) -> String {
    listed(checked, all).map(|(file, judgement)| annotation(file, judgement)).collect()
}

fn annotation(file: &str, judgement: &Judgement) -> String {
    let Judgement { line, column, row, stated, data, source, explanation, .. } = judgement;
    let command = match judgement.severity {
        Some(Severity::Error) => "error",
        Some(Severity::Warning) => "warning",
        Some(Severity::Note) | None => "notice",
    };
    let title = property(&format!("{row}: {}", word(judgement.verdict)));
    let data = data.as_ref().map(|data| format!("; the data says {data}")).unwrap_or_default();
    let source = source.as_ref().map(|source| format!(" ({source})")).unwrap_or_default();
    let stated = if stated.is_empty() { "says nothing".to_owned() } else { format!("says “{stated}”") };
    let message = message(&format!("{stated}{data}{source}. {explanation}"));
    format!("::{command} file={},line={line},col={column},title={title}::{message}\n", property(file))
}

/// As GitHub's own toolkit escapes a command's message.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// As GitHub's own toolkit escapes a command's property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(message("100%\r\nnext"), "100%25%0D%0Anext");
        assert_eq!(property("a: b, c"), "a%3A b%2C c");
    }
}
