//! What is said of the run before this one: `the previous run saw 77 timeouts beginning at 1,255s`.
//!
//! The same kinds of claims as of this run, held against the older version's page. Another run than that page's may be
//! meant: what does not agree is a warning, and nothing is said when the page's run had other VUs than the text names.

use std::sync::LazyLock;

use regex::Regex;

use super::foreign;
use super::kind::Kind;
use super::reader::{Outcome, Reader};
use super::text::Text;
use super::{Judgement, ProseCell, ProseTruth};
use crate::check::{Severity, Verdict};

static FIGURE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\d[\d,]*(?:[.:]\d+)*(?:%|(?:min|ms|s|m|h)\b)?").expect("a fixed pattern"));
static VUS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(\d[\d,]*)[- ]vus?\b").expect("a fixed pattern"));

/// Judges every claim about the previous run; unverifiable, naming `--against`, without its page.
pub(super) fn judge(cell: &ProseCell<'_>, truth: &ProseTruth<'_>) -> Vec<Judgement> {
    let mut text = Text::read(cell.markdown, cell.column);
    if !foreign::keep_previous(&mut text, truth.evidence.k6.vus_max) {
        return Vec::new();
    }
    let Some(older) = truth.older else {
        return unknown(
            Reader::of(text, cell, truth),
            "the older version's pages, `--against`",
            "that run is not among the pages",
        );
    };
    let source = older.file.as_str();
    let named = VUS.captures(&text.plain).and_then(|found| super::quantities::number(found.get(1)?.as_str()));
    if named.is_some_and(|named| older.evidence.k6.vus_max.is_some_and(|vus| vus != named)) {
        let reader = Reader::of(text, cell, truth);
        return unknown(reader, "the page of the run that is meant", "the older page's run had another number of VUs");
    }
    let then = ProseTruth { evidence: &older.evidence, others: &[], source, older: None };
    super::this_run(Reader::of(text, cell, &then)).into_iter().map(of_previous).collect()
}

/// Every figure that is said of the previous run, with nothing to hold it against.
fn unknown(mut reader: Reader<'_>, needed: &str, why: &str) -> Vec<Judgement> {
    for found in reader.matches(&FIGURE) {
        reader.judge(Kind::Previous, "said of the previous run", found.whole(), Outcome::unverifiable(needed, why));
    }
    reader.out
}

/// The same judgement as one about the previous run, which is never an error of this page.
fn of_previous(judgement: Judgement) -> Judgement {
    let wrong = matches!(judgement.verdict, Verdict::Wrong | Verdict::Contradicted);
    Judgement {
        kind: Kind::Previous.as_str().to_owned(),
        claim: format!("{} (previous run)", judgement.claim),
        verdict: if wrong { Verdict::Contradicted } else { judgement.verdict },
        severity: judgement.severity.map(|severity| severity.min(Severity::Warning)),
        ..judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Older;
    use crate::check::prose::testing::two_causes;

    fn verdicts(markdown: &str, older: Option<&Older>) -> Vec<Verdict> {
        let evidence = two_causes();
        let cell = ProseCell { row: "Observed errors", markdown, line: 1, column: 1 };
        let truth = ProseTruth { evidence: &evidence, others: &[], source: "evidence.json", older };
        judge(&cell, &truth).iter().map(|j| j.verdict).collect()
    }

    #[test]
    fn the_previous_run_is_held_against_the_older_page() {
        // the older run has 40 HTTP 503 and 12 timeouts
        let older = Older { file: "v1/x/index.mdx".to_owned(), evidence: two_causes(), ..Older::default() };
        for (text, expected) in [
            ("The previous run had 12 timeouts.", vec![Verdict::Ok]),
            ("The previous run had 13 timeouts.", vec![Verdict::Contradicted]),
            ("12 timeouts here, against 40 HTTP 503 in the previous run.", vec![Verdict::Ok]),
            ("12 timeouts, as in any run.", vec![]),
            ("An earlier run had 13 timeouts.", vec![]),
        ] {
            assert_eq!(verdicts(text, Some(&older)), expected, "{text}");
        }
    }

    #[test]
    fn without_that_page_or_with_other_vus_nothing_can_be_said() {
        let older = Older { file: "v1/x/index.mdx".to_owned(), evidence: two_causes(), ..Older::default() };
        assert_eq!(verdicts("The previous run had 13 timeouts.", None), [Verdict::Unverifiable]);
        let of_others = verdicts("The previous 600-VU run had 13 timeouts.", Some(&older));
        assert!(of_others.iter().all(|v| *v == Verdict::Unverifiable), "{of_others:?}");
    }
}
