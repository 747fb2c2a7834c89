//! Lines that were moved: they go in one place and come in another, in the same file or in another one of the batch.
//!
//! The rule is that of git (git-diff(1), `--color-moved=blocks`): lines count as moved in blocks, and a block must have at least 20
//! letters and digits, so that a brace that goes here and another one that comes there are none. Beside that, a block may be
//! indented otherwise in its new place, by as much in each line. All lines of a block are moved, blank ones and braces too.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::review::session::hunk::{ChangedLine, HunkId, Side};
use crate::review::session::review_session::ReviewSession;
use crate::text::Document;

/// The fewest letters and digits of a block.
const LEAST: usize = 20;
/// A line that goes in more places than this says nothing of where it went.
const MOST_PLACES: usize = 16;
/// In larger batches nothing is looked for, in changed lines.
const MOST_LINES: usize = 400_000;

/// A changed line: its hunk, and its position among the changed lines of that.
pub type LineId = (HunkId, usize);

/// Moved lines: origin and destination of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved {
    /// Destinations of the removed lines.
    away: FxHashMap<LineId, OtherEnd>,
    /// Origins of the added lines.
    here: FxHashMap<LineId, OtherEnd>,
    /// Removed and added lines between two parts of a moved block: what each of them is at the other end.
    edited_away: FxHashMap<LineId, LineId>,
    edited_here: FxHashMap<LineId, LineId>,
    /// Numbers of moved lines in each hunk that has any.
    hunks: FxHashMap<HunkId, MovedCount>,
}

/// Other end of a moved line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OtherEnd {
    line: LineId,
    is_reindented: bool,
}

/// Numbers of moved lines in a hunk, removed and added ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MovedCount {
    /// All moved lines.
    pub lines: usize,
    /// Those whose indentation differs at the other end.
    pub reindented: usize,
}

/// The changed lines of a session, to be looked through without it.
#[derive(Debug, Clone, Default)]
pub struct ChangedLines {
    hunks: Vec<(HunkId, Arc<Document>, Arc<[ChangedLine]>)>,
}

impl Moved {
    /// Returns the origin or the destination of one side of a changed line, if it is moved.
    pub fn of(&self, line: LineId, side: Side) -> Option<LineId> {
        match side {
            Side::Old => self.away.get(&line).map(|end| end.line),
            Side::New => self.here.get(&line).map(|end| end.line),
            Side::Both => None,
        }
    }

    /// Returns the other end of one side of a line that was changed inside of a moved block.
    pub fn edited(&self, line: LineId, side: Side) -> Option<LineId> {
        match side {
            Side::Old => self.edited_away.get(&line).copied(),
            Side::New => self.edited_here.get(&line).copied(),
            Side::Both => None,
        }
    }

    /// Returns the lines that were changed inside of moved blocks.
    pub fn edited_lines(&self) -> impl Iterator<Item = LineId> {
        self.edited_here
            .keys()
            .chain(self.edited_away.keys())
            .copied()
    }

    /// Returns true if the indentation of a moved line differs at the other end.
    pub fn is_reindented(&self, line: LineId, side: Side) -> bool {
        let ends = match side {
            Side::Old => &self.away,
            Side::New | Side::Both => &self.here,
        };
        ends.get(&line).is_some_and(|end| end.is_reindented)
    }

    /// Counts the moved lines of a hunk.
    pub fn count(&self, hunk: HunkId) -> MovedCount {
        self.hunks.get(&hunk).copied().unwrap_or_default()
    }

    /// Counts the moved lines.
    pub fn len(&self) -> usize {
        self.here.len()
    }

    /// Returns true if no line is moved.
    pub fn is_empty(&self) -> bool {
        self.here.is_empty()
    }

    /// Forgets what is moved from and to a file, whose lines are others now.
    pub fn forget(&mut self, file: usize) {
        for moved in [&mut self.away, &mut self.here] {
            moved.retain(|(hunk, _), end| hunk.file != file && end.line.0.file != file);
        }
        for edited in [&mut self.edited_away, &mut self.edited_here] {
            edited.retain(|(hunk, _), (other, _)| hunk.file != file && other.file != file);
        }
        self.recount();
    }

    fn recount(&mut self) {
        self.hunks.clear();
        for ((hunk, _), end) in self.away.iter().chain(&self.here) {
            let count = self.hunks.entry(*hunk).or_default();
            count.lines += 1;
            count.reindented += usize::from(end.is_reindented);
        }
    }
}

/// One side of a changed line, among all others of that side.
struct Piece<'a> {
    id: LineId,
    /// The number of the run of changed lines that it belongs to.
    run: usize,
    text: &'a str,
}

