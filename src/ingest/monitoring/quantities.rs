//! Which metric measures what: the one table of other systems' names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Measure, Percentile, Quantity};

/// What kind of numbers a metric has before it is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// How much there is at a moment.
    Level,
    /// How much was added.
    Counter,
    /// Samples counted by size.
    Distribution,
}

/// A metric of Google Cloud.
#[derive(Debug, Clone, Copy)]
pub(super) struct Metric {
    /// Its full type.
    pub name: &'static str,
    pub quantity: Quantity,
    pub nature: Nature,
    /// Units it may be exported in, each with the factor to the quantity's own unit; the first is the descriptor's.
    pub units: &'static [(&'static str, f64)],
    /// Only series with these labels are of the quantity; the others of the metric are known and left out.
    pub only: &'static [(&'static str, &'static str)],
}

const FRACTION: &[(&str, f64)] = &[("10^2.%", 1.0), ("1", 1.0)];
const PLAIN: &[(&str, f64)] = &[("1", 1.0)];
const RATE: &[(&str, f64)] = &[("1", 1.0), ("1/s", 1.0)];
const BYTES: &[(&str, f64)] = &[("By", 1.0), ("By/s", 1.0)];
const SECONDS: &[(&str, f64)] = &[("s", 1.0), ("s/s", 1.0)];
const MILLISECONDS: &[(&str, f64)] = &[("ms", 1.0), ("us", 0.001), ("s", 1000.0)];
const MICROSECONDS: &[(&str, f64)] = &[("us{CPU}", 1e-6), ("us", 1e-6)];

const fn metric(
    name: &'static str,
    quantity: Quantity,
    nature: Nature,
    units: &'static [(&'static str, f64)],
    only: &'static [(&'static str, &'static str)],
) -> Metric {
    Metric { name, quantity, nature, units, only }
}

/// Metrics of Cloud Run, Cloud SQL for PostgreSQL and Query Insights, as the vendor documents them. Of two for one quantity
/// the first is preferred.
const METRICS: &[Metric] = {
    use Nature::{Counter, Distribution, Level};
    &[
        metric("run.googleapis.com/container/cpu/utilizations", Quantity::ContainerCpu, Distribution, FRACTION, &[]),
        metric(
            "run.googleapis.com/container/memory/utilizations",
            Quantity::ContainerMemory,
            Distribution,
            FRACTION,
            &[],
        ),
        metric("run.googleapis.com/container/instance_count", Quantity::ContainerInstances, Level, PLAIN, &[]),
        metric(
            "run.googleapis.com/container/startup_latencies",
            Quantity::ContainerStartups,
            Distribution,
            &[("ms", 1.0)],
            &[],
        ),
        metric(
            "run.googleapis.com/container/billable_instance_time",
            Quantity::ContainerBillable,
            Counter,
            SECONDS,
            &[],
        ),
        metric(
            "run.googleapis.com/container/max_request_concurrencies",
            Quantity::ContainerConcurrency,
            Distribution,
            PLAIN,
            &[("state", "active")],
        ),
        metric("run.googleapis.com/container/network/sent_bytes_count", Quantity::NetworkSent, Counter, BYTES, &[]),
        metric(
            "run.googleapis.com/container/network/received_bytes_count",
            Quantity::NetworkReceived,
            Counter,
            BYTES,
            &[],
        ),
        metric("run.googleapis.com/request_count", Quantity::ServerRequests, Counter, RATE, &[]),
        metric("run.googleapis.com/request_latencies", Quantity::ServerLatency, Distribution, MILLISECONDS, &[]),
        metric("cloudsql.googleapis.com/database/cpu/utilization", Quantity::DatabaseCpu, Level, FRACTION, &[]),
        metric("cloudsql.googleapis.com/database/memory/utilization", Quantity::DatabaseMemory, Level, FRACTION, &[]),
        metric(
            "cloudsql.googleapis.com/database/memory/components",
            Quantity::DatabaseMemory,
            Level,
            PLAIN,
            &[("component", "usage")],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/num_backends",
            Quantity::DatabaseConnections,
            Level,
            PLAIN,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/num_backends_by_state",
            Quantity::DatabaseConnections,
            Level,
            PLAIN,
            &[],
        ),
        // of MySQL and SQL Server; for PostgreSQL its answers have no series
        metric(
            "cloudsql.googleapis.com/database/network/connections",
            Quantity::DatabaseConnections,
            Level,
            PLAIN,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/transaction_count",
            Quantity::DatabaseTransactions,
            Counter,
            RATE,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/disk/read_ops_count",
            Quantity::DatabaseReadOperations,
            Counter,
            RATE,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/disk/write_ops_count",
            Quantity::DatabaseWriteOperations,
            Counter,
            RATE,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/deadlock_count",
            Quantity::DatabaseDeadlocks,
            Counter,
            PLAIN,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/transaction_id_utilization",
            Quantity::DatabaseTransactionIds,
            Level,
            FRACTION,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/backends_in_wait",
            Quantity::DatabaseAdvisoryWaits,
            Level,
            PLAIN,
            &[("wait_event_type", "Lock"), ("wait_event", "advisory")],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/insights/perquery/execution_time",
            Quantity::QueryTime,
            Counter,
            MICROSECONDS,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/insights/perquery/lock_time",
            Quantity::QueryLockTime,
            Counter,
            MICROSECONDS,
            &[],
        ),
        metric(
            "cloudsql.googleapis.com/database/postgresql/insights/perquery/io_time",
            Quantity::QueryIoTime,
            Counter,
            MICROSECONDS,
            &[],
        ),
        metric("dbinsights.googleapis.com/perquery/execution_time", Quantity::QueryTime, Counter, MICROSECONDS, &[]),
        metric("dbinsights.googleapis.com/perquery/lock_time", Quantity::QueryLockTime, Counter, MICROSECONDS, &[]),
        metric("dbinsights.googleapis.com/perquery/io_time", Quantity::QueryIoTime, Counter, MICROSECONDS, &[]),
    ]
};

