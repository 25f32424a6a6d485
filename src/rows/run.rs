use super::words;
use super::{RowId, RowInput};
use crate::model::{EvidenceWindow, Fault, K6, Result, RunSecondsBasis, Time, WindowBasis};
use crate::notation::escape;

pub(super) fn baseline(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.baseline.map(escape::fact))
}

pub(super) fn product_version(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.version.map(escape::cell))
}

pub(super) fn test_start(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.evidence.window.map(|window| moment(window, window.start)))
}

pub(super) fn test_end(input: &RowInput<'_>) -> Result<Option<String>> {
    let cut = input.evidence.warnings.iter().any(|warning| warning.code == "chart-shorter-than-run");
    let remark = if cut { " (end of the chart data, not of the run)" } else { "" };
    Ok(input.evidence.window.map(|window| moment(window, window.end) + remark))
}

fn moment(window: EvidenceWindow, time: Time) -> String {
    // a launcher's clock runs before setup and after teardown: it is not the window, and must not pass for it
    let remark = if window.basis == WindowBasis::Stamps { " (launcher's clock)" } else { "" };
    format!("{}{remark}", words::utc(time))
}

pub(super) fn executed_test(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(Some(escape::cell(&input.evidence.target)).filter(|text| !text.is_empty()))
}

pub(super) fn k6_version(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.evidence.k6.version.as_deref().map(escape::cell))
}

/// The VUs of the run.
///
/// # Errors
///
/// Fails when the project file expects another number.
pub(super) fn vus(input: &RowInput<'_>) -> Result<Option<String>> {
    let found = input.evidence.k6.vus_max;
    match (found, input.expected_vus) {
        (Some(found), Some(expected)) if found != expected => {
            let target = escape::visible(&input.evidence.target);
            Err(Fault::new(format!("`vus` in `[targets.{target}]` says {expected}, the data says {found}"))
                .hint("correct `vus`, or check that the raw output is that of this target"))
        }
        (found, expected) => Ok(found.or(expected).map(|vus| vus.to_string())),
    }
}

/// k6's own rate: over the whole run, setup and teardown included.
pub(super) fn iterations_per_second(input: &RowInput<'_>) -> Result<Option<String>> {
    let rate = input.evidence.k6.iterations.and_then(|iterations| iterations.per_second);
    Ok(rate.map(words::iterations_per_second))
}

/// The link to the block, when there is one.
pub(super) fn k6_output(input: &RowInput<'_>) -> Result<Option<String>> {
    Ok(input.evidence.k6.summary_text.as_ref().map(|_| "[output](#k6-output)".to_owned()))
}

pub(super) fn errors(input: &RowInput<'_>) -> Result<Option<String>> {
    // a person who knows the errors fills in for data that knows nothing at all
    let nothing = super::observed_errors::nothing_known(input.evidence);
    let fact = input.fact(RowId::ObservedErrors);
    Ok(if nothing && fact.is_some() { None } else { Some(super::observed_errors(input.evidence)) })
}

/// The planned duration when the run ended as planned, else how long it really took and why that differs.
pub(super) fn test_duration(input: &RowInput<'_>) -> Result<Option<String>> {
    let k6 = &input.evidence.k6;
    let planned = k6.planned_seconds.and_then(whole_seconds);
    if let (Some(true), Some(planned)) = (k6.completed, planned) {
        return Ok(Some(words::minutes(planned)));
    }
    if let Some(real) = k6.run_seconds.and_then(whole_seconds) {
        let reasons = reasons(k6, planned, input.evidence.iterations.interrupted);
        let samples = k6.run_seconds_basis == Some(RunSecondsBasis::Samples);
        let real = words::minutes(real) + if samples { " from first to last sample" } else { "" };
        return Ok(Some(with_reasons(real, &reasons)));
    }
    let window = input.evidence.window.filter(|window| window.basis != WindowBasis::Stamps);
    Ok(window.map(|window| format!("{} (first to last sample)", words::minutes(window.window().seconds()))))
}

fn reasons(k6: &K6, planned: Option<u64>, interrupted: Option<u64>) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(planned) = planned {
        reasons.push(format!("planned {}", words::minutes(planned)));
    }
    match interrupted {
        Some(1) => reasons.push("1 iteration interrupted".to_owned()),
        Some(n) if n > 0 => reasons.push(format!("{} iterations interrupted", words::count(n))),
        _ => {}
    }
    if let Some(code) = k6.exit_code.filter(|code| *code != 0) {
        reasons.push(format!("k6 exited with {code}"));
    }
    reasons
}

fn with_reasons(duration: String, reasons: &[String]) -> String {
    if reasons.is_empty() { duration } else { format!("{duration} ({})", reasons.join(", ")) }
}

