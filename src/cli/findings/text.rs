use super::{listed, word};
use crate::check::{Judgement, Severity, Verdict};
use crate::notation::count;
use crate::pipeline::Checked;

/// Longest quotation from a page or the data, in characters.
const LONGEST: usize = 160;

/// The findings for people: page by page, each with the words, the data and where that stands; sums at the end.
pub fn text(checked: &Checked, all: bool) -> String {
    let mut text = String::new();
    let mut page = "";
    for (file, judgement) in listed(checked, all) {
        if page != file {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            page = file;
        }
        text.push_str(&finding(file, judgement));
    }
    text.push_str(if text.is_empty() { "" } else { "\n" });
    text + &sums(checked, all)
}

/// One finding: place and words, then why.
pub fn finding(file: &str, judgement: &Judgement) -> String {
    let Judgement { line, column, row, claim, stated, data, source, explanation, .. } = judgement;
    let label = judgement.severity.map_or("ok".to_owned(), word);
    let stated = if stated.is_empty() { "nothing".to_owned() } else { format!("“{}”", short(stated)) };
    let mut text = format!("{file}:{line}:{column}: {label}: `{}` says {stated}", short(row));
    let said = match (data, source) {
        (Some(data), Some(source)) => format!(", {source} says {}", short(data)),
        (Some(data), None) => format!(", the data says {}", short(data)),
        (None, Some(source)) => format!(", to be proved by {source}"),
        (None, None) => String::new(),
    };
    text.push_str(&said);
    text.push_str(&format!("\n    {} ({}): {}\n", word(judgement.verdict), short(claim), short(explanation)));
    text
}

/// On one line, cut where it is very long; without control characters that would steer a terminal.
fn short(text: &str) -> String {
    let one_line: String = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    match one_line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", one_line.get(..end).unwrap_or_default()),
        None => one_line,
    }
}

fn sums(checked: &Checked, all: bool) -> String {
    let severity =
        |wanted| checked.judgements.iter().filter(|(_, j)| j.severity == Some(wanted) && j.is_finding()).count();
    let of = |verdict| checked.judgements.iter().filter(|(_, j)| j.verdict == verdict).count();
    let (proven, unverifiable) = (of(Verdict::Ok), of(Verdict::Unverifiable));
    let hold = if proven == 1 { "holds" } else { "hold" };
    let hint = if unverifiable > 0 && !all { " (`--all` lists them)" } else { "" };
    format!(
        "{}: {}, {}, {}; {} {hold}, {unverifiable} cannot be verified{hint}\n",
        count::of(checked.pages as usize, "page"),
        count::of(severity(Severity::Error), "error"),
        count::of(severity(Severity::Warning), "warning"),
        count::of(severity(Severity::Note), "note"),
        count::of(proven, "claim"),
    )
}
