use std::path::Path;

use super::*;

const FULL: &str = r#"
product = "ZITADEL"
version = "v4.17.1"

[pages]
out      = "../docs/benchmarks"
template = "_template.mdx"
path     = "{version}/{target}/index.mdx"
mirror   = "../src/data/{version}/{target}/output.json"
sidebar  = "../_meta.json"
title    = "{words} benchmark of zitadel {version}"

[facts]
"Client location" = "US1"
"ZITADEL feature flags" = { file = "flags.json" }
"Node pool" = "n2-standard-8"

[rows]
hide = ["Baseline"]
rename = { "VUs" = "Virtual users" }
order = ["VUs", "Test start"]

[targets.manipulate_user]
vus = 200
facts = { "Purpose" = "Degradation under churn", "client location" = "EU1" }

[[goals]]
target = "machine_jwt_profile_grant"
metric = "iterations_per_second"
at_least = 1000
link = "https://example.org/8352"

[[causes]]
status = 503
log = "Service error -27"
label = "platform error (load balancer), not ZITADEL"

[errors]
gap_seconds = 20
burst_fraction = 0.5

[outcome]
lock_share_percent = 40

[check]
ignore = ["Purpose"]
severity = { "truncated" = "off" }
tolerance = 0.5

[chart]
timestamp = "rfc3339"

[publish]
redact = ["internal-[a-z0-9-]+"]
"#;

fn parse(text: &str) -> Result<Config> {
    Config::parse(Path::new("sweep/sweepdoc.toml"), text)
}

/// A valid file with `text` after the two required keys: `text` begins on line 3.
fn parse_with(text: &str) -> Result<Config> {
    parse(&format!("product = \"P\"\nversion = \"v1\"\n{text}"))
}

fn complaint(text: &str) -> String {
    parse_with(text).expect_err("expected a fault").to_string()
}

#[test]
fn every_documented_key_is_read() {
    let config = parse(FULL).unwrap();
    assert_eq!((config.product.as_str(), config.version.as_str()), ("ZITADEL", "v4.17.1"));
    assert_eq!(config.pages.out.as_deref(), Some(Path::new("sweep/../docs/benchmarks")));
    assert_eq!(config.pages.template.as_deref(), Some(Path::new("sweep/_template.mdx")));
    let labels: Vec<&str> = config.facts.keys().map(String::as_str).collect();
    assert_eq!(labels, ["Client location", "ZITADEL feature flags", "Node pool"], "the order is the author's");
    assert_eq!(config.facts["ZITADEL feature flags"], FactValue::File("sweep/flags.json".into()));
    assert_eq!(config.rows.rename["VUs"], "Virtual users");
    assert_eq!(config.rows.order, ["VUs", "Test start"]);
    assert_eq!(config.targets["manipulate_user"].vus, Some(200));
    assert_eq!(config.goals[0].at_least, Some(1000.0));
    assert_eq!(config.causes[0].status, Some(503));
    assert_eq!((config.errors.gap_seconds, config.errors.burst_fraction, config.errors.burst_count), (20.0, 0.5, 5));
    assert_eq!(config.outcome.lock_share_percent, 40.0);
    assert_eq!(config.check.severity["truncated"], Severity::Off);
    assert_eq!(config.check.tolerance_percent, 0.5);
    assert_eq!(config.chart_timestamp, ChartTimestamp::Rfc3339);
    assert_eq!(config.redact, ["internal-[a-z0-9-]+"]);
}

#[test]
fn paths_of_a_target_follow_the_patterns() {
    let config = parse(FULL).unwrap();
    let names = config.names("manipulate_user").unwrap();
    let out = Path::new("docs");
    assert_eq!(config.pages.page(out, &names), Path::new("docs/v4.17.1/manipulate_user/index.mdx"));
    let mirror = config.pages.mirror(out, &names).unwrap();
    assert_eq!(mirror, Path::new("docs/../src/data/v4.17.1/manipulate_user/output.json"));
    assert_eq!(config.pages.sidebar(out).unwrap(), Path::new("docs/../_meta.json"));
    assert_eq!(config.pages.title.fill(&names), "manipulate user benchmark of zitadel v4.17.1");
    assert!(config.names("../../x").is_err());
}

#[test]
fn only_product_and_version_are_required() {
    let config = parse_with("").unwrap();
    assert_eq!(config.pages.out, None);
    assert_eq!(config.pages.kind(), PageKind::Mdx);
    let names = config.names("pat_login").unwrap();
    assert_eq!(config.pages.title.fill(&names), "pat login benchmark of P v1");
    assert_eq!(config.pages.intro.fill(&names), "Benchmark results of the v1 release of P.");
    assert_eq!(config.errors, Errors::default());
    assert!(config.facts.is_empty() && config.redact.is_empty());

    let missing = parse("product = \"P\"\n").unwrap_err();
    assert_eq!(missing.to_string(), "sweep/sweepdoc.toml:1: `version` is missing at the top level");
    assert!(parse("product = \"\"\nversion = \"v1\"").unwrap_err().to_string().contains("`product`"));
}

