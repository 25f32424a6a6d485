//! Pictures against the data they are drawn from, for the bundled runs and, where they lie beside the repository, real ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;
use support::docs::{Scratch, expect};
use sweepdoc::ingest::source::Meter;
use sweepdoc::model::ChartRow;
use sweepdoc::pipeline::{Reduced, RunFiles, Settings, TargetFrom, reduce};
use sweepdoc::render::picture::latency;

mod support;

/// Left and right end of what is drawn over time, in units of the picture.
const SIDES: (f64, f64) = (56.0, 744.0);

fn reduced(folder: &Path) -> Option<Reduced> {
    let files = RunFiles::collect(&[folder.to_path_buf()]).ok()?;
    reduce(&files, &TargetFrom::Folder, &Settings::default(), &Meter::default()).ok()
}

fn run_folders() -> Vec<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let below = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.filter(|path| path.join("terminal.log").is_file()).collect::<Vec<_>>()
    };
    let mut folders = below(repository.join("fixtures/sweep"));
    assert_eq!(folders.len(), 4);
    folders.extend(below(repository.join("../shared/real-runs")));
    folders.sort();
    folders
}

/// The absolute points of a path of `M` and `l` commands.
fn points(d: &str) -> Vec<(f64, f64)> {
    let token = Regex::new(r"[Ml]|-?\d*\.?\d+").unwrap();
    let (mut points, mut numbers, mut relative) = (Vec::<(f64, f64)>::new(), Vec::new(), false);
    for token in token.find_iter(d).map(|found| found.as_str()) {
        match token {
            "M" | "l" => relative = token == "l",
            number => numbers.push(number.parse::<f64>().unwrap()),
        }
        if let [x, y] = numbers[..] {
            let from = points.last().copied().filter(|_| relative).unwrap_or_default();
            points.push((from.0 + x, from.1 + y));
            numbers.clear();
        }
    }
    points
}

#[test]
fn the_highest_and_lowest_point_of_every_line_is_the_second_the_data_says() {
    let mut lines = 0;
    for folder in run_folders() {
        let Some(run) = reduced(&folder) else { continue };
        let Some(svg) = latency(&run.evidence, &run.chart) else { continue };
        assert!(svg.len() < 150_000, "{}: {} bytes", folder.display(), svg.len());
        let Some(window) = run.evidence.window.map(|window| window.window()) else { continue };
        let second = (SIDES.1 - SIDES.0) / window.seconds() as f64;
        let mut by_metric: BTreeMap<&str, Vec<&ChartRow>> = BTreeMap::new();
        run.chart.iter().for_each(|row| by_metric.entry(&row.metric).or_default().push(row));
        for (metric, rows) in by_metric {
            for (quantile, value) in
                [("p50", (|r| r.p50) as fn(&ChartRow) -> f64), ("p95", |r| r.p95), ("p99", |r| r.p99)]
            {
                let marks = format!("data-metric=\"{metric}\" data-line=\"{quantile}\"");
                let elements = svg.lines().filter(|line| line.contains(&marks));
                let paths = elements.map(|line| line.split(" d=\"").nth(1).unwrap().split('"').next().unwrap());
                let drawn: Vec<(f64, f64)> = paths.flat_map(points).collect();
                let at = |(x, _): (f64, f64)| ((x - SIDES.0) / second - 0.5).round() as i64 + window.start;
                let of = |time: i64| rows.iter().find(|row| row.time.unix_seconds() == time).map(|row| value(row));
                let top = drawn.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                let bottom = drawn.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                let max = rows.iter().map(|row| value(row)).fold(f64::MIN, f64::max);
                let min = rows.iter().map(|row| value(row)).fold(f64::MAX, f64::min);
                // two seconds may differ by less than a tenth of a unit of height: 2 % of the value on a logarithmic scale, 0.3 %
                // of the highest on a linear one
                let highest = rows.iter().map(|row| row.p99).fold(f64::MIN, f64::max);
                let slack = |value: f64| value * 0.02 + highest * 0.003;
                let place = format!("{}: {metric} {quantile}", folder.display());
                assert!(of(at(top)).is_some_and(|v| v >= max - slack(max)), "{place}: {:?} for {max}", of(at(top)));
                assert!(
                    of(at(bottom)).is_some_and(|v| v <= min + slack(min)),
                    "{place}: {:?} for {min}",
                    of(at(bottom))
                );
                lines += 1;
            }
        }
    }
    assert!(lines >= 12, "{lines}");
}

