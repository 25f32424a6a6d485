use super::window::{Stated, read};
use super::{Judgement, Severity, Subject};
use crate::check::finding::Claim;
use crate::notation::duration;
use crate::rows::RowId;

/// How much later than the plan's first second the first sample may be stamped, its own duration aside.
const SLACK_SECONDS: f64 = 15.0;

/// Test start to Test end against how long k6 says it ran: all there is to hold them against without chart data.
pub(super) fn judge(subject: &Subject) -> Option<Judgement> {
    let (start, end) = (subject.page.row(RowId::TestStart)?, subject.page.row(RowId::TestEnd)?);
    let (Some(Stated::Second(from)), Some(Stated::Second(to))) = (read(&start.text), read(&end.text)) else {
        return None;
    };
    let words = format!("{} to {}", start.text, end.text);
    let claim = Claim::of_words(end, "span", "length of the test phase", 0, &words);
    let seconds = (to.unix_seconds() - from.unix_seconds()) as f64;
    if seconds < 0.0 {
        let source = format!("`{}` on line {}", start.label, start.line);
        return Some(claim.contradicted(
            Severity::Error,
            start.text.as_str(),
            &source,
            "the test ends before it starts",
        ));
    }
    let k6 = &subject.truth.evidence.k6;
    let run = k6.run_seconds.filter(|_| subject.truth.recorded.is_none())?;
    let stated = duration::prose(seconds.max(1.0));
    let source = subject.figure_from("running");
    let data = format!("{} in all", duration::prose(run));
    if seconds > run + 1.0 {
        let how = format!("{stated} from start to end, longer than k6 ran with setup and teardown");
        return Some(claim.contradicted(Severity::Error, data, &source, how));
    }
    let plan = k6.planned_seconds.filter(|_| k6.completed == Some(true))?;
    let iteration_seconds = subject.truth.evidence.trends.get("iteration_duration").and_then(|t| t.run.avg)? / 1000.0;
    if seconds < plan - SLACK_SECONDS - iteration_seconds {
        let how =
            format!("{stated} from start to end, shorter than the plan of {} that k6 completed", duration::prose(plan));
        return Some(claim.contradicted(Severity::Error, data, &source, how));
    }
    Some(claim.holds(data, &source, format!("{stated} from start to end fit into it")))
}
