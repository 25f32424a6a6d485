/// One line: a label with dots behind it, then figures.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// With its own indentation below that of the section.
    pub label: String,
    pub figures: Figures,
}

/// The two kinds of lines, each with columns of its own.
#[derive(Debug, Clone)]
pub(super) enum Figures {
    /// A trend's statistics; absent ones are left out.
    Columns(Vec<Option<String>>),
    /// Everything else.
    Words(Vec<String>),
}

/// Widths that a group of lines shares.
#[derive(Debug, Default)]
pub(super) struct Widths {
    label: usize,
    columns: Vec<usize>,
    words: Vec<usize>,
}

/// Writes rows that line up among themselves.
pub(super) fn lines(rows: &[Row]) -> String {
    let widths = Widths::of(rows.iter());
    rows.iter().map(|row| widths.line(row)).collect::<Vec<_>>().join("\n")
}

impl Widths {
    pub fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut widths = Widths::default();
        for row in rows {
            widths.label = widths.label.max(width(&row.label));
            match &row.figures {
                Figures::Columns(columns) => {
                    widen(&mut widths.columns, columns.iter().map(|cell| cell.as_deref().map_or(0, width)));
                }
                Figures::Words(words) => widen(&mut widths.words, words.iter().map(|word| width(word))),
            }
        }
        widths
    }

    /// The label with at least three dots, then the padded figures without trailing space.
    pub fn line(&self, row: &Row) -> String {
        let dots = ".".repeat((self.label + 3).saturating_sub(width(&row.label)));
        let figures = match &row.figures {
            Figures::Columns(columns) => padded(columns.iter().map(Option::as_deref), &self.columns),
            Figures::Words(words) => padded(words.iter().map(|word| Some(word.as_str())), &self.words),
        };
        format!("    {}{dots}: {figures}", row.label).trim_end().to_owned()
    }
}

fn padded<'a>(cells: impl Iterator<Item = Option<&'a str>>, widths: &[usize]) -> String {
    let cells = cells.zip(widths).filter_map(|(cell, width)| Some(format!("{:<width$}", cell?)));
    cells.collect::<Vec<_>>().join(" ")
}

fn widen(widths: &mut Vec<usize>, cells: impl Iterator<Item = usize>) {
    for (i, cell) in cells.enumerate() {
        match widths.get_mut(i) {
            Some(width) => *width = cell.max(*width),
            None => widths.push(cell),
        }
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
