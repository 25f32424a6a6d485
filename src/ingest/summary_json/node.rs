use std::path::Path;

use indexmap::IndexMap;
use serde_json::Value;

use super::secrets;
use crate::model::{CheckCount, Contains, Fault, Figures, Kind, Place, Printed, Result};
use crate::notation::stat;

/// A value with its place in the document, so that a fault can name it.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    value: &'a Value,
    path: String,
    file: &'a Path,
}

impl<'a> Node<'a> {
    pub fn root(value: &'a Value, file: &'a Path) -> Self {
        Node { value, path: String::new(), file }
    }

    /// A field, if it is there.
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        self.value.get(key).map(|value| self.at(value, key))
    }

    /// A field that must be there.
    pub fn field(&self, key: &str) -> Result<Node<'a>> {
        self.get(key).ok_or_else(|| self.expected(&format!("a field `{key}`")))
    }

    /// The fields of an object, in the order of the file.
    pub fn entries(&self) -> Result<Vec<(&'a str, Node<'a>)>> {
        let object = self.value.as_object().ok_or_else(|| self.expected("an object"))?;
        Ok(object.iter().map(|(key, value)| (key.as_str(), self.at(value, key))).collect())
    }

    /// The items of an array.
    pub fn items(&self) -> Result<Vec<Node<'a>>> {
        let array = self.value.as_array().ok_or_else(|| self.expected("an array"))?;
        let path = |i| format!("{}[{i}]", self.path);
        Ok(array.iter().enumerate().map(|(i, value)| Node { value, path: path(i), file: self.file }).collect())
    }

    /// True for an array.
    pub fn is_array(&self) -> bool {
        self.value.is_array()
    }

    pub fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("a text"))
    }

    pub fn number(&self) -> Result<f64> {
        self.value.as_f64().ok_or_else(|| self.expected("a number"))
    }

    /// A whole number, also when it is written `822.0`.
    pub fn count(&self) -> Result<u64> {
        let whole =
            |value: f64| (value >= 0.0 && value.fract() == 0.0 && value < 2f64.powi(53)).then_some(value as u64);
        self.value.as_u64().or_else(|| whole(self.value.as_f64()?)).ok_or_else(|| self.expected("a count"))
    }

    /// A figure stated in full; `null` is what JavaScript makes of a number that is not finite.
    pub fn figure(&self) -> Result<Printed> {
        let value = if self.value.is_null() { None } else { Some(self.number()?) };
        Ok(Printed { text: self.value.to_string(), value, step: 0.0 })
    }

    /// The statistics of a trend; `thresholds` beside them are no statistics.
    pub fn trend(&self) -> Result<Figures> {
        let mut line = IndexMap::new();
        for (name, value) in self.entries()? {
            if name != "thresholds" {
                let stat = stat::read(name).ok_or_else(|| value.expected("a statistic such as `avg` or `p(95)`"))?;
                line.insert(stat, value.figure()?);
            }
        }
        Ok(Figures::Trend(line))
    }

    /// `value`, `min` and `max` of a gauge.
    pub fn gauge(&self) -> Result<Figures> {
        let extreme = |key: &str| self.get(key).map(|node| node.figure()).transpose();
        Ok(Figures::Gauge { value: self.field("value")?.figure()?, min: extreme("min")?, max: extreme("max")? })
    }

    /// `count` and, where the shape has it, `rate` of a counter.
    pub fn counter(&self) -> Result<Figures> {
        let per_second = self.get("rate").map(|node| node.figure()).transpose()?;
        Ok(Figures::Counter { count: self.field("count")?.figure()?, per_second })
    }

    /// A rate with `passes` (samples that were not zero) and `fails`; `share` is the key of its share.
    pub fn rate(&self, share: &str) -> Result<Figures> {
        let (nonzero, zero) = (self.field("passes")?.count()?, self.field("fails")?.count()?);
        let total = nonzero.checked_add(zero).ok_or_else(|| self.expected("counts that can be added"))?;
        let share = self.get(share).map(|node| node.figure()).transpose()?;
        Ok(Figures::Rate { nonzero, total, share })
    }

    /// One check, `{"name", "passes", "fails"}`.
    pub fn check(&self, group: Option<&str>) -> Result<CheckCount> {
        Ok(CheckCount {
            group: group.map(str::to_owned),
            name: self.field("name")?.text()?.to_owned(),
            passes: Some(self.field("passes")?.count()?),
            fails: Some(self.field("fails")?.count()?),
        })
    }

    /// The checks of a group and of the groups in it. An export keys both by name, `handleSummary` lists them.
    pub fn checks_of_group(&self, path: &str, found: &mut Vec<CheckCount>) -> Result<()> {
        for check in self.children("checks")? {
            found.push(check.check(Some(path))?);
        }
        for group in self.children("groups")? {
            let name = group.field("name")?.text()?;
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") };
            group.checks_of_group(&path, found)?;
        }
        Ok(())
    }

    /// A fault that says what was expected here and what was found.
    pub fn expected(&self, what: &str) -> Fault {
        let found = match self.value {
            Value::Null => "`null`".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            Value::Array(_) => "an array".to_owned(),
            Value::String(text) => format!("`{}`", secrets::mask(text).chars().take(40).collect::<String>()),
            other => format!("`{other}`"),
        };
        let place = Place::file(self.file);
        let place = if self.path.is_empty() { place } else { place.field(format!("field `{}`", self.path)) };
        Fault::at(place, format!("expected {what}, found {found}"))
    }

    fn at(&self, value: &'a Value, key: &str) -> Node<'a> {
        Node { value, path: secrets::join(&self.path, key), file: self.file }
    }

    fn children(&self, key: &str) -> Result<Vec<Node<'a>>> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(list) if list.is_array() => list.items(),
            Some(map) => Ok(map.entries()?.into_iter().map(|(_, node)| node).collect()),
        }
    }
}

/// A kind by k6's word for it.
pub(super) fn kind(word: &str) -> Option<Kind> {
    Some(match word {
        "counter" => Kind::Counter,
        "gauge" => Kind::Gauge,
        "rate" => Kind::Rate,
        "trend" => Kind::Trend,
        _ => return None,
    })
}

/// A unit by k6's word for it.
pub(super) fn contains(word: &str) -> Option<Contains> {
    Some(match word {
        "default" => Contains::Default,
        "time" => Contains::Time,
        "data" => Contains::Data,
        _ => return None,
    })
}
