//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Turn a k6 load-test sweep into published, provable benchmark pages
///
/// Reads what k6 left behind (raw output, terminal logs, summaries), derives the evidence of each run and renders it
/// through a template into docs pages. Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1
/// findings, drift or conflicts with what somebody wrote by hand, 2 the job could not be done.
#[derive(Debug, Parser)]
#[command(name = "sweepdoc", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// What every command takes
    #[command(flatten)]
    pub shared: Shared,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Shared {
    /// Use this project file instead of looking for `sweepdoc.toml`
    ///
    /// By default it is looked for in the given folder, then in its parents.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print errors only
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print what was left out and why
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// When to use colour; `NO_COLOR` is respected
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Also into files and pipes.
    Always,
    /// Nowhere.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a project file to start from
    ///
    /// Writes `sweepdoc.toml` into DIR and never over an existing one. With `--from`, product, version, title and facts
    /// are read back from already published pages.
    Init(InitArgs),
    /// Say what files are: format, version, span, rows, problems
    ///
    /// Folders are looked into with their sub-folders. What a file is gets decided by its content, never by its name.
    Inspect(InspectArgs),
    /// Reduce the raw output of one run to its evidence and chart data
    ///
    /// Writes `evidence.json` and `output.json` into the folder given with `--out`. The paths are the files of ONE run, or
    /// its folder; `-` is standard input.
    Reduce(ReduceArgs),
    /// Publish the pages of a sweep
    ///
    /// Reads each run's folder, renders its page and writes page, chart data and evidence. What people wrote on a page stays:
    /// untouched cells are updated, edited ones are kept, held against the data and reported. Exits with 1 when both a cell
    /// and its data changed, or when what somebody wrote does not hold.
    Publish(PublishArgs),
    /// Prove every number of published pages against the data
    ///
    /// Holds the rows of each page, its k6 output and its chart data against each other, against the evidence beside it and
    /// against the other pages, and says what is wrong, where, and what the data says. Exits with 1 when something is.
    Check(CheckArgs),
    /// Show pages as readers will see them, without a docs site
    ///
    /// Writes a folder of HTML files that work from the disk: every page with its picture, what `check` finds beside the
    /// words it concerns, rows a person wrote or corrected marked, and an index with the figures of all pages. From
    /// published pages, or from a sweep, whose pages are rendered for it and published nowhere.
    Preview(PreviewArgs),
    /// Print the sweep's table, or keep it up to date in a pull request or a file
    ///
    /// One line a run, fastest first, with k6's own figures; below it what was to be reached and what makes the runs
    /// incomparable. From published pages, from evidence or from raw output.
    Summary(SummaryArgs),
    /// Print each run's window, for collecting metrics of the same minutes
    ///
    /// One line a run: target, start, end, separated by `|`, in UTC. From a sweep, or from published pages.
    Windows(WindowsArgs),
    /// Print the JSON a template sees
    Context(ContextArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Folder of the sweep
    #[arg(default_value = ".")]
    pub dir: PathBuf,
    /// Read product, version and facts back from these published pages
    #[arg(long, value_name = "PAGES")]
    pub from: Option<PathBuf>,
    /// Name of the product under test
    #[arg(long)]
    pub product: Option<String>,
    /// Version under test
    #[arg(long, value_name = "VERSION")]
    pub release: Option<String>,
}

/// Arguments of `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Files or folders; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Arguments of `reduce`.
#[derive(Debug, Args)]
pub struct ReduceArgs {
    /// Files of one run, or its folder; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Folder for `evidence.json` and `output.json`
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Name of the target; by default the log's `target=` stamp, else the folder's name
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Keep every built-in trend, not only those the log or a summary prints
    #[arg(long)]
    pub all_trends: bool,
    /// Hash the whole of each input file
    #[arg(long)]
    pub sha256: bool,
}

/// Arguments of `publish`.
#[derive(Debug, Args)]
pub struct PublishArgs {
    /// Folder of the sweep
    #[arg(default_value = ".", value_name = "SWEEP")]
    pub sweep: PathBuf,
    /// Folder the pages go to; by default `out` of the project file's `[pages]`
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Publish only this target; may be given again
    #[arg(long, value_name = "NAME")]
    pub target: Vec<String>,
    /// Write nothing, exit with 1 when a page is missing or out of date
    #[arg(long, conflicts_with = "dry_run")]
    pub check: bool,
    /// Write nothing, show what would change on the pages
    #[arg(long)]
    pub dry_run: bool,
    /// Overwrite this row although somebody edited it; may be given again
    ///
    /// LABEL is a row's, under any of its names, or `intro`, `k6 output`, `title`, `sidebar_label`. A row that was taken out
    /// comes back.
    #[arg(long, value_name = "LABEL")]
    pub force_row: Vec<String>,
    /// How the outcome is printed
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
    /// Hash the whole of each input file
    #[arg(long)]
    pub sha256: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Pages, or folders of pages
    #[arg(required = true, value_name = "PAGE_OR_DIR")]
    pub pages: Vec<PathBuf>,
    /// Folder with raw output or evidence of the runs, one folder for each target
    ///
    /// By default the `evidence.json` beside each page is used.
    #[arg(long, value_name = "DIR")]
    pub evidence: Option<PathBuf>,
    /// Pages of an older version: what was right for them is reported as stale
    #[arg(long, value_name = "OLDER_PAGES")]
    pub against: Option<PathBuf>,
    /// Check the sweep tables of this Markdown or MDX file, and what it says of several pages; `-` is standard input
    ///
    /// A pull request's text, for example. A table is one of a sweep when its headings name the target and at least two figures.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Write generated cells that are wrong anew, and show the difference
    ///
    /// Only a cell that still reads as it was generated, or that is one time, duration, rate, count, version or target and nothing else,
    /// is written anew. Sentences are never touched. Findings are those that are left.
    #[arg(long)]
    pub fix: bool,
    /// List every claim, also those that hold and those nothing is known about
    #[arg(long)]
    pub all: bool,
    /// Exit with 1 on warnings too
    #[arg(long)]
    pub strict: bool,
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t = FindingsFormat::Text)]
    pub format: FindingsFormat,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingsFormat {
    /// For people, page by page.
    Text,
    /// For programs, after `docs/findings.schema.json`.
    Json,
    /// Annotations in a GitHub workflow.
    Github,
}

