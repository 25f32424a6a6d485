//! `sweep.svg`: every run of a sweep in a row of its own, drawn alike.

use super::canvas::{Canvas, Key, MARGIN, RIGHT};
use super::data::{self, Latency};
use super::downsample::Point;
use super::label::{Anchor, DENSITIES, Label, Role};
use super::latency::quantile_lines;
use super::panel::{self, Frame, Line, Plot};
use super::scale::{Scale, Unit};
use super::svg::{self, PathData};
use super::words::{self, QUANTILES};
use crate::model::{ChartRow, Evidence, Window};
use crate::notation::{count, duration, number, per_second};

/// One run of a sweep.
#[derive(Debug, Clone, Copy)]
pub struct SweepRun<'a> {
    /// What is known of it.
    pub evidence: &'a Evidence,
    /// The rows of its `output.json`.
    pub chart: &'a [ChartRow],
}

/// Columns: what they show.
const COLUMNS: [&str; 3] = ["latency", "iterations/s", "failures/s"];
const GAP: f64 = 14.0;
const COLUMN: f64 = (RIGHT - MARGIN - 2.0 * GAP) / 3.0;
/// Height of the heading, of a row's texts and of its plots.
const HEAD: f64 = 84.0;
const TEXTS: f64 = 60.0;
const PLOT: f64 = 62.0;
/// Most runs drawn; a note counts the rest.
const MOST_RUNS: usize = 40;
/// Points of all lines together, so that the file stays small however many runs there are.
const BUCKETS: usize = 2_400;

/// A run made ready to be drawn.
struct Ready<'a> {
    evidence: &'a Evidence,
    window: Window,
    latency: Latency,
    iterations: Option<Vec<Point>>,
}

/// Draws the runs of a sweep, one row each: latencies of its leading trend, iterations and failed requests over time.
///
/// The rows stand in the order given, each over its own window. All latencies share one logarithmic scale, so that rows can be
/// compared; iterations and failures have a scale a row, with the highest second written into it. The leading trend is the one
/// named after the target, else the one with the most samples. `None` when nothing can be drawn of any run.
pub fn sweep(title: &str, runs: &[SweepRun<'_>]) -> Option<String> {
    let canvas = laid_out(title, runs)?;
    let names: Vec<&str> = runs.iter().map(|run| run.evidence.target.as_str()).collect();
    let description = format!(
        "One row for each of {} targets with latency by the second, iterations per second and failed requests per second: {}.",
        runs.len(),
        names.join(", ")
    );
    Some(canvas.document(title, &description))
}

/// The picture before it becomes text.
pub(super) fn laid_out(title: &str, runs: &[SweepRun<'_>]) -> Option<Canvas> {
    let ready: Vec<Ready<'_>> = runs.iter().filter_map(ready).collect();
    let (shown, left_out) = ready.split_at(ready.len().min(MOST_RUNS));
    let scale = common_scale(shown)?;
    let mut canvas = Canvas::default();
    head(&mut canvas, title, &scale);
    let buckets = (BUCKETS / shown.len().max(1)).min(COLUMN as usize) as u64;
    shown.iter().for_each(|run| row(&mut canvas, run, scale, buckets));
    let mut notes = vec!["latency: all rows on one logarithmic scale".to_owned()];
    if !left_out.is_empty() {
        notes.push(format!("{} further runs are not drawn", count::write(left_out.len() as u64)));
    }
    for note in notes {
        let baselines = [20.0, 24.0].map(|y| canvas.bottom + y);
        canvas.line(Role::Muted, MARGIN, baselines, RIGHT - MARGIN, &note);
        canvas.bottom += 28.0;
    }
    canvas.bottom += 8.0;
    Some(canvas)
}

fn ready<'a>(run: &SweepRun<'a>) -> Option<Ready<'a>> {
    let window = data::window(run.evidence, run.chart)?;
    let latency = leading(data::latencies(run.chart), run.evidence).unwrap_or_default();
    let iterations = data::iterations(run.evidence);
    let drawn = !latency.metric.is_empty() || iterations.is_some();
    drawn.then_some(Ready { evidence: run.evidence, window, latency, iterations })
}

/// The trend that stands for a run.
fn leading(latencies: Vec<Latency>, evidence: &Evidence) -> Option<Latency> {
    let named = |latency: &Latency| {
        latency.metric == evidence.target || latency.metric.strip_suffix("_duration") == Some(&evidence.target)
    };
    let samples = |latency: &Latency| words::stats(evidence, &latency.metric).and_then(|stats| stats.n);
    // of equal ones the first by name
    latencies.into_iter().rev().max_by_key(|latency| (named(latency), samples(latency)))
}

