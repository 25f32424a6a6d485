//! Small published pages of an invented shop.

use std::path::PathBuf;

use tempfile::TempDir;

/// What a page's k6 output says.
#[derive(Clone, Copy)]
pub struct Figures {
    pub vus: u64,
    pub per_second: f64,
    pub p95: &'static str,
    pub failed: u64,
    pub total: u64,
}

pub const USUAL: Figures = Figures { vus: 600, per_second: 100.0, p95: "1.15s", failed: 0, total: 1000 };

/// A folder with pages and texts.
pub struct Docs {
    folder: TempDir,
}

impl Docs {
    pub fn new() -> Self {
        Docs { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Writes a file and gives its path as an argument.
    pub fn write(&self, below: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn read(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap()
    }

    /// Publishes a page; gives the folder of all pages.
    pub fn page(&self, version: &str, target: &str, figures: Figures) -> String {
        self.page_with(version, target, &block(figures), "")
    }

    /// A page with this block and these rows besides the usual ones.
    pub fn page_with(&self, version: &str, target: &str, block: &str, rows: &str) -> String {
        let page = format!(
            "---\ntitle: x\n---\n\n| Metric | Value |\n| :--- | :--- |\n| Executed test | {target} |\n\
             | Shop Version | {version} |\n{rows}\n## k6 output\n\n```bash\n{block}\n```\n"
        );
        self.write(&format!("docs/{version}/{target}/index.mdx"), page);
        self.path("docs").to_str().unwrap().to_owned()
    }

    /// Two pages of one version.
    pub fn shop() -> (Self, String) {
        let docs = Docs::new();
        docs.page("v1", "login", Figures { per_second: 3451.6, failed: 29, total: 6_335_633, ..USUAL });
        docs.page("v1", "search", USUAL);
        let pages =
            docs.page("v1", "order", Figures { vus: 200, per_second: 18.87, failed: 225, total: 171_987, ..USUAL });
        (docs, pages)
    }
}

/// k6's summary in its compact layout.
pub fn block(figures: Figures) -> String {
    let Figures { vus, per_second, p95, failed, total } = figures;
    let iterations = (per_second * 1802.1).round();
    format!(
        "  █ TOTAL RESULTS\n\n    HTTP\n    http_req_duration....: min=1ms avg=20ms max=1m0s p(50)=24.53ms p(95)={p95} p(99)=1s\n    \
         http_req_failed......: 0.00% {failed} out of {total}\n    http_reqs............: {total} 1/s\n\n    EXECUTION\n    \
         iterations...........: {iterations} {per_second}/s\n    vus_max..............: {vus} min={vus} max={vus}\n\n\
         running (30m02.1s), 000/{vus} VUs, {iterations} complete and 0 interrupted iterations\n\
         default ✓ [ 100% ] {vus} VUs  30m0s"
    )
}

pub const TABLE: &str = "| target | VUs | iter/s | p50 | p95 | p99 | failed requests |
|:---|---:|---:|---:|---:|---:|:---|
| login | 600 | 3452 | 24.53ms | 1.15s | 1s | 29 / 6,335,633 (<0.01%) |
| search | 600 | 100 | 24.53ms | 1.15s | 1s | 0 / 1,000 (0.00%) |
| order | **200** | 19 | 24.53ms | 1.15s | 1s | 225 / 171,987 (0.13%) |

**Before you compare**

- VUs differ: 600 for 2 of 3 runs, 200 for order.
";
