//! What the rows of a page say of its outcome, for pages without evidence.

use std::sync::LazyLock;

use regex::Regex;

use super::figure::Figure;
use super::{containers, database};
use crate::model::{LockShare, LockShareOf, OutcomeFigures};
use crate::notation::{count, utilisation};
use crate::rows::RowId;

/// A share of lock waits with what it is a share of, in the wordings pages have.
static ALL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)advisory-lock (?:wait|statements):? (?P<all>[\d.]+%) of (?:the (?:database time|execution time of all)|all)",
    )
    .expect("a constant")
});
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?P<share>[\d.]+%) of (?:the |its )?(?:top-\d+ query |listed )?time is advisory[ -]lock wait")
        .expect("a constant")
});
static ENTRY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*\d+: (?P<name>.*?) \((?P<value>[\d,]+) s\)\s*$").expect("a constant"));

/// The figures that decide an outcome as the page's own rows state them; what no row states is absent.
pub(crate) fn outcome_figures<'p>(row: impl Fn(RowId) -> Option<&'p str>) -> OutcomeFigures {
    let first = |id: RowId, figures: &[Figure]| {
        let found = figures.first()?.pattern.captures(row(id)?)?;
        utilisation::read(found.name("value")?.as_str())?.value
    };
    let queries = row(RowId::TopQueries).unwrap_or_default();
    let outcome = row(RowId::Outcome).unwrap_or_default();
    let stated = |pattern: &Regex, text: &str| {
        let found = pattern.captures(text)?;
        utilisation::read(found.get(1)?.as_str())?.value
    };
    let all = stated(&ALL, queries).or_else(|| stated(&ALL, outcome));
    let lock_share = all.map(|share| LockShare { share, of: LockShareOf::AllStatements }).or_else(|| {
        let share = stated(&LISTED, outcome).or_else(|| stated(&LISTED, queries)).or_else(|| of_list(queries))?;
        Some(LockShare { share, of: LockShareOf::ListedStatements })
    });
    OutcomeFigures {
        database_cpu: first(RowId::DatabaseMetrics, &database::FIGURES),
        container_cpu: first(RowId::ProductMetrics, &containers::FIGURES),
        lock_share,
        ..OutcomeFigures::default()
    }
}

/// The share of lock waits in the listed statements; `None` without times.
fn of_list(queries: &str) -> Option<f64> {
    let (mut waiting, mut all) = (0.0, 0.0);
    for found in ENTRY.captures_iter(queries) {
        let seconds = count::read(found.name("value")?.as_str())? as f64;
        all += seconds;
        if found.name("name")?.as_str().contains("lock wait") {
            waiting += seconds;
        }
    }
    (all > 0.0).then(|| waiting / all)
}
