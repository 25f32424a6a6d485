mod real;

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

#[test]
fn types_are_shown_by_the_lines_and_their_units() {
    use crate::model::{Contains, Kind};
    let text = "  █ TOTAL RESULTS\n\n    CUSTOM\n    size...: avg=319.37931 max=500\n    spent...: 1.5s 300ms/s\n    good...: 50.00% 1 out of 2\n\n    \
                HTTP\n    http_req_duration...: avg=0s max=1.5ms\n      { a:b }...: avg=0s max=1ms\n\n    NETWORK\n    data_sent...: 4.3 kB 72 B/s\n    vus...: 1 min=1 max=1\n";
    let declared = declarations(&read(text).summary.unwrap());
    let seen: Vec<_> = declared.iter().map(|d| (d.name.as_str(), d.kind, d.contains)).collect();
    assert_eq!(
        seen,
        [
            ("size", Kind::Trend, Contains::Default),
            ("spent", Kind::Counter, Contains::Time),
            ("good", Kind::Rate, Contains::Default),
            ("http_req_duration", Kind::Trend, Contains::Time),
            ("data_sent", Kind::Counter, Contains::Data),
            ("vus", Kind::Gauge, Contains::Default),
        ]
    );
}

#[test]
fn a_hostile_log_is_read_in_time_that_grows_with_its_length() {
    let nasty = [
        "WARN[0001] x a=b c=d e=\"f ".repeat(20_000),
        "ERRO[0001] x\n".to_owned() + &"\tat f (x)\n".repeat(50_000),
        "\u{1b}[".repeat(100_000),
        "✗ {".repeat(50_000),
        "█ a\n".repeat(50_000),
        "http_reqs...: 1 1/s\n\n".repeat(50_000),
        format!("http_reqs{}: 1 1/s", ".".repeat(200_000)),
        format!("█ TOTAL RESULTS\n{}", "vus: 1 min=1 max=1 ".repeat(20_000)),
        "start_utc=a ".repeat(50_000),
    ];
    let start = std::time::Instant::now();
    for text in nasty {
        let _ = (read(&text), looks_like(&text));
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(parts in proptest::collection::vec(fragment(), 0..40)) {
        let text: String = parts.concat();
        let log = read(&text);
        if let Some(excerpt) = log.summary_text {
            let _ = read(&excerpt);
        }
    }
}

/// Pieces that k6's lines are made of, in any order, and anything else.
fn fragment() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let known = proptest::sample::select(vec![
        "\n",
        "\r",
        "  ",
        "█ ",
        "TOTAL RESULTS",
        "THRESHOLDS",
        "✓ ",
        "✗ ",
        "? ",
        "↳  98% — ✓ 3 / ✗ 4",
        "http_reqs",
        "...: ",
        "{ a:b }",
        "1 1/s",
        "avg=1ms",
        "p(95)=",
        "'a<1' a=undefined",
        "running (",
        "1s), 1/1 VUs, 1 complete and 0 interrupted iterations",
        "default ✓ [ 100% ] ",
        "1 VUs  1s",
        "time=\"",
        "level=error msg=\"",
        "WARN[1] ",
        "\\u00",
        "{\"level\":",
        "start_utc=",
        "* a: 1 looping VUs for 1s",
        "50.00% 1 out of 2",
        "\tat f (",
    ]);
    prop_oneof![3 => known.prop_map(str::to_owned), 1 => any::<String>()]
}
