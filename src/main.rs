//! The `countersign` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    countersign::cli::run().into()
}
