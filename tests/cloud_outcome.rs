//! The outcome of a run from its files: the baseline, the load generator's limits, runs without monitoring.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::k6::{Csv, START};
use support::{run, run_ok};
use sweepdoc::model::{Evidence, OutcomeRule, OutcomeVerdict, Time};

/// Two minutes of one iteration a second, with what is expected of monitoring and the project file.
struct Sweep {
    folder: tempfile::TempDir,
}

impl Sweep {
    fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sweep = Sweep { folder };
        let config = format!("product = \"Shop\"\nversion = \"v2\"\n{config}");
        sweep.write("sweepdoc.toml", &config);
        sweep.write("login/k6.csv", &Csv::healthy(START, 120).0);
        sweep
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Exports of the given quantities, each constant.
    fn monitored(&self, quantities: &[(&str, f64)]) {
        let mut table = "time,quantity,value,unit\n".to_owned();
        for (quantity, percent) in quantities {
            for step in 1..=11 {
                let time = Time::from_unix_seconds(START + 10 * step).unwrap();
                table += &format!("{time},{quantity},{percent},percent\n");
            }
        }
        self.write("login/gcp/metrics.csv", &table);
    }

    /// An older page of a target: its k6 output alone.
    fn baseline(&self, path: &str, rate: f64) {
        let block = format!("█ TOTAL RESULTS\n\n    EXECUTION\n    iterations...: 120 {rate}/s\n");
        let page =
            format!("| Metric | Value |\n| :--- | :--- |\n| VUs | 2 |\n\n## k6 output\n\n```text\n  {block}```\n");
        self.write(path, &page);
    }

