//! The statements that took the database's time.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::bucket::{Bucket, Span, buckets, longest_uncovered, united};
use super::figures::{number, with_edges};
use super::group::{FoundExport, Group, groups};
use super::select::{WORSE, differ, period_of};
use super::sql;
use crate::model::{EvidenceWindow, Quantity, Queries, Query, TimeSeries, Warning};

/// Users of the platform: their statements are nobody's work.
const PLATFORM_USERS: [&str; 4] = ["cloudsqladmin", "cloudsqlagent", "cloudsqlimportexport", "cloudsqlreplica"];

/// Databases of the platform, whoever asks them.
const PLATFORM_DATABASES: [&str; 3] = ["cloudsqladmin", "template0", "template1"];

/// Longest text that is kept of a statement, in characters.
const TEXT: usize = 300;

/// Category of statements that wait for advisory locks and have no category of the project file's.
const ADVISORY: &str = "advisory locks";

/// A name and a category of the project file for statements.
#[derive(Debug, Clone)]
pub struct QueryName {
    /// The statement's number, when it is one statement.
    pub hash: Option<String>,
    /// What its text must fit.
    pub text: Option<Regex>,
    /// Its name on the page.
    pub name: Option<String>,
    /// Its category.
    pub category: Option<String>,
}

impl QueryName {
    fn fits(&self, query: &RankedQuery) -> bool {
        self.hash.as_ref().is_none_or(|hash| *hash == query.hash)
            && self.text.as_ref().is_none_or(|text| text.is_match(&query.text))
    }
}

/// One statement with everything that was measured of it; holds names of database users and is not published as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RankedQuery {
    /// The monitoring system's number for it, or its text without one.
    pub hash: String,
    /// The longest text it was exported with.
    pub text: String,
    /// True when that text was cut.
    pub cut: bool,
    /// Execution time in seconds, over users, clients and databases.
    pub seconds: f64,
    /// Execution time in seconds by user.
    pub users: BTreeMap<String, f64>,
    /// Seconds waited for heavyweight locks; `None` when lock times were not exported.
    pub lock_seconds: Option<f64>,
    /// True when it takes an advisory lock and waits for it.
    pub advisory_wait: bool,
}

/// Statements by execution time, longest first, ties by number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    /// Every statement.
    pub queries: Vec<RankedQuery>,
    /// Execution time of all of them, seconds.
    pub total_seconds: f64,
    /// The same with the periods across the window's edges, each by the share of it that lies inside.
    pub total_seconds_with_edges: f64,
    /// Execution time of the platform's own statements, seconds; in no other figure.
    pub platform_seconds: f64,
    /// Seconds of the window that were measured.
    pub measured_seconds: f64,
    /// Share of the window that was measured.
    pub coverage: f64,
    /// True when whole periods of the window are missing.
    pub incomplete: bool,
    /// Seconds waited for the server's internal latches; `None` when lock times were not exported.
    pub latch_seconds: Option<f64>,
    /// The file.
    pub source: String,
}

/// Ranks the statements of a run's exports; `None` without any execution time within the window.
pub fn rank(exports: &[FoundExport], target: &str, window: EvidenceWindow) -> Option<Ranking> {
    let mut unsaid = Vec::new();
    ranking(&groups(exports, target, &mut unsaid), Span::of(window), &mut unsaid)
}

pub(super) fn queries(
    groups: &[Group],
    window: Span,
    names: &[QueryName],
    warnings: &mut Vec<Warning>,
) -> Option<Queries> {
    let ranking = ranking(groups, window, warnings)?;
    let sum = |of: &dyn Fn(&RankedQuery) -> Option<f64>| {
        ranking.queries.iter().filter_map(of).fold(0.0, |sum, seconds| sum + seconds)
    };
    let lock_seconds =
        ranking.queries.iter().any(|q| q.lock_seconds.is_some()).then(|| sum(&|query| query.lock_seconds));
    let mut categories: BTreeMap<String, f64> = BTreeMap::new();
    let all: Vec<Query> = ranking.queries.iter().map(|query| named(query, names)).collect();
    for query in &all {
        if let Some(category) = &query.category {
            *categories.entry(category.clone()).or_default() += query.seconds;
        }
    }
    Some(Queries {
        total_seconds: ranking.total_seconds,
        total_seconds_with_edges: Some(ranking.total_seconds_with_edges),
        platform_seconds: ranking.platform_seconds,
        average_active_sessions: ranking.total_seconds / ranking.measured_seconds,
        coverage: ranking.coverage,
        incomplete: ranking.incomplete,
        statements: all.len() as u64,
        ranking: all.into_iter().take(Queries::KEPT).collect(),
        advisory_seconds: sum(&|query| query.advisory_wait.then_some(query.seconds)),
        lock_seconds,
        latch_seconds: ranking.latch_seconds,
        categories,
        source: ranking.source,
    })
}

