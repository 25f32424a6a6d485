//! Which requests failed: `on GET /product (25)`, `all on POST /order/{id}`, `on create user (12), delete user (3)`.
//!
//! Names are read as they stand in the text, also from code. A name that is no method and path is taken for one only in a list
//! item, with its count behind it or as a whole part of the item that shares a word with a recorded name: elsewhere `on` may
//! begin anything.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, complete, populations};
use super::kind::Kind;
use super::quantities::number;
use super::reader::{Outcome, RAW, Reader};
use crate::model::{NamedCount, Population};
use crate::notation::count;

const METHOD_AND_PATH: &str = r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /[^\s,;()|]*";
const OTHER: &str = r"[^\s,;()][^,;()\n]*";

/// `on GET /product (25), POST /order (3)`; the first group is the list of names.
static ON: LazyLock<Regex> = LazyLock::new(|| {
    let item = format!(r"(?:{METHOD_AND_PATH}(?: \(\d[\d,]*\))?|{OTHER} \(\d[\d,]*\))");
    Regex::new(&format!(r"\bon ({item}(?:(?:, | and |, and ){item})*)")).expect("a fixed pattern")
});
/// One of the names with its count, if it has one.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"({METHOD_AND_PATH})(?: \((\d[\d,]*)\))?|({OTHER}) \((\d[\d,]*)\)")).expect("a fixed pattern")
});
/// `; all on create user;` in an item: a name alone.
static ALONE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"; all on ({OTHER})(?:;|$)")).expect("a fixed pattern"));
/// Words before `on` by which nothing is said to have failed there.
const DENIALS: [&str; 6] = ["none", "not", "never", "no failure", "nothing", "except"];

/// A name in the text.
struct Named {
    name: Range<usize>,
    count: Option<Range<usize>>,
    is_path: bool,
}

pub(super) fn read(reader: &mut Reader<'_>) {
    for list in places(reader, &ON) {
        let before = before(reader, list.start);
        // what is hidden speaks of another run, what is denied names where nothing failed
        let spoken = reader.text.slice(list.start.saturating_sub("on ".len())..list.start) == "on ";
        let denied = DENIALS.iter().any(|denial| before.ends_with(denial));
        if !spoken || denied || !names_a_cause(reader, list.start) {
            continue;
        }
        let is_item = before.starts_with('(') && before.ends_with([';', ':']);
        for named in names(&reader.text.shown, &list).into_iter().filter(|named| named.is_path || is_item) {
            judge(reader, &named, before.ends_with("all"));
        }
    }
    for name in places(reader, &ALONE) {
        let of_item = before(reader, name.start).starts_with('(') && names_a_cause(reader, name.start);
        if of_item && is_like_a_name(reader, reader.text.shown.get(name.clone()).unwrap_or_default()) {
            judge(reader, &Named { name, count: None, is_path: false }, true);
        }
    }
}

/// Where the first group of a pattern stands in the text as shown, but for what is judged already.
fn places(reader: &Reader<'_>, pattern: &Regex) -> Vec<Range<usize>> {
    let found = pattern.captures_iter(&reader.text.shown).filter_map(|found| Some(found.get(1)?.range()));
    found.filter(|range| !reader.is_taken(range)).collect()
}

/// The sentence up to the `on` before a name.
fn before(reader: &Reader<'_>, at: usize) -> String {
    let sentence = reader.text.sentence(at);
    reader.text.slice(sentence.start..at).trim_end_matches("on ").trim().to_owned()
}

/// True for words that share one with a recorded name: `the same endpoint` does not.
fn is_like_a_name(reader: &Reader<'_>, words: &str) -> bool {
    let requests = populations(reader.evidence()).iter().flat_map(|population| &population.requests);
    let mut names = requests.flat_map(|request| request.name.split(' '));
    names.any(|part| part.len() > 2 && words.split(' ').any(|word| word == part))
}

