//! `countersign undo`: what was written is taken back, if the files are still as it left them.

use super::args::UndoArgs;
use super::exit::Exit;
use super::{output, recovery};
use crate::store::{Receipt, Root, Written, undo};

/// Takes a batch back and says which files are as they were.
pub(super) fn run(args: &UndoArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    recovery::run(&root)?;
    let Receipt {
        id,
        written,
        warnings,
    } = undo(&root, args.id.as_deref())?;
    let file = |file: &Written| {
        let what = match (file.before, file.after) {
            (None, _) => "back again",
            (_, None) => "removed",
            (Some(_), Some(_)) => "restored",
        };
        format!("{what:<15} {}", file.path)
    };
    let mut told: Vec<String> = written.iter().map(file).collect();
    told.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
    told.push(format!(
        "taken back; `countersign undo {id}` takes this back in turn"
    ));
    output::tell(output::write(&(told.join("\n") + "\n")));
    Ok(Exit::Done)
}
