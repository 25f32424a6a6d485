//! Which failures the words mean: `150 HTTP 503`, `the timeouts`, `(2)`, `they`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::data::{Group, of_test, populations};
use super::quantities::COUNT;
use super::text::Text;
use crate::model::{CauseKind, Evidence, Population};

/// A cause as words name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// `HTTP 503`.
    Status(u16),
    /// `5xx`.
    StatusClass(u16),
    /// `request timeout` and the other causes with a name of their own.
    Kind(CauseKind),
    /// `connection refused`.
    Refused,
    /// `platform errors`: whatever a nearby status or the configuration calls so.
    Platform,
    /// `failures`, without saying which.
    Any,
}

/// A place of the text that names failures.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// The whole of it, count included.
    pub(super) range: Range<usize>,
    /// The stated count and its place.
    pub(super) count: Option<Range<usize>>,
    /// What it names.
    pub(super) cause: Cause,
}

const CAUSE: &str = r"(?:(?P<status>(?:http(?: status)?(?: code)?s?|status|code) \d{3})s?|(?P<bare>[45]\d\d)(?:s\b| (?:bursts?|errors?|responses?|answers?|platform|failures?|came|arrived|appeared|occurred|was|hit)\b)|(?P<class>[45])xx\b|(?P<connect>connect(?:ion)? time-?outs?)|(?P<timeout>(?:client |request )?time-?outs?|timed out)|(?P<reset>connection resets?|resets? by (?:the )?peer|tcp resets?|resets\b)|(?P<refused>refused connections?|connections? refused|connection refusals?)|(?P<failed>failed connections?)|(?P<dns>failed name lookups?|dns (?:failures?|errors?))|(?P<tls>tls errors?)|(?P<network>network errors?)|(?P<platform>platform errors?)|(?P<any>failures|failed requests?|failing requests?|requests? failed|failed calls?|request errors?))";

const FILLERS: &str = r"(?:(?:single|more|further|additional|individual|separate|isolated|scattered|client|client-side|platform|gateway|of them|of these|of the failures|of the failed requests|were|was|are|ended in|ended with|ended as|failed with|failed as|answered|got|an?|requests?|responses?|calls?|answers?|errors?|failures?|with|as|in) ){0,4}";

static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?:\b(?P<count>{COUNT}|no|none)(?:x|×|-request)? {FILLERS}(?:(?:of|were|was) (?:the )?)?)?\b{CAUSE}(?: (?:platform )?(?:errors?|failures?|responses?)\b)?(?:\s?(?:\(|: |×\s?|x\s?)(?P<after>\d[\d,]*)x?\b)?"
    ))
    .expect("a fixed pattern")
});

/// Finds the mentions of a text, in order.
pub(super) fn mentions(text: &Text) -> Vec<Mention> {
    let mut found = Vec::new();
    for captures in MENTION.captures_iter(&text.plain) {
        let Some(whole) = captures.get(0) else { continue };
        if captures.name("bare").is_some_and(|bare| is_seconds(&text.plain, &bare.range())) {
            continue;
        }
        let status = |name: &str| captures.name(name).and_then(|m| last_number(m.as_str()));
        let has = |name: &str| captures.name(name).is_some();
        let kind = [
            ("connect", CauseKind::ConnectTimeout),
            ("timeout", CauseKind::RequestTimeout),
            ("reset", CauseKind::ConnectionReset),
            ("failed", CauseKind::Connect),
            ("dns", CauseKind::Dns),
            ("tls", CauseKind::Tls),
            ("network", CauseKind::Network),
        ];
        let cause = match (status("status").or(status("bare")), status("class")) {
            (Some(status), _) => Cause::Status(status),
            (None, Some(class)) => Cause::StatusClass(class),
            _ if has("refused") => Cause::Refused,
            _ if has("platform") => Cause::Platform,
            _ if has("any") => Cause::Any,
            _ => kind.iter().find(|(name, _)| has(name)).map_or(Cause::Any, |(_, kind)| Cause::Kind(*kind)),
        };
        // `HTTP 200` is no failure
        if matches!(cause, Cause::Status(status) if status < 400) {
            continue;
        }
        let before = captures.name("count").map(|m| m.range()).filter(|r| stands_alone(&text.plain, r));
        let after = captures.name("after").map(|m| m.range()).filter(|r| is_count(&text.plain, r));
        let cause_end = |after: usize| text.slice(0..after).trim_end_matches(['(', ':', ' ']).len();
        let end = match (&after, captures.name("after")) {
            (None, Some(other)) => cause_end(other.start()),
            _ => whole.end(),
        };
        let start = if before.is_none() && has("count") {
            captures.name("count").map_or(whole.start(), |m| m.end())
        } else {
            whole.start()
        };
        found.push(Mention { range: start..end, count: before.or(after), cause });
    }
    found
}

