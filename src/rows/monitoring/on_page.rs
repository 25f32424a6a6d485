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
    let Stated { database_cpu, container_cpu, lock_share } = Stated::read(row);
    let value = |share: Option<Rounded>| share.map(|share| share.value);
    OutcomeFigures {
        database_cpu: value(database_cpu),
        container_cpu: value(container_cpu),
        lock_share: lock_share.map(|(share, of)| LockShare { share: share.value, of }),
        ..OutcomeFigures::default()
    }
}

/// Every figure the page may stand for: a printed 85 % may be anything from 84.5 % to just below 85.5 %.
///
/// All combinations of the least and the most each share can be, so that a decision that is the same for all of them is that of
/// the figures themselves.
pub(crate) fn possible_figures<'p>(row: impl Fn(RowId) -> Option<&'p str>) -> Vec<OutcomeFigures> {
    let Stated { database_cpu, container_cpu, lock_share } = Stated::read(row);
    let ends = |share: Option<Rounded>| share.map_or(vec![None], |share| share.ends().map(Some).to_vec());
    let (share, of) = lock_share.unzip();
    let mut possible = Vec::new();
    for database_cpu in ends(database_cpu) {
        for container_cpu in ends(container_cpu) {
            for share in ends(share) {
                let lock_share = share.zip(of).map(|(share, of)| LockShare { share, of });
                possible.push(OutcomeFigures { database_cpu, container_cpu, lock_share, ..OutcomeFigures::default() });
            }
        }
    }
    possible
}

/// A share as it is printed, a fraction.
#[derive(Debug, Clone, Copy)]
struct Rounded {
    value: f64,
    /// Distance to the next share that can be printed.
    step: f64,
}

impl Rounded {
    fn read(text: &str) -> Option<Self> {
        let printed = utilisation::read(text)?;
        Some(Rounded { value: printed.value?, step: printed.step })
    }

    /// The least that rounds to it, and the most: half a step above it is the next one's.
    fn ends(self) -> [f64; 2] {
        const BELOW: f64 = 1e-9;
        [self.value - self.step / 2.0, self.value + self.step / 2.0 - BELOW]
    }
}

/// The shares the rows of a page state.
struct Stated {
    database_cpu: Option<Rounded>,
    container_cpu: Option<Rounded>,
    lock_share: Option<(Rounded, LockShareOf)>,
}

impl Stated {
    fn read<'p>(row: impl Fn(RowId) -> Option<&'p str>) -> Self {
        let first = |id: RowId, figures: &[Figure]| {
            let found = figures.first()?.pattern.captures(row(id)?)?;
            // `over 50%` is no figure
            if found.name("side").is_some() { None } else { Rounded::read(found.name("value")?.as_str()) }
        };
        let queries = row(RowId::TopQueries).unwrap_or_default();
        let outcome = row(RowId::Outcome).unwrap_or_default();
        let stated = |pattern: &Regex, text: &str| Rounded::read(pattern.captures(text)?.get(1)?.as_str());
        let all = stated(&ALL, queries).or_else(|| stated(&ALL, outcome));
        let listed = || stated(&LISTED, outcome).or_else(|| stated(&LISTED, queries)).or_else(|| of_list(queries));
        Stated {
            database_cpu: first(RowId::DatabaseMetrics, &database::FIGURES),
            container_cpu: first(RowId::ProductMetrics, &containers::FIGURES),
            lock_share: all
                .map(|share| (share, LockShareOf::AllStatements))
                .or_else(|| Some((listed()?, LockShareOf::ListedStatements))),
        }
    }
}

/// The share of lock waits in the listed statements, whose seconds are exact enough; `None` without times.
fn of_list(queries: &str) -> Option<Rounded> {
    let (mut waiting, mut all) = (0.0, 0.0);
    for found in ENTRY.captures_iter(queries) {
        let seconds = count::read(found.name("value")?.as_str())? as f64;
        all += seconds;
        if found.name("name")?.as_str().contains("lock wait") {
            waiting += seconds;
        }
    }
    (all > 0.0).then(|| Rounded { value: waiting / all, step: 0.0 })
}