/// One scale for the latencies of all runs; `None` without any run.
fn common_scale(runs: &[Ready<'_>]) -> Option<Scale> {
    runs.first()?;
    let values = || runs.iter().flat_map(|run| &run.latency.quantiles).flatten().map(|point| point.value);
    let min = values().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    Some(Scale::log(min, values().fold(0.0, f64::max)))
}

fn head(canvas: &mut Canvas, title: &str, scale: &Scale) {
    canvas.line(Role::Heading, MARGIN, [38.0, 34.0], RIGHT - MARGIN, title);
    let ticks = scale.ticks();
    let ends = ticks.first().zip(ticks.last()).map(|(low, high)| format!(", {} to {}", low.text, high.text));
    for (index, name) in COLUMNS.into_iter().enumerate() {
        for (density, y) in DENSITIES.into_iter().zip([72.0, 74.0]) {
            let text = format!("{name}{}", ends.as_deref().filter(|_| index == 0).unwrap_or_default());
            let (x, _) = sides(index);
            let label = Label { x, y, anchor: Anchor::Start, role: Role::Text, density, text };
            canvas.label(label.fitted(COLUMN));
        }
    }
    canvas.bottom = HEAD;
}

fn sides(column: usize) -> (f64, f64) {
    let left = MARGIN + column as f64 * (COLUMN + GAP);
    (left, left + COLUMN)
}

fn row(canvas: &mut Canvas, run: &Ready<'_>, scale: Scale, buckets: u64) {
    let top = canvas.bottom;
    let rate = run.evidence.k6.iterations.and_then(|iterations| iterations.per_second);
    let rate = rate.map(|rate| format!("{}/s", per_second::throughput(rate))).unwrap_or_default();
    let titles = [27.0, 24.0].map(|y| top + y);
    let taken = canvas.remark(titles, &rate);
    canvas.line(Role::Title, MARGIN, titles, RIGHT - MARGIN - taken[1] - 20.0, &run.evidence.target);
    let stats = words::stats(run.evidence, &run.latency.metric);
    let keys = QUANTILES.map(|(quantile, class)| (Some(Key::Line(class)), words::figure(stats, quantile)));
    if !run.latency.metric.is_empty() {
        canvas.keys(MARGIN, [45.0, 51.0].map(|y| top + y), &keys);
    }
    let failures = [data::all_failures(run.evidence, run.window)];
    let frame = |column| Frame { window: run.window, sides: sides(column), buckets, causes: &failures };
    let plot = |scale| Plot { top: top + TEXTS, height: PLOT, scale };
    latencies(canvas, &frame(0), &plot(scale), &run.latency);
    iterations(canvas, &frame(1), plot, run.iterations.as_deref());
    let peak = panel::worst_second(&failures);
    let bars = plot(Scale::linear(peak, Unit::Count));
    base(canvas, &frame(2), &bars);
    if peak > 0.0 {
        panel::draw_bars(canvas, &frame(2), &bars);
        corner(canvas, &frame(2), &bars, &number::write(peak));
    } else {
        corner(canvas, &frame(2), &bars, without_bars(run.evidence));
    }
    canvas.bottom = top + TEXTS + PLOT + 8.0;
}

/// What stands in place of bars: only evidence of no failure says `none`.
fn without_bars(evidence: &Evidence) -> &'static str {
    match words::failed(evidence) {
        Some((0, _)) => "none",
        Some(_) => "not by time",
        None => "not known",
    }
}

fn latencies(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, latency: &Latency) {
    base(canvas, frame, plot);
    panel::draw_lines(canvas, frame, plot, &quantile_lines(latency));
    let peak = latency.quantiles.iter().flatten().map(|point| point.value).fold(0.0, f64::max);
    if !latency.metric.is_empty() {
        corner(canvas, frame, plot, &duration::write(peak));
    }
}

fn iterations(canvas: &mut Canvas, frame: &Frame<'_>, plot: impl Fn(Scale) -> Plot, points: Option<&[Point]>) {
    let points = points.unwrap_or_default();
    let peak = points.iter().map(|point| point.value).fold(0.0, f64::max);
    let plot = plot(Scale::linear(peak, Unit::Count));
    base(canvas, frame, &plot);
    let title = words::peak("iterations", points, number::write);
    let attributes = vec![("data-line", "iterations".to_owned())];
    panel::draw_lines(canvas, frame, &plot, &[Line { class: "i", points, attributes, title }]);
    let text = if points.is_empty() { "not known".to_owned() } else { count::write(peak as u64) };
    corner(canvas, frame, &plot, &text);
}

/// The line at the bottom of a plot and the one at its top.
fn base(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot) {
    let mut lines = PathData::default();
    for y in [plot.top, plot.bottom()] {
        lines.start(frame.sides.0, y);
        lines.line(frame.sides.1, y);
    }
    canvas.shape(svg::path("g", lines, &[], None));
}

/// The highest second of a plot, in its upper right corner.
fn corner(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, text: &str) {
    for (density, below) in DENSITIES.into_iter().zip([13.0, 22.0]) {
        let (x, y) = (frame.sides.1 - 2.0, plot.top + below);
        let label = Label { x, y, anchor: Anchor::End, role: Role::Muted, density, text: text.to_owned() };
        canvas.label(label.fitted(COLUMN));
    }
}
