//! Iterations by how they ended, and VUs: `75 timeouts aborted 0 iterations`, `600 iterations were interrupted`, `2 iterations ended by an exception`, `ran at 200 VUs`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::quantities::{COUNT, number};
use super::reader::{Outcome, Reader};
use crate::notation::count;

const ENDING: &str = r"abort(?:ed|ing)?|interrupt(?:ed|ing)?|dropp?(?:ed|ing)?|ended by an exception|ended (?:in|with) an exception|threw(?: an exception)?|killed|cut off|lost|completed?|finished|ended early";

static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b({COUNT}|no) iterations? (?:were |was |had been |got |had |have been )?({ENDING})"))
        .expect("a fixed pattern")
});
static BEFORE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"\b({COUNT}|no) ({ENDING}) iterations?\b")).expect("a fixed pattern"));
static VERB: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"\b({ENDING}) ({COUNT}|no) iterations?\b")).expect("a fixed pattern"));
static VUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:ran|running|run|runs) (?:at|with|under) (\d[\d,]*) vus\b|\b(?:at|with|under) (\d[\d,]*) vus (?:on|in|for) this (?:target|run|test)\b")
        .expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    for (pattern, figure, word) in [(&AFTER, 1, 2), (&BEFORE, 1, 2), (&VERB, 2, 1)] {
        for found in reader.matches(pattern) {
            let (Some(range), Some(word)) = (found.get(figure), found.get(word)) else { continue };
            if reader.is_taken(&range) || !super::subject::stands_alone(&reader.text.plain, &range) {
                continue;
            }
            let ending = reader.plain(&word).to_owned();
            let outcome = ended(reader, &range, &ending);
            reader.judge(Kind::Iterations, format!("iterations {ending}"), range, outcome);
        }
    }
    for found in reader.matches(&VUS) {
        let Some(range) = found.get(1).or(found.get(2)) else { continue };
        let outcome = match (number(reader.plain(&range)), reader.evidence().k6.vus_max) {
            (Some(stated), Some(vus)) => Outcome::of(stated == vus, count::write(vus), "VUs of this run"),
            _ => Outcome::unverifiable("k6's own output", "the number of VUs is not known"),
        };
        reader.judge(Kind::Iterations, "VUs", range, outcome);
    }
}

fn ended(reader: &Reader<'_>, range: &Range<usize>, ending: &str) -> Outcome {
    let words = reader.plain(range);
    let Some(stated) = (if words == "no" { Some(0) } else { number(words) }) else {
        return Outcome::unverifiable("k6's own output", "the number cannot be read");
    };
    let iterations = &reader.evidence().iterations;
    let exceptions = iterations.exceptions.as_ref().map(|e| e.count);
    let readings: Vec<Option<u64>> = match ending.get(..4).unwrap_or(ending) {
        "drop" => vec![iterations.dropped.or(iterations.complete.map(|_| 0))],
        "comp" | "fini" => vec![iterations.complete],
        "inte" | "cut " => vec![iterations.interrupted],
        "thre" => vec![exceptions],
        _ if ending.contains("exception") => vec![exceptions],
        _ => vec![exceptions, iterations.interrupted],
    };
    let known: Vec<u64> = readings.iter().flatten().copied().collect();
    match known.first() {
        Some(_) if known.contains(&stated) => Outcome::ok(count::write(stated)),
        Some(first) if known.len() == readings.len() => {
            Outcome::wrong(count::write(*first), "iterations of the run that ended so")
        }
        _ => Outcome::unverifiable("k6's terminal log", "how iterations ended is not all known"),
    }
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{Ok, Wrong};
    use crate::check::prose::testing::come_to;

    #[test]
    fn iterations_are_counted_by_how_they_ended() {
        come_to(
            "iterations",
            &[
                ("2,500 iterations completed and 3 iterations were interrupted.", &[Ok, Ok]),
                ("4 iterations were interrupted.", &[Wrong]),
                ("2 iterations ended by an exception.", &[Ok]),
                ("3 iterations threw an exception.", &[Wrong]),
                ("The timeouts aborted 2 iterations.", &[Ok]),
                ("The timeouts aborted 1 iteration.", &[Wrong]),
                ("No iteration was dropped.", &[Ok]),
                ("It ran at 20 VUs.", &[Ok]),
                ("This is the shop under 21 VUs on this target.", &[Wrong]),
            ],
        );
    }
}
