//! Rows of the metric table.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::text::{line_end, line_of};
use super::{Fate, PieceKind, Sides, State, Texts, Work, decide, same};
use crate::notation::table::{Table, shown, tables};
use crate::rows::{Labels, says_nothing_was_decided};

/// A row as it stands in a text.
struct Row<'a> {
    key: String,
    /// The label as a reader sees it.
    label: String,
    label_range: Range<usize>,
    value: &'a str,
    value_range: Range<usize>,
    /// Cells of its table's heading.
    columns: usize,
}

/// What was generated before, by row.
struct Remembered<'a> {
    rows: BTreeMap<String, (&'a str, &'a str)>,
    is_known: bool,
}

pub(super) fn merge(sides: &Sides<'_>, labels: &Labels<'_>, work: &mut Work) {
    let base = Remembered::of(sides, labels);
    let new_text = sides.new.text.as_str();
    let new_keys: BTreeSet<String> = sides.new.rows.keys().map(|label| labels.key(label)).collect();
    let is_row = |key: &str| new_keys.contains(key) || base.rows.contains_key(key);
    let new = labels.table(new_text, is_row).map(|table| rows_of(new_text, labels, &table)).unwrap_or_default();
    let Some(table) = labels.table(sides.page, is_row) else {
        if !new.is_empty() {
            work.note(PieceKind::Page, "metric table", State::Conflict, None, Texts::default());
        }
        return;
    };
    let mut ours = rows_of(sides.page, labels, &table);
    ours.extend(moved(sides.page, labels, &table, &ours, &base));
    let merge = Merge { sides, labels, base, new, ours };
    merge.ours.iter().for_each(|row| merge.row(row, work));
    merge.missing(&table, work);
}

struct Merge<'a, 'b> {
    sides: &'b Sides<'a>,
    labels: &'b Labels<'b>,
    base: Remembered<'b>,
    new: Vec<Row<'b>>,
    ours: Vec<Row<'b>>,
}

impl Merge<'_, '_> {
    /// A row that stands on the page.
    fn row(&self, row: &Row<'_>, work: &mut Work) {
        let new = self.new.iter().find(|new| new.key == row.key);
        let base = self.base.value(&row.key);
        let forced = self.sides.forced.row(&row.key, self.labels);
        let texts = Texts { ours: Some(row.value), base, new: new.map(|new| new.value) };
        let at = Some(row.value_range.start);
        let Some(new) = new else {
            return self.no_longer_generated(row, forced, texts, work);
        };
        self.label(row, new, work);
        match decide(base, row.value, new.value, same::cell, forced) {
            Fate::Same => {}
            // a verdict of a person's own does not contradict that there is not enough evidence for one
            Fate::Keep(State::Conflict) if says_nothing_was_decided(new.value) => {
                work.note(PieceKind::Row, &row.label, State::Kept, at, texts);
            }
            Fate::Keep(state) => work.note(PieceKind::Row, &row.label, state, at, texts),
            Fate::Replace(state) => {
                let (range, text) = written(self.sides.page, row, new.value);
                work.edits.replace(range, text);
                work.note(PieceKind::Row, &row.label, state, at, texts);
            }
        }
    }

    /// A row the page has and nothing generates: a person's own, or one that was generated before.
    fn no_longer_generated(&self, row: &Row<'_>, forced: bool, texts: Texts<'_>, work: &mut Work) {
        let Some((_, before)) = self.base.rows.get(&row.key) else { return };
        let at = Some(row.value_range.start);
        if forced || same::cell(row.value, before) {
            work.edits.replace(whole_line(self.sides.page, row.value_range.start), "");
            let state = if forced { State::Forced } else { State::Dropped };
            work.note(PieceKind::Row, &row.label, state, None, texts);
        } else {
            work.note(PieceKind::Row, &row.label, State::Conflict, at, texts);
        }
    }

    /// A label the project file changed, on a page that still has the old one.
    fn label(&self, row: &Row<'_>, new: &Row<'_>, work: &mut Work) {
        let Some((before, _)) = self.base.rows.get(&row.key) else { return };
        if row.label == *before && new.label != *before {
            let raw = self.sides.new.text.get(new.label_range.clone()).unwrap_or_default();
            work.edits.replace(row.label_range.clone(), raw);
        }
    }

    /// Rows that are generated and do not stand on the page: new ones go in, others were taken out by a person.
    fn missing(&self, table: &Table, work: &mut Work) {
        let missing = |row: &&Row<'_>| !self.ours.iter().any(|ours| ours.key == row.key);
        for (index, row) in self.new.iter().enumerate().filter(|(_, row)| missing(row)) {
            let base = self.base.value(&row.key);
            let texts = Texts { ours: None, base, new: Some(row.value) };
            let forced = self.sides.forced.row(&row.key, self.labels);
            let is_new = self.base.is_known && !self.base.rows.contains_key(&row.key);
            if is_new || forced {
                let at = self.place(index, table);
                work.edits.replace(at.start..at.start, self.line(row, &at));
                let state = if forced { State::Forced } else { State::Added };
                work.note(PieceKind::Row, &row.label, state, Some(at.start), texts);
            } else if !row.value.is_empty() || base.is_some_and(|base| !base.is_empty()) {
                work.note(PieceKind::Row, &row.label, State::Removed, None, texts);
            }
        }
    }

