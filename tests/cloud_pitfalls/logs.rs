//! Logs: entries in every form, autovacuum, limits.

use std::io::Write;

use serde_json::{Value, json};
use sweepdoc::ingest::detect::{FileKind, recognise};
use sweepdoc::ingest::source::Source;

use super::{at, codes, export, observed};

#[test]
fn vacuum_lines_are_found_in_every_form_and_lost_durations_are_not_zero() {
    let line = |time: &str, text: &str| json!({"timestamp": at(time).to_string(), "logName": "l", "textPayload": text});
    let log = json!([
        line(
            "09:03:00",
            "LOG:  automatic aggressive vacuum to prevent wraparound of table \"d.s.t\": index scans: 1\n\tsystem usage: CPU: user: 1 s, elapsed: 12.50 s"
        ),
        line(
            "09:04:00",
            "LOG:  automatic analyze of table \"d.s.t\" system usage: CPU 0.11s/0.42u sec elapsed 9.66 sec"
        ),
        line("09:05:00", "LOG:  checkpoint complete: elapsed: 5 s"),
    ]);
    let (observed, _) = self::observed(&[export("log.json", &log.to_string())]);
    let vacuum = observed.autovacuum.unwrap();
    assert_eq!((vacuum.vacuum.runs, vacuum.vacuum.total_seconds), (1, Some(12.5)));
    assert_eq!((vacuum.analyze.runs, vacuum.analyze.total_seconds), (1, Some(9.66)));
    let table = "target,timestamp,kind,elapsed_s\nsign_in,2026-03-10T09:03:00Z,vacuum,\n";
    let (observed, _) = self::observed(&[export("vacuum.csv", table)]);
    let vacuum = observed.autovacuum.unwrap().vacuum;
    assert_eq!((vacuum.runs, vacuum.timed, vacuum.total_seconds), (1, 0, None));
}

/// Pitfall 17: a log at its limit, or filtered to nothing.
#[test]
fn a_log_cut_at_a_limit_is_no_proof_of_absence() {
    let entry = |second: usize| {
        let time = at(&format!("09:05:{:02}", second % 60)).to_string();
        json!({"timestamp": time, "logName": "l", "insertId": second.to_string(), "httpRequest": {"status": 200}})
    };
    let log = |entries: usize| Value::Array((0..entries).map(entry).collect()).to_string();
    let (cut, warnings) = observed(&[export("log.json", &log(100))]);
    assert!(cut.log.unwrap().cut);
    assert_eq!(codes(&warnings), ["cloud-incomplete"]);
    let (whole, _) = observed(&[export("log.json", &log(99))]);
    assert!(!whole.log.unwrap().cut);
}

#[test]
fn entries_of_a_log_count_once_and_a_wait_when_it_ends() {
    let entry = |id: &str, text: &str| {
        json!({"timestamp": at("09:05:00").to_string(), "logName": "l", "insertId": id, "severity": "INFO",
               "textPayload": text})
    };
    let waiting = "process 7 still waiting for ExclusiveLock on advisory lock [1,2,3,4] after 1000.1 ms";
    let acquired = "process 7 acquired ExclusiveLock on advisory lock [1,2,3,4] after 2000.1 ms";
    let log = json!([entry("a", waiting), entry("b", acquired), entry("b", acquired)]).to_string();
    let log = observed(&[export("log.json", &log)]).0.log.unwrap();
    assert_eq!((log.entries, log.errors, log.advisory_locks_acquired), (2, 0, 1));
}

