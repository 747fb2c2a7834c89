//! `countersign review`: a person decides, and what is accepted is written.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::args::ReviewArgs;
use super::exit::Exit;
use super::keeping::{Fate, Keeper};
use super::watching::{lock, watched};
use super::{batch, output};
use crate::review::{Report, Writing};
use crate::ui::{self, Beside, Ending, Options};

/// Opens the review, and writes what was accepted when it is finished. Files that changed on disk bring the edits back placed
/// anew, with every decision that still fits: while the review is open, and again if that is found only when writing.
pub(super) fn run(args: &ReviewArgs) -> anyhow::Result<Exit> {
    let mut batch = batch::open(&args.edits)?;
    let _only_reviewer = batch.lock()?;
    let mut session = batch.place();
    let keeper = Keeper::open(&batch, args.decisions.as_deref());
    let mut notice = keeper.resume(&mut session, args.resume)?;
    let batch = Mutex::new(batch);
    let options = Options::from_env();
    loop {
        let outcome = watched(&batch, |placed| {
            let beside = Beside {
                notice: notice.take(),
                changed: &mut |session| keeper.keep(session),
                placed,
            };
            ui::run(session, options, beside)
        })?;
        session = outcome.session;
        keeper.keep(&session);
        let writing = match outcome.ending {
            Ending::Write => lock(&batch).write(&session),
            Ending::Keep | Ending::Discard => {
                session.reject_all();
                Writing::Rehearsed
            }
            Ending::Aborted => {
                keeper.finish(Fate::Stays);
                return Ok(Exit::Interrupted);
            }
        };
        if let Writing::Conflict { paths, .. } = &writing {
            let before = session;
            session = lock(&batch).place();
            session.carry_over(&before);
            notice = Some(format!(
                "nothing is written yet: changed on disk since the review: {}; placed anew",
                paths.join(", ")
            ));
            continue;
        }
        let report = Report::new(&session, &writing, &BTreeMap::new());
        let written = matches!(writing, Writing::Done { .. });
        keeper.finish(if written || outcome.ending == Ending::Discard {
            Fate::Served
        } else {
            Fate::Stays
        });
        return Ok(output::print(&report, args.report));
    }
}
