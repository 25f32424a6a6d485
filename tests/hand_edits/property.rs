//! What must hold of every merge, whatever people did to a page and whatever the new data is.
//!
//! The page that must come out is worked out part by part from who wrote what, and compared byte for byte: no edit is lost,
//! no generated cell is stale without a word, nothing else changes, and a second publish changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use sweepdoc::model::Generated;
use sweepdoc::publish::merge::{Forced, Merged, Sides, State, forced, merge};
use sweepdoc::render::RenderedPage;

use crate::data::{Data, PRODUCT, generated};
use crate::edits::edit;
use crate::page::{By, Page, Part, Row};
use crate::random::Random;

/// A merge under test: the page, what was generated before, what is generated now.
type Merge = fn(&str, &Generated, &RenderedPage) -> Merged;

fn ours(page: &str, base: &Generated, new: &RenderedPage) -> Merged {
    merge(&Sides { page, base: Some(base), new, product: PRODUCT, forced: &Forced::default() })
}

/// A run's page as it was generated, the page people made of it, and the page that is generated next.
fn scene(seed: u64) -> (RenderedPage, Page, RenderedPage) {
    let mut random = Random::new(seed);
    let before = Data::random(&mut random);
    let later = before.later(&mut random);
    let (base, new) = (before.render(), later.render());
    let mut page = Page::of(&base);
    assert_eq!(page.text(), base.text, "seed {seed}: the page does not read back");
    let values: Vec<(String, String)> = new.rows.clone().into_iter().collect();
    edit(&mut page, &values, &mut random);
    (base, page, new)
}

/// One page, edited and published again: what became of its pieces, or what went wrong.
fn case(seed: u64, merge: Merge) -> Result<Vec<State>, String> {
    let (base, page, new) = scene(seed);
    let text = page.text();
    let merged = merge(&text, &generated(&base), &new);
    let expected = Expected::of(&page, &base, &new);
    if merged.text != expected.page.text() {
        return Err(format!(
            "text\n--- on the page\n{text}\n--- wanted\n{}\n--- found\n{}",
            expected.page.text(),
            merged.text
        ));
    }
    if merged.template_changed {
        return Err("report: the template did not change".to_owned());
    }
    let said = said(&merged);
    if said != expected.said {
        return Err(format!("report\n--- on the page\n{text}\n--- wanted\n{:#?}\n--- found\n{said:#?}", expected.said));
    }
    let again = merge(&merged.text, &generated(&new), &new);
    if again.text != merged.text {
        return Err(format!("again\n--- before\n{}\n--- after\n{}", merged.text, again.text));
    }
    if again.pieces.iter().any(|piece| piece.state == State::Conflict) {
        return Err(format!("a conflict is told twice: {:#?}", again.pieces));
    }
    Ok(merged.pieces.iter().map(|piece| piece.state).collect())
}

/// What a merge says of people's work: name, and what became of it. An intro behind a heading counts as taken out.
fn said(merged: &Merged) -> BTreeSet<(String, State)> {
    let is_theirs = |state| matches!(state, State::Kept | State::Conflict | State::Removed);
    let pieces = merged.pieces.iter().filter(|piece| is_theirs(piece.state));
    pieces.map(|piece| (piece.name.clone(), if piece.name == "intro" { State::Kept } else { piece.state })).collect()
}

/// What has to come out.
struct Expected {
    page: Page,
    said: BTreeSet<(String, State)>,
}

impl Expected {
    fn of(page: &Page, base: &RenderedPage, new: &RenderedPage) -> Self {
        let sides = Oracle { base: by_row(base), new: by_row(new) };
        let mut said = BTreeSet::new();
        let mut parts = sides.rows(page, &mut said);
        for part in &mut parts {
            sections(part, base, new, &mut said);
        }
        Expected { page: Page { parts, ..page.clone() }, said }
    }
}

/// Label and cell of each row, by its usual label.
fn by_row(page: &RenderedPage) -> IndexMap<String, (String, String)> {
    let usual = |label: &String| page.labels.get(label).unwrap_or(label).clone();
    page.rows.iter().map(|(label, cell)| (usual(label), (label.clone(), cell.clone()))).collect()
}

struct Oracle {
    base: IndexMap<String, (String, String)>,
    new: IndexMap<String, (String, String)>,
}

impl Oracle {
    /// The usual label of a row the generator knows.
    fn usual(&self, row: &Row) -> Option<&String> {
        self.base.iter().find(|(_, (label, _))| *label == row.known).map(|(usual, _)| usual)
    }

