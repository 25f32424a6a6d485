use super::{Place, Time};

/// What a metric is to k6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sum of values.
    Counter,
    /// The last value, with its extremes.
    Gauge,
    /// The share of values that are not zero.
    Rate,
    /// All values, summed up by quantiles.
    Trend,
}

/// What a metric's values measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contains {
    /// Plain numbers.
    Default,
    /// Milliseconds.
    Time,
    /// Bytes.
    Data,
}

/// A metric's type as k6 itself stated it (a `Metric` line of the JSON output, a summary, a log).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The metric's name, without a submetric's braces.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its unit.
    pub contains: Contains,
}

/// The tags of one sample. `None` says that the column does not exist or the tag was not set, `Some("")` that it is empty.
#[derive(Debug, Clone, Default)]
pub struct Tags<'a> {
    /// Name of the check.
    pub check: Option<&'a str>,
    /// k6's short error text.
    pub error: Option<&'a str>,
    /// k6's error code as text, `1503`.
    pub error_code: Option<&'a str>,
    /// `true` or `false`.
    pub expected_response: Option<&'a str>,
    /// Path of the group, `::setup`.
    pub group: Option<&'a str>,
    /// HTTP method.
    pub method: Option<&'a str>,
    /// Name of the request, by default its URL.
    pub name: Option<&'a str>,
    /// Name of the scenario; empty in setup and teardown.
    pub scenario: Option<&'a str>,
    /// HTTP status, `0` without a response.
    pub status: Option<&'a str>,
    /// URL of the request.
    pub url: Option<&'a str>,
    /// Every other tag that is set, `key` then `value`, in no order.
    pub others: Vec<(&'a str, &'a str)>,
}

/// A tag with a field of its own in [`Tags`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// See [`Tags::check`].
    Check,
    /// See [`Tags::error`].
    Error,
    /// See [`Tags::error_code`].
    ErrorCode,
    /// See [`Tags::expected_response`].
    ExpectedResponse,
    /// See [`Tags::group`].
    Group,
    /// See [`Tags::method`].
    Method,
    /// See [`Tags::name`].
    Name,
    /// See [`Tags::scenario`].
    Scenario,
    /// See [`Tags::status`].
    Status,
    /// See [`Tags::url`].
    Url,
}

impl Tag {
    /// The tag of k6's own name for it; `None` for one without a field of its own.
    pub fn named(key: &str) -> Option<Self> {
        Some(match key {
            "check" => Tag::Check,
            "error" => Tag::Error,
            "error_code" => Tag::ErrorCode,
            "expected_response" => Tag::ExpectedResponse,
            "group" => Tag::Group,
            "method" => Tag::Method,
            "name" => Tag::Name,
            "scenario" => Tag::Scenario,
            "status" => Tag::Status,
            "url" => Tag::Url,
            _ => return None,
        })
    }
}

impl<'a> Tags<'a> {
    /// The value of a tag by k6's own name for it; `None` when it is not set.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        let known = match Tag::named(key) {
            Some(Tag::Check) => self.check,
            Some(Tag::Error) => self.error,
            Some(Tag::ErrorCode) => self.error_code,
            Some(Tag::ExpectedResponse) => self.expected_response,
            Some(Tag::Group) => self.group,
            Some(Tag::Method) => self.method,
            Some(Tag::Name) => self.name,
            Some(Tag::Scenario) => self.scenario,
            Some(Tag::Status) => self.status,
            Some(Tag::Url) => self.url,
            None => None,
        };
        known.or_else(|| self.others.iter().find(|(k, _)| *k == key).map(|(_, v)| *v))
    }

    /// The field of a tag.
    #[inline]
    pub fn field(&mut self, tag: Tag) -> &mut Option<&'a str> {
        match tag {
            Tag::Check => &mut self.check,
            Tag::Error => &mut self.error,
            Tag::ErrorCode => &mut self.error_code,
            Tag::ExpectedResponse => &mut self.expected_response,
            Tag::Group => &mut self.group,
            Tag::Method => &mut self.method,
            Tag::Name => &mut self.name,
            Tag::Scenario => &mut self.scenario,
            Tag::Status => &mut self.status,
            Tag::Url => &mut self.url,
        }
    }
}

/// The number a sink gave a metric: a name is looked up once, not once a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetricId(pub usize);

/// One measured value, borrowed from the reader's buffer.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The metric, by the number [`Sink::metric`] gave it.
    pub metric: MetricId,
    /// When it was taken, by the load machine's clock.
    pub time: Time,
    /// The value; milliseconds for times, bytes for data. Of a metric whose values the sink does not look at it may be 0.
    pub value: f64,
    /// Its tags.
    pub tags: &'a Tags<'a>,
    /// Where its row begins in the (decompressed) file, in bytes: tells which of two samples came first, whoever read them.
    pub at: u64,
}

/// Takes what a reader of raw k6 output finds, one piece at a time.
///
/// A reader gives one sink the rows of a file in their order, or several sinks a share of the rows each; a share is in
/// order, too, but has gaps.
pub trait Sink {
    /// The number for a metric of this name; the same for the same name.
    fn metric(&mut self, name: &str) -> MetricId;

    /// Whether the sink looks at [`Tags::others`]; a reader may leave them out otherwise.
    fn reads_other_tags(&self) -> bool {
        true
    }

    /// Whether the sink looks at the values of a metric; a reader may leave them out otherwise.
    fn reads_values(&self, metric: MetricId) -> bool {
        let _ = metric;
        true
    }

    /// One sample.
    fn sample(&mut self, sample: &Sample<'_>);

    /// One more sample with the time and the tags of the one given before it, another metric, value and place: k6 writes nine
    /// such rows for each request.
    fn repeated(&mut self, before: &Sample<'_>, metric: MetricId, value: f64, at: u64) {
        self.sample(&Sample { metric, value, at, ..*before });
    }

    /// A metric's type, stated by k6 before its first sample.
    fn declare(&mut self, declaration: Declaration);

    /// A row that was left out, by reason, and the first place of that reason (a cut last line, a value that is not finite).
    fn skipped(&mut self, reason: &'static str, place: Place);

    /// The input ended before its time (a gzip without its trailer).
    fn truncated(&mut self, what: &'static str);
}

/// A metric narrowed by tags, printed by k6 as `http_req_duration{expected_response:true}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Submetric {
    /// Name of the parent metric.
    pub metric: String,
    /// `key`, `value` pairs that must all match.
    pub tags: Vec<(String, String)>,
}

impl Submetric {
    /// Reads `name{key:value,key:value}`; `None` without braces or when a part has no `:`.
    pub fn parse(text: &str) -> Option<Self> {
        let (metric, rest) = text.split_once('{')?;
        let inner = rest.trim_end().strip_suffix('}')?;
        let mut tags = Vec::new();
        for part in inner.split(',') {
            let (key, value) = part.split_once(':')?;
            let bare = |s: &str| s.trim().trim_matches(['"', '\'']).to_owned();
            tags.push((bare(key), bare(value)));
        }
        Some(Submetric { metric: metric.trim().to_owned(), tags })
    }

    /// True when the sample's tags all match.
    pub fn matches(&self, tags: &Tags<'_>) -> bool {
        self.tags.iter().all(|(key, value)| tags.get(key).unwrap_or("") == value)
    }
}

impl std::fmt::Display for Submetric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tags: Vec<String> = self.tags.iter().map(|(k, v)| format!("{k}:{v}")).collect();
        write!(f, "{}{{{}}}", self.metric, tags.join(","))
    }
}
