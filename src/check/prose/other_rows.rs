//! What another row of the page says too: `database CPU 98%`, `ZITADEL CPU 16%`, `97% CPU` in a clause on the database.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::quantities::percentage;
use super::reader::{Outcome, Reader};

static CPU: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([a-z]\w*)(?:'s)? (cpu|memory)(?: usage| load)?(?: (?:was|is|at|of|stood at|reached))?:? (?:at )?(\d+(?:\.\d+)?%)|\b(\d+(?:\.\d+)?%) (?:of )?(?:its |the )?(cpu|memory)\b").expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&CPU) {
        let Some(range) = found.get(3).or(found.get(4)) else { continue };
        let Some(what) = found.get(2).or(found.get(5)).map(|r| reader.plain(&r).to_owned()) else { continue };
        let clause = reader.text.clause(range.start);
        let owner =
            found.get(1).map(|r| reader.plain(&r).to_owned()).or_else(|| owner_in(reader, &clause, range.start));
        let Some(owner) = owner else { continue };
        let Some((label, text)) = metrics_row(reader, &owner) else { continue };
        let Some(line) = text.lines().find(|line| line.trim_start().to_lowercase().starts_with(&what)) else {
            continue;
        };
        let outcome = compared(reader, &range, label, line);
        reader.judge(Kind::Row, format!("{what} of {owner}"), range, outcome);
    }
}

/// The last word before the figure that begins a row of metrics.
fn owner_in(reader: &Reader<'_>, clause: &Range<usize>, at: usize) -> Option<String> {
    let before = reader.text.slice(clause.start..at);
    before
        .split(|c: char| !c.is_alphanumeric())
        .rev()
        .find(|word| metrics_row(reader, word).is_some())
        .map(str::to_owned)
}

/// `Database metrics during test` of `database`.
fn metrics_row<'a>(reader: &Reader<'a>, owner: &str) -> Option<(&'a str, &'a str)> {
    let begins = |label: &str| {
        let label = label.to_lowercase();
        label.contains("metrics") && label.split_whitespace().next() == Some(owner)
    };
    reader.truth.others.iter().find(|(label, _)| begins(label)).map(|(label, text)| (*label, *text))
}

fn compared(reader: &Reader<'_>, range: &Range<usize>, label: &str, line: &str) -> Outcome {
    let Some(stated) = percentage(reader.plain(range)) else {
        return Outcome::unverifiable("monitoring exports", "the figure cannot be read");
    };
    let figures: Vec<f64> = line
        .split_inclusive('%')
        .filter_map(|part| percentage(part.rsplit(' ').next()?))
        .map(|p| p.figure.value)
        .collect();
    let same = figures.iter().any(|f| stated.figure.fits(*f));
    if same {
        return Outcome::ok(line.trim());
    }
    Outcome::contradicted(line.trim(), &format!("row `{label}`"), "no figure of that row")
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Contradicted, Ok};
    use crate::check::prose::testing::{two_causes, verdicts};

    #[test]
    fn figures_of_a_metrics_row_are_those_of_that_row() {
        let rows = [
            ("Database metrics during test", "CPU: 98% median, 100% peak\nMemory: 40%"),
            ("Shop metrics during test", "CPU: p50 16%"),
        ];
        let of = |text: &str| verdicts("row", text, &two_causes(), &rows);
        assert_eq!(of("Database CPU 98%, shop CPU 16%, database memory at 40%."), [Ok, Ok, Ok]);
        assert_eq!(of("Database CPU 89%."), [Contradicted]);
        assert_eq!(of("The database is saturated (98% CPU)."), [Ok]);
        assert!(of("Client CPU 12%, and 30% of the load.").is_empty());
        assert!(verdicts("row", "Database CPU 89%.", &two_causes(), &[]).is_empty());
    }
}
