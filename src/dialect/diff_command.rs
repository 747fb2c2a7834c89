//! The file of a diff that names none itself: from the `diff` command above it, a name above it, or from outside.

use super::{Before, Input, diff_path, file_name};
use crate::proposal::PathClaim;
use crate::text::LineIdx;

/// The file and the line that names it, which is the diff's own first line if the name comes from elsewhere.
pub(super) fn file(input: &Input, at: LineIdx, before: &Before) -> (Option<PathClaim>, LineIdx) {
    let above = at.checked_sub(1).filter(|&above| above >= before.free);
    let command = above.and_then(|above| input.line(above)?.strip_prefix("diff "));
    if let (Some(command), Some(above)) = (command, above) {
        let names: Vec<&str> = command
            .split_whitespace()
            .filter(|word| !word.starts_with('-'))
            .collect();
        if let [old, new] = names[..] {
            return (diff_path::claim(Some(old), Some(new)), above);
        }
    }
    if let Some(path) = input.path() {
        return (Some(PathClaim::plain(path)), at);
    }
    match file_name::above(input, at, before) {
        Some(name) => (Some(name.claim), name.at),
        None => (before.path.clone(), at),
    }
}