/// Arguments of `preview`.
#[derive(Debug, Args)]
pub struct PreviewArgs {
    /// Folder of published pages, a page, or the folder of a sweep
    #[arg(default_value = ".", value_name = "SWEEP|PAGES")]
    pub path: PathBuf,
    /// Folder the preview goes to; by default `preview`, and none with `--serve`
    ///
    /// It must be empty, new, or an earlier preview.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Serve the preview on this machine until the program is ended, and print its address
    #[arg(long)]
    pub serve: bool,
}

/// Arguments of `summary`.
#[derive(Debug, Args)]
pub struct SummaryArgs {
    /// Folder of published pages, or of the sweep
    #[arg(default_value = ".", value_name = "SWEEP|PAGES")]
    pub path: PathBuf,
    /// The version, where the pages are those of several
    #[arg(long, value_name = "VERSION")]
    pub release: Option<String>,
    /// What the figures are about
    #[arg(long, value_enum, default_value_t = ScopeArg::Run)]
    pub scope: ScopeArg,
    /// Columns of the table, separated by commas; by default those of the project file's `[summary]`
    #[arg(long, value_name = "NAMES")]
    pub columns: Option<String>,
    /// How the table is printed
    #[arg(long, value_enum, default_value_t = SummaryFormat::Markdown)]
    pub format: SummaryFormat,
    /// Keep the table up to date within this text, between its markers; `-` reads a text and prints it anew
    ///
    /// `<!-- sweepdoc:summary -->` and `<!-- /sweepdoc:summary -->`, in MDX `{/* sweepdoc:summary */}` and
    /// `{/* /sweepdoc:summary */}`; they are appended when they are not there. Every other byte stays.
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub update: Option<PathBuf>,
    /// Write nothing, exit with 1 when the table in the text is missing or out of date
    #[arg(long, requires = "update")]
    pub check: bool,
    /// The block of this name in the text, as in `<!-- sweepdoc:summary NAME -->`; by default that of the table's version,
    /// else the one without a name
    #[arg(long, value_name = "NAME", requires = "update")]
    pub block: Option<String>,
    /// Shorten the table so that the text has at most so many characters; by default GitHub's 65536 for `-`, any number
    /// for a file
    #[arg(long, value_name = "N", requires = "update")]
    pub max_chars: Option<usize>,
    /// Where the full table is, for a table that had to be shortened; by default `full_table` of `[summary]`
    #[arg(long, value_name = "URL", requires = "update")]
    pub full_table: Option<String>,
}

/// What a summary's figures are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// The whole runs, as k6 counts: setup and teardown included.
    Run,
    /// The test phase only.
    Test,
}

/// How a summary is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    /// For people: pull requests and docs.
    Markdown,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
}

/// Arguments of `windows`.
#[derive(Debug, Args)]
pub struct WindowsArgs {
    /// Folder of the sweep, or of published pages
    #[arg(default_value = ".", value_name = "SWEEP|PAGES")]
    pub path: PathBuf,
    /// Widen each window on both sides
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub pad: u32,
    /// How the windows are printed
    #[arg(long, value_enum, default_value_t = TextOrJson::Text)]
    pub format: TextOrJson,
}

/// Arguments of `context`.
#[derive(Debug, Args)]
pub struct ContextArgs {
    /// Folder of the sweep
    #[arg(default_value = ".", value_name = "SWEEP")]
    pub sweep: PathBuf,
    /// The target
    #[arg(long, value_name = "NAME")]
    pub target: String,
}

/// How data is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people.
    Text,
    /// For programs.
    Json,
}
