//! The shared published pages, made anew from their own chart data and k6 block, with the facts read back from them.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use support::pages::sweep_of;
use support::{run_ok, shared};
use sweepdoc::check::page::{Page, facts_of};
use sweepdoc::rows::RowId;

fn published(version: &Path, folder: &Path) -> BTreeMap<String, (Page, Page)> {
    let sweep = sweep_of(version, folder);
    let template = version.parent().unwrap().join("_template.mdx");
    std::fs::copy(template, sweep.join("_template.mdx")).unwrap();
    let config = sweep.join("sweepdoc.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("[pages]\n", "[pages]\ntemplate = \"_template.mdx\"\n")).unwrap();
    let out = folder.join("docs");
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(version).unwrap() {
        let target = entry.unwrap().file_name().to_string_lossy().into_owned();
        run_ok(&["publish", sweep.to_str().unwrap(), "--out", out.to_str().unwrap(), "--target", &target]);
        let read = |path: PathBuf| Page::read(&std::fs::read_to_string(path).unwrap(), Some("ZITADEL"));
        let name = version.file_name().unwrap();
        let old = read(version.join(&target).join("index.mdx"));
        let new = read(out.join(name).join(&target).join("index.mdx"));
        pages.insert(target, (old, new));
    }
    pages
}

fn text(page: &Page, id: RowId) -> String {
    page.row(id).map(|row| row.text.clone()).unwrap_or_default()
}

#[test]
fn pages_made_anew_keep_the_facts_and_correct_what_was_wrong() {
    let Some(version) = shared("real-pages/v4") else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = published(&version, folder.path());
    assert_eq!(pages.len(), 11);
    for (target, (old, new)) in &pages {
        let facts = |page: &Page| {
            facts_of(page).into_iter().map(|(label, value)| (label.to_lowercase(), value)).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(facts(new), facts(old), "{target}: facts");
        assert_eq!(text(new, RowId::Vus), text(old, RowId::Vus), "{target}");
        assert_eq!(text(new, RowId::ExecutedTest), *target);
    }
    // the chart data's first row, where the published row was an hour off or counted setup samples (known faults 11 to 13)
    let starts = [
        ("add_session", "2025-07-30 10:32:26 UTC"),
        ("introspect", "2025-07-30 12:33:56 UTC"),
        ("manipulate_user", "2025-07-30 14:07:38 UTC"),
        ("otp_session", "2025-08-04 13:56:18 UTC"),
        ("machine_client_credentials_login", "2025-07-30 09:29:25 UTC"),
        ("machine_pat_login", "2025-07-30 08:35:09 UTC"),
    ];
    for (target, start) in starts {
        assert_eq!(text(&pages[target].1, RowId::TestStart), start, "{target}");
    }
    // k6's own rate (fault 2) and failures nobody reported (fault 15)
    assert_eq!(text(&pages["machine_pat_login"].1, RowId::IterationsPerSecond), "39");
    for (target, failed) in [
        ("human_password_login", "1,117 of "),
        ("manipulate_user", "31 of "),
        ("oidc_session", "144 of "),
        ("password_session", "1,224 of "),
        ("add_session", "2 of "),
        ("introspect", "2 of "),
        ("machine_client_credentials_login", "4 of "),
        ("otp_session", "1 of "),
    ] {
        let errors = text(&pages[target].1, RowId::ObservedErrors);
        assert!(errors.starts_with(failed), "{target}: {errors}");
    }
    // fault 5: the run did not end after its planned 30 minutes
    let duration = text(&pages["oidc_session"].1, RowId::TestDuration);
    assert_eq!(duration, "42min 7s (planned 30min, 600 iterations interrupted)");
    assert_eq!(text(&pages["manipulate_user"].1, RowId::TestDuration), "30min");
}

#[test]
fn one_log_in_two_folders_is_refused() {
    // known fault 1: one page's block is another's
    let Some(version) = shared("real-pages/v4") else { return };
    let folder = tempfile::tempdir().unwrap();
    let sweep = sweep_of(&version, folder.path());
    let out = folder.path().join("docs");
    let output = support::run(&["publish", sweep.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("machine_pat_login") && stderr.contains("`human_password_login`"), "{stderr}");
    assert!(!out.join("v4").exists());
}

#[test]
fn earlier_versions_with_other_offsets_and_labels_are_made_anew() {
    for (version, target, start, rate) in [
        ("v2.65.0", "machine_jwt_profile_grant", "2024-10-22 16:20:35 UTC", "193"),
        ("v2.66.0", "machine_jwt_profile_grant", "2024-12-09 15:38:44 UTC", "437"),
        ("v2.70.0", "oidc_session", "2025-02-25 14:23:57 UTC", "152"),
    ] {
        let Some(folder_of_version) = shared(&format!("real-pages/{version}")) else { return };
        let folder = tempfile::tempdir().unwrap();
        let pages = published(&folder_of_version, folder.path());
        let new = &pages[target].1;
        assert!(text(new, RowId::TestStart).contains(start), "{version}: {}", text(new, RowId::TestStart));
        assert_eq!(text(new, RowId::IterationsPerSecond), rate, "{version}");
    }
}
