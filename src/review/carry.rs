//! Decisions from one session to the next, when the files have changed in between.

use super::Decision;
use super::file::FileReview;
use super::hunk::{ChangedLine, HunkReview};
use super::session::{ReviewSession, Target};

impl ReviewSession {
    /// Takes over every decision, edit and comment of an earlier session on the same proposal whose hunk changes the same
    /// lines into the same lines as before. A hunk whose text on disk was touched is undecided again.
    pub fn carry_over(&mut self, before: &Self) {
        self.comment.clone_from(&before.comment);
        for file in &mut self.files {
            let Some(known) = before.files.iter().find(|known| known.path == file.path) else {
                continue;
            };
            file.comment.clone_from(&known.comment);
            for hunk in 0..file.hunks.len() {
                let same = |other: &&HunkReview| reads_alike(file, &file.hunks[hunk], known, other);
                let Some(other) = known.hunks.get(hunk).filter(same) else {
                    continue;
                };
                let shift = file.hunks[hunk].first_line().cast_signed()
                    - start(&other.proposed).cast_signed();
                let mut state = other.state.clone();
                if shift != 0 {
                    let moved = |line: &ChangedLine| ChangedLine {
                        at: line.at.saturating_add_signed(shift),
                        ..line.clone()
                    };
                    state.lines = state.lines.iter().map(moved).collect();
                }
                file.hunks[hunk].state = state;
            }
            file.rebuild();
        }
    }

    /// Rejects everything: the base stays.
    pub fn reject_all(&mut self) {
        for file in 0..self.files.len() {
            self.decide(&Target::File(file), Decision::Rejected);
        }
    }
}

/// Whether two placements of a hunk take the same lines away and bring the same, with the same lines right around them.
fn reads_alike(
    file: &FileReview,
    hunk: &HunkReview,
    known: &FileReview,
    other: &HunkReview,
) -> bool {
    let (new, old) = (&hunk.proposed, &other.proposed);
    let (here, there) = (start(new), start(old));
    hunk.is_decidable() == other.is_decidable()
        && hunk.step == other.step
        && new.len() == old.len()
        && new.iter().zip(old.iter()).all(|(a, b)| {
            a.at - here == b.at - there
                && a.removes == b.removes
                && a.adds == b.adds
                && (!a.removes || file.base.line(a.at) == known.base.line(b.at))
        })
        && edited_lines_stand(file, here, known, other, there)
}

/// Whether the base lines that an edit took away beyond the agent's stand there as well.
fn edited_lines_stand(
    file: &FileReview,
    here: usize,
    known: &FileReview,
    other: &HunkReview,
    there: usize,
) -> bool {
    let shift = here.cast_signed() - there.cast_signed();
    other
        .state
        .lines
        .iter()
        .filter(|line| line.removes)
        .all(|line| {
            line.at
                .checked_add_signed(shift)
                .is_some_and(|at| file.base.line(at) == known.base.line(line.at))
        })
}

fn start(lines: &[ChangedLine]) -> usize {
    lines.first().map_or(0, |line| line.at)
}
