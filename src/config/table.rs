use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::names::Pattern;
use super::reference;
use crate::model::{Fault, Place, Result};

/// The text of a project file, for turning byte offsets into lines.
pub(super) struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// Keeps the text without a byte order mark, as it is parsed.
    pub(super) fn new(path: &Path, text: &str) -> Arc<Self> {
        Arc::new(Source { path: path.to_path_buf(), text: text.trim_start_matches('\u{feff}').to_owned() })
    }

    /// The folder relative paths start from.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn place(&self, offset: usize) -> Place {
        let before = self.text.as_bytes().get(..offset).unwrap_or(self.text.as_bytes());
        let line = before.iter().filter(|&&b| b == b'\n').count() as u64 + 1;
        Place::file(&self.path).line(line)
    }

    /// Turns the TOML parser's error into ours.
    pub(super) fn syntax_error(&self, error: &Error) -> Fault {
        let offset = error.span().map_or(self.text.len(), |span| span.start);
        Fault::at(self.place(offset), format!("invalid TOML: {}", error.message().replace('\n', ", ")))
    }
}

/// One value with the place it stands at, for later complaints.
pub(super) struct Entry<'a, 'i> {
    source: &'a Arc<Source>,
    offset: usize,
    /// The key and its table as shown in messages: `` `vus` in `[targets.x]` ``.
    shown: String,
    value: &'a DeValue<'i>,
}

/// A table whose keys are all known; every getter says line, key and table when a value does not fit.
pub(super) struct Table<'a, 'i> {
    source: &'a Arc<Source>,
    offset: usize,
    /// As shown in messages, `[check]`; empty at the top level.
    name: String,
    entries: IndexMap<String, (usize, &'a DeValue<'i>)>,
}

impl<'a, 'i> Table<'a, 'i> {
    /// The document itself.
    pub(super) fn root(source: &'a Arc<Source>, table: &'a DeTable<'i>) -> Result<Self> {
        let root = Table::open(source, 0, String::new(), table);
        root.only_known("")?;
        Ok(root)
    }

