//! Small k6 output written by a test.

use std::fmt::Write;

/// The columns of k6 v0.44 on with its default tags.
pub const COLUMNS: &str = "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,\
proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata";

/// 2026-08-27 13:41:19 UTC, the first second of most runs here.
pub const START: i64 = 1_787_838_079;

/// Tags of a sample by k6's names for them; `scenario` is `default` unless set.
pub type Tags<'a> = &'a [(&'a str, &'a str)];

/// Raw output as `--out csv` writes it.
#[derive(Debug, Clone)]
pub struct Csv(pub String);

impl Csv {
    pub fn new() -> Self {
        Csv(format!("{COLUMNS}\n"))
    }

    /// One sample.
    pub fn sample(&mut self, metric: &str, time: impl std::fmt::Display, value: f64, tags: Tags<'_>) -> &mut Self {
        let columns = COLUMNS.split(',').skip(3);
        let is_column = |key: &str| COLUMNS.split(',').any(|column| column == key);
        let extra: Vec<String> =
            tags.iter().filter(|(key, _)| !is_column(key)).map(|(k, v)| format!("{k}={v}")).collect();
        let value_of = |column: &str| match (tags.iter().find(|(key, _)| *key == column), column) {
            (Some((_, value)), _) => (*value).to_owned(),
            (None, "scenario") if !matches!(metric, "vus" | "vus_max") => "default".to_owned(),
            (None, "extra_tags") => extra.join("&"),
            _ => String::new(),
        };
        write!(self.0, "{metric},{time},{value:.6}").unwrap();
        for column in columns {
            write!(self.0, ",{}", quoted(&value_of(column))).unwrap();
        }
        self.0.push('\n');
        self
    }

    /// The rows of a request that ended well.
    pub fn request(&mut self, second: i64, ms: f64, tags: Tags<'_>) -> &mut Self {
        let tags = with(tags, &[("status", "200"), ("expected_response", "true")]);
        self.rows_of_request(second, ms, 0.0, &tags)
    }

    /// The rows of a request that failed.
    pub fn failure(&mut self, second: i64, ms: f64, tags: Tags<'_>) -> &mut Self {
        let tags = with(tags, &[("expected_response", "false")]);
        self.rows_of_request(second, ms, 1.0, &tags)
    }

    fn rows_of_request(&mut self, second: i64, ms: f64, failed: f64, tags: Tags<'_>) -> &mut Self {
        let tags = with(tags, &[("method", "GET"), ("name", "http://127.0.0.1:8080/users")]);
        self.sample("http_reqs", second, 1.0, &tags);
        self.sample("http_req_duration", second, ms, &tags);
        self.sample("http_req_failed", second, failed, &tags)
    }

    /// The rows of a complete iteration.
    pub fn iteration(&mut self, second: i64, ms: f64) -> &mut Self {
        self.sample("iteration_duration", second, ms, &[]).sample("iterations", second, 1.0, &[])
    }

    /// A run without faults: every second one iteration with one request and two VUs.
    pub fn healthy(start: i64, seconds: i64) -> Self {
        let mut csv = Csv::new();
        for second in start..start + seconds {
            csv.request(second, 10.0 + (second % 7) as f64, &[]).iteration(second, 20.0);
            csv.sample("vus", second, 2.0, &[]).sample("vus_max", second, 2.0, &[]);
        }
        csv
    }
}

/// The tags given, and the others where the key is not among them.
fn with<'a>(tags: Tags<'a>, others: Tags<'a>) -> Vec<(&'a str, &'a str)> {
    let missing = others.iter().filter(|(key, _)| tags.iter().all(|(known, _)| known != key));
    tags.iter().chain(missing).copied().collect()
}

fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
