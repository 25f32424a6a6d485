use indexmap::IndexMap;

use super::{KNOWN, KnownRow, Origin, RowId, find, near_miss, normal};
use crate::model::{Evidence, Fault, Result};
use crate::notation::escape;

/// Everything the rows of one page are made from.
#[derive(Debug, Clone, Copy)]
pub struct RowInput<'a> {
    /// What is known of the run.
    pub evidence: &'a Evidence,
    /// The product's name as rows have it.
    pub product: &'a str,
    /// The version under test as the project file has it.
    pub version: Option<&'a str>,
    /// Facts by label as written: Markdown by a trusted author.
    pub facts: &'a IndexMap<String, String>,
    /// VUs the project file expects of this target.
    pub expected_vus: Option<u64>,
    /// Markdown link to the page it was compared with.
    pub baseline: Option<&'a str>,
}

/// One row of the metric table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Which known row it is; `None` for a label of the author's own.
    pub id: Option<RowId>,
    /// Its label, not escaped.
    pub label: String,
    /// Its value: Markdown for one table cell.
    pub cell: String,
}

/// Builds every row that has a value, in the order of a page. Facts with labels of their own follow the last known fact.
///
/// # Errors
///
/// Fails on a fact whose label nearly reads like a known one, on two facts for one row, on a fact that contradicts the
/// data, and on what the single rows refuse (a capture of feature flags taken after the test began).
pub fn build(input: &RowInput<'_>) -> Result<Vec<Row>> {
    let own = own_facts(input)?;
    let mut rows = Vec::new();
    for known in KNOWN {
        if let Some(cell) = cell(known, input)? {
            rows.push(Row { id: Some(known.id), label: known.label_for(input.product), cell });
        }
        if known.id == LAST_FACT {
            rows.extend(own.iter().cloned());
        }
    }
    Ok(rows)
}

/// The row behind which an author's own rows stand: the last one that describes the set-up.
const LAST_FACT: RowId = RowId::DatabaseSettings;

fn own_facts(input: &RowInput<'_>) -> Result<Vec<Row>> {
    let mut seen: IndexMap<String, &str> = IndexMap::new();
    let mut own = Vec::new();
    for (label, text) in input.facts {
        if let Some(known) = near_miss(label, input.product) {
            return Err(Fault::new(format!("fact `{label}` is no known row, `{known}` is"))
                .hint(format!("write `{known}`, or choose a label that cannot be taken for it")));
        }
        let row = find(label, Some(input.product));
        let key = row.map_or_else(|| normal(label), |row| row.label.to_owned());
        if let Some(first) = seen.insert(key, label) {
            return Err(Fault::new(format!("facts `{first}` and `{label}` are for the same row")));
        }
        if row.is_none() && !text.trim().is_empty() {
            own.push(Row { id: None, label: label.clone(), cell: escape::fact(text) });
        }
    }
    Ok(own)
}

fn cell(known: &KnownRow, input: &RowInput<'_>) -> Result<Option<String>> {
    let data = (known.value)(input)?;
    let fact = input.fact(known.id).filter(|text| !text.trim().is_empty());
    match (data, fact, known.origin) {
        (Some(data), Some(fact), Origin::Data) => agreeing(known, input, data, fact).map(Some),
        // the flags row reads its fact itself; other rows a person filled in stay as they are
        (Some(data), _, _) if known.id == RowId::FeatureFlags => Ok(Some(data)),
        (_, Some(fact), _) => Ok(Some(escape::fact(fact))),
        (data, None, _) => Ok(data),
    }
}

/// The data's cell, when the fact says the same.
fn agreeing(known: &KnownRow, input: &RowInput<'_>, data: String, fact: &str) -> Result<String> {
    if same(&data, fact) {
        return Ok(data);
    }
    let label = known.label_for(input.product);
    Err(Fault::new(format!("fact `{label}` says `{}`, the data says `{}`", fact.trim(), data.replace('\\', "")))
        .hint("remove the fact: the row is written from the data"))
}

fn same(data: &str, fact: &str) -> bool {
    let plain = |text: &str| normal(&text.replace('\\', ""));
    plain(data) == plain(fact)
}

impl RowInput<'_> {
    /// The text of the fact for a known row, under whichever of its labels it was written.
    pub(super) fn fact(&self, id: RowId) -> Option<&str> {
        let named = |(label, _): &(&String, &String)| find(label, Some(self.product)).is_some_and(|row| row.id == id);
        self.facts.iter().find(named).map(|(_, text)| text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(evidence: &Evidence, facts: &[(&str, &str)]) -> Result<Vec<(String, String)>> {
        let facts = facts.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let input =
            RowInput { evidence, product: "ZITADEL", version: None, facts: &facts, expected_vus: None, baseline: None };
        Ok(build(&input)?.into_iter().map(|row| (row.label, row.cell)).collect())
    }

    fn evidence() -> Evidence {
        let mut evidence = Evidence { target: "pat_login".into(), ..Evidence::default() };
        evidence.k6.vus_max = Some(200);
        evidence
    }

    fn pair(label: &str, cell: &str) -> (String, String) {
        (label.to_owned(), cell.to_owned())
    }

    #[test]
    fn facts_become_rows_under_the_usual_label_and_own_labels_follow_them() {
        let facts = [("Node pool", "a | b\nc"), ("zitadel LOCATION", "US1"), ("Purpose", "Degradation **test**")];
        assert_eq!(
            built(&evidence(), &facts).unwrap()[..5],
            [
                pair("Purpose", "Degradation **test**"),
                pair("Executed test", "pat_login"),
                pair("VUs", "200"),
                pair("ZITADEL location", "US1"),
                pair("Node pool", "a \\| b<br/>c"),
            ]
        );
    }

    #[test]
    fn a_fact_that_contradicts_the_data_is_an_error() {
        let fault = built(&evidence(), &[("VUs", "600")]).unwrap_err();
        assert_eq!(fault.to_string(), "fact `VUs` says `600`, the data says `200`");
        assert!(built(&evidence(), &[("VUs", " 200 ")]).is_ok());
    }

    #[test]
    fn a_fact_fills_in_what_the_data_does_not_know() {
        let rows = built(&evidence(), &[("k6 version", "v2.1.0"), ("flowchart outcome", "**Scale.**")]).unwrap();
        assert!(rows.contains(&pair("k6 version", "v2.1.0")));
        assert_eq!(rows.last(), Some(&pair("flowchart outcome", "**Scale.**")));
    }

    #[test]
    fn a_misspelt_or_doubled_fact_is_an_error() {
        let near = built(&evidence(), &[("Clent location", "US1")]).unwrap_err();
        assert_eq!(near.to_string(), "fact `Clent location` is no known row, `Client location` is");
        let twice = built(&evidence(), &[("ZITADEL location", "a"), ("Zitadel location", "b")]).unwrap_err();
        assert_eq!(twice.to_string(), "facts `ZITADEL location` and `Zitadel location` are for the same row");
    }

    #[test]
    fn rows_without_a_value_are_left_out() {
        let rows = built(&Evidence::default(), &[("Purpose", "  ")]).unwrap();
        let labels: Vec<&str> = rows.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["Observed errors", "flowchart outcome"], "they say what is not known");
    }
}
