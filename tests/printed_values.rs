//! Every value k6 printed at the end of the shared real runs, made anew from the raw file.

#![allow(clippy::print_stdout)] // what was compared is part of the result

mod support;

use std::path::Path;

use support::{json, real_runs};
use sweepdoc::ingest::source::Meter;
use sweepdoc::ingest::terminal;
use sweepdoc::model::{EndSummary, Evidence, Figures, Layout, SummaryOrigin};
use sweepdoc::notation::stat::{TrendNotation, fixed_time_unit};
use sweepdoc::notation::{number, per_second, percent, size};
use sweepdoc::pipeline::{RunFiles, Settings, TargetFrom, reduce};

/// Printed text against our own, value by value.
#[derive(Default)]
struct Tally {
    compared: usize,
    last_digit_of_a_rate: usize,
    different: Vec<String>,
}

impl Tally {
    fn same(&mut self, place: &str, printed: &str, ours: &str) {
        self.compared += 1;
        if printed != ours {
            self.different.push(format!("{place}: printed `{printed}`, ours `{ours}`"));
        }
    }

    /// `/s` values divide by a duration that is itself read from a printed rate: the sixth decimal may be off by one.
    fn same_rate(&mut self, place: &str, printed: &str, ours: f64) {
        let text = per_second::write(ours);
        if printed == text {
            self.compared += 1;
            return;
        }
        let read = |t: &str| t.trim_end_matches("/s").parse::<f64>().unwrap();
        match (read(printed) - read(&text)).abs() < 1.5e-6 {
            true => (self.compared, self.last_digit_of_a_rate) = (self.compared + 1, self.last_digit_of_a_rate + 1),
            false => self.same(place, printed, &text),
        }
    }
}

fn compare(run: &str, summary: &EndSummary, evidence: &Evidence, tally: &mut Tally) {
    let fixed = fixed_time_unit(summary);
    let seconds = match evidence.k6.completed {
        // after an abort the clock runs on between the terminal's summary and the exported one
        Some(false) => printed_seconds(summary),
        _ => evidence.k6.run_seconds.unwrap(),
    };
    for (name, figures) in &summary.metrics {
        let place = format!("{run} {name}");
        match figures {
            Figures::Trend(stats) => {
                let trend = evidence.trends.get(name).or_else(|| evidence.submetrics.get(name));
                let trend = trend.unwrap_or_else(|| panic!("{place}: no trend"));
                let notation = TrendNotation::of_line(stats, fixed);
                for (stat, printed) in stats {
                    let value = trend.run.get(*stat);
                    tally.same(&format!("{place} {stat:?}"), &printed.text, &notation.write(*stat, value.unwrap()));
                }
            }
            Figures::Counter { count, per_second } => {
                let sum = match name.as_str() {
                    "checks_total" => evidence.checks.as_ref().unwrap().total as f64,
                    _ => evidence.counters[name].sum,
                };
                let data = name.starts_with("data_");
                tally.same(&place, &count.text, &if data { size::write(sum) } else { number::write(sum) });
                let rate = per_second.as_ref().unwrap();
                match data {
                    true => tally.same(&place, &rate.text, &format!("{}/s", size::write(sum / seconds))),
                    false => tally.same_rate(&place, &rate.text, sum / seconds),
                }
            }
            Figures::Rate { nonzero, total, share } => {
                let checks = evidence.checks.as_ref();
                let (n, all) = match name.as_str() {
                    "checks" | "checks_succeeded" => checks.map(|c| (c.total - c.failed, c.total)).unwrap(),
                    "checks_failed" => checks.map(|c| (c.failed, c.total)).unwrap(),
                    _ => (evidence.rates[name].nonzero, evidence.rates[name].total),
                };
                tally.same(&place, &format!("{nonzero} out of {total}"), &format!("{n} out of {all}"));
                tally.same(&place, &share.as_ref().unwrap().text, &percent::write(n, all));
            }
            Figures::Gauge { value, min, max } => {
                let gauge = evidence.gauges[name];
                for (printed, ours) in [(Some(value), gauge.last), (min.as_ref(), gauge.min), (max.as_ref(), gauge.max)]
                {
                    tally.same(&place, &printed.unwrap().text, &number::write(ours));
                }
            }
        }
    }
    let legacy = summary.origin == SummaryOrigin::Terminal(Layout::Legacy);
    let has_names = evidence.checks.as_ref().is_some_and(|c| c.by_name.iter().all(|b| b.name.is_some()));
    // the legacy layout counts per group; its groups are added together here as the raw checks are
    for check in summary.checks.iter().filter(|_| has_names) {
        let ours =
            evidence.checks.as_ref().unwrap().by_name.iter().find(|b| b.name.as_deref() == Some(check.name.as_str()));
        let ours = ours.unwrap_or_else(|| panic!("{run}: no check `{}`", check.name));
        let same_name = || summary.checks.iter().filter(|other| other.name == check.name);
        if !legacy || same_name().count() == 1 {
            let passes = check.passes.map_or(String::new(), |n| n.to_string());
            let expected = if check.passes.is_some() { ours.passes.unwrap().to_string() } else { String::new() };
            tally.same(&format!("{run} check {}", check.name), &passes, &expected);
        }
        let fails: u64 = if legacy { same_name().filter_map(|c| c.fails).sum() } else { check.fails.unwrap() };
        tally.same(&format!("{run} check {}", check.name), &fails.to_string(), &ours.fails.to_string());
    }
}

/// The duration the printed rates divide by.
fn printed_seconds(summary: &EndSummary) -> f64 {
    let Figures::Counter { count, per_second } = &summary.metrics["http_reqs"] else {
        panic!("http_reqs is a counter")
    };
    count.value.unwrap() / per_second.as_ref().and_then(|rate| rate.value).unwrap()
}

fn evidence_of(run: &Path) -> Evidence {
    let files = RunFiles::collect(&[run.to_path_buf()]).unwrap();
    reduce(&files, &TargetFrom::StampOrFolder, &Settings::default(), &Meter::default())
        .unwrap_or_else(|f| panic!("{f}"))
        .evidence
}

#[test]
fn every_printed_value_is_made_anew_from_the_raw_file() {
    let mut tally = Tally::default();
    for run in real_runs() {
        let name = run.file_name().unwrap().to_string_lossy().into_owned();
        let log = terminal::read(&String::from_utf8_lossy(&std::fs::read(run.join("terminal.log")).unwrap()));
        let Some(summary) = &log.summary else { continue };
        let evidence = evidence_of(&run);
        compare(&name, summary, &evidence, &mut tally);
        let metrics = json(&run.join("truth.json"))["terminal"]["metrics"].as_object().unwrap().len();
        assert_eq!(summary.metrics.len(), metrics, "{name}: metrics read from the log");
    }
    println!(
        "{} printed values compared, {} differ in the last digit of a rate, {} differ",
        tally.compared,
        tally.last_digit_of_a_rate,
        tally.different.len()
    );
    assert!(tally.different.is_empty(), "{:#?}", tally.different);
}

#[test]
fn raw_log_and_summary_of_the_real_runs_agree() {
    for run in real_runs() {
        let evidence = evidence_of(&run);
        let differing: Vec<_> = evidence.warnings.iter().filter(|w| w.code == "figures-differ").collect();
        assert!(differing.is_empty(), "{}: {differing:#?}", run.display());
    }
}