fn named(query: &RankedQuery, names: &[QueryName]) -> Query {
    let fitting = || names.iter().filter(|name| name.fits(query));
    let own_name = fitting().find_map(|name| name.name.clone());
    let category = fitting().find_map(|name| name.category.clone());
    let text: String = query.text.chars().take(TEXT).collect();
    Query {
        hash: query.hash.clone(),
        name: own_name.unwrap_or_else(|| sql::name(&query.text)),
        cut: query.cut || text.len() < query.text.len(),
        text: Some(text).filter(|text| !text.is_empty()),
        seconds: query.seconds,
        lock_seconds: query.lock_seconds,
        advisory_wait: query.advisory_wait,
        category: category.or_else(|| query.advisory_wait.then(|| ADVISORY.to_owned())),
        users: query.users.len() as u64,
    }
}

fn ranking(groups: &[Group], window: Span, warnings: &mut Vec<Warning>) -> Option<Ranking> {
    let times = measured(groups, Quantity::QueryTime, window, warnings)?;
    let locks = measured(groups, Quantity::QueryLockTime, window, warnings).filter(|locks| {
        let same = locks.is_of_the_same_time_as(&times);
        if !same {
            let (one, other) = (&locks.source, &times.source);
            let message = format!("{one}: times of lock waits are of other parts of the window than {other}: left out");
            warnings.push(Warning::new("cloud-incomplete", message));
        }
        same
    });
    let mut by_hash: BTreeMap<String, RankedQuery> = BTreeMap::new();
    let (mut total_seconds_with_edges, mut platform_seconds) = (0.0, 0.0);
    for PerSeries { series, seconds, with_edges } in &times.series {
        if is_of_platform(series) {
            platform_seconds += seconds;
            continue;
        }
        let user = label(series, "user");
        total_seconds_with_edges += with_edges;
        let query = by_hash.entry(key(series).to_owned()).or_default();
        query.seconds += seconds;
        if !user.is_empty() {
            *query.users.entry(user.to_owned()).or_default() += seconds;
        }
        let text = label(series, "querystring");
        if text.len() > query.text.len() {
            query.text = text.to_owned();
        }
    }
    by_hash.retain(|_, query| query.seconds > 0.0);
    // an export that does not tell kinds of locks apart, or lacks one, does not know its waits
    let typed =
        |kind: &str| locks.iter().flat_map(|locks| &locks.series).any(|one| label(one.series, "lock_type") == kind);
    let mut latch_seconds = typed("lw").then_some(0.0);
    let tells_waits = typed("hw");
    for (hash, query) in &mut by_hash {
        query.hash.clone_from(hash);
        query.cut = sql::is_cut(&query.text);
        query.advisory_wait = sql::is_advisory_wait(&query.text);
        query.lock_seconds = tells_waits.then_some(0.0);
    }
    for PerSeries { series, seconds, .. } in locks.iter().flat_map(|locks| &locks.series) {
        if is_of_platform(series) {
            continue;
        }
        let Some(query) = by_hash.get_mut(key(series)) else { continue };
        match label(series, "lock_type") {
            // with row and table locks: what one session waits for another to end
            "hw" => query.lock_seconds = query.lock_seconds.map(|sum| sum + seconds),
            "lw" => latch_seconds = latch_seconds.map(|sum| sum + seconds),
            _ => {}
        }
    }
    let mut queries: Vec<RankedQuery> = by_hash.into_values().collect();
    queries.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then_with(|| a.hash.cmp(&b.hash)));
    let total_seconds = queries.iter().map(|query| query.seconds).sum();
    (!queries.is_empty()).then_some(Ranking {
        queries,
        total_seconds,
        total_seconds_with_edges,
        platform_seconds,
        measured_seconds: times.measured_seconds,
        coverage: times.coverage,
        incomplete: times.incomplete,
        latch_seconds,
        source: times.source,
    })
}

/// What one export measured of statements within the window.
struct Measured<'g> {
    series: Vec<PerSeries<'g>>,
    preference: usize,
    /// The periods inside the window, and the shortest gap between them that is missing data.
    spans: BTreeSet<Span>,
    gap: i64,
    measured_seconds: f64,
    coverage: f64,
    incomplete: bool,
    source: String,
}

