//! `{product} metrics during test`: CPU, memory, instances, and latencies as the server sees them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::figure::{Figure, Form, StatedFigure, compiled, side};
use crate::model::{Observability, QuantityFigures};
use crate::notation::count;

/// Every figure of the row.
pub(super) static FIGURES: [Figure; 12] = [
    Figure {
        claim: "median CPU of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU: p50 (?P<side>over |under )?(?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("container_cpu_p50"),
    },
    Figure {
        claim: "99th percentile of the containers' CPU",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU:[^\n]*?\bp99 (?:over |under )?(?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("container_cpu_p99"),
    },
    Figure {
        claim: "highest CPU of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU:[^\n]*?\bpeak (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| peak(data, "container_cpu_p99"),
    },
    Figure {
        claim: "median memory of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bMemory: p50 (?:over |under )?(?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("container_memory_p50"),
    },
    Figure {
        claim: "highest memory of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bMemory:[^\n]*?\bpeak (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| peak(data, "container_memory_p99"),
    },
    Figure {
        claim: "instances",
        pattern: LazyLock::new(|| compiled(r"(?i)\bInstances: (?P<value>[\d.,]+)")),
        form: Form::Level,
        data: |data| data.quantity("container_instances")?.median,
    },
    Figure {
        claim: "fewest instances",
        pattern: LazyLock::new(|| compiled(r"(?i)\bInstances: [\d.,]+ median \((?:at least )?(?P<value>[\d.,]+)[–-]")),
        form: Form::Level,
        data: |data| data.quantity("container_instances")?.min,
    },
    Figure {
        claim: "most instances",
        pattern: LazyLock::new(|| {
            compiled(r"(?i)\bInstances: [\d.,]+ median \((?:at least )?(?:[\d.,]+[–-])?(?P<value>[\d.,]+)\)")
        }),
        form: Form::Level,
        data: |data| data.quantity("container_instances")?.max,
    },
    Figure {
        claim: "requests a second as the server counts them",
        pattern: LazyLock::new(|| compiled(r"(?i)\bServer-side: (?P<value>[\d.,]+) req/s")),
        form: Form::Rate,
        data: |data| data.quantity("server_requests")?.median,
    },
    Figure {
        claim: "server-side median latency",
        pattern: LazyLock::new(|| {
            compiled(r"(?i)\bServer-side:[^\n]*?\bp50 (?:over |under )?(?P<value>[\d.]+\s?[a-zµμ]+)")
        }),
        form: Form::Latency,
        data: |data| data.central("server_latency_p50"),
    },
    Figure {
        claim: "server-side 95th percentile of the latency",
        pattern: LazyLock::new(|| {
            compiled(r"(?i)\bServer-side:[^\n]*?\bp95 (?:over |under )?(?P<value>[\d.]+\s?[a-zµμ]+)")
        }),
        form: Form::Latency,
        data: |data| data.central("server_latency_p95"),
    },
    Figure {
        claim: "server-side 99th percentile of the latency",
        pattern: LazyLock::new(|| {
            compiled(r"(?i)\bServer-side:[^\n]*?\bp99 (?:over |under )?(?P<value>[\d.]+\s?[a-zµμ]+)")
        }),
        form: Form::Latency,
        data: |data| data.central("server_latency_p99"),
    },
];

static CONSTANT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bInstances: [\d.,]+ \((constant)\)").expect("a constant"));
static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bInstances: [\d.,]+ median \((?P<range>(?P<least>at least )?[\d.,]+(?:[–-][\d.,]+)?)\)")
        .expect("a constant")
});
static STARTUPS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?P<stated>(?P<least>at least )?(?P<value>[\d,]*\d) container startups?)\b").expect("a constant")
});
static NO_STARTUPS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bno container startups?(?: recorded)?").expect("a constant"));

/// The row's lines; empty when nothing of it is known.
pub(super) fn lines(data: &Observability) -> Vec<String> {
    [load(data, "CPU", "container_cpu"), memory(data), instances(data), server(data)].into_iter().flatten().collect()
}

fn load(data: &Observability, name: &str, measure: &str) -> Option<String> {
    let p50 = share(data, &format!("{measure}_p50")).map(|p50| format!("p50 {p50}"));
    let high = format!("{measure}_p99");
    let p99 = share(data, &high).map(|p99| {
        let peak = peak(data, &high).map(|peak| format!(" (peak {})", Form::Share.write(peak)));
        format!("p99 {p99}{}", peak.unwrap_or_default())
    });
    joined(name, [p50, p99])
}

fn memory(data: &Observability) -> Option<String> {
    let p50 = share(data, "container_memory_p50").map(|p50| format!("p50 {p50}"));
    let peak = peak(data, "container_memory_p99").map(|peak| format!("peak {}", Form::Share.write(peak)));
    joined("Memory", [p50, peak])
}

fn share(data: &Observability, name: &str) -> Option<String> {
    let share = Form::Share.write(data.central(name)?);
    Some(format!("{}{share}", side(data, name)))
}

