//! Random runs, rendered as `publish` renders them.

use std::path::Path;

use sweepdoc::config::PageKind;
use sweepdoc::model::{Evidence, Generated};
use sweepdoc::publish::fingerprint;
use sweepdoc::render::{PageInput, RenderedPage, Template, render};
use sweepdoc::rows::{Row, RowRules, find};

use crate::random::Random;

pub const PRODUCT: &str = "Shop";

/// A docs site's own template, every row it has.
const SITE_TEMPLATE: &str = "\
import OutputSource from \"./output.json\";
import { BenchmarkChart } from \"@/components/benchmark_chart\";

TODO: describe the outcome of the test?

## Performance test results

| Metric                | Value                   |
| :-------------------- | :---------------------- |
| Purpose               |                         |
| Test start            | YYYY-MM-DD HH:MM:SS UTC |
| Test end              | YYYY-MM-DD HH:MM:SS UTC |
| VUs                   |                         |
| Client location       |                         |
| Shop location         | somewhere               |
| Node pool             |                         |
| Observed errors       | none                    |
| k6 output             |                         |

## Endpoint latencies

<BenchmarkChart testResults={OutputSource} />

## k6 output

```bash
TODO: add summary of k6
```
";

const LABELS: [&str; 10] = [
    "Purpose",
    "Test start",
    "Test end",
    "VUs",
    "Client location",
    "Shop location",
    "Node pool",
    "Observed errors",
    "k6 Iterations per second",
    "k6 output",
];

const VALUES: [&str; 13] = [
    "200",
    "eu-west",
    "2026-08-27 13:41:19 UTC",
    "type: psql<br/>version: 17.2",
    "`LOG_LEVEL=warn`",
    "[machines](https://example.com/a_b)",
    "**bold** words",
    "a \\| b",
    "ends in \\|",
    "snake_case_name",
    "\\<0.01%",
    "1,117 of 581,385 (0.19%)",
    "\\{braces\\} \\[x\\]",
];

/// What one publish is made from.
#[derive(Debug, Clone)]
pub struct Data {
    rows: Vec<(&'static str, String)>,
    renamed: bool,
    title: String,
    intro: String,
    block: Option<String>,
    site_template: bool,
}

impl Data {
    pub fn random(random: &mut Random) -> Self {
        let mut data = Data {
            rows: LABELS.map(|label| (label, String::new())).to_vec(),
            renamed: random.one_in(6),
            title: "pat login of Shop v1".to_owned(),
            intro: "What was measured of Shop v1.".to_owned(),
            block: Some(block(random)),
            site_template: random.one_in(2),
        };
        data.rows.retain(|_| !random.one_in(8));
        data.rows.iter_mut().for_each(|(_, value)| *value = self::value(random));
        data
    }

    /// The same sweep later: some of it new, some rows gone or added.
    pub fn later(&self, random: &mut Random) -> Self {
        let mut later = self.clone();
        later.rows.retain(|_| !random.one_in(12));
        for (_, value) in &mut later.rows {
            if random.one_in(2) {
                *value = self::value(random);
            }
        }
        if random.one_in(3) {
            let missing: Vec<&str> =
                LABELS.iter().filter(|l| later.rows.iter().all(|(label, _)| label != *l)).copied().collect();
            if !missing.is_empty() {
                later.rows.push((missing[random.below(missing.len())], self::value(random)));
            }
        }
        later.rows.sort_by_key(|(label, _)| LABELS.iter().position(|known| known == label));
        if random.one_in(4) {
            later.title = format!("pat login: Shop v{}", 2 + random.below(3));
        }
        if random.one_in(4) {
            later.intro = format!("What is measured of Shop v{}.", 2 + random.below(3));
        }
        if random.one_in(2) {
            later.block = Some(block(random));
        }
        if random.one_in(8) {
            later.renamed = !later.renamed;
        }
        later
    }

    pub fn render(&self) -> RenderedPage {
        let rows: Vec<Row> = self
            .rows
            .iter()
            .map(|(label, cell)| Row {
                id: find(label, Some(PRODUCT)).map(|row| row.id),
                label: (*label).to_owned(),
                cell: cell.clone(),
            })
            .collect();
        let mut evidence = Evidence::default();
        evidence.k6.summary_text.clone_from(&self.block);
        let renames = [("VUs", "Virtuelle Nutzer"), ("Test start", "Testbeginn")];
        let rename = renames.iter().filter(|_| self.renamed).map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        render(&PageInput {
            path: Path::new("v1/pat_login/index.mdx"),
            kind: PageKind::Mdx,
            product: PRODUCT,
            version: "v1",
            target: "pat_login",
            words: "pat login",
            title: &self.title,
            intro: &self.intro,
            evidence: &evidence,
            rows: &rows,
            rules: &RowRules { rename, ..RowRules::default() },
            template: self.site_template.then_some(Template { path: Path::new("_template.mdx"), text: SITE_TEMPLATE }),
            picture: None,
            show_picture: false,
        })
        .unwrap()
    }
}

/// What the evidence remembers of a page.
pub fn generated(page: &RenderedPage) -> Generated {
    page.remembered("a test".to_owned(), fingerprint)
}

pub fn value(random: &mut Random) -> String {
    let words = 1 + random.below(3);
    (0..words).map(|_| *random.pick(&VALUES)).collect::<Vec<_>>().join(" ")
}

fn block(random: &mut Random) -> String {
    let count = random.below(100_000);
    let fence = if random.one_in(10) { "\n    msg: ```" } else { "" };
    format!("  █ TOTAL RESULTS\n\n    iterations...: {count}\n    http_req_duration...: avg={count}ms{fence}")
}
