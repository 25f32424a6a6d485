//! Every known row of the metric table: label, aliases, where its value comes from, how it is written.
//!
//! [`KNOWN`] is the one list. Any other label among the facts is a row of its own; one that nearly reads like a known
//! label is a mistake, see [`build`].

mod arrange;
mod build;
mod flags;
mod labels;
mod metric_table;
mod monitoring;
mod observed_errors;
mod run;
mod words;

pub use arrange::{RowRules, arrange};
pub use build::{Row, RowInput, build};
pub use labels::Labels;
pub use metric_table::{metric_table, metric_tables};
pub(crate) use monitoring::{
    Agreement, outcome_figures, possible_figures, read_verdict, stated_figures, stated_outcome, verdict_words,
};
pub use monitoring::{digest_lines, only_where_asked, says_nothing_was_decided};
pub use observed_errors::{cause_in_words, observed_errors};

use std::sync::LazyLock;

use serde::Serialize;

use crate::model::Result;

/// A known row.
#[derive(Debug, Clone, Copy)]
pub struct KnownRow {
    /// Which one.
    pub id: RowId,
    /// Its label; `{product}` stands for the product's name.
    pub label: &'static str,
    /// Other labels pages have for it, `{product}` likewise; letter case never matters.
    pub aliases: &'static [&'static str],
    /// Where its value comes from.
    pub origin: Origin,
    /// The value as Markdown for a table cell, without the facts; `None` when the input does not know it.
    pub value: fn(&RowInput<'_>) -> Result<Option<String>>,
}

/// Where the value of a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Evidence; a fact fills in what it does not know and may not contradict it.
    Data,
    /// A person.
    Fact,
    /// A rule over evidence, or a person who knows better.
    Judgement,
}

/// Names of the known rows; templates and evidence write them as `test_start`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // each is named after its label
pub enum RowId {
    Baseline,
    Purpose,
    TestStart,
    TestEnd,
    TestDuration,
    ExecutedTest,
    K6Version,
    Vus,
    ClientLocation,
    ClientSpecification,
    ProductLocation,
    ProductSpecification,
    ProductVersion,
    ProductSettings,
    FeatureFlags,
    Database,
    DatabaseLocation,
    DatabaseSpecification,
    DatabaseSettings,
    ProductMetrics,
    ObservedErrors,
    TopQueries,
    DatabaseMetrics,
    IterationsPerSecond,
    K6Output,
    Outcome,
}

/// Every known row, in the order of a page.
pub const KNOWN: &[KnownRow] = &[
    row(RowId::Baseline, "Baseline", &[], Origin::Fact, run::baseline),
    row(RowId::Purpose, "Purpose", &[], Origin::Fact, unknown),
    row(RowId::TestStart, "Test start", &[], Origin::Data, run::test_start),
    row(RowId::TestEnd, "Test end", &[], Origin::Data, run::test_end),
    row(RowId::TestDuration, "Test duration", &[], Origin::Data, run::test_duration),
    row(RowId::ExecutedTest, "Executed test", &[], Origin::Data, run::executed_test),
    row(RowId::K6Version, "k6 version", &[], Origin::Data, run::k6_version),
    row(RowId::Vus, "VUs", &[], Origin::Data, run::vus),
    row(RowId::ClientLocation, "Client location", &[], Origin::Fact, unknown),
    row(RowId::ClientSpecification, "Client machine specification", &["Client specification"], Origin::Fact, unknown),
    row(RowId::ProductLocation, "{product} location", &[], Origin::Fact, unknown),
    row(
        RowId::ProductSpecification,
        "{product} container specification",
        &["{product} specification"],
        Origin::Fact,
        unknown,
    ),
    row(RowId::ProductVersion, "{product} Version", &[], Origin::Fact, run::product_version),
    row(RowId::ProductSettings, "{product} Settings", &[], Origin::Fact, unknown),
    row(RowId::FeatureFlags, "{product} feature flags", &[], Origin::Fact, flags::feature_flags),
    row(RowId::Database, "Database", &["Database version"], Origin::Fact, unknown),
    row(RowId::DatabaseLocation, "Database location", &[], Origin::Fact, unknown),
    row(RowId::DatabaseSpecification, "Database specification", &[], Origin::Fact, unknown),
    row(RowId::DatabaseSettings, "Database settings", &[], Origin::Fact, unknown),
    row(RowId::ProductMetrics, "{product} metrics during test", &[], Origin::Data, monitoring::container_metrics),
    row(RowId::ObservedErrors, "Observed errors", &[], Origin::Data, run::errors),
    row(RowId::TopQueries, "Top 3 most expensive database queries", &[], Origin::Data, monitoring::top_queries),
    row(RowId::DatabaseMetrics, "Database metrics during test", &[], Origin::Data, monitoring::database_metrics),
    row(RowId::IterationsPerSecond, "k6 Iterations per second", &[], Origin::Data, run::iterations_per_second),
    row(RowId::K6Output, "k6 output", &["k6 overview"], Origin::Data, run::k6_output),
    row(RowId::Outcome, "flowchart outcome", &[], Origin::Judgement, monitoring::flowchart_outcome),
];

