//! Products: `42 vCPU` of seven containers with six each, `7 x 6 = 42`, from the page's own rows.

use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::quantities::{COUNT, number};
use super::reader::{Outcome, Reader};
use crate::notation::count;

static WRITTEN_OUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(\d[\d,]*)(?: \w+){0,2} ?(?:x|×|\*|times) ?(\d[\d,]*)(?: \w+){0,2} ?= ?(\d[\d,]*)\b")
        .expect("a fixed pattern")
});
static VCPU: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b({COUNT}) (?:zitadel |container |database )?vcpus?\b")).expect("a fixed pattern")
});
/// `vCPU: 6` of a row.
static ROW_VCPU: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bvcpus?: ?(\d+)|\b(\d+) vcpus?\b").expect("a fixed pattern"));
/// `Container count: 2`, `Container max scale: 7` of a row.
static ROW_CONTAINERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:containers?|instances?|nodes?|replicas?)(?: count| min scale| max scale)?: ?(\d+)|\b(\d+) (?:containers|instances|nodes|replicas)\b").expect("a fixed pattern")
});
/// Words by which a number of vCPU is no total of a row: `4 more vCPU`, `2 of 8 vCPU`.
const PART: [&str; 6] = ["of ", "more ", "additional ", "another ", "extra ", "with "];

pub(super) fn read(reader: &mut Reader<'_>) {
    for found in reader.matches(&WRITTEN_OUT) {
        let figures = [1, 2, 3].map(|i| found.get(i).and_then(|r| number(reader.plain(&r))));
        let ([Some(a), Some(b), Some(c)], Some(range)) = (figures, found.get(3)) else { continue };
        let Some(product) = a.checked_mul(b) else { continue };
        let outcome = match product == c {
            true => Outcome::ok(count::write(product)),
            false => Outcome::contradicted(count::write(product), "the same text", "the two factors beside it"),
        };
        reader.judge(Kind::Product, "a product written out", range, outcome);
        reader.take(found.whole());
    }
    let possible = possible(reader);
    for found in reader.matches(&VCPU) {
        let Some(range) = found.get(1) else { continue };
        let before = reader.text.slice(reader.text.clause(range.start).start..range.start).to_owned();
        let Some(stated) = number(reader.plain(&range)) else { continue };
        if possible.is_empty() || PART.iter().any(|word| before.ends_with(word)) {
            continue;
        }
        let outcome = match possible.iter().find(|(product, _)| *product == stated) {
            Some((_, how)) => Outcome::ok(how.as_str()),
            None => {
                let all = possible.iter().map(|(_, how)| how.as_str()).collect::<Vec<_>>().join("; ");
                Outcome::contradicted(all, "the rows on machines", "no row's vCPU, alone or times its containers")
            }
        };
        reader.judge(Kind::Product, "vCPU in all", range, outcome);
    }
}

/// Every number of vCPU the page's rows allow, with how it comes about.
fn possible(reader: &Reader<'_>) -> Vec<(u64, String)> {
    let figures = |pattern: &Regex, text: &str| -> Vec<u64> {
        pattern.captures_iter(text).filter_map(|c| number(c.get(1).or(c.get(2))?.as_str())).collect()
    };
    let mut possible = Vec::new();
    for (label, text) in reader.truth.others {
        for each in figures(&ROW_VCPU, text) {
            possible.push((each, format!("{each} in `{label}`")));
            let containers = figures(&ROW_CONTAINERS, text).into_iter();
            let times = containers.filter_map(|n| Some((each.checked_mul(n)?, format!("{n} x {each} in `{label}`"))));
            possible.extend(times.collect::<Vec<_>>());
        }
    }
    possible
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{self, Contradicted, Ok};
    use crate::check::prose::testing::{two_causes, verdicts};

    #[test]
    fn vcpu_are_those_of_the_rows() {
        let rows = [
            ("Shop container specification", "vCPU: 6\nMemory: 6 Gi\nContainer max scale: 7"),
            ("Database specification", "vCPU: 8"),
        ];
        let of = |text: &str| verdicts("product", text, &two_causes(), &rows);
        let none: [Verdict; 0] = [];
        assert_eq!(of("42 vCPU of containers against 8 vCPU of the database."), [Ok, Ok]);
        assert_eq!(of("43 vCPU of containers."), [Contradicted]);
        assert_eq!(of("Two more vCPU would help, and 4 additional vCPU even more."), none);
        assert_eq!(of("7 x 6 = 42, and 7 containers x 6 vCPU = 46."), [Ok, Contradicted]);
        assert_eq!(verdicts("product", "43 vCPU.", &two_causes(), &[("Purpose", "x")]), none);
    }
}
