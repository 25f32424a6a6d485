//! CPU underneath the latencies.

use super::*;
use crate::model::{Alignment, Observability, QuantityFigures, QuantitySeries, Unit};

/// The same with CPU by the minute: of the database noisy with one minute missing, of the containers steady.
pub(super) fn measured(evidence: Evidence) -> Evidence {
    let database: Vec<Option<f64>> = (0..30).map(|i| (i != 9).then(|| 0.3 + 0.02 * f64::from(i * 7 % 13))).collect();
    let quantities = BTreeMap::from([
        ("database_cpu".to_owned(), cpu(60.0, database, Vec::new())),
        ("container_cpu_p99".to_owned(), cpu(60.0, vec![Some(0.98); 30], Vec::new())),
        // of the containers only the busiest is drawn
        ("container_cpu_p50".to_owned(), cpu(60.0, vec![Some(0.11); 30], Vec::new())),
    ]);
    Evidence { observability: Some(Observability { quantities, ..Observability::default() }), ..evidence }
}

/// The same with 180 steps of ten seconds, the most that are kept, each with its highest and its lowest value.
pub(super) fn by_the_ten_seconds(evidence: Evidence) -> Evidence {
    let noisy =
        |from: f64| -> Vec<Option<f64>> { (0..180).map(|i| Some(from + 0.002 * f64::from(i * 37 % 101))).collect() };
    let quantities =
        ["database_cpu", "container_cpu_p99"].map(|name| (name.to_owned(), cpu(10.0, noisy(0.4), noisy(0.1))));
    let observability = Observability { quantities: BTreeMap::from(quantities), ..Observability::default() };
    Evidence { observability: Some(observability), ..evidence }
}

#[test]
fn steps_that_share_the_room_of_one_keep_their_extremes() {
    let runs: Vec<Evidence> = (0..40).map(|_| by_the_ten_seconds(run(1800))).collect();
    let runs: Vec<SweepRun<'_>> = runs.iter().map(|evidence| SweepRun { evidence, chart: &[] }).collect();
    let svg = sweep("x", &runs).unwrap();
    let row = svg.lines().find(|l| l.contains("data-line=\"database_cpu\"")).unwrap();
    let points = pieces(&attribute(row, "d")).concat();
    let height = |value: f64| 84.0 + 84.0 + 60.0 * (1.0 - value);
    let (top, bottom) = points.iter().fold((f64::MAX, 0.0_f64), |(t, b), p| (t.min(p.1), b.max(p.1)));
    // from 0.1 to 0.4 and 100 steps of 0.002 above it
    assert!((top - height(0.6)).abs() < 0.11 && (bottom - height(0.1)).abs() < 0.11, "{top} {bottom}");
    assert!(points.len() <= 4 * 30, "{}", points.len());
}

/// Figures of values from the window's begin on.
fn cpu(step_seconds: f64, highest: Vec<Option<f64>>, lowest: Vec<Option<f64>>) -> QuantityFigures {
    let known = || highest.iter().flatten().copied();
    QuantityFigures {
        unit: Unit::Fraction,
        n: known().count() as u64,
        median: Some(0.42),
        mean: None,
        min: None,
        max: Some(known().fold(0.0, f64::max)),
        last: None,
        total: None,
        total_with_edges: None,
        overall: None,
        period_seconds: step_seconds,
        period_assumed: false,
        coverage: 1.0,
        left_out: 0,
        non_finite: 0,
        missing: 0,
        incomplete: false,
        alignment: Alignment::Level,
        series: Some(QuantitySeries { start: at(0), step_seconds, highest, lowest }),
        source: "gcp/cpu.json".to_owned(),
    }
}

/// The line of a measure of the CPU.
fn cpu_line(svg: &str, measure: &str) -> Vec<Vec<(f64, f64)>> {
    let of = format!("data-line=\"{measure}\"");
    svg.lines().filter(|l| l.contains(&of)).flat_map(|path| pieces(&attribute(path, "d"))).collect()
}

#[test]
fn cpu_is_drawn_against_all_of_it_for_as_long_as_each_value_stands() {
    let svg = latency(&measured(run(1800)), &[]).unwrap();
    assert_well_formed(&svg);
    // 84 units from 0 to 100 %, the containers' steady 98 % a single stroke over the window
    let containers = cpu_line(&svg, "container_cpu_p99").concat();
    let top = containers[0].1 - 0.02 * 84.0;
    assert!(containers.iter().all(|p| p.1 == containers[0].1), "{containers:?}");
    assert!((containers[0].0 - 56.0).abs() < 1e-6 && (containers.last().unwrap().0 - 744.0).abs() < 1e-6);
    let database = cpu_line(&svg, "database_cpu");
    let ends: Vec<(f64, f64)> = database.iter().map(|piece| (piece[0].0, piece.last().unwrap().0)).collect();
    let minute = (744.0 - 56.0) / 30.0;
    let gap = (56.0 + 9.0 * minute, 56.0 + 10.0 * minute);
    assert!((ends[0].1 - gap.0).abs() < 0.11 && (ends[1].0 - gap.1).abs() < 0.11, "{ends:?}");
    assert_eq!(ends.len(), 2);
    // lowest 30 % in the first minute; highest 54 % in those where 7i leaves 12 of 13: 11 and 24
    let height = |value: f64| top + 84.0 * (1.0 - value);
    let points = database.concat();
    let low = points.iter().map(|p| p.1).fold(0.0, f64::max);
    let (x, high) = points.iter().copied().fold((0.0, f64::MAX), |a, b| if b.1 < a.1 { b } else { a });
    assert!((low - height(0.3)).abs() < 0.16 && (high - height(0.54)).abs() < 0.16, "{low} {high} {top}");
    assert!((x - (56.0 + 11.0 * minute)).abs() < 0.11, "{x}");
    assert!(svg.contains("<title>database: highest 54% from 14:05:19 UTC</title>"));
}

