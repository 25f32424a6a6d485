//! CPU of database and containers, underneath the latencies.

use super::canvas::{Canvas, Key};
use super::panel::{self, Frame, Heading, Plot};
use super::scale::Scale;
use super::svg::{self, PathData};
use crate::model::{Evidence, QuantityFigures, QuantitySeries, Time};
use crate::notation::{number, time, utilisation};

/// Height of the plot.
const HEIGHT: f64 = 84.0;
/// The database's figures: their name in the evidence, what the line is called, what its one figure is called, its class.
const DATABASE: &[Names] = &[("database_cpu", "database", "database median", "u0")];
/// The containers', the busiest of them first: a mean hides the one that holds up the rest.
const CONTAINERS: &[Names] = &[
    ("container_cpu_p99", "containers p99", "containers p99", "u1"),
    ("container_cpu_p95", "containers p95", "containers p95", "u1"),
    ("container_cpu", "containers", "containers median", "u1"),
    ("container_cpu_p50", "containers p50", "containers p50", "u1"),
];
type Names = (&'static str, &'static str, &'static str, &'static str);

/// CPU of one part of the system over time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cpu<'a> {
    measure: &'static str,
    name: &'static str,
    central_name: &'static str,
    /// The one figure that stands for it; `None` where the values speak for a part of the window only.
    central: Option<f64>,
    class: &'static str,
    figures: &'a QuantityFigures,
    series: &'a QuantitySeries,
}

/// What is known of database and containers; empty where no export has it.
pub(super) fn known(evidence: &Evidence) -> Vec<Cpu<'_>> {
    let Some(data) = &evidence.observability else { return Vec::new() };
    let first = |of: &[Names]| {
        of.iter().find_map(|&(measure, name, central_name, class)| {
            let figures = data.quantities.get(measure)?;
            let series = figures.series.as_ref().filter(|series| series.step_seconds > 0.0)?;
            Some(Cpu { measure, name, central_name, central: data.central(measure), class, figures, series })
        })
    };
    [DATABASE, CONTAINERS].into_iter().filter_map(first).collect()
}

/// A panel from nothing to all of it, and beyond where a database used more than it has.
pub(super) fn panel(canvas: &mut Canvas, frame: &Frame<'_>, all: &[Cpu<'_>]) {
    if all.is_empty() {
        return;
    }
    let keys = all.iter().map(|cpu| (Some(Key::Line(cpu.class)), cpu.figure())).collect();
    let steps = steps(all, frame.buckets);
    let remark = [steps.clone(), steps];
    let heading = Heading { title: "CPU in use", remark, keys };
    panel::framed(canvas, frame, &heading, HEIGHT, scale(all), |canvas, plot| draw(canvas, frame, plot, all));
}

/// The scale that all of them share.
pub(super) fn scale(all: &[Cpu<'_>]) -> Scale {
    Scale::share(all.iter().flat_map(|cpu| &cpu.series.highest).flatten().copied().fold(0.0, f64::max))
}

/// The lines alone, the database's on top.
pub(super) fn draw(canvas: &mut Canvas, frame: &Frame<'_>, plot: &Plot, all: &[Cpu<'_>]) {
    for cpu in all.iter().rev() {
        let attributes = [("data-line", cpu.measure.to_owned())];
        canvas.shape(svg::path(cpu.class, cpu.path(frame, plot), &attributes, Some(&cpu.peak())));
    }
}

