//! The fast readers of raw output against the plain ones: the same evidence and chart data to the last byte, the same faults.

#![allow(clippy::print_stdout)] // what was compared is part of the result

mod support;

#[path = "../benches/generator/mod.rs"]
mod generator;

use std::io::Write;
use std::path::Path;

use generator::{DEFAULT_COLUMNS, Settings as Raw, Times, generate};
use proptest::prelude::*;
use support::real_runs;
use sweepdoc::ingest::raw::Reading;
use sweepdoc::ingest::source::Meter;
use sweepdoc::pipeline::{RunFiles, Settings, TargetFrom, reduce};
use sweepdoc::render::{chart_json, evidence_json};

/// Units far smaller than in use, so that small files have many seams; rows are longer than some.
const READINGS: [Reading; 4] = [
    Reading::Fast { threads: 1, unit: u64::MAX },
    Reading::Fast { threads: 2, unit: 64 << 10 },
    Reading::Fast { threads: 3, unit: 1_500 },
    Reading::Fast { threads: 2, unit: 90 },
];

/// Everything that is written of a run, or its fault.
fn outcome(path: &Path, reading: Reading) -> String {
    let reduced = RunFiles::collect(&[path.to_path_buf()]).and_then(|files| {
        let settings = Settings { reading, all_trends: true, ..Settings::default() };
        reduce(&files, &TargetFrom::Given("x".to_owned()), &settings, &Meter::default())
    });
    match reduced {
        Ok(run) => format!("{}{}", evidence_json(&run.evidence), chart_json(&run.chart, Default::default())),
        Err(fault) => format!("{fault}\nhint: {:?}", fault.hint),
    }
}

#[track_caller]
fn same(path: &Path, what: &str) -> String {
    let plain = outcome(path, Reading::Plain);
    for reading in READINGS {
        let fast = outcome(path, reading);
        if fast != plain {
            let differs = fast.lines().zip(plain.lines()).find(|(a, b)| a != b);
            panic!("{what}, {reading:?}: {differs:?}\n{} and {} bytes", fast.len(), plain.len());
        }
    }
    plain
}

/// The text in a file of its own.
fn same_text(folder: &Path, name: &str, text: &[u8], what: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    same(&path, what)
}

fn csv(settings: &Raw) -> Vec<u8> {
    let mut text = Vec::new();
    generate(settings, Some(&mut text), None).unwrap();
    text
}

fn json(settings: &Raw) -> Vec<u8> {
    let mut text = Vec::new();
    generate(settings, None, Some(&mut text)).unwrap();
    text
}

fn quirky() -> Raw {
    Raw { requests: 400, quirks: 100, late: 50, failed_percent: 10, extra_tags: true, ..Raw::default() }
}

#[test]
fn generated_files_give_the_same_evidence_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let ordinary = Raw { requests: 700, seconds: 700, ..Raw::default() };
    let few: &[&str] = &["error_code", "group", "method", "status", "extra_tags", "metadata"];
    let settings = [
        ("ordinary", ordinary.clone()),
        ("quirky", quirky()),
        ("other seed", Raw { seed: 9, ..quirky() }),
        ("few urls", Raw { urls: 3, failed_percent: 50, ..ordinary.clone() }),
        ("many trends", Raw { trends: 150, ..ordinary.clone() }),
        ("milliseconds", Raw { times: Times::UnixMilli, ..quirky() }),
        ("nanoseconds", Raw { times: Times::UnixNano, ..quirky() }),
        ("another zone", Raw { times: Times::Rfc3339, ..quirky() }),
        ("RFC 3339 nanoseconds", Raw { times: Times::Rfc3339Nano, ..quirky() }),
        ("no columns", Raw { columns: &[], ..ordinary.clone() }),
        ("few columns", Raw { columns: few, ..quirky() }),
    ];
    for (what, settings) in settings {
        let evidence = same_text(folder.path(), "k6.csv", &csv(&settings), what);
        assert!(evidence.contains("\"schema\""), "{what}: {evidence}");
        let evidence = same_text(folder.path(), "k6.json", &json(&settings), what);
        assert!(evidence.contains("\"schema\""), "{what}: {evidence}");
    }
    assert_eq!(DEFAULT_COLUMNS.len(), 16);
}

