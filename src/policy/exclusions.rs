//! Hunks that no rule may decide.

use unicode_segmentation::UnicodeSegmentation;

use crate::review::{FileKind, FileReview, HunkReview, Remark};
use crate::text::misleads;

/// Returns why no rule may decide a hunk, whatever it changes; `None` if rules may.
pub(super) fn bar(file: &FileReview, hunk: &HunkReview) -> Option<String> {
    if file.protected.is_some() {
        return file.protected_words();
    }
    if file.refusal().is_some() || !hunk.is_decidable() {
        return Some("it has no place".to_owned());
    }
    if hunk.recurrence().is_some() {
        return Some("a change like it was rejected before".to_owned());
    }
    if hunk.unread_rejections().is_some() {
        return Some("a record of what was rejected before is damaged".to_owned());
    }
    if let Some(loss) = hunk.loss() {
        return Some(loss.to_string());
    }
    if !hunk.is_sure() {
        return Some("its place is neither exact nor safe".to_owned());
    }
    if hunk.step.is_some() || file.opaque().is_some() {
        return Some("it changes more than lines of text".to_owned());
    }
    match &file.kind {
        FileKind::Modified | FileKind::Created => (),
        FileKind::Deleted => return Some("it deletes the file".to_owned()),
        FileKind::Renamed { .. } => return Some("the file is renamed".to_owned()),
        FileKind::Copied { .. } => return Some("the file is a copy of another".to_owned()),
    }
    if hunk.remarks.iter().any(is_doubt) {
        return Some("its text was read with a correction, or has a remark".to_owned());
    }
    let mut added = (hunk.state.lines.iter()).filter_map(|line| line.adds.as_deref());
    let is_odd = |grapheme: &str| grapheme != "\t" && misleads(grapheme);
    if added.any(|line| line.graphemes(true).any(is_odd)) {
        return Some("it adds characters that mislead the eye".to_owned());
    }
    None
}

/// Returns `true` for a remark that tells more than where a hunk comes from or what its file keeps.
fn is_doubt(remark: &Remark) -> bool {
    use Remark::{Announced, Endings, MadeBy};
    !matches!(remark, Announced(_) | MadeBy(_) | Endings(_))
}
