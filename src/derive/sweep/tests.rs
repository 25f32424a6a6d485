use indexmap::IndexMap;

use super::*;
use crate::model::{
    CountRate, Difference, DifferingValue, FigureSource, Figures, Layout, Percentile, Printed, Remark, RequestCount,
    Requests, Stat, SummaryOrigin, SweepFigure, Time, Trend, TrendStats, WindowBasis,
};

const P95: Stat = Stat::P(Percentile::P95);

fn run(target: &str, vus: u64, per_second: Option<f64>) -> Evidence {
    let mut evidence = Evidence { target: target.to_owned(), ..Evidence::default() };
    evidence.k6.vus_max = Some(vus);
    evidence.k6.iterations = per_second.map(|rate| CountRate { count: 10, per_second: Some(rate), recomputed: false });
    evidence
}

fn of<'a>(evidence: &'a Evidence, facts: &'a IndexMap<String, String>) -> SweepRun<'a> {
    SweepRun { evidence, printed: None, block: None, facts, stated: None }
}

fn table(runs: &[Evidence]) -> SweepTable {
    let facts = IndexMap::new();
    let runs: Vec<SweepRun<'_>> = runs.iter().map(|run| of(run, &facts)).collect();
    sweep_table(&runs, Some("v1"), Scope::Run, &[])
}

fn with_facts(facts: &[(&str, &str)], count: usize) -> Vec<Remark> {
    let evidences: Vec<Evidence> = (0..count).map(|n| run(&format!("t{n}"), 1, Some(1.0))).collect();
    let stated: Vec<IndexMap<String, String>> = (0..count)
        .map(|n| facts.get(n).map(|(label, text)| ((*label).to_owned(), (*text).to_owned())).into_iter().collect())
        .collect();
    let runs: Vec<SweepRun<'_>> = evidences.iter().zip(&stated).map(|(evidence, facts)| of(evidence, facts)).collect();
    sweep_table(&runs, None, Scope::Run, &[]).remarks
}

#[test]
fn the_fastest_run_comes_first_and_names_decide_between_equals() {
    let runs = [
        run("b", 1, Some(5.0)),
        run("c", 1, None),
        run("a", 1, Some(5.0)),
        run("d", 1, Some(0.0)),
        run("e", 1, Some(9.0)),
    ];
    let order: Vec<String> = table(&runs).lines.into_iter().map(|line| line.target).collect();
    assert_eq!(order, ["e", "a", "b", "d", "c"]);
}

#[test]
fn the_usual_vus_are_the_most_frequent_and_the_larger_of_two_as_frequent() {
    let usual = |vus: &[u64]| table(&vus.iter().map(|vus| run("x", *vus, None)).collect::<Vec<_>>()).usual_vus;
    assert_eq!(usual(&[600, 200, 600]), Some(600));
    assert_eq!(usual(&[200, 600]), Some(600));
    assert_eq!(usual(&[]), None);
}

#[test]
fn a_figure_only_print_knows_keeps_its_text() {
    let mut evidence = run("x", 1, None);
    let percentiles = [(Percentile::P95, 1150.0)].into();
    let stats = TrendStats { percentiles, ..TrendStats::default() };
    let trend = Trend { from: FigureSource::Log, run: stats, ..Trend::default() };
    evidence.trends.insert("http_req_duration".to_owned(), trend);
    let printed = Printed { text: "1.15s".to_owned(), value: Some(1150.0), step: 10.0 };
    let summary = EndSummary {
        origin: SummaryOrigin::Terminal(Layout::Compact),
        metrics: IndexMap::from([("http_req_duration".to_owned(), Figures::Trend(IndexMap::from([(P95, printed)])))]),
        checks: Vec::new(),
        run_seconds: None,
        k6_version: None,
        secrets: Vec::new(),
    };
    let facts = IndexMap::new();
    let text = |evidence: &Evidence| {
        let run = SweepRun { printed: Some(&summary), ..of(evidence, &facts) };
        sweep_table(&[run], None, Scope::Run, &[]).lines[0].latency(P95).and_then(|latency| latency.printed.clone())
    };
    assert_eq!(text(&evidence).as_deref(), Some("1.15s"));
    evidence.trends.values_mut().for_each(|trend| trend.from = FigureSource::Raw);
    assert_eq!(text(&evidence), None, "a figure known in full is written anew");
}

#[test]
fn figures_of_the_test_phase_are_those_of_the_test_phase_only() {
    let mut evidence = run("x", 1, Some(5.0));
    let count = |total, failed| RequestCount { total, failed: Some(failed) };
    evidence.requests = Some(Requests { run: count(100, 3), test: Some(count(90, 2)) });
    let facts = IndexMap::new();
    let line = |scope| sweep_table(&[of(&evidence, &facts)], None, scope, &[]).lines.remove(0);
    assert_eq!(line(Scope::Run).requests, Some(count(100, 3)));
    assert_eq!(line(Scope::Test).requests, Some(count(90, 2)));
    assert_eq!(line(Scope::Test).iterations_per_second, None, "without a test phase nothing is known of it");
}