#[test]
fn more_causes_and_requests_than_are_kept_apart_are_the_same_ones() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!("metric_name,timestamp,metric_value,{}\n", DEFAULT_COLUMNS.join(","));
    for n in 0..3_000_u64 {
        let (second, code, word) =
            (1_796_051_400 + n / 50, 1400 + n % 150, format!("w{}", "abcdefghij".repeat(1 + n as usize % 7)));
        text += &format!("http_reqs,{second},1.000000,,e{word},{code},false,,GET,/{word}{n:x}z,,a,,0,,,/{n},,\n");
        text += &format!("http_req_failed,{second},1.000000,,e{word},{code},false,,GET,/{word}{n:x}z,,a,,0,,,/{n},,\n");
    }
    let evidence = same_text(folder.path(), "k6.csv", text.as_bytes(), "many causes");
    assert!(evidence.contains("other causes"), "{evidence}");
}

#[test]
fn rows_of_another_week_are_the_same_fault() {
    let folder = tempfile::tempdir().unwrap();
    let row = |second: u64| format!("iterations,{second},1.000000,default\n");
    let rows = |seconds: [u64; 4]| seconds.into_iter().map(row).collect::<String>();
    let header = "metric_name,timestamp,metric_value,scenario\n";
    let week = 7 * 24 * 3600;
    for seconds in [[0, 1, week + 1, 2], [0, 5, week, week + 5], [week, 0, 1, week + 1]] {
        let text = format!("{header}{}", rows(seconds.map(|s| 1_796_051_400 + s)));
        let fault = same_text(folder.path(), "k6.csv", text.as_bytes(), "weeks");
        assert!(fault.contains("more than a week apart"), "{fault}");
    }
}

#[test]
fn compressed_and_cut_files_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("k6.csv.gz", csv(&quirky())), ("k6.json.gz", json(&quirky()))] {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&text).unwrap();
        let whole = encoder.finish().unwrap();
        same_text(folder.path(), name, &whole, name);
        let evidence = same_text(folder.path(), name, &whole[..whole.len() * 2 / 3], "cut");
        assert!(evidence.contains("ends without its trailer"), "{name}: {evidence}");
    }
}

