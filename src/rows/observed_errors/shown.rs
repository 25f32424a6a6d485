use super::words;
use crate::model::Population;

/// Most populations written out as a clause of their own; the rest is summed up.
const WRITTEN_OUT: usize = 10;

/// Which populations have a clause of their own, so that no text points to one that has none.
pub(super) struct Shown<'a> {
    written: Vec<&'a Population>,
    further: Vec<&'a Population>,
}

impl<'a> Shown<'a> {
    /// The largest populations are written out, of equal ones the first by number.
    pub(super) fn of(populations: &'a [Population]) -> Self {
        let mut largest: Vec<&Population> = populations.iter().collect();
        largest.sort_by_key(|p| (std::cmp::Reverse(p.count), p.id));
        let mut further = largest.split_off(largest.len().min(WRITTEN_OUT));
        let mut written = largest;
        written.sort_by_key(|p| p.id);
        further.sort_by_key(|p| p.id);
        Shown { written, further }
    }

    /// The ones written out, by number.
    pub(super) fn written(&self) -> &[&'a Population] {
        &self.written
    }

    /// How the text calls a population: `(3)`, or without a clause of its own `a further cause`.
    pub(super) fn reference(&self, id: u32) -> String {
        match self.further.iter().any(|p| p.id == id) {
            true => "a further cause".to_owned(),
            false => format!("({id})"),
        }
    }

    /// `4 further causes (12 failures).`; `None` when every population is written out.
    pub(super) fn rest(&self) -> Option<String> {
        let failures = self.further.iter().map(|p| p.count).fold(0, u64::saturating_add);
        let causes = u64::try_from(self.further.len()).ok().filter(|n| *n > 0)?;
        let plural = |n: u64| if n == 1 { "" } else { "s" };
        Some(format!(
            "{} further cause{} ({} failure{}).",
            words::count(causes),
            plural(causes),
            words::count(failures),
            plural(failures)
        ))
    }
}
