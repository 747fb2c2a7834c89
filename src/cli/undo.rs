//! `countersign undo`: what was written is taken back; where files have changed since, a person says what.

use rustc_hash::FxHashMap;

use super::exit::Exit;
use super::keeping::Keeper;
use super::review::{How, carry_out};
use super::review_args::UndoArgs;
use super::source::Source;
use super::undoing::Undoing;
use super::{output, recovery, settings};
use crate::review::{FileReview, Writing};
use crate::store::{CommitError, PastFile, Receipt, Root, UndoError, Written, past, undo};
use crate::ui::UiError;

/// Takes a batch back and says which files are as they were.
pub(super) fn run(args: &UndoArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    recovery::run(&root)?;
    if args.dry_run {
        return rehearse(root, args);
    }
    match undo(&root, args.id.as_deref()) {
        Ok(receipt) => {
            tell(&receipt);
            Ok(Exit::Done)
        }
        Err(UndoError::Commit(conflict @ CommitError::Conflict { .. })) => {
            review(root, args, UndoError::Commit(conflict))
        }
        Err(error) => Err(error.into()),
    }
}

fn tell(receipt: &Receipt) {
    let file = |file: &Written| {
        let what = match (file.before, file.after) {
            (None, _) => "back again",
            (_, None) => "removed",
            (Some(_), Some(_)) => "restored",
        };
        format!("{what:<15} {}", file.path)
    };
    let warnings = receipt.warnings.iter();
    let mut told: Vec<String> = receipt.written.iter().map(file).collect();
    told.extend(warnings.map(|warning| format!("warning: {warning}")));
    told.push(taken_back(&receipt.id));
    output::tell(output::write(&(told.join("\n") + "\n")));
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
        output::say("all of it is as it was before, already");
        return Ok(Exit::Done);
    }
    let keeper = Keeper::open(&source, args.reviewing.how.decisions.as_deref());
    let how = How::of(&args.reviewing.how);
    let reviewed = match carry_out(&mut source, session, keeper, &config, how) {
        Err(error) if error.is::<UiError>() => return Err(refusal.into()),
        reviewed => reviewed?,
    };
    let Some(reviewed) = reviewed else {
        return Ok(Exit::Interrupted);
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
            None => "is as it was before, already".to_owned(),
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

/// How many of a file's hunks are not taken back without a look.
fn loose(file: &FileReview) -> usize {
    let loose = file.hunks.iter().filter(|hunk| !hunk.is_sure());
    loose.count()
}
