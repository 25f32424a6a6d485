//! Words for shapes: `sustained across the whole run`, `not a burst`, `scattered singles`, `no onset and no recovery`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::reader::{Outcome, RAW, Reader};
use crate::model::{Shape, Window};

static WORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(sustained|continuous|throughout the (?:run|test)|across the whole run|scattered|sporadic|no onset|no recovery|(?:a|one|single|the|bounded|tight|short)[ -](?:\S+ )?burst\b)").expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&WORD) {
        let range = found.whole();
        let clause = reader.text.part(range.start, &["; ", " — ", ", "]);
        let before = reader.text.slice(clause.start..range.start).to_owned();
        let negated = ["not ", "no ", "never ", "than ", "without "].iter().any(|w| before.ends_with(w));
        let word = reader.plain(&range).to_owned();
        // part of a longer word, `over-sustained-churn`
        let after = reader.text.slice(range.end..clause.end);
        if before.ends_with('-') || after.starts_with('-') {
            continue;
        }
        let subject = reader.subject(range.start);
        // a burst named in passing tells nothing new, and what other words mean by it is theirs
        if !subject.certain
            || word.ends_with("burst")
                && !negated
                && reader.mentions.iter().all(|m| !reader.text.sentence(range.start).contains(&m.range.start))
        {
            continue;
        }
        let outcome = judged(reader, &range, &word, negated);
        reader.judge(Kind::Shape, "how they lie in time", range, outcome);
    }
}

fn judged(reader: &Reader<'_>, range: &Range<usize>, word: &str, negated: bool) -> Outcome {
    let Some(run) = reader.window() else { return Outcome::unverifiable(RAW, "the run's window is not known") };
    let subject = reader.subject(range.start);
    let told = reader.by_reading(&subject, |group| {
        let shapes: Vec<Shape> = group.members.iter().filter_map(|p| p.shape).collect();
        let span = group.span()?;
        let shape = *shapes.first()?;
        let is = match word {
            "no onset" => near_start(span, run),
            "no recovery" => near_end(span, run),
            w if w.starts_with("sustained")
                || w.starts_with("continuous")
                || w.starts_with("throughout")
                || w.starts_with("across") =>
            {
                shape == Shape::Sustained
            }
            w if w.starts_with("scattered") || w.starts_with("sporadic") => {
                shapes.iter().all(|s| *s == Shape::Scattered) || group.count() < 10
            }
            _ => shapes.iter().any(|s| matches!(s, Shape::Burst | Shape::Bursts)),
        };
        Some((is != negated, in_words(shape).to_owned()))
    });
    // thresholds of shapes are ours: another word for a border case is no mistake
    match told.severity {
        Some(crate::check::Severity::Error) => border(told, word),
        _ => told,
    }
}

fn near_start(span: Window, run: Window) -> bool {
    span.start - run.start <= (run.end - run.start) / 10
}

fn near_end(span: Window, run: Window) -> bool {
    run.end - span.end <= (run.end - run.start) / 10
}

/// `burst` for what is sustained and the reverse are wrong; with `scattered` between them one may differ.
fn border(told: Outcome, word: &str) -> Outcome {
    let scattered =
        told.data.as_deref() == Some("scattered") || word.starts_with("scattered") || word.starts_with("sporadic");
    if !scattered {
        return told;
    }
    Outcome { verdict: crate::check::Verdict::Unverifiable, severity: Some(crate::check::Severity::Note), ..told }
}

fn in_words(shape: Shape) -> &'static str {
    match shape {
        Shape::Burst => "one burst",
        Shape::Bursts => "several bursts",
        Shape::Sustained => "sustained",
        Shape::Scattered => "scattered",
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Unverifiable, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn words_for_shapes_are_judged_and_border_cases_left_open() {
        come_to(
            "shape",
            &[
                ("The 503s were one burst.", &[Ok]),
                ("The 503s were sustained.", &[Wrong]),
                ("The 503s were scattered.", &[Unverifiable]),
                ("An over-sustained-churn target.", &[]),
                ("The timeouts had no onset.", &[Wrong]),
            ],
        );
    }
}
