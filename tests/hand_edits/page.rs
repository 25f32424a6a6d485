//! A page as a list of its parts, read and written by rules of its own: the tests must not believe the program's.

use sweepdoc::render::RenderedPage;

/// Who wrote a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Generator,
    Person,
}

/// One part of a page; lines have no line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A line nobody generates.
    Line(String),
    /// A front matter field.
    Field {
        name: String,
        text: String,
        by: By,
    },
    /// The intro.
    Intro {
        text: String,
        by: By,
    },
    Row(Row),
    /// The inside of k6's block, and its fences.
    Block {
        open: String,
        text: String,
        close: String,
        by: By,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The label the generator knows it by; empty for a person's own row.
    pub known: String,
    pub label: String,
    /// Blanks before and behind label and cell.
    pub blanks: [String; 4],
    pub cell: String,
    pub by: By,
    /// Further cells, as they stand.
    pub rest: String,
}

/// A page and the form of its file.
#[derive(Debug, Clone)]
pub struct Page {
    pub parts: Vec<Part>,
    pub crlf: bool,
    pub bom: bool,
    pub last_line_end: bool,
}

impl Page {
    /// Takes a generated page apart.
    pub fn of(page: &RenderedPage) -> Self {
        let mut parts = Vec::new();
        let mut lines = page.text.lines().peekable();
        let mut dashes = 0;
        while let Some(line) = lines.next() {
            dashes += usize::from(line == "---");
            if line.starts_with("```") {
                let close = line.trim_end_matches("bash").to_owned();
                let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != close).collect();
                parts.push(Part::Block { open: line.to_owned(), text: inside.join("\n"), close, by: By::Generator });
            } else if dashes == 1 && line.contains(": ") {
                let (name, text) = line.split_once(": ").unwrap();
                parts.push(Part::Field { name: name.to_owned(), text: text.to_owned(), by: By::Generator });
            } else if page.sections.get("intro").is_some_and(|intro| intro == line) {
                parts.push(Part::Intro { text: line.to_owned(), by: By::Generator });
            } else if let Some(row) = Row::of(line, page) {
                parts.push(Part::Row(row));
            } else {
                parts.push(Part::Line(line.to_owned()));
            }
        }
        Page { parts, crlf: false, bom: false, last_line_end: true }
    }

    pub fn text(&self) -> String {
        let mut text = self.parts.iter().map(|part| part.text() + "\n").collect::<String>();
        if !self.last_line_end {
            text.pop();
        }
        if self.crlf {
            text = text.replace('\n', "\r\n");
        }
        if self.bom { format!("\u{feff}{text}") } else { text }
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.parts.iter().filter_map(|part| if let Part::Row(row) = part { Some(row) } else { None })
    }

    /// Where a further block of text may go: before an empty line that is in nothing.
    pub fn gaps(&self) -> Vec<usize> {
        let is_gap = |(_, part): &(usize, &Part)| **part == Part::Line(String::new());
        self.parts.iter().enumerate().filter(is_gap).map(|(at, _)| at).collect()
    }

    pub fn row_places(&self) -> Vec<usize> {
        self.parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Row(_))).map(|(at, _)| at).collect()
    }
}

impl Part {
    pub fn text(&self) -> String {
        match self {
            Part::Line(text) | Part::Intro { text, .. } => text.clone(),
            Part::Field { name, text, .. } => format!("{name}: {text}"),
            Part::Row(row) => row.line(),
            Part::Block { open, text, close, .. } => format!("{open}\n{text}\n{close}"),
        }
    }
}

impl Row {
    /// A row of a generated page, apart by its two borders: generated labels have none inside.
    fn of(line: &str, page: &RenderedPage) -> Option<Self> {
        let (label, cell) = line.strip_prefix('|')?.strip_suffix('|')?.split_once('|')?;
        let known = label.trim().to_owned();
        if page.rows.get(&known)? != cell.trim() {
            return None;
        }
        let before = |text: &str| text[..text.len() - text.trim_start().len()].to_owned();
        let behind = |text: &str| text[text.trim_end().len()..].to_owned();
        let behind_cell = if cell.trim().is_empty() { String::new() } else { behind(cell) };
        let blanks = [before(label), behind(label), before(cell), behind_cell];
        let cell = cell.trim().to_owned();
        Some(Row { label: known.clone(), known, blanks, cell, by: By::Generator, rest: String::new() })
    }

    /// Of an empty cell all blanks stand before the value.
    pub fn settle(&mut self) {
        if self.cell.is_empty() {
            let behind = std::mem::take(&mut self.blanks[3]);
            self.blanks[2].push_str(&behind);
        }
    }

    /// A row as it is newly put in.
    pub fn new(label: &str, cell: &str, by: By) -> Self {
        let blanks = [" ", " ", " ", " "].map(str::to_owned);
        let known = if by == By::Generator { label.to_owned() } else { String::new() };
        Row { known, label: label.to_owned(), blanks, cell: cell.to_owned(), by, rest: String::new() }
    }

    fn line(&self) -> String {
        let Row { label, cell, blanks: [a, b, c, d], rest, .. } = self;
        format!("|{a}{label}{b}|{c}{cell}{d}|{rest}")
    }
}