/// Labels collection scripts give their metrics: tables have nothing else, and an aligned answer does not say which
/// percentile was asked for.
const LABELS: &[(&str, Measure)] = &[
    ("zit_cpu_p50", Measure::at(Quantity::ContainerCpu, Percentile::P50)),
    ("zit_cpu_p99", Measure::at(Quantity::ContainerCpu, Percentile::P99)),
    ("zit_mem_p50", Measure::at(Quantity::ContainerMemory, Percentile::P50)),
    ("zit_mem_p99", Measure::at(Quantity::ContainerMemory, Percentile::P99)),
    ("zit_instances", Measure::of(Quantity::ContainerInstances)),
    ("zit_req_per_s", Measure::of(Quantity::ServerRequests)),
    ("zit_lat_p50_ms", Measure::at(Quantity::ServerLatency, Percentile::P50)),
    ("zit_lat_p95_ms", Measure::at(Quantity::ServerLatency, Percentile::P95)),
    ("zit_lat_p99_ms", Measure::at(Quantity::ServerLatency, Percentile::P99)),
    ("db_cpu", Measure::of(Quantity::DatabaseCpu)),
    ("db_mem", Measure::of(Quantity::DatabaseMemory)),
    ("db_connections", Measure::of(Quantity::DatabaseConnections)),
    ("db_tx_per_s", Measure::of(Quantity::DatabaseTransactions)),
    ("db_read_iops", Measure::of(Quantity::DatabaseReadOperations)),
    ("db_write_iops", Measure::of(Quantity::DatabaseWriteOperations)),
];

/// Labels that count points of an export instead of what happened: known, and never used.
pub(super) const COUNTS_POINTS: &[&str] = &["zit_startups"];

/// True for a label of the collection scripts, whose values are as Cloud Monitoring has them: a CPU may be a little above 1.
pub(super) fn is_script_label(name: &str) -> bool {
    LABELS.iter().any(|(known, _)| *known == name)
}

static STATED_PERCENTILE: LazyLock<Regex> = LazyLock::new(|| {
    // `zit_cpu_p99`, `latency-p95`, `..._[99TH_PERCENTILE]`
    Regex::new(r"(?i)(?:^|[^a-z0-9])p(\d{2}(?:\.\d+)?)(?:[^0-9a-z]|$)|(\d{1,2})TH_PERCENTILE").expect("a constant")
});

/// Names of metrics with what they measure: the built-in ones, and those of the project file, which win.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MetricNames {
    own: BTreeMap<String, Measure>,
}

impl MetricNames {
    /// Adds names of a project file: metric types, labels or names of files without their extension.
    pub fn new(own: BTreeMap<String, Measure>) -> Self {
        MetricNames { own }
    }

    /// What the project file says a name measures.
    pub(super) fn own(&self, name: &str) -> Option<Measure> {
        self.own.get(name).copied()
    }

    /// What a label or the name of a file says is measured.
    pub(super) fn label(&self, label: &str) -> Option<Measure> {
        let built_in = || LABELS.iter().find(|(known, _)| *known == label).map(|(_, measure)| *measure);
        self.own(label).or_else(built_in).or_else(|| Measure::parse(label))
    }
}

/// The known metric of this type, or of its mangled form in PromQL, with its place in the table.
pub(super) fn known(name: &str) -> Option<(usize, &'static Metric)> {
    METRICS.iter().enumerate().find(|(_, metric)| metric.name == name || mangled(metric.name) == name)
}

/// A metric's name in PromQL: the first slash becomes a colon, every other special character an underscore.
fn mangled(name: &str) -> String {
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    match name.split_once('/') {
        Some((domain, rest)) => format!("{}:{}", plain(domain), plain(rest)),
        None => plain(name),
    }
}

/// The percentile a file's name states; the only hint there is in an answer that was aligned to one.
pub(super) fn stated_percentile(stem: &str) -> Option<Percentile> {
    let found = STATED_PERCENTILE.captures(stem)?;
    Percentile::parse(found.get(1).or(found.get(2))?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_read_from_the_name_of_a_file() {
        for (stem, percentile) in [
            ("zit_cpu_p50", Some(Percentile::P50)),
            ("zit_lat_p95_ms", Some(Percentile::P95)),
            ("Request_latencies_[99TH_PERCENTILE]", Some(Percentile::P99)),
            ("bench-pg17", None),
            ("cpu", None),
        ] {
            assert_eq!(stated_percentile(stem), percentile, "{stem}");
        }
    }

    #[test]
    fn promql_names_are_found() {
        let name = "cloudsql_googleapis_com:database_cpu_utilization";
        assert_eq!(known(name).map(|(_, metric)| metric.quantity), Some(Quantity::DatabaseCpu));
        assert!(known("custom.googleapis.com/bench/x").is_none());
    }

    #[test]
    fn names_of_the_project_file_win() {
        let own = BTreeMap::from([("db_cpu".to_owned(), Measure::of(Quantity::ClientCpu))]);
        assert_eq!(MetricNames::new(own).label("db_cpu"), Some(Measure::of(Quantity::ClientCpu)));
        assert_eq!(MetricNames::default().label("db_cpu"), Some(Measure::of(Quantity::DatabaseCpu)));
    }
}
