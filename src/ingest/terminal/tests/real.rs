//! Against `../shared` when it is there: real logs, and the blocks of published pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::texts;
use crate::ingest::terminal::{Region, clean, line, log_line, looks_like, read, summary};

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
