//! `slowpath completions` and `slowpath man`: made of the same arguments that are parsed.

use clap::CommandFactory;

use crate::args::Args;
use crate::check_args::{CompletionsArgs, ManArgs};
use crate::exit::{Exit, Failure};
use crate::{options_page, output};

/// `slowpath completions`
pub fn completions(args: CompletionsArgs) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "slowpath", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}

/// `slowpath man`
pub fn man(args: ManArgs) -> Result<Exit, Failure> {
    let mut command = Args::command();
    command.build();
    if args.markdown {
        output::print(&options_page::markdown(&command))?;
        return Ok(Exit::Done);
    }
    let Some(directory) = &args.out else {
        output::print(&page(command)?)?;
        return Ok(Exit::Done);
    };
    output::check_directory(directory)?;
    let commands: Vec<clap::Command> = command.get_subcommands().filter(|c| c.get_name() != "help").cloned().collect();
    output::save(directory, "slowpath.1", &page(command)?)?;
    for command in commands {
        let name = format!("slowpath-{}", command.get_name());
        // clap keeps names for as long as the program runs.
        let command = command.display_name(name.clone());
        output::save(directory, &format!("{name}.1"), &page(command)?)?;
    }
    output::print(&format!("wrote the pages to {}\n", directory.display()))?;
    Ok(Exit::Done)
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(command).render(&mut text);
    written.map_err(|error| Failure::bad_input(format!("cannot make the page: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
