use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::*;
use crate::model::{Figures, Layout, SummaryOrigin};

const COMPACT: &str = "\
start_utc=2026-01-02 03:04:05 UTC target=buy_item vus=2 duration=1m0s note=two words exit=0
k6 v2.1.0 (commit/devel, go1.27.3, linux/amd64)

     execution: local
        script: buy.js

     scenarios: (100.00%) 1 scenario, 2 max VUs, 1m30s max duration (incl. graceful stop):
              * default: 2 looping VUs for 1m0s (gracefulStop: 30s)

running (0m01.0s), 2/2 VUs, 3 complete and 0 interrupted iterations
default   [   2% ] 2 VUs  0m01.0s/1m0s

  █ THRESHOLDS 

    http_req_duration
    ✗ 'p(99.5)<50' p(99.5)=undefined

      {kind:a}
      ✓ 'avg<9' avg=1.5ms

  █ TOTAL RESULTS 

    checks_total.......: 12     0.2/s
    checks_succeeded...: 91.66% 11 out of 12
    checks_failed......: 8.33%  1 out of 12

    ✓ http_reqs......................: 9 9/s
    ✗ ok, \"really\"
      ↳  83% — ✓ 5 / ✗ 1

    HTTP
    http_req_duration..............: avg=1.5ms p(95)=2s count=12
time=\"2026-01-02T03:04:59Z\" level=warning msg=\"Request Failed\" error=\"Get \\\"http://h.example/a/1\\\": request timeout\"
      { kind:a }...................: avg=1.5ms p(95)=2s count=6
    http_reqs......................: 12     0.2/s

    NETWORK
    data_sent......................: 4.3 kB 72 B/s
make: *** nothing of k6's


running (1m00.1s), 0/2 VUs, 6 complete and 0 interrupted iterations
default ✓ [ 100% ] 2 VUs  1m0s
end_utc=2026-01-02 03:05:06 UTC exit=99
";

const LEGACY: &str = "\
     ✓ top ok

     █ users

       █ create

         ✗ has id
          ↳  97% — ✓ 44 / ✗ 1

   ✓ checks.........................: 97.82% 45 out of 46
     http_req_failed................: 3.47%  ✓ 42        ✗ 1165
   ✗ http_req_duration..............: avg=300.35ms min=1.79ms
     ✓ { scenario:climb }...........: avg=5.69ms   min=2.48ms
     http_reqs......................: 1207   30.323623/s

running (12.3s), 00/16 VUs, 367 complete and 6 interrupted iterations
climb       ✗ [  83% ] 0/6 VUs    9s
";

fn texts(figures: Option<&Figures>) -> String {
    match figures {
        Some(Figures::Trend(line)) => {
            let words = line.iter().map(|(stat, p)| format!("{}={}", crate::notation::stat::write(*stat), p.text));
            words.collect::<Vec<_>>().join(" ")
        }
        Some(Figures::Counter { count, per_second }) => {
            format!("{} {}", count.text, per_second.as_ref().map_or("", |p| p.text.as_str()))
        }
        Some(Figures::Rate { nonzero, total, share }) => {
            format!("{} {nonzero} out of {total}", share.as_ref().map_or("", |p| p.text.as_str()))
        }
        Some(Figures::Gauge { value, min, max }) => {
            let extreme = |p: &Option<crate::model::Printed>| p.as_ref().map_or(String::new(), |p| p.text.clone());
            format!("{} min={} max={}", value.text, extreme(min), extreme(max))
        }
        None => String::new(),
    }
}