/// The highest value of a period.
fn peak(data: &Observability, name: &str) -> Option<f64> {
    data.quantity(name)?.max
}

fn joined<const N: usize>(name: &str, parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
}

fn instances(data: &Observability) -> Option<String> {
    let instances = data.quantity("container_instances").and_then(|figures| {
        let (median, range) = (Form::Level.write(figures.median?), range(figures)?);
        let constant = figures.is_whole() && figures.min == figures.max;
        Some(if constant { format!("{median} (constant)") } else { format!("{median} median ({range})") })
    });
    joined("Instances", [instances, startups(data).map(Startups::words)])
}

/// From the fewest to the most instances. Where parts of the window are missing there may have been fewer or more.
fn range(figures: &QuantityFigures) -> Option<String> {
    let (min, max) = (figures.min?, figures.max?);
    let level = |value: f64| Form::Level.write(value);
    let range = if min == max { level(max) } else { format!("{}–{}", level(min), level(max)) };
    Some(if figures.is_whole() { range } else { format!("at least {range}") })
}

/// Container starts within the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Startups {
    n: u64,
    /// False when parts of the window are missing, or something tells of more: there were at least so many.
    all: bool,
}

impl Startups {
    fn words(self) -> String {
        let starts = if self.n == 1 { "startup" } else { "startups" };
        match (self.n, self.all) {
            (0, _) => "no container startups recorded".to_owned(),
            (n, true) => format!("{} container {starts}", count::write(n)),
            (n, false) => format!("at least {} container {starts}", count::write(n)),
        }
    }
}

/// Container starts as far as they are known. None can only be said when the whole of the window was looked at: a period across
/// its edge may hold a start of the test's first seconds, and an exported log may have more of them.
fn startups(data: &Observability) -> Option<Startups> {
    let figures = data.quantity("container_startups")?;
    let total = figures.total?;
    let none_at_edges = figures.total_with_edges.is_none_or(|with_edges| with_edges <= total);
    let n = total as u64;
    let none_logged = data.log.as_ref().is_none_or(|log| log.startups <= n);
    let startups = Startups { n, all: figures.is_whole() && none_at_edges && none_logged };
    (startups.n > 0 || startups.all).then_some(startups)
}

fn server(data: &Observability) -> Option<String> {
    let rate = data.quantity("server_requests").and_then(|figures| figures.median);
    let rate = rate.map(|rate| format!("{} req/s", Form::Rate.write(rate)));
    let latency = ["p50", "p95", "p99"].into_iter().filter_map(|percentile| {
        let name = format!("server_latency_{percentile}");
        let value = Form::Latency.write(data.central(&name)?);
        Some(format!("{percentile} {}{value}", side(data, &name)))
    });
    let latency: Vec<String> = latency.collect();
    let latency = (!latency.is_empty()).then(|| format!("latency {}", latency.join(" / ")));
    joined("Server-side", [rate, latency])
}

/// What the row says in words.
pub(super) fn stated_words(text: &str, data: &Observability) -> Vec<StatedFigure> {
    let instances = data.quantity("container_instances");
    let mut stated = Vec::new();
    if let Some(constant) = CONSTANT.captures(text).and_then(|found| found.get(1)) {
        // what stayed the same as long as it was looked at may have changed in between
        let differs = |figures: &&QuantityFigures| figures.is_whole() || figures.min != figures.max;
        let words = instances.filter(differs).and_then(range);
        let same = instances.is_some_and(|figures| figures.min == figures.max);
        stated.push(StatedFigure::of_words("a constant number of instances", constant, words, same));
    }
    if let Some(found) = RANGE.captures(text)
        && let Some(words) = found.name("range")
    {
        let at_least = found.name("least").is_some();
        // the numbers are claims of their own
        let same = instances.is_some_and(|figures| figures.is_whole() != at_least);
        stated.push(StatedFigure::of_words("range of instances", words, instances.and_then(range), same));
    }
    if let Some(found) = STARTUPS.captures(text) {
        stated.extend(stated_startups(&found, data));
    }
    if let Some(none) = NO_STARTUPS.find(text) {
        let starts = startups(data);
        let words = starts.map(Startups::words);
        let same = starts.is_some_and(|starts| starts.n == 0);
        stated.push(StatedFigure::of_words("no container startups", none, words, same));
    }
    stated
}

/// A number of starts. One that is not known whole is wrong where it is too small, and else cannot be proved.
fn stated_startups(found: &Captures<'_>, data: &Observability) -> Option<StatedFigure> {
    let words = found.name("stated")?;
    let (number, at_least) = (count::read(found.name("value")?.as_str())?, found.name("least").is_some());
    let known = startups(data);
    let same = known.is_some_and(|known| known.n == number && known.all != at_least);
    let unprovable = |known: &Startups| !known.all && !at_least && number >= known.n;
    let said = known.filter(|known| !unprovable(known)).map(Startups::words);
    Some(StatedFigure::of_words("container startups", words, said, same))
}
