//! `latency.svg`: one run over time.

use super::canvas::{Canvas, Key, LEFT, MARGIN, RIGHT, title_tag};
use super::cpu;
use super::data::{self, Latency};
use super::downsample::Point;
use super::label::Role;
use super::lines::Line;
use super::panel::{self, BUCKETS, Frame, Heading};
use super::scale::{Scale, Unit};
use super::words::{self, QUANTILES};
use crate::model::{ChartRow, Evidence};
use crate::notation::{count, duration, number};

/// Name of a run's picture, beside its page.
pub const FILE_NAME: &str = "latency.svg";

/// How the title of every such picture begins.
const TITLE: &str = "Latencies of ";

/// Trends that are drawn at most; a footnote says how many are left out.
const MOST_TRENDS: usize = 12;
/// Up to this many trends lines have all their buckets; beyond, fewer keep the file small.
const FULL_TRENDS: usize = 6;
/// Lines of the heading: baselines at both sizes.
const HEAD: [(Role, [f64; 2]); 3] =
    [(Role::Heading, [38.0, 34.0]), (Role::Text, [62.0, 63.0]), (Role::Text, [82.0, 90.0])];
const HEAD_HEIGHT: f64 = 96.0;
/// Height of a trend's plot when there are few of them, when there are more, and of the other plots.
const FEW: f64 = 130.0;
const MANY: f64 = 104.0;
const OTHER: f64 = 84.0;

/// Draws one run: quantiles of each trend, iterations, failed requests and CPU over the window.
///
/// `chart` are the rows of `output.json` in milliseconds. Each trend has a panel and a scale of its own, logarithmic where
/// single seconds lie far above the rest. Seconds without samples are gaps. Long runs are drawn as bands from the lowest to the
/// highest second of each bucket, so that extremes stay, with a line of medians. `None` when there is nothing to draw over time.
pub fn latency(evidence: &Evidence, chart: &[ChartRow]) -> Option<String> {
    let drawn = Drawing::of(evidence, chart)?;
    let title = format!("{TITLE}{} over time", evidence.target);
    Some(drawn.canvas.document(&title, &drawn.description))
}

/// True for the text of a file that [`latency`] drew: a picture of any other hand is not the program's.
pub fn is_latency(svg: &str) -> bool {
    svg.starts_with("<svg ") && svg.lines().nth(1).is_some_and(|line| line.starts_with(&title_tag(TITLE)))
}

/// A picture and what is said of it.
pub(super) struct Drawing {
    pub canvas: Canvas,
    pub description: String,
}

impl Drawing {
    /// Lays the picture out from top to bottom.
    pub(super) fn of(evidence: &Evidence, chart: &[ChartRow]) -> Option<Self> {
        let window = data::window(evidence, chart)?;
        let latencies = data::latencies(chart);
        let iterations = data::iterations(evidence);
        let causes = data::causes(evidence, window);
        if latencies.is_empty() && iterations.is_none() && causes.iter().all(|cause| cause.points.is_empty()) {
            return None;
        }
        let shown = latencies.get(..MOST_TRENDS).unwrap_or(&latencies);
        let buckets = if shown.len() > FULL_TRENDS { BUCKETS / 2 } else { BUCKETS };
        let frame = Frame { window, sides: (LEFT, RIGHT), buckets, causes: &causes };
        let mut canvas = Canvas::default();
        head(&mut canvas, evidence, &frame);
        for latency in shown {
            trend(&mut canvas, &frame, evidence, latency, shown.len());
        }
        if let Some(points) = &iterations {
            throughput(&mut canvas, &frame, evidence, points);
        }
        failures(&mut canvas, &frame, evidence);
        let cpu = cpu::known(evidence);
        cpu::panel(&mut canvas, &frame, &cpu);
        panel::time_axis(&mut canvas, &frame);
        causes_below(&mut canvas, &frame);
        notes(&mut canvas, &frame, evidence, latencies.len() - shown.len());
        let description = words::description(evidence, window, shown, &causes, &cpu);
        Some(Drawing { canvas, description })
    }
}

fn head(canvas: &mut Canvas, evidence: &Evidence, frame: &Frame<'_>) {
    let lines = [evidence.target.clone(), words::span(frame.window), words::load(evidence)];
    for ((role, baselines), text) in HEAD.into_iter().zip(lines) {
        canvas.line(role, MARGIN, baselines, [RIGHT - MARGIN; 2], &text);
    }
    canvas.bottom = HEAD_HEIGHT;
}