#[test]
fn facts_of_a_target_replace_those_of_the_sweep_whatever_their_case() {
    let mut config = parse(FULL).unwrap();
    config.facts.shift_remove("ZITADEL feature flags");
    let facts = config.facts_for("manipulate_user").unwrap();
    let facts: Vec<(&str, &str)> = facts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(
        facts,
        [("Client location", "EU1"), ("Node pool", "n2-standard-8"), ("Purpose", "Degradation under churn")]
    );
    assert_eq!(config.facts_for("another").unwrap()["Client location"], "US1");
}

#[test]
fn a_missing_fact_file_is_named() {
    let config = parse(FULL).unwrap();
    let fault = config.facts_for("x").unwrap_err().to_string();
    assert!(fault.starts_with("sweep/flags.json: cannot read the fact: "), "{fault}");
}

#[test]
fn an_unknown_key_lists_the_valid_ones_and_hints_at_the_near_one() {
    let fault = parse_with("\n[check]\ntolerence = 1\n").unwrap_err();
    assert_eq!(
        fault.to_string(),
        "sweep/sweepdoc.toml:5: unknown key `tolerence` in `[check]`, expected one of `ignore`, `severity`, `tolerance`"
    );
    assert_eq!(fault.hint.as_deref(), Some("did you mean `tolerance`?"));
    let far = parse_with("[chart]\ncolour = 1\n").unwrap_err();
    assert_eq!(far.hint, None);
    let top = complaint("[page]\nout = 1\n");
    assert!(top.starts_with("sweep/sweepdoc.toml:3: unknown key `page` at the top level, expected one of `product`"));
    let deep = complaint("[targets.x]\nvu = 1\n");
    assert!(deep.contains("unknown key `vu` in `[targets.x]`, expected one of `vus`, `words`, `facts`"), "{deep}");
    assert!(complaint("[[goals]]\nat_last = 1\n").contains("unknown key `at_last` in `[[goals]]`"));
    assert!(complaint("[facts]\nX = { fle = \"a\" }\n").contains("unknown key `fle`"));
}

#[test]
fn a_value_of_the_wrong_type_says_what_was_expected_and_found() {
    assert_eq!(
        complaint("[targets.x]\nvus = \"many\"\n"),
        "sweep/sweepdoc.toml:4: `vus` in `[targets.x]`: expected a whole number from 0, found the text `many`"
    );
    assert_eq!(
        complaint("[facts]\n\"VUs\" = 200\n"),
        "sweep/sweepdoc.toml:4: `VUs` in `[facts]`: expected a text in quotes, found 200"
    );
    assert!(complaint("[targets.x]\nvus = -1\n").contains("found -1"));
    assert!(complaint("[errors]\nburst_fraction = 1.5\n").contains("expected a fraction from 0 to 1, found 1.5"));
    assert!(complaint("[errors]\ngap_seconds = nan\n").contains("expected a number from 0, found nan"));
    assert!(complaint("[chart]\ntimestamp = \"unix\"\n").contains("expected one of `space`, `rfc3339`, found `unix`"));
    assert!(complaint("[rows]\nhide = \"x\"\n").contains("expected a list, found the text `x`"));
    assert!(complaint("[[causes]]\nstatus = 99999\nlabel = \"x\"\n").contains("99999 is out of range"));
}

#[test]
fn what_cannot_work_is_refused_when_the_file_is_read() {
    assert!(complaint("[pages]\npath = \"{version}/index.mdx\"\n").contains("expected `{target}` in it"));
    assert!(complaint("[pages]\npath = \"{target}.html\"\n").contains("ends in `.mdx` or `.md`"));
    assert!(complaint("[pages]\ntitle = \"{name}\"\n").contains("`{name}` is no placeholder"));
    let redact = complaint("[publish]\nredact = [\n  \"ok\",\n  \"[a-\",\n]\n");
    assert!(
        redact.starts_with("sweep/sweepdoc.toml:6: `redact` in `[publish]`: `[a-` is no regular expression"),
        "{redact}"
    );
    assert!(complaint("[[causes]]\nlabel = \"x\"\n").contains("`status`, `error_code`, `error` or `log` is missing"));
    assert!(complaint("[[goals]]\ntarget = \"a\"\nmetric = \"p95\"\n").contains("`at_least` or `at_most` is missing"));
    assert!(complaint("[targets.\"../x\"]\nvus = 1\n").contains("contains a path separator"));
}

