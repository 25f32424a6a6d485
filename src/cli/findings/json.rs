use serde::Serialize;
use serde_json::{Map, Value, json};

use super::listed;
use crate::check::{Judgement, Verdict};
use crate::pipeline::Checked;

const SCHEMA: &str = "sweepdoc/findings/1";

#[derive(Serialize)]
struct Finding<'a> {
    file: &'a str,
    #[serde(flatten)]
    judgement: &'a Judgement,
}

/// The findings after `docs/findings.schema.json`.
pub fn json(checked: &Checked, all: bool) -> String {
    let count = |verdict| checked.judgements.iter().filter(|(_, j)| j.verdict == verdict).count();
    let claims: Map<String, Value> =
        Verdict::ALL.into_iter().map(|verdict| (verdict.word().to_owned(), json!(count(verdict)))).collect();
    let findings: Vec<Finding<'_>> =
        listed(checked, all).map(|(file, judgement)| Finding { file, judgement }).collect();
    format!("{:#}\n", json!({"schema": SCHEMA, "pages": checked.pages, "claims": claims, "findings": findings}))
}
