//! A single figure of a row about machines: where it stands in the text, where it comes from, how it is written.

use std::sync::LazyLock;

use regex::{Match, Regex};

use crate::model::{Interpolated, Observability, Printed, Side};
use crate::notation::{count, duration, latency, number, per_second, percent, utilisation};

/// How a figure is written and read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `17%` of a fraction.
    Share,
    /// `305ms`, `12.9s` of milliseconds.
    Latency,
    /// `89`, `9.6` a second.
    Rate,
    /// `1,483`: a rounded count.
    Whole,
    /// `7`, `6.8`: a count that may be a mean.
    Level,
    /// `13,352 s`: whole seconds, read back in any unit.
    Seconds,
}

impl Form {
    pub fn write(self, value: f64) -> String {
        match self {
            Form::Share => utilisation::write(value),
            Form::Latency => latency::write(value),
            Form::Rate => per_second::throughput(value),
            // a count beyond the exact whole numbers of a double is none
            Form::Whole => count::write(value.round().clamp(0.0, 9e15) as u64),
            Form::Level => number::shortest(value, 1),
            Form::Seconds => format!("{} s", Form::Whole.write(value)),
        }
    }

    /// The value as this form has it; `None` when the text is not that.
    pub fn read(self, text: &str) -> Option<Printed> {
        match self {
            Form::Share => percent::read(text),
            Form::Latency => duration::read(text),
            Form::Rate | Form::Level => number::read(&text.replace(',', "")),
            Form::Whole => {
                let value = count::read(text)? as f64;
                Some(Printed { text: text.to_owned(), value: Some(value), step: 1.0 })
            }
            Form::Seconds => {
                let printed = duration::read(&text.replace(',', ""))?;
                Some(Printed { value: printed.value.map(|ms| ms / 1000.0), step: printed.step / 1000.0, ..printed })
            }
        }
    }
}

/// One figure of a row.
pub(super) struct Figure {
    /// What is claimed, in words.
    pub claim: &'static str,
    /// Finds it in the row's text: a regular expression with a group `value`.
    pub pattern: LazyLock<Regex>,
    pub form: Form,
    /// The data's figure; `None` when it is not known.
    pub data: fn(&Observability) -> Option<f64>,
}

/// A figure found in a row's text and held against the data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatedFigure {
    /// What is claimed, in words.
    pub claim: String,
    /// Where the words begin in the row's text.
    pub at: usize,
    /// The exact words.
    pub words: String,
    /// What the data says, in the same notation; `None` when it says nothing.
    pub data: Option<String>,
    /// How the two agree.
    pub agreement: Agreement,
}

/// How a stated figure agrees with the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// To the digit.
    Same,
    /// Rounded to other digits.
    Rounded,
    /// Cut off instead of rounded.
    Truncated,
    /// Not at all.
    Differs,
    /// The data says nothing, or the words cannot be read.
    Unknown,
}

/// A pattern of this program's own, compiled once for all pages.
pub(super) fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant")
}

impl Figure {
    /// The figure as the text has it; `None` when the text has none.
    pub fn stated(&self, text: &str, data: &Observability) -> Option<StatedFigure> {
        let found = self.pattern.captures(text)?;
        let value = found.name("value")?;
        let known = (self.data)(data);
        Some(StatedFigure::of(self.claim, value, known, self.form))
    }
}

impl StatedFigure {
    /// Words in a form, held against the data's value.
    pub(super) fn of(claim: impl Into<String>, words: Match<'_>, known: Option<f64>, form: Form) -> Self {
        let agreement = agreement(words.as_str(), known, form);
        StatedFigure {
            claim: claim.into(),
            at: words.start(),
            words: words.as_str().to_owned(),
            data: known.map(|value| form.write(value)),
            agreement,
        }
    }

    /// Words that are right or wrong as they are.
    pub(super) fn of_words(claim: impl Into<String>, words: Match<'_>, data: Option<String>, same: bool) -> Self {
        let agreement = match (&data, same) {
            (None, _) => Agreement::Unknown,
            (Some(_), true) => Agreement::Same,
            (Some(_), false) => Agreement::Differs,
        };
        StatedFigure { claim: claim.into(), at: words.start(), words: words.as_str().to_owned(), data, agreement }
    }
}

/// How words agree with a value in a form.
fn agreement(words: &str, known: Option<f64>, form: Form) -> Agreement {
    let Some(value) = known else { return Agreement::Unknown };
    if words == form.write(value) {
        return Agreement::Same;
    }
    match form.read(words).and_then(|printed| Some((printed.value?, printed.step))) {
        Some((stated, step)) if (stated - value).abs() <= step / 2.0 => Agreement::Rounded,
        Some((stated, step)) if (0.0..step).contains(&(value - stated)) => Agreement::Truncated,
        Some(_) => Agreement::Differs,
        None => Agreement::Unknown,
    }
}

/// `over` or `under` before a figure that fell into an open bucket.
pub(super) fn side(data: &Observability, name: &str) -> &'static str {
    match data.quantity(name).and_then(|figures| figures.overall) {
        Some(Interpolated { side: Some(Side::Above), .. }) => "over ",
        Some(Interpolated { side: Some(Side::Below), .. }) => "under ",
        _ => "",
    }
}
