//! The fast readers take what k6 writes, and give up on anything else.

use std::path::Path;

use super::*;
use crate::model::{Declaration, MetricId, Sample};

/// What every sample was, by its place in the file.
#[derive(Debug, Default, PartialEq)]
struct Recorder {
    names: Vec<String>,
    samples: Vec<(u64, String)>,
    skipped: Vec<(&'static str, Option<u64>)>,
}

impl Recorder {
    fn joined(parts: Vec<Recorder>) -> Option<Recorder> {
        let mut all = Recorder::default();
        for part in parts {
            all.samples.extend(part.samples);
            all.skipped.extend(part.skipped);
        }
        all.samples.sort();
        Some(all)
    }
}

impl Sink for Recorder {
    fn metric(&mut self, name: &str) -> MetricId {
        self.names.push(name.to_owned());
        MetricId(self.names.len() - 1)
    }
    fn sample(&mut self, sample: &Sample<'_>) {
        let name = &self.names[sample.metric.0];
        self.samples.push((sample.at, format!("{name} {} {} {:?}", sample.time, sample.value, sample.tags)));
    }
    fn declare(&mut self, _: Declaration) {}
    fn skipped(&mut self, reason: &'static str, place: Place) {
        self.skipped.push((reason, place.line));
    }
    fn truncated(&mut self, _: &'static str) {}
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

fn fast(path: &Path, format: Format, threads: usize, unit: u64) -> Option<Recorder> {
    let source = Source::new(path).unwrap();
    let work = Work { source: &source, meter: &Meter::default(), threads, unit };
    let read = match format {
        Format::Csv => k6_csv::rows::read(&work, Recorder::default),
        Format::Json => k6_json::points::read(&work, Recorder::default),
    };
    read.and_then(|(shares, _)| Recorder::joined(shares))
}

fn plain(path: &Path, format: Format) -> Recorder {
    let mut recorder = Recorder::default();
    read_plainly(&Source::new(path).unwrap(), format, &Meter::default(), &mut recorder).unwrap();
    Recorder::joined(vec![recorder]).unwrap()
}

const CSV: &str = "metric_name,timestamp,metric_value,check,group,scenario,extra_tags\n\
    http_reqs,1796051400,1.000000,,::a,default,\n\
    http_req_duration,1796051400,12.345678,,::a,default,\n\
    checks,1796051400,1.000000,\"is \"\"ok\"\", really\",,default,a=b&c=d\n\
    vus,1796051401,3.000000,,,,\n\
    checks,1796051401,0.000000,\"two\nlines\",,default,\n\
    vus,1796051402,3.000000,,,,\n";

const JSON: &str = "{\"type\":\"Metric\",\"data\":{\"name\":\"t\",\"type\":\"trend\",\"contains\":\"time\"},\"metric\":\"t\"}\n\
    {\"metric\":\"t\",\"type\":\"Point\",\"data\":{\"time\":\"2026-11-30T15:14:19.6Z\",\"value\":77.214697,\"tags\":{\"group\":\"\"}}}\n\
    {\"metric\":\"t\",\"type\":\"Point\",\"data\":{\"time\":\"2026-11-30T15:14:19.6Z\",\"value\":9.5e-05,\"tags\":{\"group\":\"\"}}}\n\
    {\"metric\":\"t\",\"type\":\"Point\",\"data\":{\"time\":\"2026-11-30T15:14:20Z\",\"value\":3,\"tags\":{\"group\":\"a\\u0026b\"}}}\n";

#[test]
fn every_unit_and_number_of_threads_gives_the_samples_of_the_plain_reader() {
    for (format, text, rows) in [(Format::Csv, CSV, 6), (Format::Json, JSON, 3)] {
        let file = file(text);
        let expected = plain(file.path(), format);
        assert_eq!(expected.samples.len(), rows);
        for unit in (1..text.len() as u64 + 9).step_by(7) {
            for threads in 1..4 {
                assert_eq!(fast(file.path(), format, threads, unit).as_ref(), Some(&expected), "{unit} bytes");
            }
        }
    }
}

#[test]
fn a_line_inside_of_quotes_that_looks_like_a_row_is_none() {
    let text = CSV.replace("two\n", "two\nvus,1796051401,3.000000,,,,\n");
    let file = file(&text);
    let expected = plain(file.path(), Format::Csv);
    for unit in 1..text.len() as u64 {
        assert_eq!(fast(file.path(), Format::Csv, 2, unit).as_ref(), Some(&expected), "{unit} bytes");
    }
}

#[test]
fn a_cut_last_line_is_left_out_and_named() {
    for (format, text, line) in [(Format::Csv, CSV, 8), (Format::Json, JSON, 4)] {
        let file = file(text.trim_end());
        let expected = plain(file.path(), format);
        assert_eq!(expected.skipped, [("cut last line", Some(line))]);
        for unit in [20, 100, 10_000] {
            assert_eq!(fast(file.path(), format, 2, unit).as_ref(), Some(&expected));
        }
    }
}

#[test]
fn what_k6_does_not_write_is_left_to_the_plain_reader() {
    for text in [
        CSV.replace('\n', "\r\n"),
        CSV.replace("\nvus", "\n\nvus"),
        format!("\u{feff}{CSV}"),
        format!("{CSV}{CSV}"),
        format!("{CSV}vus,1796051402,3.000000,,,\n"),
        format!("{CSV}vus,1796051402,+Inf,,,,\n"),
        format!("{CSV}vus,tomorrow,1.0,,,,\n"),
        CSV.replace("metric_value", "value"),
        CSV.lines().next().unwrap().to_owned() + "\n",
    ] {
        assert_eq!(fast(file(&text).path(), Format::Csv, 2, 100), None, "{text}");
    }
    for text in
        [JSON.replace('\n', "\n\n"), format!("\u{feff}{JSON}"), JSON.replace("Point", "Dot"), JSON.replace("3,", "03,")]
    {
        assert_eq!(fast(file(&text).path(), Format::Json, 2, 100), None, "{text}");
    }
}
