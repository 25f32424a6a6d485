//! What monitoring says of a sweep, in sentences for the text below its table.

use super::figure::Form;
use super::outcome::words;
use crate::model::{DigestRange, OutcomeTargets, QueryTotals, SweepDigest};
use crate::notation::{count, escape};

const NUMBERS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The sentences, without final full stops; none when nothing was exported.
pub fn digest_lines(digest: &SweepDigest) -> Vec<String> {
    let mut lines: Vec<String> = digest.ranges.iter().map(|range| range_line(range, digest.targets)).collect();
    lines.extend(digest.queries.as_ref().filter(|queries| queries.total_seconds > 0.0).map(queries_line));
    lines.extend(digest.outcomes.iter().map(outcome_line));
    lines
}

/// `database CPU 86-98% median on nine of eleven targets`.
fn range_line(range: &DigestRange, targets: u64) -> String {
    let name = if range.quantity == "database_cpu" { "database CPU" } else { "container CPU" };
    let on = match range.targets == targets {
        true => "every target".to_owned(),
        false => format!("{} of {} targets", number(range.targets), number(targets)),
    };
    format!("{name} {} median on {on}", percents(range.range))
}

fn percents((low, high): (f64, f64)) -> String {
    let (low, high) = (Form::Share.write(low), Form::Share.write(high));
    let text = if low == high { high } else { format!("{}-{high}", low.trim_end_matches('%')) };
    escape::cell(&text)
}

fn number(n: u64) -> String {
    usize::try_from(n).ok().and_then(|n| NUMBERS.get(n)).map_or_else(|| count::write(n), |word| (*word).to_owned())
}

/// `database time 24,942 s over two runs: advisory locks 15,071 s (60%)`.
fn queries_line(queries: &QueryTotals) -> String {
    let mut categories: Vec<(&String, &f64)> = queries.categories.iter().collect();
    categories.sort_by(|a, b| b.1.total_cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let part = |(category, seconds): (&String, &f64)| {
        let share = escape::cell(&Form::Share.write(seconds / queries.total_seconds));
        format!("{} {} s ({share})", escape::cell(category), Form::Whole.write(*seconds))
    };
    let parts: Vec<String> = categories.into_iter().map(part).collect();
    let runs = if queries.runs == 1 { "run" } else { "runs" };
    let total = Form::Whole.write(queries.total_seconds);
    let categories = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("database time {total} s over {} {runs}{categories}", number(queries.runs))
}

/// `Scale (database): a, b`.
fn outcome_line(group: &OutcomeTargets) -> String {
    let targets: Vec<String> = group.targets.iter().map(|target| escape::cell(target)).collect();
    format!("{}: {}", words(group.verdict, &group.resources), targets.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{OutcomeVerdict, Resource};

    #[test]
    fn a_sweep_is_summed_up_in_sentences() {
        let digest = SweepDigest {
            targets: 11,
            ranges: vec![
                DigestRange { quantity: "database_cpu".into(), range: (0.86, 0.98), targets: 9 },
                DigestRange { quantity: "container_cpu_p50".into(), range: (0.16, 0.48), targets: 11 },
            ],
            queries: Some(QueryTotals {
                runs: 2,
                total_seconds: 24_942.149,
                advisory_seconds: 15_070.66,
                categories: [("advisory locks".to_owned(), 15_070.66), ("event reads".to_owned(), 2891.4)].into(),
            }),
            outcomes: vec![OutcomeTargets {
                verdict: OutcomeVerdict::Scale,
                resources: vec![Resource::Database],
                targets: vec!["a".into(), "b_c".into()],
            }],
        };
        assert_eq!(
            digest_lines(&digest),
            [
                "database CPU 86-98% median on nine of eleven targets",
                "container CPU 16-48% median on every target",
                "database time 24,942 s over two runs: advisory locks 15,071 s (60%), event reads 2,891 s (12%)",
                "Scale (database): a, b_c",
            ]
        );
        assert!(digest_lines(&SweepDigest::default()).is_empty());
    }
}
