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
mod layered;
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

pub use args::{Arguments, Command};
pub use exit::Exit;

use json_report::Document;

/// Parses the arguments of the process, runs the command, and reports errors on standard error, as JSON too if that is the
/// form of the report.
pub fn run() -> Exit {
    let words: Vec<OsString> = std::env::args_os().collect();
    let document = Document::requested(&words);
    let arguments = match Arguments::read(words) {
        Ok(arguments) => arguments,
        Err(error) => return failure::of_usage(&error, document),
    };
    let done = match arguments.command() {
        Command::Review(args) => match &args.run {
            Some(id) => layered::review(id, &args),
            None => review::run(&args),
        },
        Command::Demo(args) => demo::run(&args),
        Command::Apply(args) => match &args.run {
            Some(id) => layered::apply(id, &args),
            None => apply::run(&args),
        },
        Command::Check(args) => check::run(&args),
        Command::Git(args) => git::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Run(args) => layered::run(&args),
        Command::Runs(args) => layered::list(&args),
        Command::EnterLayer(args) => layered::enter(args),
        Command::ResetInside(args) => layered::reset_inside(&args),
        Command::MapIds(args) => layered::map_ids(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Decide(args) => decide::run(&args),
        Command::Threads(args) => threads::run(&args),
        Command::Undo(args) => undo::run(&args),
        Command::Log(args) => log::run(&args),
        Command::Policy(args) => policy::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Licenses => licenses::run(),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Acp(args) => acp::run(&args),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args),
    };
    done.unwrap_or_else(|error| failure::of_error(&error, document))
}
