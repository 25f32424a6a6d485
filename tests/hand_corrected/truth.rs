//! What is known of a run without this tool: `truth.json`, and the server's record of its faults.

use std::path::Path;

use serde_json::Value;

use crate::support::json;

/// Requests that failed of one cause.
pub struct Cause {
    /// `HTTP 503`.
    pub words: String,
    /// What the server calls its own fault of that cause; `None` where the client alone saw it.
    pub fault: Option<&'static str>,
    pub count: u64,
    /// Seconds since the epoch.
    pub first: i64,
    pub last: i64,
}

/// Everything the statements are made of.
pub struct Truth {
    pub requests: u64,
    pub failed: u64,
    pub checks: u64,
    pub failed_checks: u64,
    /// Name and failures of each check that failed.
    pub by_name: Vec<(String, u64)>,
    pub iterations: u64,
    /// First second of the test phase.
    pub start: i64,
    pub end: i64,
    pub causes: Vec<Cause>,
    /// Kind and second of each answer the server spoiled, those it left hanging aside.
    pub faults: Vec<(String, i64)>,
}

impl Truth {
    pub fn of(run: &Path) -> Self {
        let truth = json(&run.join("truth.json"));
        let n = |value: &Value| value.as_u64().unwrap();
        let checks = &truth["checks"];
        let fails = |check: &Value| (check["name"].as_str().unwrap().to_owned(), n(&check["fails"]));
        Truth {
            requests: n(&truth["http"]["requests_whole_run"]),
            failed: n(&truth["http"]["failed_whole_run"]),
            checks: n(&checks["total"]),
            failed_checks: n(&checks["total"]) - n(&checks["passes"]),
            by_name: checks["by_name"].as_array().unwrap().iter().map(fails).filter(|(_, n)| *n > 0).collect(),
            iterations: n(&truth["iterations"]["complete"]),
            start: truth["time"]["test_phase_all_rows"]["first"].as_i64().unwrap(),
            end: truth["time"]["test_phase_all_rows"]["last"].as_i64().unwrap(),
            causes: truth["http"]["populations_test_phase"].as_array().unwrap().iter().filter_map(cause).collect(),
            faults: faults(&run.join("server_faults.ndjson")),
        }
    }

    /// Answers of a kind the server spoiled, by the minute of the clock: the busiest one and its number.
    pub fn busiest_minute(&self, fault: &str) -> Option<(i64, u64)> {
        let seconds = || self.faults.iter().filter(|(kind, _)| kind == fault).map(|(_, second)| second);
        let in_minute = |minute: i64| seconds().filter(|second| **second / 60 == minute).count() as u64;
        let minutes = seconds().map(|second| second / 60);
        minutes.map(|minute| (minute * 60, in_minute(minute))).max_by_key(|(minute, n)| (*n, -minute))
    }

    /// True when each failed request failed one check, and the server knows of each but those it left hanging.
    pub fn server_saw_all(&self) -> bool {
        let by_client = |cause: &Cause| cause.fault.is_none() && cause.words != "request timeouts";
        self.failed == self.failed_checks && !self.causes.iter().any(by_client)
    }

    /// Answers of any kind the server spoiled between two seconds, both included.
    pub fn spoiled_between(&self, first: i64, last: i64) -> u64 {
        self.faults.iter().filter(|(_, second)| (first..=last).contains(second)).count() as u64
    }
}

fn cause(population: &Value) -> Option<Cause> {
    let second = |key: &str| population[key].as_str().and_then(|s| s.parse().ok());
    let (words, fault) = match population["error_code"].as_str()? {
        "1050" => ("request timeouts", None),
        "1220" => ("connection resets", Some("reset")),
        "1503" => ("HTTP 503", Some("503")),
        "1404" => ("HTTP 404", Some("404")),
        "1409" => ("HTTP 409", Some("409")),
        "1212" => ("refused connections", None),
        "1101" => ("failed name lookups", None),
        _ => return None,
    };
    Some(Cause {
        words: words.to_owned(),
        fault,
        count: population["count"].as_u64()?,
        first: second("first")?,
        last: second("last")?,
    })
}

fn faults(path: &Path) -> Vec<(String, i64)> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let fault = |line: Value| Some((line["kind"].as_str()?.to_owned(), line["t_out"].as_f64()?.floor() as i64));
    lines.filter(|line| line["kind"] != "hang").filter_map(fault).collect()
}
