//! One panel: a heading, a plot with its own scale, the shades of bursts, and what is drawn over time.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Key, LEFT, MARGIN, RIGHT};
use super::clock;
use super::data::Cause;
use super::downsample::bucket_seconds;
use super::label::{Anchor, DENSITIES, Density, Label, Role};
use super::lines::{self, Line};
use super::scale::Scale;
use super::svg::{self, PathData};
use crate::model::Window;

/// Height of a panel's heading: a title and a line of keys.
const HEADING: f64 = 58.0;
/// Baselines of the title, then of the keys, below the panel's top.
const TITLE: [f64; 2] = [28.0, 23.0];
const KEYS: [f64; 2] = [46.0, 50.0];
/// Room above the bars for the numbers of bursts.
const STRIP: f64 = 30.0;
/// Buckets of a line over the whole window: one for every three units of width.
pub(super) const BUCKETS: u64 = ((RIGHT - LEFT) / 3.0) as u64;
/// Widest bar: in a run of seconds a bar need not fill its second.
const BAR: f64 = 24.0;
/// Height of the axis of time.
const AXIS: f64 = 32.0;

/// What all panels of a picture share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    /// The seconds drawn.
    pub window: Window,
    /// Left and right end of what is drawn over time.
    pub sides: (f64, f64),
    /// Buckets of a line.
    pub buckets: u64,
    /// Causes of failures, whose bursts are shaded.
    pub causes: &'a [Cause<'a>],
}

/// What is said above a plot.
pub(super) struct Heading<'a> {
    pub title: &'a str,
    /// Right of the title at each size, such as `log scale`; on a narrow screen the ends of the scale follow.
    pub remark: [String; 2],
    pub keys: Vec<(Option<Key>, String)>,
}

/// The rectangle of a plot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plot {
    pub top: f64,
    pub height: f64,
    pub scale: Scale,
}

