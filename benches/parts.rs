//! The parts of reading raw output, a few MB each: `cargo bench`. Whole files and other programs: `benches/compare`.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use sweepdoc::derive::{Inputs, Observations, Plan, Redactor, Thresholds, chart_rows, evidence};
use sweepdoc::ingest::raw::{Format, Reading, read};
use sweepdoc::ingest::source::{Meter, Source};

mod generator;

use generator::{Settings, generate};

/// Each part runs at least so long.
const LONG: Duration = Duration::from_secs(2);

fn main() {
    let usual = Settings { requests: 10_000, ..Settings::default() };
    let quoted = Settings { quirks: 20, extra_tags: true, ..usual.clone() };
    for (name, format, settings) in [
        ("csv", Format::Csv, &usual),
        ("csv with quotes on every row", Format::Csv, &quoted),
        ("json", Format::Json, &usual),
    ] {
        let file = file(format, settings);
        let bytes = file.as_file().metadata().expect("its size").len();
        for (how, reading) in [
            ("plain", Reading::Plain),
            ("fast", Reading::on(1)),
            ("two threads", Reading::Fast { threads: 2, unit: 1 << 20 }),
        ] {
            bench(&format!("{name}, {how}"), bytes, || observe(black_box(file.path()), format, reading));
        }
    }
    evidence_and_chart();
}

/// Prints the median time of a part, and the bytes it went through in a second.
fn bench<T>(name: &str, bytes: u64, part: impl Fn() -> T) {
    let (mut times, start) = (Vec::new(), Instant::now());
    while start.elapsed() < LONG || times.len() < 5 {
        let start = Instant::now();
        black_box(part());
        times.push(start.elapsed());
    }
    times.sort();
    let median = times[times.len() / 2];
    let rate = bytes as f64 / 1e6 / median.as_secs_f64();
    println!("{name:40} {:9.3} ms {rate:8.0} MB/s", median.as_secs_f64() * 1e3);
}

/// A generated file that is removed at the end.
fn file(format: Format, settings: &Settings) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    match format {
        Format::Csv => generate(settings, Some(&mut file), None),
        Format::Json => generate(settings, None, Some(&mut file)),
    }
    .expect("room for a few MB");
    file
}

fn observe(path: &Path, format: Format, reading: Reading) -> Observations {
    let source = Source::new(path).expect("the generated file");
    let new_sink = || Observations::new(Plan::default());
    read(&source, format, reading, &Meter::default(), new_sink, Observations::joined).expect("k6 output").0
}

fn evidence_and_chart() {
    let file = file(Format::Csv, &Settings { requests: 50_000, seconds: 1800, ..Settings::default() });
    let bytes = file.as_file().metadata().expect("its size").len();
    let seen = observe(file.path(), Format::Csv, Reading::default());
    let (thresholds, redactor) = (Thresholds::default(), Redactor::default());
    let inputs = Inputs { seen: Some(&seen), ..Inputs::of("bench", &thresholds, &redactor) };
    bench("evidence and chart data", bytes, || (evidence(&inputs), chart_rows(&seen, &[], &[])));
}