/// True for `503s` that are seconds: `after 503s`, `503s into the run`.
fn is_seconds(plain: &str, bare: &Range<usize>) -> bool {
    const BEFORE: [&str; 12] =
        ["after", "at", "for", "lasting", "lasted", "within", "about", "~", "only", "first", "every", "took"];
    const AFTER: [&str; 6] = ["into", "later", "apart", "after", "long", "before the"];
    let before = plain.get(..bare.start).unwrap_or_default().trim_end();
    let Some(after) = plain.get(bare.end..).and_then(|rest| rest.strip_prefix('s')) else { return false };
    let after = after.trim_start();
    BEFORE.iter().any(|w| before.ends_with(w)) || AFTER.iter().any(|w| after.starts_with(w))
}

fn last_number(text: &str) -> Option<u16> {
    text.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?.parse().ok()
}

/// True for a number that is not the tail of another one, of a date or of a name.
pub(super) fn stands_alone(plain: &str, range: &Range<usize>) -> bool {
    let before = plain.get(..range.start).unwrap_or_default();
    let joined = |c: char| matches!(c, '.' | ',' | ':' | '-' | '–' | '/' | '_' | '#') || c.is_alphanumeric();
    !before.chars().next_back().is_some_and(joined) && !before.ends_with("http ") && !before.ends_with("status ")
}

/// True for a number after a cause that is its count: no share, no time, no list mark.
fn is_count(plain: &str, range: &Range<usize>) -> bool {
    let rest = plain.get(range.end..).unwrap_or_default();
    let before = plain.get(..range.start).unwrap_or_default();
    let next = rest.chars().next();
    let bracketed = before.ends_with('(');
    let digit_after = rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    match next {
        None => true,
        Some(')' | ';') => true,
        Some('.' | ',' | ':') => !digit_after,
        Some(' ') => !bracketed && !rest.starts_with(" of ") && !rest.starts_with(" %"),
        _ => false,
    }
}

/// The populations a cause names; `near` are statuses named nearby, for `platform errors`.
pub(super) fn group<'a>(evidence: &'a Evidence, cause: Cause, near: Option<u16>) -> Group<'a> {
    let is = |p: &Population| match cause {
        Cause::Status(status) => status_of(p) == Some(status),
        Cause::StatusClass(class) => status_of(p).is_some_and(|s| s / 100 == class),
        Cause::Kind(CauseKind::Connect) | Cause::Refused => p.kind == CauseKind::Connect,
        Cause::Kind(kind) => p.kind == kind,
        Cause::Platform => match near {
            Some(status) => status_of(p) == Some(status),
            None => p.label.as_deref().is_some_and(|l| l.to_lowercase().contains("platform")),
        },
        Cause::Any => true,
    };
    let named: Vec<&Population> = populations(evidence).iter().filter(|p| is(p)).collect();
    Group { name: words(cause, near), members: named }
}

/// The status of a population, also from k6's code when the tag was switched off.
pub(super) fn status_of(population: &Population) -> Option<u16> {
    if population.kind != CauseKind::HttpStatus {
        return None;
    }
    let from_code = population.error_code.and_then(|code| code.checked_sub(1000)).filter(|s| (400..600).contains(s));
    population.status.filter(|status| *status > 0).or(from_code)
}

fn words(cause: Cause, near: Option<u16>) -> String {
    match (cause, near) {
        (Cause::Status(status), _) | (Cause::Platform, Some(status)) => format!("HTTP {status}"),
        (Cause::StatusClass(class), _) => format!("HTTP {class}xx"),
        (Cause::Refused, _) => "refused connections".to_owned(),
        (Cause::Platform, None) => "platform errors".to_owned(),
        (Cause::Any, _) => "failed requests".to_owned(),
        (Cause::Kind(kind), _) => match kind {
            CauseKind::RequestTimeout => "request timeouts",
            CauseKind::ConnectTimeout => "connect timeouts",
            CauseKind::ConnectionReset => "connection resets",
            CauseKind::Connect => "failed connections",
            CauseKind::Dns => "failed name lookups",
            CauseKind::Tls => "TLS errors",
            CauseKind::Network => "network errors",
            _ => "failed requests",
        }
        .to_owned(),
    }
}

/// What the words around a place are about.
pub(super) struct Subject<'a> {
    /// The readings, the likeliest first.
    pub(super) groups: Vec<Group<'a>>,
    /// True when a mention in the same sentence or list item says so; otherwise it is a guess.
    pub(super) certain: bool,
}