    /// Where a new row goes: behind the nearest row before it that the page has, else before the nearest one after it, else
    /// at the end of the table.
    fn place(&self, index: usize, table: &Table) -> Place {
        let in_table = |row: &&Row<'_>| table.range.contains(&row.label_range.start);
        let ours = |key: &str| self.ours.iter().filter(in_table).find(|row| row.key == key);
        let before = self.new.get(..index).unwrap_or_default().iter().rev().find_map(|row| ours(&row.key));
        let after = || self.new.iter().skip(index + 1).find_map(|row| ours(&row.key));
        let page = self.sides.page;
        let line = |row: &Row<'_>| line_of(page, row.label_range.start);
        let columns = table.rows.first().map_or(2, Vec::len);
        match (before, after()) {
            (Some(row), _) => Place { start: line(row).end, beside: line(row), columns },
            (None, Some(row)) => Place { start: line(row).start, beside: line(row), columns },
            (None, None) => {
                let last = table.range.start + page.get(table.range.clone()).map_or(0, |text| text.trim_end().len());
                let beside = line_of(page, last.saturating_sub(1));
                Place { start: beside.end, beside, columns }
            }
        }
    }

    /// The line of a new row, with what stands before the first `|` in the row beside it, and as many cells.
    fn line(&self, row: &Row<'_>, place: &Place) -> String {
        let page = self.sides.page;
        let beside = page.get(place.beside.clone()).unwrap_or_default();
        let indent: String = beside.chars().take_while(|c| matches!(c, ' ' | '\t' | '>')).collect();
        let label = self.sides.new.text.get(row.label_range.clone()).unwrap_or_default();
        let further = " |".repeat(place.columns.saturating_sub(2));
        let line = format!("{indent}| {label} | {} |{further}", row.value);
        // behind a last line without a line end the new one has none either
        match place.start == page.len() && !page.ends_with('\n') {
            true => format!("{}{line}", line_end(page)),
            false => format!("{line}{}", if beside.ends_with("\r\n") { "\r\n" } else { "\n" }),
        }
    }
}

/// Where a new row goes.
struct Place {
    start: usize,
    /// The line of a row beside it.
    beside: Range<usize>,
    columns: usize,
}

impl<'a> Remembered<'a> {
    fn of(sides: &Sides<'a>, labels: &Labels<'_>) -> Self {
        let mut rows = BTreeMap::new();
        for (label, value) in sides.base.iter().flat_map(|base| &base.rows) {
            rows.entry(labels.key(label)).or_insert((label.as_str(), value.as_str()));
        }
        Remembered { rows, is_known: sides.base.is_some() }
    }

    /// What was generated for a row: nothing for one that was not, `None` when nobody knows.
    fn value(&self, key: &str) -> Option<&'a str> {
        self.is_known.then(|| self.rows.get(key).map_or("", |(_, value)| value))
    }
}

fn rows_of<'a>(page: &'a str, labels: &Labels<'_>, table: &Table) -> Vec<Row<'a>> {
    let columns = table.rows.first().map_or(0, Vec::len);
    let row = |cells: &Vec<Range<usize>>| {
        let (label_range, value_range) = (cells.first()?.clone(), cells.get(1)?.clone());
        let label = shown(page.get(label_range.clone())?);
        let value = page.get(value_range.clone())?;
        let key = labels.key(&label);
        (!label.is_empty()).then_some(Row { key, label, label_range, value, value_range, columns })
    };
    table.rows.iter().skip(1).filter_map(row).collect()
}

/// Generated rows a person moved to another table of the page: those the metric table does not have any more. Whoever splits
/// a table still wants its cells kept up to date. A row that the metric table has too is a person's own.
fn moved<'a>(
    page: &'a str,
    labels: &Labels<'_>,
    metric: &Table,
    ours: &[Row<'_>],
    base: &Remembered<'_>,
) -> Vec<Row<'a>> {
    let others = tables(page).into_iter().filter(|table| table.range != metric.range);
    let rows = others.flat_map(|table| rows_of(page, labels, &table));
    let was_moved = |row: &Row<'_>| {
        !row.value.is_empty() && base.rows.contains_key(&row.key) && ours.iter().all(|ours| ours.key != row.key)
    };
    rows.filter(was_moved).collect()
}

/// A cell's new value, with the blanks and borders an empty one lacks.
fn written(page: &str, row: &Row<'_>, value: &str) -> (Range<usize>, String) {
    if !row.value_range.is_empty() {
        return (row.value_range.clone(), value.to_owned());
    }
    let line = line_of(page, row.label_range.start);
    let rest = row.value_range.start.max(row.label_range.end)..line.end;
    let border = page.get(rest.clone()).and_then(|rest| rest.find('|'));
    let has_cell = row.value_range.start < line.end && border.is_some() && row.value_range.start > row.label_range.end;
    if has_cell {
        let at = row.value_range.start;
        let blank = if page.get(..at).is_some_and(|before| before.ends_with(' ')) { "" } else { " " };
        return (row.value_range.clone(), format!("{blank}{value} "));
    }
    // the row ends behind its label
    let end = line.start + page.get(line.clone()).map_or(0, |line| line.trim_end().len());
    let border = if page.get(line.start..end).is_some_and(|line| line.ends_with('|')) { "" } else { " |" };
    let further = " |".repeat(row.columns.saturating_sub(2));
    (end..end, format!("{border} {value} |{further}"))
}

/// The line that holds a byte; for a last line without a line end the one before it goes instead.
fn whole_line(page: &str, at: usize) -> Range<usize> {
    let line = line_of(page, at);
    if page.get(line.clone()).is_some_and(|text| text.ends_with('\n')) {
        return line;
    }
    let before = page.get(..line.start).unwrap_or_default();
    let start = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).map_or(line.start, str::len);
    start..line.end
}