impl ChangedLines {
    /// Those of a session. Nothing is copied but references.
    pub fn of(session: &ReviewSession) -> Self {
        let placed = session.hunks().filter(|(_, hunk)| hunk.is_decidable());
        let hunks = placed.map(|(id, hunk)| {
            let base = Arc::clone(&session.files[id.file].base);
            (id, base, Arc::clone(&hunk.state.lines))
        });
        Self {
            hunks: hunks.collect(),
        }
    }

    /// Looks for what is moved. It takes one pass over the lines, each of which is compared with few others.
    pub fn moved(&self) -> Moved {
        let lines: usize = self.hunks.iter().map(|(_, _, lines)| lines.len()).sum();
        if lines > MOST_LINES {
            return Moved::default();
        }
        let (gone, came) = self.pieces();
        let mut search = MoveSearch::new(gone);
        let mut at = 0;
        let mut blocks = Vec::new();
        while at < came.len() {
            match search.take(&came[at..]) {
                Some((from, lines)) => {
                    blocks.push((at, from, lines));
                    at += lines;
                }
                None => at += 1,
            }
        }
        search.pair_edited(&came, &blocks);
        search.moved.recount();
        search.moved
    }

    /// Returns the removed and the added lines, in the order of the files.
    fn pieces(&self) -> (Vec<Piece<'_>>, Vec<Piece<'_>>) {
        let (mut gone, mut came) = (Vec::new(), Vec::new());
        let mut run = 0;
        for (hunk, base, lines) in &self.hunks {
            run += 1;
            for (at, line) in lines.iter().enumerate() {
                if at > 0 && lines[at - 1].end() != line.at {
                    run += 1;
                }
                let id = (*hunk, at);
                if line.removes {
                    let text = base.line(line.at);
                    gone.push(Piece { id, run, text });
                }
                if let Some(text) = &line.adds {
                    came.push(Piece { id, run, text });
                }
            }
        }
        (gone, came)
    }
}

/// The search for where lines come from.
struct MoveSearch<'a> {
    gone: Vec<Piece<'a>>,
    /// The destinations of each distinctive line, without its indentation; empty for a line with too many.
    places: FxHashMap<&'a str, Vec<usize>>,
    taken: Vec<bool>,
    moved: Moved,
}