    fn rows(&self, page: &Page, said: &mut BTreeSet<(String, State)>) -> Vec<Part> {
        let tables = tables(page);
        let known = |table: &&Vec<usize>| table.iter().filter(|at| self.key(page, **at).is_some()).count();
        let most = tables.iter().map(|table| known(&table)).max().unwrap_or(0);
        let main = tables.iter().find(|table| known(table) == most).cloned().unwrap_or_default();
        let in_main: BTreeSet<&String> = main.iter().filter_map(|at| self.key(page, *at)).collect();
        let mut here: BTreeSet<&String> = in_main.clone();
        let mut out: Vec<Vec<Part>> = Vec::new();
        for (at, part) in page.parts.iter().enumerate() {
            let key = self.key(page, at);
            let Part::Row(row) = part else {
                out.push(vec![part.clone()]);
                continue;
            };
            let counts = |key: &&String| main.contains(&at) || !in_main.contains(key) && !row.cell.is_empty();
            match key.filter(counts) {
                Some(key) => {
                    here.insert(key);
                    out.push(self.row(key, row, said).into_iter().map(Part::Row).collect());
                }
                None => out.push(vec![part.clone()]),
            }
        }
        self.missing(page, &main, &here, &mut out, said);
        out.concat()
    }

    fn key<'a>(&'a self, page: &Page, at: usize) -> Option<&'a String> {
        if let Part::Row(row) = &page.parts[at] { self.usual(row) } else { None }
    }

    /// A row on the page; `None` when it goes.
    fn row(&self, key: &String, row: &Row, said: &mut BTreeSet<(String, State)>) -> Option<Row> {
        let (base_label, base) = &self.base[key];
        let mut row = row.clone();
        let Some((label, new)) = self.new.get(key) else {
            if row.by == By::Generator {
                return None;
            }
            said.insert((row.label.clone(), State::Conflict));
            return Some(row);
        };
        let shown = row.label.clone();
        if label != base_label {
            row.label.clone_from(label);
        }
        if row.by == By::Generator {
            if new != base {
                write(&mut row, new);
            }
        } else if plain(&row.cell) != *new {
            said.insert((shown, if new == base { State::Kept } else { State::Conflict }));
        }
        Some(row)
    }

    fn missing(
        &self,
        page: &Page,
        main: &[usize],
        here: &BTreeSet<&String>,
        out: &mut [Vec<Part>],
        said: &mut BTreeSet<(String, State)>,
    ) {
        let place = |key: &String| main.iter().copied().find(|at| self.key(page, *at) == Some(key));
        let mut first: IndexMap<usize, Vec<Part>> = IndexMap::new();
        for (index, (key, (label, cell))) in self.new.iter().enumerate().filter(|(_, (key, _))| !here.contains(key)) {
            if let Some((_, base)) = self.base.get(key) {
                if !(base.is_empty() && cell.is_empty()) {
                    said.insert((label.clone(), State::Removed));
                }
                continue;
            }
            let mut row = Row::new(label, cell, By::Generator);
            let columns = page.rows().find(|row| !row.rest.is_empty()).map_or("", |_| " |");
            row.rest = columns.to_owned();
            let before = self.new.keys().take(index).rev().find_map(place);
            let after = self.new.keys().skip(index + 1).find_map(place);
            match (before, after) {
                (Some(at), _) => first.entry(at).or_default().push(Part::Row(row)),
                // those before a row stand in front of whatever is put behind the row above it
                (None, Some(at)) => {
                    let end = out[at].len().saturating_sub(1);
                    out[at].insert(end, Part::Row(row));
                }
                (None, None) => panic!("a page in these tests has a row of every generator"),
            }
        }
        for (at, rows) in first {
            out[at].extend(rows);
        }
    }
}

/// Places of each table's rows.
fn tables(page: &Page) -> Vec<Vec<usize>> {
    let mut tables: Vec<Vec<usize>> = vec![Vec::new()];
    for (at, part) in page.parts.iter().enumerate() {
        match part {
            Part::Row(_) => tables.last_mut().unwrap().push(at),
            Part::Line(line) if line.starts_with('|') => {}
            _ => tables.push(Vec::new()),
        }
    }
    tables.retain(|table| !table.is_empty());
    tables
}

fn write(row: &mut Row, new: &str) {
    if row.cell.is_empty() {
        if !row.blanks[2].ends_with(' ') {
            row.blanks[2].push(' ');
        }
        row.blanks[3] = " ".to_owned();
    }
    row.cell = new.to_owned();
}

/// Undoes what the tests' formatter does.
fn plain(cell: &str) -> String {
    cell.replace("<br />", "<br/>").replace("__bold__", "**bold**").replace("snake\\_case\\_name", "snake_case_name")
}

fn sections(part: &mut Part, base: &RenderedPage, new: &RenderedPage, said: &mut BTreeSet<(String, State)>) {
    let mut say = |name: &str, changed: bool| {
        let state = if changed && name != "intro" { State::Conflict } else { State::Kept };
        said.insert((name.to_owned(), state));
    };
    match part {
        Part::Intro { text, by } => {
            let (old, now) = (&base.sections["intro"], &new.sections["intro"]);
            match by {
                By::Generator if old != now => text.clone_from(now),
                By::Generator => {}
                By::Person => say("intro", old != now),
            }
        }
        Part::Block { open, text, close, by } => {
            let (old, now) = (&base.sections["k6 output"], &new.sections["k6 output"]);
            match by {
                By::Generator if old != now => {
                    if now.contains("```") && close.len() < 4 {
                        (*open, *close) = ("````bash".to_owned(), "````".to_owned());
                    }
                    text.clone_from(now);
                }
                By::Generator => {}
                By::Person => say("k6 output", old != now),
            }
        }
        Part::Field { name, text, by } => {
            let (old, now) = (&base.front_matter[name.as_str()], &new.front_matter[name.as_str()]);
            match by {
                By::Generator if old != now => {
                    *text = if now.contains(':') { format!("\"{now}\"") } else { now.clone() };
                }
                By::Generator => {}
                By::Person => say(name, old != now),
            }
        }
        Part::Line(_) | Part::Row(_) => {}
    }
}

