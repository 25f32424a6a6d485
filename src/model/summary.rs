use indexmap::IndexMap;

use super::Percentile;

/// One column of a printed trend line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stat {
    /// Mean, `avg`.
    Avg,
    /// Smallest value, `min`.
    Min,
    /// Median, `med`; the same number as `p(50)`.
    Med,
    /// Largest value, `max`.
    Max,
    /// Number of values, `count`.
    Count,
    /// A percentile, `p(99.9)`.
    P(Percentile),
}

impl std::fmt::Display for Stat {
    /// As k6's `--summary-trend-stats` spells it: `avg`, `p(99.9)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stat::Avg => f.write_str("avg"),
            Stat::Min => f.write_str("min"),
            Stat::Med => f.write_str("med"),
            Stat::Max => f.write_str("max"),
            Stat::Count => f.write_str("count"),
            Stat::P(percentile) => write!(f, "p({})", percentile.to_string().trim_start_matches('p')),
        }
    }
}

/// A figure as something printed it: the exact text, and the value read back from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The text without surrounding space, `304.58ms`; for a JSON source the number's own text.
    pub text: String,
    /// The value in the metric's own unit (milliseconds, bytes, a fraction for a rate); `None` for `undefined` and the like.
    pub value: Option<f64>,
    /// Size of the last digit in the same unit, counting the zeros k6 cuts (`2s` is known to 10 ms); 0 when the source states the
    /// number in full.
    pub step: f64,
}

/// The figures of one metric in an end-of-test summary.
#[derive(Debug, Clone, PartialEq)]
pub enum Figures {
    /// Statistics in the order printed.
    Trend(IndexMap<Stat, Printed>),
    /// A sum and its rate per second of the whole run.
    Counter {
        /// The sum.
        count: Printed,
        /// Per second; absent in the new machine-readable summary.
        per_second: Option<Printed>,
    },
    /// How many samples were not zero, out of how many. For `http_req_failed` that is the number of *failed* requests.
    Rate {
        /// Samples that were not zero.
        nonzero: u64,
        /// All samples.
        total: u64,
        /// The share as printed (k6 truncates it to two decimals of a percent).
        share: Option<Printed>,
    },
    /// Last value with extremes.
    Gauge {
        /// Last value.
        value: Printed,
        /// Smallest.
        min: Option<Printed>,
        /// Largest.
        max: Option<Printed>,
    },
}

/// Passes and failures of one check, as a summary states them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckCount {
    /// Path of the group it stands under, without the leading `::`; `None` where the layout adds groups together.
    pub group: Option<String>,
    /// Its name.
    pub name: String,
    /// Samples that passed; `None` on a `✓` line of the terminal, which prints no counts.
    pub passes: Option<u64>,
    /// Samples that failed; `Some(0)` on a `✓` line.
    pub fails: Option<u64>,
}

/// Where a summary comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryOrigin {
    /// The text k6 printed at the end.
    Terminal(Layout),
    /// `--summary-export`.
    Export,
    /// The argument of a script's `handleSummary()`, saved as JSON.
    HandleSummary,
    /// `--new-machine-readable-summary`.
    MachineReadable,
}

/// How a printed summary is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One list without headings (v0.27 to v0.57, `--summary-mode=legacy`).
    Legacy,
    /// Headings, without the parts of a request (`compact`, the default since v0.58).
    Compact,
    /// Headings, with the parts of a request and sections per group and scenario.
    Full,
}

/// An end-of-test summary, whatever its source: whole-run figures, setup and teardown included.
#[derive(Debug, Clone, PartialEq)]
pub struct EndSummary {
    /// Where it stood.
    pub origin: SummaryOrigin,
    /// Figures by metric name, submetrics as `http_req_duration{expected_response:true}`, in the order found.
    pub metrics: IndexMap<String, Figures>,
    /// Checks in the order found.
    pub checks: Vec<CheckCount>,
    /// The run's duration in seconds, the denominator of every rate, when the source states it in full.
    pub run_seconds: Option<f64>,
    /// k6's version, when the source states it.
    pub k6_version: Option<String>,
    /// Paths (as `setup_data.token`) of values that look like secrets; the values themselves are never kept.
    pub secrets: Vec<String>,
}
