//! Changes every number, time and share on published pages, one at a time, and prints how many of the changes `check` reports.
//!
//! `cargo run --release --example sabotage -- PAGES...`; PAGES are folders of published pages, with or without evidence.

#![allow(clippy::print_stdout, clippy::print_stderr)] // figures are what it is for

#[path = "../tests/sabotage/harness/mod.rs"]
mod harness;

use std::path::Path;
use std::process::ExitCode;

use harness::{tally::Tally, trial};

fn main() -> ExitCode {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if folders.is_empty() {
        eprintln!(
            "error: expected folders of published pages\nhint: cargo run --release --example sabotage -- docs/benchmarks"
        );
        return ExitCode::from(2);
    }
    let mut all = Tally::default();
    for folder in &folders {
        match trial::of_folder(Path::new(folder), 1) {
            Ok(tally) => all.add(tally),
            Err(message) => {
                eprintln!("error: {message}");
                return ExitCode::from(2);
            }
        }
    }
    println!("{all}");
    ExitCode::SUCCESS
}