const fn row(
    id: RowId,
    label: &'static str,
    aliases: &'static [&'static str],
    origin: Origin,
    value: fn(&RowInput<'_>) -> Result<Option<String>>,
) -> KnownRow {
    KnownRow { id, label, aliases, origin, value }
}

impl RowId {
    /// The row's name in templates, `test_start`.
    pub fn name(self) -> String {
        // serialising a plain enum gives a string and cannot fail
        serde_json::to_value(self).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// The value of a row only facts know.
fn unknown(_: &RowInput<'_>) -> Result<Option<String>> {
    Ok(None)
}

impl KnownRow {
    /// The label on a page of this product.
    pub fn label_for(&self, product: &str) -> String {
        self.label.replace("{product}", product)
    }

    /// The words that stand for the product in this row's label as a page writes it; `None` for a row not about the product.
    pub fn product_in<'l>(&self, label: &'l str) -> Option<&'l str> {
        let label = label.trim();
        let words = |spelling: &str| {
            let (before, after) = spelling.split_once("{product}")?;
            let end = label.len().checked_sub(after.len())?;
            let ends_so = label.get(end..)?.eq_ignore_ascii_case(after);
            let words = label.get(before.len()..end)?.trim();
            (ends_so && !words.is_empty()).then_some(words)
        };
        // the longest ending wins: `Shop container specification` ends as the shorter spelling does, too
        self.spellings().filter_map(words).min_by_key(|words| words.len())
    }

    /// The label and its aliases.
    fn spellings(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.label).chain(self.aliases.iter().copied())
    }
}

/// The known row with this label or alias, letter case and runs of space aside.
///
/// Without a product any words stand for it: `Acme location` is then the product's location, since no other row has that form.
pub fn find(label: &str, product: Option<&str>) -> Option<&'static KnownRow> {
    let label = normal(label);
    let product = product.map(normal);
    let fits = |spelling: &Spelling| match (&spelling.product, &product) {
        (None, _) => spelling.text == label,
        (Some((before, after)), product) => {
            let middle = label.strip_prefix(before.as_str()).and_then(|rest| rest.strip_suffix(after.as_str()));
            middle.is_some_and(|words| product.as_ref().map_or(!words.trim().is_empty(), |product| words == product))
        }
    };
    let first = |exact: bool| SPELLINGS.iter().find(|s| (s.product.is_none() || !exact) && fits(s));
    first(true).or_else(|| first(false)).map(|spelling| spelling.row)
}

/// One way a known label is written, normalised once: every row of every page is looked up among them.
struct Spelling {
    row: &'static KnownRow,
    text: String,
    /// What stands before and after the product's name, in a label that has it.
    product: Option<(String, String)>,
}

static SPELLINGS: LazyLock<Vec<Spelling>> = LazyLock::new(|| {
    let spelling = |row: &'static KnownRow, text: &str| Spelling {
        row,
        text: normal(text),
        product: text.split_once("{product}").map(|(before, after)| (before.to_lowercase(), after.to_lowercase())),
    };
    KNOWN.iter().flat_map(|row| row.spellings().map(move |text| spelling(row, text))).collect()
});

