//! The ways a figure goes wrong, each made at one place of a page.

use super::figures::{Figure, Form};
use super::rng::Rng;

/// One way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The last digit one up, with carry: `150` to `151`, `13:43:59` to `13:44:00`.
    OffByOne,
    /// One digit replaced by another.
    OtherDigit,
    /// Two neighbouring digits swapped: `1,658` to `1,568`.
    DigitsSwapped,
    /// A time seven minutes later.
    OtherMinute,
    /// Minutes for seconds and the reverse.
    OtherUnit,
    /// Changed places with the next figure of its form in the row: `(29) … (41)` to `(41) … (29)`.
    HalvesSwapped,
}

/// A page with one figure changed.
#[derive(Debug, Clone)]
pub struct Change {
    pub way: Way,
    /// Index of the figure.
    pub figure: usize,
    /// The figure's words as they were, its unit included.
    pub was: String,
    /// What stands there now; of swapped halves the first.
    pub is: String,
    /// The whole page with it.
    pub page: String,
}

/// Every change of every figure.
pub fn changes(page: &str, figures: &[Figure]) -> Vec<Change> {
    let mut all = Vec::new();
    for (index, figure) in figures.iter().enumerate() {
        let words = &page[figure.range.clone()];
        let mut rng = Rng::at(figure.range.start as u64);
        let numbers = [
            (Way::OffByOne, off_by_one(words, figure.form)),
            (Way::OtherDigit, other_digit(words, &mut rng)),
            (Way::DigitsSwapped, digits_swapped(words)),
            (Way::OtherMinute, (figure.form == Form::Clock).then(|| later(words, 7 * 60)).flatten()),
        ];
        for (way, changed) in numbers {
            let Some(changed) = changed.filter(|changed| changed != words) else { continue };
            let unit = &page[figure.unit.clone()];
            let (was, is) = (format!("{words}{unit}"), format!("{changed}{unit}"));
            all.push(Change { way, figure: index, was, is, page: replaced(page, figure, &changed) });
        }
        all.extend(other_unit(page, figure, index));
        all.extend(halves_swapped(page, figures, index));
    }
    all
}

fn replaced(page: &str, figure: &Figure, by: &str) -> String {
    format!("{}{by}{}", &page[..figure.range.start], &page[figure.range.end..])
}

fn off_by_one(words: &str, form: Form) -> Option<String> {
    match form {
        Form::Clock => later(words, if words.matches(':').count() == 2 { 1 } else { 60 }),
        Form::Date => other_last_digit(words),
        _ => Some(one_up(words)),
    }
}

