//! `countersign undo`: what was written is taken back; where files have changed since, a person says what.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::exit::Exit;
use super::review::{How, carry_out};
use super::review_args::UndoArgs;
use super::shared_args::ReportForm;
use super::{json_report, output, settings};
use crate::app::autosave::Autosave;
use crate::app::recovery;
use crate::app::source::ReviewSource;
use crate::app::undo::Undoing;
use crate::review::{
    Decision, FileReport, FileReview, Report, ReviewSession, Status, Target, Writing,
};
use crate::store::{CommitError, ContentHash, PastFile, Receipt, Root, UndoError, past, undo};
use crate::ui::UiError;

/// Takes a batch back and says which files are as they were.
pub(super) fn run(args: &UndoArgs) -> anyhow::Result<Exit> {
    let root = match &args.root {
        Some(folder) => Root::open(folder)?,
        None => of_batch(args)?,
    };
    let config = settings::load(&args.reviewing.settings, root.path())?;
    recovery::run(&settings::guarded(root.anew()?, &config))?;
    if args.dry_run {
        return rehearse(root, args);
    }
    match undo(&root, args.id.as_deref()) {
        Ok(receipt) => {
            print_receipt(root.path(), &receipt, args.reviewing.how.report);
            Ok(Exit::Done)
        }
        Err(UndoError::Commit(conflict @ CommitError::Conflict { .. })) => {
            review(root, args, UndoError::Commit(conflict))
        }
        Err(error) => Err(error.into()),
    }
}

/// Finds the root of a batch, or of the latest, from the current folder.
fn of_batch(args: &UndoArgs) -> anyhow::Result<Root> {
    let here = Root::open(Path::new("."))?;
    let config = settings::load(&args.reviewing.settings, here.path())?;
    recovery::run(&settings::guarded(here.anew()?, &config))?;
    let folder = here.path().to_owned();
    let root = here.with_batch(args.id.as_deref())?;
    if root.path() != folder {
        let written = root.path().display();
        output::say(&format!("the batch was written in `{written}`"));
    }
    Ok(root)
}

fn print_receipt(root: &Path, receipt: &Receipt, form: ReportForm) {
    if form == ReportForm::Json {
        return output::print_json(&as_report(receipt).in_folder(root));
    }
    let mut lines = Vec::new();
    for file in &receipt.written {
        let what = match (file.before, file.after) {
            (None, _) => "back again",
            (_, None) => "removed",
            (Some(_), Some(_)) => "restored",
        };
        lines.push(format!("{what:<15} {}", file.path));
    }
    let warnings = receipt.warnings.iter();
    lines.extend(warnings.map(|warning| format!("warning: {warning}")));
    lines.push(taken_back(&receipt.id));
    output::report_failure(output::write(&(lines.join("\n") + "\n")));
}

/// The report of a batch that was taken back whole: its files, without hunks.
fn as_report(receipt: &Receipt) -> Report {
    let shown = |hash: Option<ContentHash>| hash.map(|hash| hash.to_string());
    let files = receipt.written.iter().map(|file| FileReport {
        path: file.path.to_string(),
        kind: match (file.before, file.after) {
            (None, _) => "create",
            (_, None) => "delete",
            (Some(_), Some(_)) => "modify",
        },
        rename: None,
        is_renamed: false,
        source: None,
        written: true,
        before: shown(file.before),
        after: shown(file.after),
        protected: None,
        refusal: None,
        comment: None,
        comments: Vec::new(),
    });
    Report {
        written: true,
        id: Some(receipt.id.clone()),
        files: files.collect(),
        warnings: receipt.warnings.iter().map(ToString::to_string).collect(),
        ..Report::without_hunks(Status::Applied, None)
    }
}

fn taken_back(id: &str) -> String {
    format!("taken back; `countersign undo {id}` takes this back in turn")
}

/// Shows what can be taken back, and takes back what is accepted. Without a terminal it is as if nobody had asked.
fn review(root: Root, args: &UndoArgs, refusal: UndoError) -> anyhow::Result<Exit> {
    let root = root.for_a_person();
    let past = past(&root, args.id.as_deref())?;
    let config = settings::load(&args.reviewing.settings, root.path())?;
    let mut source = Undoing::new(root, past);
    let _only_reviewer = source.lock()?;
    let session = source.place()?;
    if session.files.is_empty() {
        let reason = "all of it is already as it was before";
        return Ok(output::nothing_to_do(reason, args.reviewing.how.report));
    }
    let keeper = Autosave::open(&source, args.reviewing.how.decisions.as_deref());
    let how = How::of(&args.reviewing.how);
    let reviewed = match carry_out(&mut source, session, keeper, &config, how) {
        Err(error) if error.is::<UiError>() => return Err(refusal.into()),
        reviewed => reviewed?,
    };
    let Some(reviewed) = reviewed else {
        return Ok(json_report::interrupted(args.reviewing.how.report));
    };
    let exit = reviewed.report(source.root(), "undo", args.reviewing.how.report);
    if let Writing::Done { id: Some(id), .. } = &reviewed.writing {
        output::say(&taken_back(id));
    }
    Ok(exit)
}

/// Says what would be taken back.
fn rehearse(root: Root, args: &UndoArgs) -> anyhow::Result<Exit> {
    let past = past(&root, args.id.as_deref())?;
    let id = past.id.clone();
    let mut source = Undoing::new(root, past.clone());
    let session = source.place()?;
    if args.reviewing.how.report == ReportForm::Json {
        return Ok(print_rehearsal(source.root().path(), session));
    }
    let left: FxHashMap<&str, &FileReview> = (session.files.iter())
        .map(|file| (file.path.as_str(), file))
        .collect();
    let mut told = Vec::new();
    let mut doubtful = 0;
    for PastFile {
        path,
        before,
        after,
    } in &past.files
    {
        let name = path.to_string();
        let what = match (before, after) {
            (None, _) => "remove it",
            (_, None) => "bring it back",
            (Some(_), Some(_)) => "restore it",
        };
        let said = match left.get(name.as_str()) {
            None => "is already as it was before".to_owned(),
            Some(file) => match loose(file) {
                0 => format!("would {what}"),
                loose => {
                    doubtful += loose;
                    format!("changed since: a review asks about {loose} of its hunks")
                }
            },
        };
        told.push(format!("{name}: {said}"));
    }
    told.push(format!(
        "nothing is written; `countersign undo {id}` does it\n"
    ));
    output::write(&told.join("\n"))?;
    Ok(if doubtful == 0 {
        Exit::Done
    } else {
        Exit::Refused
    })
}

/// Prints as JSON what would be taken back: all hunks that match for sure.
fn print_rehearsal(root: &Path, mut session: ReviewSession) -> Exit {
    if session.files.is_empty() {
        output::print_json(&Report::without_hunks(Status::AlreadyApplied, None));
        return Exit::Done;
    }
    session.decide(&Target::Rest, Decision::Accepted);
    let report = Report::new(&session, &Writing::Rehearsed, &BTreeMap::new());
    output::print_json(&report.in_folder(root));
    if session.files.iter().map(loose).sum::<usize>() == 0 {
        Exit::Done
    } else {
        Exit::Refused
    }
}

/// Counts the hunks of a file that are never taken back without a decision.
fn loose(file: &FileReview) -> usize {
    let loose = file.hunks.iter().filter(|hunk| !hunk.is_sure());
    loose.count()
}
