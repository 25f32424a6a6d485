//! Sums of parts: the counts of a list against the total stated or known, `(1) 8,178 … (2) 1,044 … Plus 4x … and 1x …`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::complete;
use super::kind::Kind;
use super::quantities::number;
use super::reader::{Outcome, Reader};
use super::subject::Cause;
use crate::check::{Severity, Verdict};
use crate::model::PopulationOrigin;
use crate::notation::count;

/// Words by which a list leaves something out.
static OPEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:rest|remaining|remainder|others|unexplained|most|mainly|individually|among|at least|such as|including)\b")
        .expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    let Some(failed) = reader.evidence().requests.as_ref().and_then(|r| r.run.failed) else { return };
    // with the populations known each count is judged by itself
    let logged = reader.evidence().populations.iter().flatten().any(|p| p.origin == PopulationOrigin::Log);
    if complete(reader.evidence()) || logged {
        return;
    }
    let mut parts: Vec<(Cause, u64, Range<usize>)> = Vec::new();
    for mention in reader.mentions.clone() {
        let Some(range) = mention.count.clone().filter(|_| mention.cause != Cause::Any) else { continue };
        let Some(n) = number(reader.plain(&range)) else { continue };
        let earlier = parts.iter().find(|(cause, _, _)| *cause == mention.cause).map(|(_, earlier, _)| *earlier);
        if earlier.is_some_and(|earlier| is_of_it(reader, &mention.range, n, earlier)) {
            continue;
        }
        parts.push((mention.cause, n, range));
    }
    let listed = reader.text.plain.contains("(1)") && reader.text.plain.contains("(2)");
    let open = OPEN.is_match(&reader.text.plain);
    let Some(first) = parts.first() else { return };
    if parts.len() < 2 || !listed {
        return;
    }
    // a cause counted twice is a contradiction of its own, and of no use for a sum
    let doubled = parts.iter().enumerate().find_map(|(i, (cause, n, range))| {
        let earlier = parts.get(..i)?.iter().find(|(other, _, _)| other == cause)?;
        (earlier.1 != *n).then(|| (earlier.1, range.clone()))
    });
    if let Some((earlier, range)) = doubled {
        let outcome =
            Outcome::contradicted(count::write(earlier), "the same text", "the same cause with another number");
        let outcome = Outcome { verdict: Verdict::Contradicted, severity: Some(Severity::Warning), ..outcome };
        reader.judge(Kind::Sum, "one number for one cause", range, outcome);
        return;
    }
    let sum: u64 = parts.iter().map(|(_, n, _)| *n).fold(0, u64::saturating_add);
    let each = parts.iter().map(|(_, n, _)| count::write(*n)).collect::<Vec<_>>().join(" + ");
    let explanation = format!("{each} = {}", count::write(sum));
    let outcome = match (sum == failed, sum > failed || !open) {
        (true, _) => Outcome::ok(count::write(failed)),
        (false, true) => Outcome {
            severity: Some(Severity::Error),
            ..Outcome::contradicted(count::write(failed), reader.truth.source, explanation)
        },
        (false, false) => return,
    };
    reader.judge(Kind::Sum, "the parts make up the failed requests", first.2.clone(), outcome);
}

/// Words between a number and its cause that make it a part: `40 of the timeouts`.
static PART: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\S+ of \w").expect("a fixed pattern"));

/// True for a number that repeats one of the list, `75 timeouts aborted 0 iterations`, or is a part of it, `40 of the timeouts`.
fn is_of_it(reader: &Reader<'_>, range: &Range<usize>, n: u64, earlier: u64) -> bool {
    let part = PART.is_match(reader.plain(range)) || reader.text.slice(range.end..range.end + 4) == " on ";
    n == earlier || n < earlier && (part || super::counts::scope(reader, range).is_some())
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{self, Contradicted, Ok};
    use crate::check::prose::testing::{block_only, two_causes, verdicts};

    #[test]
    fn parts_of_a_list_sum_to_the_failed_requests() {
        let of = |text: &str| verdicts("sum", text, &block_only(), &[]);
        let none: [Verdict; 0] = [];
        assert_eq!(of("(1) 40 HTTP 503, after a restart. (2) 12 timeouts."), [Ok]);
        assert_eq!(of("(1) 41 HTTP 503. (2) 12 timeouts."), [Contradicted]);
        assert_eq!(of("(1) 30 HTTP 503. (2) 12 timeouts, and the rest."), none);
        assert_eq!(of("(1) 40 HTTP 503. (2) 12 timeouts. 10 of the timeouts came late."), [Ok]);
        assert_eq!(of("(1) 40 HTTP 503. (2) 12 timeouts; 21 timeouts aborted 0 iterations."), [Contradicted]);
        assert_eq!(of("40 HTTP 503 and 12 timeouts."), none, "no list");
        // with the causes known each count is judged by itself
        assert_eq!(verdicts("sum", "(1) 41 HTTP 503. (2) 12 timeouts.", &two_causes(), &[]), none);
    }
}
