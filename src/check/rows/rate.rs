use super::{Judgement, PageRow, Subject, Verdict};
use crate::check::finding::Claim;
use crate::notation::{count, number, per_second};

/// Iterations per second: k6's own rate, to the nearest integer from 10 up.
pub(super) fn judge(subject: &Subject, row: &PageRow) -> Judgement {
    let claim = Claim::of_row(row, "rate", "iterations per second of the whole run");
    let rate = subject.truth.evidence.k6.iterations.and_then(|iterations| iterations.per_second);
    judged(claim, &row.text, rate, &subject.figure_from("iterations"))
}

/// A stated rate against k6's own; `source` is where that stands.
pub(in crate::check) fn judged(claim: Claim, text: &str, rate: Option<f64>, source: &str) -> Judgement {
    let needed = "k6 output or evidence.json";
    let Some(rate) = rate else { return claim.unverifiable(needed, "no data there states the rate") };
    let Some((stated, decimals)) = read(text) else {
        return claim.unverifiable(needed, "the value does not read as one rate");
    };
    let written = per_second::throughput(rate);
    let exact = per_second::write(rate);
    let rounded = number::to_fixed(rate, decimals);
    let truncated = number::to_fixed(number::truncate(rate, decimals as u32), decimals);
    if stated == written || stated == number::write(rate) {
        claim.holds(written, source, format!("k6 counts {exact}"))
    } else if stated == rounded {
        claim.inexact(Verdict::Rounded, exact, source, "right, in other digits than such a row has")
    } else if stated == truncated {
        claim.inexact(Verdict::Truncated, exact, source, &format!("cut off instead of rounded to {rounded}"))
    } else {
        claim.wrong(written, source, format!("k6 counts {exact}; it is written as {rounded}"))
    }
}

/// The number without separators and unit, and how many decimals it has.
fn read(text: &str) -> Option<(String, usize)> {
    let text = text.trim().trim_end_matches("iterations/s").trim_end_matches("/s").trim();
    let plain = count::read(text).map_or_else(|| text.to_owned(), |count| count.to_string());
    let value = per_second::read(&plain)?.value?;
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    (value >= 0.0 && decimals <= 9 && plain.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        .then_some((plain, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_with_separators_and_units() {
        assert_eq!(read("1,906"), Some(("1906".to_owned(), 0)));
        assert_eq!(read("39.04/s"), Some(("39.04".to_owned(), 2)));
        assert_eq!(read("about 39"), None);
        assert_eq!(read("-3"), None);
    }
}