    fn open(source: &'a Arc<Source>, offset: usize, name: String, table: &'a DeTable<'i>) -> Self {
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(key, _)| key.span().start); // the parser sorts by name; people mean their own order
        let entry = |(key, value): (&Spanned<_>, &'a Spanned<DeValue<'i>>)| -> (String, (usize, &'a DeValue<'i>)) {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            (name.clone().into_owned(), (key.span().start, value.get_ref()))
        };
        Table { source, offset, name, entries: keys.into_iter().map(entry).collect() }
    }

    fn only_known(&self, schema: &str) -> Result<()> {
        let known: Vec<&str> = reference::names(schema).collect();
        let Some((key, (offset, _))) = self.entries.iter().find(|(key, _)| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let list = known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
        let message = format!("unknown key `{}`{}, expected one of {list}", key.escape_debug(), self.within());
        let fault = Fault::at(self.source.place(*offset), message);
        let near = known.iter().map(|k| (strsim::osa_distance(k, key), k)).min();
        Err(match near {
            Some((distance, k)) if distance <= 2 => fault.hint(format!("did you mean `{k}`?")),
            _ => fault,
        })
    }

    fn within(&self) -> String {
        if self.name.is_empty() { " at the top level".to_owned() } else { format!(" in `{}`", self.name) }
    }

    /// A fault at the table's own line.
    pub(super) fn fault(&self, message: impl AsRef<str>) -> Fault {
        Fault::at(self.source.place(self.offset), format!("{}{}", message.as_ref(), self.within()))
    }

    /// A fault at a key's line; at the table's when the key is not set.
    pub(super) fn unfit(&self, key: &str, message: &str) -> Fault {
        self.get(key).map_or_else(|| self.fault(message), |entry| entry.fault(message))
    }

    /// All entries in the order written, for tables whose keys are free.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, Entry<'a, 'i>)> {
        self.entries.iter().map(|(key, (offset, value))| (key.as_str(), self.entry(key, *offset, value)))
    }

    fn entry(&self, key: &str, offset: usize, value: &'a DeValue<'i>) -> Entry<'a, 'i> {
        Entry { source: self.source, offset, shown: format!("`{}`{}", key.escape_debug(), self.within()), value }
    }

    /// The entry of a key, if set.
    pub(super) fn get(&self, key: &str) -> Option<Entry<'a, 'i>> {
        self.entries.get(key).map(|(offset, value)| self.entry(key, *offset, value))
    }

    /// The line of a key, if set.
    pub(super) fn line(&self, key: &str) -> Option<u64> {
        self.entries.get(key).and_then(|(offset, _)| self.source.place(*offset).line)
    }

    /// A text that is not blank.
    pub(super) fn required_text(&self, key: &str) -> Result<String> {
        let entry = self
            .get(key)
            .ok_or_else(|| self.fault(format!("`{key}` is missing")).hint(format!("add `{key} = \"...\"`")))?;
        let text = entry.text()?;
        if text.trim().is_empty() { Err(entry.fault("expected a text, found an empty one")) } else { Ok(text) }
    }

    /// A text, if set.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key).map(|e| e.text()).transpose()
    }

    /// A pattern, if set.
    pub(super) fn pattern(&self, key: &str) -> Result<Option<Pattern>> {
        self.get(key)
            .map(|e| e.text().and_then(|text| Pattern::parse(&text).map_err(|problem| e.fault(problem))))
            .transpose()
    }

    /// A list of texts; empty when not set.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>> {
        let Some(entry) = self.get(key) else { return Ok(Vec::new()) };
        entry.items()?.into_iter().map(|item| item.text()).collect()
    }

    /// A list of regular expressions, tested for validity; empty when not set.
    pub(super) fn patterns(&self, key: &str) -> Result<Vec<String>> {
        let Some(entry) = self.get(key) else { return Ok(Vec::new()) };
        entry.items()?.into_iter().map(|item| item.regex()).collect()
    }

    /// A regular expression, tested for validity, if set.
    pub(super) fn regex(&self, key: &str) -> Result<Option<String>> {
        self.get(key).map(|e| e.regex()).transpose()
    }

    /// A whole number from 0, if set.
    pub(super) fn whole(&self, key: &str) -> Result<Option<u64>> {
        self.get(key).map(|e| e.whole()).transpose()
    }

    /// A whole number that fits 16 bits, if set.
    pub(super) fn whole16(&self, key: &str) -> Result<Option<u16>> {
        let Some(entry) = self.get(key) else { return Ok(None) };
        let number = entry.whole()?;
        let fits = u16::try_from(number).map_err(|_| entry.fault(format!("{number} is out of range")))?;
        Ok(Some(fits))
    }

    /// A finite number from 0, if set.
    pub(super) fn number(&self, key: &str) -> Result<Option<f64>> {
        self.get(key).map(|e| e.number()).transpose()
    }

    /// A number in `0.0..=1.0`, if set.
    pub(super) fn fraction(&self, key: &str) -> Result<Option<f64>> {
        let Some(entry) = self.get(key) else { return Ok(None) };
        let number = entry.number()?;
        if number > 1.0 {
            return Err(entry.fault(format!("expected a fraction from 0 to 1, found {number}")));
        }
        Ok(Some(number))
    }

    /// `true` or `false`, if set.
    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>> {
        self.get(key).map(|e| e.value.as_bool().ok_or_else(|| e.unfit("`true` or `false`"))).transpose()
    }

    /// One of several words, if set.
    pub(super) fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Option<T>> {
        self.get(key).map(|e| e.choice(choices)).transpose()
    }

    /// A table of the given schema, if set.
    pub(super) fn table(&self, key: &str, schema: &str) -> Result<Option<Table<'a, 'i>>> {
        let Some(table) = self.free_table(key)? else { return Ok(None) };
        table.only_known(schema)?;
        Ok(Some(table))
    }

    /// A table with free keys, if set.
    pub(super) fn free_table(&self, key: &str) -> Result<Option<Table<'a, 'i>>> {
        let name = if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.bare_name()) };
        self.get(key).map(|e| e.free_table(&name)).transpose()
    }

    fn bare_name(&self) -> &str {
        self.name.trim_matches(['[', ']'])
    }

    /// An array of tables, `[[goals]]`; the schema has the key's name. Empty when not set.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Table<'a, 'i>>> {
        let Some(entry) = self.get(key) else { return Ok(Vec::new()) };
        let read = |item: Entry<'a, 'i>| {
            let mut table = item.free_table(key)?;
            table.name = format!("[[{key}]]");
            table.only_known(key)?;
            Ok(table)
        };
        entry.items()?.into_iter().map(read).collect()
    }
}