#[test]
fn a_log_gives_summary_frame_and_stamps() {
    let log = read(COMPACT);
    assert_eq!(log.k6_version.as_deref(), Some("v2.1.0"));
    assert_eq!(log.stamps.get("note").map(String::as_str), Some("two words"));
    assert_eq!(log.stamps.get("exit").map(String::as_str), Some("99"));
    assert_eq!(log.running.as_ref().map(|r| (r.seconds, r.complete)), Some((60.1, 6)));
    assert_eq!(log.scenarios.first().and_then(|s| s.planned_seconds), Some(60.0));
    assert_eq!(log.ends.first().and_then(|e| e.ended_as_planned), Some(true));
    assert!(!log.several_runs);

    let summary = log.summary.unwrap();
    assert_eq!(summary.origin, SummaryOrigin::Terminal(Layout::Compact));
    assert_eq!(texts(summary.metrics.get("http_reqs")), "12 0.2/s");
    assert_eq!(texts(summary.metrics.get("http_req_duration{kind:a}")), "avg=1.5ms p(95)=2s count=6");
    assert_eq!(log.failures.first().map(|f| (f.error.as_str(), f.count)), Some(("request timeout", 1)));
}

#[test]
fn a_check_may_look_like_a_metric() {
    let checks = read(COMPACT).summary.unwrap().checks;
    let seen: Vec<_> = checks.iter().map(|c| (c.name.as_str(), c.passes, c.fails)).collect();
    assert_eq!(seen, [("http_reqs......................: 9 9/s", None, Some(0)), ("ok, \"really\"", Some(5), Some(1))]);
}

#[test]
fn an_undefined_threshold_has_no_value() {
    let thresholds = read(COMPACT).thresholds;
    let seen: Vec<_> =
        thresholds.iter().map(|t| (t.metric.as_str(), t.source.as_str(), t.value.as_deref(), t.held)).collect();
    assert_eq!(
        seen,
        [("http_req_duration", "p(99.5)<50", None, false), ("http_req_duration{kind:a}", "avg<9", Some("1.5ms"), true),]
    );
}

#[test]
fn the_excerpt_runs_from_the_first_heading_to_the_last_scenario() {
    let text = read(COMPACT).summary_text.unwrap();
    assert!(text.starts_with("  █ THRESHOLDS\n\n    http_req_duration\n"));
    assert!(text.ends_with(
        "    data_sent......................: 4.3 kB 72 B/s\n\nrunning (1m00.1s), 0/2 VUs, 6 complete and 0 interrupted iterations\ndefault ✓ [ 100% ] 2 VUs  1m0s"
    ));
    for absent in ["level=", "make:", "end_utc", "0m01.0s", "\n\n\n"] {
        assert!(!text.contains(absent), "{absent:?} in {text}");
    }
}

#[test]
fn an_excerpt_reads_as_its_log() {
    for source in [COMPACT, LEGACY] {
        let log = read(source);
        let again = read(log.summary_text.as_deref().unwrap());
        assert_eq!(again.summary, log.summary);
        assert_eq!(again.summary_text, log.summary_text);
        assert_eq!(again.thresholds, log.thresholds);
        assert_eq!(again.running, log.running);
    }
}

#[test]
fn indentation_dots_and_marks_may_be_lost() {
    let lines: Vec<String> = read(COMPACT)
        .summary_text
        .unwrap()
        .lines()
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let pasted = lines.join("\n").replace('✓', "√").replace('✗', "×");
    let log = read(&pasted);
    let expected = read(COMPACT);
    assert_eq!(log.summary, expected.summary);
    assert_eq!(log.thresholds, expected.thresholds);
    assert_eq!(log.ends.first().and_then(|e| e.ended_as_planned), Some(true));
}

#[test]
fn the_legacy_layout_keeps_groups_and_marks() {
    let log = read(LEGACY);
    let summary = log.summary.unwrap();
    assert_eq!(summary.origin, SummaryOrigin::Terminal(Layout::Legacy));
    let checks: Vec<_> =
        summary.checks.iter().map(|c| (c.group.as_deref(), c.name.as_str(), c.passes, c.fails)).collect();
    assert_eq!(checks, [(Some(""), "top ok", None, Some(0)), (Some("users::create"), "has id", Some(44), Some(1))]);
    assert_eq!(texts(summary.metrics.get("http_req_failed")), "3.47% 42 out of 1207");
    let marked: Vec<_> = log.thresholds.iter().map(|t| (t.metric.as_str(), t.held)).collect();
    assert_eq!(marked, [("checks", true), ("http_req_duration", false), ("http_req_duration{scenario:climb}", true)]);
    assert_eq!(log.ends.first().and_then(|e| e.ended_as_planned), Some(false));
}