/// What one series adds to the window, in whole periods and with those across its edges.
struct PerSeries<'g> {
    series: &'g TimeSeries,
    seconds: f64,
    with_edges: f64,
}

impl Measured<'_> {
    /// What all statements took, the platform's own among them.
    fn seconds(&self) -> f64 {
        self.series.iter().map(|one| one.seconds).sum()
    }

    /// True when neither lacks a part of the window that the other has: only then is one a share of the other.
    fn is_of_the_same_time_as(&self, other: &Measured<'_>) -> bool {
        let gap = self.gap.min(other.gap);
        longest_uncovered(&self.spans, &other.spans) < gap && longest_uncovered(&other.spans, &self.spans) < gap
    }
}

/// The export that speaks for the window, of several the one of the preferred metric. Two of them are never added: they are the
/// same time measured twice. None where two of one metric and time differ: each may be of a part of the statements.
fn measured<'g>(
    groups: &'g [Group],
    quantity: Quantity,
    window: Span,
    warnings: &mut Vec<Warning>,
) -> Option<Measured<'g>> {
    let of_quantity = groups.iter().filter(|group| group.measure.quantity == quantity);
    let mut found: Vec<Measured<'g>> = of_quantity.map(|group| of_group(group, groups, window)).collect();
    let most = found.iter().map(|one| one.coverage).fold(0.0, f64::max);
    found.retain(|one| one.coverage > 0.0 && one.coverage >= most * WORSE);
    found.sort_by(|a, b| {
        let rank = |one: &Measured<'_>| (one.incomplete, one.preference);
        rank(a).cmp(&rank(b)).then_with(|| b.coverage.total_cmp(&a.coverage))
    });
    let (first, others) = found.split_first()?;
    let comparable = |other: &&Measured<'_>| {
        other.preference == first.preference
            && first.is_of_the_same_time_as(other)
            && differ(first.seconds(), other.seconds())
    };
    if let Some(other) = others.iter().find(comparable) {
        let (one, another) = (first.seconds(), other.seconds());
        let (name, source, second) = (quantity.name(), &first.source, &other.source);
        let message = format!("`{name}` is {one:.0} s in {source} and {another:.0} s in {second}: left out");
        warnings.push(Warning::new("cloud-contradiction", message));
        return None;
    }
    found.into_iter().next()
}

fn of_group<'g>(group: &'g Group, groups: &[Group], window: Span) -> Measured<'g> {
    let period = period_of(group, groups);
    let gap = period.gap();
    let mut spans: BTreeSet<Span> = BTreeSet::new();
    let mut series = Vec::new();
    for one in &group.series {
        let all = buckets(one, period.nanos, window);
        let inside: Vec<&Bucket> = all.iter().filter(|bucket| bucket.span.is_inside(window)).collect();
        spans.extend(inside.iter().map(|bucket| bucket.span));
        let seconds = inside.into_iter().filter_map(number).sum();
        series.push(PerSeries { series: one, seconds, with_edges: with_edges(&all, window, number) });
    }
    // statements may have been measured over spans of their own
    let stretches = united(&spans);
    let covered: f64 = stretches.iter().map(|span| span.seconds() * span.share_in(window)).sum();
    Measured {
        series,
        preference: group.preference(),
        gap,
        measured_seconds: stretches.iter().map(|span| span.seconds()).sum(),
        coverage: (covered / window.seconds().max(1.0)).min(1.0),
        // less than a period at either end never fits
        incomplete: group.partial || window.seconds() - covered >= 2.0 * gap as f64 / 1e9,
        source: group.file.clone(),
        spans,
    }
}

/// True for what the platform does for itself.
fn is_of_platform(series: &TimeSeries) -> bool {
    let database = series.resource.get("database").or_else(|| series.labels.get("database"));
    PLATFORM_USERS.contains(&label(series, "user"))
        || database.is_some_and(|database| PLATFORM_DATABASES.contains(&database.as_str()))
}

fn label<'s>(series: &'s TimeSeries, name: &str) -> &'s str {
    series.labels.get(name).map_or("", String::as_str)
}

/// What statements are told apart by: their number, or their text where there is none.
fn key(series: &TimeSeries) -> &str {
    match label(series, "query_hash") {
        "" => label(series, "querystring"),
        hash => hash,
    }
}
