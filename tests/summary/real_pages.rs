//! The table of real pages against an independent reading of their k6 blocks.

use std::path::Path;

use regex::Regex;

use crate::support::{run, run_ok, shared};

const HEAD: &str =
    "| target | VUs | iter/s | p50 | p95 | p99 | failed requests |\n|:---|---:|---:|---:|---:|---:|:---|\n";

/// The rows published with the v4.17.1 sweep, of the targets whose pages are here.
const V4_17_1: [&str; 2] = [
    "| human_password_login | 600 | 49 | 146.67ms | 4.08s | 1m0s | 9,227 / 683,256 (1.35%) |",
    "| manipulate_user | **200** | 19 | 304.58ms | 10.23s | 38.43s | 225 / 171,987 (0.13%) |",
];

#[test]
fn the_published_sweep_has_exactly_these_rows() {
    let Some(pages) = shared("real-pages/v4.17.1") else { return };
    let text = run_ok(&["summary", pages.to_str().unwrap()]);
    let table = format!("{HEAD}{}\n\n", V4_17_1.join("\n"));
    assert!(text.starts_with(&table), "{text}");
}

/// One row, read from a page's block by its looks alone.
fn row_of(page: &Path) -> (f64, Vec<String>) {
    let text = std::fs::read_to_string(page).unwrap();
    let found = |pattern: &str| Regex::new(pattern).unwrap().captures(&text).map(|c| c[1].to_owned());
    let duration = found(r"(?m)^\s*http_req_duration\.+: (.*)$").unwrap();
    let quantile =
        |p: &str| Regex::new(&format!(r"p\({p}\)=(\S+)")).unwrap().captures(&duration).unwrap()[1].to_owned();
    let rate: f64 = found(r"(?m)^\s*iterations\.+: +\d+ +([\d.]+)/s").unwrap().parse().unwrap();
    let count = |pattern: &str| found(pattern).unwrap().parse::<u64>().unwrap();
    let total = count(r"(?m)^\s*http_reqs\.+: +(\d+)");
    let failed = found(r"http_req_failed\.+: +\S+ +(\d+) out of")
        .map_or_else(|| count(r"http_req_failed\.+: +\S+ +✓ (\d+)"), |failed| failed.parse().unwrap());
    // k6 cuts; exact integers need no notation of ours
    let hundredths = u128::from(failed) * 10_000 / u128::from(total);
    let share = match (failed, hundredths) {
        (1.., 0) => "<0.01%".to_owned(),
        (_, h) => format!("{}.{:02}%", h / 100, h % 100),
    };
    let vus = found(r"(?m)^\s*vus_max\.+: +(\d+)").unwrap();
    let cells = vec![
        page.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned(),
        vus,
        format!("{}", rate.round()),
        quantile("50"),
        quantile("95"),
        quantile("99"),
        format!("{} / {} ({share})", thousands(failed), thousands(total)),
    ];
    (rate, cells)
}

fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| std::str::from_utf8(group).unwrap()).collect::<Vec<_>>().join(",")
}

#[test]
fn every_table_says_what_the_blocks_of_its_pages_say() {
    let Some(root) = shared("real-pages") else { return };
    let mut rows = 0;
    for version in ["v2.65.0", "v2.66.0", "v2.70.0", "v4", "v4.17.1", "v4.19.2"] {
        let folder = root.join(version);
        let pages = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path().join("index.mdx"));
        let mut wanted: Vec<(f64, Vec<String>)> = pages.map(|page| row_of(&page)).collect();
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1[0].cmp(&b.1[0])));
        let wanted: Vec<String> = wanted.iter().map(|(_, cells)| format!("| {} |", cells.join(" | "))).collect();
        let text = run_ok(&["summary", root.to_str().unwrap(), "--release", version]);
        let found: Vec<String> = text
            .strip_prefix(HEAD)
            .unwrap()
            .lines()
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.replace("**", ""))
            .collect();
        assert_eq!(found, wanted, "{version}");
        rows += found.len();
    }
    assert_eq!(rows, 18);
}

#[test]
fn pages_of_several_versions_need_a_choice() {
    let Some(root) = shared("real-pages") else { return };
    let output = run(&["summary", root.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    for word in ["`v2.65.0`", "`v4.17.1`", "`v4.19.2`", "`--release`"] {
        assert!(complaint.contains(word), "{word}: {complaint}");
    }
    let output = run(&["summary", root.to_str().unwrap(), "--release", "v5"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected runs of version `v5`, found `v2.65.0`"));
}

#[test]
fn a_copied_block_and_a_run_cut_short_are_said() {
    let Some(pages) = shared("real-pages/v4") else { return };
    let text = run_ok(&["summary", pages.to_str().unwrap()]);
    assert!(text.contains("- human_password_login and machine_pat_login have the same k6 output"), "{text}");
    assert!(text.contains("- oidc_session did not end as planned: it ran 42min 7s of 30min planned, 600 iterations"));
}