#[test]
fn of_two_runs_the_last_one_counts() {
    let second = COMPACT.replace("12     0.2/s", "13     0.3/s").replace("exit=99", "exit=0");
    let log = read(&format!("{COMPACT}{second}"));
    assert!(log.several_runs);
    let summary = log.summary.unwrap();
    assert_eq!(texts(summary.metrics.get("http_reqs")), "13 0.3/s");
    assert_eq!(log.failures.first().map(|f| f.count), Some(1));
    assert_eq!(log.stamps.get("exit").map(String::as_str), Some("0"));
    assert_eq!(log.scenarios.len(), 1);
}

#[test]
fn two_quiet_runs_are_told_apart_by_their_summaries() {
    let quiet = |log: &str| {
        log.lines()
            .skip_while(|l| !l.contains('█'))
            .take_while(|l| !l.starts_with("make"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let log = read(&format!("{}\n{}", quiet(COMPACT), quiet(COMPACT)));
    assert!(log.several_runs);
    assert_eq!(log.thresholds.len(), 2);
    let list = "     http_reqs...: 1  1/s\n     vus...: 1  min=1 max=1\n";
    assert!(read(&format!("{list}\n{list}")).several_runs);
}

#[test]
fn a_log_without_a_summary_has_none() {
    let killed = COMPACT.split("  █ THRESHOLDS").next().unwrap();
    let log = read(killed);
    assert_eq!((log.summary, log.summary_text), (None, None));
    assert_eq!(log.running.map(|r| r.complete), Some(3));
    assert_eq!(log.ends.first().and_then(|e| e.ended_as_planned), None);
    assert_eq!(read(""), TerminalLog::default());
}

#[test]
fn exceptions_count_in_iterations_and_are_flagged_outside() {
    let log = read(
        "time=\"2026-01-02T03:04:05Z\" level=error msg=\"TypeError: no\\n\\tat climb (file:///x.js:1:1(2))\\n\" executor=ramping-vus scenario=climb source=stacktrace\n\
         ERRO[0004] TypeError: no\n\tat climb (file:///x.js:1:1(2))\n\tat default (file:///x.js:2:1(3))  executor=ramping-vus scenario=climb source=stacktrace\n\
         ERRO[0004] shop is closed                                source=console\n\
         ERRO[0005] Uncaught (in promise) nothing left            executor=ramping-vus scenario=climb\n\
         time=\"2026-01-02T03:04:05Z\" level=error msg=\"thresholds on metrics 'x' have been crossed\"\n",
    );
    assert_eq!(log.exceptions.count, 3);
    assert_eq!(log.exceptions.texts, ["TypeError: no", "Uncaught (in promise) nothing left"]);
    assert!(!log.exceptions.outside_iterations);
    let setup = read(
        "time=\"2026-01-02T03:04:05Z\" level=error msg=\"Error: login refused\\n\\tat setup (x)\\n\" hint=\"script exception\" source=stacktrace\n",
    );
    assert_eq!(setup.exceptions.count, 0);
    assert!(setup.exceptions.outside_iterations);
}

#[test]
fn logs_are_known_by_their_content() {
    assert!(looks_like(COMPACT));
    assert!(looks_like(LEGACY));
    assert!(looks_like("start_utc=2026-01-02 03:04:05 UTC\nKilled\n"));
    for other in [
        "",
        "metric_name,timestamp,metric_value\nhttp_reqs,1796051407,1.000000\n",
        "{\"type\":\"Metric\",\"data\":{\"name\":\"http_reqs\"},\"metric\":\"http_reqs\"}\n",
        "[\n\t{\"metric_name\":\"a\"}\n]\n",
        "* a list: with points\n",
    ] {
        assert!(!looks_like(other), "{other}");
    }
}

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    path.exists().then_some(path)
}

/// Each real run's log with its `truth.json`.
fn real_runs() -> Vec<(String, String, Value)> {
    let Some(folder) = shared("real-runs") else { return Vec::new() };
    let mut runs = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if let Ok(truth) = fs::read_to_string(path.join("truth.json")) {
            let log = fs::read(path.join("terminal.log")).unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            runs.push((name, String::from_utf8_lossy(&log).into_owned(), serde_json::from_str(&truth).unwrap()));
        }
    }
    runs.sort_by(|a, b| a.0.cmp(&b.0));
    runs
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn real_logs_give_every_printed_metric() {
    for (run, text, truth) in real_runs() {
        let printed = truth["terminal"]["metrics"].as_object().unwrap();
        let metrics = read(&text).summary.map(|s| s.metrics).unwrap_or_default();
        let names: Vec<_> = metrics.keys().collect();
        // the script that made truth.json wants three letters and knows no spaces in names
        assert_eq!(names, printed.keys().collect::<Vec<_>>(), "{run}");
        for (name, text) in printed {
            let mut expected = normal(text.as_str().unwrap());
            if let Some((left, zero)) = expected.split_once(" ✗ ") {
                let (share, nonzero) = left.split_once(" ✓ ").unwrap();
                let total = nonzero.parse::<u64>().unwrap() + zero.parse::<u64>().unwrap();
                expected = format!("{share} {nonzero} out of {total}");
            }
            assert_eq!(texts(metrics.get(name)), expected, "{run} {name}");
        }
    }
}

#[test]
fn real_logs_give_checks_thresholds_frame_and_entries() {
    for (run, text, truth) in real_runs() {
        let truth = &truth["terminal"];
        let log = read(&text);
        let checks = log.summary.map(|s| s.checks).unwrap_or_default();
        let expected = truth["checks"].as_array().unwrap();
        let expected: Vec<_> = expected
            .iter()
            .map(|c| (c["name"].as_str().unwrap(), c["passes"].as_u64(), Some(c["fails"].as_u64().unwrap_or(0))))
            .collect();
        if !run.starts_with("B_") {
            let seen: Vec<_> = checks.iter().map(|c| (c.name.as_str(), c.passes, c.fails)).collect();
            assert_eq!(seen, expected, "{run}");
        }
        assert_eq!(log.running.as_ref().map(|r| r.text.as_str()), truth["last_running_line"].as_str(), "{run}");

        let expected = truth["thresholds"].as_array().cloned().unwrap_or_default();
        let seen = log.thresholds.iter().filter(|t| !t.source.is_empty());
        let seen: Vec<_> = seen.map(|t| (t.held, format!("'{}'", t.source), t.value.clone().unwrap())).collect();
        assert_eq!(seen.len(), expected.len(), "{run}");
        for ((held, source, value), expected) in seen.iter().zip(&expected) {
            let text = expected["text"].as_str().unwrap();
            assert_eq!(*held, expected["mark"] == "✓", "{run}");
            assert!(text.starts_with(source) && text.ends_with(&format!("={value}")), "{run}: {text}");
        }

        let plain = clean::plain_text(&text);
        let mut levels = BTreeMap::from([("WARN", 0), ("ERRO", 0)]);
        for line in line::classify(&plain).iter().filter_map(|line| line.log.as_ref()) {
            match line.level {
                log_line::Level::Warning => *levels.entry("WARN").or_default() += 1,
                log_line::Level::Error => *levels.entry("ERRO").or_default() += 1,
                log_line::Level::Other => {}
            }
        }
        for (level, count) in levels {
            assert_eq!(Some(count), truth["log_lines"][level].as_u64(), "{run} {level}");
        }
        for key in ["start_utc", "end_utc"] {
            if let Some(line) = truth[key].as_str() {
                let value = line.split('=').nth(1).unwrap().split(" UTC").next().unwrap();
                assert_eq!(log.stamps.get(key).unwrap(), &format!("{value} UTC"), "{run}");
            }
        }
        assert!(looks_like(&text), "{run}");
    }
}

#[test]
fn failures_in_real_logs_are_those_in_the_raw_output() {
    // error texts differ (Go's in the log, k6's in the raw output), the numbers must not
    for (run, text, truth) in real_runs() {
        let without_response = truth["http"]["populations_test_phase"].as_array().unwrap();
        let expected: u64 =
            without_response.iter().filter(|p| p["status"] == "0").filter_map(|p| p["count"].as_u64()).sum();
        let seen: u64 = read(&text).failures.iter().map(|f| f.count).sum();
        // killed or aborted runs lose samples, never log lines
        if !run.starts_with('F') && !run.starts_with("H_") {
            assert_eq!(seen, expected, "{run}");
        }
        assert!(read(&text).failures.len() <= 4, "{run}");
    }
}

/// The fenced blocks of every real page that hold a summary.
fn page_blocks() -> Vec<(PathBuf, String)> {
    let Some(folder) = shared("real-pages") else { return Vec::new() };
    let mut blocks = Vec::new();
    for version in fs::read_dir(folder).unwrap().flatten().filter(|e| e.path().is_dir()) {
        for target in fs::read_dir(version.path()).unwrap().flatten() {
            let path = target.path().join("index.mdx");
            let page = fs::read_to_string(&path).unwrap();
            let block = page.split("```bash\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
            blocks.push((path, block.to_owned()));
        }
    }
    blocks.sort();
    blocks
}

#[test]
fn every_line_of_a_published_block_is_understood_and_kept() {
    for (path, block) in page_blocks() {
        let log = read(&block);
        let kept: Vec<_> = block.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect();
        let text = log.summary_text.unwrap();
        assert_eq!(text.lines().filter(|l| !l.is_empty()).collect::<Vec<_>>(), kept, "{}", path.display());
        assert!(log.running.is_some());
        let lines = line::classify(&block);
        let region = Region::find(&lines).unwrap();
        assert_eq!(summary::not_understood(&lines, &region), Vec::<&str>::new(), "{}", path.display());
        let metrics = log.summary.unwrap().metrics;
        let metric_lines = block.lines().filter(|l| l.contains("...: ")).count();
        assert_eq!(metrics.len(), metric_lines, "{}", path.display());
    }
}

#[test]
fn awkward_real_logs_are_read_whole() {
    for (file, iterations, failed) in [
        ("multi-scenario-k6-1.1.0.log", "756 62.528554/s", "26.48% 259 out of 978"),
        ("long-setup-summary-full-unit-s-k6-1.1.0.log", "2273 55.850427/s", "5.14% 120 out of 2333"),
        ("summary-legacy-k6-1.1.0.log", "130 15.035865/s", "5.26% 10 out of 190"),
    ] {
        let Some(path) = shared(&format!("k6-files/{file}")) else { continue };
        let log = read(&fs::read_to_string(path).unwrap());
        let summary = log.summary.unwrap();
        assert_eq!(texts(summary.metrics.get("iterations")), iterations);
        assert_eq!(texts(summary.metrics.get("http_req_failed")), failed);
        assert_eq!(log.ends.iter().filter(|e| e.ended_as_planned == Some(true)).count(), log.scenarios.len());
        let fixed = crate::notation::stat::fixed_time_unit(&summary);
        assert_eq!(fixed.is_some(), file.contains("unit-s"));
    }
}
