//! The options of all commands as one page of Markdown, made of the arguments that are parsed: `docs/reference/options.md`.

use std::fmt::Write;

use clap::{Arg, Command};

const OPENING: &str = "\
# Options

Every command with its arguments and options. This page is made by `slowpath man --markdown`, from what is parsed; a test
compares them. `slowpath COMMAND --help` says the same on the terminal. [The guide](../guide.md) says what the options mean.
";

/// The page.
pub fn markdown(command: &Command) -> String {
    let mut out = OPENING.to_owned();
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        section(&mut out, command);
    }
    out
}

fn section(out: &mut String, command: &Command) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "\n## {}\n\n{}.\n\n```text\n{usage}\n```", command.get_name(), about.trim_end_matches('.'));
    let shown = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in &arguments {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    for heading in headings {
        let _ = writeln!(out, "\n| {} | default | |\n|---|---|---|", heading.unwrap_or("argument or option"));
        for arg in arguments.iter().filter(|arg| arg.get_help_heading() == heading) {
            let of_values = arg.get_default_values().iter().filter(|_| arg.get_action().takes_values());
            let default: Vec<_> = of_values.map(|value| value.to_string_lossy()).collect();
            let _ = writeln!(out, "| `{}` | {} | {} |", written(arg), default.join(", "), help(arg));
        }
    }
}

/// The argument as it is written on the command line.
fn written(arg: &Arg) -> String {
    let takes_value = arg.is_positional() || arg.get_action().takes_values();
    let names = arg.get_value_names().map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    let value = names.filter(|_| takes_value).unwrap_or_default();
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let written = [names.join(", "), value].into_iter().filter(|part| !part.is_empty());
    escaped(&written.collect::<Vec<_>>().join(" "))
}

/// What it does, and which values there are.
fn help(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = match arg.get_action().takes_values() {
        true => arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect(),
        false => Vec::new(),
    };
    let values = if values.is_empty() { String::new() } else { format!(" One of {}.", values.join(", ")) };
    escaped(&help.split_whitespace().collect::<Vec<_>>().join(" ")).replace('<', "\\<") + &values
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}
