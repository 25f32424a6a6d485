/// One key of the project file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its table as written, `pages`; empty at the top level, `targets.NAME` for every target.
    pub table: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: &'static str,
    /// What holds without it; empty when nothing does.
    pub default: &'static str,
    /// What it is for, one sentence.
    pub meaning: &'static str,
}

/// Every key of the project file, in the order of the documentation.
///
/// The reader takes the valid keys of a table from here, so the two cannot differ. `[facts]` has row labels for keys.
pub const KEYS: &[Key] = &[
    key("", "product", "text", "", "What was tested; stands in row labels. Required."),
    key("", "version", "text", "", "The version under test; part of paths and titles. Required."),
    key("", "pages", "table", "", "Where pages go and how they are named."),
    key("", "facts", "table", "", "Rows only people know: label = Markdown, or label = { file = \"...\" }."),
    key("", "rows", "table", "", "Which rows a page shows."),
    key("", "targets", "table", "", "What is particular to single targets."),
    key("", "goals", "list of tables", "", "What a target has to reach."),
    key("", "causes", "list of tables", "", "Causes of failures with a name of their own."),
    key("", "metrics", "table", "", "What metrics of monitoring measure: name, label or file name = quantity."),
    key("", "queries", "list of tables", "", "Names and categories of database statements."),
    key("", "errors", "table", "", "How failures with one cause are grouped in time."),
    key("", "outcome", "table", "", "When a resource counts as exhausted."),
    key("", "check", "table", "", "What `check` leaves alone or judges otherwise."),
    key("", "summary", "table", "", "How `summary` writes the sweep's table."),
    key("", "chart", "table", "", "How chart data is written."),
    key("", "publish", "table", "", "What never reaches a published file."),
    key("pages", "out", "path", "", "Output folder, relative to this file; `--out` wins."),
    key("pages", "template", "path", "", "Page template, relative to this file; without it the built-in one."),
    key("pages", "path", "pattern", "{version}/{target}/index.mdx", "Page below `out`; `.md` gives plain Markdown."),
    key("pages", "mirror", "pattern", "", "Second copy of the chart data, relative to `out`."),
    key("pages", "sidebar", "path", "", "Sidebar file to keep up to date, relative to `out`."),
    key("pages", "title", "pattern", "{words} benchmark of {product} {version}", "Title of a page."),
    key(
        "pages",
        "intro",
        "pattern",
        "Benchmark results of the {version} release of {product}.",
        "First paragraph of a new page.",
    ),
    key("pages", "picture", "`true` or `false`", "false", "Show `latency.svg` on the page, below the chart."),
    key(
        "pages",
        "sweep_picture",
        "pattern",
        "",
        "Picture of all runs, relative to `out`, such as `{version}/sweep.svg`.",
    ),
    key("fact", "file", "path", "", "File that holds the fact, relative to this file."),
    key("rows", "hide", "list of labels", "", "Rows left out."),
    key("rows", "rename", "table", "", "Labels as they shall read, by their usual label."),
    key("rows", "order", "list of labels", "", "Rows that come first, in this order."),
    key("targets.NAME", "vus", "whole number", "", "VUs the data must agree with."),
    key("targets.NAME", "words", "text", "", "How the target reads in titles; else its name with spaces."),
    key("targets.NAME", "facts", "table", "", "Facts in place of those of the sweep."),
    key("goals", "target", "text", "", "The target. Required."),
    key("goals", "metric", "text", "", "The figure, such as `iterations_per_second` or `p95`. Required."),
    key("goals", "at_least", "number", "", "Least acceptable value; milliseconds for times."),
    key("goals", "at_most", "number", "", "Largest acceptable value; milliseconds for times."),
    key("goals", "link", "URL", "", "Where the goal was agreed on."),
    key("causes", "status", "whole number", "", "HTTP status of the failed requests."),
    key("causes", "error_code", "whole number", "", "k6's error code of the failed requests."),
    key("causes", "error", "text", "", "Text within k6's error text."),
    key("causes", "log", "text", "", "Text within a line of the run's log."),
    key("causes", "label", "Markdown", "", "Name of the cause on the page. Required."),
    key("queries", "hash", "text", "", "Query Insights' number for one statement."),
    key("queries", "text", "regular expression", "", "What the statement's text must fit."),
    key("queries", "name", "Markdown", "", "Its name on the page."),
    key("queries", "category", "text", "", "What its time is summed up under, over a run and over the sweep."),
    key("errors", "gap_seconds", "number", "10", "A gap this long may end a cluster of failures."),
    key("errors", "gap_fraction", "0 to 1", "0.02", "So may this fraction of the window; the longer counts."),
    key("errors", "burst_fraction", "0 to 1", "1/3", "A burst spans at most this fraction of the window."),
    key("errors", "burst_count", "whole number", "5", "Least failures of each of several bursts."),
    key("errors", "bursts_share", "0 to 1", "0.9", "Least fraction of failures that several bursts hold."),
    key("errors", "sustained_fraction", "0 to 1", "2/3", "Least fraction of minutes with sustained failures."),
    key("outcome", "database_cpu_percent", "number", "85", "Median database CPU from which it is saturated."),
    key("outcome", "container_cpu_percent", "number", "85", "Median container CPU from which it is saturated."),
    key("outcome", "client_cpu_percent", "number", "85", "Median CPU of the load generator from which it limits."),
    key("outcome", "lock_share_percent", "number", "30", "Share of query time in lock waits that limits."),
    key("outcome", "critical_failed_percent", "number", "5", "Share of failed requests that ends the tests."),
    key("outcome", "least_gain_percent", "number", "5", "Gain over the baseline below which scaling ends."),
    key(
        "outcome",
        "baseline",
        "path",
        "",
        "Published pages of the run before the last scaling step, relative to this file; their k6 rates are what gains are over.",
    ),
    key("check", "ignore", "list of labels", "", "Rows no claim is taken from."),
    key("check", "severity", "table", "", "`error`, `warning`, `note` or `off` by kind of finding or verdict."),
    key(
        "check",
        "tolerance",
        "percent",
        "0",
        "How far a single figure may be off, in percent of the data's, and still count as rounded.",
    ),
    key(
        "summary",
        "columns",
        "list of columns",
        "target, vus, iterations_per_second, p50, p95, p99, failed_requests",
        "Columns of the table, in order; also `iterations`, `requests`, `failed_checks`, `avg`, `min`, `max`, other percentiles.",
    ),
    key("summary", "full_table", "URL", "", "Where the full table is when a pull request has no room for it."),
    key(
        "summary",
        "picture",
        "URL or path",
        "",
        "The picture of all runs, shown below the table; `{version}` stands for the table's version.",
    ),
    key("chart", "timestamp", "`space` or `rfc3339`", "space", "How chart data writes its times."),
    key("publish", "redact", "list of regular expressions", "", "What never reaches a published file."),
];

const fn key(
    table: &'static str,
    name: &'static str,
    kind: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Key {
    Key { table, name, kind, default, meaning }
}

/// Names of the valid keys of a table.
pub(super) fn names(table: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter(move |key| key.table == table).map(|key| key.name)
}

/// The default of a key as text; empty for a key without one.
pub(super) fn default_of(table: &str, name: &str) -> &'static str {
    KEYS.iter().find(|key| key.table == table && key.name == name).map_or("", |key| key.default)
}
