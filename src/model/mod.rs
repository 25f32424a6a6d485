//! Plain data that crosses module borders: no input or output, no clock, no formatting.
//!
//! Durations are milliseconds and times are UTC unless a name says otherwise. `Option` means *not known*: absent is
//! never zero and never "none".

mod chart;
mod checks;
mod claim_kinds;
mod digest;
mod evidence;
mod fault;
mod figures;
mod log;
mod observability;
mod outcome;
mod percentile;
mod population;
mod quantity;
mod run;
mod sample;
mod series;
mod summary;
mod sweep;
mod telemetry;
mod time;

pub use chart::ChartRow;
pub use checks::{CheckByName, Checks};
pub use claim_kinds::{CLAIM_KINDS, VERDICTS};
pub use digest::{DigestRange, OutcomeTargets, QueryTotals, SweepDigest};
pub use evidence::{Derived, EVIDENCE_SCHEMA, Evidence, EvidenceWindow, Generated, SourceFile, WindowBasis};
pub use fault::{Fault, Place, Result, Warning};
pub use figures::{Counter, Drift, FigureSource, Gauge, Rate, Trend, TrendStats};
pub use log::{Exceptions, LogFailure, RunningLine, ScenarioEnd, ScenarioLine, TerminalLog, Threshold};
pub use observability::{
    Alignment, Autovacuum, CpuFigures, Interpolated, LogFigures, Observability, QuantityFigures, QuantitySeries,
    Queries, Query, Side, VacuumFigures,
};
pub use outcome::{
    LockShare, LockShareOf, Outcome, OutcomeFigures, OutcomeRule, OutcomeThresholds, OutcomeVerdict, Resource,
};
pub use percentile::Percentile;
pub use population::{Burst, CauseKind, NamedCount, PerMinute, Population, PopulationOrigin, Shape};
pub use quantity::{Combination, Measure, Quantity, Unit};
pub use run::{
    CountRate, ExceptionCount, Iterations, K6, Phase, RECOMPUTED, RequestCount, Requests, RunSecondsBasis, TestPhase,
    TestPhaseBasis,
};
pub use sample::{Contains, Declaration, Kind, MetricId, Sample, Sink, Submetric, Tag, Tags};
pub use series::{PerMinuteSeries, Series};
pub use summary::{CheckCount, EndSummary, Figures, Layout, Printed, Stat, SummaryOrigin};
pub use sweep::{
    Difference, DifferingValue, Goal, GoalResult, Latency, Remark, Scope, SweepColumn, SweepFigure, SweepLine,
    SweepTable, USUAL_COLUMNS, UnplannedEnd,
};
pub use telemetry::{
    Distribution, Export, LogEvent, LogExport, LogReport, Point, PointValue, SeriesKind, TimeSeries, VacuumKind,
    VacuumRun,
};
pub use time::{Time, Window};