#[test]
fn entries_that_stand_in_two_files_count_once() {
    let entry = |id: Option<&str>, time: &str, status: u16| {
        let mut entry = json!({"timestamp": at(time).to_string(), "logName": "l", "httpRequest": {"status": status}});
        if let Some(id) = id {
            entry["insertId"] = json!(id);
        }
        entry
    };
    let of = |files: &[Vec<Value>]| {
        let exports: Vec<_> = files
            .iter()
            .enumerate()
            .map(|(n, entries)| export(&format!("{n}.json"), &json!(entries).to_string()))
            .collect();
        let log = observed(&exports).0.log.unwrap();
        (log.entries, log.requests.get(&503).copied().unwrap_or_default())
    };
    let (a, b) = (entry(Some("a"), "09:05:00", 503), entry(Some("b"), "09:05:00", 503));
    let c = entry(Some("c"), "09:06:00", 200);
    assert_eq!(of(&[vec![a.clone(), b.clone()], vec![b.clone(), c.clone()]]), (3, 2), "pages that overlap");
    assert_eq!(of(&[vec![a.clone()], vec![b.clone()]]), (2, 2), "one moment, two entries");
    // without ids nobody knows: the file with most of them decides
    let x = || entry(None, "09:05:00", 503);
    assert_eq!(of(&[vec![x(), x()], vec![x(), x(), x()]]), (3, 3));
    assert_eq!(of(&[vec![a, b], vec![x(), x()]]), (2, 2), "with ids in one form, without in the other");
    assert_eq!(of(&[vec![x()], vec![c]]), (2, 1));
}

#[test]
fn entries_as_yaml_are_refused_with_what_to_do() {
    let yaml = "---\ninsertId: 1a2b\nlogName: projects/p/logs/x\nresource:\n  type: cloud_run_revision\n\
                severity: ERROR\ntextPayload: 'panic: x'\ntimestamp: '2026-03-10T09:05:00Z'\n";
    for text in [yaml, yaml.trim_start_matches("---\n")] {
        let mut file = tempfile::Builder::new().suffix(".yaml").tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let kind = recognise(&Source::new(file.path()).unwrap()).unwrap();
        assert_eq!(kind, FileKind::Ignored("log entries as YAML: export them with `--format=json`".into()));
    }
}

/// Pitfall 16: one message of a log in several entries.
#[test]
fn a_vacuum_whose_lines_are_entries_of_their_own_has_its_duration() {
    let entry = |second: &str, text: &str| {
        json!({"timestamp": format!("2026-03-10T09:05:00.{second}Z"), "logName": "l", "insertId": second,
               "textPayload": text})
    };
    let log = json!([
        entry("001", "LOG:  automatic vacuum of table \"d.s.t\": index scans: 1"),
        entry("002", "\tpages: 0 removed, 4 remain"),
        entry("003", "\tsystem usage: CPU: user: 0.42 s, system: 0.11 s, elapsed: 9.66 s"),
    ]);
    let vacuum = observed(&[export("log.json", &log.to_string())]).0.autovacuum.unwrap().vacuum;
    assert_eq!((vacuum.runs, vacuum.total_seconds), (1, Some(9.66)));
}

#[test]
fn values_without_a_header_begin_a_new_entry_at_each_time() {
    let text = "2026-03-10T09:03:00.123456789Z\tERROR\tpanic: runtime error\n\tgoroutine 1\nat\tline 2\n\
                2026-03-10T09:04:00Z\tINFO\tfine, no ERROR here\n\
                2026-03-10T09:05:00Z\t\tLOG:  automatic vacuum of table \"d.s.t\": index scans: 1\n\
                \tsystem usage: CPU: user: 0.42 s, system: 0.11 s, elapsed: 9.66 s\n";
    let observed = observed(&[export("log.txt", text)]).0;
    let log = observed.log.unwrap();
    assert_eq!((log.entries, log.errors), (3, 1));
    let vacuum = observed.autovacuum.unwrap().vacuum;
    assert_eq!((vacuum.runs, vacuum.total_seconds), (1, Some(9.66)));
}

