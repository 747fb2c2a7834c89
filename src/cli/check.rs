//! `countersign check`: where would it go?

use std::collections::BTreeMap;

use super::edit_args::CheckArgs;
use super::exit::Exit;
use super::source::Source;
use super::{batch, model, output};
use crate::review::{Decision, Report, Target};

/// Places the edits and says where each would go. Writes nothing.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut batch = batch::open(&args.edits)?;
    let mut session = batch.place()?;
    if args.edits.model {
        model::all(&batch.config, &mut session)?;
    }
    for file in 0..session.files.len() {
        session.decide(&Target::File(file), Decision::Accepted);
    }
    let report = Report::new(&session, &batch.rehearse(&session), &BTreeMap::new());
    Ok(output::print(&report, args.report))
}
