//! Failed checks by name, also by a shortened one: `create user (29)` for `create user is status ok`, `login (8,345)`, `token (2 failed)`, `29 create user checks`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::kind::Kind;
use super::quantities::{COUNT, number};
use super::reader::{Outcome, RAW, Reader};
use crate::model::CheckByName;
use crate::notation::count;

static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"([a-z_][^,;:()\n]*?)[ _]\((\d[\d,]*)(?:x| failed| failures?| times)?[),;:]").expect("a fixed pattern")
});
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b({COUNT}) (?:failed |failing )?((?:[a-z_][\w'-]* ){{1,6}})checks?\b"))
        .expect("a fixed pattern")
});
static ON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\b({COUNT}) (?:of them |of these |failed |failures? )?(?:on|for|in|of) ((?:[a-z_][\w'-]* ?){{1,6}})"
    ))
    .expect("a fixed pattern")
});

pub(super) fn read(reader: &mut Reader<'_>) {
    let Some(checks) = reader.evidence().checks.as_ref() else { return };
    for found in reader.matches(&NAMED) {
        let (Some(name), Some(range)) = (found.get(1), found.get(2)) else { continue };
        let sentence = reader.text.sentence(name.start);
        let about_checks = reader.plain(&sentence).contains("check");
        let wanted = reader.text.shown.get(name).unwrap_or_default().to_owned();
        let named = candidates(&checks.by_name, &wanted);
        let refers = ["during", "within", "inside", "outside"].iter().any(|word| wanted.trim_end().ends_with(word));
        if named.is_empty() && !about_checks || refers || reader.is_taken(&range) || of_a_request(reader, range.start) {
            continue;
        }
        let outcome = counted(reader, &range, &named, &wanted);
        reader.judge(Kind::Check, format!("failures of the check {}", wanted.trim()), range, outcome);
    }
    for pattern in [&BEFORE, &ON] {
        for found in reader.matches(pattern) {
            let (Some(range), Some(name)) = (found.get(1), found.get(2)) else { continue };
            let wanted = reader.text.shown.get(name).unwrap_or_default().to_owned();
            let named = candidates(&checks.by_name, &wanted);
            let sentence = reader.text.sentence(range.start);
            if named.is_empty()
                || !reader.plain(&sentence).contains("check")
                || super::counts::scope(reader, &range).is_some()
            {
                continue;
            }
            let outcome = counted(reader, &range, &named, &wanted);
            reader.judge(Kind::Check, format!("failures of the check {}", wanted.trim()), range, outcome);
        }
    }
}

/// `on POST /users (12)` counts requests.
fn of_a_request(reader: &Reader<'_>, at: usize) -> bool {
    let clause = reader.text.part(at, &["; ", ": "]);
    let before = reader.text.slice(clause.start..at);
    ["post ", "get ", "put ", "delete ", "patch "].iter().any(|m| before.contains(&format!("on {m}")))
}

fn counted(reader: &Reader<'_>, range: &Range<usize>, named: &[&CheckByName], wanted: &str) -> Outcome {
    let Some(stated) = number(reader.plain(range)) else {
        return Outcome::unverifiable(RAW, "the number cannot be read");
    };
    let sum = named.iter().map(|c| c.fails).fold(0, u64::saturating_add);
    match named {
        [] => Outcome::unverifiable("the check's full name", format!("no check is called like `{}`", wanted.trim())),
        _ if named.iter().any(|c| c.fails == stated) || stated == sum => Outcome::ok(count::write(stated)),
        [one] => Outcome::wrong(
            count::write(one.fails),
            format!("failures of `{}`", one.name.as_deref().unwrap_or_default()),
        ),
        _ => Outcome::unverifiable(
            "the check's full name",
            format!("{} checks are called like `{}`", named.len(), wanted.trim()),
        ),
    }
}

/// The checks a name may stand for: the one of that name, else those that begin with it, else those that have all its words in order.
pub(super) fn candidates<'c>(checks: &'c [CheckByName], wanted: &str) -> Vec<&'c CheckByName> {
    let wanted = words(wanted);
    let found = fitting(checks, &wanted);
    if !found.is_empty() {
        return found;
    }
    // what stands before the name in its clause is no part of it; what is left must still tell, in two words at least
    let begins = |rest: &&[String]| rest.len() > 1 && is_telling(rest);
    let with = |rest: &[String]| checks.iter().filter(|c| name_of(c).starts_with(rest)).collect::<Vec<_>>();
    let rests = (1..wanted.len()).filter_map(|skip| wanted.get(skip..)).filter(begins);
    rests.map(with).find(|found| !found.is_empty()).unwrap_or_default()
}

fn fitting<'c>(checks: &'c [CheckByName], wanted: &[String]) -> Vec<&'c CheckByName> {
    let exact: Vec<&CheckByName> = checks.iter().filter(|c| name_of(c) == wanted).collect();
    if !exact.is_empty() || !is_telling(wanted) {
        return exact;
    }
    let begins: Vec<&CheckByName> = checks.iter().filter(|c| name_of(c).starts_with(wanted)).collect();
    if !begins.is_empty() {
        return begins;
    }
    checks.iter().filter(|c| in_order(&name_of(c), wanted)).collect()
}

fn name_of(check: &CheckByName) -> Vec<String> {
    check.name.as_deref().map(words).unwrap_or_default()
}

/// False for words that half of all checks have: too little to know one by.
fn is_telling(wanted: &[String]) -> bool {
    const COMMON: [&str; 5] = ["failed", "status", "check", "checks", "failures"];
    wanted.iter().any(|w| w.len() >= 4 && !COMMON.contains(&w.as_str()))
}

fn words(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

fn in_order(name: &[String], wanted: &[String]) -> bool {
    let mut left = name.iter();
    wanted.iter().all(|word| left.any(|w| w == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_names_find_their_check() {
        let check = |name: &str, fails| CheckByName {
            name: Some(name.into()),
            passes: None,
            fails,
            fails_within: Default::default(),
            fails_elsewhere: None,
        };
        let checks = [
            check("create user is status ok", 29),
            check("update user is status ok", 41),
            check("create user token", 1),
        ];
        let found = |wanted: &str| candidates(&checks, wanted).iter().map(|c| c.fails).collect::<Vec<_>>();
        assert_eq!(found("update user"), [41]);
        assert_eq!(found("Update `user` status ok"), [41]);
        assert_eq!(found("create user"), [29, 1]);
        assert_eq!(found("create user token"), [1]);
        assert_eq!(found("fails mostly on update user"), [41]);
        assert!(found("lock user").is_empty());
        assert!(found("ok").is_empty());
    }
}
