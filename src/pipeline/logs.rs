//! The logs of one run as one.

use crate::ingest::detect::document;
use crate::ingest::terminal;
use crate::model::{Fault, Place, Result, TerminalLog};

use super::files::InputFile;

/// The log of a run, and the text it was read from.
pub(super) struct RunLog<'a> {
    pub file: &'a InputFile,
    pub log: TerminalLog,
    pub text: String,
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
        let next = RunLog { file, log, text };
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
    main.text.push('\n');
    main.text.push_str(&other.text);
    Ok(main)
}