/// A time so many seconds later, in the same form.
fn later(words: &str, seconds: u32) -> Option<String> {
    let mut parts = words.split(':').map(|part| part.parse::<u32>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let with_seconds = words.matches(':').count() == 2;
    let of_day = hours * 3600 + minutes * 60 + if with_seconds { parts.next()?? } else { 0 } + seconds;
    let (hours, minutes, seconds) = (of_day / 3600 % 24, of_day / 60 % 60, of_day % 60);
    Some(if with_seconds {
        format!("{hours:02}:{minutes:02}:{seconds:02}")
    } else {
        format!("{hours:02}:{minutes:02}")
    })
}

fn other_last_digit(words: &str) -> Option<String> {
    let last = words.chars().last()?.to_digit(10)?;
    Some(format!("{}{}", &words[..words.len() - 1], (last + 1) % 10))
}

/// A number one unit of its last digit up, separators kept where they are.
fn one_up(words: &str) -> String {
    let mut carry = true;
    let mut digits: Vec<char> = Vec::new();
    for c in words.chars().rev() {
        let Some(digit) = c.to_digit(10).filter(|_| carry) else {
            digits.push(c);
            continue;
        };
        carry = digit == 9;
        digits.extend(char::from_digit((digit + 1) % 10, 10));
    }
    if carry {
        digits.push('1');
    }
    digits.into_iter().rev().collect()
}

fn other_digit(words: &str, rng: &mut Rng) -> Option<String> {
    let places: Vec<usize> = words.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *places.get(rng.below(places.len() as u64) as usize)?;
    let old = words[at..].chars().next()?.to_digit(10)?;
    // no number begins with a zero that did not
    let first = places.first() == Some(&at) && places.len() > 1 && old != 0;
    let new = (1..10).map(|_| (old + 1 + rng.below(9) as u32) % 10).find(|new| !first || *new != 0)?;
    Some(format!("{}{new}{}", &words[..at], &words[at + 1..]))
}

/// The first two neighbouring digits that differ change places.
fn digits_swapped(words: &str) -> Option<String> {
    let places: Vec<usize> = words.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let digit = |at: usize| &words[at..at + 1];
    let swappable = |pair: &&[usize]| digit(pair[0]) != digit(pair[1]) && !(pair[0] == 0 && digit(pair[1]) == "0");
    let pair = places.windows(2).rev().find(swappable)?;
    let (a, b) = (pair[0], pair[1]);
    Some(format!("{}{}{}{}{}", &words[..a], digit(b), &words[a + 1..b], digit(a), &words[b + 1..]))
}

/// Units and what they are taken for.
const UNITS: [(&str, &str); 10] = [
    ("hours", "minutes"),
    ("minutes", "seconds"),
    ("seconds", "minutes"),
    ("minute", "second"),
    ("second", "minute"),
    ("min", "s"),
    ("ms", "s"),
    ("h", "m"),
    ("m", "s"),
    ("s", "m"),
];

fn other_unit(page: &str, figure: &Figure, index: usize) -> Option<Change> {
    if figure.form != Form::Length {
        return None;
    }
    let unit = &page[figure.unit.clone()];
    let word = unit.trim_start_matches([' ', '-']);
    let (_, other) = UNITS.iter().find(|(name, _)| *name == word)?;
    let changed = unit.replace(word, other);
    let words = &page[figure.range.clone()];
    Some(Change {
        way: Way::OtherUnit,
        figure: index,
        was: format!("{words}{unit}"),
        is: format!("{words}{changed}"),
        page: format!("{}{changed}{}", &page[..figure.unit.start], &page[figure.unit.end..]),
    })
}

fn halves_swapped(page: &str, figures: &[Figure], index: usize) -> Option<Change> {
    let figure = &figures[index];
    let next = figures.get(index + 1)?;
    let (first, second) = (&page[figure.range.clone()], &page[next.range.clone()]);
    if next.form != figure.form || next.line != figure.line || first == second {
        return None;
    }
    let between = &page[figure.range.end..next.range.start];
    Some(Change {
        way: Way::HalvesSwapped,
        figure: index,
        was: first.to_owned(),
        is: second.to_owned(),
        page: format!("{}{second}{between}{first}{}", &page[..figure.range.start], &page[next.range.end..]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_change_as_their_ways_say() {
        assert_eq!(one_up("1,299"), "1,300");
        assert_eq!(one_up("0.99"), "1.00");
        assert_eq!(one_up("99"), "100");
        assert_eq!(later("13:43:59", 1).as_deref(), Some("13:44:00"));
        assert_eq!(later("23:58", 420).as_deref(), Some("00:05"));
        assert_eq!(digits_swapped("1,658").as_deref(), Some("1,685"));
        assert_eq!(digits_swapped("55"), None);
        assert_eq!(digits_swapped("10").as_deref(), None);
    }

    #[test]
    fn every_figure_of_a_row_is_changed_and_names_are_not() {
        let page = "| k | v |\n|---|---|\n| Test start | 2026-08-27 13:41:19 UTC |\n\
            | Observed errors | 150 HTTP 503 (0.13%), `x 5`, v4.1, p95, cdde3ab3e, n2-standard-8, (1) a 55-second burst, 24x |\n";
        let figures = super::super::figures::figures(page);
        let words: Vec<&str> = figures.iter().map(|figure| &page[figure.range.clone()]).collect();
        assert_eq!(words, ["2026-08-27", "13:41:19", "150", "503", "0.13", "55", "24"]);
        let changed = changes(page, &figures);
        assert!(changed.iter().any(|change| change.is == "55-minute"));
        assert!(changed.iter().all(|change| change.page != page));
        assert!((0..figures.len()).all(|index| changed.iter().any(|change| change.figure == index)));
    }
}