/// What editors, scripts, full disks and hostile people do to a file.
#[test]
fn what_k6_does_not_write_reads_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let text = String::from_utf8(csv(&Raw { requests: 30, ..quirky() })).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let row = "step_1_duration,1796051410,";
    let with = |row: &str| format!("{text}{row}\n");
    let changed = [
        ("windows line breaks", text.replace('\n', "\r\n")),
        ("old mac line breaks", text.replace('\n', "\r")),
        ("blank lines", text.replace("\nchecks", "\n\nchecks")),
        ("byte order mark", format!("\u{feff}{text}")),
        ("two files joined", format!("{text}{text}")),
        ("header only", joined(&lines[..1])),
        ("one row", joined(&lines[..2])),
        ("no line break at the end", text.trim_end().to_owned()),
        ("half a number", format!("{text}{row}12.")),
        ("other order", {
            let mut rows = lines[1..].to_vec();
            rows.reverse();
            format!("{}\n{}", lines[0], joined(&rows))
        }),
        ("a column less", with("step_1_duration,1796051410,1.000000,,,,,,")),
        ("a quote that is not closed", with(&format!("{row}1.000000,\"never"))),
        ("a quote inside", with("vus,1796051410,1.000000,a\"b,,,,,,,,,,,,,,,")),
        ("infinite", with("step_1_duration,1796051410,+Inf,,,,,,,,,default,,,,,,,")),
        ("no number", with("step_1_duration,1796051410,1m0s,,,,,,,,,default,,,,,,,")),
        ("exponent", with("step_1_duration,1796051410,1e3,,,,,,,,,default,,,,,,,")),
        ("many digits", with("step_1_duration,1796051410,12345678901234567890.123456,,,,,,,,,default,,,,,,,")),
        ("negative zero", with("step_9,1796051410,-0.000000,,,,,,,,,default,,,,,,,")),
        ("quoted name", with("\"vus\",\"1796051410\",\"1.000000\",,,,,,,,,,,,,,,,")),
        ("no name", with(",1796051410,1.000000,,,,,,,,,default,,,,,,,")),
        ("another time format", with("vus,2026-11-30T15:10:00Z,1.000000,,,,,,,,,,,,,,,,")),
        ("a time of another century", with("vus,179605141,1.000000,,,,,,,,,,,,,,,,")),
        (
            "a row inside of a text",
            text.replace("of file", "\nvus,1796051410,77.000000\nvus,1796051410,7.000000,,,,,,,,,,,,,,,,"),
        ),
    ];
    for (what, text) in &changed {
        same_text(folder.path(), "k6.csv", text.as_bytes(), what);
    }
    let invalid = text.clone().into_bytes().into_iter().map(|b| if b == b'/' { 0xff } else { b }).collect::<Vec<_>>();
    same_text(folder.path(), "k6.csv", &invalid, "invalid UTF-8");

    let text = String::from_utf8(json(&Raw { requests: 30, ..quirky() })).unwrap();
    let changed = [
        ("windows line breaks", text.replace('\n', "\r\n")),
        ("blank lines", text.replace('\n', "\n\n")),
        ("byte order mark", format!("\u{feff}{text}")),
        ("no line break at the end", text.trim_end().to_owned()),
        ("spaces", text.replace(':', ": ")),
        ("escapes", text.replace("https://", "https:\\/\\/")),
        ("exponents", text.replace("\"value\":1,", "\"value\":1.0e+00,")),
        ("leading zeros", text.replace("\"value\":1,", "\"value\":01,")),
        ("other zone", text.replace("Z\",\"value\"", "+02:00\",\"value\"")),
        ("no tags", text.replace("\"tags\":{}", "\"tags\":null")),
        ("metadata", text.replace("}}}\n", "},\"metadata\":{\"vu\":\"1\",\"iter\":\"2\"}}}\n")),
        ("other types", text.replace("\"type\":\"trend\"", "\"type\":\"counter\"")),
        ("types that change", text.clone() + &text.replace("\"type\":\"trend\"", "\"type\":\"counter\"")),
        ("other objects", text.replace("\"Point\"", "\"Dot\"")),
        ("tag twice", text.replace("\"scenario\":\"default\"", "\"scenario\":\"default\",\"scenario\":\"\"")),
        ("no scenario", text.replace(",\"scenario\":\"default\"", "")),
        ("control characters", text.replace("default", "def\u{1}ault")),
    ];
    for (what, text) in &changed {
        same_text(folder.path(), "k6.json", text.as_bytes(), what);
    }
}

#[test]
fn real_runs_read_the_same() {
    let mut compared = 0;
    for run in real_runs() {
        for name in ["run.csv", "run.csv.gz", "run.json", "run.json.gz", "run.ndjson", "run.ndjson.gz"] {
            let path = run.join(name);
            if path.exists() {
                same(&path, &path.display().to_string());
                compared += 1;
            }
        }
    }
    assert!(real_runs().is_empty() || compared > 10);
    println!("{compared} files read five ways");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn files_with_changed_bytes_read_the_same(
        seed in 1_u64..1000,
        is_json in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"\n\",.:\\\r0e}{a\xff".to_vec()), 0_u8..3), 0..4),
        end in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let settings = Raw { seed, requests: 12, ..quirky() };
        let mut text = if is_json { json(&settings) } else { csv(&settings) };
        for (place, byte, how) in changes {
            let place = place.index(text.len());
            match how {
                0 => text[place] = byte,
                1 => text.insert(place, byte),
                _ => {
                    text.remove(place);
                }
            }
        }
        text.truncate(end.map_or(text.len(), |end| end.index(text.len())));
        let folder = tempfile::tempdir().unwrap();
        same_text(folder.path(), "k6", &text, &String::from_utf8_lossy(&text));
    }
}
