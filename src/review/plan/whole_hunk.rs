//! The hunk for a file as a whole: its new contents, its deletion, its new name.

use super::file_plan::FilePlan;
use super::guess::guess;
use super::loss::{loss, other_version, withhold};
use super::new_hunk::{already, hunk_review, replacement, whole_file, whole_step};
use super::whole_file::WholeText;
use super::whole_merge::MergedText;
use crate::proposal::{FileChange, FinalNewline, Guess, Miscount, Operation, Version};
use crate::review::session::file::FileKind;
use crate::review::session::hunk::{HunkReview, Loss, Outcome, Remark, Step};
use crate::text::Document;

impl FilePlan {
    /// Returns the hunk for the file as a whole, if the change asks for one, and what it seems to lose.
    pub(super) fn of_the_whole(
        &self,
        change: &FileChange,
        version: impl FnOnce() -> Option<Version>,
    ) -> (Option<HunkReview>, Option<Loss>) {
        let whole = match change.operation {
            Operation::CreateOrAppend if self.kind == FileKind::Modified => None,
            Operation::Create | Operation::CreateOrAppend | Operation::Overwrite => {
                let version = (self.kind == FileKind::Modified).then(version).flatten();
                let (review, loss) = self.contents(change, version.as_ref());
                return (Some(review), loss);
            }
            Operation::Delete if self.base.is_empty() => Some(whole_step(change, Step::Delete)),
            Operation::Delete if change.hunks.is_empty() => {
                let mut review = self.replace_all(change, &[]);
                withhold(&mut review, other_version(change, &self.base));
                Some(review)
            }
            Operation::Rename(_) | Operation::CopyOf(_) => {
                let copies = matches!(self.kind, FileKind::Copied { .. });
                let moved = if copies { Step::Copy } else { Step::Rename };
                Some(whole_step(change, moved))
            }
            Operation::Modify | Operation::Delete | Operation::Link { .. } => None,
        };
        (whole, None)
    }

    /// The hunk that gives the file the contents that are asked for, and what they seem to lose.
    fn contents(
        &self,
        change: &FileChange,
        version: Option<&Version>,
    ) -> (HunkReview, Option<Loss>) {
        let written = WholeText::of(change, &self.base);
        let stated = change.hunks.first().and_then(|hunk| hunk.guess.clone());
        let is_of_fence = stated.as_ref().is_some_and(Guess::is_of_fence);
        if is_of_fence && holds(&self.base, &written.lines) {
            // It quotes the file.
            return (already(change), None);
        }
        let stays_empty = written.lines.is_empty() && self.base.is_empty();
        let merged = version.and_then(|version| MergedText::of(&written, version, &self.base));
        let lines = merged
            .as_ref()
            .map_or(&*written.lines, |merged| &merged.lines);
        let loss = loss(change.path.first(), &self.base, lines);
        let mut review = if stays_empty && self.kind == FileKind::Created {
            whole_step(change, Step::Create)
        } else {
            self.replace_all(change, lines)
        };
        if let (Outcome::Placed(placement), Some(merged)) = (&mut review.outcome, merged) {
            merged.mark(placement);
        }
        review.remarks.extend(written.remark);
        let announcement = change
            .hunks
            .first()
            .and_then(|hunk| hunk.announcement.clone());
        review.remarks.extend(announcement.map(Remark::Announced));
        withhold(&mut review, guess(&change.path.to_string(), stated.clone()));
        let miscount = change.hunks.first().and_then(|hunk| hunk.miscount);
        let count = miscount.map(|Miscount { said, found }| Loss::Count {
            stated: said.1,
            found: found.1,
        });
        // The counts of a diff are those of its header, and its lines decide.
        withhold(
            &mut review,
            count.filter(|_| change.operation == Operation::Overwrite),
        );
        (review, loss)
    }

    /// A hunk that gives the file new contents, whatever it held: what is equal in both stays as context.
    pub(super) fn replace_all(&self, change: &FileChange, lines: &[String]) -> HunkReview {
        let has_newline = self.base.has_final_newline();
        let newline = match change.hunks.first().map(|hunk| hunk.final_newline) {
            Some(FinalNewline::Add) if !self.base.is_empty() && !has_newline => FinalNewline::Add,
            Some(FinalNewline::Remove) if self.base.is_empty() || has_newline => {
                FinalNewline::Remove
            }
            Some(_) | None => FinalNewline::Keep,
        };
        let rows = replacement(&self.base, lines, newline);
        if rows.is_empty() {
            return already(change);
        }
        hunk_review(
            change.dialect,
            change.span,
            Outcome::Placed(whole_file(self.base.len())),
            newline,
            None,
            rows,
        )
    }
}

/// Returns true if these lines are in a text one after the other.
fn holds(text: &Document, lines: &[String]) -> bool {
    let text: String = text.lines().flat_map(|line| ["\n", line]).collect();
    let block: String = lines.iter().flat_map(|line| ["\n", line]).collect();
    (text + "\n").contains(&(block + "\n"))
}
