//! `{product} metrics during test`: CPU, memory, instances, and latencies as the server sees them.

use std::sync::LazyLock;

use regex::Regex;

use super::figure::{Figure, Form, StatedFigure, compiled, side};
use crate::model::Observability;

/// Every figure of the row.
pub(super) static FIGURES: [Figure; 13] = [
    Figure {
        claim: "median CPU of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU: p50 (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("container_cpu_p50"),
    },
    Figure {
        claim: "99th percentile of the containers' CPU",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU:[^\n]*?\bp99 (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("container_cpu_p99"),
    },
    Figure {
        claim: "highest CPU of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bCPU:[^\n]*?\bpeak (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.quantity("container_cpu_p99")?.max,
    },
    Figure {
        claim: "median memory of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bMemory: p50 (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.central("container_memory_p50"),
    },
    Figure {
        claim: "highest memory of the containers",
        pattern: LazyLock::new(|| compiled(r"(?i)\bMemory:[^\n]*?\bpeak (?P<value><?[\d.]+\s?%)")),
        form: Form::Share,
        data: |data| data.quantity("container_memory_p99")?.max,
    },
    Figure {
        claim: "instances",
        pattern: LazyLock::new(|| compiled(r"(?i)\bInstances: (?P<value>[\d.,]+)")),
        form: Form::Level,
        data: |data| data.quantity("container_instances")?.median,
    },
    Figure {
        claim: "fewest instances",
        pattern: LazyLock::new(|| compiled(r"(?i)\bInstances: [\d.,]+ median \((?P<value>[\d.,]+)[–-]")),
        form: Form::Level,
        data: |data| data.quantity("container_instances")?.min,
    },
    Figure {
        claim: "most instances",
        pattern: LazyLock::new(|| compiled(r"(?i)\bInstances: [\d.,]+ median \([\d.,]+[–-](?P<value>[\d.,]+)\)")),
        form: Form::Level,
        data: |data| data.quantity("container_instances")?.max,
    },
    Figure {
        claim: "container startups",
        pattern: LazyLock::new(|| compiled(r"(?i)(?P<value>[\d,]+) container startups?\b")),
        form: Form::Whole,
        data: |data| data.quantity("container_startups")?.total,
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
static NO_STARTUPS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bno container startups?(?: recorded)?").expect("a constant"));

/// The row's lines; empty when nothing of it is known.
pub(super) fn lines(data: &Observability) -> Vec<String> {
    [load(data, "CPU", "container_cpu"), memory(data), instances(data), server(data)].into_iter().flatten().collect()
}

fn load(data: &Observability, name: &str, measure: &str) -> Option<String> {
    let share = |value: Option<f64>| value.map(|value| Form::Share.write(value));
    let p50 = share(data.central(&format!("{measure}_p50"))).map(|p50| format!("p50 {p50}"));
    let p99 = share(data.central(&format!("{measure}_p99"))).map(|p99| {
        let peak = share(data.quantity(&format!("{measure}_p99")).and_then(|figures| figures.max));
        format!("p99 {p99}{}", peak.map(|peak| format!(" (peak {peak})")).unwrap_or_default())
    });
    joined(name, [p50, p99])
}

fn memory(data: &Observability) -> Option<String> {
    let p50 = data.central("container_memory_p50").map(|p50| format!("p50 {}", Form::Share.write(p50)));
    let peak = data.quantity("container_memory_p99").and_then(|figures| figures.max);
    let peak = peak.map(|peak| format!("peak {}", Form::Share.write(peak)));
    joined("Memory", [p50, peak])
}

fn joined<const N: usize>(name: &str, parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
}

fn instances(data: &Observability) -> Option<String> {
    let instances = data.quantity("container_instances").and_then(|figures| {
        let (median, min, max) = (figures.median?, figures.min?, figures.max?);
        let level = |value: f64| Form::Level.write(value);
        Some(match min == max {
            true => format!("{} (constant)", level(median)),
            false => format!("{} median ({}–{})", level(median), level(min), level(max)),
        })
    });
    let startups = startups(data).map(|starts| match starts {
        0 => "no container startups recorded".to_owned(),
        1 => "1 container startup".to_owned(),
        n => format!("{} container startups", Form::Whole.write(n as f64)),
    });
    joined("Instances", [instances, startups])
}

/// Container starts within the window. None can only be said when the whole of it was looked at.
fn startups(data: &Observability) -> Option<u64> {
    let figures = data.quantity("container_startups")?;
    let total = figures.total? as u64;
    let whole = !figures.incomplete && figures.missing == 0 && figures.non_finite == 0;
    (total > 0 || whole).then_some(total)
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
    let mut stated = Vec::new();
    if let Some(constant) = CONSTANT.captures(text).and_then(|found| found.get(1)) {
        let range = data.quantity("container_instances").and_then(|figures| figures.min.zip(figures.max));
        let level = |(min, max): (f64, f64)| format!("{} to {}", Form::Level.write(min), Form::Level.write(max));
        let words = range.map(level);
        let same = range.is_some_and(|(min, max)| min == max);
        stated.push(StatedFigure::of_words("a constant number of instances", constant, words, same));
    }
    if let Some(none) = NO_STARTUPS.find(text) {
        let starts = startups(data);
        let words = starts.map(|starts| starts.to_string());
        stated.push(StatedFigure::of_words("no container startups", none, words, starts == Some(0)));
    }
    stated
}
