//! The shared published pages, all of them written or edited by people: publishing over them takes nothing away.

use std::path::Path;

use crate::support::pages::sweep_of;
use crate::support::sweep::{contents, sweepdoc};
use crate::support::{run_ok, shared};

/// Copies a folder of published pages.
fn copy(from: &Path, to: &Path) {
    for (path, bytes) in contents(from) {
        let path = to.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

#[test]
fn pages_from_before_this_program_stay_byte_for_byte() {
    let mut pages = 0;
    for version in ["v2.65.0", "v2.66.0", "v2.70.0", "v4", "v4.17.1", "v4.19.2"] {
        let Some(published) = shared(&format!("real-pages/{version}")) else { return };
        let folder = tempfile::tempdir().unwrap();
        let sweep = sweep_of(&published, folder.path());
        let out = folder.path().join("docs");
        copy(&published, &out.join(version));
        let before = contents(&out);
        for entry in std::fs::read_dir(&published).unwrap() {
            let target = entry.unwrap().file_name().into_string().unwrap();
            let args = ["publish", sweep.to_str().unwrap(), "--out", out.to_str().unwrap(), "--target", &target];
            let first = sweepdoc(args);
            assert!(first.code < 2, "{version}/{target}: {first:#?}");
            let second = sweepdoc(args);
            assert!(!second.stderr.contains("conflict:"), "{version}/{target}: told twice: {second:#?}");
            pages += 1;
        }
        let after = contents(&out);
        for (path, bytes) in before.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "mdx")) {
            assert!(after[path] == *bytes, "{version}/{}: changed", path.display());
        }
    }
    assert!(pages > 15, "{pages} pages");
}

#[test]
fn a_corrected_page_of_a_real_run_gets_new_facts_and_keeps_the_correction() {
    let Some(published) = shared("real-pages/v4") else { return };
    let folder = tempfile::tempdir().unwrap();
    let sweep = sweep_of(&published, folder.path());
    let (sweep_path, out) = (sweep.to_str().unwrap().to_owned(), folder.path().join("docs"));
    let args = ["publish", &sweep_path, "--out", out.to_str().unwrap(), "--target", "oidc_session"];
    run_ok(&args);
    let page = out.join("v4/oidc_session/index.mdx");
    let generated = std::fs::read_to_string(&page).unwrap();
    let row = |text: &str, label: &str| text.lines().find(|line| line.contains(label)).unwrap().to_owned();
    let corrected = "| Observed errors | 144 requests failed; see **below** |";
    let edited = generated.replace(&row(&generated, "| Observed errors |"), corrected).replace('\n', "\r\n");
    std::fs::write(&page, &edited).unwrap();

    let config = sweep.join("sweepdoc.toml");
    let facts = std::fs::read_to_string(&config).unwrap();
    let (before, after) = ("\"Client location\" = \"US1\"", "\"Client location\" = \"EU1\"");
    assert!(facts.contains(before), "{facts}");
    std::fs::write(&config, facts.replace(before, after)).unwrap();
    let ran = sweepdoc(args);
    assert!(ran.code < 2, "{ran:#?}");
    let expected = edited.replace("| Client location | US1 |", "| Client location | EU1 |");
    assert_ne!(expected, edited);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), expected);
}
