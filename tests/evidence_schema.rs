//! `docs/evidence.schema.json` against the model it describes and the evidence the program writes.

use std::collections::BTreeSet;
use std::path::Path;

use jsonschema::Validator;
use regex::Regex;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::docs::Scratch;
use support::{fixture, json as read_json, shared};
use sweepdoc::model::{
    Alignment, Autovacuum, Burst, CauseKind, CheckByName, Checks, CountRate, Counter, CpuFigures, Derived, Drift,
    Evidence, EvidenceWindow, ExceptionCount, FigureSource, Gauge, Generated, Interpolated, Iterations, K6, LockShare,
    LockShareOf, LogFigures, NamedCount, Observability, Outcome, OutcomeFigures, OutcomeRule, OutcomeThresholds,
    OutcomeVerdict, PerMinute, PerMinuteSeries, Phase, Population, PopulationOrigin, QuantityFigures, QuantitySeries,
    Queries, Query, Rate, RequestCount, Requests, RunSecondsBasis, Series, Shape, Side, SourceFile, TestPhase,
    TestPhaseBasis, Trend, Unit, VacuumFigures, WindowBasis,
};

mod support;

const RUNS: [&str; 4] = ["browse_catalog", "place_order", "search", "sign_in"];

fn schema() -> Value {
    read_json(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/evidence.schema.json")))
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).unwrap()
}

