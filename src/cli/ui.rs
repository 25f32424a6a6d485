//! Where output goes: data to stdout, everything else to stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::args::{Color, Shared};
use crate::model::{Fault, Warning};

/// The reader of our output went away; nothing is wrong.
#[derive(Debug)]
pub struct ClosedPipe;

impl fmt::Display for ClosedPipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the output was closed")
    }
}

impl std::error::Error for ClosedPipe {}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// What the user sees.
#[derive(Debug)]
pub struct Ui {
    color: ColorChoice,
    quiet: bool,
    verbose: bool,
}

impl Ui {
    /// Output as the shared options ask for it.
    pub fn new(shared: &Shared) -> Self {
        let color = match shared.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Ui { color, quiet: shared.quiet, verbose: shared.verbose }
    }

    /// Writes data to stdout.
    ///
    /// # Errors
    ///
    /// [`ClosedPipe`] when the reader is gone, else what the system says.
    pub fn data(&self, text: &str) -> anyhow::Result<()> {
        self.data_bytes(text.as_bytes())
    }

    /// Writes data to stdout as it is.
    ///
    /// # Errors
    ///
    /// As [`Ui::data`].
    pub fn data_bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Err(ClosedPipe.into()),
            Err(e) => Err(Fault::io("-", "write to standard output", e).into()),
        }
    }

    /// True when a progress bar may be drawn.
    pub fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// A failure, with what can be done about it.
    pub fn error(&self, error: &anyhow::Error) {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        self.labelled(ERROR, "error", &causes.join(": "));
        if let Some(hint) =
            error.chain().find_map(|e| e.downcast_ref::<Fault>()).and_then(|fault| fault.hint.as_deref())
        {
            self.labelled(HINT, "hint", hint);
        }
    }

    /// A complaint that stops nothing but decides the exit code.
    pub fn conflict(&self, place: &str, message: &str, hint: &str) {
        self.labelled(ERROR, "conflict", &format!("{place}: {message}"));
        self.labelled(HINT, "hint", hint);
    }

    /// A finding that decides the exit code, with its line end.
    pub fn finding(&self, text: &str) {
        self.stderr(&literal(text));
    }

    /// Something worth knowing about one run.
    pub fn warning(&self, target: &str, warning: &Warning) {
        if !self.quiet {
            self.labelled(WARNING, "warning", &format!("{target}: {} [{}]", warning.message, warning.code));
        }
    }

    /// A plain line for people.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.stderr(&format!("{text}\n"));
        }
    }

    /// A line only `--verbose` shows.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            self.stderr(&format!("{text}\n"));
        }
    }

    fn labelled(&self, style: Style, label: &str, text: &str) {
        self.stderr(&format!("{style}{label}{style:#}: {}\n", literal(text)));
    }

    /// A terminal that is gone is no reason to stop.
    fn stderr(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = stderr.write_all(text.as_bytes());
    }
}

/// Texts from logs and file names may hold control codes that would steer the terminal.
fn literal(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}
