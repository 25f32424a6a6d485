//! Series that belong together: those of one quantity in one answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Export, Measure, Quantity, SeriesKind, Time, TimeSeries, Warning};

/// An export with where it was found.
#[derive(Debug, Clone)]
pub struct FoundExport {
    /// The file, by its path relative to the run's folder.
    pub file: String,
    /// True for the exports of a whole sweep, most of which are of other runs.
    pub shared: bool,
    /// What it holds.
    pub export: Export,
}

/// The series of one quantity in one answer that are parts of a whole, whatever number of files it was cut into.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub measure: Measure,
    pub file: String,
    pub shared: bool,
    /// True when the system said that data may be missing, or the answer goes on in a file that is not there.
    pub partial: bool,
    pub series: Vec<TimeSeries>,
}

impl Group {
    pub fn metric(&self) -> &str {
        self.series.first().map_or("", |series| series.metric.as_str())
    }

    pub fn preference(&self) -> usize {
        self.series.iter().map(|series| series.preference).min().unwrap_or(usize::MAX)
    }
}

/// The groups of every file, pages of one answer joined, in order of quantity and file.
pub(super) fn groups(exports: &[FoundExport], target: &str, warnings: &mut Vec<Warning>) -> Vec<Group> {
    let mut groups = Vec::new();
    for answer in answers(exports, warnings) {
        let mut by_form: BTreeMap<Form, Vec<TimeSeries>> = BTreeMap::new();
        let is_other = |series: &&TimeSeries| series.target.as_deref().is_some_and(|named| named != target);
        // in a folder of the sweep other targets are what one expects, in the run's own they are a file gone astray
        if !answer.shared
            && let Some(other) = answer.series.first()
            && answer.series.iter().all(|series| is_other(&series))
        {
            warnings.push(astray(&answer.file, target, other.target.as_deref()));
        }
        for series in answer.series {
            if series.target.as_deref().is_none_or(|named| named == target) {
                by_form.entry(Form::of(&series)).or_default().push(series);
            }
        }
        for (form, series) in by_form {
            let (file, shared, partial) = (answer.file.clone(), answer.shared, answer.partial);
            groups.push(Group { measure: form.measure, file, shared, partial, series: joined(series) });
        }
    }
    groups.sort_by(|a, b| (a.measure, &a.file).cmp(&(b.measure, &b.file)));
    groups
}

/// What the parts of a whole have in common. A total and its breakdown are each a whole, though one file may hold both; series of
/// statements are added up by statement, whatever else tells them apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    measure: Measure,
    metric: String,
    kind: SeriesKind,
    labels: Vec<String>,
}

impl Form {
    fn of(series: &TimeSeries) -> Self {
        let of_queries = series.measure.quantity.is_of_queries();
        let labels = series.labels.keys().filter(|_| !of_queries).cloned().collect();
        Form { measure: series.measure, metric: series.metric.clone(), kind: series.kind, labels }
    }
}

/// A run's own file whose rows are all of another.
pub(super) fn astray(file: &str, target: &str, named: Option<&str>) -> Warning {
    let named = named.unwrap_or_default();
    Warning::new(
        "cloud-other-system",
        format!("{file}: expected rows of `{target}`, found those of `{named}`: left out"),
    )
}

struct Answer {
    file: String,
    shared: bool,
    partial: bool,
    continued: bool,
    series: Vec<TimeSeries>,
}

/// The exports with pages of one answer put together: a page that goes on is followed by one of the same metrics whose
/// points are not in it.
fn answers(exports: &[FoundExport], warnings: &mut Vec<Warning>) -> Vec<Answer> {
    let mut pages: Vec<Answer> = exports
        .iter()
        .map(|found| Answer {
            file: found.file.clone(),
            shared: found.shared,
            partial: found.export.partial,
            continued: found.export.continued,
            series: found.export.series.clone(),
        })
        .collect();
    let mut answers = Vec::new();
    while !pages.is_empty() {
        let mut answer = pages.remove(pages.iter().position(|page| page.continued).unwrap_or(0));
        while answer.continued {
            let Some(next) = pages.iter().position(|page| goes_on(&answer, page)) else {
                let message = format!("{}: the answer goes on in another file, which is not there", answer.file);
                warnings.push(Warning::new("cloud-incomplete", message));
                answer.partial = true;
                break;
            };
            let next = pages.remove(next);
            answer.continued = next.continued;
            answer.partial |= next.partial;
            answer.series.extend(next.series);
        }
        answers.push(answer);
    }
    answers
}

