//! Writes made-up raw k6 output of any size, for `benches/compare`: `generate_raw [--json] [--KEY N]... > FILE`.

use std::io::{self, BufWriter, Write};

#[path = "../benches/generator/mod.rs"]
mod generator;

use generator::{Settings, generate};

fn main() -> io::Result<()> {
    let mut settings = Settings::default();
    let (mut json, mut words) = (false, std::env::args().skip(1));
    let wrong = |word: &str| -> ! {
        let _ = writeln!(io::stderr(), "error: expected `--json` or an option with a number, found `{word}`");
        std::process::exit(2)
    };
    while let Some(word) = words.next() {
        if word == "--json" {
            json = true;
            continue;
        }
        let number = words.next().and_then(|value| value.parse::<u64>().ok()).unwrap_or_else(|| wrong(&word));
        match word.as_str() {
            "--seed" => settings.seed = number,
            "--requests" => settings.requests = number,
            "--seconds" => settings.seconds = number,
            "--trends" => settings.trends = number,
            "--failed-percent" => settings.failed_percent = number,
            "--urls" => settings.urls = number,
            "--quirks" => settings.quirks = number,
            "--late" => settings.late = number,
            "--extra-tags" => settings.extra_tags = number > 0,
            _ => wrong(&word),
        }
    }
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    match json {
        true => generate(&settings, None, Some(&mut out))?,
        false => generate(&settings, Some(&mut out), None)?,
    }
    out.flush()
}