#[test]
fn entries_as_csv_are_those_of_the_log() {
    let text = "insertId,timestamp,severity,textPayload,httpRequest.status\n\
                a,2026-03-10T09:03:00.5Z,ERROR,\"panic: x, y\",\n\
                a,2026-03-10T09:03:00.5Z,ERROR,\"panic: x, y\",\n\
                b,2026-03-10T09:04:00Z,,,503\n\
                c,2026-03-10T09:05:00Z,INFO,\"LOG:  automatic vacuum of table \"\"d.s.t\"\": index scans: 1\n\tsystem usage: elapsed: 9.66 s\",\n\
                d,yesterday,INFO,x,\n";
    let (observed, warnings) = observed(&[export("log.csv", text)]);
    let log = observed.log.unwrap();
    assert_eq!((log.entries, log.errors, log.requests[&503]), (3, 1, 1));
    assert_eq!(observed.autovacuum.unwrap().vacuum.total_seconds, Some(9.66));
    assert_eq!(codes(&warnings), ["cloud-unreadable"]);
    let short = observed_of("timestamp,status\n2026-03-10T09:04:00Z,502\n");
    assert_eq!(short.requests[&502], 1);
}

fn observed_of(csv: &str) -> sweepdoc::model::LogFigures {
    observed(&[export("log.csv", csv)]).0.log.unwrap()
}

#[test]
fn a_line_of_a_log_that_is_no_entry_is_told() {
    let line = |minute: u8, text: &str| {
        json!({"timestamp": at(&format!("09:0{minute}:00")).to_string(), "logName": "l", "insertId": minute.to_string(),
               "severity": "ERROR", "textPayload": text})
        .to_string()
    };
    let (first, cut, last) = (line(1, "a"), line(2, "b"), line(3, "c"));
    let (observed, warnings) = observed(&[export("log.ndjson", &format!("{first}\n{}\n{last}\n", &cut[..40]))]);
    assert_eq!(observed.log.unwrap().errors, 2);
    assert_eq!(warnings[0].message, "log.ndjson: 1 entries cannot be read: left out");
}

#[test]
fn cells_of_a_table_stand_below_their_names_and_may_be_empty() {
    let text = "TIMESTAMP             SEVERITY  STATUS  TEXT_PAYLOAD\n\
                2026-03-10T09:03:00Z  ERROR             panic: runtime error\n\
                2026-03-10T09:04:00Z  INFO      503     of 200 ERROR 404\n\
                2026-03-10T09:05:00Z            200     404 fine\n\
                2026-03-10T09:06:00Z                    500 ERROR\n";
    let log = observed(&[export("log.txt", text)]).0.log.unwrap();
    assert_eq!((log.entries, log.errors), (4, 1));
    assert_eq!(log.requests.into_iter().collect::<Vec<_>>(), [(200, 1), (503, 1)]);
}

#[test]
fn two_vacuums_of_one_moment_are_two_unless_they_stand_in_two_files() {
    let table = "target,timestamp,kind,elapsed_s\nsign_in,2026-03-10T09:03:00Z,vacuum,1.5\nsign_in,2026-03-10T09:03:00Z,vacuum,\n";
    let log = json!([{"timestamp": at("09:03:00").to_string(), "logName": "l",
        "textPayload": "LOG:  automatic vacuum of table \"d.s.t\": index scans: 1\n\tsystem usage: elapsed: 1.50 s"}]);
    let of = |files: &[(&str, &str)]| {
        let exports: Vec<_> = files.iter().map(|(file, text)| export(file, text)).collect();
        let found = observed(&exports).0.autovacuum.unwrap().vacuum;
        (found.runs, found.timed, found.total_seconds)
    };
    let log = log.to_string();
    assert_eq!(of(&[("vacuum.csv", table)]), (2, 1, Some(1.5)));
    assert_eq!(of(&[("log.json", &log), ("vacuum.csv", table)]), (2, 1, Some(1.5)));
    assert_eq!(of(&[("a.csv", table), ("b.csv", table)]), (2, 1, Some(1.5)));
}
