//! `countersign completions`: what a shell needs to complete commands and options.

use clap::CommandFactory;

use super::args::{Arguments, CompletionsArgs};
use super::exit::Exit;
use super::output;

/// Prints a shell's completion script.
pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut program = <Arguments as CommandFactory>::command();
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    output::write(&String::from_utf8(script)?)?;
    Ok(Exit::Done)
}
