//! Ranks of percentiles, exact and ordered.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A percentile's rank, exact to a ten-thousandth of a percent. Prints as `p99.9`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Percentile(u32);

impl Percentile {
    /// Median.
    pub const P50: Percentile = Percentile(500_000);
    /// 90th.
    pub const P90: Percentile = Percentile(900_000);
    /// 95th.
    pub const P95: Percentile = Percentile(950_000);
    /// 99th.
    pub const P99: Percentile = Percentile(990_000);
    /// 99.9th.
    pub const P99_9: Percentile = Percentile(999_000);

    /// Reads the percent, `99.9`; `None` outside 0 to 100 or beyond four decimals.
    pub fn parse(percent: &str) -> Option<Self> {
        let (whole, fraction) = percent.split_once('.').unwrap_or((percent, ""));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 4 || whole.len() > 3 {
            return None;
        }
        let units: u32 = format!("{whole}{fraction:0<4}").parse().ok()?;
        (units <= 1_000_000).then_some(Percentile(units))
    }

    /// The rank as a fraction in `0.0..=1.0`.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 10_000.0 / 100.0
    }
}

impl fmt::Display for Percentile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", f64::from(self.0) / 10_000.0)
    }
}

impl From<Percentile> for String {
    fn from(p: Percentile) -> String {
        p.to_string()
    }
}

impl TryFrom<String> for Percentile {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.strip_prefix('p')
            .and_then(Percentile::parse)
            .ok_or_else(|| format!("`{text}` is no percentile such as `p99.9`"))
    }
}
