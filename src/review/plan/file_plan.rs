//! Combines the parts of a proposal for one file, and makes its hunks.

use std::ops::Range;
use std::sync::Arc;

use super::guess::{guess, withhold_leaders};
use super::loss::{unstated, withhold};
use super::new_hunk::{already, hunk_review, whole_step};
use super::part::{Intake, VersionSource, is_moved_and_written};
use super::text_doubt::{PlacedHunks, TextDoubt, text_doubts};
use super::unseen::UnseenTexts;
use super::whole_file::WholeText;
use crate::locate::{
    Change, Confidence, Location, Origin, Tolerance, Unplaced, lost, may_merge, merge, place_all,
    place_by_versions, place_in_own_version,
};
use crate::proposal::{
    Blobs, FileChange, FinalNewline, Hunk, HunkOrder, Operation, PathClaim, Version, has_word,
};
use crate::review::session::file::{FileContent, FileKind};
use crate::review::session::hunk::{ChangedLine, HunkReview, Outcome, Remark, StatedHunk, Step};
use crate::review::session::pair::pair_placed;
use crate::review::session::versions::{Found, Refusal};
use crate::text::Document;

/// The combined request for one file.
pub(in crate::review) struct FilePlan {
    pub(in crate::review) kind: FileKind,
    pub(in crate::review) base: Arc<Document>,
    pub(in crate::review) executable: bool,
    pub(in crate::review) content: FileContent,
    /// True if a file to be created exists with the requested text, or a file to be deleted is gone.
    pub(in crate::review) done: bool,
    /// True if characters beyond ASCII would be written in an encoding that was only guessed.
    pub(in crate::review) is_guess: bool,
}

impl FilePlan {
    pub(in crate::review) fn of(group: &[Intake]) -> Self {
        let reading = group.first().map(|part| part.reading).unwrap_or_default();
        let no_text = || Arc::new(Document::empty_in(reading.encoding));
        let mut content = FileContent::Text;
        let (base, executable, exists) = match group.first().map(|part| &part.found) {
            Some(Found::Text {
                document,
                executable,
            }) => (Arc::clone(document), *executable, true),
            Some(Found::Opaque(found)) => {
                if group.iter().any(|part| needs_text(&part.change)) {
                    return Self::refused(Refusal::Unreadable(found.why.clone()));
                }
                content = FileContent::Opaque(found.clone());
                (no_text(), found.executable, true)
            }
            Some(Found::Refused(refusal)) => return Self::refused(refusal.clone()),
            Some(Found::Link(_)) => {
                let why = "it is a symbolic link that the batch changes as well".to_owned();
                return Self::refused(Refusal::Contradiction(why));
            }
            Some(Found::Folder) => {
                let why = "it is a folder".to_owned();
                return Self::refused(Refusal::Contradiction(why));
            }
            Some(Found::Absent) | None => (no_text(), false, false),
        };
        let mut plan = Self {
            kind: FileKind::Modified,
            base,
            executable,
            content,
            done: false,
            is_guess: reading.is_guess,
        };
        for part in group {
            plan.take(part, exists);
        }
        if let [part] = group
            && part.change.operation == Operation::CreateOrAppend
        {
            // The file was made by this edit: it is not appended to itself.
            let written = WholeText::of(&part.change, &plan.base);
            let is_telling = written.lines.iter().any(|line| has_word(line));
            plan.done = is_telling && written.is_text_of(&plan.base);
        }
        let kinds = group.iter().filter(|part| match part.change.operation {
            Operation::Modify => false,
            Operation::CreateOrAppend => !exists,
            Operation::Create
            | Operation::Overwrite
            | Operation::Delete
            | Operation::Rename(_)
            | Operation::CopyOf(_)
            | Operation::Link { .. } => true,
        });
        let kinds = kinds.count() - usize::from(is_moved_and_written(group));
        if kinds > 1 || (kinds == 1 && group.len() > 1 && plan.kind == FileKind::Deleted) {
            let moves = |part: &Intake| matches!(part.change.operation, Operation::Rename(_));
            let why = if group.iter().any(moves) {
                "one edit gives this file another name, and another one writes or removes all of its text; apply them one after the other"
            } else {
                "the edits ask for two things of this file that cannot both be"
            };
            plan.refuse(Refusal::Contradiction(why.to_owned()));
        }
        plan
    }

