//! `countersign check`: where would it go?

use std::collections::BTreeMap;

use super::args::CheckArgs;
use super::exit::Exit;
use super::{batch, output};
use crate::review::{Decision, Report, Target, Writing};

/// Places the edits and says where each would go. Writes nothing.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut session = batch::open(&args.edits)?.place();
    for file in 0..session.files.len() {
        session.decide(&Target::File(file), Decision::Accepted);
    }
    let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::new());
    Ok(output::print(&report, args.report))
}