/// Middle and height of each stack of bars.
fn stacks(svg: &str) -> Vec<(f64, f64)> {
    let bar = Regex::new(r"M([\d.]+) [\d.]+h([\d.]+)v([\d.]+)h").unwrap();
    let mut stacks: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for path in svg.lines().filter(|line| line.contains("data-population=")) {
        for found in bar.captures_iter(path) {
            let [left, width, height] = [1, 2, 3].map(|group| found[group].parse::<f64>().unwrap());
            let stack = stacks.entry(found[1].to_owned()).or_insert((left + width / 2.0, 0.0));
            stack.1 += height;
        }
    }
    stacks.into_values().collect()
}

#[test]
fn the_most_iterations_and_the_worst_second_are_where_the_evidence_says() {
    let (mut lines, mut faulty) = (0, 0);
    for folder in run_folders() {
        let Some(run) = reduced(&folder) else { continue };
        let Some(svg) = latency(&run.evidence, &run.chart) else { continue };
        let (Some(series), Some(window)) = (&run.evidence.series, run.evidence.window.map(|w| w.window())) else {
            continue;
        };
        let width = (SIDES.1 - SIDES.0) / window.seconds() as f64;
        let offset = |x: f64| ((x - SIDES.0) / width - 0.5).round() as i64;
        let paths = svg.lines().filter(|line| line.contains("data-line=\"iterations\""));
        let drawn = paths.flat_map(|line| points(line.split(" d=\"").nth(1).unwrap().split('"').next().unwrap()));
        if let Some(top) = drawn.min_by(|a, b| a.1.total_cmp(&b.1)) {
            let most = *series.iterations.iter().max().unwrap() as f64;
            let there = series.iterations.get(offset(top.0) as usize).copied();
            let place = folder.display();
            assert!(there.is_some_and(|n| n as f64 >= most * 0.997), "{place}: {there:?} for {most}");
            lines += 1;
        }
        let mut failed: BTreeMap<i64, u64> = BTreeMap::new();
        series.failed.values().flatten().for_each(|(second, n)| *failed.entry(*second).or_default() += n);
        failed.retain(|second, _| (0..window.seconds() as i64).contains(second));
        let worst = failed.values().copied().max().unwrap_or_default() as f64;
        let tallest = stacks(&svg).into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        assert_eq!(tallest.is_some(), worst > 0.0, "{}", folder.display());
        if let Some((middle, _)) = tallest {
            let bucket = (window.seconds() as i64 + 228) / 229;
            let near = offset(middle) - bucket..=offset(middle) + bucket;
            let there = failed.range(near).map(|(_, n)| *n).max().unwrap_or_default();
            assert!(there as f64 >= worst * 0.99, "{}: {there} for {worst}", folder.display());
            faulty += 1;
        }
    }
    assert!(lines >= 4 && faulty >= 3, "{lines} {faulty}");
}

#[test]
fn the_picture_of_the_readme_is_what_the_tool_draws() {
    let scratch = Scratch::new();
    scratch.sweepdoc("publish fixtures/sweep --out docs --quiet");
    expect("docs/browse_catalog.svg", &scratch.read("docs/v1.4.0/browse_catalog/latency.svg"));
    assert!(support::docs::document("README.md").contains("(docs/browse_catalog.svg)"));
}