fn goes_on(answer: &Answer, page: &Answer) -> bool {
    let metrics: BTreeSet<&str> = answer.series.iter().map(|one| one.metric.as_str()).collect();
    let mut first_here: BTreeMap<Key<'_>, Time> = BTreeMap::new();
    for (key, point) in answer.series.iter().filter_map(|one| Some((key(one), one.points.first()?))) {
        let first = first_here.entry(key).or_insert(point.end);
        *first = point.end.min(*first);
    }
    let same_metric = |series: &TimeSeries| metrics.contains(series.metric.as_str());
    let disjoint = |series: &TimeSeries| {
        let last_there = series.points.last().map(|point| point.end);
        // newest first: the next page holds older points
        first_here.get(&key(series)).zip(last_there).is_none_or(|(here, there)| there < *here)
    };
    !page.series.is_empty() && page.series.iter().all(|series| same_metric(series) && disjoint(series))
}

type Key<'a> = (&'a str, &'a BTreeMap<String, String>, &'a BTreeMap<String, String>);

fn key(series: &TimeSeries) -> Key<'_> {
    (&series.metric, &series.labels, &series.resource)
}

/// Series with the same labels are parts of one.
fn joined(parts: Vec<TimeSeries>) -> Vec<TimeSeries> {
    let mut places = BTreeMap::new();
    let mut whole: Vec<TimeSeries> = Vec::with_capacity(parts.len());
    for part in parts {
        let key = (part.kind, part.metric.clone(), part.labels.clone(), part.resource.clone());
        let place = *places.entry(key).or_insert(whole.len());
        match whole.get_mut(place) {
            Some(one) => {
                one.points.extend(part.points);
                one.points.sort_by_key(|point| (point.end, point.start));
                one.points.dedup_by(|a, b| a.end == b.end && a.start == b.start && a.value == b.value);
            }
            None => whole.push(part),
        }
    }
    whole
}

/// Labels that name a system, by the part of it that is measured. A database and the containers may well stand in different
/// projects.
const IDENTITY: [&str; 4] = ["project_id", "service_name", "database_id", "resource_id"];

/// Leaves out what is measured of another system: groups that mix two, and those that differ from most others.
///
/// Which system is meant nobody says, so that a tie leaves out both. Names of systems stay out of the messages.
pub(super) fn of_one_system(groups: Vec<Group>, warnings: &mut Vec<Warning>) -> Vec<Group> {
    let mut seen: BTreeMap<(bool, &str), BTreeMap<&str, usize>> = BTreeMap::new();
    for group in &groups {
        for (label, value) in names(group) {
            *seen.entry((of_database(group.measure.quantity), label)).or_default().entry(value).or_default() += 1;
        }
    }
    let usual = |group: &Group, label: &str, value: &str| {
        let Some(counts) = seen.get(&(of_database(group.measure.quantity), label)) else { return true };
        let own = counts.get(value).copied().unwrap_or_default();
        counts.iter().all(|(other, count)| *other == value || *count < own)
    };
    let fits: Vec<bool> =
        groups.iter().map(|group| names(group).iter().all(|(label, value)| usual(group, label, value))).collect();
    let mut kept = Vec::new();
    for (group, fits) in groups.iter().zip(fits) {
        if fits {
            kept.push(group.clone());
        } else {
            let message =
                format!("{}: `{}` is of another project, service or instance: left out", group.file, group.metric());
            warnings.push(Warning::new("cloud-other-system", message));
        }
    }
    kept
}

fn of_database(quantity: Quantity) -> bool {
    quantity.is_of_queries() || quantity.name().starts_with("database")
}

/// Every name of a system in a group, once.
fn names(group: &Group) -> Vec<(&str, &str)> {
    let mut names = Vec::new();
    for series in &group.series {
        for label in IDENTITY {
            if let Some(value) = series.resource.get(label) {
                // one is called by two labels
                let label = if label == "resource_id" { "database_id" } else { label };
                names.push((label, value.as_str()));
            }
        }
    }
    names.sort();
    names.dedup();
    names
}