/// Cases to run; `HAND_EDIT_CASES` sets another number.
fn cases() -> u64 {
    std::env::var("HAND_EDIT_CASES").map_or(1_000, |cases| cases.parse().expect("HAND_EDIT_CASES is a number"))
}

#[test]
fn no_edit_is_lost_nothing_is_stale_and_nothing_else_changes() {
    let mut seen: BTreeMap<State, u64> = BTreeMap::new();
    for seed in 0..cases() {
        let states = case(seed, ours).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        states.into_iter().for_each(|state| *seen.entry(state).or_default() += 1);
    }
    // the cases are worth something only if everything happens in them
    for state in [State::Updated, State::Added, State::Dropped, State::Kept, State::Removed, State::Conflict] {
        assert!(seen.get(&state).is_some_and(|times| *times >= cases() / 50), "{state:?} is rare: {seen:?}");
    }
}

#[test]
fn without_evidence_not_a_byte_changes() {
    for seed in 0..cases() / 4 {
        let (_, page, new) = scene(seed);
        let (page, forced) = (page.text(), Forced::default());
        let sides = Sides { page: &page, base: None, new: &new, product: PRODUCT, forced: &forced };
        assert_eq!(merge(&sides).text, page, "seed {seed}");
    }
}

/// A merge that is wrong in one way, and what the property must say of it.
const BROKEN: [(&str, Merge, &str); 8] = [
    ("takes what is generated", |_, _, new| Merged { text: new.text.clone(), ..Merged::default() }, "text"),
    ("leaves the page as it is", |page, _, _| Merged { text: page.to_owned(), ..Merged::default() }, "text"),
    ("drops edits", |page, base, new| overwriting(page, base, new), "text"),
    (
        "takes what stands on the page for generated",
        |page, base, new| ours(page, &remembering(page, base), new),
        "text",
    ),
    ("keeps without a word", |page, base, new| Merged { pieces: Vec::new(), ..ours(page, base, new) }, "report"),
    ("forgets what was generated", |page, _, new| ours(page, &Generated::default(), new), "text"),
    ("trims line ends", |page, base, new| trimmed(ours(page, base, new)), "text"),
    ("leaves one cell stale", |page, base, new| stale(page, ours(page, base, new)), "text"),
];

fn overwriting(page: &str, base: &Generated, new: &RenderedPage) -> Merged {
    let labels: Vec<String> = new.rows.keys().cloned().collect();
    let forced = forced(&labels, PRODUCT, [(new, Some(base))]).unwrap();
    merge(&Sides { page, base: Some(base), new, product: PRODUCT, forced: &forced })
}

/// A memory that holds what people wrote.
fn remembering(page: &str, base: &Generated) -> Generated {
    let cell = |label: &String| {
        let line = page.lines().find(|line| line.starts_with(&format!("| {label} ")))?;
        Some(line.split_once('|')?.1.split_once('|')?.1.trim_end_matches('|').trim().to_owned())
    };
    let rows = base.rows.iter().map(|(label, value)| (label.clone(), cell(label).unwrap_or(value.clone()))).collect();
    Generated { rows, ..base.clone() }
}

fn trimmed(merged: Merged) -> Merged {
    let lines: Vec<&str> = merged.text.split('\n').map(str::trim_end).collect();
    Merged { text: lines.join("\n"), ..merged }
}

/// Undoes the last of the updates.
fn stale(page: &str, merged: Merged) -> Merged {
    let updated = merged.pieces.iter().rev().find(|piece| piece.state == State::Updated && piece.line.is_some());
    let Some((line, old)) = updated.and_then(|piece| Some((piece.line?, piece.page.clone()?))) else { return merged };
    let mut lines: Vec<String> = merged.text.split('\n').map(str::to_owned).collect();
    let (at, was) = (line as usize - 1, page.lines().find(|line| line.contains(&old)));
    if let Some(was) = was {
        lines[at] = was.to_owned();
    }
    Merged { text: lines.join("\n"), ..merged }
}

#[test]
fn every_broken_merge_is_found_out() {
    for (name, broken, wanted) in BROKEN {
        let found = (0..200).filter_map(|seed| case(seed, broken).err()).collect::<Vec<_>>();
        assert!(found.len() > 5, "a merge that {name} passes in all but {} cases", found.len());
        assert!(
            found.iter().any(|why| why.starts_with(wanted)),
            "a merge that {name} is not found out by its {wanted}"
        );
    }
}