    pub(in crate::review) fn refused(refusal: Refusal) -> Self {
        let base = Arc::new(Document::from_text(""));
        Self {
            kind: FileKind::Modified,
            base,
            executable: false,
            content: FileContent::Refused(refusal),
            done: false,
            is_guess: false,
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.content = FileContent::Refused(refusal);
    }

    fn take(&mut self, part: &Intake, exists: bool) {
        match &part.change.operation {
            Operation::Modify if !exists => self.refuse(missing(&part.change.path)),
            // A copy alone has a plan of its own, and so has a link.
            Operation::Modify | Operation::CopyOf(_) | Operation::Link { .. } => (),
            Operation::Create if exists => {
                self.done = WholeText::of(&part.change, &self.base).is_text_of(&self.base);
                // An empty file holds nothing that could be lost.
                if !self.done && !self.base.is_empty() {
                    self.refuse(Refusal::Exists);
                }
            }
            Operation::CreateOrAppend | Operation::Overwrite if exists => (),
            Operation::Create | Operation::CreateOrAppend | Operation::Overwrite => {
                self.kind = FileKind::Created;
                let path = &part.change.path;
                if path.is_in_doubt() {
                    let names = path.readings().map(ToOwned::to_owned);
                    self.refuse(Refusal::Unclear(names.collect()));
                }
            }
            Operation::Delete if exists => self.kind = FileKind::Deleted,
            Operation::Delete => {
                self.kind = FileKind::Deleted;
                self.done = true;
            }
            Operation::Rename(to) => match part.other.target() {
                _ if !exists => self.refuse(Refusal::Missing(None)),
                Some(renaming) if renaming.exists => {
                    let why = format!("`{}` exists already", renaming.to);
                    self.refuse(Refusal::Contradiction(why));
                }
                Some(renaming) => {
                    self.kind = FileKind::Renamed {
                        to: renaming.to.clone(),
                    }
                }
                None => {
                    self.refuse(Refusal::Forbidden(format!("`{to}` cannot be a file here")));
                }
            },
        }
    }

    /// Places the hunks of all parts.
    ///
    /// # Errors
    ///
    /// The position of a hunk that would be reported as written, and be lost.
    pub(in crate::review) fn place(
        &self,
        group: &[Intake],
        tolerance: Tolerance,
        versions: &dyn VersionSource,
    ) -> Result<PlacedHunks, usize> {
        if self.done {
            let hunks = group.iter().map(|part| already(&part.change));
            return Ok(PlacedHunks::certain(hunks.collect()));
        }
        let (mut reviews, mut doubts) = (Vec::new(), Vec::new());
        let mut located: Vec<StatedHunk> = Vec::new();
        // The diffs among the parts that name the version that they were made from, and their hunks.
        let mut made_from: Vec<(&Blobs, Range<usize>)> = Vec::new();
        for part in group {
            let change = &part.change;
            let known = located.len();
            let (whole, loss) =
                self.of_the_whole(change, || versions.before_whole_text(&part.path));
            let moves = matches!(
                change.operation,
                Operation::Rename(_) | Operation::CopyOf(_)
            );
            if whole.is_none() || moves {
                located.extend(stated_hunks(change));
            }
            let lines_at = reviews.len() + whole.iter().filter(|hunk| hunk.step.is_some()).count();
            reviews.extend(whole);
            made_from.extend((change.blobs.iter()).map(|blobs| (blobs, known..located.len())));
            let executable = change.executable.filter(|&value| value != self.executable);
            if let Some(executable) = executable {
                reviews.insert(lines_at, whole_step(change, Step::Mode { executable }));
            } else if change.operation == Operation::Modify && change.hunks.is_empty() {
                reviews.push(already(change));
            }
            // New contents come last of what is done to the file as a whole.
            let contents = reviews.len().saturating_sub(1);
            doubts.extend(loss.map(|loss| (contents, TextDoubt::Loss(loss))));
        }
        let ascending =
            group.len() == 1 && group.iter().all(|part| part.order == HunkOrder::Ascending);
        let order = if ascending {
            HunkOrder::Ascending
        } else {
            HunkOrder::Any
        };
        // The located hunks come after what is done to the file as a whole.
        let first = reviews.len();
        let hunks: Vec<&Hunk> = located.iter().filter_map(StatedHunk::hunk).collect();
        let mut locations = place_all(&hunks, order, &self.base, tolerance);
        for (blobs, part) in made_from {
            let bytes = self.base.encode(self.base.text());
            if bytes.is_ok_and(|bytes| blobs.is_before(&bytes)) {
                place_in_own_version(&hunks, part, &self.base, &mut locations);
            } else if locations[part.clone()].iter().any(may_merge)
                && let Some(ancestor) = versions.ancestor(blobs)
            {
                merge(&hunks, part, &ancestor, &self.base, &mut locations);
            }
        }
        let path = group.first().map_or("", |part| &part.path);
        let mut by = |versions: &mut dyn Iterator<Item = Version>, origin| {
            place_by_versions(&hunks, order, versions, origin, &self.base, &mut locations);
        };
        by(&mut versions.seen(path).into_iter(), Origin::Known);
        by(&mut versions.earlier(path), Origin::Possible);
        if let Some(at) = lost(&hunks, &self.base, &locations) {
            return Err(first + at);
        }
        let unseen = UnseenTexts::of(&self.base);
        for ((location, asked), hunk) in locations.into_iter().zip(&located).zip(hunks) {
            let mut review = self.located(asked.change.dialect, hunk, location, first);
            let path = asked.change.path.first();
            let found = text_doubts(&review, hunk, (&self.base, &unseen), path);
            doubts.extend(found.into_iter().map(|doubt| (reviews.len(), doubt)));
            review
                .remarks
                .extend(hunk.announcement.clone().map(Remark::Announced));
            review.remarks.extend(hunk.miscount.map(Remark::Miscount));
            withhold(&mut review, guess(path, hunk.guess.clone()));
            review.asked = Some(asked.clone());
            reviews.push(review);
        }
        super::other_endings::note(&mut reviews[first..], &located, &self.base);
        withhold_leaders(&mut reviews, &located, first);
        if let [part] = group
            && part.change.operation == Operation::Delete
            && let loss @ Some(_) = unstated(&self.base, &reviews)
        {
            let mut review = self.replace_all(&part.change, &[]);
            withhold(&mut review, loss);
            return Ok(PlacedHunks::certain(vec![review]));
        }
        if self.is_guess {
            reviews.iter_mut().for_each(mark_guess);
        }
        Ok(PlacedHunks {
            hunks: reviews,
            doubts,
        })
    }

    fn located(
        &self,
        dialect: &'static str,
        hunk: &Hunk,
        location: Location,
        first: usize,
    ) -> HunkReview {
        let (mut newline, mut lines) = (FinalNewline::Keep, Vec::new());
        let outcome = match location {
            Location::Placed(placement) => {
                newline = placement.final_newline.or(hunk.final_newline);
                let of = |change: &Change| pair_placed(&self.base, change);
                lines = placement.changes.iter().flat_map(of).collect();
                Outcome::Placed(placement)
            }
            Location::AlreadyApplied { at } => Outcome::AlreadyApplied { at: Some(at) },
            Location::Follows { hunk: leader } => Outcome::Follows {
                hunks: leader + first..leader + first + 1,
            },
            Location::Unplaced(Unplaced::Overlap { with, at }) => {
                Outcome::Unplaced(Unplaced::Overlap {
                    with: with + first,
                    at,
                })
            }
            Location::Unplaced(unplaced) => Outcome::Unplaced(unplaced),
        };
        hunk_review(dialect, hunk.span, outcome, newline, None, lines)
    }
}

/// Marks a hunk that would write characters in an encoding that was only guessed: a person has to confirm it.
fn mark_guess(review: &mut HunkReview) {
    let is_special = |line: &ChangedLine| line.adds.as_ref().is_some_and(|adds| !adds.is_ascii());
    if let Outcome::Placed(placement) = &mut review.outcome
        && review.proposed.iter().any(is_special)
    {
        placement.confidence = placement.confidence.max(Confidence::Fuzzy);
        review.remarks.push(Remark::Encoding);
    }
}

/// Returns the refusal for a missing file, whose name may have been a word of the prose.
fn missing(path: &PathClaim) -> Refusal {
    if path.is_perhaps() {
        Refusal::Unnamed(path.to_string())
    } else {
        Refusal::Missing(None)
    }
}

/// The hunks of a change.
fn stated_hunks(change: &Arc<FileChange>) -> impl Iterator<Item = StatedHunk> {
    (0..change.hunks.len()).map(|hunk| StatedHunk {
        change: Arc::clone(change),
        hunk,
    })
}

/// Returns true if a part needs the file to be text.
fn needs_text(change: &FileChange) -> bool {
    match change.operation {
        Operation::Delete | Operation::Rename(_) | Operation::Modify | Operation::Link { .. } => {
            !change.hunks.is_empty()
        }
        Operation::Create
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::CopyOf(_) => true,
    }
}
