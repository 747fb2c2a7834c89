//! `countersign review`: a person decides, and what is accepted is written.

use std::collections::BTreeMap;

use super::args::ReviewArgs;
use super::exit::Exit;
use super::{batch, output};
use crate::review::{Report, Writing};
use crate::ui::{self, Ending, Options};

/// Opens the review, and writes what was accepted when it is finished. Files that changed on disk meanwhile bring it back,
/// with the edits placed in them anew and every decision that still fits.
pub(super) fn run(args: &ReviewArgs) -> anyhow::Result<Exit> {
    let mut batch = batch::open(&args.edits)?;
    let mut session = batch.place();
    let options = Options::from_env();
    loop {
        let outcome = ui::run(session, options)?;
        session = outcome.session;
        let writing = match outcome.ending {
            Ending::Write => batch.write(&session),
            Ending::Keep | Ending::Discard => {
                session.reject_all();
                Writing::Rehearsed
            }
            Ending::Aborted => return Ok(Exit::Interrupted),
        };
        if let Writing::Conflict { .. } = &writing {
            let before = session;
            session = batch.place();
            session.carry_over(&before);
            continue;
        }
        let report = Report::new(&session, &writing, &BTreeMap::new());
        return Ok(output::print(&report, args.report));
    }
}
