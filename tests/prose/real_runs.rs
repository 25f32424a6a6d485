//! Rows written by hand about the shared real runs, from their independently computed `truth.json`: true as they are, and
//! nearly every digit changed in them is found.

use std::path::Path;

use serde_json::Value;

use super::support::{json, real_runs};
use super::{Evidence, Judgement, findings, judged};
use sweepdoc::ingest::source::Meter;
use sweepdoc::notation::count;
use sweepdoc::pipeline::{RunFiles, Settings, TargetFrom, reduce};

/// The runs a row is written for.
const RUNS: [&str; 6] = ["A_", "B_", "D_", "E_", "G_", "Q_"];

fn evidence(run: &Path) -> Evidence {
    let files = RunFiles::collect(&[run.to_path_buf()]).unwrap();
    let target = TargetFrom::Given("t".to_owned());
    reduce(&files, &target, &Settings::default(), &Meter::default()).unwrap().evidence
}

/// One cause as the truth has it.
struct Cause {
    words: String,
    count: u64,
    first: i64,
    last: i64,
}

fn causes(truth: &Value) -> Vec<Cause> {
    let number = |value: &Value| value.as_str().and_then(|s| s.parse::<i64>().ok()).unwrap();
    let populations = truth["http"]["populations_test_phase"].as_array().unwrap();
    let failed = populations.iter().filter(|p| p["error_code"] != "" && p["error_code"] != "0");
    failed
        .filter_map(|p| {
            let words = match p["error_code"].as_str().unwrap() {
                "1050" => "request timeouts".to_owned(),
                "1220" => "connection resets".to_owned(),
                code => format!("HTTP {}", code.strip_prefix('1').filter(|c| c.starts_with(['4', '5']))?),
            };
            Some(Cause {
                words,
                count: p["count"].as_u64().unwrap(),
                first: number(&p["first"]),
                last: number(&p["last"]),
            })
        })
        .collect()
}

fn clock(second: i64) -> String {
    let of_day = second.rem_euclid(86_400);
    format!("{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)
}

/// True sentences of a person about a run; `start` is its first second.
fn sentences(truth: &Value, causes: &[Cause], start: i64) -> Vec<String> {
    let http = &truth["http"];
    let (all, failed) = (http["requests_whole_run"].as_u64().unwrap(), http["failed_whole_run"].as_u64().unwrap());
    let percent = |part: u64, whole: u64| (part as f64 / whole as f64 * 10_000.0).trunc() / 100.0;
    let mut text = vec![format!(
        "{} of {} requests failed ({:.2}%).",
        count::write(failed),
        count::write(all),
        percent(failed, all)
    )];
    for (index, c) in causes.iter().enumerate() {
        let (n, words, first, last) = (count::write(c.count), &c.words, clock(c.first), clock(c.last));
        let (seconds, offset) = (c.last - c.first + 1, c.first - start);
        text.push(match index % 4 {
            0 => format!(
                "**{n} {words}** from {first} to {last} UTC, the first {offset}s into the run, none before or after."
            ),
            1 => format!(
                "{n} requests ended in {words} between {first} and {last}, {:.2}% of the failures.",
                percent(c.count, failed)
            ),
            2 => format!("{n}x {words}, {first}–{last}, within {seconds} seconds."),
            _ => format!("{words} ({n}): the first at {first}, the last at {last}."),
        });
    }
    let checks = truth["checks"]["by_name"].as_array().unwrap();
    let named: Vec<String> = checks
        .iter()
        .filter(|c| c["fails"].as_u64() > Some(0))
        .map(|c| format!("{} ({})", c["name"].as_str().unwrap().replace(" is status ok", ""), c["fails"]))
        .collect();
    let (total, passes) = (truth["checks"]["total"].as_u64().unwrap(), truth["checks"]["passes"].as_u64().unwrap());
    text.push(format!(
        "{} of {} checks failed: {}.",
        count::write(total - passes),
        count::write(total),
        named.join(", ")
    ));
    text.push(format!("{} iterations completed.", count::write(truth["iterations"]["complete"].as_u64().unwrap())));
    text
}

#[test]
fn true_rows_have_no_findings_and_changed_digits_are_found() {
    let (mut changed, mut found, mut missed) = (0, 0, Vec::new());
    for run in real_runs() {
        let name = run.file_name().unwrap().to_string_lossy().into_owned();
        if !RUNS.iter().any(|wanted| name.starts_with(wanted)) {
            continue;
        }
        let (truth, evidence) = (json(&run.join("truth.json")), evidence(&run));
        let causes = causes(&truth);
        let start = evidence.window.unwrap().start.unix_seconds();
        let row = sentences(&truth, &causes, start).join(" ");
        let judgements = judged(&row, &evidence, &[]);
        assert!(findings(&judgements).is_empty(), "{name}: {row}\n{:#?}", findings(&judgements));
        let unread: Vec<&Judgement> = judgements.iter().filter(|j| j.data.is_none()).collect();
        println!("{name}: {} claims, {} of them undecided", judgements.len(), unread.len());
        for c in &causes {
            let quiet =
                |after: i64| findings(&judged(&format!("No {} after {}.", c.words, clock(after)), &evidence, &[]));
            assert!(quiet(c.last).is_empty(), "{name}: {:?}", quiet(c.last));
            assert_eq!(quiet(c.last - 1).len(), 1, "{name}: {} went on to {}", c.words, clock(c.last));
        }
        for (at, c) in row.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            let mut mutant = row.clone();
            mutant.replace_range(at..at + 1, &((c.to_digit(10).unwrap() + 1) % 10).to_string());
            changed += 1;
            if findings(&judged(&mutant, &evidence, &[])).is_empty() {
                missed.push(
                    mutant.chars().skip(row[..at].chars().count().saturating_sub(30)).take(60).collect::<String>(),
                );
            } else {
                found += 1;
            }
        }
    }
    println!("{found} of {changed} changed digits found; missed: {missed:#?}");
    assert!(found * 100 >= changed * 90, "{found} of {changed}");
}
