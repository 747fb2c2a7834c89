//! `countersign man`: the manual, a page for the program and one for each command.

use clap::error::ErrorKind;
use clap_mangen::Man;

use super::args::{Arguments, ManArgs};
use super::exit::Exit;
use super::output;
use crate::text::did_you_mean;

/// Prints a page in the form that `man` reads.
pub(super) fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut program = Arguments::program().disable_help_subcommand(true);
    program.build();
    let subject = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| unknown(program, name))?,
    };
    let mut page = Vec::new();
    Man::new(subject).render(&mut page)?;
    output::write(&String::from_utf8(page)?)?;
    Ok(Exit::Done)
}

fn unknown(mut program: clap::Command, name: &str) -> clap::Error {
    let commands = program.get_subcommands().map(clap::Command::get_name);
    let meant = did_you_mean(name, commands).map(|known| format!(": is `{known}` meant?"));
    program.error(
        ErrorKind::InvalidSubcommand,
        format!("there is no command `{name}`{}", meant.unwrap_or_default()),
    )
}
