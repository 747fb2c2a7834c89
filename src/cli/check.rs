//! `countersign check`: what `apply` would do with the same arguments; writes nothing.

use super::apply::{Carrying, carry_out};
use super::edit_args::CheckArgs;
use super::exit::Exit;

/// Places the edits, decides by the policy of `apply`, and prints where each hunk matches and with what confidence. The exit
/// code is that of `apply`.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    carry_out(&args.edits, &args.policy, Carrying::Check, args.report)
}
