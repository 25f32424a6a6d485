//! The faults a study by hand found in the shared published pages: each is reported, and nothing else is.

mod support;

use std::collections::BTreeMap;

use serde_json::Value;
use support::{run, shared};

/// Page, row, words of the data, severity.
type Fault = (&'static str, &'static str, &'static str, &'static str);

/// Every finding above a note, each reviewed against its page.
const FAULTS: &[Fault] = &[
    // an offset counted from another zero than the page's own Test start (21)
    ("v4.17.1/manipulate_user", "Observed errors", "1,649", "warning"),
    // the block of another target's run (1), and the rate that does not agree with it (2)
    ("v4/machine_pat_login", "k6 output", "human_password_login_duration", "error"),
    ("v4/machine_pat_login", "k6 Iterations per second", "39", "error"),
    // rates that are not k6's own to the nearest integer (3, 4)
    ("v2.66.0/machine_jwt_profile_grant", "k6 Iterations per second", "437", "error"),
    ("v2.70.0/oidc_session", "k6 Iterations per second", "152", "error"),
    // a run that did not end after its plan (5), with two counts of its iterations (6) and half of its chart (7, 8)
    ("v4/oidc_session", "Test duration", "42min 7s", "error"),
    ("v4/oidc_session", "k6 output", "265,104", "warning"),
    ("v4/oidc_session", "chart data", "30min", "error"),
    ("v4/oidc_session", "chart data", "oidc_auth_request_finalize", "warning"),
    // chart data shorter than the run (9), and of another script (10)
    ("v2.70.0/machine_jwt_profile_grant", "chart data", "30min", "error"),
    ("v2.70.0/oidc_session", "chart data", "oidc_auth_requst_by_id_duration", "error"),
    // local time labelled UTC, one hour late (11) or early (12)
    ("v4/add_session", "Test start", "2025-07-30 10:32:26 UTC", "error"),
    ("v4/introspect", "Test start", "2025-07-30 12:33:56 UTC", "error"),
    ("v4/manipulate_user", "Test start", "2025-07-30 14:07:38 UTC", "error"),
    ("v4/otp_session", "Test start", "2025-08-04 13:56:18 UTC", "error"),
    ("v4/machine_client_credentials_login", "Test start", "2025-07-30 09:29:25 UTC", "error"),
    ("v4/machine_pat_login", "Test start", "2025-07-30 08:35:09 UTC", "error"),
    // late, with setup samples in the chart data (13)
    ("v4/human_password_login", "Test start", "2025-07-30 06:41:18 UTC", "error"),
    ("v4/human_password_login", "chart data", "test phase from 2025-07-30 06:41:18 UTC", "warning"),
    // runs that overlap as stated (14)
    ("v4/otp_session", "Test start", "15:14 UTC of password_session", "warning"),
    ("v4/password_session", "Test start", "14:56 UTC of otp_session", "warning"),
    // failures nobody reported (15); a handful of them only a warning
    ("v4/human_password_login", "Observed errors", "1,117 of 581,385 requests failed (0.19%)", "error"),
    ("v4/manipulate_user", "Observed errors", "85,379 of 199,261 checks failed (42.84%), 98 iterations", "error"),
    ("v4/oidc_session", "Observed errors", "144 of 796,955 requests failed (0.01%)", "error"),
    ("v4/password_session", "Observed errors", "1,224 of 189,410 requests failed (0.64%)", "error"),
    ("v4/machine_pat_login", "Observed errors", "1,117 of 581,385", "error"),
    ("v2.66.0/machine_jwt_profile_grant", "Observed errors", "5 of 791,270", "warning"),
    ("v2.70.0/machine_jwt_profile_grant", "Observed errors", "5 of 3,291,974", "warning"),
    ("v4/add_session", "Observed errors", "2 of 1,123,187", "warning"),
    ("v4/introspect", "Observed errors", "2 of 36,204", "warning"),
    ("v4/machine_client_credentials_login", "Observed errors", "4 of 1,558,705", "warning"),
    ("v4/otp_session", "Observed errors", "1 of 338,656", "warning"),
    // verdicts another row contradicts (20, 22), and a server slower than its clients (23)
    ("v4.17.1/manipulate_user", "flowchart outcome", "CPU-saturated", "warning"),
    ("v4.17.1/human_password_login", "flowchart outcome", "CPU-saturated", "warning"),
    ("v4.17.1/human_password_login", "ZITADEL metrics during test", "client p50 146.67ms", "warning"),
];

/// Faults of form (17 to 19): notes at most.
const NOTES: &[(&str, &str)] = &[
    ("v4/human_password_login", "k6 output"),
    ("v4/machine_pat_login", "k6 output"),
    ("v4/add_session", "page"),
    ("v4/introspect", "page"),
    ("v4/password_session", "page"),
    ("v2.70.0/oidc_session", "page"),
    ("v4/add_session", "ZITADEL Version"),
    ("v4/user_info", "ZITADEL Version"),
];

fn text<'a>(finding: &'a Value, key: &str) -> &'a str {
    finding[key].as_str().unwrap_or_default()
}

fn page(finding: &Value) -> String {
    let parts: Vec<&str> = text(finding, "file").rsplit('/').collect();
    format!("{}/{}", parts[2], parts[1])
}

fn findings() -> Option<Vec<Value>> {
    let pages = shared("real-pages")?;
    let output = run(&["check", pages.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    Some(report["findings"].as_array().unwrap().clone())
}

#[test]
fn every_known_fault_is_reported_on_its_page_and_row_and_nothing_else_is() {
    let Some(findings) = findings() else { return };
    let is = |finding: &Value, (at, row, data, severity): &Fault| {
        page(finding) == *at
            && text(finding, "row") == *row
            && text(finding, "severity") == *severity
            && text(finding, "data").contains(data)
    };
    let missing: Vec<&Fault> = FAULTS.iter().filter(|fault| !findings.iter().any(|f| is(f, fault))).collect();
    assert!(missing.is_empty(), "not reported: {missing:#?}");
    let serious = findings.iter().filter(|finding| text(finding, "severity") != "note");
    let more: Vec<&Value> = serious.clone().filter(|finding| !FAULTS.iter().any(|fault| is(finding, fault))).collect();
    assert!(more.is_empty(), "reported besides: {more:#?}");
    assert_eq!(serious.count(), FAULTS.len());
}

#[test]
fn findings_stand_on_the_lines_of_what_they_quote() {
    let Some(findings) = findings() else { return };
    for finding in &findings {
        let file = std::fs::read_to_string(text(finding, "file")).unwrap();
        let line = file.lines().nth(finding["line"].as_u64().unwrap() as usize - 1).unwrap();
        if !["k6 output", "chart data", "page"].contains(&text(finding, "row")) {
            assert!(line.contains(text(finding, "row")), "{finding:#}");
        }
        assert!(!text(finding, "explanation").is_empty() && !text(finding, "source").is_empty(), "{finding:#}");
    }
}

#[test]
fn matters_of_form_are_notes() {
    let Some(findings) = findings() else { return };
    let mut severities: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for finding in &findings {
        severities.entry((page(finding), text(finding, "row").to_owned())).or_default().push(text(finding, "severity"));
    }
    for (at, row) in NOTES {
        let found = severities.get(&((*at).to_owned(), (*row).to_owned()));
        assert!(found.is_some_and(|found| found.contains(&"note")), "{at} {row}: {found:?}");
    }
}
