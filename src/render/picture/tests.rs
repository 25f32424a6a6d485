mod cpu;

use std::collections::BTreeMap;

use cpu::measured;

use super::canvas::Canvas;
use super::label::DENSITIES;
use super::latency::Drawing;
use super::{SweepRun, latency, sweep};
use crate::model::{
    CauseKind, ChartRow, CountRate, Evidence, EvidenceWindow, Iterations, K6, NamedCount, PerMinute, Phase, Population,
    PopulationOrigin, RequestCount, Requests, Series, Shape, Time, WindowBasis,
};

/// 2026-08-27 13:41:19 UTC.
const START: i64 = 1_787_838_079;

fn at(offset: i64) -> Time {
    Time::from_unix_seconds(START + offset).unwrap()
}

fn row(metric: &str, offset: i64, ms: f64) -> ChartRow {
    ChartRow { metric: metric.to_owned(), time: at(offset), p50: ms, p95: 2.0 * ms, p99: 3.0 * ms }
}

fn burst(id: u32, status: u16, count: u64, first: i64, last: i64) -> Population {
    Population {
        id,
        phase: Phase::Test,
        origin: PopulationOrigin::Raw,
        kind: CauseKind::HttpStatus,
        status: Some(status),
        error_code: None,
        error: String::new(),
        label: None,
        count,
        share: 0.5,
        first: Some(at(first)),
        last: Some(at(last)),
        first_offset_seconds: Some(first),
        shape: Some(Shape::Burst),
        bursts: Vec::new(),
        per_minute: Some(PerMinute { min: 0, max: 1, minutes_with_failures: 1 }),
        requests: vec![NamedCount { name: "GET /".to_owned(), count }],
    }
}

/// A run of `seconds` with one iteration a second and 200 VUs; nothing failed.
fn run(seconds: i64) -> Evidence {
    let requests = RequestCount { total: 171_987, failed: Some(0) };
    Evidence {
        target: "manipulate_user".to_owned(),
        window: Some(EvidenceWindow { start: at(0), end: at(seconds - 1), basis: WindowBasis::Test }),
        k6: K6 {
            vus_max: Some(200),
            iterations: Some(CountRate { count: 34_399, per_second: Some(18.87), recomputed: false }),
            ..K6::default()
        },
        iterations: Iterations { complete: Some(34_399), ..Iterations::default() },
        requests: Some(Requests { run: requests, test: None }),
        series: Some(Series {
            start: Some(at(0)),
            step_seconds: 1,
            iterations: vec![1; seconds as usize],
            ..Series::default()
        }),
        ..Evidence::default()
    }
}

/// The same with failures: 30 of them in the second 100 seconds into the run, of two causes.
fn faulty(seconds: i64) -> Evidence {
    let mut evidence = run(seconds);
    evidence.requests = Some(Requests { run: RequestCount { total: 171_987, failed: Some(55) }, test: None });
    evidence.populations = Some(vec![burst(1, 503, 45, 100, 101), burst(2, 404, 10, 100, 100)]);
    let series = evidence.series.as_mut().unwrap();
    series.failed = BTreeMap::from([(1, vec![(100, 20), (101, 25)]), (2, vec![(100, 10)])]);
    evidence
}

/// Six trends over half an hour, noisy, one second of each a minute long.
fn half_an_hour() -> Vec<ChartRow> {
    let names = ["a_duration", "b_duration", "c_duration", "d_duration", "e_duration", "f_duration"];
    let noise = |second: i64, i: usize| (second * 7919 + 104_729 * i as i64).rem_euclid(997) as f64 / 10.0 + 5.0;
    let value = |second: i64, i: usize| if second == 777 { 20_000.033 } else { noise(second, i) };
    (0..1800).flat_map(|s| names.iter().enumerate().map(move |(i, name)| row(name, s, value(s, i)))).collect()
}

/// The points of a path as absolute coordinates, one list for each piece.
fn pieces(d: &str) -> Vec<Vec<(f64, f64)>> {
    let token = regex::Regex::new(r"[Ml]|-?\d*\.?\d+").unwrap();
    let (mut pieces, mut at, mut numbers, mut relative) = (Vec::<Vec<_>>::new(), (0.0, 0.0), Vec::new(), false);
    for token in token.find_iter(d).map(|found| found.as_str()) {
        match token {
            "M" => {
                relative = false;
                pieces.push(Vec::new());
            }
            "l" => relative = true,
            number => numbers.push(number.parse::<f64>().unwrap()),
        }
        if let [x, y] = numbers[..] {
            at = if relative { (at.0 + x, at.1 + y) } else { (x, y) };
            pieces.last_mut().unwrap().push(at);
            numbers.clear();
        }
    }
    pieces
}

