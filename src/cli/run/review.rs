//! The review of a layer by a person, or by the policy of `apply`.

use super::super::apply::{Carrying, decide_and_write};
use super::super::edit_args::ApplyArgs;
use super::super::exit::Exit;
use super::super::output::{self, say};
use super::super::review::{How, carry_out};
use super::super::review_args::{HowArgs, ReviewArgs};
use super::super::shared_args::{ReportForm, SettingArgs};
use super::super::{json_report, settings};
use super::changes::LayerChanges;
use super::find::find;
use super::finish::{Which, finish};
use crate::app::autosave::Autosave;
use crate::app::recovery;
use crate::app::source::ReviewSource;
use crate::locate::Confidence;
use crate::review::{Report, Status, Writing};
use crate::store::{Layer, LayerRecord, Root};

/// A layer that is to be reviewed.
pub(super) struct Opened {
    pub(super) root: Root,
    pub(super) layer: Layer,
    pub(super) about: LayerRecord,
}

/// Finds the layer of an id.
fn open(folder: &std::path::Path, id: &str, args: &SettingArgs) -> anyhow::Result<Opened> {
    let (root, layer, about) = find(folder, id)?;
    let config = settings::load(args, root.path())?;
    let root = settings::guarded(root, &config);
    recovery::run(&root)?;
    Ok(Opened { root, layer, about })
}

/// Opens the review of a layer.
pub(in crate::cli) fn review(id: &str, args: &ReviewArgs) -> anyhow::Result<Exit> {
    let opened = open(&args.edits.root, id, &args.edits.settings)?;
    let reviewed = review_in(opened, &args.how, &args.edits.settings)?;
    let nothing = "nothing to review: the layer changes no file";
    Ok(reviewed.unwrap_or_else(|| output::nothing_to_do(nothing, args.how.report)))
}

/// Opens the review of a layer when its command has exited; `None` if there is nothing to review.
pub(super) fn review_layer(
    opened: Opened,
    linear: bool,
    report: ReportForm,
    settings: &SettingArgs,
) -> anyhow::Result<Option<Exit>> {
    let how = HowArgs {
        resume: false,
        decisions: None,
        linear,
        report,
    };
    review_in(opened, &how, settings)
}

fn review_in(
    opened: Opened,
    how: &HowArgs,
    settings: &SettingArgs,
) -> anyhow::Result<Option<Exit>> {
    let Opened { root, layer, about } = opened;
    let config = settings::load(settings, root.path())?;
    let mut source = LayerChanges::open(root, layer, about)?;
    let _only_reviewer = source.lock()?;
    let session = source.place()?;
    for remark in source.remarks.iter().chain(&source.left) {
        say(remark);
    }
    if session.files.is_empty() {
        return Ok(None);
    }
    let keeper = Autosave::open(&source, how.decisions.as_deref());
    let reviewed = carry_out(&mut source, session, keeper, &config, How::of(how))?;
    let Some(reviewed) = reviewed else {
        return Ok(Some(json_report::interrupted(how.report)));
    };
    let remark = source.conclude(&reviewed.session, &reviewed.writing, false)?;
    if let Some(remark) = remark {
        say(&remark);
    }
    Ok(Some(reviewed.report(source.root(), "run", how.report)))
}

/// Writes what a layer changes, by the policy of `apply`.
pub(in crate::cli) fn apply(id: &str, args: &ApplyArgs) -> anyhow::Result<Exit> {
    let Opened { root, layer, about } = open(&args.edits.root, id, &args.edits.settings)?;
    let mut source = LayerChanges::open(root, layer, about)?;
    source.is_followed = false;
    let session = source.place()?;
    for remark in source.remarks.iter().chain(&source.left) {
        say(remark);
    }
    if session.files.is_empty() {
        if !source.left.is_empty() {
            say("nothing is written: what the layer changes stays in it");
            if args.report == ReportForm::Json {
                output::print_json(&Report::without_hunks(Status::Refused, None));
            }
            return Ok(Exit::Refused);
        }
        let nothing = "nothing to write: the layer changes no file";
        return Ok(output::nothing_to_do(nothing, args.report));
    }
    let (session, writing, exit) = decide_and_write(
        &mut source,
        session,
        &args.policy,
        (Carrying::of(args), args.report),
        Confidence::Safe,
    )?;
    let is_written = exit == Exit::Done || args.policy.partial && exit == Exit::Partial;
    if matches!(writing, Writing::Done { .. }) && is_written {
        let remark = finish(&source, &session, Which::Accepted);
        if let Some(remark) = remark {
            say(&remark);
        }
    }
    Ok(exit)
}
