//! `docs/cli.md`, generated from the help texts so that the two cannot drift.

use clap::{Arg, Command, CommandFactory};

use super::args::Cli;

/// The command-line reference as Markdown.
pub fn reference() -> String {
    let mut root = Cli::command();
    root.build();
    let mut text = String::from(
        "<!-- generated from the help texts; `cargo test` says when it is stale -->\n\n# Command line\n\n",
    );
    text.push_str(&paragraphs(&root));
    text.push_str("\n## Options of every command\n\n");
    text.push_str(&list(root.get_arguments().filter(|arg| arg.is_global_set())));
    for command in root.get_subcommands().filter(|command| command.get_name() != "help") {
        text.push_str(&section(command));
    }
    text
}

fn section(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let own = command.get_arguments().filter(|arg| !arg.is_global_set());
    format!("\n## {}\n\n    {usage}\n\n{}\n{}", command.get_name(), paragraphs(command), list(own))
}

fn paragraphs(command: &Command) -> String {
    let text = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let parts: Vec<String> =
        text.split("\n\n").map(|part| format!("{}\n", part.trim_end_matches('.').trim())).collect();
    parts.iter().map(|part| format!("{}.\n", part.trim_end())).collect::<Vec<_>>().join("\n")
}

fn list<'a>(arguments: impl Iterator<Item = &'a Arg>) -> String {
    let shown = arguments.filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version"));
    shown.map(item).collect()
}

fn item(arg: &Arg) -> String {
    let values =
        arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let takes_value = arg.get_action().takes_values();
    let name = match (arg.get_long(), arg.get_short()) {
        (Some(long), Some(short)) => format!("-{short}, --{long}"),
        (Some(long), None) => format!("--{long}"),
        _ => String::new(),
    };
    let head = match (name.is_empty(), takes_value) {
        (true, _) => values,
        (false, true) => format!("{name} {values}"),
        (false, false) => name,
    };
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = help.split("\n\n").map(|part| part.trim_end_matches('.')).collect::<Vec<_>>().join(". ");
    let choices: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    let choices = if takes_value && !choices.is_empty() { format!(" ({})", choices.join(", ")) } else { String::new() };
    let default: Vec<String> = arg.get_default_values().iter().map(|v| v.to_string_lossy().into_owned()).collect();
    let default =
        if takes_value && !default.is_empty() { format!("; default `{}`", default.join(" ")) } else { String::new() };
    format!("- `{head}`: {help}{choices}{default}.\n")
}