fn attribute(element: &str, name: &str) -> String {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("no {name} in {element:.80}"));
    rest.split('"').next().unwrap().to_owned()
}

/// The line of one quantile of a trend.
fn line(svg: &str, metric: &str, quantile: &str) -> Vec<Vec<(f64, f64)>> {
    let (metric, quantile) = (format!("data-metric=\"{metric}\""), format!("data-line=\"{quantile}\""));
    let paths = svg.lines().filter(|l| l.contains(&metric) && l.contains(&quantile));
    paths.flat_map(|path| pieces(&attribute(path, "d"))).collect()
}

fn canvas(evidence: &Evidence, chart: &[ChartRow]) -> Canvas {
    Drawing::of(evidence, chart).unwrap().canvas
}

fn overlapping(canvas: &Canvas) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for density in DENSITIES {
        let labels: Vec<_> = canvas.labels().iter().filter(|label| label.density == density).collect();
        for (i, a) in labels.iter().enumerate() {
            let others = labels.iter().skip(i + 1).filter(|b| a.bounds().overlaps(&b.bounds(), 1.0));
            pairs.extend(others.map(|b| (a.text.clone(), b.text.clone())));
        }
    }
    pairs
}

/// Element names and attributes that open and close as XML wants it; the attributes are only looked at for quotes.
fn assert_well_formed(svg: &str) {
    let tag = regex::Regex::new(r#"<(/?)([a-z]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(/?)>"#).unwrap();
    let (mut open, mut end) = (Vec::new(), 0);
    for found in tag.captures_iter(svg) {
        let whole = found.get(0).unwrap();
        let between = &svg[end..whole.start()];
        assert!(!between.contains('<'), "a bare `<` in {between:.80}");
        end = whole.end();
        match (&found[1], &found[4]) {
            ("/", _) => assert_eq!(open.pop(), Some(found[2].to_owned())),
            (_, "/") => {}
            _ => open.push(found[2].to_owned()),
        }
    }
    assert!(open.is_empty() && svg[end..].trim().is_empty());
    let entity = regex::Regex::new(r"&(amp|lt|gt|quot);").unwrap();
    assert!(!entity.replace_all(svg, "").contains('&'));
    assert!(!svg.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn half_an_hour_of_six_trends_is_small_and_keeps_every_extreme() {
    let chart = half_an_hour();
    let svg = latency(&measured(faulty(1800)), &chart).unwrap();
    assert!(svg.len() < 150_000, "{}", svg.len());
    for metric in ["a_duration", "f_duration"] {
        for (quantile, value) in [("p50", (|r| r.p50) as fn(&ChartRow) -> f64), ("p99", |r| r.p99)] {
            let points = line(&svg, metric, quantile).concat();
            let values: Vec<f64> = chart.iter().filter(|r| r.metric == metric).map(value).collect();
            let (min, max) =
                (values.iter().copied().fold(f64::MAX, f64::min), values.iter().copied().fold(0.0, f64::max));
            // the height of a value on the logarithmic scale that spans the panel, found from two of its own points
            let highest = points.iter().copied().fold((0.0, f64::MAX), |a, b| if b.1 < a.1 { b } else { a });
            let lowest = points.iter().copied().fold((0.0, f64::MIN), |a, b| if b.1 > a.1 { b } else { a });
            assert!((second_of(highest.0, 1800) - 777.0).abs() < 0.2, "{metric} {quantile}: {highest:?}");
            let at = second_of(lowest.0, 1800).round() as i64;
            let there = chart.iter().find(|r| r.metric == metric && r.time == self::at(at)).map(value).unwrap();
            assert!(max > min && (there - min).abs() < 0.5, "{metric} {quantile}: {there} at {at}, lowest {min}");
        }
    }
}

/// The offset of the second whose middle is drawn at `x`.
fn second_of(x: f64, seconds: i64) -> f64 {
    (x - 56.0) / (744.0 - 56.0) * seconds as f64 - 0.5
}

#[test]
fn a_value_lies_where_its_scale_says() {
    // a linear scale from 0 to 300 ms: 75 ms lie at a quarter of the height
    let chart = [row("a_duration", 0, 25.0), row("a_duration", 1, 100.0)];
    let svg = latency(&run(2), &chart).unwrap();
    let p99 = line(&svg, "a_duration", "p99").concat();
    let p50 = line(&svg, "a_duration", "p50").concat();
    let (top, bottom) = (p99[1].1, p99[1].1 + 130.0);
    assert!((p99[0].1 - (bottom - 130.0 / 4.0)).abs() < 0.11, "{p99:?}");
    assert!((p50[1].1 - (bottom - 130.0 / 3.0)).abs() < 0.11 && top < p50[1].1, "{p50:?}");
}

#[test]
fn a_value_lies_where_its_logarithmic_scale_says() {
    // p50 of 10 ms and once 1 s, p99 up to 3 s: a scale from 10 ms to 5 s, 500 times as much
    let chart: Vec<ChartRow> = (0..9).map(|s| row("a_duration", s, if s == 4 { 1000.0 } else { 10.0 })).collect();
    let svg = latency(&run(9), &chart).unwrap();
    let (p50, p99) = (line(&svg, "a_duration", "p50").concat(), line(&svg, "a_duration", "p99").concat());
    let height = |value: f64| 130.0 * (value / 10.0).ln() / 500f64.ln();
    let above = |points: &[(f64, f64)], i: usize| p50[0].1 - points[i].1;
    assert!((above(&p50, 4) - height(1000.0)).abs() < 0.11, "{p50:?}");
    assert!((above(&p99, 4) - height(3000.0)).abs() < 0.11, "{p99:?}");
    assert!((above(&p99, 0) - height(30.0)).abs() < 0.11, "{p99:?}");
    // the few marks of a narrow screen leave open where such a scale begins, so that its title says it
    assert!(svg.contains(">log scale</text>") && svg.contains(">log, 10ms–5s</text>"));
}

#[test]
fn lines_of_the_grid_stand_where_times_are_written_at_either_size() {
    let svg = latency(&run(60), &[]).unwrap();
    let clock = regex::Regex::new(r#" x="([\d.]+)"[^>]*>\d\d:\d\d:\d\d</text>"#).unwrap();
    for (class, rest) in [("w", ""), ("n", " aria-hidden=\"true\"")] {
        let grid = format!("<g class=\"{class}\"><path class=\"g\"");
        let lines = svg.lines().find(|l| l.starts_with(&grid)).unwrap();
        let at: Vec<f64> = pieces(&attribute(lines, "d")).iter().map(|piece| piece[0].0).collect();
        let (_, texts) = svg.split_once(&format!("<g class=\"{class}\"{rest}>\n")).unwrap();
        let texts = texts.split("</g>").next().unwrap();
        let written: Vec<f64> = clock.captures_iter(texts).map(|found| found[1].parse().unwrap()).collect();
        assert!(written.len() >= 3, "{class}: {written:?}");
        assert!(written.iter().all(|x| at.iter().any(|line| (line - x).abs() < 0.11)), "{class}: {at:?} {written:?}");
    }
}

#[test]
fn a_second_without_samples_is_a_gap_and_a_lone_one_a_dot() {
    let chart: Vec<ChartRow> = [0, 1, 2, 5, 9].into_iter().map(|s| row("a_duration", s, 10.0)).collect();
    let svg = latency(&run(10), &chart).unwrap();
    let lengths: Vec<usize> = line(&svg, "a_duration", "p50").iter().map(Vec::len).collect();
    // a dot is a line to where it began
    assert_eq!(lengths, [3, 2, 2]);
}

#[test]
fn a_long_run_is_a_band_around_its_medians_and_never_a_zigzag() {
    let svg = latency(&run(1800), &half_an_hour()).unwrap();
    let band = line(&svg, "a_duration", "p95").concat();
    let (upper, lower) = band.split_at(band.len() / 2);
    assert!(upper.windows(2).all(|pair| pair[0].0 < pair[1].0), "the upper edge goes from left to right");
    assert!(lower.windows(2).all(|pair| pair[0].0 > pair[1].0), "the lower edge comes back");
    assert!(upper.iter().zip(lower.iter().rev()).all(|(high, low)| high.1 <= low.1));
    // a bucket spans 8 s and begins at a multiple of them
    let first = START.div_euclid(8) * 8 + 8;
    let chart = half_an_hour();
    let mut values: Vec<f64> = (first..first + 8)
        .filter_map(|s| chart.iter().find(|r| r.metric == "a_duration" && r.time.unix_seconds() == s).map(|r| r.p95))
        .collect();
    values.sort_by(f64::total_cmp);
    let median = (values[3] + values[4]) / 2.0;
    let middle = svg.lines().find(|l| l.contains("class=\"q1\"") && l.contains("<title>p95")).unwrap();
    let drawn = pieces(&attribute(middle, "d")).concat()[1];
    assert!((second_of(drawn.0, 1800) - (first - START) as f64 - 3.5).abs() < 0.2, "{drawn:?}");
    // heights on one logarithmic scale: that of the median lies between those of the neighbouring values
    let height = |value: f64| {
        let (low, high) = (line(&svg, "a_duration", "p50").concat(), line(&svg, "a_duration", "p99").concat());
        let (bottom, top) =
            (low.iter().map(|p| p.1).fold(f64::MIN, f64::max), high.iter().map(|p| p.1).fold(f64::MAX, f64::min));
        let (min, max) =
            (chart.iter().filter(|r| r.metric == "a_duration").map(|r| r.p50).fold(f64::MAX, f64::min), 60_000.099_f64);
        bottom - (bottom - top) * (value / min).ln() / (max / min).ln()
    };
    assert!((drawn.1 - height(median)).abs() < 0.3, "{drawn:?} for {median}, {}", height(median));
}

#[test]
fn no_mark_of_a_scale_hides_what_is_drawn_on_a_phone() {
    let mut slow = measured(run(60));
    slow.target = "slow".to_owned();
    let chart: Vec<ChartRow> = (0..60).map(|s| row("a_duration", s, 130.0)).collect();
    let svg = latency(&slow, &chart).unwrap();
    // the marks stand left of the plot or not at all; where one has no room the title says from where to where it goes
    let canvas = canvas(&slow, &chart);
    let marks = ["0", "0s", "100ms", "400ms", "50%", "100%"];
    for label in canvas.labels().iter().filter(|l| l.density == DENSITIES[1] && marks.contains(&l.text.as_str())) {
        assert!(label.bounds().right <= 56.0, "{label:?}");
    }
    assert!(svg.contains(", 0%–100%</text>"), "{svg}");
    assert!(svg.contains(">0s–400ms</text>") || svg.contains(">0ms–400ms</text>"), "{svg}");
}

#[test]
fn a_long_cause_is_whole_at_either_size() {
    let mut evidence = faulty(1800);
    let label = "platform error of the load balancer in front of every container, not of the product itself";
    evidence.populations.as_mut().unwrap()[0].label = Some(label.to_owned());
    let canvas = canvas(&evidence, &half_an_hour());
    for density in DENSITIES {
        let texts: Vec<&str> =
            canvas.labels().iter().filter(|l| l.density == density).map(|l| l.text.as_str()).collect();
        let whole = format!("(1) 45 HTTP 503, burst 13:42:59 to 13:43:00, {label}");
        assert!(texts.join(" ").contains(&whole), "{texts:?}");
        assert!(!texts.iter().any(|text| text.ends_with('…')), "{texts:?}");
    }
    assert_eq!(overlapping(&canvas), []);
}

#[test]
fn long_gaps_stay_gaps_when_seconds_share_a_bucket() {
    let chart: Vec<ChartRow> =
        half_an_hour().into_iter().filter(|r| !(START + 900..START + 985).contains(&r.time.unix_seconds())).collect();
    let svg = latency(&run(1800), &chart).unwrap();
    let pieces = line(&svg, "a_duration", "p95");
    assert_eq!(pieces.len(), 2);
    let seconds = |piece: &[(f64, f64)]| -> Vec<f64> { piece.iter().map(|p| second_of(p.0, 1800)).collect() };
    let before = seconds(&pieces[0]).into_iter().fold(f64::MIN, f64::max);
    let after = seconds(&pieces[1]).into_iter().fold(f64::MAX, f64::min);
    assert!((before - 899.0).abs() < 8.0 && (after - 985.0).abs() < 8.0, "{before} {after}");
}

#[test]
fn the_tallest_bar_is_the_worst_second_with_its_causes_upon_each_other() {
    let svg = latency(&faulty(1800), &half_an_hour()).unwrap();
    let bars = |id: &str| {
        let of = format!("data-population=\"{id}\"");
        attribute(svg.lines().find(|l| l.contains(&of)).unwrap(), "d")
    };
    let rect = regex::Regex::new(r"M([\d.]+)[ ]?([\d.]+)h([\d.]+)v([\d.]+)h").unwrap();
    let rects = |id| -> Vec<Vec<f64>> {
        rect.captures_iter(&bars(id)).map(|r| (1..5).map(|i| r[i].parse().unwrap()).collect()).collect()
    };
    let (first, second) = (rects("1"), rects("2"));
    // 30 failures in one second fill the scale of 84 units, 20 of one cause below 10 of the other
    // the second after it lies in the same bucket and is not drawn
    assert_eq!((first.len(), second.len()), (1, 1));
    assert!((first[0][3] - 56.0).abs() < 0.11 && (second[0][3] - 28.0).abs() < 0.11, "{first:?} {second:?}");
    assert!((second[0][1] + second[0][3] - first[0][1]).abs() < 0.11);
}

#[test]
fn a_cause_known_by_the_minute_is_the_mean_of_the_seconds_its_minute_has() {
    let mut evidence = faulty(70);
    let series = evidence.series.as_mut().unwrap();
    series.failed.clear();
    // one a second, and twelve in each of the ten seconds that the last minute has
    series.per_minute.failed = BTreeMap::from([(1, vec![(0, 60), (60, 120)])]);
    let svg = latency(&evidence, &[]).unwrap();
    let bars = attribute(svg.lines().find(|l| l.contains("data-population=\"1\"")).unwrap(), "d");
    let height = regex::Regex::new(r"v([\d.]+)h").unwrap();
    let heights: Vec<f64> = height.captures_iter(&bars).map(|found| found[1].parse().unwrap()).collect();
    // a scale from 0 to 15 over 84 units
    assert_eq!(heights.len(), 70);
    assert!((heights[0] - 84.0 / 15.0).abs() < 0.11 && (heights[69] - 84.0 * 12.0 / 15.0).abs() < 0.11, "{heights:?}");
    assert!(svg.contains(">known by the minute and drawn as the mean of its seconds: (1)</text>"));
    // 100 failures in 60 s are no number to say of a second
    evidence.series.as_mut().unwrap().per_minute.failed = BTreeMap::from([(1, vec![(0, 100)])]);
    let svg = sweep("x", &[SweepRun { evidence: &evidence, chart: &[] }]).unwrap();
    assert!(svg.contains(">max mean 1.7</text>"), "{svg}");
}

#[test]
fn bursts_are_shaded_in_every_panel_and_numbered_as_in_the_row() {
    let svg = latency(&faulty(1800), &half_an_hour()).unwrap();
    // six trends, iterations, failures
    assert_eq!(svg.matches("class=\"s0\"").count(), 8);
    assert!(svg.contains(">(1)</text>") && svg.contains("(1) 45 HTTP 503, burst 13:42:59 to 13:43:00</text>"));
    // a cause all over the run is not shaded: it would shade everything
    let mut evidence = faulty(1800);
    evidence.populations.as_mut().unwrap()[0].last = Some(at(900));
    assert_eq!(latency(&evidence, &half_an_hour()).unwrap().matches("class=\"s0\"").count(), 0);
}

#[test]
fn no_texts_overlap_at_either_size() {
    let long = "login_ui_enter_the_password_of_a_user_with_a_very_long_metric_name_duration";
    let runs = [
        (run(1), 1),
        (measured(run(3)), 3),
        (run(77), 77),
        (measured(faulty(1800)), 1800),
        (measured(faulty(86_400)), 1800),
    ];
    for (mut evidence, rows) in runs {
        evidence.target = long.to_owned();
        let mut chart: Vec<ChartRow> = half_an_hour();
        chart.retain(|r| r.time < at(rows));
        chart.iter_mut().filter(|r| r.metric == "a_duration").for_each(|r| r.metric = long.to_owned());
        let canvas = canvas(&evidence, &chart);
        assert_eq!(overlapping(&canvas), [], "{rows} seconds");
        for label in canvas.labels() {
            let bounds = label.bounds();
            assert!(bounds.left >= 0.0 && bounds.right <= 760.0, "{label:?}");
            assert!(bounds.top >= 0.0 && bounds.bottom <= canvas.bottom, "{label:?}");
        }
    }
}

#[test]
fn texts_from_data_stay_text() {
    let hostile = "<script>alert(1)</script>\"'&\u{0}\u{1b}[31m\n]]><!--";
    let mut evidence = faulty(1800);
    evidence.target = hostile.to_owned();
    let populations = evidence.populations.as_mut().unwrap();
    populations[0].label = Some(hostile.to_owned());
    let svg = latency(&evidence, &[row(hostile, 3, 1.0), row(hostile, 4, 1.0)]).unwrap();
    assert_well_formed(&svg);
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn a_picture_is_well_formed_says_what_it_shows_and_loads_nothing() {
    let svg = latency(&faulty(1800), &half_an_hour()).unwrap();
    assert_well_formed(&svg);
    assert!(svg.contains("role=\"img\"") && svg.contains("<title id=\"title\">Latencies of manipulate_user over time"));
    let description = svg.split("<desc id=\"description\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(description.contains("55 of 171,987 requests failed (0.03%)"), "{description}");
    assert!(description.contains("p99: highest second 1m0s at 13:54:16 UTC"), "{description}");
    for outside in ["<script", "href", "url(", "@import", "<image", "<foreignObject"] {
        assert!(!svg.contains(outside), "{outside}");
    }
    assert_eq!(svg.matches("http").count(), 1, "the name of the format only");
    assert_eq!(svg, latency(&faulty(1800), &half_an_hour()).unwrap());
}

#[test]
fn what_is_not_known_is_not_drawn() {
    assert_eq!(latency(&Evidence::default(), &[]), None);
    let rows_alone = latency(&Evidence::default(), &[row("a_duration", 0, 5.0)]).unwrap();
    for absent in ["iterations", "failed", "VUs"] {
        assert!(!rows_alone.contains(absent), "{absent}");
    }
    let clean = latency(&run(60), &[]).unwrap();
    assert!(clean.contains("200 VUs · 34,399 iterations · no failed requests"));
    let mut unplaced = run(60);
    unplaced.requests = Some(Requests { run: RequestCount { total: 10, failed: Some(2) }, test: None });
    assert!(latency(&unplaced, &[]).unwrap().contains("2 of 10 requests failed (20.00%), when is not known"));
}

#[test]
fn odd_values_and_times_are_survived() {
    let mut evidence = faulty(60);
    let far = |seconds| Time::from_unix_seconds(seconds).unwrap();
    let odd = |time, p50, p99| ChartRow { metric: "a_duration".to_owned(), time, p50, p95: f64::NAN, p99 };
    let chart = [odd(far(0), -5.0, f64::INFINITY), odd(far(9_000_000_000), 1e300, 1e-300), odd(at(3), 0.0, 0.0)];
    let series = evidence.series.as_mut().unwrap();
    series.failed.insert(1, vec![(i64::MAX, u64::MAX), (i64::MIN, 1), (-5, 1)]);
    series.per_minute.failed.insert(2, vec![(i64::MAX - 30, 60), (0, 60)]);
    let populations = evidence.populations.as_mut().unwrap();
    populations[1].bursts = vec![];
    (populations[1].first, populations[1].last) = (Some(far(9_000_000_000)), Some(far(0)));
    assert_well_formed(&latency(&evidence, &chart).unwrap());
    // a window that ends before it begins is none
    evidence.window = Some(EvidenceWindow { start: at(9), end: at(0), basis: WindowBasis::Test });
    assert_well_formed(&latency(&evidence, &chart).unwrap());
}

#[test]
fn more_trends_than_fit_are_counted() {
    let chart: Vec<ChartRow> =
        (0..40).flat_map(|i| (0..1800).map(move |s| row(&format!("t{i:02}_duration"), s, s as f64 % 97.0))).collect();
    let svg = latency(&run(1800), &chart).unwrap();
    assert!(svg.contains("28 further trends are not drawn") && svg.contains("t11_duration"));
    assert!(!svg.contains("t12_duration") && svg.len() < 150_000, "{}", svg.len());
}

#[test]
fn further_causes_are_pooled_in_one_colour() {
    let mut evidence = faulty(1800);
    let populations: Vec<Population> = (1..=9).map(|id| burst(id, 500 + id as u16, 10, 100, 101)).collect();
    evidence.populations = Some(populations);
    evidence.series.as_mut().unwrap().failed = (1..=9).map(|id| (id, vec![(100, 10)])).collect();
    let svg = latency(&evidence, &[]).unwrap();
    assert!(svg.contains("4 further causes: 40 failures") && svg.contains("data-population=\"6 7 8 9\""));
    assert!(!svg.contains("f6"));
}

#[test]
fn a_sweep_has_a_row_for_each_run_and_one_scale_for_all_latencies() {
    let (faulty, clean) = (faulty(1800), Evidence { target: "sign_in".to_owned(), ..run(60) });
    let slow: Vec<ChartRow> = (0..60).map(|s| row("sign_in_duration", s, 1000.0)).collect();
    let chart = half_an_hour();
    let runs = [SweepRun { evidence: &faulty, chart: &chart }, SweepRun { evidence: &clean, chart: &slow }];
    let svg = sweep("Shop v1", &runs).unwrap();
    assert_well_formed(&svg);
    assert!(svg.contains(">manipulate_user</text>") && svg.contains(">none</text>"), "{svg:.3000}");
    // a second of 20 s in the one run lies above the steady 1 s of the other, by their heights within the rows
    let within = |metric, row: f64| {
        let points = line(&svg, metric, "p50").concat();
        points.iter().map(|p| p.1).fold(f64::MAX, f64::min) - row
    };
    assert!(within("a_duration", 84.0) < within("sign_in_duration", 84.0 + 152.0));
    assert_eq!(overlapping(&super::sweep::laid_out("Shop v1", &runs).unwrap().canvas), []);
    assert_eq!(sweep("nothing", &[]), None);
}

#[test]
fn forty_runs_with_three_hours_of_cpu_stay_small() {
    let evidence: Vec<Evidence> =
        (0..40).map(|i| Evidence { target: format!("target_{i:02}"), ..measured(faulty(1800)) }).collect();
    let evidence: Vec<Evidence> = evidence.into_iter().map(cpu::by_the_ten_seconds).collect();
    let chart = half_an_hour();
    let runs: Vec<SweepRun<'_>> = evidence.iter().map(|evidence| SweepRun { evidence, chart: &chart }).collect();
    let svg = sweep("Shop v1", &runs).unwrap();
    assert!(svg.len() < 300_000, "{}", svg.len());
    assert_eq!(svg.matches("data-line=\"database_cpu\"").count(), 40);
    assert_well_formed(&svg);
}

#[test]
fn a_row_of_a_sweep_says_which_trend_it_shows_and_its_figures_in_words() {
    let evidence = Evidence { target: "shop".to_owned(), ..faulty(60) };
    let svg = sweep("x", &[SweepRun { evidence: &evidence, chart: &[row("list_duration", 0, 5.0)] }]).unwrap();
    assert_eq!(svg.matches(">list_duration</text>").count(), 2, "at both sizes");
    let description = svg.split("<desc id=\"description\">").nth(1).unwrap().split('<').next().unwrap();
    let row = "shop: list_duration p50, p95, p99; iterations 19 a second over the whole run; 55 of 171,987 requests failed (0.03%)";
    assert!(description.contains(row), "{description}");
}

#[test]
fn a_row_of_a_sweep_says_when_its_run_was_and_the_picture_what_a_band_is() {
    let (long, short) = (run(1812), run(60));
    let of = |runs: &[&Evidence]| {
        let runs: Vec<SweepRun<'_>> = runs.iter().map(|evidence| SweepRun { evidence, chart: &[] }).collect();
        sweep("x", &runs).unwrap()
    };
    let svg = of(&[&long]);
    assert!(
        svg.contains(">2026-08-27 13:41:19 to 14:11:30 UTC · 19/s</text>") && svg.contains(">30m11s · 19/s</text>")
    );
    let band = ">band: lowest to highest second, line: median</text>";
    assert!(svg.contains(band) && !of(&[&short]).contains(band) && of(&[&short, &long]).contains(band));
}

#[test]
fn a_single_second_is_said_once() {
    let svg = latency(&run(1), &[row("a_duration", 0, 5.0)]).unwrap();
    assert!(svg.contains(">2026-08-27 13:41:19 UTC</text>") && !svg.contains("13:41:19 to"));
}

#[test]
fn a_run_is_stood_for_by_the_trend_of_its_name() {
    let evidence = Evidence { target: "c".to_owned(), ..run(1800) };
    let chart = half_an_hour();
    let svg = sweep("x", &[SweepRun { evidence: &evidence, chart: &chart }]).unwrap();
    assert!(svg.contains("data-metric=\"c_duration\"") && !svg.contains("data-metric=\"a_duration\""));
}
