//! The `sweepdoc` binary: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    sweepdoc::cli::main()
}
