use super::{Chart, Judgement, Severity, Subject};
use crate::check::finding::{CHART_DATA, Claim};
use crate::model::{ChartRow, Time, WindowBasis};
use crate::notation::{count, duration, time};

/// A gap before which setup samples can be told from the test.
const LEAK_GAP_SECONDS: i64 = 30;
/// Leaked samples are at most this share of all rows.
const LEAK_SHARE: f64 = 0.01;
/// The chart may miss this share of the run and a little more: an iteration is recorded when it ends.
const SHORT_SHARE: f64 = 0.05;
const SHORT_SECONDS: f64 = 15.0;

/// The chart data against the run: there, readable, as long as the run, of the test phase only.
pub(super) fn judge(subject: &Subject) -> Vec<Judgement> {
    let place = subject.chart_place();
    let imports = subject.page.chart_import.as_ref().map(|import| import.text.as_str());
    let claim = |kind, what: &str, words: &str| Claim::at(place, CHART_DATA, kind, what, words);
    match &subject.chart {
        Chart::Missing => imports
            .map(|import| {
                let how = "the page imports a file that is not there: nothing to hold against its figures";
                vec![claim("chart-data", "chart data of the run", import).unverifiable("output.json", how)]
            })
            .unwrap_or_default(),
        Chart::Unreadable(why) => {
            let claim = claim("chart-data", "chart data of the run", imports.unwrap_or("output.json"));
            vec![claim.contradicted(Severity::Warning, "no chart data", "output.json", why.as_str())]
        }
        Chart::Rows(rows) if rows.is_empty() => Vec::new(),
        Chart::Rows(rows) => [other_run(subject), short(subject), leak(subject, rows)].into_iter().flatten().collect(),
    }
}

/// First second of the test when setup samples stand before it: few rows, then a gap. `None` when nothing leaked.
///
/// Rows must be in order of time.
pub(in crate::check) fn bulk_start(rows: &[ChartRow]) -> Option<Time> {
    let most = (rows.len() as f64 * LEAK_SHARE) as usize;
    let gap = |pair: &[ChartRow]| match pair {
        [a, b] => b.time.unix_seconds() - a.time.unix_seconds() >= LEAK_GAP_SECONDS,
        _ => false,
    };
    let last = rows.windows(2).take(most).rposition(gap)?;
    rows.get(last + 1).map(|row| row.time.floor_to_second())
}

fn leak(subject: &Subject, rows: &[ChartRow]) -> Option<Judgement> {
    let start = bulk_start(rows)?;
    let leaked = rows.iter().filter(|row| row.time < start).count() as u64;
    let first = rows.first()?.time;
    let words = format!("{} rows from {}", count::write(leaked), time::write(first));
    let claim = Claim::at(subject.chart_place(), CHART_DATA, "setup-samples", "rows of the test phase only", words);
    let how = "few rows, then none for a while: samples of setup() leaked into the chart";
    Some(claim.contradicted(Severity::Warning, format!("test phase from {}", time::write(start)), "output.json", how))
}

/// Rows that end long before the run does.
fn short(subject: &Subject) -> Option<Judgement> {
    let rows = subject.chart_rows();
    let (first, last) = subject.chart.span()?;
    let first = bulk_start(rows).unwrap_or(first);
    let seconds = (last.unix_seconds() - first.unix_seconds()) as f64;
    let k6 = &subject.truth.evidence.k6;
    let (expected, source) =
        match subject.truth.evidence.window.filter(|w| recorded(subject) && w.basis != WindowBasis::Chart) {
            Some(window) => ((window.window().seconds() - 1) as f64, subject.figures_from()),
            // a run that was cut short has no more to show than it ran
            None => {
                let run = k6.run_seconds?;
                (k6.planned_seconds.unwrap_or(run).min(run), subject.figure_from("running"))
            }
        };
    let words = format!("{} from {} to {}", duration::prose(seconds), time::write(first), time::clock(last));
    let claim = Claim::at(subject.chart_place(), CHART_DATA, "chart-length", "rows of the whole run", words);
    let data = duration::prose(expected);
    let missing = expected - seconds;
    if missing <= expected * SHORT_SHARE + SHORT_SECONDS {
        return Some(claim.holds(data, &source, "the rows cover the run"));
    }
    let how =
        format!("the last row is {}s after the first, {} of the run are missing", seconds, duration::prose(missing));
    Some(claim.wrong(data, &source, how))
}

/// Rows at other times than the recorded window.
fn other_run(subject: &Subject) -> Option<Judgement> {
    let window = subject.truth.evidence.window.filter(|w| recorded(subject) && w.basis != WindowBasis::Chart)?;
    let (first, last) = subject.chart.span()?;
    let words = format!("rows from {} to {}", time::write(first), time::write(last));
    let claim = Claim::at(subject.chart_place(), CHART_DATA, "chart-window", "rows of this run", words);
    let data = format!("{} to {}", time::write(window.start), time::write(window.end));
    let outside = first.unix_seconds() < window.start.unix_seconds() || last.unix_seconds() > window.end.unix_seconds();
    let disjoint =
        last.unix_seconds() < window.start.unix_seconds() || first.unix_seconds() > window.end.unix_seconds();
    let source = subject.figures_from();
    Some(match (disjoint, outside) {
        (true, _) => claim.contradicted(Severity::Error, data, &source, "the chart data is of another run"),
        (_, true) => {
            claim.contradicted(Severity::Warning, data, &source, "some rows lie outside the window of the test")
        }
        _ => claim.holds(data, &source, "within the window of the test"),
    })
}

fn recorded(subject: &Subject) -> bool {
    subject.truth.recorded.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(seconds: impl Iterator<Item = i64>) -> Vec<ChartRow> {
        let row = |s| ChartRow {
            metric: "x".into(),
            time: Time::from_unix_seconds(s).unwrap(),
            p50: 1.0,
            p95: 1.0,
            p99: 1.0,
        };
        seconds.map(row).collect()
    }

    #[test]
    fn few_rows_before_a_gap_are_of_setup() {
        let leaked = rows([0, 1].into_iter().chain(50..2000));
        assert_eq!(bulk_start(&leaked).map(Time::unix_seconds), Some(50));
        assert_eq!(bulk_start(&rows(0..2000)), None);
        assert_eq!(bulk_start(&rows([0, 1].into_iter().chain(20..2000))), None, "a short gap is none");
        assert_eq!(bulk_start(&rows((0..100).chain(200..300))), None, "a hole in the middle is none");
        assert_eq!(bulk_start(&[]), None);
    }
}