fn complaints(validator: &Validator, evidence: &Value) -> Vec<String> {
    validator.iter_errors(evidence).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

/// The evidence of a run, as `reduce` writes it.
fn reduced(scratch: &Scratch, run: &Path) -> Value {
    scratch.sweepdoc(&format!("--quiet reduce '{}' --out reduced", run.display()));
    serde_json::from_str(&scratch.read("reduced/evidence.json")).unwrap()
}

#[test]
fn evidence_of_every_bundled_run_is_valid() {
    let (scratch, validator) = (Scratch::new(), validator());
    scratch.sweepdoc("--quiet publish fixtures/sweep --out out --sha256");
    for run in RUNS {
        let published: Value = serde_json::from_str(&scratch.read(&format!("out/v1.4.0/{run}/evidence.json"))).unwrap();
        assert_eq!(complaints(&validator, &published), Vec::<String>::new(), "{run}");
        for without_raw in ["k6.csv.gz", "k6.json.gz"] {
            std::fs::remove_file(scratch.path(&format!("my-sweep/{run}/{without_raw}"))).ok();
        }
        let from_log = reduced(&scratch, &scratch.path(&format!("my-sweep/{run}")));
        assert_eq!(complaints(&validator, &from_log), Vec::<String>::new(), "{run} without raw output");
    }
}

#[test]
fn evidence_of_every_real_run_is_valid() {
    let Some(root) = shared("real-runs") else { return };
    let (scratch, validator) = (Scratch::new(), validator());
    let mut runs: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.retain(|run| run.join("terminal.log").exists());
    runs.sort();
    for run in &runs {
        assert_eq!(complaints(&validator, &reduced(&scratch, run)), Vec::<String>::new(), "{}", run.display());
    }
}

#[test]
fn what_the_schema_does_not_know_is_refused() {
    let (scratch, validator) = (Scratch::new(), validator());
    let sound = reduced(&scratch, &fixture("sweep/browse_catalog"));
    assert_eq!(complaints(&validator, &sound), Vec::<String>::new());
    let changes: [(&str, &str, Value); 9] = [
        ("an unknown key", "/colour", json!("red")),
        ("an unknown key deep inside", "/populations/0/requests/0/colour", json!("red")),
        ("a negative count", "/requests/run/failed", json!(-1)),
        ("a fraction of an iteration", "/iterations/complete", json!(1.5)),
        ("a time with an offset", "/window/start", json!("2026-11-30T18:00:59+01:00")),
        ("a statistic of no known name", "/trends/http_req_duration/run/median", json!(1)),
        ("an unknown cause", "/populations/0/kind", json!("bad luck")),
        ("a point without its count", "/series/failed/1", json!([[14]])),
        ("another schema", "/schema", json!("sweepdoc/evidence/2")),
    ];
    for (what, pointer, value) in changes {
        let mut broken = sound.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        broken.pointer_mut(parent).unwrap()[key] = value;
        assert!(!validator.is_valid(&broken), "{what} was accepted");
    }
    for required in schema()["required"].as_array().unwrap() {
        let mut broken = sound.clone();
        broken.as_object_mut().unwrap().remove(required.as_str().unwrap());
        assert!(!validator.is_valid(&broken), "evidence without {required} was accepted");
    }
}

/// What serde lists as expected when it meets a word it does not know: every name the type has.
fn names_of<T: DeserializeOwned>(unknown: Value) -> BTreeSet<String> {
    let complaint = serde_json::from_value::<T>(unknown).err().expect("an unknown word").to_string();
    let (_, expected) = complaint.split_once("expected").unwrap_or_else(|| panic!("{complaint}"));
    Regex::new("`([^`]+)`").unwrap().captures_iter(expected).map(|name| name[1].to_owned()).collect()
}

fn fields_of<T: DeserializeOwned>() -> BTreeSet<String> {
    names_of::<T>(json!({"?": 0}))
}

#[test]
fn schema_and_model_have_the_same_fields() {
    let schema = schema();
    let same = |name: &str, model: BTreeSet<String>| {
        let object = if name.is_empty() { &schema } else { &schema["$defs"][name] };
        let fields: BTreeSet<String> = object["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, model, "`{name}`");
    };
    same("", fields_of::<Evidence>());
    same("window", fields_of::<EvidenceWindow>());
    same("k6", fields_of::<K6>());
    same("count_rate", fields_of::<CountRate>());
    same("iterations", fields_of::<Iterations>());
    same("exceptions", fields_of::<ExceptionCount>());
    same("test_phase", fields_of::<TestPhase>());
    same("requests", fields_of::<Requests>());
    same("request_count", fields_of::<RequestCount>());
    same("trend", fields_of::<Trend>());
    same("drift", fields_of::<Drift>());
    same("counter", fields_of::<Counter>());
    same("rate", fields_of::<Rate>());
    same("gauge", fields_of::<Gauge>());
    same("checks", fields_of::<Checks>());
    same("check", fields_of::<CheckByName>());
    same("population", fields_of::<Population>());
    same("burst", fields_of::<Burst>());
    same("per_minute", fields_of::<PerMinute>());
    same("named_count", fields_of::<NamedCount>());
    same("series", fields_of::<Series>());
    same("minutes", fields_of::<PerMinuteSeries>());
    same("observability", fields_of::<Observability>());
    same("quantity", fields_of::<QuantityFigures>());
    same("quantity_series", fields_of::<QuantitySeries>());
    same("interpolated", fields_of::<Interpolated>());
    same("queries", fields_of::<Queries>());
    same("query", fields_of::<Query>());
    same("autovacuum", fields_of::<Autovacuum>());
    same("vacuum", fields_of::<VacuumFigures>());
    same("cpu", fields_of::<CpuFigures>());
    same("log_figures", fields_of::<LogFigures>());
    same("outcome", fields_of::<Outcome>());
    same("outcome_figures", fields_of::<OutcomeFigures>());
    same("lock_share", fields_of::<LockShare>());
    same("outcome_thresholds", fields_of::<OutcomeThresholds>());
    same("derived", fields_of::<Derived>());
    same("generated", fields_of::<Generated>());
    same("source", fields_of::<SourceFile>());
}

#[test]
fn schema_and_model_have_the_same_words() {
    let schema = schema();
    let same = |name: &str, field: &str, model: BTreeSet<String>| {
        let words = schema["$defs"][name]["properties"][field]["enum"].as_array().unwrap();
        let words: BTreeSet<String> = words.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
        assert_eq!(words, model, "`{name}.{field}`");
    };
    let unknown = || json!("?");
    same("window", "basis", names_of::<WindowBasis>(unknown()));
    same("k6", "run_seconds_basis", names_of::<RunSecondsBasis>(unknown()));
    same("test_phase", "basis", names_of::<TestPhaseBasis>(unknown()));
    same("trend", "from", names_of::<FigureSource>(unknown()));
    same("population", "phase", names_of::<Phase>(unknown()));
    same("population", "origin", names_of::<PopulationOrigin>(unknown()));
    same("population", "kind", names_of::<CauseKind>(unknown()));
    same("population", "shape", names_of::<Shape>(unknown()));
    same("quantity", "unit", names_of::<Unit>(unknown()));
    same("quantity", "alignment", names_of::<Alignment>(unknown()));
    same("outcome", "verdict", names_of::<OutcomeVerdict>(unknown()));
    same("outcome", "rule", names_of::<OutcomeRule>(unknown()));
    same("lock_share", "of", names_of::<LockShareOf>(unknown()));
    same("interpolated", "side", names_of::<Side>(unknown()));
}

#[test]
fn every_object_of_the_schema_is_closed_and_every_field_described() {
    let schema = schema();
    let named = schema["$defs"].as_object().unwrap().iter().map(|(name, object)| (name.as_str(), object));
    for (name, object) in std::iter::once(("", &schema)).chain(named) {
        let Some(fields) = object["properties"].as_object() else { continue };
        assert_eq!(object["additionalProperties"], false, "`{name}` is open");
        let required: BTreeSet<&str> =
            object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (field, value) in fields {
            let description = value["description"].as_str().unwrap_or_default();
            assert!(!description.is_empty(), "`{name}.{field}` is not described");
            let may_be_missing = description.contains("bsent");
            let statistic = name == "trend_stats";
            assert!(
                required.contains(field.as_str()) || may_be_missing || statistic,
                "`{name}.{field}` does not say when it is absent"
            );
        }
    }
}

#[test]
fn the_series_give_every_population_its_failures_second_by_second() {
    let scratch = Scratch::new();
    let runs = RUNS.map(|run| fixture("sweep").join(run));
    for run in runs.iter().chain(&support::real_runs()) {
        let evidence: Evidence = serde_json::from_value(reduced(&scratch, run)).unwrap();
        let (Some(series), Some(populations)) = (&evidence.series, &evidence.populations) else { continue };
        for population in populations {
            let points = series.failed.get(&population.id).or(series.per_minute.failed.get(&population.id)).unwrap();
            let sum: u64 = points.iter().map(|(_, count)| count).sum();
            assert_eq!(sum, population.count, "{}, population {}", run.display(), population.id);
            let first = points.first().map(|(offset, _)| *offset);
            assert_eq!(first, population.first_offset_seconds, "{}, population {}", run.display(), population.id);
        }
    }
}

#[test]
fn every_warning_code_of_the_source_is_documented_and_no_other() {
    let code = Regex::new(r#"(?:Warning::new|\b(?:warn|problem|refuse))\(\s*"([a-z-]+)""#).unwrap();
    let mut codes = BTreeSet::new();
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        if !file.ends_with("page_tests.rs") && !file.ends_with("tests.rs") {
            codes.extend(code.captures_iter(text).map(|found| found[1].to_owned()));
        }
    }
    let listed = support::docs::first_column(&support::docs::document("docs/evidence.md"), "## Warning codes");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), codes);
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(sources(&path)) } else { files.push(path) }
    }
    files
}
