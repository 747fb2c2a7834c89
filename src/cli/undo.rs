//! `countersign undo`: what was written is taken back, if the files are still as it left them.

use super::args::UndoArgs;
use super::exit::Exit;
use super::{output, recovery};
use crate::store::{Receipt, Root, undo};

/// Takes a batch back and says which files are as they were.
pub(super) fn run(args: &UndoArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    recovery::run(&root)?;
    let Receipt {
        id,
        written,
        warnings,
    } = undo(&root, args.id.as_deref())?;
    let mut text = String::new();
    for file in &written {
        let what = match (file.before, file.after) {
            (None, _) => "back again",
            (_, None) => "removed",
            (Some(_), Some(_)) => "restored",
        };
        text += &format!("{what:<15} {}\n", file.path);
    }
    for warning in warnings {
        text += &format!("warning: {warning}\n");
    }
    text += &format!("taken back; `countersign undo {id}` takes this back in turn\n");
    output::write(&text)?;
    Ok(Exit::Done)
}