/// Nearest whole second; `None` for what is no duration.
fn whole_seconds(seconds: f64) -> Option<u64> {
    // 1e15 seconds are 30 million years: beyond it the cast would say something else than the data
    (seconds.is_finite() && (0.0..1e15).contains(&seconds)).then(|| seconds.round() as u64)
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;

    use super::*;
    use crate::model::{CountRate, Evidence};

    fn value(evidence: &Evidence, of: fn(&RowInput<'_>) -> Result<Option<String>>) -> Option<String> {
        let facts = IndexMap::new();
        of(&RowInput { evidence, product: "X", version: None, facts: &facts, expected_vus: None, baseline: None })
            .unwrap()
    }

    fn time(text: &str) -> Time {
        Time::parse_rfc3339(text).unwrap()
    }

    fn window(basis: WindowBasis) -> EvidenceWindow {
        EvidenceWindow { start: time("2026-08-27T13:41:19Z"), end: time("2026-08-27T14:11:30Z"), basis }
    }

    fn duration(
        planned: Option<f64>,
        run: Option<f64>,
        completed: Option<bool>,
        interrupted: Option<u64>,
    ) -> Option<String> {
        let mut evidence = Evidence::default();
        evidence.k6.planned_seconds = planned;
        evidence.k6.run_seconds = run;
        evidence.k6.completed = completed;
        evidence.iterations.interrupted = interrupted;
        value(&evidence, test_duration)
    }

    #[test]
    fn start_and_end_are_those_of_the_window() {
        let evidence = Evidence { window: Some(window(WindowBasis::Test)), ..Evidence::default() };
        assert_eq!(value(&evidence, test_start).as_deref(), Some("2026-08-27 13:41:19 UTC"));
        assert_eq!(value(&evidence, test_end).as_deref(), Some("2026-08-27 14:11:30 UTC"));
        assert_eq!(value(&Evidence::default(), test_start), None);
    }

    #[test]
    fn a_launchers_clock_does_not_pass_for_the_window() {
        let evidence = Evidence { window: Some(window(WindowBasis::Stamps)), ..Evidence::default() };
        assert_eq!(value(&evidence, test_start).as_deref(), Some("2026-08-27 13:41:19 UTC (launcher's clock)"));
        assert_eq!(value(&evidence, test_duration), None);
    }

    #[test]
    fn duration_is_the_plan_when_the_run_ended_as_planned() {
        // 98 iterations were cut off at the end of the published v4 run, which still took its 30 minutes
        assert_eq!(duration(Some(1800.0), Some(1832.1), Some(true), Some(98)).as_deref(), Some("30min"));
        assert_eq!(duration(Some(1800.0), None, Some(true), None).as_deref(), Some("30min"));
    }

    #[test]
    fn duration_is_the_real_time_with_its_reason_otherwise() {
        assert_eq!(
            duration(Some(1800.0), Some(2526.8), Some(false), Some(600)).as_deref(),
            Some("42min 7s (planned 30min, 600 iterations interrupted)")
        );
        assert_eq!(duration(Some(1800.0), Some(312.0), None, None).as_deref(), Some("5min 12s (planned 30min)"));
        assert_eq!(duration(None, Some(90.0), None, Some(1)).as_deref(), Some("1min 30s (1 iteration interrupted)"));
        assert_eq!(duration(None, Some(90.0), None, Some(0)).as_deref(), Some("1min 30s"));
    }

    #[test]
    fn duration_falls_back_to_the_window_and_says_so() {
        let evidence = Evidence { window: Some(window(WindowBasis::Chart)), ..Evidence::default() };
        assert_eq!(value(&evidence, test_duration).as_deref(), Some("30min 12s (first to last sample)"));
        assert_eq!(duration(None, Some(f64::NAN), None, None), None);
        assert_eq!(duration(Some(1800.0), None, None, None), None, "a plan alone says nothing of the run");
    }

    #[test]
    fn vus_must_be_those_the_project_expects() {
        let facts = IndexMap::new();
        let mut evidence = Evidence { target: "pat_login".into(), ..Evidence::default() };
        let with = |evidence: &Evidence, expected_vus| {
            vus(&RowInput { evidence, product: "X", version: None, facts: &facts, expected_vus, baseline: None })
        };
        assert_eq!(with(&evidence, Some(600)).unwrap().as_deref(), Some("600"));
        evidence.k6.vus_max = Some(200);
        assert_eq!(with(&evidence, None).unwrap().as_deref(), Some("200"));
        assert_eq!(
            with(&evidence, Some(600)).unwrap_err().to_string(),
            "`vus` in `[targets.pat_login]` says 600, the data says 200"
        );
    }

    #[test]
    fn rate_and_link_are_absent_when_k6_printed_none() {
        let mut evidence = Evidence::default();
        assert_eq!((value(&evidence, iterations_per_second), value(&evidence, k6_output)), (None, None));
        evidence.k6.iterations = Some(CountRate { count: 34_399, per_second: Some(18.873602), recomputed: false });
        evidence.k6.summary_text = Some("x".into());
        assert_eq!(value(&evidence, iterations_per_second).as_deref(), Some("19"));
        assert_eq!(value(&evidence, k6_output).as_deref(), Some("[output](#k6-output)"));
    }

    #[test]
    fn a_hostile_target_name_stays_text() {
        let evidence = Evidence { target: "a|b {x}".into(), ..Evidence::default() };
        assert_eq!(value(&evidence, executed_test).as_deref(), Some("a\\|b \\{x\\}"));
    }
}