/// Finds the subject of the words at `at`: the mention before it in the sentence, the next one of its clause, its list item's, the one before.
pub(super) fn subject<'a>(evidence: &'a Evidence, text: &Text, mentions: &[Mention], at: usize) -> Subject<'a> {
    let sentence = text.sentence(at);
    let clause = text.part(at, &["; ", " — ", ", "]);
    let of = |m: &Mention| group(evidence, m.cause, near_status(text, mentions, m));
    let before = mentions.iter().rfind(|m| sentence.contains(&m.range.start) && m.range.start <= at);
    let after = mentions.iter().find(|m| m.range.start > at && clause.contains(&m.range.start));
    let later = || mentions.iter().find(|m| m.range.start > at && sentence.contains(&m.range.start));
    let named: Vec<&Mention> = match (before, after) {
        (None, None) => later().into_iter().collect(),
        (before, after) => before.into_iter().chain(after).collect(),
    };
    if !named.is_empty() {
        let joined = before.and_then(|m| Some(both(of(joined_to(text, mentions, m)?), of(m))));
        return Subject { groups: named.into_iter().map(of).chain(joined).collect(), certain: true };
    }
    if let Some(mention) = item_mention(text, mentions, at) {
        return Subject { groups: vec![of(mention)], certain: true };
    }
    let previous = mentions.iter().rfind(|m| m.range.start < at);
    let test: Vec<&Population> = populations(evidence).iter().filter(|p| of_test(p)).collect();
    let only = test.len() == 1;
    let each = test.into_iter().map(|p| Group { name: "failed requests".to_owned(), members: vec![p] });
    let groups = previous.map(of).into_iter().chain(each).collect();
    Subject { groups, certain: only }
}

/// The mention before another in `503s and timeouts`.
fn joined_to<'m>(text: &Text, mentions: &'m [Mention], second: &Mention) -> Option<&'m Mention> {
    let first = mentions.iter().rfind(|m| m.range.end <= second.range.start)?;
    matches!(text.slice(first.range.end..second.range.start).trim(), "and" | "and the" | "&").then_some(first)
}

fn both<'a>(first: Group<'a>, second: Group<'a>) -> Group<'a> {
    let name = format!("{} and {}", first.name, second.name);
    Group { name, members: [first.members, second.members].concat() }
}

/// The status a `platform error` stands for: the one named next.
pub(super) fn near_status(text: &Text, mentions: &[Mention], mention: &Mention) -> Option<u16> {
    let sentence = text.sentence(mention.range.start);
    let status = |m: &&Mention| matches!(m.cause, Cause::Status(_)) && sentence.contains(&m.range.start);
    let following = mentions.iter().filter(|m| m.range.start >= mention.range.start).find(status);
    match following.or_else(|| mentions.iter().find(status)).map(|m| m.cause) {
        Some(Cause::Status(status)) => Some(status),
        _ => None,
    }
}

/// The first mention of the list item a sentence belongs to.
fn item_mention<'m>(text: &Text, mentions: &'m [Mention], at: usize) -> Option<&'m Mention> {
    let sentences = text.sentences();
    let own = sentences.iter().position(|s| s.contains(&at))?;
    let is_head = |s: &Range<usize>| text.slice(s.clone()).trim_start().starts_with('(');
    let starts_line = |s: &Range<usize>| s.start > 0 && text.shown.get(..s.start).is_some_and(|t| t.ends_with('\n'));
    let head = (0..=own).rev().find(|i| sentences.get(*i).is_some_and(is_head))?;
    let range = sentences.get(head)?;
    // a line end, or a sentence about checks, ends the list
    let between = sentences.get(head + 1..=own)?;
    if between.iter().any(|s| starts_line(s) || text.slice(s.clone()).contains(" checks ")) {
        return None;
    }
    mentions.iter().find(|m| range.contains(&m.range.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::prose::testing::two_causes;

    fn causes(text: &str) -> Vec<(Cause, Option<String>)> {
        let text = Text::read(text, 1);
        let count = |m: &Mention| m.count.clone().map(|range| text.slice(range).to_owned());
        mentions(&text).iter().map(|m| (m.cause, count(m))).collect()
    }

    #[test]
    fn causes_are_found_with_the_count_beside_them() {
        let (timeout, n) = (Cause::Kind(CauseKind::RequestTimeout), |n: &str| Some(n.to_owned()));
        for (text, expected) in [
            ("150 HTTP 503 and 24x request timeout", vec![(Cause::Status(503), n("150")), (timeout, n("24"))]),
            ("HTTP 503 (150), timeouts: 75", vec![(Cause::Status(503), n("150")), (timeout, n("75"))]),
            ("a 1,044-request platform 503 burst", vec![(Cause::Status(503), n("1,044"))]),
            ("no 5xx at all", vec![(Cause::StatusClass(5), n("no"))]),
            ("after 503s, HTTP 200", vec![]),
        ] {
            assert_eq!(causes(text), expected, "{text}");
        }
    }

    #[test]
    fn the_subject_is_named_in_the_sentence_or_is_a_guess() {
        let evidence = two_causes();
        let of = |text: &str, at: &str| {
            let read = Text::read(text, 1);
            let found = subject(&evidence, &read, &mentions(&read), read.plain.find(at).unwrap());
            (found.groups.first().map(|g| g.name.clone()).unwrap_or_default(), found.certain)
        };
        assert_eq!(of("HTTP 503 came early, the timeouts at noon.", "noon"), ("request timeouts".to_owned(), true));
        assert_eq!(of("HTTP 503. They ended soon.", "soon"), ("HTTP 503".to_owned(), false));
    }
}
