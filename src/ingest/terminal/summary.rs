use indexmap::IndexMap;

use super::figures::{self, Mark, Name};
use super::line::{Kind, Line};
use super::region::{self, Region};
use crate::model::{CheckCount, EndSummary, Figures, Layout, Submetric, SummaryOrigin, Threshold};

/// Reads the summary that stands in `region`, and its thresholds.
pub(super) fn read(lines: &[Line<'_>], region: &Region) -> (EndSummary, Vec<Threshold>) {
    let content = |line: &&Line<'_>| line.kind == Kind::Content;
    let threshold_lines = lines.get(region.thresholds.clone()).unwrap_or_default();
    let mut thresholds = thresholds(threshold_lines.iter().filter(content).map(|line| line.text));
    let mut reading = Reading::of(lines, region);
    thresholds.append(&mut reading.marked_metrics);
    let origin = SummaryOrigin::Terminal(layout(lines, region, &reading));
    let Reading { metrics, checks, .. } = reading;
    (EndSummary { origin, metrics, checks, run_seconds: None, k6_version: None, secrets: Vec::new() }, thresholds)
}

/// Lines between the totals' heading and the next that are nothing a summary has.
#[cfg(test)]
pub(super) fn not_understood<'a>(lines: &[Line<'a>], region: &Region) -> Vec<&'a str> {
    Reading::of(lines, region).not_understood
}

fn layout(lines: &[Line<'_>], region: &Region, reading: &Reading<'_>) -> Layout {
    let printed = lines.get(region.all.clone()).unwrap_or_default();
    let sections = printed.iter().filter_map(|line| region::heading(line.text));
    let has_parts = || sections.clone().any(|title| title.starts_with("GROUP: ") || title.starts_with("SCENARIO: "));
    if !region.legacy_metrics.is_empty() {
        Layout::Legacy
    } else if reading.metrics.contains_key("http_req_blocked") || has_parts() {
        Layout::Full
    } else {
        Layout::Compact
    }
}

/// Checks and metrics, line by line.
#[derive(Debug, Default)]
struct Reading<'a> {
    metrics: IndexMap<String, Figures>,
    checks: Vec<CheckCount>,
    /// Metrics that the legacy layout marks for their thresholds.
    marked_metrics: Vec<Threshold>,
    /// The metric whose submetrics may follow.
    parent: &'a str,
    /// Open groups with their indentation: in the legacy layout checks stand in a tree.
    groups: Vec<(usize, &'a str)>,
    /// True in the legacy layout: only there do checks have groups.
    legacy: bool,
    /// Lines that are none of the known ones; left alone.
    not_understood: Vec<&'a str>,
}

impl<'a> Reading<'a> {
    fn of(lines: &[Line<'a>], region: &Region) -> Self {
        let mut reading = Reading { legacy: !region.legacy_metrics.is_empty(), ..Reading::default() };
        for i in region.totals.clone() {
            if let Some(line) = lines.get(i).filter(|line| line.kind == Kind::Content) {
                reading.line(line.text, region.legacy_metrics.contains(&i));
            }
        }
        reading
    }

    fn line(&mut self, text: &'a str, in_legacy_list: bool) {
        if in_legacy_list {
            self.legacy_metric(text);
        } else if let Some((passes, fails)) = figures::check_counts(text) {
            self.counts(passes, fails);
        } else if let Some(title) = region::heading(text) {
            self.open_group(text, title);
        } else if let Some((mark, name)) = figures::mark(text) {
            self.check(mark, name);
        } else if let Some((name, figures)) = figures::metric(text) {
            self.metric(name, figures);
        } else if !is_title(text) {
            self.not_understood.push(text);
        }
    }

    /// A metric of the legacy list, whose mark says whether its thresholds held.
    fn legacy_metric(&mut self, text: &'a str) {
        let (mark, bare) = figures::mark(text).map_or((None, text), |(mark, rest)| (Some(mark), rest));
        let Some((name, figures)) = figures::metric(bare) else {
            self.not_understood.push(text);
            return;
        };
        let metric = self.metric(name, figures);
        if let Some(held) = mark.and_then(|mark| match mark {
            Mark::Pass => Some(true),
            Mark::Fail => Some(false),
            Mark::Unknown => None,
        }) {
            self.marked_metrics.push(Threshold { metric, source: String::new(), value: None, held });
        }
    }

    fn metric(&mut self, name: Name<'a>, figures: Figures) -> String {
        let name = match name {
            Name::Metric(name) => {
                self.parent = name;
                name.to_owned()
            }
            Name::Submetric(tags) => submetric(self.parent, tags),
        };
        // the first one counts, as everywhere below the totals
        self.metrics.entry(name.clone()).or_insert(figures);
        name
    }

    fn check(&mut self, mark: Mark, name: &str) {
        let fails = (mark != Mark::Fail).then_some(0);
        let group = self.legacy.then(|| self.groups.iter().map(|(_, title)| *title).collect::<Vec<_>>().join("::"));
        self.checks.push(CheckCount { group, name: name.to_owned(), passes: None, fails });
    }

    fn counts(&mut self, passes: u64, fails: u64) {
        if let Some(check) = self.checks.last_mut() {
            (check.passes, check.fails) = (Some(passes), Some(fails));
        }
    }

    fn open_group(&mut self, text: &str, title: &'a str) {
        let indent = text.len() - text.trim_start().len();
        self.groups.retain(|(above, _)| *above < indent);
        self.groups.push((indent, title));
    }
}

/// `http_req_duration{scenario:climb}`, spelt the same whatever the spaces between the braces.
fn submetric(parent: &str, tags: &str) -> String {
    let text = format!("{parent}{{{tags}}}");
    Submetric::parse(&text).map_or(text, |submetric| submetric.to_string())
}

/// `CUSTOM`, `HTTP`, `WEB_VITALS`.
fn is_title(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
}

/// Thresholds below their metric; a submetric leaves its parent's name out when the parent stands above it.
fn thresholds<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Threshold> {
    let mut found = Vec::new();
    let (mut parent, mut metric) = ("", String::new());
    for text in lines.map(str::trim) {
        match figures::mark(text) {
            Some((mark, rest)) => found.extend(threshold(&metric, mark, rest)),
            None => match text.split_once('{') {
                Some((name, tags)) => {
                    let name = if name.is_empty() { parent } else { name };
                    metric = submetric(name, tags.strip_suffix('}').unwrap_or(tags).trim());
                }
                None => {
                    parent = text;
                    metric = text.to_owned();
                }
            },
        }
    }
    found
}

/// Reads `'p(95)<100' p(95)=467.35ms`; `undefined` is no value.
fn threshold(metric: &str, mark: Mark, text: &str) -> Option<Threshold> {
    let (source, rest) = text.strip_prefix('\'')?.rsplit_once('\'')?;
    let value =
        rest.split_once('=').map(|(_, value)| value.trim()).filter(|value| !value.is_empty() && *value != "undefined");
    let held = match mark {
        Mark::Pass => true,
        Mark::Fail => false,
        Mark::Unknown => return None,
    };
    Some(Threshold { metric: metric.to_owned(), source: source.to_owned(), value: value.map(str::to_owned), held })
}