impl<'a, 'i> Entry<'a, 'i> {
    /// A fault at this entry's line: `` `key` in `[table]`: message ``.
    pub(super) fn fault(&self, message: impl AsRef<str>) -> Fault {
        Fault::at(self.source.place(self.offset), format!("{}: {}", self.shown, message.as_ref()))
    }

    fn unfit(&self, expected: &str) -> Fault {
        self.fault(format!("expected {expected}, found {}", kind(self.value)))
    }

    /// A text.
    pub(super) fn text(&self) -> Result<String> {
        self.value.as_str().map(str::to_owned).ok_or_else(|| self.unfit("a text in quotes"))
    }

    fn regex(&self) -> Result<String> {
        let text = self.text()?;
        let invalid = |e: regex::Error| {
            let reason = e.to_string();
            let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            self.fault(format!("`{text}` is no regular expression: {last}"))
        };
        regex::Regex::new(&text).map_err(invalid)?;
        Ok(text)
    }

    fn whole(&self) -> Result<u64> {
        self.value
            .as_integer()
            .and_then(|i| u64::from_str_radix(i.as_str(), i.radix()).ok())
            .ok_or_else(|| self.unfit("a whole number from 0"))
    }

    fn number(&self) -> Result<f64> {
        let text = match self.value {
            DeValue::Integer(i) if i.radix() == 10 => Some(i.as_str()),
            DeValue::Float(f) => Some(f.as_str()),
            _ => None,
        };
        text.and_then(|t| t.parse::<f64>().ok())
            .filter(|n| n.is_finite() && *n >= 0.0)
            .ok_or_else(|| self.unfit("a number from 0"))
    }

    /// One of several words.
    pub(super) fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T> {
        let text = self.text()?;
        choices.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let list = choices.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            self.fault(format!("expected one of {list}, found `{}`", text.escape_debug()))
        })
    }

    fn items(&self) -> Result<Vec<Entry<'a, 'i>>> {
        let array = self.value.as_array().ok_or_else(|| self.unfit("a list"))?;
        let item = |value: &'a Spanned<DeValue<'i>>| Entry {
            source: self.source,
            offset: value.span().start,
            shown: self.shown.clone(),
            value: value.get_ref(),
        };
        Ok(array.iter().map(item).collect())
    }

    /// True when the value is a table.
    pub(super) fn is_table(&self) -> bool {
        self.value.is_table()
    }

    /// The value as a table with free keys.
    pub(super) fn free_table(&self, name: &str) -> Result<Table<'a, 'i>> {
        let table = self.value.as_table().ok_or_else(|| self.unfit("a table"))?;
        Ok(Table::open(self.source, self.offset, format!("[{name}]"), table))
    }

    /// The value as a table of the given schema.
    pub(super) fn table(&self, name: &str, schema: &str) -> Result<Table<'a, 'i>> {
        let table = self.free_table(name)?;
        table.only_known(schema)?;
        Ok(table)
    }

    /// The folder relative paths start from.
    pub(super) fn folder(&self) -> &Path {
        self.source.folder()
    }
}

/// A value's type in the words of a person, numbers with their text.
fn kind(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text `{}`", text.escape_debug()),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
