//! Plain data that crosses module borders: no input or output, no clock, no formatting.
//!
//! Durations are milliseconds and times are UTC unless a name says otherwise. `Option` means *not known*: absent is
//! never zero and never "none".

mod chart;
mod evidence;
mod fault;
mod log;
mod sample;
mod summary;
mod time;

pub use chart::ChartRow;
pub use evidence::*;
pub use fault::{Fault, Place, Result, Warning};
pub use log::{Exceptions, LogFailure, RunningLine, ScenarioEnd, ScenarioLine, TerminalLog, Threshold};
pub use sample::{Contains, Declaration, Kind, Sample, Sink, Submetric, Tags};
pub use summary::{CheckCount, EndSummary, Figures, Layout, Printed, Stat, SummaryOrigin};
pub use time::{Time, Window};