#[test]
fn lines_of_cpu_have_names_and_differ_without_their_colours() {
    let svg = latency(&measured(run(1800)), &[]).unwrap();
    assert!(svg.contains(">database median 42%</text>") && svg.contains(">containers p99 42%</text>"));
    assert!(svg.contains(">one value for every 60 s</text>") && !svg.contains("container_cpu_p50"));
    assert!(svg.contains(".u1{stroke-width:1.6;stroke-dasharray:4 2.5"));
    assert!(svg.contains("CPU: database median 42%; database: highest 54% from"), "the description");
    assert!(!latency(&run(1800), &[]).unwrap().contains("CPU"));
}

#[test]
fn steps_of_several_periods_show_their_lowest_and_highest() {
    let mut evidence = measured(run(1800));
    let of = &mut evidence.observability.as_mut().unwrap().quantities;
    of.clear();
    of.insert("database_cpu".to_owned(), cpu(600.0, vec![Some(0.9); 3], vec![Some(0.2); 3]));
    let svg = latency(&evidence, &[]).unwrap();
    let [highest, lowest] = cpu_line(&svg, "database_cpu").try_into().unwrap();
    assert!((lowest[0].1 - highest[0].1 - 0.7 * 84.0).abs() < 0.11);
    assert!(svg.contains(">lowest and highest of every 600 s</text>"));
}

#[test]
fn steps_that_share_the_room_of_one_are_said_to_be_as_long_as_they_are() {
    // more than six trends leave room for 114 steps: two of 180 share one
    let chart: Vec<ChartRow> = (0..7).map(|i| row(&format!("t{i}_duration"), 3, 5.0)).collect();
    let svg = latency(&by_the_ten_seconds(run(1800)), &chart).unwrap();
    assert!(svg.contains(">lowest and highest of every 20 s</text>"));
    assert!(latency(&by_the_ten_seconds(run(1800)), &[]).unwrap().contains(">lowest and highest of every 10 s</text>"));
}

#[test]
fn a_sweep_shows_cpu_where_one_of_its_runs_has_it() {
    let (with, without) = (measured(run(1800)), run(60));
    let chart = half_an_hour();
    let runs = [SweepRun { evidence: &with, chart: &chart }, SweepRun { evidence: &without, chart: &[] }];
    let svg = sweep("x", &runs).unwrap();
    assert!(svg.contains(">max 98%</text>") && svg.contains(">not known</text>"));
    assert!(svg.contains(">containers p99</text>") && cpu_line(&svg, "database_cpu").len() == 2);
    assert_eq!(overlapping(&crate::render::picture::sweep::laid_out("x", &runs).unwrap().canvas), []);
    assert!(!sweep("x", &runs[1..]).unwrap().contains("CPU</text>"));
}

#[test]
fn cpu_of_all_runs_of_a_sweep_lies_on_one_scale() {
    // 120 % in one of them: full use lies at four fifths of the height of both, 60 units
    let mut above = measured(run(1800));
    above.observability.as_mut().unwrap().quantities =
        BTreeMap::from([("database_cpu".to_owned(), cpu(60.0, vec![Some(1.2); 30], Vec::new()))]);
    let mut full = measured(run(1800));
    full.observability.as_mut().unwrap().quantities =
        BTreeMap::from([("database_cpu".to_owned(), cpu(60.0, vec![Some(1.0); 30], Vec::new()))]);
    let runs = [&above, &full].map(|evidence| SweepRun { evidence, chart: &[] });
    let svg = sweep("x", &runs).unwrap();
    let heights: Vec<f64> = cpu_line(&svg, "database_cpu").iter().map(|piece| piece[0].1).collect();
    // rows are 152 units apart
    assert!((heights[1] - 152.0 - heights[0] - 60.0 * 0.2 / 1.25).abs() < 0.11, "{heights:?}");
    assert!(svg.contains(">CPU, 0% to 125%:</text>"));
}

#[test]
fn values_of_a_part_of_the_window_are_drawn_without_a_figure_for_all_of_it() {
    let mut evidence = measured(run(1800));
    for figures in evidence.observability.as_mut().unwrap().quantities.values_mut() {
        (figures.incomplete, figures.coverage) = (true, 0.5);
    }
    let svg = latency(&evidence, &[]).unwrap();
    assert!(svg.contains(">database</text>") && svg.contains(">containers p99</text>"), "{svg:.4000}");
    assert_eq!(cpu_line(&svg, "database_cpu").len(), 2);
}
