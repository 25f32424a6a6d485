//! The bundled example against figures its own independent script computed (`fixtures/sweep/make/expected.py`).

mod support;

use support::{close, fixture, json, run_ok};

#[test]
fn published_evidence_of_the_example_equals_its_expected_figures() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("docs");
    run_ok(&["publish", fixture("sweep").to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let expected = json(&fixture("sweep").join("expected.json"));
    let targets = expected.get("targets").unwrap_or(&expected).as_object().unwrap();
    let mut compared = 0;
    for (target, truth) in targets.iter().filter(|(_, truth)| truth["trends"].is_object()) {
        let evidence = json(&out.join("v1.4.0").join(target).join("evidence.json"));
        for (quantity, truth) in truth["monitoring"].as_object().unwrap() {
            let ours = &evidence["observability"]["quantities"][quantity];
            assert_eq!(ours["n"], truth["n"], "{target} {quantity}");
            for stat in ["median", "min", "max"] {
                let same = close(ours[stat].as_f64().unwrap(), truth[stat].as_f64().unwrap(), 1e-9);
                assert!(same, "{target} {quantity} {stat}: expected {}, found {}", truth[stat], ours[stat]);
                compared += 1;
            }
        }
        for phase in ["run", "test"] {
            assert_eq!(evidence["requests"][phase]["total"], truth["requests"][phase]["total"], "{target} {phase}");
            assert_eq!(evidence["requests"][phase]["failed"], truth["requests"][phase]["failed"], "{target} {phase}");
            for (name, trend) in truth["trends"].as_object().unwrap() {
                for (stat, value) in trend[phase].as_object().into_iter().flatten() {
                    let ours = evidence["trends"][name][phase][stat].as_f64();
                    let same = ours.is_some_and(|ours| close(ours, value.as_f64().unwrap(), 1e-9));
                    assert!(same, "{target} {name} {phase} {stat}: expected {value}, found {ours:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared} figures compared");
}
