//! What people and their formatters do to a page.

use crate::data::value;
use crate::page::{By, Page, Part, Row};
use crate::random::Random;

/// Edits a page at random, up to eight times. `later` are values that will be generated next: a person may know one.
pub fn edit(page: &mut Page, later: &[(String, String)], random: &mut Random) {
    for n in 0..random.below(9) {
        match random.below(15) {
            0..=2 => cell(page, n, later, random),
            3 => remove_row(page, random),
            4 => move_row(page, random),
            5 => own_row(page, n, random),
            6 => copy_row(page, random),
            7 => relabel(page, n, random),
            8 | 9 => paragraph(page, n, random),
            10 => reformat(page, random),
            11 => form_of_file(page, random),
            12 => blanks_at_line_ends(page, random),
            13 => section(page, n, random),
            _ => split_table(page, n, random),
        }
    }
    if random.one_in(8) {
        third_column(page);
    }
}

fn any_row<'a>(page: &'a mut Page, random: &mut Random) -> Option<&'a mut Row> {
    let places = page.row_places();
    let at = *places.get(random.below(places.len().max(1)))?;
    if let Part::Row(row) = &mut page.parts[at] { Some(row) } else { None }
}

fn cell(page: &mut Page, n: usize, later: &[(String, String)], random: &mut Random) {
    let (kind, text) = (random.below(6), value(random));
    let Some(row) = any_row(page, random) else { return };
    let known = later.iter().find(|(label, _)| *label == row.known).map(|(_, value)| value.clone());
    let new = match kind {
        0 => String::new(),
        1 => known.unwrap_or_default(),
        _ => format!("human {n} {text}"),
    };
    if new == row.cell {
        return;
    }
    if row.cell.is_empty() {
        row.blanks[3] = " ".to_owned();
    }
    (row.cell, row.by) = (new, By::Person);
    row.settle();
}

fn remove_row(page: &mut Page, random: &mut Random) {
    let places = page.row_places();
    // the table of a page without rows is another matter
    if places.len() > 3 {
        page.parts.remove(*random.pick(&places));
    }
}

fn move_row(page: &mut Page, random: &mut Random) {
    let places = page.row_places();
    if places.len() > 3 {
        let row = page.parts.remove(*random.pick(&places));
        let places = page.row_places();
        page.parts.insert(*random.pick(&places), row);
    }
}

fn own_row(page: &mut Page, n: usize, random: &mut Random) {
    let places = page.row_places();
    if !places.is_empty() {
        let row = Row::new(&format!("Weather {n}"), &format!("human {n} {}", value(random)), By::Person);
        page.parts.insert(*random.pick(&places) + 1, Part::Row(row));
    }
}

fn copy_row(page: &mut Page, random: &mut Random) {
    let places = page.row_places();
    if !places.is_empty() {
        let at = *random.pick(&places);
        page.parts.insert(at, page.parts[at].clone());
    }
}

fn relabel(page: &mut Page, n: usize, random: &mut Random) {
    if page.row_places().len() > 3
        && let Some(row) = any_row(page, random)
    {
        (row.known, row.label, row.by) = (String::new(), format!("Human label {n}"), By::Person);
    }
}

fn paragraph(page: &mut Page, n: usize, random: &mut Random) {
    let blocks = [
        format!("Human text {n}, with *emphasis* and\na second line."),
        format!("## Human section {n}\n\nText of it."),
        format!("- a human list {n}\n- b"),
        format!("| Own | table {n} |\n|---|---|\n| Rain | 7 |"),
        format!("```text\nhuman code {n}\n```"),
        format!("> human quote {n}"),
        format!("{{/* human comment {n} */}}"),
        format!("### Human heading {n}   "),
    ];
    let gaps = page.gaps();
    let at = *random.pick(&gaps);
    let lines: Vec<Part> = random.pick(&blocks).lines().map(|line| Part::Line(line.to_owned())).collect();
    page.parts.splice(at..at, std::iter::once(Part::Line(String::new())).chain(lines));
}

/// As a formatter does: pads every row, escapes underscores, writes tags and bold its own way.
fn reformat(page: &mut Page, random: &mut Random) {
    let width = 30 + random.below(30);
    for part in &mut page.parts {
        match part {
            Part::Row(row) => {
                row.cell = row.cell.replace("<br/>", "<br />").replace("**bold**", "__bold__");
                row.cell = row.cell.replace("snake_case_name", "snake\\_case\\_name");
                let pad = |text: &str| " ".repeat(1 + width.saturating_sub(text.chars().count()));
                row.blanks = [" ".to_owned(), pad(&row.label), " ".to_owned(), pad(&row.cell)];
                row.settle();
            }
            Part::Intro { text, .. } if text.len() > 12 => *text = text.replacen(" was ", "\nwas ", 1),
            _ => {}
        }
    }
}

fn form_of_file(page: &mut Page, random: &mut Random) {
    match random.below(3) {
        0 => page.crlf = true,
        1 => page.bom = true,
        _ => page.last_line_end = false,
    }
}

fn blanks_at_line_ends(page: &mut Page, random: &mut Random) {
    for part in &mut page.parts {
        if let Part::Line(line) = part
            && random.one_in(4)
            && !line.is_empty()
        {
            line.push_str("  ");
        }
    }
}

fn section(page: &mut Page, n: usize, random: &mut Random) {
    let wanted = random.below(3);
    for part in &mut page.parts {
        match part {
            Part::Intro { text, by } if wanted == 0 => (*text, *by) = (format!("Human intro {n}."), By::Person),
            Part::Block { text, by, .. } if wanted == 1 => {
                text.push_str(&format!("\nhuman note {n}"));
                *by = By::Person;
            }
            Part::Field { text, by, .. } if wanted == 2 => {
                (*text, *by) = (format!("\"human: title {n}\""), By::Person);
                return;
            }
            _ => {}
        }
    }
}

/// A second table for the rows from some place on.
fn split_table(page: &mut Page, n: usize, random: &mut Random) {
    let places = page.row_places();
    if places.len() > 3 {
        let at = places[1 + random.below(places.len() - 1)];
        let head = [
            String::new(),
            format!("Human words {n}."),
            String::new(),
            format!("| Human {n} | x |"),
            "|---|---|".to_owned(),
        ];
        page.parts.splice(at..at, head.map(Part::Line));
    }
}

fn third_column(page: &mut Page) {
    for part in &mut page.parts {
        match part {
            Part::Row(row) => row.rest = " human note |".to_owned(),
            Part::Line(line) if line.starts_with("| ") || line.starts_with("|-") => {
                let cell = if line.contains("--") { " --- |" } else { " Notes |" };
                line.truncate(line.trim_end().len());
                line.push_str(cell);
            }
            _ => {}
        }
    }
}
