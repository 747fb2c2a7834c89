//! `countersign demo`: a sample project in a temporary folder, and a sample agent's edits to it.

use std::path::Path;

use include_dir::{Dir, include_dir};

use super::edit_args::{EditArgs, Format, InputArgs};
use super::exit::Exit;
use super::review_args::{DemoArgs, HowArgs, ReviewArgs};
use super::shared_args::{ReportForm, SettingArgs};
use super::{output, review};

/// The project as it is before the edits.
static BEFORE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/demo/before");
/// The reply of the sample agent.
static EDIT: &str = include_str!("../../assets/demo/edit.md");

/// Lays the project out and opens the review. The folder stays, to be looked at afterwards.
pub(super) fn run(args: &DemoArgs) -> anyhow::Result<Exit> {
    let folder = tempfile::Builder::new()
        .prefix("countersign-demo-")
        .tempdir()?
        .keep();
    let (project, edit) = (folder.join("pigeon"), folder.join("edit.md"));
    std::fs::create_dir(&project)?;
    BEFORE.extract(&project)?;
    std::fs::write(&edit, EDIT)?;
    if args.no_review {
        output::write(&instructions(&project, &edit))?;
        return Ok(Exit::Done);
    }
    let edits = EditArgs {
        input: InputArgs {
            edits: vec![edit.clone()],
            format: Format(None),
            path: None,
            last: false,
        },
        root: project.clone(),
        model: false,
        strip: None,
        precision: None,
        settings: SettingArgs::default(),
    };
    let done = review::run(&ReviewArgs {
        run: None,
        edits,
        how: HowArgs {
            linear: args.linear,
            resume: false,
            decisions: None,
            report: ReportForm::Text,
        },
    })?;
    output::write(&instructions(&project, &edit))?;
    Ok(done)
}

fn instructions(project: &Path, edit: &Path) -> String {
    let (project, edit) = (project.display(), edit.display());
    format!(
        "the project: {project}\nthe edits:   {edit}\nonce more:   countersign --root {project} {edit}\n"
    )
}
