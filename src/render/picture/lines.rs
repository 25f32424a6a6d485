//! Lines over time: every second where there is room for it, else a band from lowest to highest with the median on it.

use super::canvas::Canvas;
use super::downsample::{Bucket, Point, buckets};
use super::panel::{Frame, Plot};
use super::svg::{self, PathData};

/// One line over time.
pub(super) struct Line<'a> {
    pub class: &'static str,
    pub points: &'a [Point],
    /// Attributes that say what it is of.
    pub attributes: Vec<(&'static str, String)>,
    pub title: String,
}

/// Draws lines, the first on top; their bands lie below all of them.
///
/// A line through the lowest and the highest second of each bucket would go up and down at every step and cover whatever lies
/// between.
pub(super) fn draw(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, lines: &[Line<'_>]) {
    let runs: Vec<(&Line<'_>, Vec<Vec<Bucket>>)> =
        lines.iter().rev().map(|line| (line, buckets(line.points, frame.bucket()))).collect();
    let is_every_second = frame.bucket() == 1;
    if !is_every_second {
        runs.iter().for_each(|(line, runs)| canvas.shape(band(frame, plot, line, runs)));
    }
    for (line, runs) in &runs {
        middle(frame, plot, line, runs, is_every_second).into_iter().for_each(|path| canvas.shape(path));
    }
}

/// From the lowest second of each bucket to its highest, each where it was.
fn band(frame: &Frame<'_>, plot: &Plot, line: &Line<'_>, runs: &[Vec<Bucket>]) -> String {
    let mut data = PathData::default();
    for run in runs {
        let edge = run.iter().map(|bucket| bucket.highest).chain(run.iter().rev().map(|bucket| bucket.lowest));
        outline(&mut data, edge.map(|point| at(frame, plot, point)));
        data.close();
    }
    svg::path(&format!("{} a", line.class), data, &line.attributes, Some(&line.title))
}

/// The runs of a line, and as dots the buckets that stand alone. Only a line of every second says of itself what it is of.
fn middle(frame: &Frame<'_>, plot: &Plot, line: &Line<'_>, runs: &[Vec<Bucket>], is_every_second: bool) -> [String; 2] {
    let (mut joined, mut lone) = (PathData::default(), PathData::default());
    for run in runs {
        let mut points = run.iter().map(|bucket| (frame.x_of(bucket.middle()), plot.y(bucket.median)));
        match run.as_slice() {
            // a line of no length shows as a dot: its ends are round
            [_] => outline(&mut lone, points.next().into_iter().flat_map(|point| [point; 2])),
            _ => outline(&mut joined, points),
        }
    }
    let attributes = if is_every_second { line.attributes.as_slice() } else { &[] };
    let path = |class: &str, data| svg::path(class, data, attributes, Some(&line.title));
    [path(line.class, joined), path(&format!("{} d", line.class), lone)]
}

fn at(frame: &Frame<'_>, plot: &Plot, point: Point) -> (f64, f64) {
    (frame.x(point.second), plot.y(point.value))
}

fn outline(data: &mut PathData, mut points: impl Iterator<Item = (f64, f64)>) {
    let Some((x, y)) = points.next() else { return };
    data.start(x, y);
    points.for_each(|(x, y)| data.line(x, y));
}
