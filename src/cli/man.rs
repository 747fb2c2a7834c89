//! `countersign man`: the manual, a page for the program and one for each command.

use std::path::Path;
use std::{fs, io};

use anyhow::Context;
use clap::error::ErrorKind;
use clap_mangen::Man;

use super::args::{Arguments, ManArgs};
use super::exit::Exit;
use super::output;
use crate::text::did_you_mean;

/// Prints a page in the form that `man` reads, or writes all pages into a folder.
pub(super) fn run(args: &ManArgs) -> anyhow::Result<Exit> {
    let mut program = Arguments::program().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &args.all {
        return write_all(&program, folder);
    }
    let subject = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| unknown(program, name))?,
    };
    output::write(&String::from_utf8(page(subject)?)?)?;
    Ok(Exit::Done)
}

/// Writes the page of the program and of each command that help lists: `countersign.1`, `countersign-apply.1`, …
fn write_all(program: &clap::Command, folder: &Path) -> anyhow::Result<Exit> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    let commands = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    for command in commands.chain([program]) {
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page(command.clone())?)
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(Exit::Done)
}

fn page(subject: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(subject).render(&mut page)?;
    Ok(page)
}

fn unknown(mut program: clap::Command, name: &str) -> clap::Error {
    let commands = program.get_subcommands().map(clap::Command::get_name);
    let meant = did_you_mean(name, commands).map(|known| format!(": did you mean `{known}`?"));
    program.error(
        ErrorKind::InvalidSubcommand,
        format!("there is no command `{name}`{}", meant.unwrap_or_default()),
    )
}
