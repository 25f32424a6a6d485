use super::SweepPage;
use super::headings::Heading;
use crate::check::finding::Claim;
use crate::check::rows::rate;
use crate::check::{Judgement, Severity, Verdict};
use crate::model::{Printed, Scope, Stat, SweepColumn};
use crate::notation::{admits, count, duration, failed, percent};

/// What people write for nothing.
const NOTHING: [&str; 5] = ["", "-", "–", "—", "n/a"];

/// Judges one cell; nothing when it says nothing, or when it is no figure that pages have.
pub(super) fn judge(
    heading: Heading,
    target: &str,
    stated: &str,
    place: (u64, u64),
    page: &SweepPage<'_>,
) -> Vec<Judgement> {
    let Heading::Figure(column, scope, unit) = heading else { return Vec::new() };
    if NOTHING.contains(&stated.to_lowercase().as_str()) {
        return Vec::new();
    }
    let line = match scope {
        Scope::Run => page.run,
        Scope::Test => page.test,
    };
    let claim = |what: &str| Claim::at(place, target, "summary", what, stated);
    let judgements = match column {
        SweepColumn::Target => Vec::new(),
        SweepColumn::Vus => vec![counted(claim("VUs of the run"), stated, line.vus, page)],
        SweepColumn::Iterations => vec![counted(claim("complete iterations"), stated, line.iterations, page)],
        SweepColumn::Requests => {
            vec![counted(claim("requests"), stated, line.requests.as_ref().map(|r| r.total), page)]
        }
        SweepColumn::IterationsPerSecond => {
            vec![rate::judged(claim("iterations per second"), stated, line.iterations_per_second, page.file)]
        }
        SweepColumn::Latency(stat) => {
            let known = line.latency(stat).map(|latency| latency.ms);
            vec![timed(claim(&format!("{} of the requests", words(stat))), &with_unit(stated, unit), known, page)]
        }
        SweepColumn::FailedRequests => {
            let known = line.requests.as_ref().and_then(|requests| Some((requests.failed?, requests.total)));
            shares(&claim, "requests", stated, known, page)
        }
        SweepColumn::FailedChecks => shares(&claim, "checks", stated, line.checks, page),
    };
    judgements.into_iter().map(by_page).collect()
}

/// What a page says is no data of the table's own: it contradicts.
fn by_page(judgement: Judgement) -> Judgement {
    match judgement.verdict {
        Verdict::Wrong => Judgement { verdict: Verdict::Contradicted, severity: Some(Severity::Error), ..judgement },
        _ => judgement,
    }
}

fn words(stat: Stat) -> String {
    match stat {
        Stat::P(percentile) => percentile.to_string(),
        other => other.to_string(),
    }
}

fn with_unit(stated: &str, unit: Option<&str>) -> String {
    let bare = stated.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    format!("{}{}", stated.replace(',', ""), unit.filter(|_| bare).unwrap_or_default())
}

fn counted(claim: Claim, stated: &str, known: Option<u64>, page: &SweepPage<'_>) -> Judgement {
    match (count::read(stated), known) {
        (_, None) => claim.unverifiable(page.file, "the page does not say"),
        (None, _) => claim.unverifiable(page.file, "the cell does not read as one number"),
        (Some(stated), Some(known)) if stated == known => {
            claim.holds(count::write(known), page.file, "as the page says")
        }
        (Some(_), Some(known)) => claim.wrong(count::write(known), page.file, "the page says otherwise"),
    }
}

fn timed(claim: Claim, stated: &str, known: Option<f64>, page: &SweepPage<'_>) -> Judgement {
    let Some(ms) = known else { return claim.unverifiable(page.file, "the page does not say") };
    let Some(printed) = duration::read(stated) else {
        return claim.unverifiable(page.file, "the cell does not read as one duration");
    };
    let data = duration::write(ms);
    match in_other_digits(&printed, ms) {
        _ if stated == data || printed.value == Some(ms) => claim.holds(data, page.file, "as the page says"),
        Some(verdict) => claim.inexact(verdict, data, page.file, "right, in other digits than k6 prints"),
        None => claim.wrong(data, page.file, "the page says otherwise"),
    }
}

/// Whether a value written with fewer digits reads like this, cut off or rounded.
fn in_other_digits(printed: &Printed, value: f64) -> Option<Verdict> {
    let stated = printed.value?;
    let rounded = (value - stated).abs() <= printed.step / 2.0;
    admits(printed, value).then_some(if rounded || value < stated { Verdict::Rounded } else { Verdict::Truncated })
}

/// `225 / 171,987 (0.13%)`, or parts of it: the count, the share.
fn shares(
    claim: &dyn Fn(&str) -> Claim,
    what: &str,
    stated: &str,
    known: Option<(u64, u64)>,
    page: &SweepPage<'_>,
) -> Vec<Judgement> {
    let counted_claim = || claim(&format!("failed {what} of all"));
    let Some((some, all)) = known else {
        return vec![counted_claim().unverifiable(page.file, "the page does not say")];
    };
    let share = stated.split(['(', ' ', ')']).find(|part| part.ends_with('%'));
    let counts = match failed::read(stated) {
        Some(pair) => Some(pair.failed == some && pair.total == all),
        None if matches!(stated.to_lowercase().as_str(), "none" | "no") => Some(some == 0),
        None => stated.split(['(', ' ']).next().and_then(count::read).map(|stated| stated == some),
    };
    let mut judgements = Vec::new();
    match counts {
        Some(true) => judgements.push(counted_claim().holds(failed::write(some, all), page.file, "as the page says")),
        Some(false) => {
            judgements.push(counted_claim().wrong(failed::write(some, all), page.file, "the page says otherwise"));
        }
        None if share.is_none() => {
            judgements.push(counted_claim().unverifiable(page.file, "the cell does not read as counts or a share"));
        }
        None => {}
    }
    // where the counts are wrong already, the share they come with says nothing new
    if counts != Some(false) {
        judgements
            .extend(share.map(|share| shared(claim(&format!("share of failed {what}")), share, (some, all), page)));
    }
    judgements
}

fn shared(claim: Claim, stated: &str, (some, all): (u64, u64), page: &SweepPage<'_>) -> Judgement {
    let data = percent::prose(some, all);
    let exact = if all == 0 { 0.0 } else { some as f64 / all as f64 };
    let printed = percent::read(stated);
    match printed.as_ref().map(|printed| in_other_digits(printed, exact)) {
        _ if stated == data => claim.holds(data, page.file, "of the two counts"),
        None => claim.unverifiable(page.file, "the share cannot be read"),
        Some(Some(verdict)) => claim.inexact(verdict, data, page.file, "right, in other digits than k6 prints"),
        Some(None) => claim.wrong(data, page.file, "of the two counts"),
    }
}
