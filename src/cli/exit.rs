//! How a command ended, decided in one place.

use std::process::ExitCode;

use super::ui::{ClosedPipe, Ui};

/// The job was done.
pub const DONE: u8 = 0;
/// Findings of severity error, drift, or conflicts with what somebody wrote by hand.
pub const FINDINGS: u8 = 1;
/// The job could not be done: usage, unreadable input, a folder that cannot be written.
pub const FAILED: u8 = 2;

/// What a command found, when it could do its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to complain about.
    Done,
    /// Something a person has to look at.
    Findings,
}

/// Prints what went wrong, if anything did, and gives the exit code.
pub fn code(outcome: anyhow::Result<Outcome>, ui: &Ui) -> ExitCode {
    ExitCode::from(match outcome {
        Ok(Outcome::Done) => DONE,
        Ok(Outcome::Findings) => FINDINGS,
        Err(error) if error.is::<ClosedPipe>() => DONE,
        Err(error) => {
            ui.error(&error);
            FAILED
        }
    })
}
