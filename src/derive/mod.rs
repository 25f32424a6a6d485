//! Numbers from observations: no files, no clock, no environment, no printing.

mod builtin;
mod by_class;
mod cause;
mod chart;
mod checks;
mod cluster;
mod crosscheck;
mod drift;
mod evidence;
mod figures;
mod identity;
mod kinds;
mod normalise;
mod observations;
mod phase;
mod populations;
mod quantile;
mod redact;
mod run;
mod seconds;
mod series;
mod sorted;
mod sum;
mod throughput;
mod trends;
mod warnings;

pub use cause::NamedCause;
pub use chart::{chart_rows, normalised_chart};
pub use cluster::Thresholds;
pub use evidence::{Inputs, evidence};
pub use identity::{check_identity, check_pooling, same_counts};
pub use normalise::request_name;
pub use observations::{Observations, Plan};
pub use quantile::quantile;
pub use redact::Redactor;