fn names(shown: &str, list: &Range<usize>) -> Vec<Named> {
    let text = shown.get(list.clone()).unwrap_or_default();
    let found = ITEM.captures_iter(text).filter_map(|found| {
        let place = |group| found.get(group).map(|m: regex::Match<'_>| list.start + m.start()..list.start + m.end());
        let (name, count) = (place(1).or_else(|| place(3))?, place(2).or_else(|| place(4)));
        // a full stop behind a name ends the sentence
        let written = shown.get(name.clone())?.trim_end_matches(['.', ':', '!', '?']);
        Some(Named { name: name.start..name.start + written.len(), count, is_path: place(1).is_some() })
    });
    found.collect()
}

/// True when the sentence, or the list item it belongs to, says what failed.
fn names_a_cause(reader: &Reader<'_>, at: usize) -> bool {
    let sentence = reader.text.sentence(at);
    let denied =
        |range: &Option<Range<usize>>| range.as_ref().is_some_and(|count| matches!(reader.plain(count), "no" | "none"));
    let mut mentions = reader.mentions.iter().filter(|mention| sentence.contains(&mention.range.start));
    mentions.any(|mention| !denied(&mention.count))
}

fn judge(reader: &mut Reader<'_>, named: &Named, all: bool) {
    let name = reader.text.shown.get(named.name.clone()).unwrap_or_default().to_owned();
    let subject = reader.subject(named.name.start);
    let readings: Vec<Group<'_>> = subject.groups.iter().flat_map(Group::readings).collect();
    let of_name: Vec<u64> = readings.iter().map(|group| failures_of(group, &name)).collect();
    let all_named = populations(reader.evidence()).iter().all(is_named) && complete(reader.evidence());
    let known = subject.certain && all_named;
    if of_name.iter().all(|n| *n == 0) {
        let outcome = match known {
            true => Outcome::wrong(listed(&subject.groups), "the names of the requests that failed so"),
            false => Outcome::unverifiable(RAW, "the names of the requests that failed are not all known"),
        };
        return reader.judge(Kind::Endpoint, "a request that failed", named.name.clone(), outcome);
    }
    let whole = |(group, n): (&Group<'_>, &u64)| group.count() == *n;
    let outcome = match all && known && !readings.iter().zip(&of_name).any(whole) {
        true => Outcome::wrong(listed(&subject.groups), "other requests failed so too"),
        false => Outcome::ok(name.as_str()),
    };
    reader.judge(Kind::Endpoint, "a request that failed", named.name.clone(), outcome);
    let Some((range, stated)) =
        named.count.clone().and_then(|range| Some((range.clone(), number(reader.plain(&range))?)))
    else {
        return;
    };
    let most = of_name.iter().max().copied().unwrap_or_default();
    let outcome = match (of_name.contains(&stated), known) {
        (true, _) => Outcome::ok(count::write(stated)),
        (false, true) => Outcome::wrong(count::write(most), format!("failures of `{name}`")),
        (false, false) => Outcome::unverifiable(RAW, "it is not clear which failures are meant"),
    };
    reader.judge(Kind::Endpoint, "failures of a request", range, outcome);
}

fn failures_of(group: &Group<'_>, name: &str) -> u64 {
    let requests = group.members.iter().flat_map(|population| &population.requests);
    requests.filter(|request| is_called(&request.name, name)).map(|request| request.count).fold(0, u64::saturating_add)
}

/// True for a name as the data has it, cut off with `…`, with the end of its path only, or with values where the data has `{id}`.
fn is_called(recorded: &str, stated: &str) -> bool {
    let cut = || stated.strip_suffix('…').is_some_and(|beginning| recorded.starts_with(beginning));
    let alike = |part: &str, other: &str| part == other || part == "{id}";
    let end_of_path = || {
        let ((method, path), (stated_method, end)) = recorded.split_once(' ').zip(stated.split_once(' '))?;
        let mut parts = path.rsplit('/');
        let ends = end.starts_with('/')
            && end
                .rsplit('/')
                .filter(|part| !part.is_empty())
                .all(|part| parts.next().is_some_and(|own| alike(own, part)));
        Some(method == stated_method && ends)
    };
    recorded == stated || cut() || end_of_path().unwrap_or(false)
}

/// True when every failure of a population has its request's name.
fn is_named(population: &Population) -> bool {
    population.requests.iter().map(|request| request.count).fold(0, u64::saturating_add) == population.count
}

/// `GET /product/a (20), GET /product/b (5)`.
fn listed(groups: &[Group<'_>]) -> String {
    let requests = groups.iter().take(1).flat_map(|group| &group.members).flat_map(|population| &population.requests);
    let each = |request: &NamedCount| format!("{} ({})", request.name, count::write(request.count));
    requests.map(each).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::check::Verdict::{self, Ok, Unverifiable, Wrong};
    use crate::check::prose::testing::{judged, two_causes};
    use crate::model::{Evidence, NamedCount};
    use crate::rows::observed_errors;

    /// [`two_causes`] with names: 30 and 10 of the 503s, and all timeouts on one request.
    fn named() -> Evidence {
        let mut evidence = two_causes();
        let populations = evidence.populations.as_mut().unwrap();
        let request = |name: &str, count| NamedCount { name: name.into(), count };
        populations[0].requests = vec![request("GET /product/a", 30), request("POST /order/{id}", 10)];
        populations[1].requests = vec![request("create user", 12)];
        evidence
    }

    #[track_caller]
    fn come_to(evidence: &Evidence, cases: &[(&str, &[Verdict])]) {
        for (text, expected) in cases {
            let found = judged("Observed errors", "endpoint", text, evidence, &[]);
            assert_eq!(found.iter().map(|j| j.verdict).collect::<Vec<_>>(), *expected, "{text}: {found:#?}");
        }
    }

    #[test]
    fn the_names_of_failed_requests_are_held_against_those_of_the_cause() {
        come_to(
            &named(),
            &[
                ("(1) 40 HTTP 503, on GET /product/a (30), POST /order/{id} (10).", &[Ok, Ok, Ok, Ok]),
                ("(1) 40 HTTP 503, on GET /product (30), POST /order/{id} (10).", &[Wrong, Ok, Ok]),
                ("40 HTTP 503 on `GET /product/a` and `POST /order/77`.", &[Ok, Ok]),
                ("30 HTTP 503 on PUT /product/a.", &[Wrong]),
                ("30 HTTP 503 on GET /a, 10 on POST /shop/order/77.", &[Ok, Wrong]),
                ("HTTP 503 on GET /product/a (31).", &[Ok, Wrong]),
                ("12 timeouts, all on GET /product/a.", &[Wrong]),
                ("40 HTTP 503, all on GET /product/a.", &[Wrong]),
                ("40 HTTP 503, most on GET /product/a (30).", &[Ok, Ok]),
                ("(2) 12 request timeouts: late in the run; on create user (12).", &[Ok, Ok]),
                ("(2) 12 request timeouts: late in the run; on create usr (12).", &[Wrong]),
                ("(2) 12 request timeouts: late in the run; all on create user; nothing after.", &[Ok]),
            ],
        );
    }

    #[test]
    fn what_names_no_failed_request_is_no_claim() {
        come_to(
            &named(),
            &[
                ("The script spends most of its time on GET /health.", &[]),
                ("12 timeouts, none on GET /product/a.", &[]),
                ("No HTTP 503 on GET /health.", &[]),
                ("The previous run saw 12 timeouts on GET /health.", &[]),
                ("12 timeouts on average (12).", &[]),
                ("(2) 12 request timeouts: late in the run; all on the same host; nothing after.", &[]),
            ],
        );
    }

    #[test]
    fn without_all_names_a_name_cannot_be_wrong() {
        let mut evidence = named();
        evidence.populations.as_mut().unwrap()[0].requests.pop();
        come_to(&evidence, &[("HTTP 503 on GET /product.", &[Unverifiable]), ("HTTP 503 on GET /product/a.", &[Ok])]);
        come_to(&two_causes(), &[("HTTP 503 on GET /product.", &[Unverifiable])]);
    }

    #[test]
    fn a_generated_row_names_its_requests_and_no_other() {
        let evidence = named();
        let row = observed_errors(&evidence);
        for (from, to) in [("GET /product/a", "GET /product"), ("create user", "create users")] {
            // in the tool's own words the row has no claim of this kind: its figures are compared one by one
            come_to(&evidence, &[(&row, &[])]);
            assert!(row.contains(from), "{row}");
            let found = judged("Observed errors", "endpoint", &row.replacen(from, to, 1), &evidence, &[]);
            let wrong: Vec<_> = found.iter().filter(|j| j.verdict == Wrong).map(|j| j.stated.as_str()).collect();
            assert_eq!(wrong, [to], "{row}: {found:#?}");
        }
    }
}