/// The known label that this one nearly reads like; `None` when it is one, or like none.
///
/// Nearly is an edit distance of at most two, and at most half of the label, so that `RPS` is not taken for `VUs`.
pub(crate) fn near_miss(label: &str, product: &str) -> Option<String> {
    if find(label, Some(product)).is_some() {
        return None;
    }
    let wanted = normal(label);
    let labels = KNOWN.iter().flat_map(KnownRow::spellings).map(|s| s.replace("{product}", product));
    let near = labels.map(|known| (strsim::osa_distance(&normal(&known), &wanted), known)).min()?;
    (near.0 <= 2 && near.0 * 2 <= wanted.chars().count()).then_some(near.1)
}

/// Lower case, single spaces.
pub(crate) fn normal(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(label: &str, product: Option<&str>) -> Option<RowId> {
        find(label, product).map(|row| row.id)
    }

    #[test]
    fn labels_are_found_under_every_spelling_of_the_published_pages() {
        for (label, expected) in [
            ("Test start", RowId::TestStart),
            ("Zitadel location", RowId::ProductLocation),
            ("ZITADEL location", RowId::ProductLocation),
            ("ZITADEL Version", RowId::ProductVersion),
            ("Zitadel container specification", RowId::ProductSpecification),
            ("k6 iterations per second", RowId::IterationsPerSecond),
            ("k6 Iterations per second", RowId::IterationsPerSecond),
            ("k6 overview", RowId::K6Output),
            ("k6  output", RowId::K6Output),
            ("Database location", RowId::DatabaseLocation),
            ("Database metrics during test", RowId::DatabaseMetrics),
            ("ZITADEL metrics during test", RowId::ProductMetrics),
        ] {
            assert_eq!(id(label, Some("ZITADEL")), Some(expected), "{label}");
            assert_eq!(id(label, None), Some(expected), "{label} without a product");
        }
    }

    #[test]
    fn a_label_of_your_own_is_no_known_row() {
        assert_eq!(id("Node pool", Some("ZITADEL")), None);
        assert_eq!(id("Node pool", None), None);
        assert_eq!(id("Acme location", Some("ZITADEL")), None);
        assert_eq!(id("location", None), None);
    }

    #[test]
    fn the_product_is_read_out_of_a_label() {
        let product = |label: &'static str| find(label, None).and_then(|row| row.product_in(label));
        assert_eq!(product("Shop feature flags"), Some("Shop"));
        assert_eq!(product("My Shop container specification"), Some("My Shop"));
        assert_eq!(product("Shop specification "), Some("Shop"));
        assert_eq!(product("zitadel version"), Some("zitadel"));
        assert_eq!(product("Client location"), None);
        assert_eq!(product("Größe location"), Some("Größe"));
    }

    #[test]
    fn a_near_miss_of_a_label_is_noticed() {
        assert_eq!(near_miss("Clent location", "ZITADEL").as_deref(), Some("Client location"));
        assert_eq!(near_miss("ZITADLE location", "ZITADEL").as_deref(), Some("ZITADEL location"));
        assert_eq!(near_miss("VU", "ZITADEL").as_deref(), Some("VUs"));
        for fine in ["Node pool", "RPS", "CPU", "k6 OUTPUT", "Purpose", "zitadel version"] {
            assert_eq!(near_miss(fine, "ZITADEL"), None, "{fine}");
        }
    }

    #[test]
    fn names_for_templates_are_snake_case() {
        let names = [RowId::TestStart, RowId::K6Version, RowId::Vus, RowId::IterationsPerSecond].map(RowId::name);
        assert_eq!(names, ["test_start", "k6_version", "vus", "iterations_per_second"]);
    }

    #[test]
    fn no_two_rows_share_a_label() {
        let mut labels: Vec<String> = KNOWN.iter().flat_map(KnownRow::spellings).map(normal).collect();
        labels.sort();
        let all = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), all);
    }
}
