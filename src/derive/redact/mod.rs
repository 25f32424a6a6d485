//! Keeps secrets and deployment identity out of everything that is published.

mod rules;
pub(super) mod screen;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::{Captures, Regex};

use crate::model::{ChartRow, Evidence, Fault, Observability, Result};
use rules::{RULES, pattern};
use screen::Screened;

/// A URL with scheme, up to a space or a character that ends one in prose.
pub(super) static URL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\b[a-z][a-z0-9+.-]*://(?:[^\s"'<>|\\^`{}\[\]]|\{[a-z]*\})+"#));

/// The path of a URL, without scheme, user, host, port, query and fragment; `/` when it has none.
pub(super) fn without_host(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    URL.replace_all(text, |found: &Captures<'_>| {
        let rest = found[0].split_once("://").map_or("", |(_, rest)| rest);
        let path = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if path.is_empty() { "/".to_owned() } else { path.to_owned() }
    })
    .into_owned()
}

/// Rewrites texts from logs, tags and summaries before they reach anything published.
///
/// Takes out tokens, credentials and cookies; URLs lose scheme, host and query; host names, addresses, cloud projects and
/// instances become placeholders; paths keep their file name only. Then the patterns of `[publish] redact` apply.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    own: Vec<Regex>,
}

impl Redactor {
    /// Adds patterns of the user's own (`[publish] redact`), regular expressions in the syntax of the `regex` crate.
    ///
    /// # Errors
    ///
    /// Fails on a pattern that is no regular expression or fits the empty text, naming it.
    pub fn new(own: &[String]) -> Result<Self> {
        let compile = |text: &String| {
            let own = Regex::new(text).map_err(|e| {
                let reason = e.to_string().lines().last().unwrap_or_default().trim().to_owned();
                Fault::new(format!("`[publish] redact`: `{text}` is no regular expression: {reason}"))
            })?;
            if own.is_match("") {
                // it would put a placeholder between all characters
                return Err(Fault::new(format!(
                    "`[publish] redact`: `{text}` fits the empty text, expected a pattern of at least one character"
                )));
            }
            Ok(own)
        };
        Ok(Redactor { own: own.iter().map(compile).collect::<Result<_>>()? })
    }

    /// True when there are patterns besides the built-in rules, none of which tells one digit from another.
    pub(super) fn has_own_patterns(&self) -> bool {
        !self.own.is_empty()
    }

    /// The text with everything secret or telling taken out; a text without any is returned as it is.
    pub fn text(&self, text: &str) -> String {
        let mut screened = Screened::new(without_host(text));
        RULES.iter().for_each(|rule| rule.apply(&mut screened));
        let text = screened.into_text();
        self.own.iter().fold(text, |text, rule| rule.replace_all(&text, "{redacted}").into_owned())
    }

    /// Chart rows with their metric names rewritten.
    pub fn chart(&self, mut rows: Vec<ChartRow>) -> Vec<ChartRow> {
        // a name comes back every second
        let names: BTreeSet<&str> = rows.iter().map(|row| row.metric.as_str()).collect();
        let rewritten = names.into_iter().map(|name| (name.to_owned(), self.text(name)));
        let rewritten: HashMap<String, String> = rewritten.filter(|(name, text)| name != text).collect();
        if !rewritten.is_empty() {
            rows.iter_mut().filter_map(|row| Some((rewritten.get(&row.metric)?, row))).for_each(|(text, row)| {
                row.metric.clone_from(text);
            });
        }
        rows
    }

    /// Evidence with every text and name that comes from data rewritten: nothing is published that did not pass here.
    ///
    /// The target and the labels of causes are a person's own words and stay. Names that become equal are one entry.
    pub fn evidence(&self, mut evidence: Evidence) -> Evidence {
        // every field by its name: a new one has to be looked at here before it compiles
        let Evidence {
            schema: _,
            target: _,
            window: _,
            k6,
            iterations,
            test_phase: _,
            requests: _,
            trends,
            submetrics,
            counters,
            rates,
            gauges,
            checks,
            populations,
            series,
            observability,
            outcome: _,
            derived: _,
            generated: _,
            warnings,
            sources,
        } = &mut evidence;
        k6.version.iter_mut().chain(&mut k6.scenarios).chain(&mut k6.summary_text).for_each(|text| self.rewrite(text));
        iterations.exceptions.iter_mut().flat_map(|e| &mut e.texts).for_each(|text| self.rewrite(text));
        self.rename(trends);
        self.rename(submetrics);
        self.rename(counters);
        self.rename(rates);
        self.rename(gauges);
        checks.iter_mut().flat_map(|c| &mut c.by_name).filter_map(|c| c.name.as_mut()).for_each(|n| self.rewrite(n));
        for population in populations.iter_mut().flatten() {
            self.rewrite(&mut population.error);
            population.requests.iter_mut().for_each(|request| self.rewrite(&mut request.name));
        }
        if let Some(series) = series {
            self.rename_checks(&mut series.checks_failed);
            self.rename_checks(&mut series.per_minute.checks_failed);
        }
        if let Some(observability) = observability {
            self.observability(observability);
        }
        warnings.iter_mut().for_each(|warning| self.rewrite(&mut warning.message));
        sources.iter_mut().for_each(|source| self.rewrite(&mut source.path));
        evidence
    }

    fn observability(&self, observability: &mut Observability) {
        let Observability {
            quantities,
            requests_by_class,
            requests_by_class_incomplete: _,
            queries,
            autovacuum: _,
            log: _,
        } = observability;
        quantities.values_mut().for_each(|figures| self.rewrite(&mut figures.source));
        self.rename(requests_by_class);
        if let Some(queries) = queries {
            self.rewrite(&mut queries.source);
            for query in &mut queries.ranking {
                self.rewrite(&mut query.hash);
                self.rewrite(&mut query.name);
                query.text.iter_mut().for_each(|text| self.rewrite(text));
            }
        }
    }

    fn rewrite(&self, text: &mut String) {
        *text = self.text(text);
    }

    fn rename<V>(&self, map: &mut BTreeMap<String, V>) {
        *map = std::mem::take(map).into_iter().map(|(name, value)| (self.text(&name), value)).collect();
    }

    fn rename_checks(&self, map: &mut IndexMap<String, Vec<(i64, u64)>>) {
        for (name, points) in std::mem::take(map) {
            map.entry(self.text(&name)).or_default().extend(points);
        }
    }
}

#[cfg(test)]
mod tests;
