//! Arguments, commands and everything that is printed.

mod args;
mod check;
mod context;
mod exit;
mod findings;
mod init;
mod inspect;
mod paths;
mod preview;
mod progress;
mod publish;
mod reduce;
mod reference;
mod serve;
mod summary;
mod ui;
mod windows;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use exit::Outcome;
use ui::Ui;

pub use reference::reference;

/// Runs the program: reads its arguments, does the work, prints, and says how it went.
///
/// The exit codes are those of `exit.rs`: 0 done, 1 findings, drift or conflicts, 2 could not do the job. A
/// reader that closes the pipe early is no failure.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // help goes to stdout, complaints to stderr; a closed pipe is nobody's fault
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { exit::FAILED } else { exit::DONE });
        }
    };
    let ui = Ui::new(&cli.shared);
    let outcome = run(&cli, &ui);
    exit::code(outcome, &ui)
}

fn run(cli: &Cli, ui: &Ui) -> anyhow::Result<Outcome> {
    match &cli.command {
        Command::Init(args) => init::run(args, ui),
        Command::Inspect(args) => inspect::run(args, ui),
        Command::Reduce(args) => reduce::run(args, &cli.shared, ui),
        Command::Publish(args) => publish::run(args, &cli.shared, ui),
        Command::Check(args) => check::run(args, &cli.shared, ui),
        Command::Context(args) => context::run(args, &cli.shared, ui),
        Command::Preview(args) => preview::run(args, &cli.shared, ui),
        Command::Summary(args) => summary::run(args, &cli.shared, ui),
        Command::Windows(args) => windows::run(args, &cli.shared, ui),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "sweepdoc", &mut script);
            ui.data_bytes(&script)?;
            Ok(Outcome::Done)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            ui.data_bytes(&page)?;
            Ok(Outcome::Done)
        }
    }
}
