//! Iterations a second, and time nobody accounts for.

use crate::support::k6::{Csv, START};
use crate::support::sweep::{reduce_paths, reduced, warnings};
use crate::support::{close, shared};
use sweepdoc::model::TestPhaseBasis;

/// B10. Source: the v4 page of machine_jwt_profile_grant; `grafana/k6` issues 2040, 891, 1508.
#[test]
fn throughput_of_the_test_phase_stands_beside_k6s_own() {
    let log = "     execution: local\n     scenarios: (100.00%) 1 scenario, 600 max VUs, 30m30s max duration (incl. graceful stop):\n\
               \x20             * default: 600 looping VUs for 30m0s (gracefulStop: 30s)\n\n\
               \x20 █ TOTAL RESULTS\n\n    EXECUTION\n\
               \x20   iteration_duration....: avg=690.96ms min=10ms med=600ms max=2s p(90)=1s p(95)=1.1s\n\
               \x20   iterations............: 1563113 850.787581/s\n\
               \x20   vus_max...............: 600     min=600      max=600\n\n\n\
               running (30m37.3s), 000/600 VUs, 1563113 complete and 0 interrupted iterations\n\
               default ✓ [ 100% ] 600 VUs  30m0s\n";
    let evidence = reduced(&[("k6.log", log)]).evidence;
    assert_eq!(evidence.k6.iterations.unwrap().per_second, Some(850.787581));
    let phase = evidence.test_phase.unwrap();
    assert_eq!((phase.seconds, phase.basis), (1800.0, TestPhaseBasis::Plan));
    assert!((phase.iterations_per_second - 868.40).abs() < 0.005, "{}", phase.iterations_per_second);
    assert!((phase.littles_law_per_second.unwrap() - 868.36).abs() < 0.005);
}

/// B10, a setup of 5.6 s. Source: a run of k6 1.1.0: 55.85 iterations a second printed, 64.9 in the test phase.
#[test]
fn a_long_setup_does_not_dilute_the_test_phase() {
    let Some(files) = shared("k6-files") else { return };
    let inputs = ["long-setup-rfc3339nano-k6-1.1.0.csv.gz", "long-setup-summary-full-unit-s-k6-1.1.0.log"]
        .map(|f| files.join(f));
    let evidence = reduce_paths(&inputs).unwrap().evidence;
    assert_eq!(evidence.k6.iterations.unwrap().per_second, Some(55.850427));
    let phase = evidence.test_phase.unwrap();
    assert!((phase.iterations_per_second - 64.9).abs() < 0.05, "{}", phase.iterations_per_second);
}

/// B36. Source: the v4.19.2 page of human_password_login.
#[test]
fn time_outside_the_named_steps_is_a_number() {
    let mut csv = Csv::new();
    let steps = [
        ("enter_login_duration", 1_980.0),
        ("login_form_duration", 26.54),
        ("enter_password_duration", 865.81),
        ("check_password_duration", 899.43),
        ("token_duration", 757.91),
    ];
    for n in 0..20 {
        steps.iter().for_each(|(name, ms)| {
            csv.sample(name, START + n, *ms, &[]);
        });
        csv.iteration(START + n, 7_530.0);
    }
    let evidence = reduced(&[("k6.csv", &csv.0)]).evidence;
    let outside = evidence.test_phase.as_ref().unwrap().outside_steps_ms_per_iteration.unwrap();
    assert!(close(outside, 7_530.0 - 4_529.69, 1e-9), "{outside}");
    assert_eq!(
        warnings(&evidence, "time-outside-steps"),
        ["3.00 s (40 %) of the mean iteration lie outside its named steps"]
    );
}
