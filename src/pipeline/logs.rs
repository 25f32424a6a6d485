//! The logs of one run as one.

use crate::ingest::detect::document;
use crate::ingest::terminal;
use crate::model::{Fault, Place, Result, SourceFile, TerminalLog};

use super::files::InputFile;

/// The log of a run, and the text it was read from.
pub(super) struct RunLog<'a> {
    /// The file with k6's output, or the first one when none has it.
    pub file: &'a InputFile,
    pub log: TerminalLog,
    pub text: String,
    /// Every file that was read, with its lines and whether it holds k6's output.
    pub parts: Vec<(&'a InputFile, u64, bool)>,
}

impl RunLog<'_> {
    /// The files as sources: those with k6's output are logs, the others stamps, which several runs may share.
    pub fn sources(&self, sha256: bool) -> Result<Vec<SourceFile>> {
        let described = |(file, lines, holds_run): &(&InputFile, u64, bool)| {
            let kind = if *holds_run { "log" } else { "stamps" };
            Ok(SourceFile { kind: kind.to_owned(), ..file.described(Some(*lines), sha256)? })
        };
        self.parts.iter().map(described).collect()
    }
}

/// Reads the logs of one run: one with k6's own output, and any with stamps or `k6 version` besides.
///
/// # Errors
///
/// Fails when two of them hold the output of a run.
pub(super) fn read<'a>(files: impl Iterator<Item = &'a InputFile>) -> Result<Option<RunLog<'a>>> {
    let mut run: Option<RunLog<'a>> = None;
    for file in files {
        let text = document(&file.source)?;
        let log = terminal::read(&text);
        let parts = vec![(file, log.lines, holds_a_run(&log))];
        let next = RunLog { file, log, text, parts };
        run = Some(match run {
            None => next,
            Some(first) => join(first, next)?,
        });
    }
    Ok(run)
}

fn holds_a_run(log: &TerminalLog) -> bool {
    log.running.is_some() || log.summary.is_some() || !log.scenarios.is_empty()
}

fn join<'a>(first: RunLog<'a>, second: RunLog<'a>) -> Result<RunLog<'a>> {
    let (mut main, other) = match (holds_a_run(&first.log), holds_a_run(&second.log)) {
        (true, true) => {
            return Err(Fault::at(
                Place::file(&second.file.source.path),
                format!("expected one log with k6's output, found another in {}", first.file.source.path.display()),
            )
            .hint("keep one run per folder; the logs of further load generators of one run belong elsewhere"));
        }
        (_, true) => (second, first),
        _ => (first, second),
    };
    for (key, value) in other.log.stamps {
        main.log.stamps.entry(key).or_insert(value);
    }
    main.log.k6_version = main.log.k6_version.or(other.log.k6_version);
    main.log.lines += other.log.lines;
    main.parts.extend(other.parts);
    main.text.push('\n');
    main.text.push_str(&other.text);
    Ok(main)
}