fn trend(canvas: &mut Canvas, frame: &Frame<'_>, evidence: &Evidence, latency: &Latency, of: usize) {
    let scale = latency_scale(latency);
    let stats = words::stats(evidence, &latency.metric);
    let keys = QUANTILES.map(|(quantile, class)| (Some(Key::Line(class)), words::figure(stats, quantile)));
    let remark = if scale.is_log() { ["log scale", "log"].map(str::to_owned) } else { Default::default() };
    let heading = Heading { title: &latency.metric, remark, keys: keys.to_vec() };
    let lines = quantile_lines(latency);
    let height = if of <= 3 { FEW } else { MANY };
    panel::lines(canvas, frame, &heading, height, scale, &lines);
}

/// A line for each quantile of a trend.
pub(super) fn quantile_lines(latency: &Latency) -> Vec<Line<'_>> {
    let pairs = QUANTILES.into_iter().zip(&latency.quantiles);
    pairs
        .map(|((quantile, class), points)| {
            let name = quantile.to_string();
            let title = words::peak(&name, points, duration::write);
            let attributes = vec![("data-metric", latency.metric.clone()), ("data-line", name)];
            Line { class, points, attributes, title }
        })
        .collect()
}

/// The scale of a trend: all three quantiles fit, and its typical median can be told from zero.
fn latency_scale(latency: &Latency) -> Scale {
    let values = || latency.quantiles.iter().flatten().map(|point| point.value);
    let min = values().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    let max = values().fold(0.0, f64::max);
    let mut medians: Vec<f64> = latency.quantiles.iter().take(1).flatten().map(|point| point.value).collect();
    medians.sort_unstable_by(f64::total_cmp);
    Scale::durations(min, medians.get(medians.len() / 2).copied().unwrap_or_default(), max)
}

fn throughput(canvas: &mut Canvas, frame: &Frame<'_>, evidence: &Evidence, points: &[Point]) {
    let max = points.iter().map(|point| point.value).fold(0.0, f64::max);
    let keys = words::throughput(evidence).map(|rate| (Some(Key::Line("i")), rate));
    let heading =
        Heading { title: "iterations per second", remark: Default::default(), keys: keys.into_iter().collect() };
    let title = words::peak("iterations", points, number::write);
    let attributes = vec![("data-line", "iterations".to_owned())];
    let line = Line { class: "i", points, attributes, title };
    panel::lines(canvas, frame, &heading, OTHER, Scale::linear(max, Unit::Count), &[line]);
}

fn failures(canvas: &mut Canvas, frame: &Frame<'_>, evidence: &Evidence) {
    let peak = panel::worst_second(frame.causes);
    if peak > 0.0 {
        let keys = words::failed(evidence).map(|failed| (None, words::failed_share(failed)));
        let heading = Heading {
            title: "failed requests per second",
            remark: Default::default(),
            keys: keys.into_iter().collect(),
        };
        panel::bars(canvas, frame, &heading, OTHER, Scale::linear(peak, Unit::Count));
    }
}

/// Each cause with its colour where it has been drawn.
fn causes_below(canvas: &mut Canvas, frame: &Frame<'_>) {
    for (index, cause) in frame.causes.iter().enumerate() {
        let key = (!cause.points.is_empty()).then_some(Key::Square(index));
        canvas.paragraph(Role::Text, key, &words::cause(cause, frame.window));
    }
}

fn notes(canvas: &mut Canvas, frame: &Frame<'_>, evidence: &Evidence, left_out: usize) {
    let mut notes = vec![format!("lines by the second, figures of the {}", words::phase_of_figures(evidence))];
    if frame.bucket() > 1 {
        let bars = if frame.causes.iter().any(|cause| !cause.points.is_empty()) { ", bar: worst second" } else { "" };
        notes.push(format!("band: lowest to highest second of every {} s, line: median{bars}", frame.bucket()));
    }
    let by_minute: Vec<String> =
        frame.causes.iter().flat_map(|cause| &cause.by_minute).map(|id| format!("({id})")).collect();
    if !by_minute.is_empty() {
        notes.push(format!("known by the minute and drawn as the mean of its seconds: {}", by_minute.join(", ")));
    }
    if left_out > 0 {
        notes.push(format!("{} further trends are not drawn", count::write(left_out as u64)));
    }
    if let Some(failed) = words::failed(evidence).filter(|(failed, _)| *failed > 0)
        && frame.causes.iter().all(|cause| cause.points.is_empty())
    {
        notes.push(format!("{}, when is not known", words::failed_share(failed)));
    }
    notes.iter().for_each(|note| canvas.paragraph(Role::Muted, None, note));
    canvas.bottom += 8.0;
}