#[test]
fn goals_are_met_missed_or_not_measured() {
    let goal = |target: &str, at_least| Goal {
        target: target.to_owned(),
        figure: SweepFigure::IterationsPerSecond,
        at_least: Some(at_least),
        at_most: None,
        link: None,
    };
    let facts = IndexMap::new();
    let evidence = run("x", 1, Some(1000.0));
    let goals = [goal("x", 1000.0), goal("x", 1000.1), goal("y", 1.0)];
    let results = sweep_table(&[of(&evidence, &facts)], None, Scope::Run, &goals).goals;
    assert_eq!(results.iter().map(crate::model::GoalResult::met).collect::<Vec<_>>(), [Some(true), Some(false), None]);
    assert_eq!(results[2].reached, None);
}

#[test]
fn of_two_limits_the_missed_one_decides() {
    let result = |reached| crate::model::GoalResult {
        goal: Goal {
            target: String::new(),
            figure: SweepFigure::Latency(P95),
            at_least: Some(10.0),
            at_most: Some(100.0),
            link: None,
        },
        reached: Some(reached),
        printed: None,
    };
    assert_eq!((result(5.0).limit(), result(5.0).met()), (Some(10.0), Some(false)));
    assert_eq!((result(101.0).limit(), result(101.0).met()), (Some(100.0), Some(false)));
    assert_eq!((result(90.0).limit(), result(90.0).met()), (Some(100.0), Some(true)));
}

#[test]
fn facts_that_differ_are_named_with_their_runs() {
    let remarks = with_facts(&[("Client location", "US1"), ("Client location", "us1 "), ("Client location", "EU1")], 3);
    let text = |text: &str| DifferingValue::Text(text.to_owned());
    assert_eq!(
        remarks,
        [Remark::Differs {
            what: Difference::Fact("Client location".to_owned()),
            groups: vec![(text("US1"), vec!["t0".to_owned(), "t1".to_owned()]), (text("EU1"), vec!["t2".to_owned()])],
        }]
    );
}

#[test]
fn a_fact_differs_neither_by_escapes_nor_by_the_time_of_its_capture() {
    let (one, other) =
        ("flag\\_a on, captured 2026-09-28 16:53:59 UTC", "flag_a  on, captured 2026-09-28 19:00:00 UTC");
    assert_eq!(with_facts(&[("Flags", one), ("Flags", other)], 2), []);
}

#[test]
fn a_fact_one_run_lacks_differs_and_one_that_a_single_run_states_does_not() {
    assert_eq!(with_facts(&[("A", "x")], 3), []);
    let remarks = with_facts(&[("A", "x"), ("A", "x")], 3);
    let [Remark::Differs { groups, .. }] = remarks.as_slice() else { panic!("{remarks:?}") };
    assert_eq!(groups[1], (DifferingValue::Absent, vec!["t2".to_owned()]));
}

#[test]
fn the_same_output_on_two_runs_is_noticed_whatever_its_spacing() {
    let (evidences, facts) = ([run("a", 1, Some(1.0)), run("b", 1, Some(1.0))], IndexMap::new());
    let blocks = ["iterations: 1\n vus: 2", "iterations:  1\nvus: 2\n"];
    let runs: Vec<SweepRun<'_>> =
        evidences.iter().zip(blocks).map(|(run, block)| SweepRun { block: Some(block), ..of(run, &facts) }).collect();
    let same = Remark::SameOutput { targets: vec!["a".to_owned(), "b".to_owned()] };
    assert_eq!(sweep_table(&runs, None, Scope::Run, &[]).remarks, [same]);
}

#[test]
fn runs_that_overlap_and_runs_cut_short_are_noticed() {
    let window = |start: &str, end: &str| {
        let at = |text: &str| Time::parse_rfc3339(text).unwrap();
        Some(crate::model::EvidenceWindow { start: at(start), end: at(end), basis: WindowBasis::Test })
    };
    let (mut a, mut b) = (run("a", 1, Some(1.0)), run("b", 1, Some(1.0)));
    a.window = window("2026-08-27T13:00:00Z", "2026-08-27T13:30:00Z");
    b.window = window("2026-08-27T13:30:00Z", "2026-08-27T14:00:00Z");
    b.k6.completed = Some(false);
    b.iterations.interrupted = Some(600);
    let remarks = table(&[a, b]).remarks;
    let cut = crate::model::UnplannedEnd {
        target: "b".to_owned(),
        ran_seconds: None,
        planned_seconds: None,
        interrupted: Some(600),
    };
    let pairs = vec![("a".to_owned(), "b".to_owned())];
    assert_eq!(remarks, [Remark::NotAsPlanned { runs: vec![cut] }, Remark::Overlap { pairs }]);
}

#[test]
fn a_run_without_figures_still_has_its_line_and_says_so() {
    let table = table(&[run("a", 1, Some(1.0)), Evidence { target: "empty".to_owned(), ..Evidence::default() }]);
    assert_eq!(table.lines[1].target, "empty");
    assert_eq!(table.remarks, [Remark::NoFigures { targets: vec!["empty".to_owned()] }]);
}
