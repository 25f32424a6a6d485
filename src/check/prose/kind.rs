//! The kinds of claims prose makes; `docs/checking.md` has an example of each.

/// What a claim in prose is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// All and failed requests or checks of the run.
    Total,
    /// A percentage of two counts.
    Share,
    /// Failures of a cause.
    Count,
    /// When it happened.
    Window,
    /// How long it lasted, and the time between.
    Length,
    /// How far into the run.
    Offset,
    /// Nothing before, after or for some time.
    Absence,
    /// Figures by the minute.
    Rate,
    /// Burst, sustained, scattered.
    Shape,
    /// Requests that failed, by name.
    Endpoint,
    /// Failed checks by name or within a window.
    Check,
    /// What fell within which window.
    Inside,
    /// Iterations by how they ended, and VUs.
    Iterations,
    /// Parts of a list against the total.
    Sum,
    /// What another row of the page says too.
    Row,
    /// Machines times their size.
    Product,
    /// What is said of the run before this one.
    Previous,
}

impl Kind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Kind; 17] = [
        Kind::Total,
        Kind::Share,
        Kind::Count,
        Kind::Window,
        Kind::Length,
        Kind::Offset,
        Kind::Absence,
        Kind::Rate,
        Kind::Shape,
        Kind::Endpoint,
        Kind::Check,
        Kind::Inside,
        Kind::Iterations,
        Kind::Sum,
        Kind::Row,
        Kind::Product,
        Kind::Previous,
    ];

    /// The word of a finding's `kind`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Total => "total",
            Kind::Share => "share",
            Kind::Count => "count",
            Kind::Window => "window",
            Kind::Length => "length",
            Kind::Offset => "offset",
            Kind::Absence => "absence",
            Kind::Rate => "rate",
            Kind::Shape => "shape",
            Kind::Endpoint => "endpoint",
            Kind::Check => "check",
            Kind::Inside => "inside",
            Kind::Iterations => "iterations",
            Kind::Sum => "sum",
            Kind::Row => "row",
            Kind::Product => "product",
            Kind::Previous => "previous",
        }
    }
}
