use super::{Judgement, Severity, Subject};
use crate::check::finding::Claim;
use crate::check::page::PageRow;
use crate::check::rows::{EARLY_SECONDS, LATE_SECONDS, Stated, read_moment};
use crate::model::Window;
use crate::notation::duration;
use crate::rows::RowId;

const DAY_SECONDS: i64 = 86_400;

/// Runs of one version that overlap as their pages state it: on one system the two would have disturbed each other.
pub(super) fn judge(subjects: &[Subject]) -> Vec<(usize, Judgement)> {
    let stated: Vec<(usize, &Subject, &PageRow, Window)> = subjects
        .iter()
        .enumerate()
        .filter_map(|(page, subject)| stated(subject).map(|(r, w)| (page, subject, r, w)))
        .collect();
    let mut judgements = Vec::new();
    for (page, subject, row, window) in &stated {
        let other = stated
            .iter()
            .find(|(other, second, _, w)| other != page && same_sweep(subject, second) && window.overlaps(*w));
        if let Some((_, second, other_row, other_window)) = other {
            let claim = Claim::of_row(row, "overlap", "a run by itself");
            let seconds =
                second.truth.evidence.k6.run_seconds.unwrap_or((other_window.end - other_window.start) as f64);
            let length = duration::prose(seconds);
            let data = format!("{} of {}, for {length}", other_row.text, second.named().unwrap_or("the other page"));
            let source = format!("{}, line {}", second.file, other_row.line);
            let how = match measured_apart(subject, second) {
                true => "as stated the two runs overlap, their chart data does not: one of the two times is wrong",
                false => "as stated the two runs overlap on one system",
            };
            judgements.push((*page, claim.contradicted(Severity::Warning, data, &source, how)));
        }
    }
    judgements
}

fn same_sweep(a: &Subject, b: &Subject) -> bool {
    a.version.is_some() && a.version == b.version && a.named() != b.named()
}

/// From when to when the run went on as stated: from its start, on the day of the chart data where the row names none, for as
/// long as it took. A start without seconds may be off, so that less is certain; `None` when nothing is.
fn stated(subject: &Subject) -> Option<(&PageRow, Window)> {
    let row = subject.page.row(RowId::TestStart)?;
    let moment = read_moment(&row.text)?;
    let start = match moment {
        Stated::Second(moment) | Stated::Minute(moment) => moment.unix_seconds(),
        Stated::Clock(clock) => {
            let first = subject.chart.span()?.0.unix_seconds();
            // the day on which that time of day is nearest to the chart's first row
            let off = (clock - first + DAY_SECONDS / 2).rem_euclid(DAY_SECONDS) - DAY_SECONDS / 2;
            first + off
        }
        Stated::Zoneless(_) => return None,
    };
    let run = subject.truth.evidence.k6.run_seconds.filter(|seconds| seconds.is_finite() && *seconds < 1e9)?;
    // where the page states the window to the second, teardown lies beyond it
    let end = match (moment, subject.page.row(RowId::TestEnd).and_then(|end| read_moment(&end.text))) {
        (Stated::Second(_), Some(Stated::Second(end))) => end.unix_seconds(),
        _ => start + run as i64,
    };
    let window = match moment {
        Stated::Second(_) => Window { start, end },
        _ => Window { start: start + EARLY_SECONDS, end: end - LATE_SECONDS },
    };
    (window.end >= window.start).then_some((row, window))
}

fn measured_apart(a: &Subject, b: &Subject) -> bool {
    let (Some((a_first, a_last)), Some((b_first, b_last))) = (a.chart.span(), b.chart.span()) else { return false };
    a_last < b_first || b_last < a_first
}