    fn published(&self) -> (Evidence, String) {
        let root = self.folder.path();
        let out = root.join("docs");
        let output = run(&["publish", root.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let page = out.join("v2/login/index.mdx");
        let evidence = fs::read_to_string(page.with_file_name("evidence.json")).unwrap();
        (serde_json::from_str(&evidence).unwrap(), fs::read_to_string(page).unwrap())
    }

    fn complaint(&self) -> String {
        let root = self.folder.path().to_str().unwrap();
        let output = run(&["publish", root, "--out", Path::new(root).join("docs").to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

const BASELINE: &str = "[outcome]\nbaseline = \"older\"\n";

#[test]
fn a_gain_too_small_over_the_baseline_ends_the_tests() {
    let sweep = Sweep::new(BASELINE);
    sweep.monitored(&[("database_cpu", 95.0), ("container_cpu_p50", 40.0)]);
    let rate = rate(&sweep);
    for (share, rule) in [(1.0, OutcomeRule::NoGain), (0.97, OutcomeRule::NoGain), (0.9, OutcomeRule::Saturation)] {
        sweep.baseline("older/v1/login/index.mdx", rate * share);
        let (evidence, page) = sweep.published();
        let outcome = evidence.outcome.unwrap();
        assert_eq!(outcome.rule, rule, "{share}");
        assert!((outcome.figures.gain.unwrap() - (1.0 / share - 1.0)).abs() < 1e-3, "{outcome:?}");
        assert!(page.contains("over the baseline's"), "{page}");
    }
}

/// k6's own rate of the sweep's run.
fn rate(sweep: &Sweep) -> f64 {
    sweep.baseline("older/v1/login/index.mdx", 1.0);
    sweep.published().0.k6.iterations.and_then(|iterations| iterations.per_second).unwrap()
}

#[test]
fn a_target_the_baseline_lacks_has_no_gain_and_says_so() {
    let sweep = Sweep::new(BASELINE);
    sweep.baseline("older/v1/logout/index.mdx", 10.0);
    let (evidence, page) = sweep.published();
    assert!(evidence.warnings.iter().any(|warning| warning.code == "no-baseline"), "{:?}", evidence.warnings);
    assert_eq!(evidence.outcome, None, "nobody looked at the machines");
    assert!(!page.contains("flowchart outcome"));
}

#[test]
fn a_baseline_without_pages_or_with_several_versions_is_an_error() {
    let sweep = Sweep::new(BASELINE);
    sweep.write("older/notes.txt", "x");
    assert!(sweep.complaint().contains("key `baseline` in `[outcome]`"), "{}", sweep.complaint());
    sweep.baseline("older/v1/login/index.mdx", 10.0);
    sweep.baseline("older/v0/login/index.mdx", 10.0);
    assert!(sweep.complaint().contains("expected the pages of one version"), "{}", sweep.complaint());
}

#[test]
fn changed_figures_of_gain_and_baseline_are_found() {
    let sweep = Sweep::new(BASELINE);
    sweep.monitored(&[("database_cpu", 95.0), ("container_cpu_p50", 40.0)]);
    let rate = rate(&sweep);
    sweep.baseline("older/v1/login/index.mdx", rate * 0.5);
    let (_, text) = sweep.published();
    assert!(text.contains("gain 100% over the baseline's"), "{text}");
    let page = sweep.folder.path().join("docs/v2/login/index.mdx");
    let checked = |text: &str| {
        fs::write(&page, text).unwrap();
        let output = run(&["check", page.to_str().unwrap(), "--format", "json"]);
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!checked(&text).contains("baseline"));
    assert!(checked(&text.replace("gain 100%", "gain 90%")).contains("gain over the baseline"));
    assert!(checked(&text.replace("baseline's 0", "baseline's 3")).contains("iterations per second of the baseline"));
}

#[test]
fn the_load_generators_limits_are_an_issue_of_their_own() {
    let idle = [("database_cpu", 30.0), ("container_cpu_p50", 20.0)];
    let sweep = Sweep::new("");
    sweep.monitored(&[idle[0], idle[1], ("client_cpu", 93.0)]);
    let (evidence, page) = sweep.published();
    assert_eq!(evidence.outcome.unwrap().rule, OutcomeRule::LoadGenerator);
    assert!(page.contains("load generator CPU 93% median"));

    let sweep = Sweep::new("");
    sweep.monitored(&idle);
    let mut csv = Csv::healthy(START, 120);
    csv.sample("dropped_iterations", START + 7, 12.0, &[("group", "")]);
    sweep.write("login/k6.csv", &csv.0);
    let (evidence, page) = sweep.published();
    assert_eq!(evidence.outcome.unwrap().rule, OutcomeRule::ShortOfLoad);
    assert!(page.contains("12 iterations never started"), "{page}");
}

#[test]
fn vus_that_never_ran_are_counted_against_a_constant_plan() {
    let sweep = Sweep::new("");
    sweep.monitored(&[("database_cpu", 30.0), ("container_cpu_p50", 20.0)]);
    let mut csv = Csv::healthy(START, 120);
    for second in 0..120 {
        csv.sample("vus", START + second, 3.0, &[]);
        csv.sample("vus_max", START + second, 5.0, &[]);
    }
    sweep.write("login/k6.csv", &csv.0);
    let log = "     scenarios: (100.00%) 1 scenario, 5 max VUs, 2m30s max duration (incl. graceful stop):\n\
               \x20             * default: 5 looping VUs for 2m0s (gracefulStop: 30s)\n";
    sweep.write("login/k6.log", log);
    let (evidence, page) = sweep.published();
    assert_eq!(evidence.k6.planned_vus, Some(5));
    let outcome = evidence.outcome.unwrap();
    assert_eq!((outcome.rule, outcome.figures.missing_vus), (OutcomeRule::ShortOfLoad, Some(2)));
    assert!(page.contains("2 VUs never ran"), "{page}");
}

#[test]
fn critical_failures_end_the_tests_without_monitoring_too() {
    let sweep = Sweep::new("");
    let (evidence, page) = sweep.published();
    assert_eq!(evidence.outcome, None);
    assert!(!page.contains("flowchart outcome"));
    let mut csv = Csv::healthy(START, 120);
    for second in 0..30 {
        csv.failure(START + second, 9.0, &[("status", "503"), ("error_code", "1503")]);
    }
    sweep.write("login/k6.csv", &csv.0);
    let (evidence, page) = sweep.published();
    assert_eq!(evidence.outcome.unwrap().verdict, OutcomeVerdict::Terminate);
    assert!(page.contains("**Terminate.** Failed requests are critical from 5% on."), "{page}");
}

#[test]
fn the_summary_for_programs_has_what_monitoring_says() {
    let sweep = Sweep::new("");
    sweep.monitored(&[("database_cpu", 90.0), ("container_cpu_p50", 40.0)]);
    let text = run_ok(&["summary", sweep.folder.path().to_str().unwrap(), "--format", "json"]);
    let summary: Value = serde_json::from_str(&text).unwrap();
    let monitoring = &summary["monitoring"];
    let range = |quantity: &str, share: f64| json!({"quantity": quantity, "min": share, "max": share, "targets": 1});
    assert!(monitoring["ranges"].as_array().unwrap().contains(&range("database_cpu", 0.9)), "{monitoring}");
    assert_eq!(monitoring["outcomes"], json!([{"verdict": "scale", "resources": ["database"], "targets": ["login"]}]));
    assert_eq!(monitoring.get("queries"), None, "no statements were exported");
}

const PLAIN_TEMPLATE: &str =
    "| Metric | Value |\n| :--- | :--- |\n| VUs | |\n| flowchart outcome | |\n\n```text\nTODO\n```\n";

#[test]
fn a_template_with_the_row_has_the_outcome_of_a_run_nobody_monitored() {
    let sweep = Sweep::new("[pages]\ntemplate = \"_template.mdx\"\n");
    sweep.write("_template.mdx", PLAIN_TEMPLATE);
    let (evidence, text) = sweep.published();
    assert_eq!(evidence.outcome, None);
    let said =
        "**Not enough evidence.** The CPU of database and containers would decide. Figures: failed requests 0.00%.";
    assert!(text.contains(&format!("| flowchart outcome | {said} |")), "{text}");
    let page = sweep.folder.path().join("docs/v2/login/index.mdx");
    let found = |text: &str| {
        fs::write(&page, text).unwrap();
        let output = run(&["check", page.to_str().unwrap(), "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["findings"].as_array().unwrap().iter().filter(|f| f["row"] == "flowchart outcome").count()
    };
    assert_eq!(found(&text), 0);
    assert_eq!(found(&text.replace("failed requests 0.00%", "failed requests 0.01%")), 1);

    // a person's own verdict stays, and contradicts nothing
    let own = text.replace(said, "**Terminate.** The vendor's licence ends here.");
    fs::write(&page, &own).unwrap();
    assert_eq!(sweep.published().1, own);
}

#[test]
fn a_verdict_written_before_outcomes_were_stated_for_every_run_is_no_conflict() {
    let sweep = Sweep::new("[pages]\ntemplate = \"_template.mdx\"\n");
    sweep.write("_template.mdx", PLAIN_TEMPLATE);
    let (_, text) = sweep.published();
    let page = sweep.folder.path().join("docs/v2/login/index.mdx");
    // what an older version remembers of the row: nothing
    let remembered = page.with_file_name("evidence.json");
    let mut evidence: Value = serde_json::from_str(&fs::read_to_string(&remembered).unwrap()).unwrap();
    let row = evidence["generated"]["rows"]["flowchart outcome"].take();
    evidence["generated"]["rows"]["flowchart outcome"] = json!("");
    fs::write(&remembered, evidence.to_string()).unwrap();
    let own = text.replace(row.as_str().unwrap(), "**Scale (queue).**");
    fs::write(&page, &own).unwrap();
    assert_eq!(sweep.published().1, own);
}

#[test]
fn a_missing_baseline_fails_only_what_decides_an_outcome() {
    let sweep = Sweep::new("");
    sweep.published();
    sweep.write("sweepdoc.toml", &format!("product = \"Shop\"\nversion = \"v2\"\n{BASELINE}"));
    let complaint = sweep.complaint();
    assert!(complaint.contains("key `baseline` in `[outcome]`") && complaint.contains("older"), "{complaint}");
    let root = sweep.folder.path();
    let (root, page) = (root.to_str().unwrap(), root.join("docs/v2/login/index.mdx"));
    let page = page.to_str().unwrap();
    let windows = run_ok(&["windows", root]);
    assert_eq!(windows.lines().count(), 1);
    let checked = run(&["check", page, "--config", &format!("{root}/sweepdoc.toml")]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stderr));
    run_ok(&["summary", page]);
    let reduced = run(&["check", page, "--config", &format!("{root}/sweepdoc.toml"), "--evidence", root]);
    assert_eq!(reduced.status.code(), Some(2), "a run that is reduced has an outcome");
}

#[test]
fn check_judges_by_the_thresholds_of_the_project_file_and_says_by_which() {
    let sweep = Sweep::new("");
    sweep.monitored(&[("database_cpu", 88.0), ("container_cpu_p50", 40.0)]);
    let (_, text) = sweep.published();
    assert!(text.contains("**Scale (database).**"));
    let page = sweep.folder.path().join("docs/v2/login/index.mdx");
    let verdict = |extra: &[&str]| {
        let output = run(&[&["check", page.to_str().unwrap(), "--format", "json", "--all"], extra].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let claims = report["findings"].as_array().unwrap().clone();
        let claim = claims.into_iter().find(|claim| claim["claim"] == "outcome of the flowchart").unwrap();
        (claim["verdict"].as_str().unwrap().to_owned(), claim["explanation"].as_str().unwrap().to_owned())
    };
    let (judged, why) = verdict(&[]);
    assert!(judged == "ok" && why.ends_with("by the thresholds of the project file"), "{judged}: {why}");
    sweep.write("other.toml", "product = \"Shop\"\nversion = \"v2\"\n[outcome]\ndatabase_cpu_percent = 90\n");
    let other = sweep.folder.path().join("other.toml");
    let (judged, why) = verdict(&["--config", other.to_str().unwrap()]);
    assert!(judged == "contradicted" && why.ends_with("by the thresholds of the project file"), "{judged}: {why}");
    fs::remove_file(sweep.folder.path().join("sweepdoc.toml")).unwrap();
    assert_eq!(verdict(&[]).1, "the rule gives the same outcome by the thresholds recorded with the run");
    fs::remove_file(page.with_file_name("evidence.json")).unwrap();
    assert_eq!(verdict(&[]).1, "the rule gives the same outcome by the default thresholds");
}

#[test]
fn the_summary_has_the_outcomes_the_pages_have() {
    let sweep = Sweep::new("");
    sweep.monitored(&[("database_cpu", 90.0), ("container_cpu_p50", 40.0)]);
    sweep.write("logout/k6.csv", &Csv::healthy(START + 1000, 120).0);
    let (_, text) = sweep.published();
    let root = sweep.folder.path();
    let said = |path: &Path| {
        let text = run_ok(&["summary", path.to_str().unwrap()]);
        let lines = text.lines().skip_while(|line| *line != "**Monitoring**").skip(2);
        lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let pages = root.join("docs/v2");
    let measured =
        ["- database CPU 90% median on one of two targets", "- container CPU 40% median on one of two targets"];
    let expected = [&measured[..], &["- Scale (database): login", "- Not enough evidence: logout"]].concat();
    assert_eq!(said(root), expected);
    assert_eq!(said(&pages), expected);

    // a person's own verdict, on the page or as a fact
    let page = pages.join("login/index.mdx");
    fs::write(&page, text.replace("**Scale (database).**", "**Terminate.**")).unwrap();
    assert!(said(&pages).contains(&"- Terminate: login".to_owned()), "{:?}", said(&pages));
    let facts = "[targets.login]\nfacts = { \"flowchart outcome\" = \"**Terminate.** Enough.\" }\n";
    sweep.write("sweepdoc.toml", &format!("product = \"Shop\"\nversion = \"v2\"\n{facts}"));
    assert!(said(root).contains(&"- Terminate: login".to_owned()), "{:?}", said(root));
}

#[test]
fn a_share_just_below_its_limit_is_not_written_as_the_limit() {
    let sweep = Sweep::new("");
    sweep.monitored(&[("database_cpu", 84.6), ("container_cpu_p50", 40.0)]);
    let (evidence, page) = sweep.published();
    assert_eq!(evidence.outcome.unwrap().rule, OutcomeRule::NothingExhausted);
    assert!(page.contains("database CPU 84.6% median, container CPU 40% median"), "{page}");
}

/// A page of hand-written rows alone, and what `check` says of its outcome.
fn judged(database: &str, verdict: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("index.mdx");
    let table = format!(
        "| Metric | Value |\n| :--- | :--- |\n| ZITADEL metrics during test | CPU: p50 20%, p99 30% |\n\
         | Database metrics during test | CPU: {database} median, 97% peak |\n| flowchart outcome | {verdict} |\n"
    );
    fs::write(&page, table).unwrap();
    let output = run(&["check", page.to_str().unwrap(), "--format", "json", "--all"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of_outcome = |claim: &&Value| claim["kind"] == "outcome";
    let said = |claim: &Value| ["claim", "verdict"].map(|field| claim[field].as_str().unwrap().to_owned());
    let claims = report["findings"].as_array().unwrap().iter().filter(of_outcome).map(said);
    claims.map(|[claim, verdict]| (claim, verdict)).collect()
}

#[test]
fn one_limit_holds_for_the_cpu_of_a_saturated_database() {
    // between the default of 85 % and 90 %
    for cpu in ["86%", "87.5%", "89%", "90%"] {
        let rule = ("outcome of the flowchart".to_owned(), "contradicted".to_owned());
        let row = ("no resource ran out".to_owned(), "contradicted".to_owned());
        assert_eq!(judged(cpu, "**Log potential issue and scale.** Not resource-bound."), [rule, row], "{cpu}");
        assert_eq!(judged(cpu, "**Scale (database).**"), [("outcome of the flowchart".into(), "ok".into())], "{cpu}");
    }
    for cpu in ["84%", "84.9%"] {
        let ok = ("outcome of the flowchart".to_owned(), "ok".to_owned());
        assert_eq!(judged(cpu, "**Log potential issue and scale.** Not resource-bound."), [ok], "{cpu}");
    }
}

#[test]
fn a_page_whose_figure_is_rounded_across_the_limit_cannot_be_judged() {
    let rule = ("outcome of the flowchart".to_owned(), "unverifiable".to_owned());
    let row = ("no resource ran out".to_owned(), "unverifiable".to_owned());
    // 84.5 % is no saturation, 85.4 % is
    assert_eq!(judged("85%", "**Scale (database).**"), std::slice::from_ref(&rule));
    assert_eq!(judged("85%", "**Log potential issue and scale.** Not resource-bound."), [rule, row]);
    assert_eq!(judged("85.1%", "**Scale (database).**"), [("outcome of the flowchart".into(), "ok".into())]);
}

#[test]
fn a_verdict_that_names_another_resource_than_ran_out_is_found() {
    let claim = |judged: &str| [("outcome of the flowchart".to_owned(), judged.to_owned())];
    assert_eq!(judged("95%", "**Scale (containers).** They were busy."), claim("contradicted"));
    assert_eq!(judged("95%", "**Scale (database, containers).**"), claim("contradicted"));
    assert_eq!(judged("95%", "**Scale.** One size up."), claim("ok"));
    assert_eq!(judged("95%", "**Terminate.** 2% more than before the last step."), claim("unverifiable"));
    // 40 % of the listed statements' time may be less than 30 % of that of all
    let listed = "|\n| Top 3 most expensive database queries | 1: a (600 s)<br/>2: b — **lock wait** (400 s)";
    assert_eq!(judged("95%", &format!("**Scale (database).** {listed}")), claim("unverifiable"));
    assert_eq!(judged("95%", &format!("**Log potential issue.** {listed}")), claim("ok"));
    assert_eq!(judged("95%", &format!("**Scale (database).** {}", listed.replace("400", "200"))), claim("ok"));
    let sweep = Sweep::new("");
    sweep.monitored(&[("database_cpu", 95.0)]);
    let (_, text) = sweep.published();
    let page = sweep.folder.path().join("docs/v2/login/index.mdx");
    let found = |words: &str| {
        fs::write(&page, text.replace("Scale (database)", words)).unwrap();
        let output = run(&["check", page.to_str().unwrap(), "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = report["findings"].as_array().unwrap().iter();
        findings
            .filter(|f| f["kind"] == "outcome")
            .map(|f| f["stated"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("Scale (database)"), Vec::<String>::new());
    assert_eq!(found("Scale (containers)"), ["Scale (containers)"]);
    assert_eq!(found("Scale (database, containers)"), Vec::<String>::new(), "of the containers nothing is known");
    assert_eq!(found("Terminate"), ["Terminate"]);
}

#[test]
fn a_folder_among_exports_is_told() {
    let sweep = Sweep::new("");
    sweep.write("logout/k6.csv", &Csv::healthy(START + 1000, 120).0);
    sweep.write("login/gcp/raw/a.json", "{}");
    sweep.write("gcp/logout/a.json", "{}");
    let root = sweep.folder.path().to_str().unwrap();
    let output = run(&["publish", root, "--out", &format!("{root}/docs")]);
    let said = String::from_utf8_lossy(&output.stderr).replace(root, "");
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("gcp/")).collect();
    let why = "expected files in `gcp` itself, found a folder: left out [cloud-unreadable]";
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines.contains(&format!("warning: login: gcp/raw: {why}").as_str()), "{said}");
    assert!(lines.contains(&format!("warning: : gcp/logout: {why}").as_str()), "{said}");
}

#[test]
fn rows_of_a_sweeps_table_that_are_of_no_run_are_told() {
    let sweep = Sweep::new("");
    sweep.write("logout/k6.csv", &Csv::healthy(START + 1000, 120).0);
    let row = |target: &str, first: i64| {
        let time = |step: i64| Time::from_unix_seconds(first + 10 * step).unwrap();
        (1..=11).map(|step| format!("{target},db_cpu,{},0.9\n", time(step))).collect::<String>()
    };
    let table = |rows: &[String]| format!("target,metric,timestamp,value\n{}", rows.concat());
    sweep.write("gcp/raw.csv", &table(&[row("login", START), row("logn", START), row("search", START)]));
    let vacuum =
        "target,timestamp,kind,elapsed_s\nlogout,2026-01-01T00:00:00Z,vacuum,\nother,2026-01-01T00:00:00Z,vacuum,1\n";
    sweep.write("gcp/vacuum.csv", vacuum);
    let root = sweep.folder.path().to_str().unwrap();
    let said = |args: &[&str]| {
        let output = run(args);
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().filter(|line| line.contains("gcp/")).map(|line| line.replace(root, "")).collect::<Vec<_>>()
    };
    let raw = "warning: : gcp/raw.csv: expected rows of `login`, `logout`, found those of `logn`, `search`: left out [cloud-other-system]";
    let vacuum = "warning: : gcp/vacuum.csv: expected rows of `login`, `logout`, found those of `other`: left out [cloud-other-system]";
    let another_day = "warning: : gcp/vacuum.csv: no point lies near the window of any run, the first is of 2026-01-01T00:00:00Z: left out [cloud-other-time]";
    let out = format!("{root}/docs");
    assert_eq!(said(&["summary", root]), [raw, vacuum, another_day]);
    assert_eq!(said(&["publish", root, "--out", &out]), [raw, vacuum, another_day]);
    assert_eq!(
        said(&["publish", root, "--out", &out, "--target", "login"]),
        [raw, vacuum],
        "logout's file is no stray"
    );
    // rows that name a run, of other minutes than its
    sweep.write("gcp/raw.csv", &table(&[row("login", START + 1000), row("logout", START + 1000)]));
    fs::remove_file(format!("{root}/gcp/vacuum.csv")).unwrap();
    let said = said(&["publish", root, "--out", &out]);
    assert!(
        said.len() == 1 && said[0].contains("login: ../gcp/raw.csv: no point lies within the run's window"),
        "{said:?}"
    );
}

#[test]
fn a_jinja_template_may_ask_for_the_outcome_of_a_run_nobody_monitored() {
    let sweep = Sweep::new("[pages]\ntemplate = \"_template.mdx\"\n");
    sweep.write("_template.mdx", "Outcome: {{ row(\"flowchart outcome\") }}\n\n```text\n{{ k6_summary }}\n```\n");
    let said =
        "**Not enough evidence.** The CPU of database and containers would decide. Figures: failed requests 0.00%.";
    let (_, text) = sweep.published();
    assert!(text.contains(&format!("Outcome: {said}\n")), "as a table has it: {text}");
    sweep.monitored(&[("database_cpu", 95.0), ("container_cpu_p50", 40.0)]);
    let (_, text) = sweep.published();
    assert!(
        text.contains("Outcome: **Scale (database).** The database is saturated from a median CPU of 85% on."),
        "{text}"
    );
}

#[test]
fn windows_for_programs_are_widened_at_both_ends() {
    let sweep = Sweep::new("");
    sweep.write("logout/k6.csv", &Csv::healthy(START + 1000, 120).0);
    let time = |seconds: i64| Time::from_unix_seconds(START + seconds).unwrap().to_string();
    let root = sweep.folder.path().to_str().unwrap().to_owned();
    let windows = |args: &[&str]| -> Value {
        serde_json::from_str(&run_ok(&[&["windows", &root, "--format", "json"], args].concat())).unwrap()
    };
    let expected = |pad: i64| {
        json!([{"target": "login", "start": time(-pad), "end": time(119 + pad)},
               {"target": "logout", "start": time(1000 - pad), "end": time(1119 + pad)}])
    };
    assert_eq!(windows(&[]), expected(0));
    assert_eq!(windows(&["--pad", "90"]), expected(90));
}
