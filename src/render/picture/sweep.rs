//! `sweep.svg`: every run of a sweep in a row of its own, drawn alike.

use super::canvas::{Canvas, Key, MARGIN, RIGHT};
use super::cpu::{self, Cpu};
use super::data::{self, Cause, Latency};
use super::downsample::{Point, bucket_seconds};
use super::label::{Anchor, DENSITIES, Label, Role};
use super::latency::{Drawing, quantile_lines};
use super::lines::{self, Line};
use super::panel::{self, Frame, Plot};
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

/// Room between columns.
const GAP: f64 = 14.0;
/// Height of the heading, of a row's texts and of its plots.
const HEAD: f64 = 84.0;
const TEXTS: f64 = 84.0;
const PLOT: f64 = 60.0;
/// Most runs drawn; a note counts the rest.
const MOST_RUNS: usize = 40;
/// Buckets of all runs together, so that the file stays small however many runs there are.
const BUCKETS: usize = 1_200;

/// What a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Latency,
    Iterations,
    Failures,
    Cpu,
}

/// What all rows share.
struct Grid {
    /// Columns that hold something for at least one run.
    columns: Vec<Column>,
    /// The scale of all latencies.
    scale: Scale,
    /// The scale of CPU in all rows.
    cpu: Scale,
    /// Buckets of a line.
    buckets: u64,
}

impl Grid {
    fn width(&self) -> f64 {
        let columns = self.columns.len().max(1) as f64;
        (RIGHT - MARGIN - (columns - 1.0) * GAP) / columns
    }

    fn sides(&self, column: usize) -> (f64, f64) {
        let left = MARGIN + column as f64 * (self.width() + GAP);
        (left, left + self.width())
    }
}

/// A run made ready to be drawn.
struct Ready<'a> {
    evidence: &'a Evidence,
    window: Window,
    latency: Latency,
    iterations: Option<Vec<Point>>,
    failures: [Cause<'a>; 1],
    cpu: Vec<Cpu<'a>>,
}

/// Draws the runs of a sweep, one row each: latencies of its leading trend, iterations and failed requests over time.
///
/// The rows stand in the order given, each over its own window. All latencies share one logarithmic scale, as does all CPU, so
/// that rows can be compared; iterations and failures have a scale a row, with the highest second written above it. The leading
/// trend, which each row names, is the one named after the target, else the one with the most samples. `None` when nothing can
/// be drawn of any run.
pub fn sweep(title: &str, runs: &[SweepRun<'_>]) -> Option<String> {
    let drawn = laid_out(title, runs)?;
    Some(drawn.canvas.document(title, &drawn.description))
}

/// `search: search_duration p50 92.09ms, p95 140.02ms, p99 148.75ms; 6.2 a second over the whole run; 19 of 560 requests failed (3.39%)`.
fn in_words(run: &Ready<'_>) -> String {
    let stats = words::stats(run.evidence, &run.latency.metric);
    let figures = QUANTILES.map(|(quantile, _)| words::figure(stats, quantile)).join(", ");
    let latency = (!run.latency.metric.is_empty()).then(|| format!("{} {figures}", run.latency.metric));
    let rate = words::throughput(run.evidence).map(|rate| format!("iterations {rate}"));
    let failed = words::failed(run.evidence).map(words::failed_share);
    let parts: Vec<String> = [latency, rate, failed].into_iter().flatten().collect();
    format!("{}: {}", run.evidence.target, parts.join("; "))
}

/// The picture before it becomes text.
pub(super) fn laid_out(title: &str, runs: &[SweepRun<'_>]) -> Option<Drawing> {
    let ready: Vec<Ready<'_>> = runs.iter().filter_map(ready).collect();
    let (shown, left_out) = ready.split_at(ready.len().min(MOST_RUNS));
    let grid = grid(shown)?;
    let mut canvas = Canvas::default();
    head(&mut canvas, title, &grid);
    shown.iter().for_each(|run| row(&mut canvas, run, &grid));
    notes(&mut canvas, shown, left_out.len(), &grid);
    canvas.bottom += 8.0;
    Some(Drawing { canvas, description: description(shown) })
}

/// The picture in sentences.
fn description(shown: &[Ready<'_>]) -> String {
    let rows: Vec<String> = shown.iter().map(in_words).collect();
    format!(
        "One row for each of {} targets with latency by the second, iterations and failed requests per second, and CPU where it is known. {}.",
        rows.len(),
        rows.join(". ")
    )
}

/// What the scales of the columns are, what a band is, and how many runs are not drawn.
fn notes(canvas: &mut Canvas, shown: &[Ready<'_>], left_out: usize, grid: &Grid) {
    let mut notes = Vec::new();
    if grid.columns.contains(&Column::Latency) {
        let (low, high) = grid.scale.ends();
        let kind = if grid.scale.is_log() { "one logarithmic" } else { "one" };
        notes.push(vec![(None, format!("latency: all rows on {kind} scale, {low} to {high}"))]);
    }
    if grid.columns.contains(&Column::Cpu) {
        let (low, high) = grid.cpu.ends();
        let range = (None, format!("CPU, {low} to {high}:"));
        notes.push(std::iter::once(range).chain(cpu::keys(&all_cpu(shown))).collect());
    }
    let is_bucketed = |run: &Ready<'_>| bucket_seconds(run.window.seconds(), grid.buckets) > 1;
    if shown.iter().any(is_bucketed) {
        notes.push(vec![(None, "band: lowest to highest second, line: median".to_owned())]);
    }
    if left_out > 0 {
        notes.push(vec![(None, format!("{} further runs are not drawn", count::write(left_out as u64)))]);
    }
    for note in notes {
        canvas.keys(MARGIN, [20.0, 24.0].map(|y| canvas.bottom + y), &note);
        canvas.bottom += 28.0;
    }
}

/// CPU of all runs.
fn all_cpu<'a>(runs: &[Ready<'a>]) -> Vec<Cpu<'a>> {
    runs.iter().flat_map(|run| &run.cpu).copied().collect()
}

fn ready<'a>(run: &SweepRun<'a>) -> Option<Ready<'a>> {
    let window = data::window(run.evidence, run.chart)?;
    let latency = leading(data::latencies(run.chart), run.evidence).unwrap_or_default();
    let iterations = data::iterations(run.evidence);
    let failures = [data::all_failures(run.evidence, window)];
    let drawn = !latency.metric.is_empty() || iterations.is_some();
    let cpu = cpu::known(run.evidence);
    drawn.then_some(Ready { evidence: run.evidence, window, latency, iterations, failures, cpu })
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

