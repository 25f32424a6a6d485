//! What trials came to, in figures.

use std::collections::BTreeMap;
use std::fmt;

use super::changes::Way;

/// Changes and how many of them were reported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recall {
    pub changed: u64,
    pub found: u64,
}

impl Recall {
    fn count(&mut self, found: bool) {
        self.changed += 1;
        self.found += u64::from(found);
    }

    /// True when at least so many percent were found.
    pub fn reaches(&self, percent: u64) -> bool {
        self.found * 100 >= self.changed * percent
    }
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = if self.changed == 0 { 100.0 } else { self.found as f64 * 100.0 / self.changed as f64 };
        write!(f, "{:>6} of {:>6}  {percent:6.2}%", self.found, self.changed)
    }
}

/// Everything counted over some pages.
#[derive(Debug, Default)]
pub struct Tally {
    pub pages: u64,
    /// Rows that are one value, and sentences of this tool's own.
    pub rows: Recall,
    /// What people wrote.
    pub prose: Recall,
    /// By the kind of claim the figure is part of; `unread` where no claim was read.
    pub kinds: BTreeMap<String, Recall>,
    pub ways: BTreeMap<Way, Recall>,
    /// Changes nothing can be said of, by reason.
    pub undecidable: BTreeMap<&'static str, u64>,
    /// Findings of severity error or warning on the unchanged pages.
    pub before: Vec<String>,
    /// Changes that had to be reported and were not.
    pub missed: Vec<String>,
}

impl Tally {
    /// Counts one decidable change.
    pub fn count(&mut self, is_prose: bool, kind: &str, way: Way, found: bool) {
        if is_prose { &mut self.prose } else { &mut self.rows }.count(found);
        self.kinds.entry(kind.to_owned()).or_default().count(found);
        self.ways.entry(way).or_default().count(found);
    }

    /// Adds what another part of the pages came to.
    pub fn add(&mut self, other: Tally) {
        let sum = |mine: &mut Recall, theirs: Recall| {
            *mine = Recall { changed: mine.changed + theirs.changed, found: mine.found + theirs.found };
        };
        self.pages += other.pages;
        sum(&mut self.rows, other.rows);
        sum(&mut self.prose, other.prose);
        other.kinds.into_iter().for_each(|(kind, recall)| sum(self.kinds.entry(kind).or_default(), recall));
        other.ways.into_iter().for_each(|(way, recall)| sum(self.ways.entry(way).or_default(), recall));
        other.undecidable.into_iter().for_each(|(why, n)| *self.undecidable.entry(why).or_default() += n);
        self.before.extend(other.before);
        self.missed.extend(other.missed);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} pages, {} findings on them as they are", self.pages, self.before.len())?;
        self.before.iter().try_for_each(|finding| writeln!(f, "  {finding}"))?;
        writeln!(f, "\ndecidable changes reported on their row")?;
        writeln!(f, "  {:<16}{}", "rows", self.rows)?;
        writeln!(f, "  {:<16}{}", "prose", self.prose)?;
        writeln!(f, "\nby kind of claim")?;
        self.kinds.iter().try_for_each(|(kind, recall)| writeln!(f, "  {kind:<16}{recall}"))?;
        writeln!(f, "\nby change")?;
        self.ways.iter().try_for_each(|(way, recall)| writeln!(f, "  {:<16}{recall}", format!("{way:?}")))?;
        writeln!(f, "\nnothing can be said of")?;
        self.undecidable.iter().try_for_each(|(why, n)| writeln!(f, "  {n:>6}  {why}"))?;
        writeln!(f, "\nnot reported")?;
        self.missed.iter().try_for_each(|missed| writeln!(f, "  {missed}"))
    }
}
