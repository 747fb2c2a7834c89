//! The command line: arguments, one file a command, and what a run comes to as messages and an exit code.

mod acp;
mod agent_args;
mod apply;
mod args;
mod argument_order;
mod check;
mod completions;
mod config;
mod decide;
mod demo;
mod diff;
mod doctor;
mod edit_args;
mod examples;
mod exit;
mod failure;
mod git;
mod hook;
mod input;
mod json_report;
mod licenses;
mod log;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod open_batch;
mod output;
mod policy;
mod review;
mod review_args;
mod review_existing;
mod run;
mod run_args;
mod schema;
mod screen;
mod serve;
mod server_args;
mod settings;
mod shared_args;
mod submit;
mod threads;
mod undo;

use std::ffi::OsString;

pub use args::{Arguments, CliCommand};
pub use exit::Exit;

use json_report::JsonDocument;

/// Parses the arguments of the process, runs the command, and reports errors on standard error, as JSON too if that is the
/// form of the report.
pub fn run() -> Exit {
    let words: Vec<OsString> = std::env::args_os().collect();
    let document = JsonDocument::requested(&words);
    let arguments = match Arguments::read(words) {
        Ok(arguments) => arguments,
        Err(error) => return failure::of_usage(&error, document),
    };
    let done = match arguments.command() {
        CliCommand::Review(args) => match &args.run {
            Some(id) => run::review(id, &args),
            None => review::run(&args),
        },
        CliCommand::Demo(args) => demo::run(&args),
        CliCommand::Apply(args) => match &args.run {
            Some(id) => run::apply(id, &args),
            None => apply::run(&args),
        },
        CliCommand::Check(args) => check::run(&args),
        CliCommand::Git(args) => git::run(&args),
        CliCommand::Diff(args) => diff::run(&args),
        CliCommand::Run(args) => run::run(&args),
        CliCommand::Runs(args) => run::list(&args),
        CliCommand::EnterLayer(args) => run::enter(args),
        CliCommand::ResetInside(args) => run::reset_inside(&args),
        CliCommand::MapIds(args) => run::map_ids(&args),
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Submit(args) => submit::run(&args),
        CliCommand::Decide(args) => decide::run(&args),
        CliCommand::Threads(args) => threads::run(&args),
        CliCommand::Undo(args) => undo::run(&args),
        CliCommand::Log(args) => log::run(&args),
        CliCommand::Policy(args) => policy::run(&args),
        CliCommand::Config(args) => config::run(&args),
        CliCommand::Schema(args) => schema::run(&args),
        CliCommand::Licenses => licenses::run(),
        CliCommand::Completions(args) => completions::run(&args),
        CliCommand::Man(args) => man::run(&args),
        CliCommand::Hook(args) => hook::run(&args),
        CliCommand::Doctor(args) => doctor::run(&args),
        CliCommand::Acp(args) => acp::run(&args),
        #[cfg(feature = "mcp")]
        CliCommand::Mcp(args) => mcp::run(&args),
    };
    done.unwrap_or_else(|error| failure::of_error(&error, document))
}