#[test]
fn a_picture_stands_on_the_page_when_it_is_asked_for() {
    let scratch = Scratch::new();
    let project = |pages: &str| {
        let text = format!("product = \"Shop\"\nversion = \"v1\"\n[pages]\n{pages}\n");
        std::fs::write(scratch.path("my-sweep/sweepdoc.toml"), text).unwrap();
        let output = scratch.shell("rm -rf out && sweepdoc publish my-sweep --target search --out out");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    };
    let image = "![Latencies over time](./latency.svg)";
    project("");
    assert!(!scratch.read("out/v1/search/index.mdx").contains("latency.svg"));
    assert!(scratch.read("out/v1/search/latency.svg").starts_with("<svg"));
    project("picture = true");
    assert!(
        scratch
            .read("out/v1/search/index.mdx")
            .contains(&format!("<BenchmarkChart testResults={{OutputSource}} />\n\n{image}\n"))
    );
    for asked in ["", "picture = true"] {
        project(&format!("path = \"{{target}}/index.md\"\n{asked}"));
        assert_eq!(
            scratch.read("out/search/index.md").matches(image).count(),
            1,
            "a Markdown page has it once: {asked}"
        );
    }
    std::fs::write(scratch.path("my-sweep/_t.mdx"), "# {{ words }}\n\n{{ picture }}\n").unwrap();
    project("template = \"_t.mdx\"");
    assert!(scratch.read("out/v1/search/index.mdx").ends_with(&format!("# search\n\n{image}\n")));
    std::fs::write(scratch.path("my-sweep/_t.mdx"), "| Metric | Value |\n|---|---|\n| VUs | |\n").unwrap();
    assert!(project("template = \"_t.mdx\"\npicture = true").contains("rows nobody could fill: picture"));
}

#[test]
fn the_picture_of_a_sweep_is_drawn_when_the_whole_sweep_is_published() {
    let scratch = Scratch::new();
    let text = "product = \"Shop\"\nversion = \"v1\"\n[pages]\nsweep_picture = \"{version}/all.svg\"\n";
    std::fs::write(scratch.path("my-sweep/sweepdoc.toml"), text).unwrap();
    scratch.sweepdoc("publish my-sweep --target search --out out --quiet");
    assert!(!scratch.path("out/v1/all.svg").exists());
    scratch.sweepdoc("publish my-sweep --out out --quiet");
    let svg = scratch.read("out/v1/all.svg");
    for target in ["browse_catalog", "place_order", "search", "sign_in"] {
        assert!(svg.contains(&format!(">{target}</text>")), "{target}");
    }
    scratch.sweepdoc("publish my-sweep --out out --check --quiet");
    std::fs::write(scratch.path("my-sweep/sweepdoc.toml"), text.replace("{version}/all", "{target}")).unwrap();
    let refused = scratch.shell("sweepdoc publish my-sweep --out out");
    assert!(
        String::from_utf8_lossy(&refused.stderr)
            .contains("sweepdoc.toml:4: `sweep_picture` in `[pages]`: expected one file")
    );
}

#[test]
fn a_picture_of_an_earlier_run_does_not_stay_beside_the_page() {
    let scratch = Scratch::new();
    scratch.sweepdoc("publish fixtures/sweep --out docs --quiet");
    let picture = scratch.path("docs/v1.4.0/sign_in/latency.svg");
    let drawn = std::fs::read_to_string(&picture).unwrap();
    // a log alone has nothing that could be drawn over time
    std::fs::remove_file(scratch.path("fixtures/sweep/sign_in/k6.csv.gz")).unwrap();
    let check = scratch.shell("sweepdoc publish fixtures/sweep --target sign_in --out docs --check");
    assert_eq!((check.status.code(), picture.exists()), (Some(1), true));
    let output = scratch.shell("sweepdoc publish fixtures/sweep --target sign_in --out docs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success()
            && said.contains("of an earlier run, and nothing can be drawn of this one: publishing removes it"),
        "{said}"
    );
    assert!(!picture.exists());
    // what the program did not draw is not its to remove, and what the page shows stays
    std::fs::write(&picture, drawn.replace("Latencies of", "A drawing of")).unwrap();
    scratch.sweepdoc("publish fixtures/sweep --target sign_in --out docs --quiet");
    assert!(picture.exists());
    std::fs::write(&picture, drawn).unwrap();
    let page = scratch.path("docs/v1.4.0/sign_in/index.mdx");
    let shows = std::fs::read_to_string(&page).unwrap() + "\n![Over time](./latency.svg)\n";
    std::fs::write(&page, shows).unwrap();
    let output = scratch.shell("sweepdoc publish fixtures/sweep --target sign_in --out docs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the page shows it and it stays") && picture.exists());
}