/// The columns and the scale of all latencies; `None` without any run.
fn grid(runs: &[Ready<'_>]) -> Option<Grid> {
    runs.first()?;
    let values = || runs.iter().flat_map(|run| &run.latency.quantiles).flatten().map(|point| point.value);
    let min = values().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    let scale = Scale::log(min, values().fold(0.0, f64::max));
    let has = |column: &Column| match column {
        Column::Latency => values().next().is_some(),
        Column::Iterations => runs.iter().any(|run| run.iterations.is_some()),
        // that nothing failed is worth a column, that nothing is known of it is not
        Column::Failures => {
            runs.iter().any(|run| run.failures.iter().any(|all| !all.points.is_empty()) || is_clean(run.evidence))
        }
        Column::Cpu => runs.iter().any(|run| !run.cpu.is_empty()),
    };
    let columns =
        [Column::Latency, Column::Iterations, Column::Failures, Column::Cpu].into_iter().filter(has).collect();
    let mut grid = Grid { columns, scale, cpu: cpu::scale(&all_cpu(runs)), buckets: 0 };
    grid.buckets = (BUCKETS / runs.len()).min(grid.width() as usize) as u64;
    Some(grid)
}

fn is_clean(evidence: &Evidence) -> bool {
    words::failed(evidence).is_some_and(|(failed, _)| failed == 0)
}

fn head(canvas: &mut Canvas, title: &str, grid: &Grid) {
    canvas.line(Role::Heading, MARGIN, [38.0, 34.0], [RIGHT - MARGIN; 2], title);
    for (index, column) in grid.columns.iter().enumerate() {
        let text = match column {
            Column::Latency => "latency",
            Column::Iterations => "iterations/s",
            Column::Failures => "failures/s",
            Column::Cpu => "CPU",
        };
        for (density, y) in DENSITIES.into_iter().zip([72.0, 74.0]) {
            let (x, _) = grid.sides(index);
            let label = Label { x, y, anchor: Anchor::Start, role: Role::Text, density, text: text.to_owned() };
            canvas.label(label.fitted(grid.width()));
        }
    }
    canvas.bottom = HEAD;
}

fn row(canvas: &mut Canvas, run: &Ready<'_>, grid: &Grid) {
    let top = canvas.bottom;
    let rate = run.evidence.k6.iterations.and_then(|iterations| iterations.per_second);
    let rate = rate.map(|rate| format!("{}/s", per_second::throughput(rate)));
    let remark = |when: String| [Some(when), rate.clone()].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let [wide, narrow] = [words::span(run.window), length(run.window)].map(remark);
    let titles = [27.0, 24.0].map(|y| top + y);
    let taken = canvas.remark(titles, [&wide, &narrow]);
    canvas.titled(
        MARGIN,
        titles,
        taken.map(|taken| RIGHT - MARGIN - taken - 20.0),
        &run.evidence.target,
        &run.latency.metric,
    );
    let stats = words::stats(run.evidence, &run.latency.metric);
    let keys = QUANTILES.map(|(quantile, class)| (Some(Key::Line(class)), words::figure(stats, quantile)));
    if !run.latency.metric.is_empty() {
        canvas.keys(MARGIN, [45.0, 51.0].map(|y| top + y), &keys);
    }
    for (index, column) in grid.columns.iter().enumerate() {
        let sides = grid.sides(index);
        let frame = Frame { window: run.window, sides, buckets: grid.buckets, causes: &run.failures };
        let plot = |scale| Plot { top: top + TEXTS, height: PLOT, scale };
        match column {
            Column::Latency => latencies(canvas, &frame, &plot(grid.scale), &run.latency),
            Column::Iterations => iterations(canvas, &frame, plot, run.iterations.as_deref()),
            Column::Failures => failures(canvas, &frame, plot, run.evidence),
            Column::Cpu => cpu_in_use(canvas, &frame, &plot(grid.cpu), &run.cpu),
        }
    }
    canvas.bottom = top + TEXTS + PLOT + 8.0;
}

/// How long a window is, `30m12s`.
fn length(window: Window) -> String {
    duration::write(window.end.saturating_sub(window.start).max(1) as f64 * 1000.0)
}

fn failures(canvas: &mut Canvas, frame: &Frame<'_>, plot: impl Fn(Scale) -> Plot, evidence: &Evidence) {
    let peak = panel::worst_second(frame.causes);
    let plot = plot(Scale::linear(peak, Unit::Count));
    base(canvas, frame, &plot);
    panel::draw_bars(canvas, frame, &plot);
    let is_mean = frame.causes.iter().any(|cause| !cause.by_minute.is_empty());
    let text = match peak > 0.0 {
        // the highest second of it is not known
        true if is_mean => format!("max mean {}", number::to_fixed(peak, 1)),
        true => format!("max {}", number::write(peak)),
        false => without_bars(evidence).to_owned(),
    };
    corner(canvas, frame, &plot, &text);
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
    lines::draw(canvas, frame, plot, &quantile_lines(latency));
    let peak = latency.quantiles.iter().flatten().map(|point| point.value).fold(0.0, f64::max);
    if !latency.metric.is_empty() {
        corner(canvas, frame, plot, &format!("max {}", duration::write(peak)));
    }
}

fn iterations(canvas: &mut Canvas, frame: &Frame<'_>, plot: impl Fn(Scale) -> Plot, points: Option<&[Point]>) {
    let points = points.unwrap_or_default();
    let peak = points.iter().map(|point| point.value).fold(0.0, f64::max);
    let plot = plot(Scale::linear(peak, Unit::Count));
    base(canvas, frame, &plot);
    let title = words::peak("iterations", points, number::write);
    let attributes = vec![("data-line", "iterations".to_owned())];
    lines::draw(canvas, frame, &plot, &[Line { class: "i", points, attributes, title }]);
    let text = if points.is_empty() { "not known".to_owned() } else { format!("max {}", count::write(peak as u64)) };
    corner(canvas, frame, &plot, &text);
}

fn cpu_in_use(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, all: &[Cpu<'_>]) {
    base(canvas, frame, plot);
    cpu::draw(canvas, frame, plot, all);
    corner(canvas, frame, plot, &cpu::peak(all));
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

/// The highest second of a plot, above its upper right corner.
fn corner(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, text: &str) {
    for (density, above) in DENSITIES.into_iter().zip([5.0, 7.0]) {
        let (x, y) = (frame.sides.1, plot.top - above);
        let label = Label { x, y, anchor: Anchor::End, role: Role::Muted, density, text: text.to_owned() };
        canvas.label(label.fitted(frame.sides.1 - frame.sides.0));
    }
}
