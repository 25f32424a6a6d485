//! Published pages laid out as the sweep they were made from.

use std::path::{Path, PathBuf};

use sweepdoc::check::page::Page;

use super::run_ok;

/// Lays a version's pages out as a sweep: the block as the log, the chart data as it is, where there is any. Returns the sweep's folder.
pub fn sweep_of(version: &Path, folder: &Path) -> PathBuf {
    let sweep = folder.join("sweep");
    for entry in std::fs::read_dir(version).unwrap() {
        let page = entry.unwrap().path();
        let run = sweep.join(page.file_name().unwrap());
        std::fs::create_dir_all(&run).unwrap();
        let text = std::fs::read_to_string(page.join("index.mdx")).unwrap();
        std::fs::write(run.join("terminal.log"), Page::read(&text, None).k6_block.unwrap().text).unwrap();
        if let Ok(chart) = std::fs::read(page.join("output.json")) {
            std::fs::write(run.join("output.json"), chart).unwrap();
        }
    }
    run_ok(&["init", sweep.to_str().unwrap(), "--from", version.to_str().unwrap()]);
    sweep
}
