//! The options of a command for callers that are no shell: which there are, and a request made of them, or the message that the
//! command line would print.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::builder::ArgAction;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use slowpath::{AnalyzeRequest, RunRequest};

use crate::args::{Args, Command};
use crate::{analyze, run};

/// One option of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// `--sizes`, or `-I` where there is no long form.
    pub flag: String,
    /// Whether it takes no value.
    pub is_switch: bool,
    /// Whether it can be given several times.
    pub is_list: bool,
    pub help: String,
}

/// The options of `slowpath analyze`.
pub fn analyze_options() -> Vec<Named> {
    options_of("analyze")
}

/// The options of `slowpath run`.
pub fn run_options() -> Vec<Named> {
    options_of("run")
}

/// What `slowpath analyze` would do, given these arguments.
pub fn analyze_request(arguments: &[String], interrupt: Arc<AtomicBool>) -> Result<AnalyzeRequest, String> {
    match parse("analyze", arguments)? {
        Command::Analyze(args) => analyze::request(&args, interrupt).map_err(|failure| failure.message),
        _ => Err("not an analysis".to_owned()),
    }
}

/// What `slowpath run` would do, given these arguments.
pub fn run_request(arguments: &[String], interrupt: Arc<AtomicBool>) -> Result<RunRequest, String> {
    match parse("run", arguments)? {
        Command::Run(args) => run::request(&args, interrupt).map_err(|failure| failure.message),
        _ => Err("not a run".to_owned()),
    }
}

fn options_of(command: &str) -> Vec<Named> {
    let mut all = Args::command();
    let Some(command) = all.find_subcommand_mut(command) else { return Vec::new() };
    command.build();
    let named = |arg: &clap::Arg| {
        let flag = arg.get_long().map(|long| format!("--{long}"));
        let flag = flag.or_else(|| arg.get_short().map(|short| format!("-{short}")))?;
        let action = arg.get_action();
        (!matches!(action, ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong)).then(|| Named {
            flag,
            is_switch: !action.takes_values(),
            is_list: matches!(action, ArgAction::Append),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        })
    };
    command.get_arguments().filter_map(named).collect()
}

fn parse(command: &str, arguments: &[String]) -> Result<Command, String> {
    let words = ["slowpath", command].into_iter().chain(arguments.iter().map(String::as_str));
    Args::try_parse_from(words).map(|args| args.command).map_err(|error| message(&error))
}

/// What is wrong, without what only helps at a shell.
fn message(error: &clap::Error) -> String {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return "help and version are for the command line".to_owned();
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let end = ["\n\nUsage:", "\n\nFor more information"].iter().filter_map(|mark| text.find(mark)).min();
    text[..end.unwrap_or(text.len())].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{analyze_options, analyze_request, run_request};

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_request_is_what_the_command_line_makes_of_it() {
        let request = analyze_request(&words(&["f.c", "--call=f(n)", "--sizes=1..3", "--seed=7"]), Arc::default());
        let request = request.unwrap();
        assert_eq!((request.sizes, request.seed), (Some(vec![1, 2, 3]), 7));
        assert_eq!(run_request(&words(&["f.c", "--call=f(n)", "--size=4"]), Arc::default()).unwrap().size, 4);
    }

    #[test]
    fn mistakes_are_one_message_without_usage() {
        let wrong = |more: &str| analyze_request(&words(&["f.c", "--call=f(n)", more]), Arc::default()).unwrap_err();
        assert!(wrong("--strategy=magic").starts_with("invalid value 'magic' for '--strategy"));
        assert!(!wrong("--strategy=magic").contains("Usage"));
        assert_eq!(wrong("--sizes=0"), "--sizes: a size must be at least 1, but one is 0");
        assert!(wrong("--help").contains("command line"));
    }

    #[test]
    fn options_say_what_they_take() {
        let options = analyze_options();
        let find = |flag: &str| options.iter().find(|option| option.flag == flag).unwrap();
        assert!(find("--stats").is_switch && !find("--sizes").is_switch);
        assert!(find("-I").is_list && find("--cflags").is_list && !find("--call").is_list);
        assert!(!options.iter().any(|option| option.flag == "--help"));
    }
}
