//! Opening a batch by the arguments of a command: its root, its settings, and the edits.

use super::edit_args::EditArgs;
use super::{input, settings};
use crate::app::batch::Batch;
use crate::app::{notice, recorded_folder, recovery};
use crate::store::Root;

/// Finishes or takes back what an interrupted run left, and parses the edits.
pub(super) fn open(args: &EditArgs) -> anyhow::Result<Batch> {
    let root = Root::open(&args.root)?;
    let config = settings::load(&args.settings, &args.root)?;
    let root = settings::guarded(root, &config);
    recovery::run(&root)?;
    let mut input = input::read(&args.input)?;
    let remarks = recorded_folder::settle(&root, &mut input.parsed.proposal.files);
    let mut batch = match args.strip {
        None => Batch::new(root, config, input),
        Some(count) => Batch::stripped(root, config, input, count),
    };
    (remarks.iter().chain(&batch.remarks)).for_each(|remark| notice::say(remark));
    if let Some(precision) = args.precision {
        batch.set_similarity(precision);
    }
    Ok(batch)
}