#[test]
fn a_fraction_for_a_limit_in_percent_is_refused() {
    for key in ["database_cpu_percent", "container_cpu_percent", "client_cpu_percent", "lock_share_percent"] {
        for value in ["0.85", "1", "0"] {
            let fault = parse_with(&format!("\n[outcome]\n{key} = {value}\n")).unwrap_err();
            let expected = format!("`{key}` in `[outcome]`: expected a percentage above 1, found {value}");
            assert!(fault.to_string().ends_with(&expected), "{fault}");
            assert_eq!(fault.hint.as_deref(), Some("85 % is written `85`, not `0.85`"));
        }
        assert!(parse_with(&format!("\n[outcome]\n{key} = 85\n")).is_ok());
    }
    // of failures and of gains a percent is much
    let small = parse_with("\n[outcome]\ncritical_failed_percent = 0.5\nleast_gain_percent = 1\n").unwrap();
    assert_eq!((small.outcome.critical_failed_percent, small.outcome.least_gain_percent), (0.5, 1.0));
}

#[test]
fn invalid_toml_is_reported_with_its_line() {
    let fault = complaint("[pages\nout = 1\n");
    assert!(fault.starts_with("sweep/sweepdoc.toml:3: invalid TOML: "), "{fault}");
    assert!(!fault.contains('\n'));
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_accepted() {
    let config = parse("\u{feff}product = \"P\"\r\nversion = \"v1\"\r\n").unwrap();
    assert_eq!(config.product, "P");
}

#[test]
fn the_file_is_found_in_the_folder_then_in_its_parents() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("a/b");
    fs::create_dir_all(&run).unwrap();
    fs::write(dir.path().join(FILE_NAME), FULL).unwrap();
    assert_eq!(Config::find(&run), Some(dir.path().join(FILE_NAME)));
    fs::write(run.join(FILE_NAME), FULL).unwrap();
    assert_eq!(Config::find(&run), Some(run.join(FILE_NAME)));
    assert!(Config::load(&run.join(FILE_NAME)).is_ok());
}

#[test]
fn defaults_of_the_reference_are_the_defaults_of_the_code() {
    let number = |table: &str, name: &str| {
        let text = reference::default_of(table, name);
        match text.split_once('/') {
            Some((a, b)) => a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap(),
            None => text.parse::<f64>().unwrap_or_else(|_| panic!("`{table}.{name}` has no numeric default")),
        }
    };
    let e = Errors::default();
    let o = OutcomeThresholds::default();
    for (table, name, value) in [
        ("errors", "gap_seconds", e.gap_seconds),
        ("errors", "gap_fraction", e.gap_fraction),
        ("errors", "burst_fraction", e.burst_fraction),
        ("errors", "burst_count", e.burst_count as f64),
        ("errors", "bursts_share", e.bursts_share),
        ("errors", "sustained_fraction", e.sustained_fraction),
        ("outcome", "database_cpu_percent", o.database_cpu_percent),
        ("outcome", "container_cpu_percent", o.container_cpu_percent),
        ("outcome", "client_cpu_percent", o.client_cpu_percent),
        ("outcome", "lock_share_percent", o.lock_share_percent),
        ("outcome", "critical_failed_percent", o.critical_failed_percent),
        ("outcome", "least_gain_percent", o.least_gain_percent),
        ("check", "tolerance", Check::default().tolerance_percent),
    ] {
        assert_eq!(number(table, name), value, "{table}.{name}");
    }
    for key in ["path", "title", "intro"] {
        let text = reference::default_of("pages", key);
        assert!(Pattern::parse(text).is_ok_and(|p| p != Pattern::default()), "{key}");
    }
}

#[test]
fn a_severity_of_no_kind_is_refused_with_the_valid_ones() {
    let fault = complaint("[check.severity]\nrates = \"off\"\n");
    assert!(fault.starts_with("sweep/sweepdoc.toml:4: `rates` in `[check.severity]`: no kind of claim"), "{fault}");
    assert!(fault.contains("expected one of `generated`, `window`") && fault.ends_with("`unverifiable`"), "{fault}");
}

#[test]
fn the_kinds_a_severity_may_name_are_those_documented() {
    let text = include_str!("../../docs/checking.md");
    let tables = text.split("## Kinds of claims").nth(1).unwrap();
    let kinds = tables.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let mut documented: Vec<&str> = kinds.flat_map(|kinds| kinds.split('`')).filter(|k| k.len() > 2).collect();
    documented.sort_unstable();
    documented.dedup();
    let mut known = crate::model::CLAIM_KINDS.to_vec();
    known.sort_unstable();
    assert_eq!(documented, known);
}