/// The highest value of all, `max 74%`; `not known` without any.
pub(super) fn peak(all: &[Cpu<'_>]) -> String {
    match all.iter().filter_map(|cpu| cpu.figures.max).max_by(f64::total_cmp) {
        Some(peak) => format!("max {}", utilisation::write(peak)),
        None => "not known".to_owned(),
    }
}

/// The names of the lines with their marks, each once.
pub(super) fn keys(all: &[Cpu<'_>]) -> Vec<(Option<Key>, String)> {
    let mut names: Vec<(&'static str, &'static str)> = all.iter().map(|cpu| (cpu.class, cpu.name)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|(class, name)| (Some(Key::Line(class)), name.to_owned())).collect()
}

/// How long what is drawn stands for where there is room for `most` steps, `one value for every 60 s`.
fn steps(all: &[Cpu<'_>], most: u64) -> String {
    let lengths = || all.iter().map(|cpu| cpu.series.step_seconds * cpu.together(most) as f64);
    let (shortest, longest) = (lengths().fold(f64::INFINITY, f64::min), lengths().fold(0.0, f64::max));
    let seconds = match shortest == longest {
        true => number::write(longest),
        false => format!("{} to {}", number::write(shortest), number::write(longest)),
    };
    match all.iter().any(|cpu| !cpu.series.lowest.is_empty() || cpu.together(most) > 1) {
        true => format!("lowest and highest of every {seconds} s"),
        false => format!("one value for every {seconds} s"),
    }
}

impl Cpu<'_> {
    /// `database median 63%`, the figure its row on the page states; the name alone where that states none.
    fn figure(&self) -> String {
        match self.central {
            Some(value) => format!("{} {}", self.central_name, utilisation::write(value)),
            None => self.name.to_owned(),
        }
    }

    /// For those who do not see the line: `CPU: database median 63%; database: highest 91% from 17:01:14 UTC`.
    pub(super) fn sentence(&self) -> String {
        format!("CPU: {}; {}", self.figure(), self.peak())
    }

    /// Which step has the highest value.
    fn peak(&self) -> String {
        let values = self.series.highest.iter().enumerate().filter_map(|(step, value)| Some((step, (*value)?)));
        let Some((step, value)) = values.max_by(|a, b| a.1.total_cmp(&b.1)) else { return self.name.to_owned() };
        let nanos = (step as f64 * self.series.step_seconds * 1e9) as i64;
        let at = Time::from_unix_nanos(self.series.start.unix_nanos().saturating_add(nanos));
        format!("{}: highest {} from {} UTC", self.name, utilisation::write(value), time::clock(at))
    }

    /// A value is drawn as long as it stands for; what has none is a gap. Where steps have two, one line follows the highest
    /// and one the lowest; they have also where several of them share the room of one.
    fn path(&self, frame: &Frame<'_>, plot: &Plot) -> PathData {
        let mut path = PathData::default();
        let start = self.series.start.unix_nanos() as f64 / 1e9;
        let (together, lines) = self.few(frame.buckets);
        let at = |step: usize| frame.x_of(start + (step * together) as f64 * self.series.step_seconds);
        for values in lines {
            let mut before = None;
            for (step, value) in values.iter().enumerate() {
                if let Some(value) = *value {
                    let y = plot.y(value);
                    match before {
                        None => path.start(at(step), y),
                        Some(before) if before == value => {}
                        Some(_) => path.line(at(step), y),
                    }
                    path.line(at(step + 1), y);
                }
                before = *value;
            }
        }
        path
    }

    /// How many of the evidence's steps share one where there is room for `most`.
    fn together(&self, most: u64) -> usize {
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
        self.series.highest.len().div_ceil(most).max(1)
    }

    /// Highest and lowest values in at most `most` steps, and how many of the evidence's steps each holds.
    fn few(&self, most: u64) -> (usize, [Vec<Option<f64>>; 2]) {
        let QuantitySeries { highest, lowest, .. } = self.series;
        let together = self.together(most);
        if together == 1 {
            return (1, [highest.clone(), lowest.clone()]);
        }
        let lowest = if lowest.is_empty() { highest } else { lowest };
        let of = |values: &[Option<f64>], better: fn(f64, f64) -> f64| {
            values.chunks(together).map(|step| step.iter().flatten().copied().reduce(better)).collect()
        };
        (together, [of(highest, f64::max), of(lowest, f64::min)])
    }
}
