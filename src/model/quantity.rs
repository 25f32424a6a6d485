//! What a cloud metric measures, in words of our own: other systems' names for it stay in `ingest`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Percentile;

/// Something a monitoring system measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Share of a container's CPU in use.
    ContainerCpu,
    /// Share of a container's memory in use.
    ContainerMemory,
    /// Running containers, busy or idle.
    ContainerInstances,
    /// Containers that were started.
    ContainerStartups,
    /// Container time that is paid for, per second of time.
    ContainerBillable,
    /// Requests a container worked on at once.
    ContainerConcurrency,
    /// Bytes the containers sent.
    NetworkSent,
    /// Bytes the containers received.
    NetworkReceived,
    /// Requests the containers answered.
    ServerRequests,
    /// From reaching the container to leaving it.
    ServerLatency,
    /// Share of the database's CPU in use; may exceed 1.
    DatabaseCpu,
    /// Share of the database's memory in use.
    DatabaseMemory,
    /// Open connections.
    DatabaseConnections,
    /// Transactions that ended, committed or not.
    DatabaseTransactions,
    /// Read operations of the database's disk.
    DatabaseReadOperations,
    /// Write operations of the database's disk.
    DatabaseWriteOperations,
    /// Deadlocks.
    DatabaseDeadlocks,
    /// Share of the transaction ids in use.
    DatabaseTransactionIds,
    /// Sessions that wait for an advisory lock at the moment of sampling.
    DatabaseAdvisoryWaits,
    /// Share of the load generator's CPU in use.
    ClientCpu,
    /// Execution time of statements, by statement.
    QueryTime,
    /// Time statements waited for locks, by statement; part of [`Quantity::QueryTime`].
    QueryLockTime,
    /// Time statements waited for reads and writes, by statement; part of [`Quantity::QueryTime`].
    QueryIoTime,
}

/// The unit figures of a quantity have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// 1 is all of it.
    Fraction,
    /// A number of things.
    Count,
    /// Things a second.
    PerSecond,
    /// Bytes a second.
    BytesPerSecond,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
}

/// How several series of one quantity become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combination {
    /// They are parts of a whole.
    Sum,
    /// They cannot be combined, except as distributions.
    Single,
}

use Combination::{Single, Sum};
use Unit::{BytesPerSecond, Count, Fraction, Milliseconds, PerSecond, Seconds};

/// Every quantity with its name, its unit and how its series combine.
const ALL: &[(Quantity, &str, Unit, Combination)] = &[
    (Quantity::ContainerCpu, "container_cpu", Fraction, Single),
    (Quantity::ContainerMemory, "container_memory", Fraction, Single),
    (Quantity::ContainerInstances, "container_instances", Count, Sum),
    (Quantity::ContainerStartups, "container_startups", Count, Sum),
    (Quantity::ContainerBillable, "container_billable_seconds", PerSecond, Sum),
    (Quantity::ContainerConcurrency, "container_concurrency", Count, Single),
    (Quantity::NetworkSent, "network_sent", BytesPerSecond, Sum),
    (Quantity::NetworkReceived, "network_received", BytesPerSecond, Sum),
    (Quantity::ServerRequests, "server_requests", PerSecond, Sum),
    (Quantity::ServerLatency, "server_latency", Milliseconds, Single),
    (Quantity::DatabaseCpu, "database_cpu", Fraction, Single),
    (Quantity::DatabaseMemory, "database_memory", Fraction, Single),
    (Quantity::DatabaseConnections, "database_connections", Count, Sum),
    (Quantity::DatabaseTransactions, "database_transactions", PerSecond, Sum),
    (Quantity::DatabaseReadOperations, "database_read_operations", PerSecond, Sum),
    (Quantity::DatabaseWriteOperations, "database_write_operations", PerSecond, Sum),
    (Quantity::DatabaseDeadlocks, "database_deadlocks", Count, Sum),
    (Quantity::DatabaseTransactionIds, "database_transaction_ids", Fraction, Single),
    (Quantity::DatabaseAdvisoryWaits, "database_advisory_waits", Count, Sum),
    (Quantity::ClientCpu, "client_cpu", Fraction, Single),
    (Quantity::QueryTime, "query_time", Seconds, Sum),
    (Quantity::QueryLockTime, "query_lock_time", Seconds, Sum),
    (Quantity::QueryIoTime, "query_io_time", Seconds, Sum),
];

impl Quantity {
    /// All of them, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Quantity> {
        ALL.iter().map(|(quantity, ..)| *quantity)
    }

    fn entry(self) -> Option<&'static (Quantity, &'static str, Unit, Combination)> {
        ALL.iter().find(|(quantity, ..)| *quantity == self)
    }

    /// Its name, `database_cpu`.
    pub fn name(self) -> &'static str {
        self.entry().map_or("", |(_, name, ..)| name)
    }

    /// The unit of its figures.
    pub fn unit(self) -> Unit {
        self.entry().map_or(Count, |(_, _, unit, _)| *unit)
    }

    /// How several series of it become one.
    pub fn combination(self) -> Combination {
        self.entry().map_or(Single, |(.., combination)| *combination)
    }

    /// True for what is stated per second: an increase is divided by its seconds.
    pub fn is_rate(self) -> bool {
        matches!(self.unit(), PerSecond | BytesPerSecond)
    }

    /// True for what is measured of single statements.
    pub fn is_of_queries(self) -> bool {
        matches!(self, Quantity::QueryTime | Quantity::QueryLockTime | Quantity::QueryIoTime)
    }
}

/// A quantity, and which percentile of it where it is known as a distribution: `server_latency_p95`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Measure {
    /// What is measured.
    pub quantity: Quantity,
    /// Which percentile; `None` for quantities that are one number at a time, and for whole distributions.
    pub percentile: Option<Percentile>,
}

impl Measure {
    /// A quantity that is one number at a time.
    pub const fn of(quantity: Quantity) -> Self {
        Measure { quantity, percentile: None }
    }

    /// A percentile of a quantity.
    pub const fn at(quantity: Quantity, percentile: Percentile) -> Self {
        Measure { quantity, percentile: Some(percentile) }
    }

    /// Reads `database_cpu` or `server_latency_p95`; `None` for a name of no quantity.
    pub fn parse(name: &str) -> Option<Self> {
        let named = |name: &str| Quantity::all().find(|quantity| quantity.name() == name);
        if let Some(quantity) = named(name) {
            return Some(Measure::of(quantity));
        }
        let (name, percent) = name.rsplit_once("_p")?;
        Some(Measure::at(named(name)?, Percentile::parse(percent)?))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.quantity.name())?;
        match self.percentile {
            Some(percentile) => write!(f, "_{percentile}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_reads_back_from_its_name() {
        for quantity in Quantity::all() {
            for measure in [Measure::of(quantity), Measure::at(quantity, Percentile::P99_9)] {
                assert_eq!(Measure::parse(&measure.to_string()), Some(measure));
            }
        }
        for wrong in ["", "p50", "database_cpu_p", "database_cpu_p101", "database cpu", "cpu"] {
            assert_eq!(Measure::parse(wrong), None, "{wrong}");
        }
    }
}
