//! Claims in a cell a person wrote or corrected, judged against the evidence of the run.
//!
//! Each kind of claim is one small file that says which forms it reads. A claim is wrong only when it is wrong under every
//! reading of the words; when the words leave open what they are about it is unverifiable. What is said of other runs, what
//! might be, and what somebody makes of it is nobody's claim about this run.

mod absence;
mod checks;
mod checks_within;
mod counts;
mod data;
mod endpoints;
mod foreign;
mod generated;
mod inside;
mod iterations;
mod kind;
mod lengths;
mod offsets;
mod older;
mod other_rows;
mod products;
mod quantities;
mod rates;
mod reader;
mod repeated;
mod shape;
mod subject;
mod sums;
#[cfg(test)]
mod testing;
mod text;
mod totals;
mod windows;

use super::finding::Claim;
use super::{Judgement, Older, Severity};
use crate::model::Evidence;
pub use kind::Kind;
use reader::Reader;

/// A cell of prose with its place on the page.
#[derive(Debug, Clone, Copy)]
pub struct ProseCell<'a> {
    /// Label of its row as on the page.
    pub row: &'a str,
    /// Its Markdown as it stands there.
    pub markdown: &'a str,
    /// Its line, counted from 1.
    pub line: u64,
    /// Column of its first character, counted from 1.
    pub column: u64,
}

/// What a cell is judged against.
#[derive(Debug, Clone, Copy)]
pub struct ProseTruth<'a> {
    /// Everything known of the run.
    pub evidence: &'a Evidence,
    /// The other rows of the page: label and text as shown, `<br/>` as a line end.
    pub others: &'a [(&'a str, &'a str)],
    /// Where the evidence comes from: `evidence.json`, `k6 output on line 93`.
    pub source: &'a str,
    /// The same target's run of an older version, for what is said of the previous run.
    pub older: Option<&'a Older>,
}

/// Longest text that is read, in bytes: a cell or paragraph of a page has some hundred, and what is said in one text is held
/// against everything else in it.
const LONGEST: usize = 20_000;

/// Reads a cell's claims and judges each, in the order of the text.
///
/// Claims that hold come out too, as [`Verdict::Ok`](super::Verdict::Ok). A cell without any claim gives nothing; of one that is
/// too long to be read comes out that it was not.
pub fn judge(cell: &ProseCell<'_>, truth: &ProseTruth<'_>) -> Vec<Judgement> {
    if cell.markdown.len() > LONGEST {
        return vec![too_long(cell)];
    }
    let mut judgements = this_run(Reader::new(cell, truth));
    judgements.extend(older::judge(cell, truth));
    judgements.sort_by_key(|j| (j.line, j.column));
    judgements
}

/// A warning: otherwise a report without findings would say that the text was proved.
fn too_long(cell: &ProseCell<'_>) -> Judgement {
    const BEGINNING: usize = 60;
    let claim = Claim::at(
        (cell.line, cell.column),
        cell.row,
        super::finding::PAGE,
        "a text that can be checked",
        cell.markdown.chars().take(BEGINNING).collect::<String>().trim_end(),
    );
    let why = format!("not checked: it has {} bytes, at most {LONGEST} are read", cell.markdown.len());
    Judgement { severity: Some(Severity::Warning), ..claim.unverifiable("a shorter text", why) }
}

fn this_run(mut reader: Reader<'_>) -> Vec<Judgement> {
    // the order decides who reads words that two kinds could read
    let kinds: [fn(&mut Reader<'_>); 19] = [
        generated::read,
        // names of checks and of requests may be alike
        endpoints::read,
        windows::impossible,
        checks_within::read,
        totals::read,
        checks::read,
        iterations::read,
        inside::read,
        rates::read,
        absence::read,
        repeated::read,
        offsets::read,
        lengths::read,
        counts::read,
        windows::read,
        shape::read,
        other_rows::read,
        products::read,
        sums::read,
    ];
    kinds.iter().for_each(|read| read(&mut reader));
    reader.out
}

#[cfg(test)]
mod tests {
    use super::testing::{come_to, judged, two_causes};
    use crate::check::{Severity, Verdict};

    #[test]
    fn a_text_too_long_to_be_read_is_said_not_to_be_checked() {
        let long = "41 HTTP 503. ".repeat(2_000);
        let found = judged("Observed errors", "page", &long, &two_causes(), &[]);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.verdict, one.severity), (Verdict::Unverifiable, Some(Severity::Warning)));
        assert!(one.is_finding() && one.explanation.contains("26000 bytes"), "{one:?}");
        come_to("page", &[("41 HTTP 503.", &[])]);
    }
}
