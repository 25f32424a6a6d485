//! What `publish` says: to people on standard error what it kept, to both what became of each page.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use similar::TextDiff;

use super::super::args::{PublishArgs, TextOrJson};
use super::super::findings::finding;
use super::super::ui::Ui;
use super::plan::{Published, Stale};
use crate::check::Severity;
use crate::publish::Change;
use crate::publish::merge::{Piece, PieceKind, State};

/// Longest quotation of a cell or a section, in characters.
const LONGEST: usize = 240;

/// Says what was left out, what could not be filled, and what of the pages is a person's.
pub(in crate::cli) fn problems(published: &[Published], ui: &Ui) {
    for page in published {
        for (path, reason) in &page.ignored {
            ui.note(&format!("{}: left out: {reason}", path.display()));
        }
        for warning in &page.warnings {
            ui.warning(&page.target, warning);
        }
        let unfilled = unfilled(page);
        if !unfilled.is_empty() {
            ui.note(&format!("{}: rows nobody could fill: {}", page.target, unfilled.join(", ")));
        }
        for piece in &page.merged.pieces {
            hand_edit(&page.files.page, piece, ui);
        }
        if let Some(stale) = page.stale_picture {
            let what = match stale {
                Stale::Unused => "publishing removes it",
                Stale::Shown => "the page shows it and it stays",
            };
            let picture = page.files.picture.display();
            ui.note(&format!("{picture}: of an earlier run, and nothing can be drawn of this one: {what}"));
        }
        if page.merged.template_changed {
            ui.note(&format!(
                "{}: what the template puts around generated cells changed; this page was edited, and only the cells follow",
                page.files.page.display()
            ));
        }
        for judgement in &page.findings {
            let text = finding(&page.files.page.display().to_string(), judgement);
            match judgement.severity {
                Some(Severity::Error) => ui.finding(&text),
                _ => ui.note(text.trim_end()),
            }
        }
    }
}

/// Rows that have no value, by the data or by hand.
fn unfilled(page: &Published) -> Vec<&str> {
    let by_hand = |label: &str| page.merged.pieces.iter().any(|p| p.name == label && p.state.is_a_persons());
    let unfilled = page.run.page.unfilled.iter().map(String::as_str);
    unfilled.filter(|label| !by_hand(label)).collect()
}

fn hand_edit(page: &Path, piece: &Piece, ui: &Ui) {
    let place = match piece.line {
        Some(line) => format!("{}:{line}", page.display()),
        None => page.display().to_string(),
    };
    let name = &piece.name;
    match piece.state {
        State::Conflict => ui.conflict(&place, &conflict(piece), &way_out(piece)),
        // rows that wait for a person are filled in by one: nothing to compare
        State::Kept if piece.generated.as_deref() == Some("") => {
            ui.detail(&format!("{place}: `{name}` was filled in by hand"));
        }
        State::Kept => {
            ui.note(&format!(
                "{place}: `{name}` was edited by hand and stays; generated: {}",
                quoted(&piece.generated)
            ));
        }
        State::Removed => ui.note(&format!("{place}: `{name}` was taken out by hand and stays out")),
        State::Dropped => ui.note(&format!("{place}: `{name}` is no longer generated and was taken out")),
        State::Updated | State::Added | State::Forced => {}
    }
}

fn conflict(piece: &Piece) -> String {
    let Piece { kind, name, page, before, generated, .. } = piece;
    match (kind, page, generated) {
        (PieceKind::Page, ..) if name == "metric table" => {
            "the page has no table with rows such as `Test start`; it stays as it is".to_owned()
        }
        (PieceKind::Page, ..) => format!("merged, the page {name}; it stays as it is"),
        (_, None, _) => format!("`{name}` is new and the page has no place for it\n  generated: {}", quoted(generated)),
        (_, Some(_), None) => format!(
            "`{name}` is no longer generated and does not read as it was; it stays\n  page:      {}",
            quoted(page)
        ),
        (_, Some(_), Some(_)) => {
            let why = match before {
                Some(_) => "was edited by hand and its data changed",
                None => "differs from what is generated, and no evidence tells who wrote it",
            };
            format!(
                "`{name}` {why}; the page's text stays\n  page:      {}\n  generated: {}",
                quoted(page),
                quoted(generated)
            )
        }
    }
}

fn way_out(piece: &Piece) -> String {
    match (piece.kind, &piece.page, &piece.generated) {
        (PieceKind::Page, ..) => "to have it generated anew, move the page out of the way".to_owned(),
        (_, None, _) => "put it in by hand where it belongs".to_owned(),
        (PieceKind::Section, _, None) => "take it out by hand, or leave it".to_owned(),
        _ => format!("correct the page by hand, or overwrite it with `--force-row \"{}\"`", piece.name),
    }
}

/// On one line, cut where it is very long.
fn quoted(text: &Option<String>) -> String {
    let text = text.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        _ if text.is_empty() => "nothing".to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// What became, or would become, of each page.
pub(super) fn text(args: &PublishArgs, published: &[Published], outcome: &[(PathBuf, Change)]) -> String {
    match args.format {
        TextOrJson::Text => published.iter().map(|page| line(args, page, outcome)).collect(),
        TextOrJson::Json => {
            let pages: Vec<Value> = published.iter().map(|page| as_json(args, page, outcome)).collect();
            format!("{:#}\n", json!({"schema": "sweepdoc/publish/1", "pages": pages}))
        }
    }
}

fn line(args: &PublishArgs, page: &Published, outcome: &[(PathBuf, Change)]) -> String {
    let future = if args.check || args.dry_run { "would be " } else { "" };
    let diff = diff(args, page).unwrap_or_default();
    match state(page, outcome) {
        "unchanged" => format!("unchanged {}\n", page.files.page.display()),
        "updated" if page.existing.as_ref() == Some(&page.merged.text) => {
            format!("{future}updated the data beside {}\n", page.files.page.display())
        }
        state => format!("{future}{state} {}\n{diff}", page.files.page.display()),
    }
}

fn as_json(args: &PublishArgs, page: &Published, outcome: &[(PathBuf, Change)]) -> Value {
    let mut value = json!({
        "target": page.target,
        "page": page.files.page,
        "state": state(page, outcome),
        "pieces": page.merged.pieces,
        "findings": page.findings,
        "unfilled": unfilled(page),
        "warnings": page.warnings,
    });
    if let (Some(diff), Value::Object(fields)) = (diff(args, page), &mut value) {
        fields.insert("diff".to_owned(), diff.into());
    }
    value
}

/// `created`, `updated`, or `unchanged` when neither the page nor what goes with it changes.
fn state(page: &Published, outcome: &[(PathBuf, Change)]) -> &'static str {
    let files =
        [Some(&page.files.page), Some(&page.files.chart), Some(&page.files.evidence), page.files.mirror.as_ref()];
    let changes = || files.into_iter().flatten().filter_map(|file| outcome.iter().find(|(path, _)| path == file));
    match changes().next() {
        Some((_, Change::Create)) => "created",
        _ if changes().any(|(_, change)| *change != Change::Nothing) => "updated",
        _ => "unchanged",
    }
}

/// What would change on the page, as a unified diff; `None` unless that was asked for.
fn diff(args: &PublishArgs, page: &Published) -> Option<String> {
    if !args.dry_run {
        return None;
    }
    let (old, name) = (page.existing.as_deref().unwrap_or_default(), page.files.page.display().to_string());
    let before = if page.existing.is_some() { name.as_str() } else { "/dev/null" };
    Some(TextDiff::from_lines(old, &page.merged.text).unified_diff().header(before, &name).to_string())
}