impl<'a> MoveSearch<'a> {
    fn new(gone: Vec<Piece<'a>>) -> Self {
        let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, piece) in gone.iter().enumerate() {
            if telling(piece.text) > 0 {
                let known = places.entry(piece.text.trim()).or_default();
                if known.len() <= MOST_PLACES {
                    known.push(at);
                }
            }
        }
        places.retain(|_, known| known.len() <= MOST_PLACES);
        Self {
            taken: vec![false; gone.len()],
            gone,
            places,
            moved: Moved::default(),
        }
    }

    /// Takes the largest block that begins with the first of these lines. Returns the position of its first line among the removed
    /// ones, and the number of its lines.
    fn take(&mut self, came: &[Piece<'_>]) -> Option<(usize, usize)> {
        let first = came.first().filter(|first| telling(first.text) > 0)?;
        let places = self.places.get(first.text.trim())?;
        let blocks = places.iter().rev().map(|&at| (self.block(came, at), at));
        let ((_, lines), from) = blocks.max_by_key(|((weight, _), _)| *weight)?;
        let weight: usize = came[..lines].iter().map(|piece| telling(piece.text)).sum();
        if weight < LEAST {
            return None;
        }
        for (new, at) in came[..lines].iter().zip(from..) {
            self.taken[at] = true;
            let old = &self.gone[at];
            let is_reindented = old.text != new.text;
            let [from, to] = [old.id, new.id].map(|line| OtherEnd {
                line,
                is_reindented,
            });
            self.moved.here.insert(new.id, from);
            self.moved.away.insert(old.id, to);
        }
        Some((from, lines))
    }

    /// Pairs the lines between two blocks that follow each other at both ends, if they are as many here as there.
    fn pair_edited(&mut self, came: &[Piece<'_>], blocks: &[(usize, usize, usize)]) {
        for pair in blocks.windows(2) {
            let [(here, from, lines), (next_here, next_from, _)] = [pair[0], pair[1]];
            let (gap_here, gap_from) = (here + lines..next_here, from + lines..next_from);
            let in_step = came[here].run == came[next_here].run
                && self.gone[from].run == self.gone[next_from].run;
            if in_step && gap_here.len() == gap_from.len() {
                for (new, at) in came[gap_here].iter().zip(gap_from) {
                    let old = &self.gone[at];
                    if new.id != old.id && !self.taken[at] {
                        self.moved.edited_here.insert(new.id, old.id);
                        self.moved.edited_away.insert(old.id, new.id);
                    }
                }
            }
        }
    }

    /// Counts the letters and digits, and the lines, that are equal in both places from here on.
    fn block(&self, came: &[Piece<'_>], from: usize) -> (usize, usize) {
        let (first_new, first_old) = (&came[0], &self.gone[from]);
        let shift = indent(first_new.text).wrapping_sub(indent(first_old.text));
        let both = came.iter().zip(from..self.gone.len());
        let moved = both.take_while(|&(new, at)| {
            let old = &self.gone[at];
            let in_step = new.run == first_new.run && old.run == first_old.run;
            // A line in its own row, or among the same changed lines in another depth, was changed and not moved.
            let moved = new.run != old.run || new.id != old.id && new.text == old.text;
            let blank = new.text.trim().is_empty();
            let deep = blank || indent(new.text).wrapping_sub(indent(old.text)) == shift;
            in_step && moved && deep && !self.taken[at] && new.text.trim() == old.text.trim()
        });
        let lines = moved.count();
        let weight = came[..lines].iter().map(|piece| telling(piece.text)).sum();
        (weight, lines)
    }
}

/// The letters and digits of a line.
fn telling(line: &str) -> usize {
    line.chars().filter(|c| c.is_alphanumeric()).count()
}

/// The bytes of blanks that a line begins with.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the moved lines of a batch. A character is a line: `-` and `+` for removed and added ones, a blank for an unchanged
    /// one between them. Lines are named by letters.
    #[track_caller]
    fn check(files: &[&[&str]], expected: &[&str]) {
        let mut hunks = Vec::new();
        let mut names: FxHashMap<LineId, String> = FxHashMap::default();
        for (file, rows) in files.iter().enumerate() {
            let id = HunkId { file, hunk: 0 };
            let kept = rows.iter().filter(|row| !row.starts_with('+'));
            let base: Vec<&str> = kept.flat_map(|row| [&row[1..], "\n"]).collect();
            let mut lines = Vec::new();
            let mut at = 0;
            for row in *rows {
                let (removes, adds) = match row.as_bytes()[0] {
                    b'-' => (true, None),
                    b'+' => (false, Some(row[1..].to_owned())),
                    _ => {
                        at += 1;
                        continue;
                    }
                };
                names.insert((id, lines.len()), format!("{file}{row}"));
                lines.push(ChangedLine { at, removes, adds });
                at += usize::from(removes);
            }
            let base = Arc::new(Document::from_text(base.concat()));
            hunks.push((id, base, lines.into()));
        }
        let moved = ChangedLines { hunks }.moved();
        let mut found: Vec<String> = (moved.here.iter())
            .map(|(here, away)| format!("{} < {}", names[here], names[&away.line]))
            .collect();
        found.sort();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(moved.len(), moved.away.len());
    }

    const LONG: &str = "let answer = universe.ask(42);";

    #[test]
    fn a_block_is_known_in_its_new_place() {
        let (minus, plus) = (format!("-{LONG}"), format!("+{LONG}"));
        check(
            &[
                &[&minus, "-}", "-", "-end of it", " kept"],
                &[" kept", &plus, "+}", "+", "+end of it"],
            ],
            &[
                &format!("1+{LONG} < 0-{LONG}"),
                "1+} < 0-}",
                "1+ < 0-",
                "1+end of it < 0-end of it",
            ],
        );
        check(
            &[&[&minus, " kept", &plus]],
            &[&format!("0+{LONG} < 0-{LONG}")],
        );
        // Deeper, by as much in each line.
        check(
            &[
                &[&minus, "-  second()"],
                &[&format!("+    {LONG}"), "+      second()"],
            ],
            &[
                "1+      second() < 0-  second()",
                &format!("1+    {LONG} < 0-{LONG}"),
            ],
        );
    }

    #[test]
    fn what_is_too_little_or_in_its_own_place_is_not_moved() {
        check(&[&["-}", "-  }"], &["+}", "+  }"]], &[]);
        check(&[&["-", "-return 1;"], &["+", "+return 1;"]], &[]);
        let minus = format!("-{LONG}");
        // Deeper among the same lines: it was changed.
        check(
            &[&[&minus, "+if asked {", &format!("+  {LONG}"), "+}"]],
            &[],
        );
        // A second copy comes from nowhere.
        let plus = format!("+{LONG}");
        check(
            &[&[&minus], &[&plus, " kept", &plus]],
            &[&format!("1+{LONG} < 0-{LONG}")],
        );
        // Another depth within the block ends it.
        check(
            &[&[&minus, "-second()"], &[&plus, "+  second()"]],
            &[&format!("1+{LONG} < 0-{LONG}")],
        );
    }

    #[test]
    fn what_goes_in_many_places_says_nothing() {
        let minus = format!("-{LONG}");
        let many: Vec<&str> = [minus.as_str(), " kept"].repeat(MOST_PLACES + 1);
        check(&[&many, &[&format!("+{LONG}")]], &[]);
    }
}
