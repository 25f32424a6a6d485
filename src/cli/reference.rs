//! `docs/cli.md`, generated from the help texts so that the two cannot drift.

use clap::builder::PossibleValue;
use clap::{Arg, Command, CommandFactory};

use super::args::Cli;

/// The command-line reference as Markdown: what the program is, the options of every command, then one section a command.
pub fn reference() -> String {
    let mut root = Cli::command();
    root.build();
    let global = list(root.get_arguments().filter(|arg| arg.is_global_set()));
    let mut text = format!(
        "<!-- generated from the help texts; `SWEEPDOC_BLESS=1 cargo test --test generated_docs` renews it -->\n\n\
         # Command line\n\n{}\n## Options of every command\n\n{global}",
        paragraphs(&root)
    );
    for command in root.get_subcommands().filter(|command| command.get_name() != "help") {
        text.push_str(&section(command));
    }
    text
}

fn section(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let own = list(command.get_arguments().filter(|arg| !arg.is_global_set()));
    let own = if own.is_empty() { own } else { format!("\n{own}") };
    format!("\n## `{}`\n\n```text\n{usage}\n```\n\n{}{own}", command.get_name(), paragraphs(command))
}

/// The long help, each paragraph a sentence.
fn paragraphs(command: &Command) -> String {
    let text = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    text.split("\n\n").map(|part| format!("{}\n", sentence(part))).collect::<Vec<_>>().join("\n")
}

/// Short helps have no full stop, long ones do.
fn sentence(text: &str) -> String {
    format!("{}.", text.trim().trim_end_matches('.').replace('\n', " "))
}

fn list<'a>(arguments: impl Iterator<Item = &'a Arg>) -> String {
    let shown = arguments.filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version"));
    shown.map(item).collect()
}

fn item(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut sentences: Vec<String> = help.split("\n\n").map(sentence).collect();
    if arg.get_action().takes_values() {
        sentences.extend(choices(&arg.get_possible_values()));
        sentences.extend(default(arg));
    }
    format!("- `{}`: {}\n", name(arg), sentences.join(" "))
}

/// `-q, --quiet`, `--out DIR`, or for what has no dashes the value alone.
fn name(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>();
    let values = if arg.get_action().takes_values() { values.join(" ") } else { String::new() };
    let dashes = [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let dashes = dashes.into_iter().flatten().collect::<Vec<_>>().join(", ");
    format!("{dashes} {values}").trim().to_owned()
}

/// ``One of `text` (for people), `json` (for programs).``; `None` for a value that may be anything.
fn choices(values: &[PossibleValue]) -> Option<String> {
    let choice = |value: &PossibleValue| match value.get_help() {
        Some(help) => format!("`{}` ({})", value.get_name(), lower(&help.to_string())),
        None => format!("`{}`", value.get_name()),
    };
    let list = values.iter().map(choice).collect::<Vec<_>>().join(", ");
    (!values.is_empty()).then(|| format!("One of {list}."))
}

/// Without the full stop, and with a small first letter: it stands in brackets.
fn lower(help: &str) -> String {
    let mut chars = help.trim_end_matches('.').chars();
    chars.next().map(|first| first.to_lowercase().to_string() + chars.as_str()).unwrap_or_default()
}

fn default(arg: &Arg) -> Option<String> {
    let values: Vec<String> = arg.get_default_values().iter().map(|v| v.to_string_lossy().into_owned()).collect();
    (!values.is_empty()).then(|| format!("Default: `{}`.", values.join(" ")))
}
