//! The shared samples of monitoring exports, and what a run derives from them.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sweepdoc::derive::{FoundExport, observability};
use sweepdoc::ingest::detect::{FileKind, document, recognise};
use sweepdoc::ingest::monitoring::{self, MetricNames, Reading};
use sweepdoc::ingest::source::Source;
use sweepdoc::model::{EvidenceWindow, Observability, Time, Warning, WindowBasis};

/// The runs of the samples.
pub const TARGETS: [&str; 2] = ["session_create", "token_introspect"];

/// The labels of the samples with what they measure.
pub const LABELS: [(&str, &str); 21] = [
    ("zit_cpu_p50", "container_cpu_p50"),
    ("zit_cpu_p99", "container_cpu_p99"),
    ("zit_mem_p50", "container_memory_p50"),
    ("zit_mem_p99", "container_memory_p99"),
    ("zit_instances", "container_instances"),
    ("zit_req_per_s", "server_requests"),
    ("zit_lat_p50_ms", "server_latency_p50"),
    ("zit_lat_p95_ms", "server_latency_p95"),
    ("zit_lat_p99_ms", "server_latency_p99"),
    ("zit_concurrency_p99", "container_concurrency_p99"),
    ("zit_billable_rate", "container_billable_seconds"),
    ("zit_net_sent_bps", "network_sent"),
    ("zit_net_received_bps", "network_received"),
    ("db_cpu", "database_cpu"),
    ("db_mem", "database_memory"),
    ("db_connections", "database_connections"),
    ("db_tx_per_s", "database_transactions"),
    ("db_read_iops", "database_read_operations"),
    ("db_write_iops", "database_write_operations"),
    ("db_xid_utilization", "database_transaction_ids"),
    ("db_deadlocks", "database_deadlocks"),
];

/// The samples' folder, which a user's clone does not have.
pub fn samples() -> Option<PathBuf> {
    super::shared("samples/gcp")
}

/// What a correct reader derives from the samples.
pub fn truth(samples: &Path) -> Value {
    super::json(&samples.join("truth.json"))
}

/// The window of a run of the samples.
pub fn window(truth: &Value, target: &str) -> EvidenceWindow {
    let at = |edge: &str| Time::parse_rfc3339(truth["windows"][target][edge].as_str().unwrap()).unwrap();
    EvidenceWindow { start: at("start"), end: at("end"), basis: WindowBasis::Test }
}

/// A file read as a run reads it.
pub fn export(path: &Path) -> FoundExport {
    reread(path, path.file_name().unwrap().to_str().unwrap())
}

/// An export under another name.
pub fn reread(path: &Path, file: &str) -> FoundExport {
    named(path, file, &MetricNames::default())
}

/// An export with names of the project file.
pub fn named(path: &Path, file: &str, names: &MetricNames) -> FoundExport {
    let source = Source::new(path).unwrap();
    let FileKind::Monitoring(kind) = recognise(&source).unwrap() else { panic!("{} is no export", path.display()) };
    let export = monitoring::read(kind, &document(&source).unwrap(), &Reading { file, names });
    FoundExport { file: file.to_owned(), shared: false, export }
}

/// Every export of a folder, in order of name.
pub fn folder(path: &Path) -> Vec<FoundExport> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| export(file)).collect()
}

/// What the exports say of a run.
pub fn observed(exports: &[FoundExport], target: &str, window: EvidenceWindow) -> (Observability, Vec<Warning>) {
    let (observability, warnings) = observability(exports, target, window, &[]);
    (observability.unwrap_or_default(), warnings)
}
