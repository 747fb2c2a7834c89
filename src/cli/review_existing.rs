//! The review of a difference that is on disk already.

use super::exit::Exit;
use super::review::{How, carry_out};
use super::review_args::ReviewingArgs;
use super::shared_args::ReportForm;
use super::{json_report, output};
use crate::app::autosave::Autosave;
use crate::app::source::ReviewSource;
use crate::config::Config;
use crate::review::Writing;

/// Reviews a difference, takes back what is rejected, and reports. The exit code, for callers such as `git` or `jj`, says
/// that the review was finished, and not what was decided in it.
pub(super) fn run(
    mut source: impl ReviewSource + Send,
    command: &str,
    args: &ReviewingArgs,
    config: &Config,
) -> anyhow::Result<Exit> {
    let _only_reviewer = source.lock()?;
    let session = source.place()?;
    if session.files.is_empty() {
        return Ok(output::nothing_to_do("nothing differs", args.how.report));
    }
    let keeper = Autosave::open(&source, args.how.decisions.as_deref());
    let how = How::of(&args.how);
    let Some(reviewed) = carry_out(&mut source, session, keeper, config, how)? else {
        return Ok(json_report::interrupted(args.how.report));
    };
    if reviewed.writing == Writing::Rehearsed {
        output::say("nothing is changed");
        if args.how.report == ReportForm::Json {
            reviewed.report(source.root(), command, ReportForm::Json);
        }
        return Ok(Exit::Refused);
    }
    Ok(reviewed.report(source.root(), command, args.how.report))
}