impl Plot {
    pub(super) fn y(&self, value: f64) -> f64 {
        self.top + self.height * (1.0 - self.scale.position(value))
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

impl Frame<'_> {
    /// The middle of a second.
    pub(super) fn x(&self, second: i64) -> f64 {
        self.left_of(second) + self.second() / 2.0
    }

    /// The left end of a second.
    fn left_of(&self, second: i64) -> f64 {
        self.sides.0 + (second - self.window.start) as f64 * self.second()
    }

    /// A moment, in seconds since the epoch; what lies outside the window is put on its border.
    pub(super) fn x_of(&self, moment: f64) -> f64 {
        let x = self.sides.0 + (moment - self.window.start as f64) * self.second();
        x.clamp(self.sides.0, self.sides.1)
    }

    /// Width of a second.
    fn second(&self) -> f64 {
        (self.sides.1 - self.sides.0) / self.window.seconds() as f64
    }

    /// Seconds each bucket of a line spans.
    pub(super) fn bucket(&self) -> i64 {
        bucket_seconds(self.window.seconds(), self.buckets)
    }
}

/// A panel of lines; the first of them lies on top.
pub(super) fn lines(
    canvas: &mut Canvas,
    frame: &Frame<'_>,
    heading: &Heading<'_>,
    height: f64,
    scale: Scale,
    drawn: &[Line<'_>],
) {
    framed(canvas, frame, heading, height, scale, |canvas, plot| lines::draw(canvas, frame, plot, drawn));
}

/// A panel around whatever is drawn over time.
pub(super) fn framed(
    canvas: &mut Canvas,
    frame: &Frame<'_>,
    heading: &Heading<'_>,
    height: f64,
    scale: Scale,
    draw: impl FnOnce(&mut Canvas, &Plot),
) {
    let plot = begin(canvas, frame, heading, 0.0, height, scale);
    draw(canvas, &plot);
    narrow_marks(canvas, &plot);
}

/// Draws failures as stacked bars with the numbers of bursts above.
pub(super) fn bars(canvas: &mut Canvas, frame: &Frame<'_>, heading: &Heading<'_>, height: f64, scale: Scale) {
    let above = if frame.causes.iter().any(|cause| number_of(cause).is_some()) { STRIP } else { 0.0 };
    let plot = begin(canvas, frame, heading, above, height, scale);
    draw_bars(canvas, frame, &plot);
    narrow_marks(canvas, &plot);
    numbers(canvas, frame, plot.top - above);
}

/// Bars alone.
pub(super) fn draw_bars(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot) {
    for (class, path) in stacks(frame, plot).into_iter().enumerate() {
        canvas.shape(svg::path(&format!("f{class}"), path, &cause_attributes(frame.causes.get(class)), None));
    }
}

/// The most requests that failed in one second, all causes together.
pub(super) fn worst_second(causes: &[Cause<'_>]) -> f64 {
    worst_seconds(causes, 1).iter().map(|(_, parts)| parts.iter().sum::<f64>()).fold(0.0, f64::max)
}

fn cause_attributes(cause: Option<&Cause<'_>>) -> Vec<(&'static str, String)> {
    let ids = cause.map(|cause| cause.populations.iter().map(|p| p.id.to_string()).collect::<Vec<_>>().join(" "));
    ids.map(|ids| ("data-population", ids)).into_iter().collect()
}

/// Draws the axis of time below the last plot.
pub(super) fn time_axis(canvas: &mut Canvas, frame: &Frame<'_>) {
    let top = canvas.bottom;
    for (density, baseline) in DENSITIES.into_iter().zip([17.0, 23.0]) {
        for tick in clock::ticks(frame.window, RIGHT - LEFT, density) {
            let (x, y) = (frame.x(tick.second), top + baseline);
            let label = Label { x, y, anchor: Anchor::Middle, role: Role::Muted, density, text: tick.text };
            canvas.label_if_free(label);
        }
    }
    canvas.bottom += AXIS;
}

/// Heading, shades, grid and the marks at the left of a plot; `above` is kept free between heading and plot.
fn begin(canvas: &mut Canvas, frame: &Frame<'_>, heading: &Heading<'_>, above: f64, height: f64, scale: Scale) -> Plot {
    let top = canvas.bottom;
    let plot = Plot { top: top + HEADING + above, height, scale };
    let [wide, narrow] = &heading.remark;
    let taken = canvas.remark(TITLE.map(|y| top + y), [wide, &narrow_remark(narrow, &plot)]);
    let room = taken.map(|taken| RIGHT - MARGIN - taken - 20.0);
    canvas.line(Role::Title, MARGIN, TITLE.map(|y| top + y), room, heading.title);
    canvas.keys(MARGIN, KEYS.map(|y| top + y), &heading.keys);
    shades(canvas, frame, &plot, above);
    grid(canvas, frame, &plot);
    canvas.bottom = plot.bottom() + 6.0;
    plot
}

fn shades(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, above: f64) {
    let bursts = frame.causes.iter().enumerate().flat_map(|(i, cause)| cause.bursts.iter().map(move |b| (i, *b)));
    for (cause, (first, last)) in bursts {
        let (left, right) = (frame.left_of(first), frame.left_of(last) + frame.second());
        let width = (right - left).max(2.0);
        let mut shade = PathData::default();
        shade.rect(left.min(RIGHT - width), plot.top - above, width, plot.height + above);
        canvas.shape(svg::path(&format!("s{cause}"), shade, &[], None));
    }
}

fn grid(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot) {
    let mut lines = PathData::default();
    for tick in plot.scale.ticks() {
        let y = plot.y(tick.value);
        lines.start(LEFT, y);
        lines.line(RIGHT, y);
        let density = Density::Wide;
        let label =
            Label { x: LEFT - 6.0, y: y + 4.0, anchor: Anchor::End, role: Role::Muted, density, text: tick.text };
        canvas.label_if_free(label);
    }
    canvas.shape(svg::path("g", lines, &[], None));
    // each where the axis below has a mark
    for density in DENSITIES {
        let mut lines = PathData::default();
        for tick in clock::ticks(frame.window, RIGHT - LEFT, density) {
            lines.start(frame.x(tick.second), plot.top);
            lines.line(frame.x(tick.second), plot.bottom());
        }
        canvas.shape_of(density, &svg::path("g", lines, &[], None));
    }
}

/// The marks of a plot on a narrow screen that have room beside it; over what is drawn none of them stands.
fn narrow_marks(canvas: &mut Canvas, plot: &Plot) {
    // the highest first: it says most
    marks_beside(plot).into_iter().rev().for_each(|label| canvas.label_if_free(label));
}

fn marks_beside(plot: &Plot) -> Vec<Label> {
    let density = Density::Narrow;
    let marks = plot.scale.ticks().into_iter().map(|tick| {
        // within the height of the plot: above and below it there are other texts
        let y = (plot.y(tick.value) + 8.0).clamp(plot.top + 19.0, plot.bottom());
        Label { x: LEFT - 6.0, y, anchor: Anchor::End, role: Role::Muted, density, text: tick.text }
    });
    marks.filter(|label| label.bounds().left >= 2.0).collect()
}

/// What stands right of a title on a narrow screen, where few marks have room or none: also from where to where a scale goes.
fn narrow_remark(remark: &str, plot: &Plot) -> String {
    let all_marked = marks_beside(plot).len() == plot.scale.ticks().len();
    let (low, high) = plot.scale.ends();
    let range = (plot.scale.is_log() || !all_marked).then(|| format!("{low}–{high}"));
    let parts = [Some(remark.to_owned()).filter(|remark| !remark.is_empty()), range];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The bars of each cause: of every bucket the second in which most requests failed, causes upon each other.
fn stacks(frame: &Frame<'_>, plot: &Plot) -> Vec<PathData> {
    let mut paths: Vec<PathData> = frame.causes.iter().map(|_| PathData::default()).collect();
    let bucket = frame.bucket();
    for (first, parts) in worst_seconds(frame.causes, bucket) {
        let left = frame.left_of(first.max(frame.window.start));
        let right = frame.left_of(first.saturating_add(bucket)).min(frame.sides.1);
        let width = (right - left).clamp(1.0, BAR);
        let left = (left + right - width) / 2.0;
        let mut below = 0.0;
        for (path, value) in paths.iter_mut().zip(parts).filter(|(_, value)| *value > 0.0) {
            let (bottom, top) = (plot.y(below), plot.y(below + value));
            path.rect(left, top, width, bottom - top);
            below += value;
        }
    }
    paths
}

/// For each bucket its first second and the failures by cause in its worst second.
fn worst_seconds(causes: &[Cause<'_>], bucket: i64) -> Vec<(i64, Vec<f64>)> {
    let mut by_second: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for (index, cause) in causes.iter().enumerate() {
        for point in &cause.points {
            let parts = by_second.entry(point.second).or_insert_with(|| vec![0.0; causes.len()]);
            parts.iter_mut().skip(index).take(1).for_each(|part| *part += point.value);
        }
    }
    let total = |parts: &[f64]| parts.iter().sum::<f64>();
    let mut worst: Vec<(i64, Vec<f64>)> = Vec::new();
    for (second, parts) in by_second {
        let first = second.div_euclid(bucket) * bucket;
        match worst.last_mut().filter(|(bucket, _)| *bucket == first) {
            Some((_, held)) if total(held) >= total(&parts) => {}
            Some((_, held)) => *held = parts,
            None => worst.push((first, parts)),
        }
    }
    worst
}

/// The number that stands above each burst of a cause, if it has one.
fn number_of(cause: &Cause<'_>) -> Option<u32> {
    let [population] = cause.populations.as_slice() else { return None };
    (!cause.bursts.is_empty()).then_some(population.id)
}

/// The number of each burst's population above it, as the row `Observed errors` has it.
fn numbers(canvas: &mut Canvas, frame: &Frame<'_>, top: f64) {
    for (density, baseline) in DENSITIES.into_iter().zip([21.0, 23.0]) {
        for cause in frame.causes {
            let Some(id) = number_of(cause) else { continue };
            for (first, last) in &cause.bursts {
                let middle = (frame.x(*first) + frame.x(*last)) / 2.0;
                let text = format!("({id})");
                let y = top + baseline;
                let mut label = Label { x: middle, y, anchor: Anchor::Middle, role: Role::Text, density, text };
                let half = label.width() / 2.0;
                label.x = middle.clamp(LEFT + half, RIGHT - half);
                canvas.label_if_free(label);
            }
        }
    }
}
